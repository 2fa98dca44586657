package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestReadConverted: which operands of products are read in the type that they are converted from.
func TestReadConverted(t *testing.T) {
	avx2, pairs := gemm.Config{Tier: exec.AVX2}, gemm.Config{Tier: exec.AVX512, BF16: true}
	const rows = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
	const columns = "lhs_contracting_dims={0}, rhs_contracting_dims={0}"
	for _, test := range []struct {
		x, y, z  string // parameters and the product
		of, with string // the operands of the product, and what is summed
		machine  gemm.Config
		want     string // types of operands
	}{
		{"f32[32,32]", "s8[32,32]", "f32[32,32]", "x, d", rows, avx2, "f32, s8"},
		{"u8[32,32]", "s16[32,32]", "f32[32,32]", "c, d", rows, avx2, "u8, s16"},
		{"f16[32,32]", "bf16[32,32]", "f32[32,32]", "c, d", rows, avx2, "f16, bf16"},
		{"f32[32,32]", "f32[32,32]", "f64[32,32]", "c, d", rows, avx2, "f32, f32"},
		{"s32[32,32]", "f64[32,32]", "f64[32,32]", "c, y", rows, avx2, "s32, f64"},
		{"bf16[32,32]", "s8[32,32]", "bf16[32,32]", "x, d", rows, avx2, "bf16, s8"},
		// Both would be multiplied two at a time, or are.
		{"bf16[32,32]", "bf16[32,32]", "f32[32,32]", "c, d", rows, pairs, "f32, bf16"},
		{"bf16[32,32]", "s8[32,32]", "bf16[32,32]", "x, d", rows, pairs, "bf16, bf16"},
		// Conversions that round, or narrow, or that no product makes.
		{"s32[32,32]", "f32[32,32]", "f32[32,32]", "c, y", rows, avx2, "f32, f32"},
		{"f64[32,32]", "f32[32,32]", "f32[32,32]", "c, y", rows, avx2, "f32, f32"},
		{"f8e5m2[32,32]", "f32[32,32]", "f32[32,32]", "c, y", rows, avx2, "f32, f32"},
		// Sums would be narrower.
		{"s32[32,32]", "f64[32,32]", "f32[32,32]", "c, y", rows, avx2, "f64, f64"},
		// Something else reads it, or it is read by another shape.
		{"f32[32,32]", "s8[32,32]", "f32[32,32]", "d, d", rows, avx2, "f32, f32"},
		{"f32[32,32]", "s8[32,32]", "f32[32,32]", "x, t", rows, avx2, "f32, s8"},
		// Few rows whose elements are far apart, and more of them.
		{"u8[32,8]", "f32[32,32]", "f32[8,32]", "c, y", columns, avx2, "f32, f32"},
		{"u8[32,16]", "f32[32,32]", "f32[16,32]", "c, y", columns, avx2, "u8, f32"},
	} {
		typ, _, _ := strings.Cut(test.z, "[")
		if strings.HasPrefix(test.y, "f64") {
			typ = "f64"
		}
		like := func(s string) string { return typ + s[strings.Index(s, "["):] }
		lines := map[string]string{"c": "c = " + like(test.x) + " convert(x)", "d": "d = " + like(test.y) + " convert(y)",
			"t": "d = " + like(test.y) + " convert(y)\n  t = " + like(test.y) + " transpose(d), dimensions={1,0}"}
		body := fmt.Sprintf("  x = %s parameter(0)\n  y = %s parameter(1)\n", test.x, test.y)
		a, b, _ := strings.Cut(test.of, ", ")
		body += "  " + lines[b] + "\n"
		if a != b {
			body += "  " + lines[a] + "\n"
		}
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
%s  ROOT z = %s dot(%s), %s, metadata={op_name="kept"}
}
`, body, test.z, test.of, test.with), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		dot := m.Entry().Root()
		types := func() string {
			return fmt.Sprintf("%v, %v", dot.Operand(0).Shape().Type, dot.Operand(1).Shape().Type)
		}
		conversions := func() int { return strings.Count(hlotext.String(m, hlotext.Default()), "convert(") }
		before, count := types(), conversions()
		changed := plan.ReadConverted(m, test.machine)
		if changed != (test.want != before) || changed && conversions() >= count {
			t.Errorf("%+v: changed: %v", test, changed)
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatal(err)
		}
		text := hlotext.String(m, hlotext.Default())
		if got := types(); got != test.want || !strings.Contains(text, `op_name="kept"`) {
			t.Errorf("%+v: got %s\n%s", test, got, text)
		}
	}
}
