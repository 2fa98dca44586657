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

// TestFillDepths: by how much depths are filled up, and that products keep what is known of them.
func TestFillDepths(t *testing.T) {
	avx2, tiles := gemm.Config{Tier: exec.AVX2}, gemm.Config{Tier: exec.AVX512, TileBF16: true}
	for _, test := range []struct {
		x, y, z string
		depth   int
		machine gemm.Config
		fill    int
	}{
		{"s8", "s8", "s32", 65, avx2, 3},
		{"u8", "s8", "s32", 67, avx2, 1},
		{"s8", "s16", "s32", 65, avx2, 1},
		{"bf16", "bf16", "f32", 65, tiles, 1},
		{"bf16", "bf16", "f32", 65, avx2, 0},
		{"s8", "s8", "s32", 68, avx2, 0},
		{"s8", "s8", "s32", 63, avx2, 0},
		{"f32", "f32", "f32", 65, tiles, 0},
		{"s8", "s8", "s32", 65, gemm.Config{}, 0},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = %s[32,%d] parameter(0)
  y = %s[%[2]d,32] parameter(1)
  ROOT z = %[4]s[32,32] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="kept"}
}
`, test.x, test.depth, test.y, test.z), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if changed := plan.FillDepths(m, test.machine); changed != (test.fill > 0) {
			t.Errorf("%+v: changed: %v", test, changed)
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatal(err)
		}
		text := hlotext.String(m, hlotext.Default())
		if test.fill > 0 && !strings.Contains(text, fmt.Sprintf("padding=0_0x0_%d", test.fill)) ||
			!strings.Contains(text, `op_name="kept"`) {
			t.Errorf("%+v: got\n%s", test, text)
		}
	}
}
