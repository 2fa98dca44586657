package gomlx

import (
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// closure returns a closure of f that build makes of parameters of the given shapes.
func closure(f function, build func(c function, p values) (values, error), list ...shapes.Shape) (function, error) {
	c, err := f.Closure()
	if err != nil {
		return nil, err
	}
	return c, finish(c, build, list)
}

// finish gives c parameters and results.
func finish(c function, build func(c function, p values) (values, error), list []shapes.Shape) error {
	var params values
	for _, s := range list {
		p, err := c.Parameter("", s, nil)
		if err != nil {
			return err
		}
		params = append(params, p)
	}
	out, err := build(c, params)
	if err != nil {
		return err
	}
	return c.Return(out, nil)
}

var (
	scalarS32 = shapes.Make(dtypes.Int32)
	scalarF32 = shapes.Make(dtypes.Float32)
)

// TestWhile doubles a number, a captured number of times and by a captured factor.
func TestWhile(t *testing.T) {
	inputs := []array{arr([]float32{3}), arr([]int32{5}), arr([]float32{2})}
	out := compare(t, inputs, func(f function, p values) (values, error) {
		cond, err := closure(f, func(c function, s values) (values, error) {
			v, err := c.LessThan(s[1], p[1])
			return values{v}, err
		}, scalarF32, scalarS32)
		if err != nil {
			return nil, err
		}
		body, err := closure(f, func(c function, s values) (values, error) {
			x, err := c.Mul(s[0], p[2])
			if err != nil {
				return nil, err
			}
			one, err := c.Constant([]int32{1})
			if err != nil {
				return nil, err
			}
			i, err := c.Add(s[1], one)
			return values{x, i}, err
		}, scalarF32, scalarS32)
		if err != nil {
			return nil, err
		}
		zero, err := f.Constant([]int32{0})
		if err != nil {
			return nil, err
		}
		return f.While(cond, body, p[0], zero)
	})
	check(t, out[0], 96)
	check(t, out[1], 5)
}

// TestIf runs both branches, one of which has a nested closure that uses a value of the outermost function.
func TestIf(t *testing.T) {
	for _, pred := range []bool{true, false} {
		inputs := []array{arr([]bool{pred}), arr([]float32{1, 2}, 2), arr([]float32{10})}
		out := compare(t, inputs, func(f function, p values) (values, error) {
			nested := func(c function, _ values) (values, error) {
				yes, err := closure(c, func(c function, _ values) (values, error) {
					v, err := c.Add(p[1], p[2])
					return values{v}, err
				})
				if err != nil {
					return nil, err
				}
				no, err := closure(c, func(function, values) (values, error) { return values{p[1]}, nil })
				if err != nil {
					return nil, err
				}
				return c.If(p[0], yes, no)
			}
			yes, err := closure(f, nested)
			if err != nil {
				return nil, err
			}
			no, err := closure(f, func(c function, _ values) (values, error) {
				v, err := c.Neg(p[1])
				return values{v}, err
			})
			if err != nil {
				return nil, err
			}
			return f.If(p[0], yes, no)
		})
		if pred {
			check(t, out[0], 11, 12)
		} else {
			check(t, out[0], -1, -2)
		}
	}
}

// TestSort sorts pairs by their distance from a captured scalar, largest first.
func TestSort(t *testing.T) {
	inputs := []array{arr([]float32{1, 5, 3, 9, 2, 8}, 2, 3), arr([]int32{0, 1, 2, 3, 4, 5}, 2, 3), arr([]float32{4})}
	out := compare(t, inputs, func(f function, p values) (values, error) {
		comparator, err := closure(f, func(c function, e values) (values, error) {
			var far values
			for _, v := range e[:2] {
				d, err := c.Sub(v, p[2])
				if err != nil {
					return nil, err
				}
				if d, err = c.Abs(d); err != nil {
					return nil, err
				}
				far = append(far, d)
			}
			v, err := c.GreaterThan(far[0], far[1])
			return values{v}, err
		}, scalarF32, scalarF32, scalarS32, scalarS32)
		if err != nil {
			return nil, err
		}
		return f.Sort(comparator, 1, true, p[0], p[1])
	})
	check(t, out[0], 1, 5, 3, 9, 8, 2)
	check(t, out[1], 0, 1, 2, 3, 5, 4)
}

// TestCall calls a function twice, with arguments of different sizes.
func TestCall(t *testing.T) {
	inputs := []array{arr([]float32{1, 2}, 2), arr([]float32{3, 4, 5}, 3)}
	out := compare(t, inputs, func(f function, p values) (out values, err error) {
		g, err := f.Builder().NewFunction("twice")
		if err != nil {
			return nil, err
		}
		any := shapes.MakeDynamic(dtypes.Float32, []int{shapes.DynamicDim}, []string{"n"})
		err = finish(g, func(c function, p values) (values, error) {
			v, err := c.Add(p[0], p[0])
			return values{v}, err
		}, []shapes.Shape{any})
		if err != nil {
			return nil, err
		}
		for _, x := range p {
			v, err := f.Call(g, x)
			if err != nil {
				return nil, err
			}
			out = append(out, v...)
		}
		return out, nil
	})
	check(t, out[0], 2, 4)
	check(t, out[1], 6, 8, 10)
}

// TestDynamicShapes counts how often a computation on a batch of any size is compiled.
func TestDynamicShapes(t *testing.T) {
	b := newBackend(t, "")
	builder := b.Builder("dynamic")
	main := builder.Main()
	s := shapes.MakeDynamic(dtypes.Float32, []int{shapes.DynamicDim, 2}, []string{"batch", ""})
	x, err := main.Parameter("x", s, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := main.ReduceSum(x, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := main.Return(values{sum}, nil); err != nil {
		t.Fatal(err)
	}
	exe, err := builder.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 3, 1, 3, 0} {
		ones := slices.Repeat([]float32{1}, 2*n)
		out := results(t, b, exe, []array{arr(ones, n, 2)})
		check(t, out[0], float64(n), float64(n))
	}
	if n := len(exe.(*Executable).versions.byKey); n != 3 {
		t.Errorf("got %d versions for 3 sizes", n)
	}
}

// TestSPMD runs one program on several devices, which sum up what they have.
func TestSPMD(t *testing.T) {
	b := newBackend(t, "devices=3")
	builder := b.Builder("spmd")
	if err := builder.DistributedSPMD(3); err != nil {
		t.Fatal(err)
	}
	main := builder.Main()
	x, err := main.Parameter("x", shapes.Make(dtypes.Float32, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := main.AllReduce(values{x}, compute.ReduceOpSum, [][]int{{0, 2}, {1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := main.Return(out, nil); err != nil {
		t.Fatal(err)
	}
	exe, err := builder.Compile()
	if err != nil {
		t.Fatal(err)
	}
	list := results(t, b, exe, []array{arr([]float32{1, 2}, 2), arr([]float32{3, 4}, 2), arr([]float32{5, 6}, 2)})
	check(t, list[0], 6, 8)
	check(t, list[1], 3, 4)
	check(t, list[2], 6, 8)
}

// TestDonation checks that results never share memory with an input that is kept, and that a donated one is gone.
func TestDonation(t *testing.T) {
	b := newBackend(t, "")
	in := []array{arr([]float32{1, 2}, 2)}
	exe := compileFor(t, b, in, func(f function, p values) (values, error) {
		c, err := f.Constant([]float32{7, 7}, 2)
		return values{p[0], p[0], c}, err
	})
	x, flat, err := b.NewSharedBuffer(0, shapeOfArray(in[0]))
	if err != nil {
		t.Fatal(err)
	}
	copy(flat.([]float32), []float32{1, 2})
	for range 2 {
		out, err := exe.Execute([]compute.Buffer{x}, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range out {
			data, err := o.Data()
			if err != nil {
				t.Fatal(err)
			}
			if want := []float32{1, 1, 7}[i]; data.([]float32)[0] != want {
				t.Fatalf("result %d: got %v, want %v in front", i, data, want)
			}
			data.([]float32)[0] = 100
		}
	}
	if _, err := exe.Execute([]compute.Buffer{x}, []bool{true}, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := exe.Execute([]compute.Buffer{x}, nil, 0); err == nil {
		t.Error("a donated input was taken again")
	}
	if err := x.Finalize(); err != nil {
		t.Error(err)
	}
}

// TestSharding spreads arrays over a mesh of 2 x 2 devices, in parts that do not come out even.
func TestSharding(t *testing.T) {
	b := newBackend(t, "devices=4")
	builder := b.Builder("sharded")
	mesh := compute.Mesh{Name: "m", AxesSizes: []int{2, 2}, AxesNames: []string{"a", "b"}}
	if err := builder.DistributedAutoSharding(mesh); err != nil {
		t.Fatal(err)
	}
	main := builder.Main()
	rows := &compute.ShardingSpec{Mesh: "m", Axes: [][]string{{"a"}}}
	both := &compute.ShardingSpec{Mesh: "m", Axes: [][]string{nil, {"b", "a"}}}
	x, err := main.Parameter("x", shapes.Make(dtypes.Float32, 3, 4), rows)
	if err != nil {
		t.Fatal(err)
	}
	y, err := main.Neg(x)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := main.ReduceSum(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := main.Return(values{y, sum}, []*compute.ShardingSpec{both, nil}); err != nil {
		t.Fatal(err)
	}
	exe, err := builder.Compile()
	if err != nil {
		t.Fatal(err)
	}
	top, bottom := arr([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4), arr([]float32{9, 10, 11, 12, 0, 0, 0, 0}, 2, 4)
	out := results(t, b, exe, []array{top, top, bottom, bottom})
	for d, want := range [][]float64{{-1, -5, -9}, {-3, -7, -11}, {-2, -6, -10}, {-4, -8, -12}} {
		check(t, out[2*d], want...)
		check(t, out[2*d+1], 78)
	}
}
