package gomlx

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla/literal"
)

// stepOf is a computation, on two devices as distribute says, with two parameters of shape s: weights and a gradient.
func stepOf(t *testing.T, b compute.Backend, s shapes.Shape, distribute func(b compute.Builder) error,
	build buildFunc) *Executable {
	t.Helper()
	builder := b.Builder("step")
	if err := distribute(builder); err != nil {
		t.Fatal(err)
	}
	f := builder.Main()
	out, err := build(f, parametersOf(t, f, s))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Return(out, nil); err != nil {
		t.Fatal(err)
	}
	exe, err := builder.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return exe.(*Executable)
}

func onTwo(b compute.Builder) error { return b.DistributedSPMD(2) }

// meanStep takes the sum of the gradients of all devices from the weights.
func meanStep(f function, p values) (values, error) {
	sum, err := f.AllReduce(values{p[1]}, compute.ReduceOpSum, [][]int{{0, 1}})
	if err != nil {
		return nil, err
	}
	w, err := f.Sub(p[0], sum[0])
	return values{w}, err
}

// sharedOn returns shared buffers of two numbers each, device by device.
func sharedOn(t *testing.T, b compute.Backend, devices int, lists ...[]float32) []compute.Buffer {
	t.Helper()
	out := make([]compute.Buffer, len(lists))
	for i, list := range lists {
		x, flat, err := b.NewSharedBuffer(compute.DeviceNum(i*devices/len(lists)), shapes.Make(dtypes.Float32, 2))
		if err != nil {
			t.Fatal(err)
		}
		copy(flat.([]float32), list)
		out[i] = x
	}
	return out
}

