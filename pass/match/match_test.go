package match_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// parse returns the entry of a module made of the lines.
func parse(t *testing.T, lines string) *hlo.Computation {
	t.Helper()
	text := "HloModule m\n\nENTRY e {\n" + strings.ReplaceAll(lines, "; ", "\n") + "\n}\n"
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Fatal(err)
	}
	return m.Entry()
}

const (
	f32x2  = "a = f32[] parameter(0); b = f32[] parameter(1); "
	bf16x2 = "a = bf16[] parameter(0); b = bf16[] parameter(1); "
)

func TestReducer(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"sum", f32x2 + "ROOT r = f32[] add(a, b)", "sum"},
		{"swapped", f32x2 + "ROOT r = f32[] maximum(b, a)", "max"},
		{"and", "a = pred[] parameter(0); b = pred[] parameter(1); ROOT r = pred[] and(a, b)", "and"},
		{"wide", bf16x2 + "x = f32[] convert(a); y = f32[] convert(b); s = f32[] add(x, y); " +
			"ROOT r = bf16[] convert(s)", "sum"},
		{"half_wide", bf16x2 + "x = f32[] convert(a); s = f32[] add(x, x); ROOT r = bf16[] convert(s)", "none"},
		{"not_wide_enough", "a = f32[] parameter(0); b = f32[] parameter(1); x = bf16[] convert(a); " +
			"y = bf16[] convert(b); s = bf16[] add(x, y); ROOT r = f32[] convert(s)", "none"},
		{"not_both", f32x2 + "ROOT r = f32[] add(a, a)", "none"},
		{"difference", f32x2 + "ROOT r = f32[] subtract(a, b)", "none"},
		{"second", f32x2 + "ROOT r = f32[] copy(b)", "none"},
	} {
		if got, ok := match.Reducer(parse(t, c.text)); got.String() != c.want || ok != (c.want != "none") {
			t.Errorf("%s: got %v %v, want %s", c.name, got, ok, c.want)
		}
	}
}

func TestScatterCombiner(t *testing.T) {
	pair := "a = f32[] parameter(0); i = s32[] parameter(1); b = f32[] parameter(2); j = s32[] parameter(3); "
	for _, c := range []struct{ name, text, want string }{
		{"assign", "a = f32[] parameter(0); ROOT b = f32[] parameter(1)", "second"},
		{"keep", "ROOT a = f32[] parameter(0); b = f32[] parameter(1)", "first"},
		{"min", f32x2 + "ROOT r = f32[] minimum(a, b)", "min"},
		{"assign_two", pair + "ROOT r = (f32[], s32[]) tuple(b, j)", "second"},
		{"mixed", pair + "ROOT r = (f32[], s32[]) tuple(b, i)", "none"},
		{"power", f32x2 + "ROOT r = f32[] power(a, b)", "none"},
	} {
		if got, ok := match.ScatterCombiner(parse(t, c.text)); got.String() != c.want && ok || ok != (c.want != "none") {
			t.Errorf("%s: got %v %v, want %s", c.name, got, ok, c.want)
		}
	}
}

// fiveKeys is a comparator of five operands that goes on behind the third one if its elements compare so.
func fiveKeys(goOn string) string {
	return f32x2 + "i = s32[] parameter(2); j = s32[] parameter(3); k = u8[] parameter(4); l = u8[] parameter(5); " +
		"p = f64[] parameter(6); q = f64[] parameter(7); v = s8[] parameter(8); w = s8[] parameter(9); " +
		"l0 = pred[] compare(a, b), direction=GT, type=TOTALORDER; " +
		"e0 = pred[] compare(b, a), direction=EQ, type=TOTALORDER; " +
		"l1 = pred[] compare(i, j), direction=LT; e1 = pred[] compare(i, j), direction=EQ; " +
		"l2 = pred[] compare(l, k), direction=LT; e2 = pred[] compare(k, l), direction=" + goOn + "; " +
		"l3 = pred[] compare(p, q), direction=LT, type=TOTALORDER; " +
		"e3 = pred[] compare(p, q), direction=EQ, type=TOTALORDER; " +
		"l4 = pred[] compare(v, w), direction=LT; a3 = pred[] and(l4, e3); r3 = pred[] or(l3, a3); " +
		"r2 = pred[] select(e2, r3, l2); a1 = pred[] and(e1, r2); r1 = pred[] or(a1, l1); " +
		"ROOT r = pred[] select(e0, r1, l0)"
}

