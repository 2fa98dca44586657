package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// windows is about reduce-window.
var windows = Family{Name: "reduce-window", Doc: "Reduce-window.", Rules: []Rule{
	rule("window-unit", "reduce-window of windows of one element -> f(init, x), of a slice of x if it strides",
		windowUnit, op.ReduceWindow),
	optionRule("window-full", "reduce-window of one window over whole dimensions -> reduce; float sums only with "+
		"Options.AllowReassociation, as reduce keeps more bits between", windowFull, op.ReduceWindow),
	rule("window-trivial-dimension", "window along a dimension of size 1 -> window of size 1",
		windowTrivial, op.ReduceWindow),
	rule("window-pad", "reduce-window(pad(x, c)) -> reduce-window(x) padded by the window, where c changes nothing",
		windowPad, op.ReduceWindow),
	rule("window-spread", "reduce-window(pad(x, c)) with windows of one element of x each -> pad(broadcast(f(init, x)), "+
		"init), where c changes nothing", windowSpread, op.ReduceWindow),
}}

func windowOf(i *hlo.Instruction) []op.WindowDim { return attrsOf[*op.WindowAttrs](i).Window.Dims }

// plain reports whether the window d neither pads nor dilates.
func plain(d op.WindowDim) bool {
	return d.PaddingLow == 0 && d.PaddingHigh == 0 && d.BaseDilation == 1 && (d.WindowDilation == 1 || d.Size == 1)
}

func windowUnit(i *hlo.Instruction) *hlo.Instruction {
	n := len(i.Operands()) / 2
	x := i.Operand(0)
	ranges := whole(x.Dims())
	for k, d := range windowOf(i) {
		if d.Size != 1 || !plain(d) {
			return nil
		}
		ranges[k].Stride = d.Stride
	}
	if !inlinable(i.Called()[0]) || !typesMatch(i) {
		return nil
	}
	xs := slices.Clone(i.Operands()[:n])
	for k := range xs {
		xs[k] = sliceTo(i, xs[k], ranges)
	}
	return combined(i, xs)
}

// windowFull: a dimension is reduced as a whole by a window of its size, or kept by
// windows of size 1.
func windowFull(i *hlo.Instruction, o Options) *hlo.Instruction {
	x := i.Operand(0)
	r, simple := simpleReduce(i)
	if len(i.Operands()) != 2 || simple && r.code == op.Add && !r.anyOrder(o) {
		return nil
	}
	var dims []int
	for k, d := range windowOf(i) {
		switch size := x.Dims()[k]; {
		case !plain(d) || d.Reversal:
			return nil
		case d.Size == size && size > 1:
			dims = append(dims, k)
		case d.Size != 1 || d.Stride != 1 && size > 1:
			return nil
		}
	}
	if len(dims) == 0 {
		return nil
	}
	kept := complement(x.Rank(), dims)
	s := shape.Make(i.Type(), gatherInts(x.Dims(), kept)...)
	return reshapeTo(i, i.Shape(), reduced(i, s, x, i.Operand(1), dims))
}

// windowTrivial looks for dimensions of size 1 before and after, where the window meets
// the element.
func windowTrivial(i *hlo.Instruction) *hlo.Instruction {
	dims, found := slices.Clone(windowOf(i)), false
	for k, d := range dims {
		if d.Size == 1 && plain(d) || i.Operand(0).Dims()[k] != 1 || resultShapes(i)[0].Dims[k] != 1 {
			continue
		}
		if d.PaddingLow < 0 || d.PaddingLow%d.WindowDilation != 0 || d.PaddingLow/d.WindowDilation >= d.Size {
			return nil
		}
		dims[k] = op.WindowDim{Size: 1, Stride: 1, BaseDilation: 1, WindowDilation: 1}
		found = true
	}
	if !found {
		return nil
	}
	return windowed(i, dims, i.Operands())
}

// windowed emits i with another window and other operands.
func windowed(i *hlo.Instruction, dims []op.WindowDim, operands []*hlo.Instruction) *hlo.Instruction {
	attrs := &op.WindowAttrs{Window: op.Window{Dims: dims}}
	return i.Computation().Add("", op.ReduceWindow, i.Shape(), operands, attrs, i.Called()...)
}

// windowPad: what a window itself pads is never folded in.
func windowPad(i *hlo.Instruction) *hlo.Instruction {
	p := i.Operand(0)
	r, ok := simpleReduce(i)
	if !ok || !is(p, op.Pad) {
		return nil
	}
	c, ok := splat(p.Operand(1))
	init, also := splat(i.Operand(1))
	if !ok || !also || !r.ignores(c, init) {
		return nil
	}
	dims := slices.Clone(windowOf(i))
	for k, pad := range paddingOf(p) {
		if pad.Interior != 0 || min(pad.Low, pad.High) < 0 || dims[k].BaseDilation != 1 && pad != (op.PadDim{}) {
			return nil
		}
		if min(dims[k].PaddingLow, dims[k].PaddingHigh) < 0 {
			return nil
		}
		dims[k].PaddingLow += pad.Low
		dims[k].PaddingHigh += pad.High
	}
	return windowed(i, dims, []*hlo.Instruction{p.Operand(0), i.Operand(1)})
}

// windowSpread: as many elements are padded between two of x as a window has but one, so that each window meets one of
// them, as in the gradient of an average of windows side by side. Each is in as many windows, one behind the other.
func windowSpread(i *hlo.Instruction) *hlo.Instruction {
	p := i.Operand(0)
	r, ok := simpleReduce(i)
	if !ok || !is(p, op.Pad) || !inlinable(i.Called()[0]) {
		return nil
	}
	c, ok := splat(p.Operand(1))
	init, also := splat(i.Operand(1))
	if !ok || !also || !r.ignores(c, init) {
		return nil
	}
	padding := slices.Clone(paddingOf(p))
	var times, flat []int // with the copies as dimensions of their own, and without
	var dims []int        // of the elements, in times
	for k, n := range p.Operand(0).Dims() {
		d := windowOf(i)[k]
		if !plain(d) || d.Stride != 1 || d.Size != padding[k].Interior+1 {
			return nil
		}
		dims, times, flat = append(dims, len(times)), append(times, n), append(flat, n*d.Size)
		if d.Size > 1 {
			times = append(times, d.Size)
		}
		padding[k] = op.PadDim{Low: padding[k].Low - d.Size + 1, High: padding[k].High - d.Size + 1}
	}
	if len(times) == len(flat) {
		return nil
	}
	x, t := p.Operand(0), i.Type()
	once := inline(i, i.Called()[0], x.Shape(), []*hlo.Instruction{spread(i, x.Shape(), i.Operand(1)), x})[0]
	all := emit(i, op.Broadcast, shape.Make(t, times...), &op.BroadcastAttrs{Dimensions: dims}, once)
	all = reshapeTo(i, shape.Make(t, flat...), all)
	return emit(i, op.Pad, i.Shape(), &op.PadAttrs{Padding: padding}, all, i.Operand(1))
}
