package shape

import (
	"fmt"
	"iter"
	"slices"
)

// NextIndex moves index to the next element in row-major order and returns true;
// after the last element it sets index to zeros and returns false. No size may be 0.
// It is the way to walk an array in a loop that must not allocate:
//
//	for ok := true; ok; ok = shape.NextIndex(index, dims) { ... }
func NextIndex(index, dims []int) bool {
	for i := len(dims) - 1; i >= 0; i-- {
		index[i]++
		if index[i] < dims[i] {
			return true
		}
		index[i] = 0
	}
	return false
}

// NextOffset is NextIndex for a walk that also keeps the offset of the index by
// strides: it takes the offset of the present element and returns that of the next,
// which is the first again when ok is false.
func NextOffset(index, dims, strides []int, offset int) (next int, ok bool) {
	for i := len(dims) - 1; i >= 0; i-- {
		index[i]++
		offset += strides[i]
		if index[i] < dims[i] {
			return offset, true
		}
		offset -= index[i] * strides[i]
		index[i] = 0
	}
	return offset, false
}

// Indices yields the index of every element of an array of the given sizes in
// logical (row-major) order. The slice is reused: it is valid until the next one
// and is not to be changed. There is one index for rank 0 and none if a size is 0.
func Indices(dims []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if slices.Contains(dims, 0) {
			return
		}
		index := make([]int, len(dims))
		for ok := true; ok; ok = NextIndex(index, dims) {
			if !yield(index) {
				return
			}
		}
	}
}

// Logical yields the place in memory and the index of every element in logical
// (row-major) order. The slice is reused, as in Indices.
func (x *Indexing) Logical() iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		for index := range Indices(x.dims) {
			if !yield(x.Linear(index), index) {
				return
			}
		}
	}
}

// Physical yields the place in memory and the index of every element in the order
// of memory, leaving out padding. The slice is reused, as in Indices.
func (x *Indexing) Physical() iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		index := make([]int, len(x.dims))
		for linear := range x.length {
			if x.Index(index, linear) && !yield(linear, index) {
				return
			}
		}
	}
}

// checkRange returns an error unless v is in [0, limit).
func checkRange(what string, v, limit int) error {
	if v < 0 || v >= limit {
		return fmt.Errorf("%s %d is not in [0, %d)", what, v, limit)
	}
	return nil
}

// checkIndex returns an error unless index is that of an element of array s.
func (s Shape) checkIndex(index []int) error {
	if len(index) != len(s.Dims) {
		return fmt.Errorf("expected an index of %d numbers for %v, got %d", len(s.Dims), s, len(index))
	}
	for i, v := range index {
		if err := checkRange(fmt.Sprintf("index[%d]:", i), v, s.Dims[i]); err != nil {
			return err
		}
	}
	return nil
}
