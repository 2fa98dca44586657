package op

import (
	"math"
	"math/bits"

	"github.com/goxla/xla/shape"
)

// dimension is the extent of one dimension: its size, or bound, or shape.Unbounded,
// and whether it is dynamic.
type dimension struct {
	size    int
	dynamic bool
}

func dimOf(s shape.Shape, i int) dimension { return dimension{s.Dims[i], s.IsDynamicDim(i)} }

func (d dimension) unbounded() bool           { return d.size == shape.Unbounded }
func (d dimension) split() (size int, y bool) { return d.size, d.dynamic || d.unbounded() }

// mergeDims returns what is known of a dimension that is both a and b, two operands
// that agree (Shape.SameDims):
//
//	n    and n or <=n  ->  n, or <=n if either is dynamic
//	n    and ?         ->  n, but ? for 1, which might be broadcast
//	<=n  and ?         ->  ?
func mergeDims(a, b dimension) dimension {
	if a.unbounded() {
		a, b = b, a
	}
	switch {
	case !b.unbounded():
		return dimension{a.size, a.dynamic || b.dynamic}
	case a.size == 1 || a.dynamic:
		return b
	}
	return a
}

// addInt returns a+b, or ok false on overflow.
func addInt(a, b int) (sum int, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0)
}

// mulInt returns a*b for a, b >= 0, or ok false on overflow.
func mulInt(a, b int) (product int, ok bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int(lo), hi == 0 && lo <= math.MaxInt
}
