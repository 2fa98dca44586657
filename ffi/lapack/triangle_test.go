package lapack_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestTriangles: the product of the factors of small matrices is the matrix, and solutions of small triangular systems
// solve them, in loops that take four rows at a time and what is left.
func TestTriangles(t *testing.T) {
	for elem, eps := range map[shape.ElementType]float64{shape.F32: 0x1p-20, shape.F64: 0x1p-48} {
		prefix := map[bool]string{true: "lapack_d", false: "lapack_s"}[elem == shape.F64]
		for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 20, 31, 39, 45} {
			for config := range 16 {
				upper, trans, unit, right := config&1, config>>1&1, config>>2&1, config>>3
				a := symmetric(elem, 3, n, n)
				uplo := fmt.Sprintf("uplo = %d : ui8", "LU"[upper])
				l := callOn(t, lapack.Handlers(), prefix+"potrf_ffi", uplo, []literal.Literal{a}, a.Shape(),
					shape.Make(shape.S32))[0]
				for i := range n {
					for j := range n {
						if upper == 1 && i > j || upper == 0 && i < j {
							if l.FloatAt(i*n+j) != a.FloatAt(i*n+j) {
								t.Fatalf("%d: number %d, %d of the other triangle was changed", n, i, j)
							}
							l.SetFloat(i*n+j, 0)
						}
					}
				}
				factor := floats(l)
				near(t, eps, "factors", a, func(i, j, k int) float64 {
					if upper == 1 {
						return factor[k*n+i] * factor[k*n+j]
					}
					return factor[i*n+k] * factor[j*n+k]
				}, n)
				b := random(elem, 5, n, n+6-right*6)
				if right == 1 {
					b = random(elem, 5, n+6, n)
				}
				all := fmt.Sprintf("%s, trans_x = %d : ui8, diag = %d : ui8, side = %d : ui8", uplo, "NT"[trans], "NU"[unit],
					"LR"[right])
				if unit == 1 {
					for i := range l.Len() {
						l.SetFloat(i, l.FloatAt(i)/float64(8*n))
					}
				}
				x := floats(callOn(t, onMachine(t, 1), prefix+"trsm_ffi", all, []literal.Literal{l, b}, b.Shape())[0])
				at := func(i, k int) float64 {
					if i == k && unit == 1 {
						return 1
					}
					if trans == 1 {
						i, k = k, i
					}
					return l.FloatAt(i*n + k)
				}
				cols := b.Dims()[1]
				near(t, eps, all, b, func(i, j, k int) float64 {
					if right == 1 {
						return x[i*cols+k] * at(k, j)
					}
					return at(i, k) * x[k*cols+j]
				}, n)
			}
		}
	}
}

// near checks that each number of want is the sum of n products, but for rounding.
func near(t *testing.T, eps float64, what string, want literal.Literal, product func(i, j, k int) float64, n int) {
	t.Helper()
	for i := range want.Dims()[0] {
		for j := range want.Dims()[1] {
			x := want.FloatAt(i*want.Dims()[1] + j)
			sum, size := -x, math.Abs(x)
			for k := range n {
				p := product(i, j, k)
				sum, size = sum+p, size+math.Abs(p)
			}
			if !(math.Abs(sum) <= eps*size) {
				t.Fatalf("%s of %v: number %d, %d is off by %g", what, want.Shape(), i, j, sum)
			}
		}
	}
}
