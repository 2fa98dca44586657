package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// interchanged are loops over arrays that run in rounds of iterations. The state is a counter i, its end n, and arrays
// a, b ... of the shapes. Nothing is said of a loop in rounds where dims is written as "-".
var interchanged = []struct{ name, dims, types, body, next, cond string }{
	{"sum", "1000", "s32", "k = s32[D] broadcast(i), dimensions={}\n y = s32[D] add(a, k)", "y", ""},
	{"exchange", "8,128", "f32 f32 pred",
		"y = f32[D] add(a, b)\n h = f32[] constant(0.5)\n q = f32[D] broadcast(h), dimensions={}\n " +
			"z = f32[D] multiply(y, q)\n" +
			" p = pred[D] compare(a, b), direction=LT\n r = pred[D] xor(p, c)", "b, z, r", ""},
	{"narrow", "37,41", "u8 bf16 s16 f16",
		"y = u8[D] add(a, a)\n k = u8[] convert(i)\n o = u8[D] broadcast(k), dimensions={}\n" +
			" u = u8[D] add(y, o)\n w = bf16[D] multiply(b, b)\n v = s16[D] multiply(c, c)\n x = s16[D] subtract(v, c)\n" +
			" e = f16[D] convert(w)\n f = f16[D] add(e, d)", "u, w, x, f", ""},
	{"wide", "3,5,64", "f64 s64 c64 u32", "y = f64[D] multiply(a, a)\n g = f64[D] subtract(y, a)\n" +
		" k = s64[D] add(b, b)\n u = c64[D] add(c, c)\n m = u32[D] multiply(d, d)\n q = u32[D] not(m)", "g, k, u, q", ""},
	{"rows", "40,48", "s32", "r = s32[D] iota(), iota_dimension=0\n y = s32[D] xor(a, r)\n" +
		" k = s32[D] broadcast(i), dimensions={}\n z = s32[D] subtract(y, k)", "z", ""},
	{"table", "12,64", "s32", "v = s32[12] iota(), iota_dimension=0\n g = s32[12] multiply(v, v)\n" +
		" r = s32[D] broadcast(g), dimensions={0}\n y = s32[D] add(a, r)", "y", ""},
	{"seldom divided", "600", "s32 u32", "k = s32[D] broadcast(i), dimensions={}\n y = s32[D] divide(a, k)\n" +
		" z = s32[D] add(y, a)\n m = u32[D] convert(k)\n q = u32[D] remainder(b, m)\n f = u32[D] not(q)", "z, f", ""},
	{"any", "16,64", "f32 s32", growing, "y, m", "p = pred[D] compare(a, top), direction=LT\n" +
		" on = pred[] reduce(p, none), dimensions={0,1}, to_apply=or"},
	{"all", "1031", "f32 s32", growing, "y, m", "p = pred[D] compare(a, top), direction=LT\n" +
		" on = pred[] reduce(p, every), dimensions={0}, to_apply=and"},
	{"largest", "16,64", "f32 s32", growing, "y, m",
		"r = f32[] reduce(a, low), dimensions={1,0}, to_apply=max\n on = pred[] compare(r, limit), direction=LT"},
	{"least", "16,64", "f32 s32", growing, "y, m",
		"r = f32[] reduce(a, high), dimensions={0,1}, to_apply=min\n on = pred[] compare(limit, r), direction=GE"},
	{"least is less", "2048", "f32 s32", growing, "y, m",
		"r = f32[] reduce(a, high), dimensions={0}, to_apply=min\n on = pred[] compare(r, limit), direction=LT"},
	{"two tests", "16,64", "f32 s32", growing, "y, m",
		"r = f32[] reduce(a, low), dimensions={0,1}, to_apply=max\n o = pred[] compare(r, limit), direction=LE\n" +
			" p = pred[D] compare(b, seven), direction=NE\n q = pred[] reduce(p, every), dimensions={0,1}, to_apply=and\n" +
			" on = pred[] or(o, q)"},
	{"rows of tests", "24,32", "f32 s32", "r = s32[D] iota(), iota_dimension=1\n z = s32[D] xor(b, r)\n" + growing, "y, z",
		"p = pred[D] compare(a, top), direction=LT\n on = pred[] reduce(p, none), dimensions={0,1}, to_apply=or"},
	{"moved test", "16,64", "f32 s32", growing, "y, m", "p = pred[D] compare(a, top), direction=LT\n" +
		" h = pred[4,256] reshape(p)\n v = pred[256] reduce(h, none), dimensions={0}, to_apply=or\n" +
		" on = pred[] reduce(v, none), dimensions={0}, to_apply=or"},
	// What looks like them and is not: sums of floats, elements of other places, what arrays make of scalars.
	{"sum of floats", "-16,64", "f32 s32", growing, "y, m",
		"zero = f32[] constant(0)\n r = f32[] reduce(a, zero), dimensions={0,1}, to_apply=add\n" +
			" on = pred[] compare(r, limit), direction=LT"},
	{"neighbours", "-1000", "s32", "h = s32[D] reverse(a), dimensions={0}\n y = s32[D] add(a, h)", "y", ""},
	{"exchanged only", "-1000", "s32 s32", "", "b, a", ""},
	{"scalars of arrays", "-1000", "s32", "z = s32[1] slice(a), slice={[3:4]}\n q = s32[] reshape(z)\n" +
		" k = s32[D] broadcast(q), dimensions={}\n y = s32[D] add(a, k)", "y", ""},
}

