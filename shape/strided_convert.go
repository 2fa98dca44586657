package shape

import (
	"cmp"
	"fmt"
	"slices"
)

// Shape returns the array shape whose layout puts every element where d does. An
// order becomes a minor-to-major order; padding, where each stride is a multiple of
// the next smaller one, becomes a tile as wide as the padded dimensions. The memory
// of such a shape may reach beyond d's smallest buffer, by the padding behind its
// last element.
//
// No layout repeats elements, lets them overlap, or leaves gaps between the
// neighbours along the most minor dimension: those are errors, as are invalid
// descriptions.
func (d Strided) Shape() (Shape, error) {
	if err := d.Check(); err != nil {
		return Shape{}, err
	}
	s := Make(d.Type, d.Sizes...)
	if !d.NeedsStrides() {
		return s, nil
	}
	if i := d.broadcastDim(); i >= 0 {
		return Shape{}, fmt.Errorf("%v: no layout has a broadcast, stride 0 in dimension %d of size %d", d, i, d.Sizes[i])
	}
	order := d.majorToMinor()
	widths, err := d.widths(order)
	if err != nil {
		return Shape{}, err
	}
	l := &Layout{MinorToMajor: order}
	for i, dim := range order[1:] {
		if widths[i+1] != d.Sizes[dim] {
			l.Tiles = []Tile{{Dims: widths[i+1:]}}
			break
		}
	}
	slices.Reverse(l.MinorToMajor)
	return s.WithLayout(l.Normalize()), nil
}

// majorToMinor returns the dimensions by falling stride. Where dimensions of more
// than one element already are in that order, all dimensions stay in place.
func (d Strided) majorToMinor() []int {
	order := make([]int, len(d.Sizes))
	falling, last := true, -1
	for i, size := range d.Sizes {
		order[i] = i
		if size > 1 {
			falling = falling && (last < 0 || d.Strides[last] > d.Strides[i])
			last = i
		}
	}
	if !falling {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.Strides[b], d.Strides[a]) })
	}
	return order
}

// widths returns the padded size of each dimension of order: the stride of the next
// larger dimension divided by its own.
func (d Strided) widths(order []int) ([]int, error) {
	widths := make([]int, len(order))
	step := 1 // the stride that a packed dimension would have
	inner := -1
	for i, dim := range slices.Backward(order) {
		widths[i] = d.Sizes[dim]
		if d.Sizes[dim] == 1 {
			continue
		}
		stride := d.Strides[dim]
		switch {
		case inner < 0 && stride != 1:
			return nil, fmt.Errorf("%v: no layout has gaps between elements, the smallest stride is %d", d, stride)
		case stride < step:
			return nil, fmt.Errorf("%v: no layout has dimensions that overlap, stride %d of dimension %d is below %d",
				d, stride, dim, step)
		case inner >= 0 && stride%d.Strides[order[inner]] != 0:
			return nil, fmt.Errorf("%v: no layout has stride %d, which is not a multiple of the next smaller, %d",
				d, stride, d.Strides[order[inner]])
		case inner >= 0:
			widths[inner] = stride / d.Strides[order[inner]]
		}
		step, inner = stride*d.Sizes[dim], i
	}
	return widths, nil
}

// StridedOf returns the description of a buffer that holds array s. It fails if s
// is not an array, has dynamic dimensions or elements packed in less than bytes, or
// has tiles that put neighbours along a dimension at differing distances. It may
// also fail where a tile after the first combines dimensions, which no program does.
func StridedOf(s Shape) (Strided, error) {
	if !s.IsStatic() {
		return Strided{}, fmt.Errorf("%v has no strides: its dimensions are dynamic", s)
	}
	x, err := NewIndexing(s)
	if err != nil {
		return Strided{}, err
	}
	if s.ElementBits() != s.Type.ByteSize()*8 {
		return Strided{}, fmt.Errorf("%v has no strides: its elements have %d bits, expected %d",
			s, s.ElementBits(), s.Type.ByteSize()*8)
	}
	d := Strided{Type: s.Type, Sizes: s.Dims, Strides: x.strides}
	if d.Strides == nil {
		if d.Strides, err = tiledStrides(s, x); err != nil {
			return Strided{}, err
		}
	}
	return d, d.Check()
}