// TestComparatorOfManyWays: of a comparator with 2^100 ways through it each instruction is looked at once.
func TestComparatorOfManyWays(t *testing.T) {
	text := "a = s32[] parameter(0); b = s32[] parameter(1); l = pred[] compare(a, b), direction=LT; " +
		"x0 = pred[] compare(a, b), direction=LE"
	for k := range 100 {
		text += fmt.Sprintf("; y%d = pred[] and(x%d, x%d); x%d = pred[] or(l, y%d)", k, k, k, k+1, k)
	}
	if keys, ok := match.Comparator(parse(t, text+"; ROOT r = pred[] copy(x100)")); ok {
		t.Errorf("got %v, want none", keys)
	}
	if keys, ok := match.Comparator(parse(t, text+"; ROOT r = pred[] or(l, y99)")); ok {
		t.Errorf("got %v, want none", keys)
	}
}

func TestComparator(t *testing.T) {
	canonical := "q = f32[] constant(nan); zero = f32[] constant(0); " +
		"na = pred[] compare(a, a), direction=NE; za = pred[] compare(a, zero), direction=EQ; " +
		"sa = f32[] select(za, zero, a); ca = f32[] select(na, q, sa); " +
		"nb = pred[] compare(b, b), direction=NE; zb = pred[] compare(b, zero), direction=EQ; " +
		"sb = f32[] select(zb, zero, b); cb = f32[] select(nb, q, sb); "
	second := "i = s32[] parameter(2); j = s32[] parameter(3); "
	nextIfEqual := "l = pred[] compare(a, b), direction=LT; e = pred[] compare(a, b), direction=EQ; " +
		"k = pred[] compare(i, j), direction=LT; t = pred[] and(e, k); ROOT r = pred[] or(l, t)"
	if got, ok := match.NumberComparator(parse(t, f32x2+second+nextIfEqual)); fmt.Sprint(got) != "[{0 less} {1 less}]" {
		t.Errorf("next_if_equal: got %v %v, want the keys 0 and 1", got, ok)
	}
	for _, c := range []struct{ name, text, want string }{
		{"less", f32x2 + "ROOT r = pred[] compare(a, b), direction=LT", "[{0 less}]"},
		{"turned", f32x2 + "ROOT r = pred[] compare(b, a), direction=LT", "[{0 greater}]"},
		{"total", f32x2 + "ROOT r = pred[] compare(a, b), direction=GT, type=TOTALORDER", "[{0 total-greater}]"},
		{"loose", f32x2 + canonical + "ROOT r = pred[] compare(ca, cb), direction=LT, type=TOTALORDER",
			"[{0 loose-less}]"},
		{"loose_half", f32x2 + canonical + "ROOT r = pred[] compare(ca, sb), direction=LT, type=TOTALORDER", "[]"},
		{"not_strict", f32x2 + "ROOT r = pred[] compare(a, b), direction=LE", "[]"},
		{"second_operand", f32x2 + second + "ROOT r = pred[] compare(i, j), direction=GT", "[{1 greater}]"},
		{"two_keys", f32x2 + second + canonical + "l = pred[] compare(ca, cb), direction=LT, type=TOTALORDER; " +
			"e = pred[] compare(ca, cb), direction=EQ, type=TOTALORDER; k = pred[] compare(i, j), direction=LT; " +
			"t = pred[] and(e, k); ROOT r = pred[] or(l, t)", "[{0 loose-less} {1 less}]"},
		{"keys_in_turn", second + f32x2 + "l = pred[] compare(i, j), direction=GT; e = pred[] compare(i, j), direction=EQ; " +
			"k = pred[] compare(a, b), direction=LT; t = pred[] and(e, k); ROOT r = pred[] or(l, t)",
			"[{1 greater} {0 less}]"},
		{"equal_goes_first", fiveKeys("GE"), "[]"},
		{"five_keys", fiveKeys("EQ"), "[{0 total-greater} {1 less} {2 greater} {3 total-less} {4 less}]"},
		{"any_key", f32x2 + second + "l = pred[] compare(a, b), direction=LT; k = pred[] compare(i, j), direction=LT; " +
			"ROOT r = pred[] or(l, k)", "[]"},
		{"threshold", f32x2 + "c = f32[] constant(7); x = f32[] maximum(a, c); y = f32[] maximum(b, c); " +
			"ROOT r = pred[] compare(x, y), direction=LT", "[]"},
		{"magnitude", f32x2 + "x = f32[] abs(a); y = f32[] abs(b); ROOT r = pred[] compare(x, y), direction=LT", "[]"},
		{"constant", f32x2 + "ROOT r = pred[] constant(false)", "[]"},
		{"unused_complex", f32x2 + "c = c64[] parameter(2); d = c64[] parameter(3); " +
			"ROOT r = pred[] compare(a, b), direction=LT", "[{0 less}]"},
		{"signs_of_nan", f32x2 + second + canonical + "l = pred[] compare(sa, sb), direction=LT, type=TOTALORDER; " +
			"e = pred[] compare(sa, sb), direction=EQ, type=TOTALORDER; k = pred[] compare(i, j), direction=LT; " +
			"t = pred[] and(e, k); ROOT r = pred[] or(l, t)", "[]"},
		{"nan_equals_nothing", f32x2 + second + nextIfEqual, "[]"},
	} {
		got, ok := match.Comparator(parse(t, c.text))
		if text := fmt.Sprint(got); text != c.want || ok != (c.want != "[]") {
			t.Errorf("%s: got %s %v, want %s", c.name, text, ok, c.want)
		}
	}
}