const growing = "h = f32[] constant(1.25)\n q = f32[D] broadcast(h), dimensions={}\n y = f32[D] multiply(a, q)\n" +
	" k = s32[D] broadcast(i), dimensions={}\n m = s32[D] add(b, k)"

const interchangedText = `HloModule m
or { x = pred[] parameter(0)
 y = pred[] parameter(1)
 ROOT o = pred[] or(x, y) }
and { x = pred[] parameter(0)
 y = pred[] parameter(1)
 ROOT o = pred[] and(x, y) }
max { x = f32[] parameter(0)
 y = f32[] parameter(1)
 ROOT o = f32[] maximum(x, y) }
min { x = f32[] parameter(0)
 y = f32[] parameter(1)
 ROOT o = f32[] minimum(x, y) }
add { x = f32[] parameter(0)
 y = f32[] parameter(1)
 ROOT o = f32[] add(x, y) }
cond {
 s = STATE parameter(0)
 ELEMENTS
 none = pred[] constant(false)
 every = pred[] constant(true)
 low = f32[] constant(-inf)
 high = f32[] constant(inf)
 limit = f32[] constant(1000)
 top = f32[D] broadcast(limit), dimensions={}
 k7 = s32[] constant(7)
 seven = s32[D] broadcast(k7), dimensions={}
 less = pred[] compare(i, n), direction=LT
 COND
}
body {
 s = STATE parameter(0)
 ELEMENTS
 one = s32[] constant(1)
 j = s32[] add(i, one)
 BODY
 ROOT t = STATE tuple(j, n, NEXT)
}
ENTRY e {
 s = STATE parameter(0)
 ROOT w = STATE while(s), condition=cond, body=body
}`

// interchangedModule is the text of a loop.
func interchangedModule(dims, types, body, next, cond string) string {
	state, elements := []string{"s32[]", "s32[]"}, []string{"i = s32[] get-tuple-element(s), index=0",
		"n = s32[] get-tuple-element(s), index=1"}
	for k, ty := range strings.Fields(types) {
		s := ty + "[" + dims + "]"
		elements = append(elements, fmt.Sprintf("%c = %s get-tuple-element(s), index=%d", 'a'+k, s, len(state)))
		state = append(state, s)
	}
	if cond == "" {
		cond = "ROOT r0 = pred[] copy(less)"
	} else {
		cond += "\n ROOT r0 = pred[] and(on, less)"
	}
	text := strings.NewReplacer("STATE", "("+strings.Join(state, ", ")+")", "ELEMENTS", strings.Join(elements, "\n "),
		"BODY", body, "NEXT", next, "COND", cond).Replace(interchangedText)
	return strings.ReplaceAll(text, "[D]", "["+dims+"]")
}

func TestInterchange(t *testing.T) {
	for _, test := range interchanged {
		dims, hit := strings.CutPrefix(test.dims, "-")
		text := interchangedModule(dims, test.types, test.body, test.next, test.cond)
		t.Run(test.name, func(t *testing.T) {
			if got := checkInterchange(t, text); got == hit {
				t.Errorf("in rounds: %v, expects %v\n%s", got, !hit, text)
			}
		})
	}
}

