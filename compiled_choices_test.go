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

// choiceLoops writes loops over a few numbers and short arrays, with choices among what they carry: floats, of one
// type and shape, and integers. All arithmetic is exact, so that no order or fusing of roundings shows: floats begin
// an iteration as multiples of 1/16 below 256, and few operations make them longer.
type choiceLoops struct {
	loopGenerator
	body        strings.Builder
	float, ints string // shapes
	dims        string
	fs, ks      []string // values
}

var exactFloats = []string{"0.5", "2", "-1", "1.5", "-0.25", "3"}

func (g *choiceLoops) emit(shape, format string, args ...any) string {
	v := g.name("v")
	fmt.Fprintf(&g.body, "  %s = %s "+format+"\n", append([]any{v, shape}, args...)...)
	return v
}

// constant returns a constant of a shape: a broadcast one, if it is an array.
func (g *choiceLoops) constant(shape, value string) string {
	element, _, _ := strings.Cut(shape, "[")
	c := g.emit(element+"[]", "constant(%s)", value)
	if g.dims == "" {
		return c
	}
	return g.emit(shape, "broadcast(%s), dimensions={}", c)
}

// truth is a comparison of floats or integers.
func (g *choiceLoops) truth() string {
	list := g.fs
	if g.rng.IntN(3) == 0 {
		list = g.ks
	}
	x, y := pick(&g.loopGenerator, list), pick(&g.loopGenerator, list)
	direction := []string{"LT", "GT", "LE", "GE", "EQ", "NE"}[g.rng.IntN(6)]
	p := g.emit("pred["+g.dims+"]", "compare(%s, %s), direction=%s", x, y, direction)
	if g.rng.IntN(4) == 0 {
		p = g.emit("pred["+g.dims+"]", "%s(%s, %s)", []string{"and", "or", "xor"}[g.rng.IntN(3)], p, g.truth())
	}
	return p
}

// step writes an operation on floats.
func (g *choiceLoops) step() string {
	x, y := pick(&g.loopGenerator, g.fs), pick(&g.loopGenerator, g.fs)
	switch g.rng.IntN(9) {
	case 0:
		return g.emit(g.float, "add(%s, %s)", x, y)
	case 1:
		return g.emit(g.float, "subtract(%s, %s)", x, y)
	case 2, 3:
		return g.emit(g.float, "multiply(%s, %s)", x, g.constant(g.float, pick(&g.loopGenerator, exactFloats)))
	case 4:
		return g.emit(g.float, "%s(%s, %s)", []string{"maximum", "minimum"}[g.rng.IntN(2)], x, y)
	case 5:
		return g.emit(g.float, "%s(%s)", []string{"negate", "abs", "floor", "sign"}[g.rng.IntN(4)], x)
	case 6: // a small integer
		seven := g.constant(g.ints, "7")
		return g.emit(g.float, "convert(%s)", g.emit(g.ints, "and(%s, %s)", pick(&g.loopGenerator, g.ks), seven))
	}
	return g.emit(g.float, "select(%s, %s, %s)", g.truth(), x, y)
}

// count writes an operation on integers.
func (g *choiceLoops) count() string {
	x, y := pick(&g.loopGenerator, g.ks), pick(&g.loopGenerator, g.ks)
	switch g.rng.IntN(4) {
	case 0:
		op := []string{"add", "subtract", "multiply", "and", "xor", "or"}[g.rng.IntN(6)]
		return g.emit(g.ints, "%s(%s, %s)", op, x, y)
	case 1:
		op := []string{"shift-left", "shift-right-logical", "shift-right-arithmetic"}[g.rng.IntN(3)]
		return g.emit(g.ints, "%s(%s, %s)", op, x, g.constant(g.ints, strconv.Itoa(g.rng.IntN(8))))
	case 2:
		return g.emit(g.ints, "convert(%s)", pick(&g.loopGenerator, g.fs))
	}
	return g.emit(g.ints, "select(%s, %s, %s)", g.truth(), x, y)
}

