package gomlx

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// place is the address of the elements of a buffer.
func place(t *testing.T, b compute.Buffer) string {
	t.Helper()
	flat, err := b.Data()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%p", flat)
}

// shared returns a shared buffer with the elements of a.
func shared(t *testing.T, b compute.Backend, a array) compute.Buffer {
	t.Helper()
	x, flat, err := b.NewSharedBuffer(0, shapeOfArray(a))
	if err != nil {
		t.Fatal(err)
	}
	src, err := bytesOf(a.flat, shapeOfArray(a))
	if err != nil {
		t.Fatal(err)
	}
	copy(x.(*buffer).mem.Load().data, src)
	if got := place(t, x); got != fmt.Sprintf("%p", flat) {
		t.Errorf("the shared slice is at %p, the buffer at %s", flat, got)
	}
	return x
}

// step is a training step with momentum: of weights, momentum and gradient it makes both anew, the momentum first.
func step(f function, p values) (values, error) {
	decay, err := f.Constant([]float32{0.5})
	if err != nil {
		return nil, err
	}
	m, err := f.Mul(p[1], decay)
	if err != nil {
		return nil, err
	}
	if m, err = f.Add(m, p[2]); err != nil {
		return nil, err
	}
	w, err := f.Sub(p[0], m)
	return values{m, w}, err
}

