package xla_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// loopGenerator writes programs of loops and conditionals, one in the other, that pass arrays on, exchange, keep and
// update them in every way: for the assignment of buffers.
type loopGenerator struct {
	rng   *rand.Rand
	out   strings.Builder
	names int
}

const (
	loopState    = "(s32[], s32[8], s32[8], s32[8])"
	loopElements = 3
)

func (g *loopGenerator) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s.%d", prefix, g.names)
}

func pick[T any](g *loopGenerator, list []T) T { return list[g.rng.IntN(len(list))] }

// computation writes one from the state to the state and returns its name.
func (g *loopGenerator) computation(depth int) string {
	var b strings.Builder
	name := g.name("body")
	fmt.Fprintf(&b, "%s {\n  p = %s parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n", name, loopState)
	last := g.values(&b, "p", "n", depth)
	fmt.Fprintf(&b, "  ROOT r = %s tuple(n, %s)\n}\n", loopState, strings.Join(last, ", "))
	g.out.WriteString(b.String())
	return name
}

// values writes some instructions on the elements of p and returns three of them.
func (g *loopGenerator) values(b *strings.Builder, p, n string, depth int) []string {
	var vals []string
	add := func(format string, args ...any) {
		v := g.name("v")
		fmt.Fprintf(b, "  %s = s32[8] "+format+"\n", append([]any{v}, args...)...)
		vals = append(vals, v)
	}
	for k := range loopElements {
		add("get-tuple-element(%s), index=%d", p, k+1)
	}
	for range 1 + g.rng.IntN(5) {
		x, y := pick(g, vals), pick(g, vals)
		switch g.rng.IntN(7) {
		case 0:
			add("add(%s, %s)", x, y)
		case 1:
			add("subtract(%s, %s)", x, y)
		case 2:
			add("reverse(%s), dimensions={0}", x)
		case 3:
			one, at := g.name("u"), g.name("i")
			fmt.Fprintf(b, "  %s = s32[3] slice(%s), slice={[%d:%d]}\n  %s = s32[] constant(%d)\n", one, y, 2, 5, at,
				g.rng.IntN(6))
			add("dynamic-update-slice(%s, %s, %s)", x, one, at)
		case 4:
			add("negate(%s)", x)
		case 5, 6:
			if depth > 0 {
				vals = append(vals, g.control(b, n, []string{x, y, pick(g, vals)}, depth-1)...)
			}
		}
	}
	return []string{pick(g, vals), pick(g, vals), pick(g, vals)}
}

// control writes a loop or a conditional on the values in args.
func (g *loopGenerator) control(b *strings.Builder, n string, args []string, depth int) []string {
	t, r := g.name("t"), g.name("r")
	count := g.name("c")
	fmt.Fprintf(b, "  %s = s32[] constant(%d)\n  %s = %s tuple(%s, %s)\n", count, g.rng.IntN(4), t, loopState, count,
		strings.Join(args, ", "))
	switch g.rng.IntN(3) {
	case 0:
		fmt.Fprintf(b, "  %s = %s conditional(%s, %s, %s, %s), branch_computations={%s, %s, %s}\n", r, loopState, n,
			t, t, t, g.computation(depth), g.computation(depth), g.computation(0))
	case 1:
		fmt.Fprintf(b, "  %s = %s while(%s), condition=more, body=%s\n", r, loopState, t, g.counted(depth, ""))
	case 2: // a number of iterations that is not known
		fmt.Fprintf(b, "  %s = %s while(%s), condition=odd, body=%s\n", r, loopState, t, g.counted(depth, "3"))
	}
	var vals []string
	for k := range loopElements {
		v := g.name("v")
		fmt.Fprintf(b, "  %s = s32[8] get-tuple-element(%s), index=%d\n", v, r, k+1)
		vals = append(vals, v)
	}
	return vals
}

// counted writes the body of a loop, which counts down.
func (g *loopGenerator) counted(depth int, step string) string {
	var b strings.Builder
	name := g.name("body")
	fmt.Fprintf(&b, "%s {\n  p = %s parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n", name, loopState)
	last := g.values(&b, "p", "n", depth)
	if step == "" {
		fmt.Fprintf(&b, "  d = s32[] constant(1)\n  m = s32[] subtract(n, d)\n")
	} else {
		fmt.Fprintf(&b, "  d = s32[] constant(%s)\n  h = s32[] multiply(n, d)\n  e = s32[] constant(4)\n"+
			"  f = s32[] add(h, e)\n  w = s32[] constant(11)\n  m = s32[] remainder(f, w)\n", step)
	}
	fmt.Fprintf(&b, "  ROOT r = %s tuple(m, %s)\n}\n", loopState, strings.Join(last, ", "))
	g.out.WriteString(b.String())
	return name
}

func (g *loopGenerator) module() string {
	g.out.WriteString("HloModule loops\nmore {\n  p = " + loopState + " parameter(0)\n" +
		"  n = s32[] get-tuple-element(p), index=0\n  z = s32[] constant(0)\n" +
		"  ROOT c = pred[] compare(n, z), direction=GT\n}\n" +
		"odd {\n  p = " + loopState + " parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n" +
		"  z = s32[] constant(7)\n  ROOT c = pred[] compare(n, z), direction=LT\n}\n")
	var b strings.Builder
	b.WriteString("ENTRY e {\n  p = " + loopState + " parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n")
	last := g.values(&b, "p", "n", 2)
	last = append(last, g.control(&b, "n", last, 2)...)
	fmt.Fprintf(&b, "  ROOT r = (s32[8], s32[8], s32[8], s32[8], s32[8], s32[8]) tuple(%s)\n}\n", strings.Join(last, ", "))
	return g.out.String() + b.String()
}

// TestCompiledLoops runs random programs of loops on the evaluator and on the compiler. XLA_SEEDS says how many.
func TestCompiledLoops(t *testing.T) {
	seeds := uint64(150)
	if n, err := strconv.ParseUint(os.Getenv("XLA_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	for seed := range seeds {
		g := &loopGenerator{rng: rand.New(rand.NewPCG(seed, 1))}
		text := g.module()
		prog := parse(t, text)
		elems := []literal.Literal{literal.Scalar(int32(seed % 4))}
		for range loopElements {
			x := make([]int32, 8)
			for i := range x {
				x[i] = int32(g.rng.IntN(100))
			}
			elems = append(elems, literal.Of(x))
		}
		arg := literal.MakeTuple(elems...)
		var results [2][]literal.Literal
		for k, b := range []xla.Backend{xla.Interp(), xla.CPU()} {
			exe, err := newClient(t, xla.Options{Backend: b}).Compile(t.Context(), prog)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			results[k] = run(t, exe, arg)
		}
		for k, want := range results[0] {
			if err := literal.Compare(results[1][k], want, literal.ULP(0)); err != nil {
				t.Fatalf("seed %d: result %d: %v\n%s", seed, k, err, text)
			}
		}
	}
}
