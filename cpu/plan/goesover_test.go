package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestGoesOverAgain: elements that are divided by the sums of their columns are divided in a kernel of its own where
// the columns are not near any more by the time that they are summed; where the last cache is far, fewer rows are
// enough for that, but not of a small array.
func TestGoesOverAgain(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		far           bool
		kernels       int
	}{
		{2048, 256, false, 2}, {2047, 256, false, 1}, {2048, 255, false, 1},
		{2047, 256, true, 2}, {512, 256, true, 2}, {511, 256, true, 1}, {64, 2048, true, 2}, {63, 4096, true, 1},
		{2047, 255, true, 1},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[%[1]d,%[2]d] parameter(0)
  zero = f32[] constant(0)
  all = f32[%[2]d] reduce(x, zero), dimensions={0}, to_apply=sum
  by = f32[%[1]d,%[2]d] broadcast(all), dimensions={1}
  ROOT r = f32[%[1]d,%[2]d] divide(x, by)
}
`, c.rows, c.columns), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		machine := gemm.Config{Tier: exec.AVX512, Threads: 1, FarL3: c.far}
		p, err := plan.Build(m, plan.Options{Machine: machine})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(p.Text(false), "\n  kernel "); got != c.kernels {
			t.Errorf("%+v: expected %d kernels, got %d", c, c.kernels, got)
		}
	}
}
