package conv

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Windows that move on by several elements of a row of places hit every so many of them with each tap. Where the
// places are innermost these elements become rows, and features, of their own: the window moves on by one element
// then, and its places are columns as in planes.go. A tap that is the s*q+r-th is tap q of feature r of s; if their
// number is no multiple of s, the kernel has some more of zeros.

// That is for results of at least leastParted bytes, which are transposed from cache to cache else, and depths of at
// least leastPartedDepth: of shorter ones writing the result is most. To transpose takes as long as farTransposeDepth
// multiply-adds for each element, and columns take windowLoss of 16 more than multiplying the other way round.
const (
	leastParted       = 1 << 20
	leastPartedDepth  = 64
	farTransposeDepth = 64
	windowLoss        = 2
)

// parts is how f is made so.
type parts struct {
	d, step, taps int  // the last spatial dimension, its step, and the taps of its window then
	shift         int  // zeros in front of the taps of the kernel
	divides       bool // parts have the same elements, and so have zeros in front of the input
}

// parted returns how the elements of rows of f become features; nil if that is no gain: the taps of zeros and what
// vectors have beyond the ends of rows have to cost less than transposing.
func (f *form) parted() *parts {
	n := len(f.dims)
	if n == 0 || f.plane || f.groups > 1 || f.phases() > 1 || f.patched() ||
		f.x.Type != shape.F32 && f.x.Type != shape.F64 {
		return nil
	}
	p := f.dims[n-1][0]
	s, width := p.step, f.x.Dims[f.labels.InputSpatial[n-1]]
	if w := &f.inst.Attrs().(*op.ConvolutionAttrs).Window.Dims[n-1]; s < 2 || p.taps < s || p.reversed ||
		max(w.WindowDilation, w.BaseDilation) > 1 {
		return nil
	}
	t := &parts{d: n - 1, step: s, taps: (p.taps + s - 1) / s}
	if shift := ((p.start % s) + s) % s; shift+p.taps <= t.taps*s && width%s == 0 {
		t.shift, t.divides = shift, true
	}
	y, depth := f.inst.Shape(), f.depth()/p.taps*t.taps*s
	g := *f
	g.in *= s
	g.dims = slices.Clone(f.dims)
	p.step, p.taps = 1, t.taps
	g.dims[n-1] = []phase{p}
	lanes := vectorBytes / y.Type.ByteSize()
	whole := (p.count + lanes - 1) / lanes * lanes
	more := depth*whole/p.count*(16+windowLoss)/16 - f.depth()
	if depth < leastPartedDepth || more > farTransposeDepth || y.Size()*y.Type.ByteSize() < leastParted ||
		!g.planar(depth) {
		return nil
	}
	return t
}

// partedBy adds f with its rows in parts and returns the value that takes its place.
func (f *form) partedBy(t *parts, words bool, vector int) (*hlo.Instruction, error) {
	e := &editor{c: f.inst.Computation()}
	a := op.CloneAttrs(f.inst.Attrs()).(*op.ConvolutionAttrs)
	a.Window.Dims = slices.Clone(a.Window.Dims)
	l, w := &a.DimLabels, &a.Window.Dims[t.d]
	x, p := f.inst.Operand(0), f.dims[t.d][0]
	low, row := -p.start, l.InputSpatial[t.d]
	if t.divides {
		low += t.shift
	} else {
		around := make(op.Padding, len(f.x.Dims))
		around[row] = op.PadDim{Low: low, High: t.step*(p.count-1+t.taps) - low - f.x.Dims[row]}
		x, low = e.pad(x, around), 0
	}
	x = e.partsOf(x, row, l.InputFeature, t.step)
	taps := make(op.Padding, len(f.k.Dims))
	taps[l.KernelSpatial[t.d]] = op.PadDim{Low: t.shift, High: t.taps*t.step - p.taps - t.shift}
	k := e.partsOf(e.pad(f.inst.Operand(1), taps), l.KernelSpatial[t.d], l.KernelInputFeature, t.step)
	if e.err != nil {
		return nil, e.err
	}
	w.Size, w.Stride, w.PaddingLow = t.taps, 1, low/t.step
	w.PaddingHigh = p.count - 1 + t.taps - w.PaddingLow - x.Dims()[row]
	y := e.add(op.Convolution, f.inst.Shape(), a, x, k)
	if e.err != nil {
		return nil, e.err
	}
	y.CopyAnnotations(f.inst)
	return canonicalAt(y, words, vector)
}

// partsOf returns x with every s-th element of dimension row next to each other, the first, second.. of s as a feature
// of its own.
func (e *editor) partsOf(x *hlo.Instruction, row, feature, s int) *hlo.Instruction {
	if e.err != nil {
		return nil
	}
	dims := slices.Clone(x.Dims())
	dims[row] /= s
	to := slices.Clone(dims)
	to[feature] *= s
	var order []int
	for d := range dims { // the new dimension is behind row
		if order = append(order, d); d > row {
			order[len(order)-1]++
		}
		if d == feature {
			order = append(order, row+1)
		}
	}
	return e.reshape(e.transpose(e.reshape(x, slices.Insert(dims, row+1, s)), order), to)
}
