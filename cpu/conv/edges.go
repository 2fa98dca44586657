package conv

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A copy of the input with zeros around it takes up to half of the time where the output features are few. Instead the
// places whose windows reach beyond the input are products of their own, by the taps that hit an element: four edges
// and four corners of an image, and what is inside.

// That is for inputs of at least leastEdged bytes, of leastEdgedFew where the output features are few, kernels of a
// part of them, as each product packs its own, and at most mostEdged products. Unless the output features are few, rows
// have leastPlaces, so that blocks stay long. Groups
// of few features have edges where windows move on by leastMoves elements or more, of an input of mostSkipped bytes or
// less.
const (
	leastEdged    = 128 << 10
	leastEdgedFew = 384 << 10
	kernelPart    = 4
	mostEdged     = 9
	leastPlaces   = 28
	mostSkipped   = 4 << 20
	leastMoves    = 4
)

// worthEdges reports whether f is better without padding: nothing computes the input that could bring the zeros along.
func (f *form) worthEdges() bool {
	if f.computed() {
		return false
	}
	bytes, size, y := f.x.Size()*f.x.Type.ByteSize(), f.k.Type.ByteSize(), f.inst.Shape()
	least := leastEdged
	if f.out < minColumns {
		least = leastEdgedFew
	}
	if len(f.dims) == 0 || bytes < least || f.k.Size()*size*kernelPart > bytes {
		return false
	}
	return f.out < minColumns || !narrowFloat(f.x.Type) && !f.x.Type.IsInteger() &&
		y.Dims[f.labels.OutputSpatial[len(f.dims)-1]] >= leastPlaces
}

// computed reports whether a kernel computes the input, only for f: it brings the zeros along.
func (f *form) computed() bool {
	x := f.inst.Operand(0)
	switch x.Code() {
	case op.Parameter, op.GetTupleElement, op.Convolution, op.Dot:
		return false
	}
	return len(x.Users()) == 1
}

// near returns f as of an input with zeros around it, or with none, which products by diagonals, and of planes, bring
// near themselves; nil if they do not, or few taps read each element where it is.
func (f *form) near() *form {
	narrow := narrowFloat(f.x.Type)
	if !f.diagonal && !f.plane || f.skips() || f.phases() > 1 || narrow && f.k.Type != shape.F32 ||
		!f.halves() && !(f.diagonal && (narrow || f.taps() > 1 && !f.leaps())) && f.canonical() {
		return nil
	}
	e := f.withZeros()
	if !e.canonical() {
		return nil
	}
	kernel := whole(f.k.Dims)
	ok := false
	if f.plane {
		_, ok = e.planes(kernel)
	} else {
		_, ok = e.product(0, whole(f.x.Dims), kernel)
	}
	if !ok {
		return nil
	}
	return e
}

// taps is how many taps the first phase of each dimension has together.
func (f *form) taps() int {
	n := 1
	for _, p := range f.dims {
		n *= p[0].taps
	}
	return n
}

// withZeros returns f, of one phase, as of an input with zeros around it.
func (f *form) withZeros() *form {
	e := *f
	dims := slices.Clone(f.x.Dims)
	for _, n := range f.x.Dims {
		e.around = append(e.around, gemm.Margin{Size: n})
	}
	e.dims = nil
	for d, s := range f.labels.InputSpatial {
		m, p := &e.around[s], f.dims[d][0]
		m.Low, m.High = f.beyond(d)
		dims[s] += m.Low + m.High
		p.start += m.Low
		e.dims = append(e.dims, []phase{p})
	}
	e.x = shape.Make(f.x.Type, dims...)
	return &e
}

// leaps reports whether windows over groups of few features move on by so much that to bring the input near takes as
// long as to multiply it where it is.
func (f *form) leaps() bool {
	moves := 1
	for _, p := range f.dims {
		moves *= p[0].step
	}
	return f.diagonal && f.in <= fewInputs && moves >= leastMoves && !narrowFloat(f.x.Type)
}

// skips reports whether an input over which windows leap is multiplied where it is, with edges. Those of a large one
// bring it along rows, which the hardware asks for ahead.
func (f *form) skips() bool {
	return f.leaps() && f.x.Size()*f.x.Type.ByteSize() <= mostSkipped && f.worthEdges() && f.edged() != nil
}

// edged returns f with phases for the places whose windows reach beyond the input; nil if there are none that products
// take as they are, or too many.
func (f *form) edged() *form {
	if f == nil || f.groups > 1 && !f.diagonal || f.plane || f.fewPlaces() || f.canonical() {
		return nil
	}
	e := *f
	e.dims = nil
	for d, p := range f.dims {
		if len(p) > 1 {
			return nil
		}
		list := edgesOf(p[0], f.x.Dims[f.labels.InputSpatial[d]])
		if list == nil {
			return nil
		}
		e.dims = append(e.dims, list)
	}
	if e.phases() > mostEdged || !e.canonical() {
		return nil
	}
	return &e
}

// edgesOf cuts the places of p, the only phase of a dimension of n elements, into those with the same taps inside; nil
// if a place has none.
func edgesOf(p phase, n int) []phase {
	var list []phase
	for place := range p.count {
		first := p.start + place*p.step
		tap, end := max(0, (p.dilation-1-first)/p.dilation), min(p.taps, (n-1-first)/p.dilation+1)
		if first >= n || tap >= end {
			return nil
		}
		e := p
		e.from, e.count, e.taps, e.tap, e.start = place, 1, end-tap, p.tap+tap*p.tapStep, first+tap*p.dilation
		if last := len(list) - 1; last >= 0 && list[last].tap == e.tap && list[last].taps == e.taps {
			list[last].count++
			continue
		}
		list = append(list, e)
	}
	return list
}

// productForm returns the form of i whose products read its input as it is, nil if there is none.
func productForm(i *hlo.Instruction, vector int) *form {
	f := formOf(i, vector)
	if f == nil {
		return nil
	}
	if n := f.near(); n != nil {
		return n
	}
	if f.canonical() {
		return f
	}
	return f.edged()
}
