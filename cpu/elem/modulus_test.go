package elem_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// moduli is a nest of the absolute values of n numbers of c64.
func moduli(t *testing.T, n int, wide bool) *loop.Nest {
	b := loop.NewBuilder("moduli")
	b.Code, b.Wide = true, wide
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: int64(8 * n)})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: int64(4 * n), Write: true})
	b.Each(loop.Spec{Extent: int64(n), Lanes: true, Parallel: true}, func(v int) {
		at := func(buf int) elem.Address {
			return elem.Address{Buffer: buf, Terms: []loop.Term{{Var: v, Stride: 1}}}
		}
		r, err := elem.Apply(b, op.Abs, nil, shape.F32, []elem.Value{elem.Load(b, shape.C64, at(x), 0)})
		if err != nil {
			t.Fatal(err)
		}
		elem.Store(b, r, at(y), 0)
	})
	return b.Nest()
}

// pairsOf32 are n complex numbers: some that have an exact absolute value or a special one, and others of all sizes.
func pairsOf32(n int) []complex64 {
	r := rand.New(rand.NewPCG(5, 6))
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	x := []complex64{0, complex(0, inf), complex(-inf, nan), complex(nan, inf), complex(nan, 0), complex(1, nan),
		complex(math.MaxFloat32, math.MaxFloat32), complex(0x1p127, -0x1p127), complex(0x1p-149, 0), 3 + 4i, -5 + 12i,
		complex(0x3p-100, 0x4p-100), complex(0x3p100, -0x4p100), complex(0x1p-149, 0x1p-149), complex(0, -7), 0x1p63}
	part := func() float64 { return r.NormFloat64() * math.Ldexp(1, r.IntN(275)-148) }
	for len(x) < n {
		a, b := part(), part()
		if len(x)%2 == 0 {
			b = a * r.NormFloat64()
		}
		x = append(x, complex(float32(a), float32(b)))
	}
	return x
}

// TestModulus: absolute values are within 2 units of the last place, exact ones of numbers of common size are exact, an
// infinity has an infinite one, and otherwise NaN has NaN.
func TestModulus(t *testing.T) {
	const n = 40007
	x, y := pairsOf32(n), make([]float32, n)
	bufs := [][]byte{unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 8*n), unsafe.Slice((*byte)(unsafe.Pointer(&y[0])), 4*n)}
	for _, wide := range []bool{false, true} {
		nest := moduli(t, n, wide)
		for _, e := range executors() {
			if err := e.run(nest, bufs); err != nil {
				t.Fatal(e.name, err)
			}
			for k, got := range y {
				most := 2.0
				if x[k] == 3+4i || x[k] == -5+12i {
					most = 0
				}
				want := math.Hypot(float64(real(x[k])), float64(imag(x[k])))
				if off := unitsOff(got, want); !(off <= most) {
					t.Fatalf("%s, wide %v: |%v|: got %v, expected %v, %.2f units off", e.name, wide, x[k], got, want, off)
				}
			}
		}
	}
}

// unitsOff is by how many units of the last place got differs from want.
func unitsOff(got float32, want float64) float64 {
	switch {
	case math.IsNaN(want):
		if got != got {
			return 0
		}
		return math.Inf(1)
	case float64(got) == want || float32(want) == got:
		return 0
	}
	_, exp := math.Frexp(want)
	return math.Abs(float64(got)-want) / math.Ldexp(1, max(exp-24, -149))
}
