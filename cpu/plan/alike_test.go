package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestAlikeNests: the nests of equal layers are made once, for any number of threads, and have buffers and names of
// their own; a layer that differs has a nest of its own.
func TestAlikeNests(t *testing.T) {
	text := "HloModule m\nENTRY e {\n  x0. = f32[64,64] parameter(0)\n  w = f32[64,64] parameter(1)\n"
	last := slices.Repeat([]string{"tanh", "tanh", "exponential", "tanh"}, 2)
	for n, f := range last {
		text += fmt.Sprintf(`  d%d. = f32[64,64] dot(x%[1]d., w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  a%[1]d. = f32[64,64] add(d%[1]d., w)
  x%[2]d. = f32[64,64] %[3]s(a%[1]d.)
`, n, n+1, f)
	}
	text += fmt.Sprintf(`  ROOT r = f32[64,64] dot(x%d., w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`, len(last))
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for threads := 1; threads <= 2; threads++ {
		p, err := plan.Build(m, plan.Options{Machine: gemm.Config{Tier: exec.AVX2, Threads: threads}})
		if err != nil {
			t.Fatal(err)
		}
		var kernels []*plan.Kernel
		for _, s := range p.Body.Steps {
			if k, ok := s.(*plan.Kernel); ok {
				kernels = append(kernels, k)
			}
		}
		if len(kernels) < len(last) {
			t.Fatalf("expects %d kernels, got %d", len(last), len(kernels))
		}
		for n := range last {
			k, want := kernels[n].Nest, fmt.Sprintf("x%d.", n+1)
			if got := &k.Insts[0] == &kernels[0].Nest.Insts[0]; got != (last[n] == last[0]) || k.Name != want {
				t.Errorf("layer %d: %s with the instructions of the first: %v", n, k.Name, got)
			}
			if b := p.Buffers[kernels[n].Buffers[0]]; b.Of.Name() != k.Buffers[0].Name {
				t.Errorf("layer %d: buffer %s is %s", n, b.Of.Name(), k.Buffers[0].Name)
			}
		}
	}
}
