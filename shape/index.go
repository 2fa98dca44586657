package shape

import "slices"

// Strides returns how far, in elements, one step along each dimension moves in an
// array without tiles: the product of the sizes of the more minor dimensions. The
// order is a permutation of the dimensions, and the product of the sizes fits an int.
func Strides(dims, minorToMajor []int) []int {
	strides := make([]int, len(dims))
	step := 1
	for _, d := range minorToMajor {
		strides[d] = step
		step *= dims[d]
	}
	return strides
}

// RowMajorStrides returns the strides of an array in the default order.
func RowMajorStrides(dims []int) []int {
	strides := make([]int, len(dims))
	step := 1
	for d := len(dims) - 1; d >= 0; d-- {
		strides[d] = step
		step *= dims[d]
	}
	return strides
}

// RowMajorIndex returns the position of index in a row-major array.
func RowMajorIndex(index, dims []int) int {
	linear := 0
	for i, d := range dims {
		linear = linear*d + index[i]
	}
	return linear
}

// FromRowMajor sets index to the index of the element at position linear of a
// row-major array. No size may be 0.
func FromRowMajor(index []int, linear int, dims []int) {
	for i := len(dims) - 1; i >= 0; i-- {
		index[i] = linear % dims[i]
		linear /= dims[i]
	}
}

// Dot returns the sum of the products of a's and b's elements: the offset of an
// index by strides.
func Dot(a, b []int) int {
	sum := 0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// Indexing maps the indices of an array to places in memory and back, for one
// shape, tiles and padding included. It is made once and used often; it may be used
// by many goroutines.
type Indexing struct {
	dims    []int // logical sizes
	order   []int // minor to major
	strides []int // of an untiled array; nil if there are tiles
	tiling  tiling
	length  int
}

// NewIndexing returns the indexing of array s. Dynamic dimensions count with their
// bounds. It fails if s is not an array, if a dimension is unbounded, if the
// layout is not valid, or if the array with its padding has more than 2^63-1
// elements. Spec: SHAPES.md, Layout.
func NewIndexing(s Shape) (*Indexing, error) {
	t, length, err := s.physical()
	if err != nil {
		return nil, err
	}
	x := &Indexing{dims: s.Dims, order: s.MinorToMajor(), tiling: t, length: length}
	if len(t.steps) == 0 {
		x.strides = Strides(x.dims, x.order)
	}
	return x, nil
}

// Len returns the number of elements in memory, padding included.
func (x *Indexing) Len() int { return x.length }

// Dims returns the sizes of the array; the slice is not to be changed.
func (x *Indexing) Dims() []int { return x.dims }

// Strides returns the distance of neighbours along each dimension, in elements, or
// nil if the array has tiles. The slice is not to be changed.
func (x *Indexing) Strides() []int { return x.strides }

// Linear returns the place in memory of the element at index, counted in elements.
// The index must be inside the array.
func (x *Indexing) Linear(index []int) int {
	if x.strides != nil {
		return Dot(index, x.strides)
	}
	var buf coordinates
	coords := buf[:0]
	for _, d := range slices.Backward(x.order) {
		coords = append(coords, index[d])
	}
	return x.tiling.linear(coords)
}

// Index sets index to the index of the element at a place in memory and returns
// true, or returns false if only padding is there. The place must be in [0, Len).
func (x *Indexing) Index(index []int, linear int) bool {
	if x.strides == nil {
		return x.tiledIndex(index, linear)
	}
	if slices.Contains(x.dims, 0) {
		return false
	}
	for _, d := range x.order {
		index[d] = linear % x.dims[d]
		linear /= x.dims[d]
	}
	return linear == 0
}

func (x *Indexing) tiledIndex(index []int, linear int) bool {
	var buf coordinates
	coords, ok := x.tiling.index(buf[:0], linear)
	if !ok {
		return false
	}
	for i, d := range x.order {
		index[d] = coords[len(coords)-1-i]
	}
	return true
}

// LinearIndex returns the place in memory of the element of array s at index,
// counted in elements. For many elements, NewIndexing is faster. It fails where
// NewIndexing does and if the index is not inside the array.
func (s Shape) LinearIndex(index ...int) (int, error) {
	x, err := NewIndexing(s)
	if err != nil {
		return 0, err
	}
	if err := s.checkIndex(index); err != nil {
		return 0, err
	}
	return x.Linear(index), nil
}

// IndexAt returns the index of the element of array s at a place in memory; ok is
// false if only padding is there. It fails where NewIndexing does and if the place
// is outside of the array's memory.
func (s Shape) IndexAt(linear int) (index []int, ok bool, err error) {
	x, err := NewIndexing(s)
	if err != nil {
		return nil, false, err
	}
	if err := checkRange("linear index", linear, x.length); err != nil {
		return nil, false, err
	}
	index = make([]int, len(s.Dims))
	if !x.Index(index, linear) {
		return nil, false, nil
	}
	return index, true, nil
}
