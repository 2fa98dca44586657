package xla_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// systems writes loops over systems of equations: arrays of a few components, which iterations take apart, compute
// with, and stack to step all at once.
type systems struct {
	textGenerator
	// axis is the dimension of the components, of which there are so many, of n integers each.
	axis, components, n int
	whole, rows         string // shapes: of a system and of a component
	ys, xs              []string
}

// mostTrips is more iterations than any loop has.
const mostTrips = 9

func (g *systems) one(list []string) string { return list[g.rng.IntN(len(list))] }

// part returns the shape of k components that stay in their dimension, and their slice from the first on.
func (g *systems) part(first, k int) (shape, ranges string) {
	if g.axis == 0 {
		return fmt.Sprintf("s32[%d,%d]", k, g.n), fmt.Sprintf("[%d:%d], [0:%d]", first, first+k, g.n)
	}
	return fmt.Sprintf("s32[%d,%d]", g.n, k), fmt.Sprintf("[0:%d], [%d:%d]", g.n, first, first+k)
}

// combine computes element by element of arrays of one shape.
func (g *systems) combine(shape string, list []string) string {
	code := [...]string{"add", "subtract", "multiply", "minimum", "xor"}[g.rng.IntN(5)]
	return g.emit(shape, "%s(%s, %s)", code, g.one(list), g.one(list))
}

// step adds one thing that programs do with systems.
func (g *systems) step() {
	switch g.rng.IntN(8) {
	case 0, 1:
		shape, ranges := g.part(g.rng.IntN(g.components), 1)
		s := g.emit(shape, "slice(%s), slice={%s}", g.one(g.ys), ranges)
		g.xs = append(g.xs, g.emit(g.rows, "reshape(%s)", s))
	case 2, 3:
		g.xs = append(g.xs, g.combine(g.rows, g.xs))
	case 4:
		g.ys = append(g.ys, g.combine(g.whole, g.ys))
	case 5:
		zero := g.emit("s32[]", "constant(%d)", g.rng.IntN(3))
		g.xs = append(g.xs, g.emit(g.rows, "reduce(%s, %s), dimensions={%d}, to_apply=sum", g.one(g.ys), zero, g.axis))
	case 6:
		g.ys = append(g.ys, g.emit(g.whole, "broadcast(%s), dimensions={%d}", g.one(g.xs), 1-g.axis))
	case 7:
		g.ys = append(g.ys, g.stack())
	}
}

// stack joins components, or a transpose of what joins them.
func (g *systems) stack() string {
	turned := g.rng.IntN(3) == 0
	if turned {
		g.axis = 1 - g.axis
	}
	one, _ := g.part(0, 1)
	all, _ := g.part(0, g.components)
	parts := make([]string, g.components)
	for k := range parts {
		parts[k] = g.emit(one, "reshape(%s)", g.one(g.xs))
	}
	y := g.emit(all, "concatenate(%s), dimensions={%d}", strings.Join(parts, ", "), g.axis)
	if turned {
		g.axis = 1 - g.axis
		y = g.emit(g.whole, "transpose(%s), dimensions={1,0}", y)
	}
	return y
}

// module returns a loop over two systems, which counts, and an iteration of it behind.
func (g *systems) module() string {
	g.axis, g.components, g.n = g.rng.IntN(2), 2+g.rng.IntN(3), 8+g.rng.IntN(60)
	g.whole, _ = g.part(0, g.components)
	g.rows = fmt.Sprintf("s32[%d]", g.n)
	all := fmt.Sprintf("s32[%d,%s", mostTrips, strings.TrimPrefix(g.whole, "s32[")) // of all iterations
	state := fmt.Sprintf("(s32[], %s, %s, %s)", g.whole, g.whole, all)
	for k := range 2 {
		g.ys = append(g.ys, g.emit(g.whole, "get-tuple-element(p), index=%d", k+1))
	}
	zero := g.emit("s32[]", "constant(1)")
	g.xs = append(g.xs, g.emit(g.rows, "broadcast(%s), dimensions={}", zero))
	for range 4 + g.rng.IntN(24) {
		g.step()
	}
	recent := func() string { return g.ys[max(0, len(g.ys)-1-g.rng.IntN(4))] }
	y, x, t := recent(), recent(), g.emit(all, "get-tuple-element(p), index=3")
	if g.rng.IntN(2) == 0 {
		row := g.emit("s32[1,"+strings.TrimPrefix(g.whole, "s32["), "reshape(%s)", y)
		t = g.emit(all, "dynamic-update-slice(%s, %s, i, f, f)", t, row)
	}
	body := fmt.Sprintf("  p = %s parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  o = s32[] constant(1)\n"+
		"  f = s32[] constant(0)\n  j = s32[] add(i, o)\n%s  ROOT r = %s tuple(j, %s, %s, %s)\n}\n", state, &g.body, state,
		y, x, t)
	watch := ""
	if g.rng.IntN(8) == 0 { // the condition reads the state too
		watch = fmt.Sprintf("  y = %s get-tuple-element(p), index=1\n  z = s32[] constant(0)\n"+
			"  s = s32[] reduce(y, z), dimensions={0,1}, to_apply=sum\n  b = s32[] constant(%d)\n"+
			"  l = pred[] compare(s, b), direction=NE\n  a = pred[] compare(i, n), direction=LT\n"+
			"  ROOT c = pred[] and(a, l)\n}\n", g.whole, g.rng.IntN(100))
	} else {
		watch = "  ROOT c = pred[] compare(i, n), direction=LT\n}\n"
	}
	return "HloModule systems\n" +
		"sum {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT s = s32[] add(x, y)\n}\n" +
		"again {\n  p = " + state + " parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n" +
		fmt.Sprintf("  n = s32[] constant(%d)\n", g.rng.IntN(mostTrips)) + watch +
		"body {\n" + body + "after {\n" + body +
		"ENTRY e {\n  p = " + state + " parameter(0)\n  f = s32[] constant(0)\n  x = " + g.whole +
		" get-tuple-element(p), index=1\n  y = " + g.whole + " get-tuple-element(p), index=2\n  t = " + all +
		" get-tuple-element(p), index=3\n  q = " + state + " tuple(f, x, y, t)\n  w = " +
		state + " while(q), condition=again, body=body\n  ROOT r = " + state +
		" call(w), to_apply=after\n}\n"
}

// TestCompiledSystems runs random systems of equations on the evaluator and on the compiler: the same bits. XLA_SEEDS
// says how many.
func TestCompiledSystems(t *testing.T) {
	checkEvaluated(t, 150, 0, func(seed uint64) (string, *rand.Rand) {
		g := &systems{textGenerator: textGenerator{rng: rand.New(rand.NewPCG(seed, 3))}}
		return g.module(), g.rng
	})
}
