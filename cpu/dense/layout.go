package dense

import "unsafe"

// Layout says where the elements of a matrix in panels are.
type Layout struct {
	// Rows and Cols are rounded up to whole blocks.
	Rows, Cols int
	// Width is the columns of a panel, but of the last one, which may have fewer.
	Width, Lanes int
}

// Layout returns the layout of a matrix.
func (k *Kernels[T]) Layout(rows, cols int) Layout {
	return Layout{Rows: up(rows, k.Rows), Cols: up(cols, k.Lanes), Width: MostVectors * k.Lanes, Lanes: k.Lanes}
}

func up(n, unit int) int { return (n + unit - 1) / unit * unit }

// Size is the number of elements.
func (l Layout) Size() int { return l.Rows * l.Cols }

// Panels is the number of panels.
func (l Layout) Panels() int { return (l.Cols + l.Width - 1) / l.Width }

// Panel returns where panel p begins, and the columns it has, which is also how far its rows are apart.
//
//go:noinline
func (l Layout) Panel(p int) (at, cols int) {
	return p * l.Width * l.Rows, min(l.Width, l.Cols-p*l.Width)
}

// Matrix is a matrix in panels.
type Matrix[T Float] struct {
	Layout
	At []T
}

// Row returns row i of panel p.
func (m Matrix[T]) Row(p, i int) []T {
	at, cols := m.Panel(p)
	return m.At[at+i*cols:][:cols:cols]
}

// from returns panel p from row i on.
func (m Matrix[T]) from(p, i int) (part []T, cols int) {
	at, cols := m.Panel(p)
	return m.At[at+i*cols : at+m.Rows*cols], cols
}

// Aligned returns n numbers in memory that begins with a cache line, given at least n + Slack of them.
func Aligned[T Float](s []T, n int) []T {
	var zero T
	skip := int(-uintptr(pointer(s))&(align-1)) / int(unsafe.Sizeof(zero))
	return s[skip : skip+n : skip+n]
}

// Slack is how many numbers more than needed are given to Aligned.
const Slack = align / 4