// TestReplicatedInPlace: the weights of each device stay where they were donated; what is kept is not written.
func TestReplicatedInPlace(t *testing.T) {
	for _, config := range []string{"devices=2", "devices=2,run=interp"} {
		b := newBackend(t, config)
		exe := stepOf(t, b, shapes.Make(dtypes.Float32, 2), onTwo, meanStep)
		in := sharedOn(t, b, 2, []float32{8, 8}, []float32{1, 2}, []float32{4, 4}, []float32{0, 1})
		at := []string{place(t, in[0]), place(t, in[2])}
		for range 2 {
			out, err := exe.Execute(in, []bool{true, false, true, false}, 0)
			if err != nil {
				t.Fatal(err)
			}
			in[0], in[2] = out[0], out[1]
			for d, w := range out {
				if got, err := w.DeviceNum(); place(t, w) != at[d] || err != nil || got != compute.DeviceNum(d) {
					t.Errorf("%s: weights of device %d went to %d, from %s to %s, %v", config, d, got, at[d], place(t, w), err)
				}
			}
		}
		check(t, literalOfBuffer(t, in[0]), 6, 2)
		check(t, literalOfBuffer(t, in[2]), 2, -2)
		check(t, literalOfBuffer(t, in[1]), 1, 2)
		out, err := exe.Execute([]compute.Buffer{in[0], in[1], in[0], in[1]}, []bool{true, false, true, false}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := place(t, out[0]), place(t, out[1]); a == at[0] || b == at[0] || a == b {
			t.Errorf("%s: results are at %s and %s, the input of both devices was at %s", config, a, b, at[0])
		}
		check(t, literalOfBuffer(t, out[0]), 4, -2)
		check(t, literalOfBuffer(t, out[1]), 4, -2)
	}
}

// TestGiveBack: where a run does not begin, all donated inputs are what they were, those of other devices too.
func TestGiveBack(t *testing.T) {
	b := newBackend(t, "devices=2")
	exe := stepOf(t, b, shapes.Make(dtypes.Float32, 2), onTwo, meanStep)
	in := sharedOn(t, b, 2, []float32{8, 8}, []float32{1, 2}, []float32{4, 4}, []float32{0, 1})
	list, err := exe.inputs(in)
	if err != nil {
		t.Fatal(err)
	}
	donate, devices := []bool{true, false, true, false}, []compute.DeviceNum{0, 1}
	ver, err := exe.find(list)
	if err != nil {
		t.Fatal(err)
	}
	right, donors := ver.results, ver.donors
	ver.results = []shapes.Shape{right[0], shapes.Make(dtypes.Float32, 1<<40)} // the first one has its memory by then
	ver.donors.near, ver.donors.alike = append(donors.near, nil), append(donors.alike, -1)
	_, err = exe.runEach(list, donate, devices)
	fails(t, err, "device 0: output 1: expected an array of at most")
	check(t, literalOfBuffer(t, in[0]), 8, 8)
	ver.results, ver.donors = right, donors
	if err := list[3].Finalize(); err != nil { // as by another goroutine, behind the checks
		t.Fatal(err)
	}
	_, err = exe.runEach(list, donate, devices)
	fails(t, err, "device 1: input 1: expected a buffer in use")
	check(t, literalOfBuffer(t, in[0]), 8, 8)
	in[3] = shared(t, b, arr([]float32{0, 1, 2}, 3))
	_, err = exe.Execute(in, donate, 0)
	fails(t, err, `input 3 "": expected an array of shape (Float32)[2], got (Float32)[3]`)
	check(t, literalOfBuffer(t, in[0]), 8, 8)
	check(t, literalOfBuffer(t, in[2]), 4, 4)
}

// TestShardedInPlace: what all devices have in common is not copied for the first one, and stays where it was donated.
func TestShardedInPlace(t *testing.T) {
	b := newBackend(t, "devices=2")
	exe := stepOf(t, b, shapes.Make(dtypes.Float32, 2), func(b compute.Builder) error {
		return b.DistributedAutoSharding(compute.Mesh{Name: "m", AxesSizes: []int{2}, AxesNames: []string{"a"}})
	}, func(f function, p values) (values, error) {
		w, err := f.Sub(p[0], p[1])
		return values{w}, err
	})
	in := sharedOn(t, b, 2, []float32{8, 8}, []float32{1, 2}, []float32{8, 8}, []float32{1, 2})
	at := place(t, in[0])
	out, err := exe.Execute(in, []bool{true, false, true, false}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for d, w := range out {
		check(t, literalOfBuffer(t, w), 7, 6)
		if got, err := w.DeviceNum(); err != nil || got != compute.DeviceNum(d) {
			t.Errorf("result %d is on device %d, %v", d, got, err)
		}
	}
	if place(t, out[0]) != at || place(t, out[1]) == at {
		t.Errorf("results are at %s and %s, the input was at %s", place(t, out[0]), place(t, out[1]), at)
	}
	check(t, literalOfBuffer(t, in[1]), 1, 2)
	for i, gone := range []bool{true, false, true, false} {
		if _, err := in[i].Data(); (err != nil) != gone {
			t.Errorf("input %d: %v", i, err)
		}
	}
}

// TestShardedTypes spreads arrays of truth values and of packed elements over three devices, in uneven parts.
func TestShardedTypes(t *testing.T) {
	b := newBackend(t, "devices=3")
	for _, dt := range []dtypes.DType{dtypes.Bool, dtypes.Int4, dtypes.Uint8, dtypes.Complex128} {
		builder := b.Builder("types")
		mesh := compute.Mesh{Name: "m", AxesSizes: []int{3}, AxesNames: []string{"a"}}
		if err := builder.DistributedAutoSharding(mesh); err != nil {
			t.Fatal(err)
		}
		spec := &compute.ShardingSpec{Mesh: "m", Axes: [][]string{{"a"}}}
		f := builder.Main()
		x, err := f.Parameter("x", shapes.Make(dt, 7), spec)
		if err != nil {
			t.Fatal(err)
		}
		y, err := f.Reverse(x, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Return(values{y}, []*compute.ShardingSpec{spec}); err != nil {
			t.Fatal(err)
		}
		exe, err := builder.Compile()
		if err != nil {
			t.Fatal(err)
		}
		var in []compute.Buffer
		elements := []int64{1, 0, 1, 1, 0, 0, 1, 0, 0}
		for d := range 3 {
			part, err := b.(*Backend).filled(compute.DeviceNum(d), shapes.Make(dt, 3), func(l literal.Literal) {
				for i := range 3 {
					l.SetComplex(i, complex(float64(elements[3*d+i]), 0))
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			in = append(in, part)
		}
		out, err := exe.Execute(in, []bool{true, true, true}, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, o := range out {
			for i := range 3 {
				got = append(got, int64(real(literalOfBuffer(t, o).ComplexAt(i))))
			}
		}
		if want := []int64{1, 0, 0, 1, 1, 0, 1, 0, 0}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", dt, got, want)
		}
	}
}
