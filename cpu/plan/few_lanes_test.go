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

// TestFewLanes: exponentials of a few long columns, and their sums, have kernels of their own, and so have quotients.
func TestFewLanes(t *testing.T) {
	for _, c := range []struct {
		typ, dims, kept, summed, at string
		tier                        exec.Tier
		kernels                     int
	}{
		{"f32", "100,3", "3", "0", "1", exec.AVX512, 3},
		{"f32", "5,100,12", "5,12", "1", "0,2", exec.AVX512, 3},
		{"f32", "10,10,2,3", "2,3", "0,1", "2,3", exec.AVX512, 3},
		{"f64", "100,6", "6", "0", "1", exec.AVX512, 3},
		{"bf16", "100,3", "3", "0", "1", exec.AVX512, 3},
		{"f32", "100,6", "6", "0", "1", exec.AVX2, 3},
		{"f32", "100,13", "13", "0", "1", exec.AVX512, 1},
		{"f64", "100,7", "7", "0", "1", exec.AVX512, 1},
		{"f32", "100,7", "7", "0", "1", exec.AVX2, 1},
		{"f32", "100,16,3", "100,3", "1", "0,2", exec.AVX512, 3},
		{"f32", "100,15,3", "100,3", "1", "0,2", exec.AVX512, 1},
		{"f32", "10,16,3", "10,3", "1", "0,2", exec.AVX512, 1},
		{"f32", "63,3", "3", "0", "1", exec.AVX512, 1},
		{"f32", "3,100", "3", "1", "0", exec.AVX512, 1},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
sum {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  zero = %[1]s[] constant(0)
  y = %[1]s[%[2]s] exponential(x)
  all = %[1]s[%[3]s] reduce(y, zero), dimensions={%[4]s}, to_apply=sum
  by = %[1]s[%[2]s] broadcast(all), dimensions={%[5]s}
  ROOT r = %[1]s[%[2]s] divide(y, by)
}
`, c.typ, c.dims, c.kept, c.summed, c.at), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := kernelsOf(t, m, c.tier); got != c.kernels {
			t.Errorf("%+v: expected %d kernels, got %d", c, c.kernels, got)
		}
	}
}

// kernelsOf is how many kernels the plan of m has for one thread of a tier.
func kernelsOf(t *testing.T, m *hlo.Module, tier exec.Tier) int {
	t.Helper()
	p, err := plan.Build(m, plan.Options{Machine: gemm.Config{Tier: tier, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(p.Text(false), "\n  kernel ")
}
