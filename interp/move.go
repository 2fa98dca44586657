package interp

import (
	"github.com/goxla/xla/literal"
)

// A walk is a way through the elements of an array: it starts at Offset and one
// step along dimension i moves by Strides[i] elements. Broadcast has strides 0,
// reverse negative ones. Every data movement is a copy from one walk to another.
type walkOf struct {
	data    literal.Literal
	offset  int
	strides []int
}

// all is the walk through l in row-major order.
func all(l literal.Literal) walkOf { return walkOf{data: l, strides: rowMajor(l.Dims())} }

// rowMajor returns the strides of a row-major array.
func rowMajor(dims []int) []int {
	strides := make([]int, len(dims))
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i] = n
		n *= dims[i]
	}
	return strides
}

// at moves the start of the walk by index, step by step of the walk.
func (w walkOf) at(index []int) walkOf {
	for i, x := range index {
		w.offset += x * w.strides[i]
	}
	return w
}

// move copies an array of size dims from src to dst.
func move(dst, src walkOf, dims []int) {
	switch dst.data.Type().ByteSize() {
	case 1:
		moveElements[uint8](dst, src, dims)
	case 2:
		moveElements[uint16](dst, src, dims)
	case 4:
		moveElements[uint32](dst, src, dims)
	case 8:
		moveElements[uint64](dst, src, dims)
	default:
		moveElements[complex128](dst, src, dims)
	}
}

func moveElements[T literal.Native](dst, src walkOf, dims []int) {
	for _, d := range dims {
		if d <= 0 {
			return
		}
	}
	m := mover[T]{d: literal.View[T](dst.data), s: literal.View[T](src.data),
		dims: dims, dStrides: dst.strides, sStrides: src.strides}
	m.run(0, dst.offset, src.offset)
}

type mover[T literal.Native] struct {
	d, s                     []T
	dims, dStrides, sStrides []int
}

// run copies the sub-array of dimensions k and up, at offsets i and j.
func (m *mover[T]) run(k, i, j int) {
	rank := len(m.dims)
	if k == rank {
		m.d[i] = m.s[j]
		return
	}
	n, di, sj := m.dims[k], m.dStrides[k], m.sStrides[k]
	if k < rank-1 {
		for range n {
			m.run(k+1, i, j)
			i, j = i+di, j+sj
		}
		return
	}
	if di == 1 && sj == 1 {
		copy(m.d[i:i+n], m.s[j:j+n])
		return
	}
	if di == 1 && sj == 0 {
		row, v := m.d[i:i+n], m.s[j]
		for k := range row {
			row[k] = v
		}
		return
	}
	for range n {
		m.d[i] = m.s[j]
		i, j = i+di, j+sj
	}
}
