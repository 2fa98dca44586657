package plan_test

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestDeadReshape: a program may hold a sum in another shape that nothing needs.
func TestDeadReshape(t *testing.T) {
	m, err := hlotext.Parse(`HloModule m
ENTRY e {
  x = f32[40,3] parameter(0)
  w = f32[3,64] parameter(1)
  d = f32[40,64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  r = f32[2,20,64] reshape(d)
  ROOT y = f32[40,3] negate(x)
}
`, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Build(m, plan.Options{Machine: gemm.Config{Tier: exec.AVX2, Threads: 1}}); err != nil {
		t.Error(err)
	}
}
