package xla_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestPolymorphic: an executable of unknown sizes runs on any that fit, from many goroutines, and compiles
// once for each.
func TestPolymorphic(t *testing.T) {
	prog, err := xla.Parse("rows.mlir", []byte(anyRows))
	if err != nil {
		t.Fatal(err)
	}
	exe := compile(t, prog)
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			rows := 1 + i%3
			out, err := exe.Run(t.Context(), literal.New(shape.Make(shape.F32, rows, 3)))
			if err != nil || literal.At[float32](out[0], rows-1, 2) != float32(rows-1) {
				t.Errorf("%d rows: %v, %v", rows, out, err)
			}
		})
	}
	wg.Wait()
	if n := exe.Compilations(); n != 3 {
		t.Errorf("%d compilations, want 3", n)
	}
	one, err := exe.ForShapes(t.Context(), shape.Make(shape.F32, 2, 3))
	if err != nil || one.Module() == nil || exe.Module() != nil || one.Compilations() != 1 {
		t.Errorf("the executable for one shape: %v, %v", one, err)
	}
	if again, err := one.ForShapes(t.Context(), shape.Make(shape.F32, 2, 3)); again != one || err != nil {
		t.Errorf("the executable for its own shape: %v, %v", again, err)
	}
	args := [][]literal.Literal{{literal.New(shape.Make(shape.F32, 4, 3))}}
	if out, err := exe.RunReplicated(t.Context(), args); err != nil || out[0][0].Dims()[0] != 4 {
		t.Errorf("on one replica: %v, %v", out, err)
	}
}

// TestPolymorphicErrors: arguments that do not fit.
func TestPolymorphicErrors(t *testing.T) {
	prog, err := xla.Parse("rows.mlir", []byte(anyRows))
	if err != nil {
		t.Fatal(err)
	}
	exe := compile(t, prog)
	for _, c := range []struct {
		args []literal.Literal
		want string
	}{
		{nil, "expects 1 shapes, got 0"},
		{[]literal.Literal{literal.New(shape.Make(shape.F32, 2, 4))}, "expects a shape that fits f32[?,3]"},
		{[]literal.Literal{literal.New(shape.Make(shape.S32, 2, 3))}, "expects a shape that fits f32[?,3]"},
		{[]literal.Literal{{}}, "argument 0: expects a value, got none"},
	} {
		if _, err := exe.Run(t.Context(), c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.args, err, c.want)
		}
	}
	if n := exe.Compilations(); n != 0 {
		t.Errorf("%d compilations of what does not fit", n)
	}
}
