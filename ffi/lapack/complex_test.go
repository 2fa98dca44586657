package lapack_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestComplexTriangles: systems of a batch are solved in all forms, by steps on their numbers as by loops; the second
// one has a diagonal that is left to the loops, and the largest numbers of the others are far apart.
func TestComplexTriangles(t *testing.T) {
	for elem, limit := range map[shape.ElementType]float64{shape.C64: 3e-6, shape.C128: 1e-14} {
		target := map[shape.ElementType]string{shape.C64: "lapack_ctrsm_ffi", shape.C128: "lapack_ztrsm_ffi"}[elem]
		for _, n := range []int{1, 3, 6, 17, 40} {
			for form := range 24 {
				upper, unit, right, trans := form&1, form>>1&1, form>>2&1, form>>3
				config := fmt.Sprintf("uplo = %d : ui8, diag = %d : ui8, side = %d : ui8, trans_x = %d : ui8",
					"LU"[upper], "NU"[unit], "LR"[right], "NTC"[trans])
				a, b := random(elem, 1, 3, n, n), random(elem, 2, 3, n, 5)
				if right == 1 {
					b = random(elem, 2, 3, 5, n)
				}
				for k := range a.Len() {
					x := a.ComplexAt(k) / complex(float64(n), 0)
					if i, j := k/n%n, k%n; i == j {
						x = a.ComplexAt(k) / complex(cmplx.Abs(a.ComplexAt(k)), 0)
						if k/n/n == 1 && i == n/2 {
							x = 1e-25 // c128 has a good inverse of it
						}
					}
					if k/n/n == 2 && unit == 0 {
						x *= 0x1p+40
					}
					a.SetComplex(k, x)
				}
				for p, x := range problems(3, sameBits(t, target, config, []literal.Literal{a, b}, b.Shape())[0]) {
					parts := []literal.Literal{problems(3, a)[p], problems(3, b)[p]}
					same(t, limit, target, config, parts, x.Shape())
					if got := callOn(t, onMachine(t, 1), target, config, parts, x.Shape())[0]; got.String() != x.String() {
						t.Errorf("%s of %d, %s: problem %d alone has other bits", target, n, config, p)
					}
				}
			}
		}
	}
}

// problems are the parts of a batch.
func problems(n int, l literal.Literal) (list []literal.Literal) {
	dims := l.Dims()[1:]
	size := l.Len() / n
	for p := range n {
		part := literal.New(shape.Make(l.Type(), dims...))
		for k := range size {
			part.SetComplex(k, l.ComplexAt(p*size+k))
		}
		list = append(list, part)
	}
	return list
}

// TestComplexTriangleOfZero: a zero on the diagonal divides as it does in LAPACK.
func TestComplexTriangleOfZero(t *testing.T) {
	a, b := random(shape.C64, 1, 2, 2), random(shape.C64, 2, 2, 1)
	a.SetComplex(0, 0)
	config := "uplo = 76 : ui8, diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8"
	x := callOn(t, onMachine(t, 1), "lapack_ctrsm_ffi", config, []literal.Literal{a, b}, b.Shape())[0]
	if z := x.ComplexAt(0); !cmplx.IsInf(z) && !cmplx.IsNaN(z) || math.Abs(real(z)) < 1e30 {
		t.Errorf("got %v", z)
	}
}