// TestUpdateInPlace: the results of a training step are where the donated weights and momentum were, at every step.
func TestUpdateInPlace(t *testing.T) {
	for _, config := range []string{"", "run=interp"} {
		b := newBackend(t, config)
		in := []array{arr([]float32{8, 8}, 2), arr([]float32{0, 0}, 2), arr([]float32{1, 2}, 2)}
		exe := compileFor(t, b, in, step)
		w, m, g := shared(t, b, in[0]), shared(t, b, in[1]), shared(t, b, in[2])
		atW, atM := place(t, w), place(t, m)
		for range 3 {
			out, err := exe.Execute([]compute.Buffer{w, m, g}, []bool{true, true, false}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Data(); err == nil {
				t.Error("a donated buffer can still be read")
			}
			if m, w = out[0], out[1]; place(t, m) != atM || place(t, w) != atW {
				t.Errorf("weights went from %s to %s, momentum from %s to %s", atW, place(t, w), atM, place(t, m))
			}
		}
		check(t, literalOfBuffer(t, m), 1.75, 3.5)
		check(t, literalOfBuffer(t, w), 8-4.25, 8-8.5)
		check(t, literalOfBuffer(t, g), 1, 2)
		out, err := exe.Execute([]compute.Buffer{w, m, g}, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if place(t, out[0]) == atM || place(t, out[1]) == atW {
			t.Error("a result is in the memory of an input that is kept")
		}
	}
}

// TestDonateFailure: if one donated input is gone when its memory is taken, the others are what they were.
func TestDonateFailure(t *testing.T) {
	b := newBackend(t, "")
	in := []array{arr([]float32{8, 8}, 2), arr([]float32{0, 0}, 2), arr([]float32{1, 2}, 2)}
	exe := compileFor(t, b, in, step).(*Executable)
	w, m, g := shared(t, b, in[0]).(*buffer), shared(t, b, in[1]).(*buffer), shared(t, b, in[2]).(*buffer)
	list := []*buffer{w, m, g}
	ver, err := exe.find(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finalize(); err != nil {
		t.Fatal(err)
	}
	if _, err := ver.donors.take(list, []bool{true, true, false}, usesOf(list)); err == nil {
		t.Error("memory of a buffer that is gone was taken")
	}
	check(t, literalOfBuffer(t, m), 0, 0)
}

// TestDonors: what is kept of many parameters of one shape grows with their number, and no input serves two results.
func TestDonors(t *testing.T) {
	const n = 300
	b := newBackend(t, "")
	in := make([]array, n)
	for i := range in {
		in[i] = arr([]float32{float32(i)}, 1)
	}
	exe := compileFor(t, b, in, func(f function, p values) (values, error) {
		out := make(values, n)
		for i := range out {
			var err error
			if out[i], err = f.Neg(p[n-1-i]); err != nil {
				return nil, err
			}
		}
		out[0] = p[5]
		return out, nil
	}).(*Executable)
	inputs, donate := make([]*buffer, n), make([]bool, n)
	for i := range inputs {
		inputs[i], donate[i] = shared(t, b, in[i]).(*buffer), i != 7
	}
	ver, err := exe.find(inputs)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, list := range append(slices.Clone(ver.donors.near), ver.donors.groups...) {
		kept += len(list)
	}
	if kept != 2*n {
		t.Errorf("keeps %d numbers for %d parameters and results, want %d", kept, n, 2*n)
	}
	chosen := ver.donors.choose(inputs, donate, usesOf(inputs))
	seen := map[int]bool{}
	for k, c := range chosen {
		if c == 7 || c >= 0 && seen[c] {
			t.Errorf("result %d: input %d is kept or has a result", k, c)
		}
		seen[c] = true
	}
	if chosen[0] != 5 || chosen[1] != n-2 || !seen[-1] {
		t.Errorf("got %v", chosen)
	}
}

// TestDonateTwice: memory that is two inputs is not written over, and one donated input has one result.
func TestDonateTwice(t *testing.T) {
	b := newBackend(t, "")
	in := []array{arr([]float32{3, 4}, 2), arr([]float32{3, 4}, 2)}
	exe := compileFor(t, b, in, func(f function, p values) (values, error) {
		x, err := f.Reverse(p[0], 0)
		if err != nil {
			return nil, err
		}
		y, err := f.Sub(p[1], x)
		return values{x, y}, err
	})
	x := shared(t, b, in[0])
	out, err := exe.Execute([]compute.Buffer{x, x}, []bool{false, true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	check(t, literalOfBuffer(t, out[0]), 4, 3)
	check(t, literalOfBuffer(t, out[1]), -1, 1)
	x, y := shared(t, b, in[0]), shared(t, b, in[1])
	if out, err = exe.Execute([]compute.Buffer{x, y}, []bool{true, false}, 0); err != nil {
		t.Fatal(err)
	}
	check(t, literalOfBuffer(t, out[0]), 4, 3)
	check(t, literalOfBuffer(t, out[1]), -1, 1)
	if place(t, out[0]) == place(t, out[1]) {
		t.Error("two results in one memory")
	}
}

// TestDonateTypes: buffers of bools, of packed elements and of none can be donated.
func TestDonateTypes(t *testing.T) {
	b := newBackend(t, "")
	for _, s := range []shapes.Shape{shapes.Make(dtypes.Bool, 3), shapes.Make(dtypes.Int4, 4),
		shapes.Make(dtypes.Uint8, 0), shapes.Make(dtypes.Int8)} {
		builder := b.Builder("types")
		main := builder.Main()
		x, err := main.Parameter("x", s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := main.Return(values{x}, nil); err != nil {
			t.Fatal(err)
		}
		exe, err := builder.Compile()
		if err != nil {
			t.Fatal(err)
		}
		in, _, err := b.NewSharedBuffer(0, s)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exe.Execute([]compute.Buffer{in}, []bool{true}, 0)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if got, err := out[0].Shape(); err != nil || !got.Equal(s) {
			t.Errorf("%s: got %s, %v", s, got, err)
		}
	}
}

// TestDevices copies buffers between two devices, and runs a computation on the second one.
func TestDevices(t *testing.T) {
	b := newBackend(t, "devices=2")
	in := []array{arr([]float32{1, 2}, 2)}
	x := shared(t, b, in[0])
	y, err := x.CopyToDevice(1)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := y.DeviceNum(); err != nil || d != 1 || place(t, x) == place(t, y) {
		t.Errorf("the copy is on device %d, %v, at %s of %s", d, err, place(t, y), place(t, x))
	}
	flat, err := y.Data()
	if err != nil {
		t.Fatal(err)
	}
	flat.([]float32)[0] = 5
	check(t, literalOfBuffer(t, x), 1, 2)
	exe := compileFor(t, b, in, one(func(f function, p values) (compute.Value, error) { return f.Neg(p[0]) }))
	at := place(t, y)
	out, err := exe.Execute([]compute.Buffer{y}, []bool{true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	check(t, literalOfBuffer(t, out[0]), -5, -2)
	if d, err := out[0].DeviceNum(); err != nil || d != 1 || place(t, out[0]) != at {
		t.Errorf("the result is on device %d, %v, at %s, the input was at %s", d, err, place(t, out[0]), at)
	}
	if _, err := x.CopyToDevice(2); err == nil {
		t.Error("there is a third of two devices")
	}
}
