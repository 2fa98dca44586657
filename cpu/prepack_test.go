package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// loopOfDots adds, in each iteration, the product of another x with w, in one of several arrangements, to what there
// is. An argument says how many iterations there are, or, if trips is not negative, that.
func loopOfDots(r *rand.Rand, ty, result string, trips int) string {
	m, n, k := 1+r.IntN(40), 1+r.IntN(70), 8+r.IntN(40)
	var w, operand, contracting string
	switch r.IntN(3) {
	case 0:
		w, contracting = fmt.Sprintf("%d,%d", k, n), "0"
		operand = fmt.Sprintf("v = %s[%s] copy(w)", ty, w)
	case 1:
		w, contracting = fmt.Sprintf("%d,%d", n, k), "1"
		operand = fmt.Sprintf("v = %s[%s] copy(w)", ty, w)
	default:
		w, contracting = fmt.Sprintf("%d,%d", n+3, k), "0"
		operand = fmt.Sprintf("c = %[1]s[%[2]d,%[3]d] slice(w), slice={[2:%[4]d], [0:%[3]d]}\n"+
			"  v = %[1]s[%[3]d,%[2]d] transpose(c), dimensions={1,0}", ty, n, k, n+2)
	}
	limit := "get-tuple-element(s), index=1"
	if trips >= 0 {
		limit = fmt.Sprintf("constant(%d)", trips)
	}
	return strings.NewReplacer("$T", ty, "$S", result, "$X", fmt.Sprintf("3,%d,%d", m, k), "$ONE",
		fmt.Sprintf("1,%d,%d", m, k), "$ROWS", fmt.Sprintf("%d,%d", m, k), "$C", fmt.Sprintf("%d,%d", m, n), "$W", w,
		"$OPERAND", operand, "$DEPTH", contracting, "$LIMIT", limit,
	).Replace(`HloModule loop

body {
  s = (s32[], s32[], $S[$C], $T[$X], $T[$W]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  y = $S[$C] get-tuple-element(s), index=2
  x = $T[$X] get-tuple-element(s), index=3
  w = $T[$W] get-tuple-element(s), index=4
  zero = s32[] constant(0)
  part = $T[$ONE] dynamic-slice(x, i, zero, zero), dynamic_slice_sizes={$ONE}
  rows = $T[$ROWS] reshape(part)
  $OPERAND
  d = $S[$C] dot(rows, v), lhs_contracting_dims={1}, rhs_contracting_dims={$DEPTH}
  sum = $S[$C] add(y, d)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT t = (s32[], s32[], $S[$C], $T[$X], $T[$W]) tuple(next, n, sum, x, w)
}

cond {
  s = (s32[], s32[], $S[$C], $T[$X], $T[$W]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] $LIMIT
  ROOT lt = pred[] compare(i, n), direction=LT
}

ENTRY e {
  n = s32[] parameter(0)
  x = $T[$X] parameter(1)
  w = $T[$W] parameter(2)
  y = $S[$C] parameter(3)
  i = s32[] constant(0)
  s = (s32[], s32[], $S[$C], $T[$X], $T[$W]) tuple(i, n, y, x, w)
  l = (s32[], s32[], $S[$C], $T[$X], $T[$W]) while(s), condition=cond, body=body
  ROOT r = $S[$C] get-tuple-element(l), index=2
}
`)
}

// TestPrepack compares products with what a loop does not change, packed in front of it, with the evaluator, for loops
// of no iteration, one and three.
func TestPrepack(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	used := 0
	for n := range 180 {
		r := rand.New(rand.NewPCG(uint64(n), 7))
		ty := dotTypes[n%len(dotTypes)]
		times := []int64{0, 1, 3}[r.IntN(3)]
		trips := -1
		if r.IntN(3) == 0 {
			trips = int(times)
		}
		if ty.lhs != ty.rhs {
			continue
		}
		text := loopOfDots(r, ty.lhs, ty.result, trips)
		prog, err := xla.Parse("loop.hlo", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: pool, NoPasses: n%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.Plan().String(), "pack b") {
			used++
		}
		compareLoop(t, r, prog, p, times, ty.eps)
	}
	if used < 60 {
		t.Errorf("expected at least 60 loops with packed operands, got %d", used)
	}
}

func compareLoop(t *testing.T, r *rand.Rand, prog *xla.Program, p *cpu.Program, times int64, eps float64) {
	t.Helper()
	entry := prog.Module().Entry()
	var args []literal.Literal
	for _, q := range entry.Params() {
		args = append(args, someOf(r, q.Shape()))
	}
	args[0].SetInt(0, times)
	eval := interp.New(t.Context(), interp.Options{})
	want, err := eval.Computation(entry, args)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(t.Context(), args, eval)
	if err != nil {
		t.Fatal(err)
	}
	sameSums(t, want, got, 4*eps, p)
}
