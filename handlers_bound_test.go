package xla_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
)

// binder is a handler that works on memory: with literals it does the same.
type binder struct {
	do    ffi.Bound
	bound atomic.Int64 // how many calls were done on the buffers of a program
}

func (b *binder) Call(ctx context.Context, c *ffi.Call) error {
	return b.do(ctx, bytesOf(c.Operands), bytesOf(c.Results))
}

func (b *binder) Bind(*ffi.Signature) (ffi.Bound, error) {
	return func(ctx context.Context, in, out [][]byte) error {
		b.bound.Add(1)
		return b.do(ctx, in, out)
	}, nil
}

func bytesOf(list []literal.Literal) (out [][]byte) {
	for _, l := range list {
		out = append(out, l.Bytes())
	}
	return out
}

// boundOn compiles text for a backend whose client calls b for the target "bound".
func boundOn(t *testing.T, backend xla.Backend, b *binder, text string) *xla.Executable {
	t.Helper()
	client := newClient(t, xla.Options{Backend: backend, Handlers: ffi.Handlers{"bound": ffi.RowMajor{Handler: b}}})
	exe, err := client.Compile(t.Context(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// boundPlaces are programs of x, u8[4], that make the call %y at 5:8, by where it stands.
func boundPlaces() map[string]string {
	const call = `y = u8[4] custom-call(x), custom_call_target="bound", api_version=API_VERSION_TYPED_FFI`
	const body = "HloModule m\n\nbody {\n  x = u8[4] parameter(0)\n  ROOT " + call + "\n}\n\n"
	const forever = "cond {\n  c = u8[4] parameter(0)\n  ROOT t = pred[] constant(true)\n}\n\n"
	const rest = "ENTRY e {\n  p = u8[4] parameter(0)\n  "
	return map[string]string{
		"entry": "HloModule m\n\nENTRY e {\n  x = u8[4] parameter(0)\n  ROOT " + call + "\n}\n",
		"while": body + forever + rest + "ROOT w = u8[4] while(p), condition=cond, body=body\n}\n",
		"counted loop": body + `step {
  s = (s32[], u8[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  v = u8[4] get-tuple-element(s), index=1
  u = u8[4] call(v), to_apply=body
  ROOT t = (s32[], u8[4]) tuple(next, u)
}

cond {
  s = (s32[], u8[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(2000000000)
  ROOT l = pred[] compare(i, n), direction=LT
}

` + rest + `zero = s32[] constant(0)
  s = (s32[], u8[4]) tuple(zero, p)
  w = (s32[], u8[4]) while(s), condition=cond, body=step
  ROOT r = u8[4] get-tuple-element(w), index=1
}
`,
		"branch": body + "other {\n  z = u8[4] parameter(0)\n  ROOT n = u8[4] not(z)\n}\n\n" + rest + `
  k = u8[1] slice(p), slice={[0:1]}
  i = u8[] reshape(k)
  one = u8[] constant(1)
  is = pred[] compare(i, one), direction=EQ
  ROOT c = u8[4] conditional(is, p, p), true_computation=body, false_computation=other
}
`,
		"branch of a loop": body + "other {\n  z = u8[4] parameter(0)\n  ROOT n = u8[4] not(z)\n}\n\n" + forever + `step {
  q = u8[4] parameter(0)
  k = u8[1] slice(q), slice={[0:1]}
  i = u8[] reshape(k)
  j = s32[] convert(i)
  ROOT c = u8[4] conditional(j, q, q, q), branch_computations={other, body, other}
}

` + rest + "ROOT w = u8[4] while(p), condition=cond, body=step\n}\n",
		"called": body + rest + "ROOT c = u8[4] call(p), to_apply=body\n}\n",
	}
}

// eachBoundPlace runs test for each program of boundPlaces on each backend. Compiled, the call is done on buffers.
func eachBoundPlace(t *testing.T, test func(t *testing.T, compile func(*binder) *xla.Executable)) {
	for _, backend := range []xla.Backend{testBackend(), xla.Interp()} {
		for place, text := range boundPlaces() {
			t.Run(fmt.Sprintf("%s/%s", backend.Name(), place), func(t *testing.T) {
				test(t, func(b *binder) *xla.Executable {
					t.Cleanup(func() {
						if n := b.bound.Load(); (backend.Name() == testBackend().Name()) != (n > 0) {
							t.Errorf("%d calls on the buffers of the program", n)
						}
					})
					return boundOn(t, backend, b, text)
				})
			})
		}
	}
}

// TestBoundFailures: errors and panics have a place, the instruction and the target, wherever the call stands, and the
// executable goes on to work.
func TestBoundFailures(t *testing.T) {
	lost := errors.New("out of luck")
	for _, panics := range []bool{false, true} {
		eachBoundPlace(t, func(t *testing.T, compile func(*binder) *xla.Executable) {
			calls := 0
			exe := compile(&binder{do: func(_ context.Context, in, out [][]byte) error {
				copy(out[0], in[0])
				switch calls++; {
				case calls%3 != 0:
					return nil
				case panics:
					panic("out of luck")
				}
				return lost
			}})
			want := `test.hlo:5:8: %y: custom-call: target "bound": out of luck`
			if panics {
				want = `test.hlo:5:8: %y: custom-call: target "bound": the handler panicked: out of luck`
			}
			for range 2 { // also after it has failed
				var err error
				for range 3 {
					if _, err = exe.Run(t.Context(), literal.Of([]uint8{1, 2, 3, 4})); err != nil {
						break
					}
				}
				if err == nil || !strings.HasPrefix(err.Error(), want) || errors.Is(err, lost) == panics {
					t.Errorf("expects %s, got %v", want, err)
				}
				var of *ffi.HandlerError
				if !errors.As(err, &of) || of.Target != "bound" {
					t.Errorf("expects an *ffi.HandlerError, got %#v", err)
				}
			}
		})
	}
}

// TestBoundCancelled: a run ends when its context does, whether the handler looks at it or the loop around it.
func TestBoundCancelled(t *testing.T) {
	why := errors.New("no longer wanted")
	for _, waits := range []bool{false, true} {
		eachBoundPlace(t, func(t *testing.T, compile func(*binder) *xla.Executable) {
			ctx, cancel := context.WithCancelCause(t.Context())
			calls := 0
			exe := compile(&binder{do: func(ctx context.Context, in, out [][]byte) error {
				copy(out[0], in[0])
				if calls++; calls == 1 {
					time.AfterFunc(time.Millisecond, func() { cancel(why) })
				}
				if waits {
					<-ctx.Done()
					return context.Cause(ctx)
				}
				return nil
			}})
			loops := strings.Contains(t.Name(), "loop") || strings.Contains(t.Name(), "while")
			end := time.AfterFunc(time.Minute, func() { panic(t.Name() + " does not end") })
			defer end.Stop()
			_, err := exe.Run(ctx, literal.Of([]uint8{1, 2, 3, 4}))
			if fails := waits || loops; fails && !errors.Is(err, why) || !fails && err != nil && !errors.Is(err, why) {
				t.Errorf("expects %v, got %v", why, err)
			}
			if waits && (calls != 1 || !strings.Contains(fmt.Sprint(err), `%y: custom-call: target "bound"`)) {
				t.Errorf("%d calls, %v", calls, err)
			}
		})
	}
}

// boundAliases are programs of x, f32[64], whose calls may be given the same memory twice: results in the place of
// operands, of arguments, of what a loop carries, operands that are one array.
var boundAliases = []struct{ name, text, want string }{
	{"aliased by the program", `HloModule m, input_output_alias={ {}: (0, {}, must-alias) }

ENTRY e {
  x = f32[64] parameter(0)
  ROOT y = f32[64] custom-call(x, x), custom_call_target="bound", output_to_operand_aliasing={{}: (0, {})}
}
`, "f"},
	{"in a row", `HloModule m

ENTRY e {
  x = f32[64] parameter(0)
  y = f32[64] custom-call(x, x), custom_call_target="bound", output_to_operand_aliasing={{}: (1, {})}
  z = f32[64] custom-call(y, x), custom_call_target="bound"
  ROOT w = f32[64] custom-call(z, z), custom_call_target="bound"
}
`, "fff"},
	{"carried", `HloModule m

body {
  s = (s32[], f32[64], f32[64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = f32[64] get-tuple-element(s), index=1
  b = f32[64] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[64] custom-call(a, b), custom_call_target="bound"
  ROOT t = (s32[], f32[64], f32[64]) tuple(next, y, a)
}

cond {
  s = (s32[], f32[64], f32[64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT l = pred[] compare(i, n), direction=LT
}

ENTRY e {
  x = f32[64] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[64], f32[64]) tuple(zero, x, x)
  w = (s32[], f32[64], f32[64]) while(s), condition=cond, body=body
  ROOT r = f32[64] get-tuple-element(w), index=1
}
`, "fffff"},
	{"in place of what is computed", `HloModule m

ENTRY e {
  x = f32[64] parameter(0)
  n = f32[64] negate(x)
  y = f32[64] custom-call(n, x), custom_call_target="bound"
  ROOT z = f32[64] add(y, n)
}
`, "f"},
}

// TestBoundAliasing: results have no memory in common with operands or one another, operands are not changed, and what
// was in the memory of a result does not show.
func TestBoundAliasing(t *testing.T) {
	for _, test := range boundAliases {
		t.Run(test.name, func(t *testing.T) {
			calls := 0
			b := &binder{do: func(_ context.Context, in, out [][]byte) error {
				calls++
				for i, o := range out {
					for _, other := range slices.Concat(in, out[:i]) {
						if overlaps(o, other) {
							return fmt.Errorf("call %d: result %d shares memory", calls, i)
						}
					}
					for k := range o {
						o[k] = 0xff
					}
				}
				for k := range out[0] {
					out[0][k] = in[0][k] ^ in[1][len(in[1])-1-k]&0x3f
				}
				return nil
			}}
			x := make([]float32, 64)
			for i := range x {
				x[i] = float32(i) / 3
			}
			exe, want := boundOn(t, testBackend(), b, test.text), boundOn(t, xla.Interp(), b, test.text)
			expected, err := want.Run(t.Context(), literal.Of(slices.Clone(x)))
			if err != nil {
				t.Fatal(err)
			}
			calls = 0
			for range 3 {
				arg := literal.Of(slices.Clone(x))
				got, err := exe.Run(t.Context(), arg)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(literal.Values[float32](arg), x) {
					t.Error("the argument has changed")
				}
				if !slices.Equal(got[0].Bytes(), expected[0].Bytes()) {
					t.Errorf("expects %v, got %v", expected[0], got[0])
				}
			}
			if int64(calls) != b.bound.Load() || calls != 3*len(test.want) {
				t.Errorf("%d calls, of them %d on the buffers of the program", calls, b.bound.Load())
			}
		})
	}
}

// overlaps reports whether two pieces of memory have bytes in common.
func overlaps(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	from, to := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return from < to+uintptr(len(b)) && to < from+uintptr(len(a))
}

// TestBoundEmpty: arrays without elements are operands and results like others.
func TestBoundEmpty(t *testing.T) {
	for _, test := range []struct{ from, to string }{
		{"f32[0]", "f32[0]"}, {"f32[0,3]", "f32[3,0]"}, {"f32[0,3]", "f32[2]"}, {"f32[2]", "f32[0,2]"}, {"f32[4,0]", "()"},
	} {
		b := &binder{do: func(_ context.Context, in, out [][]byte) error {
			for _, o := range out {
				clear(o)
			}
			return nil
		}}
		text := fmt.Sprintf(`HloModule m

ENTRY e {
  x = %[1]s parameter(0)
  n = %[1]s negate(x)
  y = %[2]s custom-call(n, x), custom_call_target="bound", custom_call_has_side_effect=true
  ROOT t = (%[2]s, %[1]s) tuple(y, n)
}
`, test.from, test.to)
		for _, backend := range []xla.Backend{testBackend(), xla.Interp()} {
			exe := boundOn(t, backend, b, text)
			arg := literal.New(exe.Signature().Params[0])
			out, err := exe.Run(t.Context(), arg)
			if want := exe.Signature().Result.Elems[0]; err != nil || !out[0].Shape().Equal(want) {
				t.Errorf("%s to %s, %s: %v, %v", test.from, test.to, backend.Name(), out, err)
			}
		}
		if n := b.bound.Load(); n != 1 {
			t.Errorf("%s to %s: %d calls on the buffers of the program", test.from, test.to, n)
		}
	}
}

// TestBoundAtOnce: one executable, called by several goroutines; each sees its own arrays, some runs fail, others are
// cancelled.
func TestBoundAtOnce(t *testing.T) {
	b := &binder{do: func(ctx context.Context, in, out [][]byte) error {
		copy(out[0], in[0])
		runtime.Gosched()
		if out[0][3]++; out[0][3] == 0 { // a run's counter is through
			switch in[0][0] % 3 {
			case 0:
				return fmt.Errorf("end of %d", in[0][0])
			case 1:
				panic(fmt.Sprintf("end of %d", in[0][0]))
			}
			<-ctx.Done()
			return fmt.Errorf("end of %d", in[0][0])
		}
		return nil
	}}
	exe := boundOn(t, testBackend(), b, boundPlaces()["while"])
	var group sync.WaitGroup
	for i := range 24 {
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			if i%3 != 2 {
				cancel()
				ctx, cancel = context.WithCancel(t.Context())
			}
			defer cancel()
			_, err := exe.Run(ctx, literal.Of([]uint8{uint8(i), 0, 0, uint8(i)}))
			ended := strings.Contains(fmt.Sprint(err), fmt.Sprintf("end of %d", i))
			if late := i%3 == 2 && errors.Is(err, context.DeadlineExceeded); !ended && !late {
				t.Errorf("run %d: %v", i, err)
			}
		})
	}
	group.Wait()
	if b.bound.Load() == 0 {
		t.Error("no call was done on the buffers of the program")
	}
}
