package literal

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/shape"
)

// strides returns how many elements lie between neighbours along each dimension.
func strides(s shape.Shape) []int {
	out := make([]int, len(s.Dims))
	step := 1
	for _, d := range s.MinorToMajor() {
		if d < len(out) {
			out[d] = step
			step *= s.Dims[d]
		}
	}
	return out
}

// sameOrder reports whether arrays of the shapes s and t, which have the same
// dimensions, keep their elements in the same physical order.
func sameOrder(s, t shape.Shape) bool {
	return s.Layout.IsRowMajor() && t.Layout.IsRowMajor() ||
		slices.Equal(s.MinorToMajor(), t.MinorToMajor())
}

// Offset returns where element i, counted in logical (row-major) order, lies in the
// physical order that Values and Bytes show.
func (l Literal) Offset(i int) int {
	if l.shape.Layout.IsRowMajor() {
		return i
	}
	offset := 0
	step := strides(l.shape)
	for d := len(l.shape.Dims) - 1; d >= 0; d-- {
		size := l.shape.Dims[d]
		offset += i % size * step[d]
		i /= size
	}
	return offset
}

// Clone returns a literal with the same shape and elements that shares no memory
// with l. That of an elided literal is filled.
func (l Literal) Clone() Literal {
	out := New(l.shape)
	out.copyFrom(l)
	return out
}

// Copy sets the elements of dst to those of src at the same positions; layouts may
// differ. It fails if the element types or dimensions differ.
func Copy(dst, src Literal) error {
	if !dst.shape.EqualIgnoringLayout(src.shape) {
		return fmt.Errorf("literal: copy of %v to %v", src.shape, dst.shape)
	}
	dst.copyFrom(src)
	return nil
}

// copyFrom is Copy for shapes that are known to agree.
func (l Literal) copyFrom(src Literal) {
	for i := range l.elems {
		l.elems[i].copyFrom(src.elems[i])
	}
	switch {
	case !l.shape.IsArray():
	case sameOrder(l.shape, src.shape):
		copy(l.Bytes(), src.Bytes())
	default:
		copyBox(l, src, box{dims: l.shape.Dims, dst: strides(l.shape), src: strides(src.shape)})
	}
}

// Relayout returns an array with the elements of l and the layout to; nil is the
// default layout. It returns l where that is its layout already, and shares the
// elements where the order of the dimensions is the same. It panics if to is not
// an order of l's dimensions.
func (l Literal) Relayout(to *shape.Layout) Literal {
	s := l.shape.WithLayout(to)
	if !s.IsArray() || len(s.MinorToMajor()) != len(s.Dims) {
		panic(fmt.Sprintf("literal: layout %v for %v", to, l.shape))
	}
	if sameOrder(s, l.shape) {
		l.shape = s
		return l
	}
	out := New(s)
	out.copyFrom(l)
	return out
}

// RowMajor returns an array with the elements of l and the default layout, or a
// tuple of such; l itself where it is that already.
func (l Literal) RowMajor() Literal {
	switch {
	case l.shape.HasDefaultLayout():
		return l
	case l.shape.IsArray():
		return l.Relayout(nil)
	}
	elems := make([]Literal, len(l.elems))
	for i, e := range l.elems {
		elems[i] = e.RowMajor()
	}
	l.shape, l.elems = l.shape.WithDefaultLayouts(), elems
	return l
}

// Reshape returns an array of the given dimensions and the default layout with the
// elements of l in the same logical order. The elements are shared if l is
// row-major, and copied otherwise. It fails if the number of elements differs.
func (l Literal) Reshape(dims ...int) (Literal, error) {
	s := shape.Make(l.Type(), dims...)
	n, err := s.Elements()
	if err != nil {
		return Literal{}, fmt.Errorf("literal: %w", err)
	}
	if !l.shape.IsArray() || n != l.Len() {
		return Literal{}, fmt.Errorf("literal: reshape of %v to %d elements", l.shape, n)
	}
	out := l.RowMajor()
	out.shape = s
	return out, nil
}

// Slice returns a new array of the elements of l at start, start+stride, ... below
// limit along each dimension, with l's layout; a nil stride is 1 everywhere. It
// fails if a number is missing or an index is outside l.
func (l Literal) Slice(start, limit, stride []int) (Literal, error) {
	dims := l.shape.Dims
	if len(start) != len(dims) || len(limit) != len(dims) || stride != nil && len(stride) != len(dims) {
		return Literal{}, fmt.Errorf("literal: slice [%v:%v:%v] of %v: want %d numbers each",
			start, limit, stride, l.shape, len(dims))
	}
	s := l.shape.Static()
	s.Dims = make([]int, len(dims))
	b := box{dims: s.Dims, src: strides(l.shape)}
	for d, size := range dims {
		step := 1
		if stride != nil {
			step = stride[d]
		}
		if start[d] < 0 || start[d] > limit[d] || limit[d] > size || step < 1 {
			return Literal{}, fmt.Errorf("literal: slice [%v:%v:%v] of %v", start, limit, stride, l.shape)
		}
		s.Dims[d] = (limit[d] - start[d] + step - 1) / step
		b.srcAt += start[d] * b.src[d]
		b.src[d] *= step
	}
	out := New(s)
	b.dst = strides(s)
	copyBox(out, l, b)
	return out, nil
}

// box describes a set of elements in two arrays: the sizes, and for each array the
// place of the first element and the distance of neighbours along each dimension.
type box struct {
	dims         []int
	dst, src     []int
	dstAt, srcAt int
}

// copyBox copies the elements of b from src to dst, whose elements have the same width.
func copyBox(dst, src Literal, b box) {
	if slices.Contains(b.dims, 0) {
		return
	}
	b = b.byDestination()
	switch dst.Type().ByteSize() {
	case 1:
		copyElements(View[uint8](dst), View[uint8](src), b, 0, b.dstAt, b.srcAt)
	case 2:
		copyElements(View[uint16](dst), View[uint16](src), b, 0, b.dstAt, b.srcAt)
	case 4:
		copyElements(View[uint32](dst), View[uint32](src), b, 0, b.dstAt, b.srcAt)
	case 8:
		copyElements(View[uint64](dst), View[uint64](src), b, 0, b.dstAt, b.srcAt)
	case 16:
		copyElements(View[complex128](dst), View[complex128](src), b, 0, b.dstAt, b.srcAt)
	}
}

// byDestination returns b with the dimensions sorted so that the last one is the
// fastest-varying of the destination; those of size 1 are left out.
func (b box) byDestination() box {
	order := make([]int, 0, len(b.dims))
	for d, size := range b.dims {
		if size > 1 {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return b.dst[y] - b.dst[x] })
	out := box{dstAt: b.dstAt, srcAt: b.srcAt}
	for _, d := range order {
		out.dims = append(out.dims, b.dims[d])
		out.dst = append(out.dst, b.dst[d])
		out.src = append(out.src, b.src[d])
	}
	return out
}

// copyElements copies what b has from dimension d on, i and j being where it starts.
func copyElements[T Native](dst, src []T, b box, d, i, j int) {
	if d == len(b.dims) {
		dst[i] = src[j]
		return
	}
	n, di, dj := b.dims[d], b.dst[d], b.src[d]
	switch {
	case d < len(b.dims)-1:
		for range n {
			copyElements(dst, src, b, d+1, i, j)
			i, j = i+di, j+dj
		}
	case di == 1 && dj == 1:
		copy(dst[i:i+n], src[j:])
	default:
		for range n {
			dst[i] = src[j]
			i, j = i+di, j+dj
		}
	}
}
