package hlo

import (
	"iter"

	"github.com/goxla/xla/shape"
)

// subshape returns the part of s at index; ok is false if there is none.
func subshape(s shape.Shape, index []int) (part shape.Shape, ok bool) {
	for _, k := range index {
		if s.Type != shape.Tuple || k < 0 || k >= len(s.Elems) {
			return shape.Shape{}, false
		}
		s = s.Elems[k]
	}
	return s, true
}

// leaves yields the parts of s that are no tuples, in order.
func leaves(s shape.Shape) iter.Seq[shape.Shape] {
	return func(yield func(shape.Shape) bool) { yieldLeaves(s, yield) }
}

func yieldLeaves(s shape.Shape, yield func(shape.Shape) bool) bool {
	if s.Type != shape.Tuple {
		return yield(s)
	}
	for _, e := range s.Elems {
		if !yieldLeaves(e, yield) {
			return false
		}
	}
	return true
}

// numLeaves returns the number of parts of s that are no tuples.
func numLeaves(s shape.Shape) int {
	n := 0
	for range leaves(s) {
		n++
	}
	return n
}
