package xla_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// stencils writes loops over arrays of which an iteration computes nearly all elements of neighbours, and puts them in
// the place of others or of themselves.
type stencils struct {
	textGenerator
	dims []int
	xs   []string // arrays of dims
}

func shapeText(dims []int) string { return "s32" + strings.ReplaceAll(fmt.Sprint(dims), " ", ",") }

// window returns a slice of x of the dimensions n that begins anywhere.
func (g *stencils) window(x string, n []int) string {
	list := make([]string, len(n))
	for d, size := range n {
		at := g.rng.IntN(g.dims[d] - size + 1)
		list[d] = fmt.Sprintf("[%d:%d]", at, at+size)
	}
	return g.emit(shapeText(n), "slice(%s), slice={%s}", x, strings.Join(list, ", "))
}

// step puts what it computes of neighbours in the place of elements of an array.
func (g *stencils) step() {
	n, starts := make([]int, len(g.dims)), make([]string, len(g.dims))
	for d, size := range g.dims {
		n[d] = size - g.rng.IntN(4)
		starts[d] = g.emit("s32[]", "constant(%d)", g.rng.IntN(size-n[d]+2))
	}
	to := g.xs[g.rng.IntN(len(g.xs))]
	sum := g.window(to, n)
	for range 1 + g.rng.IntN(4) {
		from := to
		if g.rng.IntN(3) == 0 {
			from = g.xs[g.rng.IntN(len(g.xs))]
		}
		code := [...]string{"add", "subtract", "multiply", "xor"}[g.rng.IntN(4)]
		sum = g.emit(shapeText(n), "%s(%s, %s)", code, sum, g.window(from, n))
	}
	g.xs = append(g.xs, g.emit(shapeText(g.dims), "dynamic-update-slice(%s, %s, %s)", to, sum, strings.Join(starts, ", ")))
}

func (g *stencils) module() string {
	g.dims = [][]int{{2100 + g.rng.IntN(900)}, {40 + g.rng.IntN(30), 60 + g.rng.IntN(30)},
		{18 + g.rng.IntN(6), 20, 21 + g.rng.IntN(9)}}[g.rng.IntN(3)]
	array := shapeText(g.dims)
	state := fmt.Sprintf("(s32[], %s, %s)", array, array)
	for k := range 2 {
		g.xs = append(g.xs, g.emit(array, "get-tuple-element(p), index=%d", k+1))
	}
	for range 1 + g.rng.IntN(4) {
		g.step()
	}
	any := func() string { return g.xs[len(g.xs)-1-g.rng.IntN(min(3, len(g.xs)))] }
	body := fmt.Sprintf("  p = %s parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  o = s32[] constant(1)\n"+
		"  j = s32[] add(i, o)\n%s  ROOT r = %s tuple(j, %s, %s)\n}\n", state, &g.body, state, any(), any())
	return "HloModule stencils\nagain {\n  p = " + state + " parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n" +
		fmt.Sprintf("  n = s32[] constant(%d)\n", 17+g.rng.IntN(4)) +
		"  ROOT c = pred[] compare(i, n), direction=LT\n}\nbody {\n" + body + "after {\n" + body + "ENTRY e {\n  p = " +
		state + " parameter(0)\n  w = " + state + " while(p), condition=again, body=body\n  ROOT r = " + state +
		" call(w), to_apply=after\n}\n"
}

// TestCompiledStencils runs random stencils on the evaluator and on the compiler: the same bits. XLA_SEEDS says how
// many.
func TestCompiledStencils(t *testing.T) {
	checkEvaluated(t, 60, 15, func(seed uint64) (string, *rand.Rand) {
		g := &stencils{textGenerator: textGenerator{rng: rand.New(rand.NewPCG(seed, 4))}}
		return g.module(), g.rng
	})
}
