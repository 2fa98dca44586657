package tile

import (
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/loop"
)

func bytesOf(f []float32) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&f[0])), 4*len(f)) }

// TestSum: a lane loop of an odd number of iterations and its reduction.
func TestSum(t *testing.T) {
	const n = 1000
	b := loop.NewBuilder("sum")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4, Write: true})
	sum := b.For(loop.Spec{Extent: n, Lanes: true}, []loop.Reduction{{Init: b.Float(loop.F32, 5), Reduce: loop.Add}},
		func(v int, phi []loop.Value) []loop.Value {
			e := b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: loop.MemF32}, 0)
			return []loop.Value{b.Op(loop.Add, loop.F32, phi[0], e)}
		})
	b.Store(loop.Access{Buffer: y, Mem: loop.MemF32}, sum[0], 0)
	p, err := Compile(b.Nest())
	if err != nil {
		t.Fatal(err)
	}
	in, out := make([]float32, n), make([]float32, 1)
	for i := range in {
		in[i] = float32(i)
	}
	if err := p.Run([][]byte{bytesOf(in), bytesOf(out)}, 0, p.Extent()); err != nil {
		t.Fatal(err)
	}
	if want := float32(n*(n-1)/2 + 5); out[0] != want {
		t.Errorf("got %v, expected %v", out[0], want)
	}
}

// TestTable: a lane loop reads a table backwards.
func TestTable(t *testing.T) {
	elements := []uint64{0x3f800000, 0x40000000, 0x40400000, 0x40800000} // 1, 2, 3, 4
	b := loop.NewBuilder("reversed")
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 16, Write: true})
	b.Each(loop.Spec{Extent: 4, Lanes: true}, func(v int) {
		i := b.Op(loop.Sub, loop.I32, b.Int(loop.I32, 3), b.Index(loop.I32, v))
		e := b.Table(loop.F32, elements, i)
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: loop.MemF32}, e, 0)
	})
	p, err := Compile(b.Nest())
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, 4)
	if err := p.Run([][]byte{bytesOf(out)}, 0, p.Extent()); err != nil {
		t.Fatal(err)
	}
	if want := [4]float32{4, 3, 2, 1}; [4]float32(out) != want {
		t.Errorf("got %v, expected %v", out, want)
	}
}