func TestArgReducer(t *testing.T) {
	params := "x = f32[] parameter(0); i = s32[] parameter(1); y = f32[] parameter(2); j = s32[] parameter(3); "
	jax := "g = pred[] compare(x, y), direction=%s; n = pred[] compare(x, x), direction=NE; o = pred[] or(g, n); " +
		"e = pred[] compare(x, y), direction=EQ; l = pred[] compare(i, j), direction=LT; t = pred[] and(e, l); " +
		"p = pred[] or(o, t); v = f32[] select(o, x, y); k = s32[] select(p, i, j); ROOT r = (f32[], s32[]) tuple(v, k)"
	for _, c := range []struct {
		name, text string
		want       match.ArgReduction
		ok         bool
	}{
		{"jax_argmax", params + fmt.Sprintf(jax, "GT"),
			match.ArgReduction{Max: true, NaNWins: true, TieValue: match.SecondIndex}, true},
		{"jax_argmin", params + fmt.Sprintf(jax, "LT"),
			match.ArgReduction{NaNWins: true, TieValue: match.SecondIndex}, true},
		{"at_least", params + "g = pred[] compare(x, y), direction=GE; v = f32[] select(g, x, y); " +
			"k = s32[] select(g, i, j); ROOT r = (f32[], s32[]) tuple(v, k)",
			match.ArgReduction{Max: true, Tie: match.FirstIndex}, true},
		{"index_of_the_other", params + "g = pred[] compare(x, y), direction=GE; v = f32[] select(g, x, y); " +
			"k = s32[] select(g, j, i); ROOT r = (f32[], s32[]) tuple(v, k)", match.ArgReduction{}, false},
		{"sums", params + "v = f32[] add(x, y); k = s32[] add(i, j); ROOT r = (f32[], s32[]) tuple(v, k)",
			match.ArgReduction{}, false},
	} {
		if got, ok := match.ArgReducer(parse(t, c.text)); got != c.want || ok != c.ok {
			t.Errorf("%s: got %+v %v, want %+v", c.name, got, ok, c.want)
		}
	}
}

