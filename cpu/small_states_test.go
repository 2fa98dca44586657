package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

// turning is a loop of so many iterations whose state, %[1]d numbers, goes around by one place each time.
const turning = `HloModule turning

cond {
  s = (s32[], f32[%[1]d]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(%[3]d)
  ROOT p = pred[] compare(i, n), direction=LT
}

body {
  s = (s32[], f32[%[1]d]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[%[1]d] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  last = f32[1] slice(x), slice={[%[2]d:%[1]d]}
  rest = f32[%[2]d] slice(x), slice={[0:%[2]d]}
  turned = f32[%[1]d] concatenate(last, rest), dimensions={0}
  a = f32[] constant(0.75)
  as = f32[%[1]d] broadcast(a), dimensions={}
  b = f32[] constant(0.25)
  bs = f32[%[1]d] broadcast(b), dimensions={}
  ax = f32[%[1]d] multiply(x, as)
  bx = f32[%[1]d] multiply(turned, bs)
  y = f32[%[1]d] add(ax, bx)
  z = f32[%[1]d] %[4]s(y)
  ROOT t = (s32[], f32[%[1]d]) tuple(next, z)
}

ENTRY e {
  x = f32[%[1]d] parameter(0)
  i = s32[] constant(0)
  s = (s32[], f32[%[1]d]) tuple(i, x)
  ROOT l = (s32[], f32[%[1]d]) while(s), condition=cond, body=body
}
`

// TestSmallStates: a loop whose state is a few numbers that change places has them in registers, from one iteration to
// the next; one of many numbers does not, nor one of numbers that are looked up side by side. The kernel is called
// several times.
func TestSmallStates(t *testing.T) {
	for _, c := range []struct {
		n         int
		do        string
		registers bool
	}{
		{2, "negate", true}, {5, "negate", true}, {9, "abs", true}, {12, "negate", true}, {100, "negate", false},
		{4, "tanh", false},
	} {
		n, registers := c.n, c.registers
		text := fmt.Appendf(nil, turning, n, n-1, 7000, c.do)
		name := fmt.Sprint(c.do, " turning ", n)
		compareWithEvaluator(t, name, text)
		prog, err := xla.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
		if err != nil {
			t.Fatal(err)
		}
		_, loop, ok := strings.Cut(p.Plan().Text(true), "while i0 {")
		inside, _, _ := strings.Cut(loop, "store i64")
		if got := !strings.Contains(inside, "load"); !ok || got != registers {
			t.Errorf("%d numbers in registers: expected %v, got\n%s", n, registers, p.Plan().Text(true))
		}
	}
}
