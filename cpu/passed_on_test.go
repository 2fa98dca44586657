package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

// following is a loop that follows an array of %[1]d numbers, from one element to that which it names, and then changes
// an element of it, and follows %[2]s.
const following = `HloModule following

names {
  s = (s32[], s32[%[1]d]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[%[1]d] get-tuple-element(s), index=1
  e = s32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}
  n = s32[] reshape(e)
  ROOT t = (s32[], s32[%[1]d]) tuple(n, x)
}

other {
  s = (s32[], s32[%[1]d]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[%[1]d] get-tuple-element(s), index=1
  e = s32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}
  n = s32[] reshape(e)
  ROOT p = pred[] compare(n, i), direction=NE
}

body {
  s = (s32[], s32[], s32[%[1]d]) parameter(0)
  k = s32[] get-tuple-element(s), index=0
  found = s32[] get-tuple-element(s), index=1
  x = s32[%[1]d] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(k, one)
  seven = s32[] constant(7)
  size = s32[] constant(%[1]d)
  k7 = s32[] multiply(k, seven)
  from = s32[] remainder(k7, size)
  first = (s32[], s32[%[1]d]) tuple(from, x)
  inner = (s32[], s32[%[1]d]) while(first), condition=other, body=names
  end = s32[] get-tuple-element(inner), index=0
  sum = s32[] add(found, end)
  at = s32[] remainder(next, size)
  to = s32[] minimum(at, end)
  update = s32[1] reshape(to)
  changed = s32[%[1]d] dynamic-update-slice(x, update, at)
  e = s32[1] dynamic-slice(changed, found), dynamic_slice_sizes={1}
  behind = s32[] reshape(e)
  second = (s32[], s32[%[1]d]) tuple(behind, %[2]s)
  again = (s32[], s32[%[1]d]) while(second), condition=other, body=names
  last = s32[] get-tuple-element(again), index=0
  all = s32[] add(sum, last)
  ROOT t = (s32[], s32[], s32[%[1]d]) tuple(next, all, changed)
}

cond {
  s = (s32[], s32[], s32[%[1]d]) parameter(0)
  k = s32[] get-tuple-element(s), index=0
  n = s32[] constant(40)
  ROOT p = pred[] compare(k, n), direction=LT
}

ENTRY e {
  zero = s32[] constant(0)
  down = s32[%[1]d] iota(), iota_dimension=0
  three = s32[] constant(3)
  threes = s32[%[1]d] broadcast(three), dimensions={}
  x = s32[%[1]d] divide(down, threes)
  s = (s32[], s32[], s32[%[1]d]) tuple(zero, zero, x)
  ROOT l = (s32[], s32[], s32[%[1]d]) while(s), condition=cond, body=body
}
`

// TestPassedOn: an inner loop that reads an array and passes it on unchanged reads it where the loop around it has it,
// although that changes it afterwards; but a copy where it is changed before. So it is in one kernel and in several.
func TestPassedOn(t *testing.T) {
	for _, c := range []struct {
		n       int
		reads   string
		copying bool
	}{
		{31, "changed", false}, {31, "x", true}, {300, "changed", false}, {300, "x", true},
		{100003, "changed", false}, {100003, "x", true},
	} {
		text := fmt.Appendf(nil, following, c.n, c.reads)
		name := fmt.Sprint("following ", c.n, " in ", c.reads)
		compareWithEvaluator(t, name, text)
		prog, err := xla.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
		if err != nil {
			t.Fatal(err)
		}
		arrays := strings.Count(p.Plan().Text(false), fmt.Sprintf(" s32[%d]\n", c.n))
		if copying := arrays > 1; copying != c.copying {
			t.Errorf("%s: expected a copy: %v, got\n%s", name, c.copying, p.Plan().Text(true))
		}
	}
}
