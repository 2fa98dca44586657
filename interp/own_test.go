package interp

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// updates is a loop of three iterations over (i, a, b): arrays a, at first 0, 1, 2, ...,
// and b, at first zeros. The body has u, which is {10+i}, and gives the next arrays, na
// and nb. An array that is written to though somebody looks at it again changes what comes out.
type updates struct {
	name      string
	body      string // instructions
	na, nb    string
	condition string // instructions, in front of the comparison of i with 3
	called    string // computations
	a, b      string // what the first four elements are in the end
}

const updateSize = 20 // more than a scalar loop takes

func (u *updates) text(size, count int) string {
	state := fmt.Sprintf("(s32[], s32[%[1]d], s32[%[1]d])", size)
	text := fmt.Sprintf(`HloModule m
second {
  x = s32[] parameter(0)
  ROOT y = s32[] parameter(1)
}
CALLED
condition {
  s = STATE parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = ARRAY get-tuple-element(s), index=1
  CONDITION
  n = s32[] constant(%[2]d)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  s = STATE parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = ARRAY get-tuple-element(s), index=1
  b = ARRAY get-tuple-element(s), index=2
  one = s32[] constant(1)
  ten = s32[] constant(10)
  j = s32[] add(i, one)
  k = s32[] add(i, ten)
  u = s32[1] reshape(k)
  BODY
  ROOT t = STATE tuple(j, NA, NB)
}
ENTRY e {
  p = ARRAY parameter(0)
  zero = s32[] constant(0)
  z = ARRAY broadcast(zero), dimensions={}
  t = STATE tuple(zero, p, z)
  w = STATE while(t), condition=condition, body=body
  a = ARRAY get-tuple-element(w), index=1
  b = ARRAY get-tuple-element(w), index=2
  x = s32[4] slice(a), slice={[0:4]}
  y = s32[4] slice(b), slice={[0:4]}
  ROOT r = (s32[4], s32[4]) tuple(x, y)
}`, size, count)
	called := u.called
	if called != "" {
		called = "f {\n" + called + "\n}\n"
	}
	return strings.NewReplacer("STATE", state, "ARRAY", fmt.Sprintf("s32[%d]", size)).Replace(
		strings.NewReplacer("CONDITION", u.condition, "BODY", u.body, "NA", u.na, "NB", u.nb, "CALLED", called).Replace(text))
}

const (
	update      = "na = ARRAY dynamic-update-slice(a, u, i)\n"
	scatterInto = "g = s32[1] reshape(i)\n na = ARRAY scatter(a, g, u), update_window_dims={}, " +
		"inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second\n"
	negateAfter = "nb = ARRAY negate(a), control-predecessors={na}\n"
	parameters  = "p = ARRAY parameter(0)\n q = s32[1] parameter(1)\n i = s32[] parameter(2)\n"
	updated     = parameters + "ROOT d = ARRAY dynamic-update-slice(p, q, i)"
	filled      = "{10, 11, 12, 3}"
	negated     = "{-10, -11, -2, -3}"
	inner       = "m = (s32[], ARRAY, s32[1]) tuple(i, a, u)\n " +
		"v = (s32[], ARRAY, s32[1]) while(m), condition=fc, body=f\n " +
		"na = ARRAY get-tuple-element(v), index=1\n"
	innerBody = "s = (s32[], ARRAY, s32[1]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n " +
		"p = ARRAY get-tuple-element(s), index=1\n q = s32[1] get-tuple-element(s), index=2\n " +
		"d = ARRAY dynamic-update-slice(p, q, i)\n o = s32[] constant(1000000)\n j = s32[] add(i, o)\n " +
		"ROOT t = (s32[], ARRAY, s32[1]) tuple(j, d, q)\n}\n" +
		"fc {\n s = (s32[], ARRAY, s32[1]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n " +
		"o = s32[] constant(1000000)\n ROOT c = pred[] compare(i, o), direction=LT"
	twoBranches = "l = s32[] constant(2)\n h = pred[] compare(i, l), direction=LE\n " +
		"m = (ARRAY, s32[1], s32[]) tuple(a, u, i)\n " +
		"na = ARRAY conditional(h, m, a), true_computation=f, false_computation=fc\n"
	branches = "s = (ARRAY, s32[1], s32[]) parameter(0)\n p = ARRAY get-tuple-element(s), index=0\n " +
		"q = s32[1] get-tuple-element(s), index=1\n i = s32[] get-tuple-element(s), index=2\n " +
		"ROOT d = ARRAY dynamic-update-slice(p, q, i)\n}\nfc {\n ROOT p = ARRAY parameter(0)"
)

