package conv

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Where the holes of the input are as wide as the window, or wider, as in the gradient of the input of windows of one
// element that move on by several, some phases have no taps: their places are zeros. If one phase of a dimension has
// all taps, its places are a convolution without holes, and zeros are put between them behind it. That is for products:
// loops write zeros as they go.

// untapped returns the one phase with taps of each spatial dimension of i that has phases without; taps is 0 for
// the others. It is nil if there is no such dimension, or if taps are of several phases.
func untapped(i *hlo.Instruction) []phase {
	a, ok := i.Attrs().(*op.ConvolutionAttrs)
	if !ok || i.Code() != op.Convolution || len(i.Operands()) != 2 || a.Sparsity != nil || a.Algorithm != "" ||
		len(i.ControlPredecessors()) > 0 {
		return nil
	}
	x, k, y := i.Operand(0).Shape(), i.Operand(1).Shape(), i.Shape()
	if !x.IsStatic() || !k.IsStatic() || !y.IsStatic() || x.Size()*k.Size()*y.Size() == 0 {
		return nil
	}
	found := false
	list := make([]phase, len(a.Window.Dims))
	for d, w := range a.Window.Dims {
		phases := allPhases(w, y.Dims[a.DimLabels.OutputSpatial[d]])
		none := func(p phase) bool { return p.tap < 0 }
		if !slices.ContainsFunc(phases, none) {
			continue
		}
		phases = slices.DeleteFunc(phases, none)
		if len(phases) != 1 || phases[0].taps != w.Size {
			return nil
		}
		list[d], found = phases[0], true
	}
	if !found {
		return nil
	}
	return list
}

// tapped adds i by the phases of list, which untapped returned, with zeros between their places; nil if these are no
// product.
func tapped(i *hlo.Instruction, list []phase, words bool, vector int) (*hlo.Instruction, error) {
	e := &editor{c: i.Computation()}
	a := op.CloneAttrs(i.Attrs()).(*op.ConvolutionAttrs)
	a.Window.Dims = slices.Clone(a.Window.Dims)
	s := shape.Make(i.Type(), slices.Clone(i.Dims())...)
	between := make(op.Padding, len(s.Dims))
	for d, p := range list {
		if p.taps == 0 {
			continue
		}
		w, out := &a.Window.Dims[d], a.DimLabels.OutputSpatial[d]
		w.Stride, w.WindowDilation, w.BaseDilation = p.step, p.dilation, 1
		w.PaddingLow, w.PaddingHigh = -p.start, p.last()-(i.Operand(0).Dims()[a.DimLabels.InputSpatial[d]]-1)
		s.Dims[out] = p.count
		between[out] = op.PadDim{Low: p.from, Interior: p.every - 1,
			High: i.Dims()[out] - 1 - p.from - (p.count-1)*p.every}
	}
	y := e.add(op.Convolution, s, a, i.Operand(0), i.Operand(1))
	if e.err != nil {
		return nil, e.err
	}
	if formOf(y, vector) == nil {
		e.c.Remove(y)
		return nil, nil
	}
	y.CopyAnnotations(i)
	y, err := canonicalAt(y, words, vector)
	if err != nil {
		return nil, err
	}
	return e.pad(y, between), e.err
}
