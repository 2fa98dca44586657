package lapack_test

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestTinyEigen: eigenvectors of small matrices, which are found by loops, are orthogonal and make the matrix again,
// also of zeros, of a multiple of the identity, of low rank, and of very large and small numbers.
func TestTinyEigen(t *testing.T) {
	for elem, eps := range map[shape.ElementType]float64{shape.F32: 0x1p-21, shape.F64: 0x1p-46} {
		target := map[bool]string{true: "lapack_dsyevd_ffi", false: "lapack_ssyevd_ffi"}[elem == shape.F64]
		for n := 1; n <= 12; n++ {
			a := random(elem, 11, 6, n, n)
			for at := range a.Len() {
				switch b, i, j := at/(n*n), at/n%n, at%n; {
				case b == 0:
					a.SetFloat(at, 0)
				case b == 1:
					a.SetFloat(at, map[bool]float64{true: 3}[i == j])
				case b == 2:
					a.SetFloat(at, float64((i+1)*(j+1)))
				case i > j:
					a.SetFloat(at, a.FloatAt((b*n+j)*n+i))
				case b >= 4:
					a.SetFloat(at, a.FloatAt(at)*map[int]float64{4: 0x1p90, 5: 0x1p-90}[b])
				}
			}
			for _, uplo := range []byte("LU") {
				got := sameBits(t, target, fmt.Sprintf("uplo = %d : ui8", uplo), []literal.Literal{a}, a.Shape(),
					shape.Make(elem, 6, n), shape.Make(shape.S32, 6))
				for b := range 6 {
					v, d := floats(problemOf(t, got[0], b)), floats(problemOf(t, got[1], b))
					near(t, eps*float64(n), "eigenvectors", problemOf(t, a, b), func(i, j, k int) float64 {
						if k > 0 && d[k] < d[k-1] {
							t.Fatalf("eigenvalues are not in order: %v", d)
						}
						return v[i*n+k] * d[k] * v[j*n+k]
					}, n)
					one := literal.New(shape.Make(elem, n, n))
					for i := range n {
						one.SetFloat(i*n+i, 1)
					}
					near(t, eps*float64(n), "lengths", one, func(i, j, k int) float64 { return v[k*n+i] * v[k*n+j] }, n)
				}
			}
		}
	}
}
