package main

import (
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	_ "github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/compute/support/backendtest"
	_ "github.com/goxla/xla/gomlx"
)

// BenchmarkSuite is GoMLX's suite on the backend of $GOMLX_BACKEND.
func BenchmarkSuite(b *testing.B) { backendtest.RunAllBenchmarks(b, compute.MustNew()) }

// program is a computation to measure: of parameters of float32 of the given sizes.
type program struct {
	name   string
	params [][]int
	build  func(f compute.Function, p []compute.Value) (compute.Value, error)
}

// must is for what has no reason to fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// measure runs each program as a benchmark of its own.
func measure(b *testing.B, list []program) {
	backend := compute.MustNew()
	for _, p := range list {
		b.Run(p.name, func(b *testing.B) {
			exe, inputs := p.compile(backend)
			for b.Loop() {
				for _, out := range must(exe.Execute(inputs, nil, 0)) {
					if err := out.Finalize(); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// compile returns the executable, and its inputs with random numbers.
func (p program) compile(backend compute.Backend) (compute.Executable, []compute.Buffer) {
	builder := backend.Builder(p.name)
	main := builder.Main()
	var params []compute.Value
	var inputs []compute.Buffer
	r := rand.New(rand.NewPCG(1, 1))
	for _, dims := range p.params {
		s := shapes.Make(dtypes.Float32, dims...)
		data := make([]float32, s.Size())
		for i := range data {
			data[i] = r.Float32() + 0.5
		}
		params = append(params, must(main.Parameter("", s, nil)))
		inputs = append(inputs, must(backend.BufferFromFlatData(0, data, s)))
	}
	y := must(p.build(main, params))
	if err := main.Return([]compute.Value{y}, nil); err != nil {
		panic(err)
	}
	return must(builder.Compile()), inputs
}

// chain returns count operations, one after the other.
func chain(count int, step func(f compute.Function, x compute.Value) compute.Value) func(compute.Function,
	[]compute.Value) (compute.Value, error) {
	return func(f compute.Function, p []compute.Value) (compute.Value, error) {
		x := p[0]
		for range count {
			x = step(f, x)
		}
		return x, nil
	}
}

func negate(f compute.Function, x compute.Value) compute.Value { return must(f.Neg(x)) }

func sine(f compute.Function, x compute.Value) compute.Value { return must(f.Sin(x)) }

// BenchmarkDispatch is what it costs to run a computation at all, and one of many small operations.
func BenchmarkDispatch(b *testing.B) {
	measure(b, []program{
		{"1", [][]int{{}}, chain(1, negate)},
		{"100", [][]int{{}}, chain(100, sine)},
	})
}

// BenchmarkOperation has operations on arrays that are larger than caches.
func BenchmarkOperation(b *testing.B) {
	large, square := [][]int{{4 << 20}}, [][]int{{2048, 2048}}
	type function = compute.Function
	type values = []compute.Value
	measure(b, []program{
		{"Add/4M", [][]int{{4 << 20}, {4 << 20}}, func(f function, p values) (compute.Value, error) {
			return f.Add(p[0], p[1])
		}},
		{"Exp/4M", large, func(f function, p values) (compute.Value, error) { return f.Exp(p[0]) }},
		{"Tanh/4M", large, func(f function, p values) (compute.Value, error) { return f.Tanh(p[0]) }},
		{"Chain8/4M", large, chain(4, func(f function, x compute.Value) compute.Value {
			return must(f.Add(must(f.Mul(x, x)), x))
		})},
		{"SumRows/2048x2048", square, func(f function, p values) (compute.Value, error) {
			return f.ReduceSum(p[0], 1)
		}},
		{"SumColumns/2048x2048", square, func(f function, p values) (compute.Value, error) {
			return f.ReduceSum(p[0], 0)
		}},
		{"Transpose/2048x2048", square, func(f function, p values) (compute.Value, error) {
			return f.Transpose(p[0], 1, 0)
		}},
	})
}
