package literal

import (
	"testing"

	"github.com/goxla/xla/shape"
)

// TestNewUnset writes every byte of literals on both sides of the limit: they have the bytes of their shapes, and share
// them with nobody.
func TestNewUnset(t *testing.T) {
	for _, n := range []int{0, 1, fewestUnset/4 - 1, fewestUnset / 4, 1<<20 - 1, 1 << 20, 3<<20 + 5} {
		s := shape.Make(shape.F32, n)
		a, b := NewUnset(s), NewUnset(s)
		if len(a.Bytes()) != 4*n || !a.Shape().Equal(s) {
			t.Fatalf("%v: expected %d bytes, got %d of %v", s, 4*n, len(a.Bytes()), a.Shape())
		}
		for i := range a.Bytes() {
			a.Bytes()[i], b.Bytes()[i] = 1, 2
		}
		for i, v := range a.Bytes() {
			if v != 1 || b.Bytes()[i] != 2 {
				t.Fatalf("%v: byte %d: expected 1 and 2, got %d and %d", s, i, v, b.Bytes()[i])
			}
		}
	}
}
