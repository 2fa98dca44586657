package mlirtext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo/mlirtext"
)

// manyOps returns a module of n short operations.
func manyOps(n int) string {
	var b strings.Builder
	b.WriteString("func.func @main(%arg0: tensor<16x128xf32>) -> tensor<16x128xf32> {\n")
	prev := "%arg0"
	for i := range n {
		fmt.Fprintf(&b, "  %%%d = stablehlo.add %s, %%arg0 : tensor<16x128xf32>\n", i, prev)
		prev = fmt.Sprintf("%%%d", i)
	}
	fmt.Fprintf(&b, "  return %s : tensor<16x128xf32>\n}\n", prev)
	return b.String()
}

// largeConstant returns a module of one constant of n numbers, as hexadecimal digits or
// as a list.
func largeConstant(n int, hex bool) string {
	var b strings.Builder
	b.WriteString("%0 = stablehlo.constant dense<")
	if hex {
		b.WriteString(`"0x`)
		for i := range n {
			fmt.Fprintf(&b, "%08X", i)
		}
		b.WriteString(`"`)
	} else {
		b.WriteString("[")
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%e", float64(i)+0.5)
		}
		b.WriteString("]")
	}
	fmt.Fprintf(&b, "> : tensor<%dxf32>\n", n)
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ops", manyOps(20000)},
		{"hex", largeConstant(1<<20, true)},
		{"list", largeConstant(1<<17, false)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := mlirtext.Parse("bench.mlir", c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	m, err := mlirtext.Parse("bench.mlir", manyOps(20000))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.SetBytes(int64(len(mlirtext.Print(m, mlirtext.Options{}))))
	}
}
