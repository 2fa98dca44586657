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
		{nil, "xla: the program is (Arg_0: f32[?,3]) -> f32[?,3] (a ? is a size that the arguments give): " +
			"expects the shapes of 1 arguments, got 0"},
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

// TestPolymorphicHints: what a program of unknown sizes cannot do says what can, and which sizes are not known.
func TestPolymorphicHints(t *testing.T) {
	prog, err := xla.Parse("rows.mlir", []byte(anyRows))
	if err != nil {
		t.Fatal(err)
	}
	client, exe := newClient(t, xla.Options{}), compile(t, prog)
	const sig = "xla: the program is (Arg_0: f32[?,3]) -> f32[?,3] (a ? is a size that the arguments give): "
	const buffers = sig + "expects the executable that Executable.ForShapes returns for the shapes of the buffers"
	_, compiling := client.Compile(t.Context(), prog.Module())
	_, running := exe.RunBuffers(t.Context(), nil)
	_, replicated := exe.RunReplicated(t.Context(), nil)
	_, fitting := prog.WithShapes(shape.Make(shape.F32, 4))
	for _, c := range []struct {
		got  error
		want string
	}{
		{compiling, "compile the *Program, or what its WithShapes returns"},
		{running, buffers},
		{exe.RunInto(t.Context(), nil, nil), buffers},
		{exe.RunReplicatedInto(t.Context(), nil, nil), buffers},
		{replicated, sig + "expects the shapes of 1 arguments, got 0"},
		{fitting, sig + "parameter 0: expects a shape that fits f32[?,3], got f32[4]"},
	} {
		if c.got == nil || !strings.Contains(c.got.Error(), c.want) {
			t.Errorf("got %v, want %s", c.got, c.want)
		}
	}
	bounded := compile(t, parse(t, "ENTRY e {\n  p = f32[<=5] parameter(0)\n  ROOT r = f32[<=5] add(p, p)\n}\n"))
	b, err := client.BufferOf(literal.New(shape.Make(shape.F32, 3)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = bounded.RunBuffers(t.Context(), []*xla.Buffer{b})
	const want = "is f32[<=5]: expects arrays of constant size for buffers; Run takes it"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Error(err)
	}
}
