package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestPoints: points and colors that are multiplied by a matrix, alone and with what is around, are no calls of package
// gemm where there is machine code, and have the values of the evaluator on every tier.
func TestPoints(t *testing.T) {
	const dot = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
	for _, test := range []struct{ name, body string }{
		{"alone", "x = f32[701,3] parameter(0)\n m = f32[3,3] parameter(1)\n ROOT y = f32[701,3] dot(x, m)" + dot},
		{"fewer", "x = f32[701,3] parameter(0)\n m = f32[3,2] parameter(1)\n ROOT y = f32[701,2] dot(x, m)" + dot},
		{"integers", "x = s32[701,4] parameter(0)\n m = s32[4,3] parameter(1)\n ROOT y = s32[701,3] dot(x, m)" + dot},
		{"turned", "x = f32[701,4] parameter(0)\n m = f32[3,4] parameter(1)\n" +
			"ROOT y = f32[701,3] dot(x, m), lhs_contracting_dims={1}, rhs_contracting_dims={1}"},
		{"bytes", "b = u8[701,3] parameter(0)\n x = s32[701,3] convert(b)\n m = s32[3,3] parameter(1)\n" +
			"d = s32[701,3] dot(x, m)" + dot + "ROOT y = u8[701,3] convert(d)"},
		{"padded", "p = f32[701,2] parameter(0)\n one = f32[] constant(1)\n" +
			"x = f32[701,4] pad(p, one), padding=0_0x1_1\n m = f32[4,3] parameter(1)\n" +
			"d = f32[701,3] dot(x, m)" + dot + "ROOT y = f32[701,3] negate(d)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			onTwoThreads(t, "HloModule m\nENTRY e {\n"+test.body+"\n}\n", 1e-6, func(tier string, p *cpu.Program) {
				if plan := p.Plan().String(); tier != "portable" && strings.Contains(plan, "gemm") {
					t.Errorf("%s: expected kernels alone, got\n%s", tier, plan)
				}
			})
		})
	}
}
