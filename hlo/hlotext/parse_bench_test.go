package hlotext_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

func benchmarkParse(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := hlotext.Parse(text, hlotext.ParseOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseModel(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(hlotest.Shared(b), "models", "hlo_mixtral_8x7b_bf16_1x8.hlo"))
	if err != nil {
		b.Fatal(err)
	}
	benchmarkParse(b, string(text))
}

func BenchmarkParseChain(b *testing.B) {
	var text strings.Builder
	text.WriteString("HloModule m\n\nENTRY e {\n  x0 = f32[128,256]{1,0} parameter(0)\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "  x%d = f32[128,256]{1,0} add(x%d, x%d), ", i+1, i, i)
		fmt.Fprintf(&text, "metadata={op_name=\"a/b\" source_line=%d}\n", i)
	}
	text.WriteString("}\n")
	benchmarkParse(b, text.String())
}

func BenchmarkParseLiteral(b *testing.B) {
	const n = 1 << 20
	row := strings.TrimSuffix(strings.Repeat("1.5, ", n), ", ")
	benchmarkParse(b, fmt.Sprintf("HloModule m\n\nENTRY e {\n  c = f32[%d]{0} constant({%s})\n}\n", n, row))
}
