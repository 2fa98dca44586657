package gomlx

import (
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// negation is a computation with one operation.
var negation = one(func(f function, p values) (compute.Value, error) { return f.Neg(p[0]) })

// fails checks that an error has a text in it.
func fails(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want an error with %q", err, text)
	}
}

// TestFinalize: an executable and a backend that were finalized, once or twice, refuse work; buffers can be read.
func TestFinalize(t *testing.T) {
	for _, config := range []string{"", "run=interp"} {
		b := newBackend(t, config)
		in := []array{arr([]float32{1, 2}, 2)}
		exe, kept := compileFor(t, b, in, negation), compileFor(t, b, in, negation)
		x := shared(t, b, in[0])
		exe.Finalize()
		exe.Finalize()
		_, err := exe.Execute([]compute.Buffer{x}, nil, 0)
		fails(t, err, "the executable was finalized")
		if _, err := kept.Execute([]compute.Buffer{x}, nil, 0); err != nil {
			t.Error(err)
		}
		f := b.Builder("open").Main()
		b.Finalize()
		b.Finalize()
		_, err = kept.Execute([]compute.Buffer{x}, []bool{true}, 0)
		fails(t, err, "backend goxla was finalized")
		if versions := &kept.(*Executable).versions; !versions.closed || versions.latest() != nil {
			t.Error("what was compiled is kept")
		}
		_, err = f.Parameter("x", scalarF32, nil)
		fails(t, err, "backend goxla was finalized")
		_, err = x.CopyToDevice(0)
		fails(t, err, "backend goxla was finalized")
		check(t, literalOfBuffer(t, x), 1, 2)
		if err := x.Finalize(); err != nil {
			t.Error(err)
		}
	}
}

// TestWrongInputs: what cannot be executed is refused by its name.
func TestWrongInputs(t *testing.T) {
	b := newBackend(t, "devices=2")
	in := []array{arr([]float32{1, 2}, 2)}
	exe := compileFor(t, b, in, negation)
	x := shared(t, b, in[0])
	for _, d := range []compute.DeviceNum{-1, 2} {
		_, err := exe.Execute([]compute.Buffer{x}, nil, d)
		fails(t, err, "expected a device below 2")
	}
	_, err := exe.Execute(nil, nil, 0)
	fails(t, err, "expected 1 inputs for each of 1 devices, got 0")
	_, err = exe.Execute([]compute.Buffer{x}, []bool{true, true}, 0)
	fails(t, err, "of 1 inputs whether they are donated, got 2")
	_, err = exe.Execute([]compute.Buffer{nil}, nil, 0)
	fails(t, err, "expected a buffer of backend")
	_, err = exe.Execute([]compute.Buffer{shared(t, newBackend(t, ""), in[0])}, nil, 0)
	fails(t, err, "got one of another")
	_, err = exe.Execute([]compute.Buffer{shared(t, b, arr([]float32{1, 2, 3}, 3))}, nil, 0)
	fails(t, err, `input 0 "x0": expected an array of shape (Float32)[2], got (Float32)[3]`)
	check(t, literalOfBuffer(t, x), 1, 2)
}

// TestErrorPlace: an error of the compiler names the operation of GoMLX and which of all it is.
func TestErrorPlace(t *testing.T) {
	b := newBackend(t, "memory=1000")
	f := b.Builder("large").Main()
	x, err := f.Parameter("x", scalarF32, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x, err = f.BroadcastInDim(x, shapes.Make(dtypes.Float32, 30, 20), nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Return(values{x}, nil); err != nil {
		t.Fatal(err)
	}
	_, err = f.Builder().Compile()
	fails(t, err, `computation "large": BroadcastInDim:2: %broadcast: broadcast: large needs 2400 bytes`)
}

// TestAssignments refuses devices and meshes that do not go with each other.
func TestAssignments(t *testing.T) {
	b := newBackend(t, "devices=4")
	builder := b.Builder("assigned")
	if err := builder.DeviceAssignment(3); err != nil {
		t.Fatal(err)
	}
	if err := builder.DistributedSPMD(2); err != nil {
		t.Fatal(err)
	}
	if err := builder.Main().Return(nil, nil); err != nil {
		t.Fatal(err)
	}
	_, err := builder.Compile()
	fails(t, err, "expected 2 devices to be assigned")
	ab := []string{"a", "b"}
	for _, list := range [][]compute.Mesh{
		{},
		{{Name: "negative", AxesSizes: []int{-2, -2}, AxesNames: ab}},
		{{Name: "large", AxesSizes: []int{2, 3}, AxesNames: ab}},
		{{Name: "names", AxesSizes: []int{2, 2}, AxesNames: []string{"a", "a"}}},
		{{Name: "axes", AxesSizes: []int{2, 2}, AxesNames: ab[:1]}},
		{{Name: "few", AxesSizes: []int{2, 2}, AxesNames: ab, LogicalDeviceAssignment: []int{0, 1}}},
		{{Name: "outside", AxesSizes: []int{1, 2}, AxesNames: ab, LogicalDeviceAssignment: []int{0, 2}}},
		{{Name: "below", AxesSizes: []int{1, 2}, AxesNames: ab, LogicalDeviceAssignment: []int{0, -1}}},
		{{Name: "twice", AxesSizes: []int{1, 2}, AxesNames: ab, LogicalDeviceAssignment: []int{1, 1}}},
		{{Name: "m", AxesSizes: []int{1}, AxesNames: ab[:1]}, {Name: "m", AxesSizes: []int{2}, AxesNames: ab[:1]}},
	} {
		if err := b.Builder("meshes").DistributedAutoSharding(list...); err == nil {
			t.Errorf("meshes %v were taken", list)
		}
	}
}