// inPlace are loops that need no copy but that of the first iteration.
var inPlace = []updates{
	{name: "update", body: update, na: "na", nb: "b", a: filled, b: "{0, 0, 0, 0}"},
	{name: "scatter", body: scatterInto, na: "na", nb: "b", a: filled, b: "{0, 0, 0, 0}"},
	{name: "call", body: "na = ARRAY call(a, u, i), to_apply=f", called: updated, na: "na", nb: "b", a: filled,
		b: "{0, 0, 0, 0}"},
	{name: "fusion", body: "na = ARRAY fusion(a, u, i), kind=kLoop, calls=f", called: updated, na: "na", nb: "b",
		a: filled, b: "{0, 0, 0, 0}"},
	{name: "inner loop", body: inner, called: innerBody, na: "na", nb: "b", a: filled, b: "{0, 0, 0, 0}"},
	{name: "conditional", body: twoBranches, called: branches, na: "na", nb: "b", a: filled, b: "{0, 0, 0, 0}"},
	{name: "reshape", body: "r = s32[1,SIZE] reshape(a)\n l = s32[] constant(0)\n v = s32[1,1] reshape(u)\n " +
		"d = s32[1,SIZE] dynamic-update-slice(r, v, l, i)\n na = ARRAY reshape(d)", na: "na", nb: "b", a: filled,
		b: "{0, 0, 0, 0}"},
	{name: "mark", body: "m = ARRAY custom-call(a), custom_call_target=\"Sharding\"\n " +
		"na = ARRAY dynamic-update-slice(m, u, i)", na: "na", nb: "b", a: filled, b: "{0, 0, 0, 0}"},
	{name: "swap", body: update, na: "b", nb: "na", a: "{0, 11, 0, 0}", b: "{10, 1, 12, 3}"},
}

// shared are loops in which somebody looks again at what is updated.
var shared = []updates{
	{name: "used twice", body: update + "v = s32[1] add(u, u)\n nb = ARRAY dynamic-update-slice(a, v, i)",
		na: "na", nb: "nb", a: filled, b: "{10, 11, 24, 3}"},
	{name: "read after the update", body: update + negateAfter, na: "na", nb: "nb", a: filled, b: negated},
	{name: "read after the scatter", body: scatterInto + negateAfter, na: "na", nb: "nb", a: filled, b: negated},
	{name: "read by another shape", body: "r = s32[4,5] reshape(a)\n" + update +
		"n = s32[4,5] negate(r), control-predecessors={na}\n nb = s32[20] reshape(n)",
		na: "na", nb: "nb", a: filled, b: negated},
	{name: "operand and update", body: "na = ARRAY dynamic-update-slice(a, a, i)\n", na: "na", nb: "a",
		a: "{0, 1, 2, 3}", b: "{0, 1, 2, 3}"},
	{name: "in a tuple", body: "m = (ARRAY, ARRAY) tuple(a, a)\n x = ARRAY get-tuple-element(m), index=0\n " +
		"y = ARRAY get-tuple-element(m), index=1\n na = ARRAY dynamic-update-slice(x, u, i)",
		na: "na", nb: "y", a: filled, b: "{10, 11, 2, 3}"},
	{name: "one array twice in the state", body: "e = ARRAY dynamic-update-slice(a, u, i)\n " +
		"v = s32[1] dynamic-slice(b, i), dynamic_slice_sizes={1}, control-predecessors={e}\n l = s32[] constant(3)\n " +
		"na = ARRAY dynamic-update-slice(e, v, l)", na: "na", nb: "na", a: "{10, 11, 12, 2}", b: "{10, 11, 12, 2}"},
	{name: "what does not change", body: "l = ARRAY iota(), iota_dimension=0\n na = ARRAY dynamic-update-slice(l, u, i)",
		na: "na", nb: "a", a: "{0, 1, 12, 3}", b: "{0, 11, 2, 3}"},
	{name: "update that does not change", body: "l = ARRAY iota(), iota_dimension=0\n o = s32[1] constant({99})\n " +
		"d = ARRAY dynamic-update-slice(l, o, one)\n na = ARRAY dynamic-update-slice(d, u, i)",
		na: "na", nb: "a", a: "{0, 99, 12, 3}", b: "{0, 11, 2, 3}"},
	{name: "constant", body: "l = s32[20] constant({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, " +
		"17, 18, 19})\n na = ARRAY dynamic-update-slice(l, u, i)", na: "na", nb: "a", a: "{0, 1, 12, 3}", b: "{0, 11, 2, 3}"},
	{name: "call, then read", body: "na = ARRAY call(a, u, i), to_apply=f\n" + negateAfter, called: updated,
		na: "na", nb: "nb", a: filled, b: negated},
	{name: "fusion, then read", body: "na = ARRAY fusion(a, u, i), kind=kLoop, calls=f\n" + negateAfter, called: updated,
		na: "na", nb: "nb", a: filled, b: negated},
	{name: "call with one array twice", body: "m = (ARRAY, ARRAY) call(a, u, i, a), to_apply=f\n " +
		"x = ARRAY get-tuple-element(m), index=0\n y = ARRAY get-tuple-element(m), index=1",
		called: parameters + "d = ARRAY dynamic-update-slice(p, q, i)\n " +
			"p2 = ARRAY parameter(3), control-predecessors={d}\n n = ARRAY negate(p2)\n " +
			"ROOT t = (ARRAY, ARRAY) tuple(d, n)", na: "x", nb: "y", a: filled, b: negated},
	{name: "parameter passed through", body: "c = ARRAY call(a), to_apply=f\n na = ARRAY dynamic-update-slice(c, u, i)\n" +
		negateAfter, called: "ROOT p = ARRAY parameter(0)", na: "na", nb: "nb", a: filled, b: negated},
	{name: "inner loop, then read", body: inner + negateAfter, called: innerBody, na: "na", nb: "nb", a: filled,
		b: negated},
	{name: "conditional, then read", body: twoBranches + negateAfter, called: branches, na: "na", nb: "nb", a: filled,
		b: negated},
	{name: "asynchronous call", body: "m = ((ARRAY, s32[1], s32[]), ARRAY, s32[]) async-start(a, u, i), calls=f\n " +
		"na = ARRAY async-done(m)\n" + negateAfter, called: updated, na: "na", nb: "nb", a: filled, b: negated},
	{name: "asynchronous copy", body: "m = (ARRAY, ARRAY, u32[]) copy-start(a)\n c = ARRAY copy-done(m)\n " +
		"na = ARRAY dynamic-update-slice(c, u, i)\n" + negateAfter, na: "na", nb: "nb", a: filled, b: negated},
	{name: "update in the condition", body: update, na: "na", nb: "b", a: filled, b: "{0, 0, 0, 0}",
		condition: "o = s32[1] constant({99})\n d = ARRAY dynamic-update-slice(a, o, i)\n " +
			"f = s32[1] slice(d), slice={[0:1]}"},
}