func TestCumulativeWindow(t *testing.T) {
	const form = `HloModule m

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

mean {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  s = f32[] add(a, b)
  half = f32[] constant(0.5)
  ROOT m = f32[] multiply(s, half)
}

ENTRY e {
  x = f32[3,8] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[%s] reduce-window(x, zero), window={%s}, to_apply=%s
}
`
	for _, c := range []struct {
		name, result, window, reducer string
		want                          match.Cumulative
		ok                            bool
	}{
		{"forward", "3,8", "size=1x8 pad=0_0x7_0", "add", match.Cumulative{Kind: match.Sum, Dim: 1}, true},
		{"reverse", "3,8", "size=1x8 pad=0_0x0_7", "add", match.Cumulative{Kind: match.Sum, Dim: 1, Reverse: true}, true},
		{"rows", "3,8", "size=3x1 pad=2_0x0_0", "add", match.Cumulative{Kind: match.Sum}, true},
		{"exclusive", "3,8", "size=1x8 pad=0_0x8_-1", "add",
			match.Cumulative{Kind: match.Sum, Dim: 1, Exclusive: true}, true},
		{"wider", "3,8", "size=1x9 pad=0_0x8_0", "add", match.Cumulative{Kind: match.Sum, Dim: 1}, true},
		{"narrower", "3,8", "size=1x7 pad=0_0x6_0", "add", match.Cumulative{}, false},
		{"both", "3,8", "size=3x8 pad=2_0x7_0", "add", match.Cumulative{}, false},
		{"centred", "3,8", "size=1x15 pad=0_0x7_7", "add", match.Cumulative{}, false},
		{"dilated", "3,8", "size=1x8 pad=0_0x14_0 rhs_dilate=1x2", "add", match.Cumulative{}, false},
		{"other", "3,8", "size=1x8 pad=0_0x7_0", "mean", match.Cumulative{Dim: 1}, true},
		{"other reverse", "3,8", "size=1x8 pad=0_0x0_7", "mean", match.Cumulative{}, false},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(form, c.result, c.window, c.reducer), hlotext.ParseOptions{})
		if err == nil {
			err = hlo.Verify(m, hlo.VerifyOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got, ok := match.CumulativeWindow(m.Entry().Root())
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: got %+v %v, want %+v", c.name, got, ok, c.want)
		}
	}
}

func TestIdentity(t *testing.T) {
	lowest, err := literal.MinValue(shape.F32)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind match.Kind
		v    literal.Literal
		want bool
	}{
		{match.Sum, literal.Of(float32(0)), true}, {match.Sum, literal.Of(float32(1)), false},
		{match.Product, literal.Of(int8(1)), true}, {match.Product, literal.Of(int8(0)), false},
		{match.Max, lowest, true}, {match.Min, lowest, false},
		{match.And, literal.Of(true), true}, {match.And, literal.Of(uint8(255)), true},
		{match.And, literal.Of(int32(-1)), true}, {match.And, literal.Of(int32(1)), false},
		{match.Or, literal.Of(false), true}, {match.Xor, literal.Of(uint64(0)), true}, {match.Xor, literal.Of(true), false},
	} {
		if got := match.IsIdentity(c.kind, c.v); got != c.want {
			t.Errorf("%v of %v: got %v", c.kind, c.v.Shape(), got)
		}
	}
	if match.Sum.Code() != op.Add || match.First.Code() != op.Invalid {
		t.Errorf("codes: got %v, %v", match.Sum.Code(), match.First.Code())
	}
}
