package conv

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Convolutions that are loops are padded in front if each element of the input takes part in so many products, and the
// input does not become so many times larger: then there are no masks in the loops, and several places of the window go
// side by side. With fewer products, copying the input takes longer than the masks, which are made once for a vector of
// places if the window is short, else for each product.
const (
	minReuse     = 12
	minReuseLong = 6
	longWindow   = 27 // taps
	minLoops     = 1 << 16
	mostPadded   = 2
	// Places whose windows reach beyond the input, one in so many, may have slower loops, if rows are so long.
	mostBeyond = 8
	longRow    = 16
	// Of rows so short that one in so many of their places does, groups of several features are padded sooner: what is
	// left beside blocks of places takes as long as these.
	mostBeyondRow = 16
)

// padded pads the input of i, a convolution that is to be loops, and returns what takes its place; nil if it is to
// stay as it is.
func padded(i *hlo.Instruction) (*hlo.Instruction, error) {
	a, ok := i.Attrs().(*op.ConvolutionAttrs)
	if !ok || i.Code() != op.Convolution || len(i.Operands()) != 2 || a.Sparsity != nil ||
		len(i.ControlPredecessors()) > 0 {
		return nil, nil
	}
	x, y := i.Operand(0).Shape(), i.Shape()
	if !x.IsStatic() || !y.IsStatic() || !x.Type.IsFloat() || x.Size() == 0 {
		return nil, nil
	}
	if i.Operand(1).Dims()[a.DimLabels.KernelInputFeature] == 1 && a.BatchGroupCount <= 1 && len(a.Window.Dims) > 1 {
		return nil, nil // its input is brought near, with zeros around it, by the loops
	}
	padding, taps := paddingOf(a, x, y)
	reuse, depth := minReuse, taps*i.Operand(1).Dims()[a.DimLabels.KernelInputFeature]
	if taps > longWindow {
		reuse = minReuseLong
	}
	if padding == nil {
		return nil, nil
	}
	if products := y.Size() * depth; products < minLoops || products < reuse*x.Size() ||
		fewBeyond(a, x, y) && (depth == taps || products < 2*minReuse*x.Size() && !shortRows(a, x, y)) {
		return nil, nil
	}
	e := &editor{c: i.Computation()}
	b := op.CloneAttrs(a).(*op.ConvolutionAttrs)
	b.Window.Dims = slices.Clone(b.Window.Dims)
	for d, s := range a.DimLabels.InputSpatial {
		b.Window.Dims[d].PaddingLow -= padding[s].Low
		b.Window.Dims[d].PaddingHigh -= padding[s].High
	}
	in, kernel := i.Operand(0), i.Operand(1)
	if narrowFloat(x.Type) && depth > taps { // each element is widened once
		if in = e.convert(in, shape.F32); narrowFloat(kernel.Type()) {
			kernel = e.convert(kernel, shape.F32)
		}
	}
	n := e.add(op.Convolution, y, b, e.padBehind(in, padding), kernel)
	if e.err == nil {
		n.CopyAnnotations(i)
	}
	return n, e.err
}

// fewBeyond reports whether the features are innermost in the result, so that places may have loops of their own, and
// no more than one in mostBeyond has windows beyond x by a dimension that is not the last.
func fewBeyond(a *op.ConvolutionAttrs, x, y shape.Shape) bool {
	l := &a.DimLabels
	if l.OutputFeature != y.Rank()-1 {
		return false
	}
	inside, all := 1, 1
	for d := range a.Window.Dims {
		if places := y.Dims[l.OutputSpatial[d]]; l.OutputSpatial[d] != y.Rank()-2 {
			inside, all = inside*insideOf(a, x, y, d), all*places
		}
	}
	return mostBeyond*(all-inside) <= all && y.Dims[y.Rank()-2] >= longRow
}

// shortRows reports whether at least one in mostBeyondRow of the places of a row has a window beyond x by that
// dimension.
func shortRows(a *op.ConvolutionAttrs, x, y shape.Shape) bool {
	row := slices.Index(a.DimLabels.OutputSpatial, y.Rank()-2)
	places := y.Dims[y.Rank()-2]
	return row >= 0 && mostBeyondRow*(places-insideOf(a, x, y, row)) >= places
}

// insideOf returns how many places along spatial dimension d have windows that are inside of x there.
func insideOf(a *op.ConvolutionAttrs, x, y shape.Shape, d int) int {
	l, w := &a.DimLabels, &a.Window.Dims[d]
	stride, last := max(w.Stride, 1), (w.Size-1)*max(w.WindowDilation, 1)
	from := (max(w.PaddingLow, 0) + stride - 1) / stride
	to := min(y.Dims[l.OutputSpatial[d]], (x.Dims[l.InputSpatial[d]]-1+w.PaddingLow-last)/stride+1)
	return max(to-from, 0)
}

// paddingOf returns the zeros around x that the windows of a reach, nil if there are none, too many, or if x has holes;
// and the number of taps.
func paddingOf(a *op.ConvolutionAttrs, x, y shape.Shape) (padding op.Padding, taps int) {
	padding = make(op.Padding, x.Rank())
	size, any := 1, false
	taps = 1
	for d, w := range a.Window.Dims {
		s := a.DimLabels.InputSpatial[d]
		last := (y.Dims[a.DimLabels.OutputSpatial[d]]-1)*max(w.Stride, 1) + (w.Size-1)*max(w.WindowDilation, 1) - w.PaddingLow
		p := op.PadDim{Low: max(w.PaddingLow, 0), High: max(last-(x.Dims[s]-1), 0)}
		padding[s] = p
		any = any || p.Low > 0 || p.High > 0
		size *= p.Low + x.Dims[s] + p.High
		taps *= w.Size
		if w.BaseDilation > 1 {
			return nil, taps
		}
	}
	old := 1
	for _, s := range a.DimLabels.InputSpatial {
		old *= x.Dims[s]
	}
	if !any || size > mostPadded*old {
		return nil, taps
	}
	return padding, taps
}

// padBehind pads x, or what transposes and reshapes make it of: padded memory is in the order of that.
func (e *editor) padBehind(x *hlo.Instruction, p op.Padding) *hlo.Instruction {
	switch x.Code() {
	case op.Transpose:
		order := x.Attrs().(*op.TransposeAttrs).Dimensions
		inner := make(op.Padding, len(order))
		for d, from := range order {
			inner[from] = p[d]
		}
		return e.transpose(e.padBehind(x.Operand(0), inner), order)
	case op.Reshape:
		if inner := paddingOfOperand(x, p); inner != nil {
			s := shape.Make(x.Type(), slices.Clone(x.Dims())...)
			for d := range p {
				s.Dims[d] += p[d].Low + p[d].High
			}
			y := e.padBehind(x.Operand(0), inner)
			return e.add(op.Reshape, s, &op.ReshapeAttrs{}, y)
		}
	}
	return e.pad(x, p)
}

// paddingOfOperand returns p as a padding of the operand of reshape i, nil if that does not have the padded dimensions.
func paddingOfOperand(i *hlo.Instruction, p op.Padding) op.Padding {
	in, out := i.Operand(0).Dims(), i.Dims()
	inner := make(op.Padding, len(in))
	for d := range out {
		if p[d] == (op.PadDim{}) {
			continue
		}
		found := false
		for e := range in {
			if in[e] == out[d] && product(in[:e]) == product(out[:d]) {
				inner[e], found = p[d], true
			}
		}
		if !found {
			return nil
		}
	}
	return inner
}

// product multiplies dims.
func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}