// carried is what a float becomes for the next iteration: a multiple of 1/16 below 256.
func (g *choiceLoops) carried(x string) string {
	sixteen, most := g.constant(g.float, "16"), g.constant(g.float, "255")
	x = g.emit(g.float, "floor(%s)", g.emit(g.float, "multiply(%s, %s)", x, sixteen))
	x = g.emit(g.float, "multiply(%s, %s)", x, g.constant(g.float, "0.0625"))
	return g.emit(g.float, "clamp(%s, %s, %s)", g.constant(g.float, "-255"), x, most)
}

// module writes a program of one loop.
func (g *choiceLoops) module() string {
	float := []string{"f32", "f64", "f32"}[g.rng.IntN(3)]
	g.dims = []string{"", "", "3", "16", "37"}[g.rng.IntN(5)]
	g.float, g.ints = float+"["+g.dims+"]", []string{"s32", "s32", "s64", "u32"}[g.rng.IntN(4)]+"["+g.dims+"]"
	state := fmt.Sprintf("(s32[], %s, %s, %s, %s, %s)", g.float, g.float, g.float, g.ints, g.ints)
	for k := range 5 {
		v, shape := fmt.Sprintf("x%d", k), g.float
		if k >= 3 {
			shape, g.ks = g.ints, append(g.ks, v)
		} else {
			g.fs = append(g.fs, v)
		}
		fmt.Fprintf(&g.body, "  %s = %s get-tuple-element(p), index=%d\n", v, shape, k+1)
	}
	for range 3 + g.rng.IntN(3) {
		g.fs = append(g.fs, g.step())
		if g.rng.IntN(2) == 0 {
			g.ks = append(g.ks, g.count())
		}
	}
	next := []string{"m"}
	for range 3 {
		next = append(next, g.carried(pick(&g.loopGenerator, g.fs)))
	}
	next = append(next, pick(&g.loopGenerator, g.ks), pick(&g.loopGenerator, g.ks))
	return fmt.Sprintf(`HloModule scalars
more {
  p = %[1]s parameter(0)
  n = s32[] get-tuple-element(p), index=0
  z = s32[] constant(0)
  ROOT c = pred[] compare(n, z), direction=GT
}
body {
  p = %[1]s parameter(0)
  n = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  m = s32[] subtract(n, one)
%[2]s  ROOT r = %[1]s tuple(%[3]s)
}
ENTRY e {
  p = %[1]s parameter(0)
  ROOT w = %[1]s while(p), condition=more, body=body
}
`, state, g.body.String(), strings.Join(next, ", "))
}

// TestCompiledChoices runs random loops of choices on the evaluator and on the compiler: the same bits. XLA_SEEDS
// says how many.
func TestCompiledChoices(t *testing.T) {
	seeds := uint64(200)
	if n, err := strconv.ParseUint(os.Getenv("XLA_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	interp, cpu := newClient(t, xla.Options{Backend: xla.Interp()}), newClient(t, xla.Options{Backend: xla.CPU()})
	for seed := range seeds {
		g := &choiceLoops{loopGenerator: loopGenerator{rng: rand.New(rand.NewPCG(seed, 2))}}
		text := g.module()
		prog := parse(t, text)
		state := prog.EntrySignature().Params[0].Elems
		elems := []literal.Literal{literal.Scalar(int32(1 + seed%13))}
		for _, s := range state[1:] {
			l := literal.New(s)
			for i := range l.Len() {
				if s.Type.IsInteger() {
					l.SetInt(i, int64(g.rng.IntN(1000)))
				} else {
					l.SetFloat(i, float64(g.rng.IntN(4096)-2048)/16)
				}
			}
			elems = append(elems, l)
		}
		var results [2][]literal.Literal
		for k, c := range []*xla.Client{interp, cpu} {
			exe, err := c.Compile(t.Context(), prog)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			results[k] = run(t, exe, literal.MakeTuple(elems...))
		}
		for k, want := range results[0] {
			if err := literal.Compare(results[1][k], want, literal.ULP(0)); err != nil {
				t.Fatalf("seed %d: result %d: %v\n%s", seed, k, err, text)
			}
		}
	}
}
