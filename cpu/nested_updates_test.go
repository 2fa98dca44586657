package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/plan"
)

// nestedUpdates is a loop in a loop that updates an array which both have in their state; READ is read of it by the
// outer loop behind the inner one.
const nestedUpdates = `HloModule nested
less {
  p = (s32[], f32[20,300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(20)
  ROOT l = pred[] compare(i, n), direction=LT
}
step {
  p = (s32[], f32[20,300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[20,300] get-tuple-element(p), index=1
  one = s32[] constant(1)
  zero = s32[] constant(0)
  j = s32[] add(i, one)
  a = f32[1,300] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,300}
  b = f32[1,300] dynamic-slice(x, j, zero), dynamic_slice_sizes={1,300}
  c = f32[1,300] subtract(a, b)
  d = f32[1,300] sine(c)
  y = f32[20,300] dynamic-update-slice(x, d, i, zero)
  ROOT t = (s32[], f32[20,300]) tuple(j, y)
}
fewer {
  p = (s32[], f32[20,300], f32[1,300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(40)
  ROOT l = pred[] compare(i, n), direction=LT
}
outer {
  p = (s32[], f32[20,300], f32[1,300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[20,300] get-tuple-element(p), index=1
  s = f32[1,300] get-tuple-element(p), index=2
  one = s32[] constant(1)
  zero = s32[] constant(0)
  j = s32[] add(i, one)
  t = (s32[], f32[20,300]) tuple(zero, x)
  w = (s32[], f32[20,300]) while(t), condition=less, body=step
  y = f32[20,300] get-tuple-element(w), index=1
  r = f32[1,300] dynamic-slice(READ, i, zero), dynamic_slice_sizes={1,300}
  sn = f32[1,300] add(r, s)
  ROOT t2 = (s32[], f32[20,300], f32[1,300]) tuple(j, y, sn)
}
ENTRY e {
  x = f32[20,300] parameter(0)
  s = f32[1,300] parameter(1)
  z = s32[] constant(0)
  t = (s32[], f32[20,300], f32[1,300]) tuple(z, x, s)
  w = (s32[], f32[20,300], f32[1,300]) while(t), condition=fewer, body=outer
  y = f32[20,300] get-tuple-element(w), index=1
  sn = f32[1,300] get-tuple-element(w), index=2
  b = f32[1,300] add(sn, sn)
  c = f32[300] reshape(b)
  d = f32[20,300] broadcast(c), dimensions={1}
  ROOT r = f32[20,300] add(y, d)
}`

// TestNestedUpdates: an array that an inner loop updates in its own place is not copied for each run of that loop,
// unless what it was is read behind.
func TestNestedUpdates(t *testing.T) {
	for read, copies := range map[string]int{"y": 1, "x": 2} {
		onTwoThreads(t, strings.ReplaceAll(nestedUpdates, "READ", read), 1e-5, func(tier string, p *cpu.Program) {
			if n := largeCopies(p.Plan(), p.Plan().Body.Steps); n != copies {
				t.Errorf("%s, %s: expected %d copies:\n%s", tier, read, copies, p.Plan())
			}
		})
	}
}

// largeCopies counts the copies of arrays among steps, and in loops in them.
func largeCopies(p *plan.Plan, steps []plan.Step) (n int) {
	for _, st := range steps {
		if c, ok := st.(*plan.Copy); ok && p.Buffers[c.To].Bytes > 1<<12 {
			n++
		}
		for _, inner := range plan.Inner(st) {
			n += largeCopies(p, inner.Steps)
		}
	}
	return n
}
