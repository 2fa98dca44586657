package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

const swapParts = `
sum {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT s = s32[] add(x, y)
}
less {
  p = (s32[], s32[16,32], s32[16,32], s32[32,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(%[1]d)
  ROOT c = pred[] compare(i, n), direction=LT
}
small {
  p = (s32[], s32[16,32], s32[16,32], s32[32,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[16,32] get-tuple-element(p), index=1
  first = s32[1,1] slice(x), slice={[0:1],[0:1]}
  f = s32[] reshape(first)
  abs = s32[] abs(f)
  most = s32[] constant(1000000000)
  near = pred[] compare(abs, most), direction=LT
  n = s32[] constant(%[1]d)
  left = pred[] compare(i, n), direction=LT
  ROOT c = pred[] and(left, near)
}
inner {
  p = (s32[], s32[16,32], s32[16,32], s32[32,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[16,32] get-tuple-element(p), index=1
  y = s32[16,32] get-tuple-element(p), index=2
  w = s32[32,32] get-tuple-element(p), index=3
  one = s32[] constant(1)
  next = s32[] add(i, one)
  d = s32[16,32] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = (s32[], s32[16,32], s32[16,32], s32[32,32]) tuple(next, d, y, w)
}
body {
  p = (s32[], s32[16,32], s32[16,32], s32[32,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[16,32] get-tuple-element(p), index=1
  y = s32[16,32] get-tuple-element(p), index=2
  w = s32[32,32] get-tuple-element(p), index=3
  one = s32[] constant(1)
  next = s32[] add(i, one)
  %[2]s
}
ENTRY main {
  zero = s32[] constant(0)
  x = s32[16,32] parameter(0)
  y = s32[16,32] parameter(1)
  w = s32[32,32] parameter(2)
  t = (s32[], s32[16,32], s32[16,32], s32[32,32]) tuple(zero, x, y, w)
  ROOT l = (s32[], s32[16,32], s32[16,32], s32[32,32]) while(t), condition=%[3]s, body=body
}`

const product = `d = s32[16,32] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  `

// What a loop has computed and its state change places, and the result is where it belongs after any number of
// iterations.
func TestSwaps(t *testing.T) {
	pair := "ROOT r = (s32[], s32[16,32], s32[16,32], s32[32,32]) tuple(next, %s, %s, w)"
	for name, body := range map[string]string{
		"state": product + fmt.Sprintf(pair, "d", "y"),
		"turns": product + fmt.Sprintf(pair, "y", "d"),
		"twice": product + fmt.Sprintf(pair, "d", "d"),
		"old":   product + fmt.Sprintf(pair, "d", "x"),
		"evaluated": product + "h = s32[16,32] all-reduce(x), replica_groups={}, to_apply=sum\n" +
			fmt.Sprintf(pair, "d", "h"),
		"nested": product + `start = s32[] constant(0)
  t = (s32[], s32[16,32], s32[16,32], s32[32,32]) tuple(start, d, x, w)
  l = (s32[], s32[16,32], s32[16,32], s32[32,32]) while(t), condition=less, body=inner
  in = s32[16,32] get-tuple-element(l), index=1
  e = s32[16,32] add(in, y)
  ` + fmt.Sprintf(pair, "in", "e"),
	} {
		for _, cond := range []string{"less", "small"} {
			for _, trips := range []int{0, 30, 31} {
				text := fmt.Sprintf("HloModule m\n"+swapParts, trips, body, cond)
				compareWithEvaluator(t, name, []byte(text))
			}
		}
	}
}

// Loops of states that are worth it end with swaps.
func TestSwapsPlanned(t *testing.T) {
	text := fmt.Sprintf("HloModule m\n"+swapParts, 30,
		product+"ROOT r = (s32[], s32[16,32], s32[16,32], s32[32,32]) tuple(next, d, x, w)", "less")
	prog, err := xla.Parse("m", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Plan().String(); !strings.Contains(got, "swap") {
		t.Errorf("expected a swap, got\n%s", got)
	}
}
