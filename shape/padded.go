package shape

import (
	"fmt"
	"iter"
	"slices"
)

// PaddingValue is the value of the padding in a PaddedLayout. The numbers are those
// of the PaddingValue proto enum.
type PaddingValue int

// The padding values. Lowest and highest are those of the element type; unknown
// says that the padding may hold anything.
const (
	InvalidPad PaddingValue = iota
	ZeroPad
	OnePad
	LowestPad
	HighestPad
	UnknownPad
)

// PaddedLayout is the legacy form of a layout, in which dimensions are padded to
// larger sizes. The tags give the numbers of the fields in the Layout proto. Spec:
// SHAPES.md, Layout.
type PaddedLayout struct {
	// MinorToMajor is a permutation of the dimensions, the fastest-varying first.
	MinorToMajor []int `proto:"minor_to_major,1"`
	// PaddedDims holds the padded size of each dimension; nil: no padding.
	PaddedDims []int `proto:"padded_dimensions,2"`
	// PaddingValue is what the padding holds.
	PaddingValue PaddingValue `proto:"padding_value,3"`
}

// Check returns an error if l is not a layout for an array of the given sizes: the
// order is not a permutation, or the padded sizes are not as many as the
// dimensions, are below their sizes or have too large a product.
func (l PaddedLayout) Check(dims []int) error {
	if err := CheckLayout(dims, MakeLayout(l.MinorToMajor...)); err != nil {
		return err
	}
	if l.PaddedDims != nil && len(l.PaddedDims) != len(dims) {
		return fmt.Errorf("padded_dimensions has %d entries, expected %d", len(l.PaddedDims), len(dims))
	}
	for i, d := range l.PaddedDims {
		if d < dims[i] {
			return fmt.Errorf("padded dimension %d is %d, below its size %d", i, d, dims[i])
		}
	}
	if l.PaddingValue < InvalidPad || l.PaddingValue > UnknownPad {
		return fmt.Errorf("padding_value: expected %d to %d, got %d", InvalidPad, UnknownPad, l.PaddingValue)
	}
	_, err := Make(S8, l.widths(dims)...).Elements()
	return err
}

// widths returns the sizes with padding.
func (l PaddedLayout) widths(dims []int) []int {
	if l.PaddedDims == nil {
		return dims
	}
	return l.PaddedDims
}

// Elements returns the number of elements in memory, padding included. The layout
// must have passed Check.
func (l PaddedLayout) Elements(dims []int) int {
	return Make(S8, l.widths(dims)...).Size()
}

// Linear returns the place in memory of the element at index. The layout must have
// passed Check and the index must be inside the padded sizes.
func (l PaddedLayout) Linear(index, dims []int) int {
	return Dot(index, Strides(l.widths(dims), l.MinorToMajor))
}

// Order yields, for each place in memory from the first to the last, the index that
// lies there; isPadding is true where that is outside of the array. The slice is
// reused: it is valid until the next one. The layout must have passed Check.
func (l PaddedLayout) Order(dims []int) iter.Seq2[[]int, bool] {
	widths := l.widths(dims)
	return func(yield func(index []int, isPadding bool) bool) {
		index := make([]int, len(dims))
		for place := range l.Elements(dims) {
			isPadding := false
			for _, d := range l.MinorToMajor {
				index[d] = place % widths[d]
				place /= widths[d]
				isPadding = isPadding || index[d] >= dims[d]
			}
			if !yield(index, isPadding) {
				return
			}
		}
	}
}

// Layout returns the layout that puts every element of an array of the given sizes
// in the same place: one tile of the padded sizes. What the padding holds is not
// part of it. It fails where Check does.
func (l PaddedLayout) Layout(dims []int) (*Layout, error) {
	if err := l.Check(dims); err != nil {
		return nil, err
	}
	layout := MakeLayout(slices.Clone(l.MinorToMajor)...)
	if l.PaddedDims == nil || slices.Equal(l.PaddedDims, dims) || slices.Contains(l.PaddedDims, 0) {
		return layout, nil
	}
	tile := make([]int, 0, len(dims))
	for _, d := range slices.Backward(l.MinorToMajor) {
		tile = append(tile, l.PaddedDims[d])
	}
	layout.Tiles = []Tile{{Dims: tile}}
	return layout, nil
}
