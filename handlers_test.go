package xla_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
)

// scale multiplies by an attribute.
func scale(_ context.Context, c *ffi.Call) error {
	var config struct {
		Factor float32 `ffi:"factor"`
		Shift  int32   `ffi:"shift,optional"`
	}
	if err := ffi.Decode(c.Attributes, &config); err != nil {
		return err
	}
	x, y := literal.Values[float32](c.Operands[0]), literal.Values[float32](c.Results[0])
	for i := range x {
		y[i] = float32(x[i]*config.Factor) + float32(config.Shift)
	}
	return nil
}

// describe gives what the handler sees as an error.
func describe(_ context.Context, c *ffi.Call) error {
	return fmt.Errorf("%v config=%q operands=%v results=%v aliases=%v literal=%v computations=%d", c.Version, c.Config,
		c.Operands, c.Results, c.Aliases, c.Literal.IsValid(), len(c.Computations))
}

// apply calls the called computation.
func apply(_ context.Context, c *ffi.Call) error {
	v, err := c.Computations[0](c.Operands...)
	c.Results[0] = v
	return err
}

// double adds the operand to what a result that is aliased to it holds.
func double(_ context.Context, c *ffi.Call) error {
	x, y := literal.Values[float32](c.Operands[0]), literal.Values[float32](c.Results[1])
	for i := range x {
		y[i] += x[i]
	}
	c.Results[0].SetInt(0, int64(len(x)))
	return nil
}

// shorten leaves the first element of a dynamic result.
func shorten(_ context.Context, c *ffi.Call) (err error) {
	c.Results[0], err = c.Operands[0].Slice([]int{0}, []int{1}, nil)
	return err
}

// first returns the bytes of the first operand in the order in which the handler sees them.
func first(_ context.Context, c *ffi.Call) error {
	copy(c.Results[0].Bytes(), c.Operands[0].Bytes())
	return nil
}

var testHandlers = ffi.Handlers{"scale": ffi.Func(scale), "describe": ffi.Func(describe), "apply": ffi.Func(apply),
	"double": ffi.Func(double), "shorten": ffi.Func(shorten), "first": ffi.Func(first), "TopK": ffi.Func(first),
	"first of rows": ffi.RowMajor{Handler: ffi.Func(first)}, "double of zero": ffi.RowMajor{Handler: ffi.Func(double)}}