func (u *updates) module(t *testing.T, size, count int) *hlo.Module {
	t.Helper()
	return parse(t, strings.ReplaceAll(u.text(size, count), "SIZE", fmt.Sprint(size)))
}

func iota32(size int) literal.Literal {
	l := literal.New(shape.Make(shape.S32, size))
	for i := range size {
		l.SetInt(i, int64(i))
	}
	return l
}

// TestUpdates runs the loops; the argument stays as it is.
func TestUpdates(t *testing.T) {
	for _, u := range append(inPlace[:len(inPlace):len(inPlace)], shared...) {
		t.Run(strings.ReplaceAll(u.name, " ", "_"), func(t *testing.T) {
			m, arg := u.module(t, updateSize, 3), iota32(updateSize)
			in := New(t.Context(), Options{})
			v, err := in.Computation(m.Entry(), []literal.Literal{arg})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(v.AppendText(nil)), "( "+u.a+", "+u.b+" )"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if !literal.Equal(arg, iota32(updateSize)) {
				t.Errorf("the argument became %s", arg.AppendText(nil))
			}
			checkReleased(t, in)
		})
	}
}

// TestUpdatesInPlace: an iteration allocates much less than the array.
func TestUpdatesInPlace(t *testing.T) {
	const size, count = 100_000, 200
	for _, u := range inPlace {
		m, arg := u.module(t, size, count), iota32(size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, err := Run(t.Context(), m, []literal.Literal{arg}, Options{})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", u.name, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 20*4*size {
			t.Errorf("%s: %d bytes were allocated in %d iterations over %d bytes", u.name, got, count, 4*size)
		}
		if got := v.Elems()[0].IntAt(0); u.name != "swap" && got != 10 {
			t.Errorf("%s: element 0 is %d, want 10", u.name, got)
		}
	}
}

