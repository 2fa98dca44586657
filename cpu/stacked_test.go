package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

// crossText is the cross products of %[1]d vectors of three numbers, which are stacked.
const crossText = `HloModule cross
ENTRY e {
  x = f32[%[1]d,3] parameter(0)
  y = f32[%[1]d,3] parameter(1)
  x0 = f32[%[1]d,1] slice(x), slice={[0:%[1]d], [0:1]}
  x1 = f32[%[1]d,1] slice(x), slice={[0:%[1]d], [1:2]}
  x2 = f32[%[1]d,1] slice(x), slice={[0:%[1]d], [2:3]}
  y0 = f32[%[1]d,1] slice(y), slice={[0:%[1]d], [0:1]}
  y1 = f32[%[1]d,1] slice(y), slice={[0:%[1]d], [1:2]}
  y2 = f32[%[1]d,1] slice(y), slice={[0:%[1]d], [2:3]}
  a0 = f32[%[1]d,1] multiply(x1, y2)
  b0 = f32[%[1]d,1] multiply(x2, y1)
  c0 = f32[%[1]d,1] subtract(a0, b0)
  a1 = f32[%[1]d,1] multiply(x2, y0)
  b1 = f32[%[1]d,1] multiply(x0, y2)
  c1 = f32[%[1]d,1] subtract(a1, b1)
  a2 = f32[%[1]d,1] multiply(x0, y1)
  b2 = f32[%[1]d,1] multiply(x1, y0)
  c2 = f32[%[1]d,1] subtract(a2, b2)
  r0 = f32[1,%[1]d] reshape(c0)
  r1 = f32[1,%[1]d] reshape(c1)
  r2 = f32[1,%[1]d] reshape(c2)
  ROOT c = f32[3,%[1]d] concatenate(r0, r1, r2), dimensions={0}
}
`

// TestStackedParts: rows that are computed from the same and stacked are computed together, although each was a column.
func TestStackedParts(t *testing.T) {
	for _, n := range []int{5, 37, 1003} {
		text := fmt.Appendf(nil, crossText, n)
		name := fmt.Sprint(n, " cross products")
		compareWithEvaluator(t, name, text)
		prog, err := xla.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
		if err != nil {
			t.Fatal(err)
		}
		if kernels := strings.Count(p.Plan().Text(false), "  kernel "); n > 16 && kernels != 1 {
			t.Errorf("%s: expected one kernel, got\n%s", name, p.Plan().Text(true))
		}
	}
}
