package vhlo_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// withConstants returns the artifact of a program that adds up count constants of n
// numbers each.
func withConstants(t testing.TB, count, n int) []byte {
	t.Helper()
	m := stablehlo.NewModule()
	typ := &stablehlo.TensorType{Dims: []int64{int64(n)}, Elem: stablehlo.F32}
	f := stablehlo.NewOp("func.func", nil, nil,
		stablehlo.NamedAttribute{Name: "sym_name", Value: stablehlo.StringAttr{Value: "main"}},
		stablehlo.NamedAttribute{Name: "function_type", Value: stablehlo.TypeAttr{
			Type: &stablehlo.FunctionType{Inputs: []stablehlo.Type{typ}, Results: []stablehlo.Type{typ}}}})
	block := f.AddRegion().AddBlock(typ)
	sum := block.Args[0]
	for k := range count {
		data := make([]byte, 0, 4*n)
		for i := range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i*(k+1))))
		}
		c := stablehlo.NewOp("stablehlo.constant", nil, []stablehlo.Type{typ},
			stablehlo.NamedAttribute{Name: "value", Value: &stablehlo.DenseElements{Type: typ, Data: data}})
		add := stablehlo.NewOp("stablehlo.add", []*stablehlo.Value{sum, c.Results[0]}, []stablehlo.Type{typ})
		block.Append(c, add)
		sum = add.Results[0]
	}
	block.Append(stablehlo.NewOp("func.return", []*stablehlo.Value{sum}, nil))
	m.Body().Append(f)
	data, err := vhlo.Write(m, vhlo.Current)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// BenchmarkRead reads an artifact of 100 MB, most of which is constants, and one of many
// small operations.
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name     string
		count, n int
	}{{"constants", 25, 1 << 20}, {"operations", 50000, 1}} {
		data := withConstants(b, c.count, c.n)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := vhlo.Read(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestConstantsAreViews: reading takes no memory for the elements of constants.
func TestConstantsAreViews(t *testing.T) {
	data := withConstants(t, 4, 1<<18)
	read := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			if _, err := vhlo.Read(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	if got := read.AllocedBytesPerOp(); got > 1<<20 {
		t.Errorf("reading %d bytes takes %d bytes of memory, want less than a constant", len(data), got)
	}
}
