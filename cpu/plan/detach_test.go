package plan_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestDetach: a plan keeps nothing of its module once it is detached, be there products, loops, conditionals or
// algorithms, but for what the evaluator computes. Its text is the same.
func TestDetach(t *testing.T) {
	for _, test := range []struct {
		entry string
		kept  bool
	}{
		{"ROOT r = f32[64,64] exponential(x)", false},
		{"ROOT r = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
		{"ROOT r = f32[64,64] sort(x), dimensions={1}, to_apply=less", false},
		{"ROOT r = f32[64,64] while(x), condition=small, body=squared", false},
		{"ROOT r = f32[64,64] conditional(p, x, x), true_computation=squared, false_computation=sorted", false},
		{"ROOT r = f32[64,64] custom-call(x), custom_call_target=\"t\"", true},
		{"ROOT r = f32[64,64] conditional(p, x, x), true_computation=called, false_computation=sorted", true},
	} {
		m := withEntry(t, test.entry)
		p, err := plan.Build(m, plan.Options{Machine: gemm.Config{Tier: exec.AVX2, Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		module, text := weak.Make(m), p.Text(true)
		m = nil
		p.Detach()
		runtime.GC()
		if kept := module.Value() != nil; kept != test.kept {
			t.Errorf("%s: expected the module kept: %v, got %v", test.entry, test.kept, kept)
		}
		if got := p.Text(true); got != text {
			t.Errorf("expected\n%s\ngot\n%s", text, got)
		}
	}
}

// withEntry is a program of x, 64 x 64 numbers, and p, a pred.
func withEntry(t *testing.T, root string) *hlo.Module {
	t.Helper()
	m, err := hlotext.Parse(`HloModule m
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}
small {
  x = f32[64,64] parameter(0)
  one = f32[1,1] slice(x), slice={[0:1], [0:1]}
  first = f32[] reshape(one)
  ten = f32[] constant(10)
  ROOT c = pred[] compare(first, ten), direction=LT
}
squared {
  x = f32[64,64] parameter(0)
  ROOT r = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
sorted {
  x = f32[64,64] parameter(0)
  ROOT r = f32[64,64] sort(x), dimensions={1}, to_apply=less
}
called {
  x = f32[64,64] parameter(0)
  ROOT r = f32[64,64] custom-call(x), custom_call_target="t"
}
ENTRY e {
  x = f32[64,64] parameter(0)
  p = pred[] parameter(1)
  `+root+`
}
`, hlotext.ParseOptions{})
	if err == nil {
		err = hlo.Verify(m, hlo.VerifyOptions{})
	}
	if err != nil {
		t.Fatal(root, err)
	}
	return m
}
