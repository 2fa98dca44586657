package literal

import (
	"math"

	"github.com/goxla/xla/shape"
)

// ULPDistance returns how many steps lie between the codes a and b of the float
// type t, going from each value to the next: 0 for +0 and -0, 1 for the largest
// finite value and infinity. It is the largest uint64 if exactly one is a NaN, and
// 0 if both are. It panics if t is not a real floating-point type.
func ULPDistance(t shape.ElementType, a, b uint64) uint64 {
	f := formatOf(t)
	aNaN, bNaN := f.IsNaN(a), f.IsNaN(b)
	if aNaN || bNaN {
		if aNaN && bNaN {
			return 0
		}
		return math.MaxUint64
	}
	// A code without its sign numbers the magnitudes of the type in order, from 0.
	x, y := a&f.mask&^f.signBit, b&f.mask&^f.signBit
	switch {
	case (a^b)&f.signBit != 0:
		return x + y
	case x > y:
		return x - y
	}
	return y - x
}
