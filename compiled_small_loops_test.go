package xla_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// smallLoops are loops over arrays of few elements, which become one kernel: what their state is, the body's values,
// the root's elements behind the counter, and the condition.
var smallLoops = []struct{ name, state, body, next, cond string }{
	{"counted", "s32[3]",
		"y = s32[3] add(a, a)\n  z = s32[3] reverse(y), dimensions={0}\n  m = s32[3] add(z, v)", "m", ""},
	{"exchange", "s8[5], s8[5], bf16[5]", "y = s8[5] subtract(a, b)\n  d = bf16[5] negate(c)", "b, y, d", ""},
	{"complex", "c128[2], c64[3]", "y = c128[2] multiply(a, a)\n  w = c128[2] divide(y, a)\n  u = c64[3] negate(b)",
		"w, u", ""},
	{"truth", "pred[4], pred[]", "y = pred[4] not(a)\n  w = pred[] not(b)", "y, w", ""},
	{"update", "s32[7], s32[2]", "d = s32[] remainder(i, five)\n  y = s32[7] dynamic-update-slice(a, b, d)\n" +
		"  w = s32[2] dynamic-slice(y, d), dynamic_slice_sizes={2}\n  x = s32[2] add(w, ones)", "y, x", ""},
	{"condition", "s32[4]", "one4 = s32[4] broadcast(one), dimensions={}\n  y = s32[4] add(a, one4)", "y",
		"zero = s32[] constant(0)\n  r = s32[] reduce(a, zero), dimensions={0}, to_apply=sum\n" +
			"  n = s32[] constant(40000)\n  ROOT on = pred[] compare(r, n), direction=LT"},
	{"nested", "s32[3]", "z = s32[] constant(0)\n  t = (s32[], s32[3]) tuple(z, a)\n" +
		"  w = (s32[], s32[3]) while(t), condition=inner_cond, body=inner\n" +
		"  y = s32[3] get-tuple-element(w), index=1", "y", ""},
	{"sums", "s32[3], s32[2,2]", "z = s32[] constant(0)\n  y = s32[] reduce(a, z), dimensions={0}, to_apply=sum\n" +
		"  g = s32[3] broadcast(y), dimensions={}\n  w = s32[3] add(v, g)\n" +
		"  p = s32[2,2] dot(b, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "w, p", ""},
	{"norm", "f64[3], f64[2,2]", "z = f64[] constant(0.5)\n  q = f64[3] multiply(a, a)\n" +
		"  y = f64[] reduce(q, z), dimensions={0}, to_apply=add_f64\n  g = f64[3] broadcast(y), dimensions={}\n" +
		"  w = f64[3] divide(a, g)\n  p = f64[2,2] transpose(b), dimensions={1,0}", "w, p", ""},
	{"scan", "s32[4]", "z = s32[] constant(0)\n  y = s32[4] reduce-window(a, z), window={size=4 pad=3_0}, to_apply=sum",
		"y", ""},
	{"unchanged", "f32[2,2], f32[2]", "y = f32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n" +
		"  h = f32[] constant(0.25)\n  q = f32[2] broadcast(h), dimensions={}\n  w = f32[2] multiply(y, q)", "a, w", ""},
}

const smallLoopText = `HloModule small
sum {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT s = s32[] add(x, y)
}
add_f64 {
  x = f64[] parameter(0)
  y = f64[] parameter(1)
  ROOT s = f64[] add(x, y)
}
inner {
  s = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = s32[3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  b = s32[3] broadcast(j), dimensions={}
  y = s32[3] add(a, b)
  ROOT t = (s32[], s32[3]) tuple(j, y)
}
inner_cond {
  s = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  s = STATE parameter(0)
  i = s32[] get-tuple-element(s), index=0
  ELEMENTS
  one = s32[] constant(1)
  five = s32[] constant(5)
  ones = s32[2] broadcast(one), dimensions={}
  v = s32[3] constant({1, 2, 3})
  j = s32[] add(i, one)
  BODY
  ROOT r = STATE tuple(j, NEXT)
}
cond {
  s = STATE parameter(0)
  i = s32[] get-tuple-element(s), index=0
  ELEMENTS
  COND
}
ENTRY e {
  zero = s32[] constant(0)
  PARAMS
  s = STATE tuple(zero, NAMES)
  ROOT w = STATE while(s), condition=cond, body=body
}
`

// smallLoop writes a program.
func smallLoop(state, body, next, cond string, trips int) string {
	if cond == "" {
		cond = fmt.Sprintf("n = s32[] constant(%d)\n  ROOT on = pred[] compare(i, n), direction=LT", trips)
	}
	var elements, params, names []string
	for k, ty := range strings.Split(strings.ReplaceAll(state, "2,2", "2;2"), ", ") {
		ty, name := strings.ReplaceAll(ty, ";", ","), string(rune('a'+k))
		elements = append(elements, fmt.Sprintf("%s = %s get-tuple-element(s), index=%d", name, ty, k+1))
		params = append(params, fmt.Sprintf("%s = %s parameter(%d)", name, ty, k))
		names = append(names, name)
	}
	return strings.NewReplacer("STATE", "(s32[], "+state+")", "ELEMENTS", strings.Join(elements, "\n  "),
		"BODY", body, "NEXT", next, "COND", cond, "PARAMS", strings.Join(params, "\n  "),
		"NAMES", strings.Join(names, ", ")).Replace(smallLoopText)
}

// TestSmallLoops: loops of one kernel do what the evaluator does, for no iteration, few, and more than one call does.
func TestSmallLoops(t *testing.T) {
	compiled, evaluated := newClient(t, xla.Options{Backend: xla.CPU()}), newClient(t, xla.Options{Backend: xla.Interp()})
	for _, l := range smallLoops {
		for _, trips := range []int{0, 1, 2, 13, 30011} {
			if trips > 100 && l.name == "complex" {
				continue // the evaluator takes long
			}
			prog := parse(t, smallLoop(l.state, l.body, l.next, l.cond, trips))
			args := smallArguments(prog)
			want, got := results(t, evaluated, prog, args), results(t, compiled, prog, args)
			for k := range want {
				if err := literal.Compare(got[k], want[k], literal.RelativeToLargest(1e-5)); err != nil {
					t.Errorf("%s, %d iterations: result %d: %v", l.name, trips, k, err)
				}
			}
		}
	}
}

// smallArguments are small numbers.
func smallArguments(prog *xla.Program) []literal.Literal {
	var args []literal.Literal
	for _, s := range prog.EntrySignature().Params {
		l := literal.New(s)
		for i := range l.Len() {
			switch {
			case s.Type.IsComplex():
				l.SetComplex(i, complex(1, float64(i)/8))
			case s.Type.IsFloat():
				l.SetFloat(i, float64(i)+0.5)
			default:
				l.SetInt(i, int64(i)&1)
			}
		}
		args = append(args, l)
	}
	return args
}

func results(t *testing.T, client *xla.Client, prog *xla.Program, args []literal.Literal) []literal.Literal {
	t.Helper()
	exe, err := client.Compile(t.Context(), prog)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.Run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
