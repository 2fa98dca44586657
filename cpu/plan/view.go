package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// view is an array inside of another: its element at an index is at offset plus what each of starts adds plus, for each
// dimension, the place that the axis gives. In elements.
type view struct {
	offset int
	axes   []gemm.Axis
	starts []start
}

// start is how far a dynamic slice begins behind the first element of a dimension: the value of an instruction, a
// scalar, that counts as 0 if it is negative and as most at most, times stride.
type start struct {
	index        *hlo.Instruction
	most, stride int
}

func wholeView(s shape.Shape) view {
	v := view{axes: make([]gemm.Axis, s.Rank())}
	stride := 1
	for d := s.Rank() - 1; d >= 0; d-- {
		v.axes[d] = gemm.Axis{{Size: s.Dims[d], Stride: stride}}
		stride *= s.Dims[d]
	}
	return v
}

// viewOf returns the instruction that i takes its elements from, and where they are in its value.
func (p *placement) viewOf(i *hlo.Instruction) (*hlo.Instruction, view) {
	source, v := p.look(i)
	if v.end() > source.Size() { // a part of it is padding
		return i, wholeView(i.Shape())
	}
	return source, v
}

// end is one more than the largest place of an element.
func (v view) end() int {
	n := v.offset + 1
	for _, a := range v.axes {
		for _, d := range a {
			n += (d.Size - 1) * d.Stride
		}
	}
	for _, s := range v.starts {
		n += s.most * s.stride
	}
	return n
}

// look is viewOf, but for the places behind the end of the value where i is padded.
func (p *placement) look(i *hlo.Instruction) (*hlo.Instruction, view) {
	if step := viewSteps[i.Code()]; step != nil && p.fusible[i.ID()] && !p.apart && !p.kept[i.ID()] {
		source, v := p.look(i.Operand(0))
		// A slice reads a part: it does not make all of what is computed on the way a value in memory. An update is one,
		// and so is what is kept.
		if !isPart(i) || !p.fusible[source.ID()] || p.kept[source.ID()] || source.Code() == op.DynamicUpdateSlice {
			if v, ok := step(v, i); ok {
				return source, v
			}
		}
	}
	return i, wholeView(i.Shape())
}

// viewSteps says, for the operations that only move elements, where those of the result are, given where those of the
// operand are.
var viewSteps = [op.NumCodes]func(v view, i *hlo.Instruction) (view, bool){
	op.Transpose: transposedView, op.Broadcast: broadcastView, op.Slice: slicedView, op.DynamicSlice: startedView,
	op.Reshape: reshapedView, op.Bitcast: reshapedView, op.Pad: paddedView,
	op.Copy: func(v view, _ *hlo.Instruction) (view, bool) { return v, true },
}

func transposedView(v view, i *hlo.Instruction) (view, bool) {
	axes := make([]gemm.Axis, len(v.axes))
	for k, d := range i.Attrs().(*op.TransposeAttrs).Dimensions {
		axes[k] = v.axes[d]
	}
	return view{v.offset, axes, v.starts}, true
}

func broadcastView(v view, i *hlo.Instruction) (view, bool) {
	axes := make([]gemm.Axis, i.Rank())
	for d, n := range i.Dims() {
		axes[d] = gemm.Axis{{Size: n}}
	}
	for k, d := range i.Attrs().(*op.BroadcastAttrs).Dimensions {
		axes[d] = v.axes[k]
	}
	return view{v.offset, axes, v.starts}, true
}

// paddedView lets a flat array go on behind its end, where slices cut off what is not there.
func paddedView(v view, i *hlo.Instruction) (view, bool) {
	pad := i.Attrs().(*op.PadAttrs).Padding
	if i.Operand(0).Code() != op.Parameter || len(pad) != 1 || pad[0].Low != 0 || pad[0].Interior != 0 || pad[0].High < 0 {
		return v, false
	}
	return wholeView(i.Shape()), true
}

func slicedView(v view, i *hlo.Instruction) (view, bool) {
	out := view{v.offset, make([]gemm.Axis, len(v.axes)), v.starts}
	for d, r := range i.Attrs().(*op.SliceAttrs).Slice {
		stride, ok := v.axes[d].Stride()
		if !ok {
			return v, false
		}
		out.offset += r.Start * stride
		out.axes[d] = gemm.Axis{{Size: i.Dims()[d], Stride: stride * max(r.Stride, 1)}}
	}
	return out, true
}

func startedView(v view, i *hlo.Instruction) (view, bool) {
	return v.part(i.Operand(0).Dims(), i.Dims(), i.Operands()[1:])
}

// part returns the view of a part of an array that begins at starts, if what are neighbours in it are neighbours there.
func (v view) part(whole, part []int, starts []*hlo.Instruction) (view, bool) {
	last, out := true, view{v.offset, make([]gemm.Axis, len(v.axes)), slices.Clone(v.starts)}
	if len(starts) != len(part) {
		return v, false
	}
	for d := len(part) - 1; d >= 0; d-- {
		stride, ok := v.axes[d].Stride()
		if !ok || last && part[d] > 1 && stride != 1 {
			return v, false
		}
		last = last && part[d] == 1
		out.axes[d] = gemm.Axis{{Size: part[d], Stride: stride}}
		if most := whole[d] - part[d]; most > 0 && !out.begin(starts[d], most, stride) {
			return v, false
		}
	}
	return out, true
}

// begin has v begin at a place that index tells, and reports whether it can.
func (v *view) begin(index *hlo.Instruction, most, stride int) bool {
	if n, ok := constantStart(index, most); ok {
		v.offset += n * stride
		return true
	}
	switch t := index.Type(); t {
	case shape.S32, shape.S64, shape.U32:
		v.starts = append(v.starts, start{index, most, stride})
		return true
	}
	return false
}

// reshapedView deals the dimensions, as few as they can be, out to those of the result, from the innermost on.
func reshapedView(v view, i *hlo.Instruction) (view, bool) {
	var all gemm.Axis
	for _, a := range v.axes {
		all = append(all, a...)
	}
	all = all.Merged()
	out := view{v.offset, make([]gemm.Axis, i.Rank()), v.starts}
	for d := i.Rank() - 1; d >= 0; d-- {
		var axis gemm.Axis
		for need := i.Dims()[d]; need > 1; {
			if len(all) == 0 {
				return v, false
			}
			last := &all[len(all)-1]
			take := min(need, last.Size)
			if need%take != 0 || last.Size%take != 0 {
				return v, false
			}
			axis = append(gemm.Axis{{Size: take, Stride: last.Stride}}, axis...)
			need /= take
			if last.Size /= take; last.Size == 1 {
				all = all[:len(all)-1]
			} else {
				last.Stride *= take
			}
		}
		out.axes[d] = axis
	}
	return out, true
}