// TestUpdatesSeenOutside: what was shown to a host or a handler does not change.
func TestUpdatesSeenOutside(t *testing.T) {
	host := ffi.NewHost()
	var kept []literal.Literal
	keep := ffi.Func(func(_ context.Context, c *ffi.Call) error {
		kept = append(kept, c.Operands[0])
		for k, f := range c.Computations {
			v, err := f(c.Operands...)
			if err == nil {
				_, err = f(append([]literal.Literal{v}, c.Operands[1:]...)...)
			}
			if err != nil {
				return err
			}
			kept = append(kept, v)
			copy(c.Results[k].Bytes(), v.Bytes())
		}
		return nil
	})
	for _, u := range []updates{
		{name: "outfeed", body: "o = token[] after-all()\n e = token[] outfeed(a, o), outfeed_shape=ARRAY\n" +
			"na = ARRAY dynamic-update-slice(a, u, i), control-predecessors={e}", na: "na", nb: "b"},
		{name: "custom-call", body: "e = ARRAY custom-call(a, u, i), custom_call_target=\"keep\", " +
			"called_computations={f}\n na = ARRAY dynamic-update-slice(a, u, i), control-predecessors={e}",
			called: updated, na: "na", nb: "e"},
	} {
		opts := Options{Host: host, Handlers: ffi.Handlers{"keep": keep}}
		if _, err := Run(t.Context(), u.module(t, updateSize, 3), []literal.Literal{iota32(updateSize)}, opts); err != nil {
			t.Fatalf("%s: %v", u.name, err)
		}
	}
	want := []string{"{0, 1, 2, 3", "{10, 1, 2, 3", "{10, 11, 2, 3", "{10, 11, 12, 3"}
	for i, v := range host.Outfeed(0).Drain() {
		if got := string(v.AppendText(nil)); !strings.HasPrefix(got, want[i]) {
			t.Errorf("outfeed %d: %s, want %s", i, got, want[i])
		}
	}
	for i, v := range kept {
		if got := string(v.AppendText(nil)); len(kept) != 6 || !strings.HasPrefix(got, want[i/2+i%2]) {
			t.Errorf("handler %d of %d: %s, want %s", i, len(kept), got, want[i/2+i%2])
		}
	}
}

// TestUpdatesTraced: what a trace was shown stays, though the next instruction updates it.
func TestUpdatesTraced(t *testing.T) {
	m := parse(t, `HloModule m
ENTRY e {
  p = s32[3] parameter(0)
  u = s32[1] constant({9})
  zero = s32[] constant(0)
  one = s32[] constant(1)
  x = s32[3] dynamic-update-slice(p, u, zero)
  ROOT y = s32[3] dynamic-update-slice(x, u, one)
}`)
	traced := map[string]literal.Literal{}
	opts := Options{Trace: func(n *hlo.Instruction, v literal.Literal) { traced[n.Name()] = v }}
	if _, err := Run(t.Context(), m, []literal.Literal{iota32(3)}, opts); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"p": "{0, 1, 2}", "x": "{9, 1, 2}", "y": "{9, 9, 2}"} {
		if got := string(traced[name].AppendText(nil)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestUpdatesOfCarry: a scan updates its carry; outputs that are the carry are copies.
func TestUpdatesOfCarry(t *testing.T) {
	m := parse(t, `HloModule m
step {
  x = s32[] parameter(0)
  c = s32[20] parameter(1)
  d = s32[20] parameter(2)
  u = s32[1] reshape(x)
  n = s32[20] dynamic-update-slice(c, u, x)
  r = s32[20] dynamic-update-slice(d, u, x)
  ROOT t = (s32[20], s32[20], s32[20]) tuple(n, n, n)
}
ENTRY e {
  x = s32[3] parameter(0)
  z = s32[] constant(0)
  b = s32[20] broadcast(z), dimensions={}
  l = (s32[3,20], s32[20], s32[20]) scan(x, b, b), dimensions={0}, num_carries=2, is_reverse=false,
    is_associative=false, to_apply=step
  y = s32[3,20] get-tuple-element(l), index=0
  s = s32[3,4] slice(y), slice={[0:3], [0:4]}
  c = s32[20] get-tuple-element(l), index=1
  k = s32[4] slice(c), slice={[0:4]}
  f = s32[4] slice(b), slice={[0:4]}
  ROOT t = (s32[3,4], s32[4], s32[4]) tuple(s, k, f)
}`)
	in := New(t.Context(), Options{})
	v, err := in.Computation(m.Entry(), []literal.Literal{literal.Of([]int32{1, 2, 3})})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(string(v.AppendText(nil))), " ")
	if want := "( { { 0, 1, 0, 0 }, { 0, 1, 2, 0 }, { 0, 1, 2, 3 } }, {0, 1, 2, 3}, {0, 0, 0, 0} )"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	checkReleased(t, in)
}
