package simplify

import (
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestIsInt: a scalar is an integer where the scalar made of that has the same bits.
func TestIsInt(t *testing.T) {
	values := []int64{0, 1, -1, 2, 3, 7, -8, 127, 128, 255, 256, 1 << 31, -1 << 31, 1 << 40, -1 << 63, 1<<63 - 1}
	for _, typ := range []shape.ElementType{shape.Pred, shape.S2, shape.U4, shape.S4, shape.S8, shape.U8, shape.S16,
		shape.U16, shape.S32, shape.U32, shape.S64, shape.U64, shape.F32, shape.C64} {
		for _, x := range values {
			c := number(typ, x)
			for _, v := range values {
				want := integral(typ) && literal.Equal(c, number(typ, v))
				if got := isInt(c, v); got != want {
					t.Errorf("%v %d: isInt(%d) is %t, expected %t", typ, x, v, got, want)
				}
			}
		}
	}
}
