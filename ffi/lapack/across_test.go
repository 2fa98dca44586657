package lapack_test

import (
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestAcross: QR factorizations of matrices of few columns, which are done column by column, are those of plain loops:
// also with columns of zeros or of tiny numbers, of less reflectors than columns, and of more rows than are done so.
func TestAcross(t *testing.T) {
	for elem, limit := range map[shape.ElementType]float64{shape.F32: 1e-5, shape.F64: 1e-11} {
		prefix := map[bool]string{true: "lapack_d", false: "lapack_s"}[elem == shape.F64]
		for _, size := range [][2]int{{16, 4}, {64, 8}, {128, 16}, {33, 5}, {13, 13}, {7, 7}, {50, 1}, {65, 64}, {301, 3},
			{70, 64}, {4100, 3}, {4200, 17}} {
			m, n := size[0], size[1]
			a := random(elem, 7, 2, m, n)
			for i := range m {
				a.SetFloat(i*n+n/2, 0)
				a.SetFloat(m*n+i*n+n/2, a.FloatAt(m*n+i*n+n/2)*0x1p-100)
			}
			qr := same(t, limit, prefix+"geqrf_ffi", "", []literal.Literal{a}, a.Shape(), shape.Make(elem, 2, n))
			same(t, limit, prefix+"orgqr_ffi", "", qr, a.Shape())
			if n > 2 {
				qr[1] = random(elem, 9, 2, n-2)
				same(t, limit, prefix+"orgqr_ffi", "", qr, a.Shape())
			}
		}
	}
}