// checkInterchange compares a loop with the evaluator, bit by bit, for some numbers of iterations. It reports whether
// the loop runs in rounds.
func checkInterchange(t *testing.T, text string) (hit bool) {
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	eval := interp.New(t.Context(), interp.Options{})
	var args [][]literal.Literal
	var wants []literal.Literal
	for _, n := range []int64{0, 1, 3, 15, 16, 70} {
		arg := literal.New(m.Entry().Params()[0].Shape())
		arg.Elems()[1].SetInt(0, n)
		for _, e := range arg.Elems()[2:] {
			fillInterchanged(r, e, n == 16)
		}
		want, err := eval.Computation(m.Entry(), []literal.Literal{arg})
		if err != nil {
			t.Fatal(err)
		}
		args, wants = append(args, []literal.Literal{arg}), append(wants, want)
	}
	for _, tier := range []string{"portable", "avx2", "avx512"} {
		if want, err := exec.ParseTier(tier); err != nil || want > exec.Host().Tier() {
			continue
		}
		t.Setenv(exec.TierEnv, tier)
		for _, threads := range racetest.Threads(1, 2, 5) {
			p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: exec.NewPool(threads), Rounds: true})
			if err != nil {
				t.Fatal(err)
			}
			hit = strings.Contains(p.Plan().String(), "length=")
			for k, arg := range args {
				got, err := p.Run(t.Context(), arg, eval)
				if err != nil {
					t.Fatal(err)
				}
				if err := literal.Compare(got, wants[k], literal.ULP(0)); err != nil {
					t.Errorf("%s, %d threads, arguments %d: %v\n%s", tier, threads, k, err, text)
				}
			}
			p.Close()
		}
	}
	return hit
}

// fillInterchanged fills l with numbers of both signs, and some that are no numbers.
func fillInterchanged(r *rand.Rand, l literal.Literal, nan bool) {
	for k := range l.Shape().Size() {
		x := r.NormFloat64() * 8
		switch s := l.Shape().Type; {
		case s.IsComplex():
			l.SetComplex(k, complex(x, r.NormFloat64()))
		case s.IsFloat() && nan && r.IntN(2000) == 0:
			l.SetFloat(k, math.NaN())
		case s.IsFloat():
			l.SetFloat(k, x)
		default:
			l.SetInt(k, int64(r.IntN(2)))
			if s.Bits() >= 8 {
				l.SetInt(k, int64(r.IntN(100)))
			}
		}
	}
}

// TestInterchangeNested: the loop runs again and again in another one, on what it has left.
func TestInterchangeNested(t *testing.T) {
	for _, test := range interchanged {
		dims, near := strings.CutPrefix(test.dims, "-")
		if near || test.types != "f32 s32" {
			continue
		}
		text := interchangedModule(dims, test.types, test.body, test.next, test.cond)
		text, _, _ = strings.Cut(text, "ENTRY")
		state := strings.NewReplacer("D", dims).Replace("(s32[], s32[], f32[D], s32[D])")
		text += strings.NewReplacer("STATE", state, "[D]", "["+dims+"]").Replace(`few {
 s = STATE parameter(0)
 i = s32[] get-tuple-element(s), index=0
 k = s32[] constant(3)
 ROOT less = pred[] compare(i, k), direction=LT
}
outer {
 s = STATE parameter(0)
 i = s32[] get-tuple-element(s), index=0
 n = s32[] get-tuple-element(s), index=1
 a = f32[D] get-tuple-element(s), index=2
 b = s32[D] get-tuple-element(s), index=3
 t = STATE tuple(i, n, a, b)
 w = STATE while(t), condition=cond, body=body
 c = f32[D] get-tuple-element(w), index=2
 d = s32[D] get-tuple-element(w), index=3
 h = f32[] constant(0.125)
 q = f32[D] broadcast(h), dimensions={}
 e = f32[D] multiply(c, q)
 one = s32[] constant(1)
 j = s32[] add(i, one)
 ROOT r = STATE tuple(j, n, e, d)
}
ENTRY e {
 s = STATE parameter(0)
 ROOT w = STATE while(s), condition=few, body=outer
}`)
		t.Run(test.name, func(t *testing.T) {
			if !checkInterchange(t, text) {
				t.Errorf("not in rounds\n%s", text)
			}
		})
	}
}

// TestRandomInterchange: loops of random operations, and of random tests.
func TestRandomInterchange(t *testing.T) {
	seeds := 60
	if testing.Short() {
		seeds = 6
	}
	hits := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		text := randomInterchange(r)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if checkInterchange(t, text) {
				hits++
			}
		})
	}
	if hits < seeds*4/5 { // some states turn out to stay the same
		t.Errorf("%d of %d loops are in rounds", hits, seeds)
	}
}