func TestCustomCalls(t *testing.T) {
	tests := []struct {
		name, shape, call string // of the root; x is f32[2] {1, 2}, m is f32[2,2] {{1, 2}, {3, 4}}
		want              string // results, or part of the error
	}{
		{"typed attributes", "f32[2]", `custom-call(x), custom_call_target="scale", api_version=API_VERSION_TYPED_FFI,
			backend_config={factor = 3.0 : f32, shift = -1 : i32}`, "[f32[2] {2, 5}]"},
		{"JSON", "f32[2]", `custom-call(x), custom_call_target="scale", backend_config={"factor": 2}`, "[f32[2] {2, 4}]"},
		{"wrong attribute type", "f32[2]", `custom-call(x), custom_call_target="scale",
			api_version=API_VERSION_TYPED_FFI, backend_config={factor = 3 : i32}`,
			`target "scale": attribute "factor": expects a float32, got s32[] 3`},
		{"not a dictionary", "f32[2]", `custom-call(x), custom_call_target="scale",
			api_version=API_VERSION_TYPED_FFI, backend_config="factor"`, "backend_config: attributes, column 1: expects '{'"},
		{"opaque text", "f32[2]", `custom-call(x), custom_call_target="describe",
			api_version=API_VERSION_STATUS_RETURNING, backend_config="some text"`,
			`API_VERSION_STATUS_RETURNING config="some text" operands=`},
		{"called computation", "f32[2]", `custom-call(x), custom_call_target="apply", called_computations={neg}`,
			"[f32[2] {-1, -2}]"},
		{"aliases and a tuple", "(s32[], f32[2])", `custom-call(x), custom_call_target="double",
			output_to_operand_aliasing={{1}: (0, {})}`, "[s32[] 2 f32[2] {2, 4}]"},
		{"dynamic result", "f32[<=2]", `custom-call(x), custom_call_target="shorten"`, "[f32[1] {1}]"},
		{"too short", "f32[2]", `custom-call(x), custom_call_target="shorten"`,
			`target "shorten": result 0: expects f32[2]{0}, got f32[1]{0}`},
		{"default layouts", "f32[2,2]{0,1}", `custom-call(m), custom_call_target="first"`, "[f32[2,2] {{1, 2}, {3, 4}}]"},
		{"given layouts", "f32[2,2]{1,0}", `custom-call(m), custom_call_target="first",
			operand_layout_constraints={f32[2,2]{0,1}}`, "[f32[2,2] {{1, 3}, {2, 4}}]"},
		{"result layout", "f32[2,2]{0,1}", `custom-call(m), custom_call_target="first",
			operand_layout_constraints={f32[2,2]{1,0}}`, "[f32[2,2] {{1, 3}, {2, 4}}]"},
		{"given layouts, in row-major order all the same", "f32[2,2]{1,0}", `custom-call(m),
			custom_call_target="first of rows", operand_layout_constraints={f32[2,2]{0,1}}`,
			"[f32[2,2] {{1, 2}, {3, 4}}]"},
		{"aliases that are zero", "(s32[], f32[2])", `custom-call(x), custom_call_target="double of zero",
			output_to_operand_aliasing={{1}: (0, {})}`, "[s32[] 2 f32[2] {1, 2}]"},
		{"a handler in front of the evaluator's own", "f32[2]", `custom-call(x), custom_call_target="TopK"`,
			"[f32[2] {1, 2}]"},
		{"unknown target", "f32[2]", `custom-call(x), custom_call_target="myfunc2"`,
			`%r: custom-call: custom_call_target: expects a handler for "myfunc2", got none`},
	}
	client := newClient(t, xla.Options{Handlers: testHandlers})
	for _, test := range tests {
		text := "HloModule m\n\nneg {\n  p = f32[2] parameter(0)\n  ROOT n = f32[2] negate(p)\n}\n\n" +
			"ENTRY e {\n  x = f32[2] parameter(0)\n  m = f32[2,2] parameter(1)\n  ROOT r = " +
			test.shape + " " + test.call + "\n}\n"
		got, err := runText(t, client, text, literal.Of([]float32{1, 2}), literal.Of([][]float32{{1, 2}, {3, 4}}))
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestUnreachedCalls: a call without a handler in a branch fails where it is reached, and nowhere else.
func TestUnreachedCalls(t *testing.T) {
	const text = `HloModule m

check {
  p = f32[3] parameter(0)
  q = f32[3] custom-call(p), custom_call_target="xla_ffi_python_cpu_callback", metadata={op_name="jit(f)/error_if"}
  ROOT c = f32[3] custom-call(q), custom_call_target="raise"
}

pass {
  ROOT p = f32[3] parameter(0)
}

ENTRY e {
  x = f32[3] parameter(0)
  i = s32[] parameter(1)
  y = f32[3] negate(x)
  r = f32[3] conditional(i, y, y), branch_computations={pass, check}
  ROOT z = f32[3] multiply(r, r)
}
`
	for _, backend := range []xla.Backend{xla.CPU(), xla.Interp()} {
		client := newClient(t, xla.Options{Backend: backend})
		x := literal.Of([]float32{1, 2, 3})
		got, err := runText(t, client, text, x, literal.Of(int32(0)))
		if want := "[f32[3] {1, 4, 9}]"; err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", backend.Name(), got, err, want)
		}
		_, err = runText(t, client, text, x, literal.Of(int32(1)))
		want := `%q: custom-call: expects a handler for "xla_ffi_python_cpu_callback", got none (a check of the program ` +
			`that fails calls Python so), at jit(f)/error_if`
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", backend.Name(), err, want)
		}
	}
}

// nexter is a handler that works on memory. Its attribute says what it does wrong.
type nexter struct{ bound int }

func (d *nexter) Call(context.Context, *ffi.Call) error { return errors.New("called with literals") }

