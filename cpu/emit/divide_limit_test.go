package emit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// byRowsNest divides rows of n elements by the one behind them, or all by d if that is not 0.
func byRowsNest(k loop.Kind, rows, n int64, d float64) *loop.Nest {
	m := looptest.MemOf(k)
	b := loop.NewBuilder("divide")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * (n + 1) * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * (n + 1) * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		by := b.Float(k, d)
		if d == 0 {
			by = b.Load(loop.Access{Buffer: x, Offset: n, Terms: []loop.Term{{Var: i, Stride: n + 1}}, Mem: m}, 0)
		}
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(j int) {
			at := loop.Access{Buffer: x, Terms: []loop.Term{{Var: i, Stride: n + 1}, {Var: j, Stride: 1}}, Mem: m}
			q := b.Op(loop.Div, k, b.Load(at, 0), by)
			at.Buffer = y
			b.Store(at, q, 0)
		})
	})
	return b.Nest()
}

// atLimit fills a row, and what it is divided by, with ones, but for one element of each vector, whose quotient by d is
// next to the largest number or infinite.
func atLimit(k loop.Kind, row []byte, d float64) {
	size := k.Bits() / 8
	put := func(j int, x float64) {
		if k == loop.F32 {
			binary.LittleEndian.PutUint32(row[4*j:], math.Float32bits(float32(x)))
		} else {
			binary.LittleEndian.PutUint64(row[8*j:], math.Float64bits(x))
		}
	}
	for j := range len(row)/size - 1 {
		put(j, 1)
		if j%16 != 5 {
			continue
		}
		if x := float32(math.MaxFloat32 * d); k == loop.F32 {
			put(j, float64([]float32{x, math.Nextafter32(x, 0), math.Nextafter32(x, math.MaxFloat32)}[j/16%3]))
		} else {
			x := math.MaxFloat64 * d
			put(j, []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.MaxFloat64)}[j/16%3])
		}
	}
	put(len(row)/size-1, d)
}

// TestDivideAtLimit: a quotient that is infinite only once it is rounded is so, even if its vector has no other number
// that sends it to the division.
func TestDivideAtLimit(t *testing.T) {
	const rows, n = 400, 256
	rng := rand.New(rand.NewPCG(3, 4))
	for name, target := range dividing() {
		for _, k := range []loop.Kind{loop.F32, loop.F64} {
			size := k.Bits() / 8
			in := aligned(rows * (n + 1) * size)
			for i := range rows {
				d := float64(float32(math.Ldexp(1+rng.Float64(), -1-rng.IntN(19))))
				row := in[i*(n+1)*size:][:(n+1)*size]
				atLimit(k, row, d)
				if i%8 == 0 {
					sameQuotients(t, name, byRowsNest(k, 1, n, d), target, k, d, row)
				}
			}
			sameQuotients(t, name, byRowsNest(k, rows, n, 0), target, k, 0, in)
		}
	}
}

// TestDivideBesideProducts: on AVX2 every second quotient of f32 by a value of the row is products, that of f64 none.
func TestDivideBesideProducts(t *testing.T) {
	for k, products := range map[loop.Kind]bool{loop.F32: true, loop.F64: false} {
		divisions, corrected := 0, 0
		for in := range decoded(assemble(t, byRowsNest(k, 4, 512, 0), Target{})) {
			switch {
			case in.Size == asm.VL256 && (in.Op == asm.VDIVPS || in.Op == asm.VDIVPD):
				divisions++
			case in.Op == asm.VPMINUD:
				corrected++
			}
		}
		if divisions == 0 || (corrected > 0) != products {
			t.Errorf("%v: %d divisions, %d quotients by products", k, divisions, corrected)
		}
	}
}
