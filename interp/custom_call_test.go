package interp_test

import (
	"context"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestCustomCallsKept: the attributes of a custom call are taken apart once for all runs that share what is kept.
func TestCustomCallsKept(t *testing.T) {
	m, err := hlotext.Parse(`HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  ROOT c = f32[2] custom-call(x), custom_call_target="twice", api_version=API_VERSION_TYPED_FFI,
    backend_config={axis = 1 : i32}
}
`, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var seen []ffi.Dict
	handlers := ffi.Handlers{"twice": ffi.Func(func(_ context.Context, c *ffi.Call) error {
		seen = append(seen, c.Attributes)
		for k := range 2 {
			c.Results[0].SetFloat(k, 2*c.Operands[0].FloatAt(k))
		}
		return nil
	})}
	kept := new(interp.CustomCalls)
	for _, calls := range []*interp.CustomCalls{kept, kept, nil} {
		x := literal.New(shape.Make(shape.F32, 2))
		x.SetFloat(1, float64(len(seen)+1))
		got, err := interp.Run(t.Context(), m, []literal.Literal{x}, interp.Options{Handlers: handlers, Calls: calls})
		if err != nil {
			t.Fatal(err)
		}
		if want := 2 * float64(len(seen)); got.FloatAt(1) != want {
			t.Errorf("expected %g, got %g", want, got.FloatAt(1))
		}
	}
	if len(seen) != 3 || len(seen[0]) != 1 || &seen[0][0] != &seen[1][0] || &seen[0][0] == &seen[2][0] {
		t.Errorf("expected the attributes of the first two runs to be the same, got %v", seen)
	}
}