func (d *nexter) Bind(s *ffi.Signature) (ffi.Bound, error) {
	d.bound++
	wrong, err := ffi.Get[string](s.Attributes, "wrong")
	if err != nil || wrong == "bind" {
		return nil, errors.New("not to be bound")
	}
	return func(_ context.Context, in, out [][]byte) error {
		switch wrong {
		case "panic":
			panic("oh")
		case "error":
			return fmt.Errorf("%d operands, %d results", len(in), len(out))
		}
		for i, x := range in[0] {
			out[0][i] = x + 1
		}
		return nil
	}, nil
}

// TestBoundCalls: a handler that works on memory is bound once, in a loop too, and its errors have a place.
func TestBoundCalls(t *testing.T) {
	for _, test := range []struct{ shape, wrong, want string }{
		{"u8[3]", "nothing", "[u8[3] {201, 202, 203}]"},
		{"u8[3]", "error", `target "next": 1 operands, 1 results`},
		{"u8[3]", "panic", `target "next": the handler panicked: oh`},
		{"u8[3]", "bind", `target "next": called with literals`},
		{"u8[<=3]", "nothing", `target "next": called with literals`},
	} {
		d := &nexter{}
		client := newClient(t, xla.Options{Handlers: ffi.Handlers{"next": ffi.RowMajor{Handler: d}}})
		text := strings.NewReplacer("SHAPE", test.shape, "WRONG", test.wrong).Replace(`HloModule m

body {
  s = (s32[], SHAPE) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = SHAPE get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = SHAPE custom-call(x), custom_call_target="next", api_version=API_VERSION_TYPED_FFI,
    backend_config={wrong = "WRONG"}
  ROOT t = (s32[], SHAPE) tuple(next, y)
}

cond {
  s = (s32[], SHAPE) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(200)
  ROOT l = pred[] compare(i, n), direction=LT
}

ENTRY e {
  x = SHAPE parameter(0)
  zero = s32[] constant(0)
  s = (s32[], SHAPE) tuple(zero, x)
  w = (s32[], SHAPE) while(s), condition=cond, body=body
  ROOT r = SHAPE get-tuple-element(w), index=1
}
`)
		got, err := runText(t, client, text, literal.Of([]uint8{1, 2, 3}))
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s, %s:\n got %s\nwant %s", test.shape, test.wrong, got, test.want)
		}
		if static := !strings.Contains(test.shape, "<"); static && d.bound != 1 {
			t.Errorf("%s, %s: bound %d times", test.shape, test.wrong, d.bound)
		}
	}
}

// runText compiles and runs a program and returns the results as text.
func runText(t testing.TB, client *xla.Client, text string, args ...literal.Literal) (string, error) {
	t.Helper()
	exe, err := client.Compile(t.Context(), parse(t, text))
	if err != nil {
		return "", err
	}
	out, err := exe.Run(t.Context(), args...)
	var list []string
	for _, l := range out {
		list = append(list, string(l.AppendGolden(nil)))
	}
	return fmt.Sprint(list), err
}

// A program calls a Go function.
func Example_customCall() {
	const text = `HloModule m

ENTRY e {
  x = f32[3] parameter(0)
  ROOT r = f32[3] custom-call(x), custom_call_target="scale", api_version=API_VERSION_TYPED_FFI,
    backend_config={factor = 10.0 : f32}
}
`
	client, err := xla.NewClient(xla.Options{Handlers: ffi.Handlers{
		"scale": ffi.Func(func(_ context.Context, c *ffi.Call) error {
			factor, err := ffi.Get[float32](c.Attributes, "factor")
			if err != nil {
				return err
			}
			x, y := literal.Values[float32](c.Operands[0]), literal.Values[float32](c.Results[0])
			for i := range x {
				y[i] = x[i] * factor
			}
			return nil
		}),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	prog, err := xla.Parse("scale.hlo", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	exe, err := client.Compile(context.Background(), prog)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := exe.Run(context.Background(), literal.Of([]float32{1, 2, 3}))
	fmt.Println(out, err)
	// Output: [f32[3]{0} {10, 20, 30}] <nil>
}
