package gomlx

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/support/backendtest"
)

// BenchmarkSuite is the suite that GoMLX has for backends.
func BenchmarkSuite(b *testing.B) { backendtest.RunAllBenchmarks(b, newBackend(b, "")) }

// BenchmarkDispatch runs a computation of one scalar operation.
func BenchmarkDispatch(b *testing.B) {
	backend := newBackend(b, "")
	builder := backend.Builder("dispatch")
	main := builder.Main()
	x, err := main.Parameter("x", scalarF32, nil)
	if err != nil {
		b.Fatal(err)
	}
	y, err := main.Neg(x)
	if err != nil {
		b.Fatal(err)
	}
	if err := main.Return(values{y}, nil); err != nil {
		b.Fatal(err)
	}
	exe, err := builder.Compile()
	if err != nil {
		b.Fatal(err)
	}
	in, err := backend.BufferFromFlatData(0, []float32{1}, scalarF32)
	if err != nil {
		b.Fatal(err)
	}
	inputs := []compute.Buffer{in}
	for b.Loop() {
		out, err := exe.Execute(inputs, nil, 0)
		if err != nil {
			b.Fatal(err)
		}
		if err := out[0].Finalize(); err != nil {
			b.Fatal(err)
		}
	}
}