// randomOps are operations by the type of their operands and of the result, which are the same: compares by selects.
var randomOps = map[string][]string{
	"f32":  {"add", "subtract", "multiply", "maximum", "minimum", "divide", "negate", "abs", "select", "floor", "sqrt"},
	"f64":  {"add", "subtract", "multiply", "maximum", "minimum", "divide", "negate", "abs", "select"},
	"bf16": {"add", "multiply", "maximum", "negate", "select"},
	"s32":  {"add", "subtract", "multiply", "maximum", "and", "xor", "not", "select", "divide", "remainder"},
	"u8":   {"add", "subtract", "multiply", "or", "xor", "select", "shift-left", "shift-right-logical"},
	"s16":  {"add", "subtract", "minimum", "select", "negate"},
	"s64":  {"add", "subtract", "xor", "select", "abs"},
	"pred": {"and", "or", "xor", "not", "select"},
}

func randomInterchange(r *rand.Rand) string {
	dims := []string{"512", "777", "1024", "16,40", "9,8,16", "2500"}[r.IntN(6)]
	names := []string{"f32", "f32", "f64", "bf16", "s32", "s32", "u8", "s16", "s64", "pred"}
	var types, next []string
	values := map[string][]string{}
	for k := range 1 + r.IntN(4) {
		ty := names[r.IntN(len(names))]
		types = append(types, ty)
		values[ty] = append(values[ty], string(rune('a'+k)))
	}
	var body []string
	add := func(ty, format string, args ...any) string {
		name := fmt.Sprintf("v%d", len(body))
		body = append(body, fmt.Sprintf("%s = %s[D] ", name, ty)+fmt.Sprintf(format, args...))
		values[ty] = append(values[ty], name)
		return name
	}
	pick := func(ty string) string { return values[ty][r.IntN(len(values[ty]))] }
	kinds := slices.Sorted(slices.Values(slices.Compact(slices.Sorted(slices.Values(types)))))
	for range 3 + r.IntN(12) {
		ty := kinds[r.IntN(len(kinds))]
		switch ops := randomOps[ty]; r.IntN(6) {
		case 0:
			scalar := fmt.Sprintf("v%d", len(body))
			body = append(body, fmt.Sprintf("%s = %s[] convert(i)", scalar, ty))
			add(ty, "broadcast(%s), dimensions={}", scalar)
		case 1:
			from := kinds[r.IntN(len(kinds))]
			if !strings.Contains(from, "f") { // of floats that fit no integer anything may come
				add(ty, "convert(%s)", pick(from))
			}
		default:
			o := ops[r.IntN(len(ops))]
			switch o {
			case "select":
				add("pred", "compare(%s, %s), direction=LT", pick(ty), pick(ty))
				p := values["pred"][len(values["pred"])-1]
				add(ty, "select(%s, %s, %s)", p, pick(ty), pick(ty))
			case "negate", "abs", "not", "floor", "sqrt":
				add(ty, "%s(%s)", o, pick(ty))
			default:
				add(ty, "%s(%s, %s)", o, pick(ty), pick(ty))
			}
		}
	}
	for _, ty := range types {
		next = append(next, add(ty, "%s(%s, %s)", randomOps[ty][0], pick(ty), pick(ty)))
	}
	return interchangedModule(dims, strings.Join(types, " "), strings.Join(body, "\n "), strings.Join(next, ", "),
		randomTest(r, dims, types))
}

// randomTest is a condition that asks for a test, or none.
func randomTest(r *rand.Rand, dims string, types []string) string {
	all := []string{"0", "0,1", "0,1,2"}[strings.Count(dims, ",")]
	if types[0] != "f32" && types[0] != "s32" || r.IntN(4) == 0 {
		return ""
	}
	text := fmt.Sprintf("k0 = %s[] constant(%d)\n k1 = %[1]s[D] broadcast(k0), dimensions={}\n", types[0], r.IntN(1000)-20)
	dir := []string{"LT", "GT", "LE", "GE"}[r.IntN(4)]
	if types[0] == "f32" && r.IntN(2) == 0 {
		init, to := "low", "max"
		if r.IntN(2) == 0 {
			init, to = "high", "min"
		}
		return text + fmt.Sprintf(" r = f32[] reduce(a, %s), dimensions={%s}, to_apply=%s\n"+
			" on = pred[] compare(r, k0), direction=%s", init, all, to, dir)
	}
	init, to := "none", "or"
	if r.IntN(2) == 0 {
		init, to = "every", "and"
	}
	return text + fmt.Sprintf(" p = pred[D] compare(a, k1), direction=%s\n "+
		"on = pred[] reduce(p, %s), dimensions={%s}, to_apply=%s",
		dir, init, all, to)
}
