package interp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

func parse(t *testing.T, text string) *hlo.Module {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{File: "test.hlo"})
	if err == nil {
		err = hlo.Verify(m, hlo.VerifyOptions{})
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// loop is a while that counts i up to n beside other elements of its state.
type loop struct {
	name    string
	n       int
	shapes  []string // of the other elements
	initial string   // instructions, and their initial values
	first   string
	body    string // instructions on s, the state, and i; and what comes of the elements
	next    string
	want    []string
}

// withArray returns l with an array in its state that is too long for a scalar loop.
func (l loop) withArray() loop {
	l.shapes = append(l.shapes[:len(l.shapes):len(l.shapes)], "s8[100]")
	l.initial += "\n  long = s8[100] iota(), iota_dimension=0"
	l.first += ", long"
	l.body += fmt.Sprintf("\n  long = s8[100] get-tuple-element(s), index=%d", len(l.shapes))
	l.next += ", long"
	return l
}

func (l loop) text() string {
	return fmt.Sprintf(`HloModule m
condition {
  s = %[1]s parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(%[2]d)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  s = %[1]s parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  %[5]s
  ROOT t = %[1]s tuple(j, %[6]s)
}
ENTRY e {
  zero = s32[] constant(0)
  %[3]s
  t = %[1]s tuple(zero, %[4]s)
  ROOT w = %[1]s while(t), condition=condition, body=body
}`, "(s32[], "+strings.Join(l.shapes, ", ")+")", l.n, l.initial, l.first, l.body, l.next)
}

func (l loop) check(t *testing.T, scalar bool) {
	t.Helper()
	m := parse(t, l.text())
	in := New(t.Context(), Options{})
	v, err := in.Computation(m.Entry(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if made := in.loops[m.Entry().Root()] != nil; made != scalar {
		t.Errorf("a scalar loop: %v, want %v", made, scalar)
	}
	for i, want := range append([]string{fmt.Sprint(l.n)}, l.want...) {
		if got := string(v.Elems()[i].AppendText(nil)); got != want {
			t.Errorf("element %d: got %s, want %s", i, got, want)
		}
	}
	checkReleased(t, in)
}

// TestLoops runs loops on scalars, and the same ones with an array in the state.
func TestLoops(t *testing.T) {
	tests := []loop{
		{name: "sum", n: 10, shapes: []string{"s32[]"}, first: "zero",
			body: "x = s32[] get-tuple-element(s), index=1\n  y = s32[] add(x, i)", next: "y", want: []string{"45"}},
		{name: "no iteration", n: 0, shapes: []string{"s32[]"}, first: "zero",
			body: "x = s32[] get-tuple-element(s), index=1\n  y = s32[] add(x, i)", next: "y", want: []string{"0"}},
		{name: "swap", n: 3, shapes: []string{"s32[]", "s32[]"}, first: "a, b",
			initial: "a = s32[] constant(7)\n  b = s32[] constant(8)",
			body:    "x = s32[] get-tuple-element(s), index=1\n  y = s32[] get-tuple-element(s), index=2",
			next:    "y, x", want: []string{"8", "7"}},
		{name: "nested tuple", n: 2, shapes: []string{"(s32[], s32[2])"}, first: "u",
			initial: "a = s32[] constant(7)\n  b = s32[2] constant({1, 2})\n  u = (s32[], s32[2]) tuple(a, b)",
			body: "u = (s32[], s32[2]) get-tuple-element(s), index=1\n  x = s32[] get-tuple-element(u), index=0\n" +
				"y = s32[2] get-tuple-element(u), index=1\n  r = s32[2] reverse(y), dimensions={0}\n" +
				"p = s32[2] add(y, r)\n  v = (s32[], s32[2]) tuple(x, p)",
			next: "v", want: []string{"( 7, {6, 6} )"}},
		{name: "reshape", n: 3, shapes: []string{"s32[2]"}, first: "b", initial: "b = s32[2] constant({1, 2})",
			body: "y = s32[2] get-tuple-element(s), index=1\n  r = s32[1,2] reshape(y)\n" +
				"q = s32[1,2] negate(r)\n  z = s32[2] reshape(q)", next: "z", want: []string{"{-1, -2}"}},
		{name: "constants", n: 3, shapes: []string{"s32[2]"}, first: "b", initial: "b = s32[2] constant({1, 2})",
			body: "y = s32[2] get-tuple-element(s), index=1\n  ten = s32[] constant(10)\n" +
				"c = s32[2] broadcast(ten), dimensions={}\n  k = s32[2] iota(), iota_dimension=0\n" +
				"d = s32[2] multiply(c, k)\n  z = s32[2] add(y, d)", next: "z", want: []string{"{1, 32}"}},
		{name: "constant root", n: 2, shapes: []string{"s32[]"}, first: "zero",
			body: "y = s32[] constant(42)", next: "y", want: []string{"42"}},
	}
	for _, l := range tests {
		t.Run(strings.ReplaceAll(l.name, " ", "_"), func(t *testing.T) {
			l.check(t, true)
			l.withArray().check(t, false)
		})
	}
}

// TestInlinedCalls: what a computation on scalars calls is part of its program, up to a
// size; 2^16 calls of one computation are not.
func TestInlinedCalls(t *testing.T) {
	var b strings.Builder
	b.WriteString("HloModule m\nh0 {\n  ROOT p = s32[] parameter(0)\n}\n")
	const depth = 16
	for i := 1; i <= depth; i++ {
		fmt.Fprintf(&b, "h%d {\n  p = s32[] parameter(0)\n  a = s32[] call(p), to_apply=h%d\n"+
			"  b = s32[] call(p), to_apply=h%d\n  ROOT c = s32[] add(a, b)\n}\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "g {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  z = s32[] call(x), to_apply=h%d\n"+
		"  ROOT s = s32[] add(z, y)\n}\nENTRY e {\n  p = s32[2] iota(), iota_dimension=0\n  o = s32[] constant(1)\n"+
		"  ROOT r = s32[2] map(p, p), dimensions={0}, to_apply=g\n}\n", depth)
	m := parse(t, b.String())
	in := New(t.Context(), Options{})
	v, err := in.Computation(m.Entry(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(v.AppendText(nil)); got != "{0, 65537}" {
		t.Errorf("got %s", got)
	}
	if p := in.scalars[m.Entry().Root().Called()[0]]; p.size > 2*maxInlined || p.size < maxInlined/2 {
		t.Errorf("the program of g is of %d instructions, want about %d", p.size, maxInlined)
	}
}

// TestFixedValues: what depends on nothing is not evaluated by the third execution, the
// result is the same, and only what others use is kept.
func TestFixedValues(t *testing.T) {
	m := parse(t, `HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
f {
  p = f32[100] parameter(0)
  k = f32[100] iota(), iota_dimension=0
  q = f32[100] multiply(k, k)
  zero = f32[] constant(0)
  n = f32[] reduce(q, zero), dimensions={0}, to_apply=add
  b = f32[100] broadcast(n), dimensions={}
  a = f32[] constant(0)
  u = f32[100] rng(a, n), distribution=rng_uniform
  v = f32[100] subtract(u, u)
  w = f32[100] add(p, b)
  ROOT r = f32[100] add(w, v)
}
ENTRY e {
  p = f32[100] parameter(0)
  ROOT c = f32[100] call(p), to_apply=f
}`)
	f, in := m.Computation("f"), New(t.Context(), Options{})
	arg := literal.New(shape.Make(shape.F32, 100))
	for i := range 4 {
		v, err := in.Computation(f, []literal.Literal{arg})
		if err != nil {
			t.Fatal(err)
		}
		if got := v.FloatAt(99); got != 328350 {
			t.Errorf("execution %d: %v, want 328350", i, got)
		}
	}
	var left []string
	for _, n := range in.frames[f].order {
		left = append(left, n.Name())
	}
	if got := strings.Join(left, " "); got != "p w u v r" {
		t.Errorf("evaluated at last: %s, want p w u v r", got)
	}
	if got, want := in.memory.live, int64(400+4+4); got != want { // b, n and a
		t.Errorf("kept %d bytes, want %d", got, want)
	}
	checkReleased(t, in)
}

// checkReleased: nothing is alive but what frames keep.
func checkReleased(t *testing.T, in *Interp) {
	t.Helper()
	for _, f := range in.frames {
		for id, v := range f.values {
			if v.IsValid() {
				if f.kept == nil || !f.kept[id] {
					t.Errorf("%s: value %d is alive and not kept", f.c.Name(), id)
				}
				in.memory.release(v)
			}
		}
	}
	if in.memory.live != 0 || len(in.memory.stores) != 0 {
		t.Errorf("%d bytes in %d stores are alive", in.memory.live, len(in.memory.stores))
	}
}

func TestRandomModulesRelease(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		m := hlotest.Generate(rng, hlotest.GenerateOptions{})
		in := New(t.Context(), Options{Host: hlotest.Host(m)})
		if _, err := in.Computation(m.Entry(), hlotest.Arguments(rng, m)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if checkReleased(t, in); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestMemory: values that share elements are counted once.
func TestMemory(t *testing.T) {
	m := newMemory(1000)
	a, b := literal.New(shape.Make(shape.F32, 10)), literal.New(shape.Make(shape.S8, 5))
	tuple := literal.MakeTuple(a, literal.MakeTuple(b, a), literal.New(shape.MakeToken()))
	flat, err := a.Reshape(2, 5)
	if err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		do   func(literal.Literal)
		v    literal.Literal
		want int64
	}{
		{m.hold, a, 40}, {m.hold, tuple, 45}, {m.release, a, 45}, {m.hold, flat, 45}, {m.release, tuple, 40},
		{m.release, flat, 0},
	}
	for i, s := range steps {
		if s.do(s.v); m.live != s.want {
			t.Errorf("step %d: %d bytes, want %d", i, m.live, s.want)
		}
	}
	n := hlo.NewModule("m").AddComputation("c").Add("i", op.Iota, shape.Make(shape.F32, 250), nil, &op.IotaAttrs{})
	for elements, ok := range map[int]bool{250: true, 251: false, 1 << 60: false} {
		if err := m.reserve(n, shape.Make(shape.F32, elements), 0); (err == nil) != ok {
			t.Errorf("%d elements: %v", elements, err)
		}
	}
	if got := newMemory(0).limit; got != DefaultMemoryLimit {
		t.Errorf("default limit %d", got)
	}
}

// TestCancelLongOperation: a single operation ends with its context too.
func TestCancelLongOperation(t *testing.T) {
	m := parse(t, `HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
ENTRY e {
  p = f32[10000000] iota(), iota_dimension=0
  z = f32[] constant(0)
  ROOT r = f32[10000000] reduce-window(p, z), window={size=10000000 pad=9999999_0}, to_apply=add
}`)
	ctx, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	if _, err := Run(ctx, m, nil, Options{}); err == nil {
		t.Error("no error")
	}
}
