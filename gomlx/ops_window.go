package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapeinference"
	xb "github.com/goxla/xla/builder"
	"github.com/pkg/errors"
)

// ReduceWindow folds what each position of a window shows of x. Nil sizes and dilations are 1, nil strides those
// of the window, nil paddings none.
func (f *Function) ReduceWindow(x compute.Value, kind compute.ReduceOpType,
	sizes, strides, inputDilations, windowDilations []int, paddings [][2]int) (compute.Value, error) {
	in, err := f.values("ReduceWindow", x)
	if err != nil {
		return nil, err
	}
	r, ok := reducers[byReduceOp[kind]]
	if !ok || !r.takes(in[0].shape.DType) {
		return nil, errors.Errorf("ReduceWindow: expected a reduction that %s has, got %s", in[0].shape, kind)
	}
	s, err := shapeinference.ReduceWindow(in[0].shape, sizes, strides, inputDilations, windowDilations, paddings)
	if err != nil {
		return nil, err
	}
	w := window(s.Rank(), sizes, strides, paddings)
	w.BaseDilations, w.WindowDilations = slices.Clone(inputDilations), slices.Clone(windowDilations)
	return f.add(compute.OpTypeReduceWindow, s, in, func(l *lowering, in []xb.Op) xb.Op {
		return xb.ReduceWindow(in[0], r.init(l.b, in[0].Type()), r.f, w)
	})
}

// window returns the window of HLO for the defaults of GoMLX.
func window(rank int, sizes, strides []int, paddings [][2]int) xb.Window {
	w := xb.Window{Sizes: slices.Clone(sizes), Strides: slices.Clone(strides), Edges: slices.Clone(paddings)}
	if len(w.Sizes) == 0 {
		w.Sizes = slices.Repeat([]int{1}, rank)
	}
	if len(w.Strides) == 0 {
		w.Strides = w.Sizes
	}
	if len(w.Edges) == 0 {
		w.Edges = make([][2]int, rank)
	}
	return w
}

// SelectAndScatterMax returns zeros in x's shape, to which each element of source is added where the largest
// element of its window in x is.
func (f *Function) SelectAndScatterMax(x, source compute.Value, sizes, strides []int, paddings [][2]int) (
	compute.Value, error) {
	return f.selectAndScatter(compute.OpTypeSelectAndScatterMax, x, source, xb.Ge, window(0, sizes, strides, paddings))
}

// SelectAndScatterMin is SelectAndScatterMax for the smallest elements.
func (f *Function) SelectAndScatterMin(x, source compute.Value, sizes, strides []int, paddings [][2]int) (
	compute.Value, error) {
	return f.selectAndScatter(compute.OpTypeSelectAndScatterMin, x, source, xb.Le, window(0, sizes, strides, paddings))
}

func (f *Function) selectAndScatter(code compute.OpType, x, source compute.Value, choose binaryFunc, w xb.Window) (
	compute.Value, error) {
	in, err := f.values(code.String(), x, source)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.SelectAndScatter(in[0].shape, in[1].shape, w.Sizes, w.Strides, w.Edges)
	if err != nil {
		return nil, err
	}
	w = window(s.Rank(), w.Sizes, w.Strides, w.Edges)
	return f.add(code, s, in, func(l *lowering, in []xb.Op) xb.Op {
		return xb.SelectAndScatter(in[0], choose, w, in[1], l.b.Zero(in[0].Type()), xb.Add)
	})
}
