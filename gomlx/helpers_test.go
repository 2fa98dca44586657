package gomlx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla/literal"
)

// buildFunc makes a computation of parameters.
type buildFunc func(f compute.Function, p []compute.Value) ([]compute.Value, error)

// one is a buildFunc with one result.
func one(build func(f compute.Function, p []compute.Value) (compute.Value, error)) buildFunc {
	return func(f compute.Function, p []compute.Value) ([]compute.Value, error) {
		v, err := build(f, p)
		return []compute.Value{v}, err
	}
}

// array is an input: a flat with its sizes.
type array struct {
	flat any
	dims []int
}

// arr is an array of given sizes; a scalar without.
func arr[T any](flat []T, dims ...int) array { return array{flat, dims} }

// compileFor returns build as a computation of backend b for inputs.
func compileFor(t *testing.T, b compute.Backend, inputs []array, build buildFunc) compute.Executable {
	t.Helper()
	builder := b.Builder("test")
	main := builder.Main()
	params := make([]compute.Value, len(inputs))
	for i, in := range inputs {
		var err error
		if params[i], err = main.Parameter(fmt.Sprint("x", i), shapeOfArray(in), nil); err != nil {
			t.Fatal(err)
		}
	}
	out, err := build(main, params)
	if err != nil {
		t.Fatalf("%+v", err)
	}
	if err := main.Return(out, nil); err != nil {
		t.Fatal(err)
	}
	exe, err := builder.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

func shapeOfArray(a array) shapes.Shape {
	return shapes.Shape{DType: flatDType(a.flat), Dimensions: append([]int{}, a.dims...)}
}

// results runs an executable and returns its results.
func results(t *testing.T, b compute.Backend, exe compute.Executable, inputs []array) []literal.Literal {
	t.Helper()
	buffers := make([]compute.Buffer, len(inputs))
	for i, in := range inputs {
		var err error
		if buffers[i], err = b.BufferFromFlatData(0, in.flat, shapeOfArray(in)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exe.Execute(buffers, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]literal.Literal, len(out))
	for i, o := range out {
		if list[i], err = o.(*buffer).literal(); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// compare runs build on the compiler and on the evaluator, compares, and returns the results of the evaluator.
func compare(t *testing.T, inputs []array, build buildFunc) []literal.Literal {
	t.Helper()
	var lists [2][]literal.Literal
	for i, config := range []string{"threads=2", "run=interp"} {
		b := newBackend(t, config)
		lists[i] = results(t, b, compileFor(t, b, inputs, build), inputs)
	}
	close := literal.Tolerance{Rule: literal.WithinRelative, Rel: 1e-5, Abs: 1e-5}
	for i, want := range lists[1] {
		if err := literal.Compare(lists[0][i], want, close); err != nil {
			t.Errorf("result %d: compiled and evaluated: %v", i, err)
		}
	}
	return lists[1]
}

// check compares a result with the elements that are wanted.
func check(t *testing.T, got literal.Literal, want ...float64) {
	t.Helper()
	if got.Len() != len(want) {
		t.Fatalf("got %s, want %v", got.AppendGolden(nil), want)
	}
	for i, w := range want {
		g := got.FloatAt(i)
		if math.Abs(g-w) > 1e-5*math.Max(1, math.Abs(w)) || math.IsNaN(g) != math.IsNaN(w) {
			t.Fatalf("element %d: got %v, want %v in %s", i, g, w, got.AppendGolden(nil))
		}
	}
}

// random are n numbers around 0.
func random(seed uint64, n int) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

// randomBytes are n bytes.
func randomBytes(seed uint64, n int) []uint8 {
	r := rand.New(rand.NewPCG(seed, 2))
	out := make([]uint8, n)
	for i := range out {
		out[i] = uint8(r.Uint32())
	}
	return out
}

// flatDType returns the data type of a flat.
func flatDType(flat any) dtypes.DType { return dtypes.FromGoType(reflect.TypeOf(flat).Elem()) }

// literalOfBuffer returns the array in a buffer.
func literalOfBuffer(t *testing.T, b compute.Buffer) literal.Literal {
	t.Helper()
	l, err := b.(*buffer).literal()
	if err != nil {
		t.Fatal(err)
	}
	return l
}
