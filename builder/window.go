package builder

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Padding says how far windows may hang over the edges of an array.
type Padding int

// The paddings.
const (
	// Valid: not at all; the last window is the last that fits.
	Valid Padding = iota
	// Same: so far that there are ceil(size/stride) windows; the odd cell is on the high side.
	Same
)

// Window is a window that slides over an array, with one entry a dimension in each list.
type Window struct {
	Sizes []int
	// Strides are the steps between windows; nil: 1.
	Strides []int
	// BaseDilations put holes between the elements of the array, WindowDilations between those of
	// the window: dilation - 1 of them; nil: none.
	BaseDilations, WindowDilations []int
	// Padding is Valid or Same.
	Padding Padding
	// Edges are explicit (low, high) numbers of cells, which may be negative, in place of Padding.
	Edges [][2]int
}

// on returns w as it slides over arrays of shape s.
func (w Window) on(b *Builder, code op.Code, s shape.Shape) (op.Window, bool) {
	n := s.Rank()
	strides, base, dilations := orOnes(w.Strides, n), orOnes(w.BaseDilations, n), orOnes(w.WindowDilations, n)
	if !b.wantLen(code, "window_dimensions", len(w.Sizes), n) || !b.wantLen(code, "window_strides", len(strides), n) ||
		!b.wantLen(code, "base_dilations", len(base), n) || !b.wantLen(code, "window_dilations", len(dilations), n) {
		return op.Window{}, false
	}
	dims := make([]op.WindowDim, n)
	for i := range dims {
		dims[i] = op.WindowDim{Size: w.Sizes[i], Stride: strides[i], BaseDilation: base[i], WindowDilation: dilations[i]}
	}
	return op.Window{Dims: dims}, b.padWindow(code, dims, w.Padding, w.Edges, s.Dims)
}

// padWindow sets the padding of dims over an array of the given sizes.
func (b *Builder) padWindow(code op.Code, dims []op.WindowDim, p Padding, edges [][2]int, sizes []int) bool {
	switch {
	case edges != nil && p != Valid:
		b.errorf(code, "padding", "", "expected Same or explicit edges, got both")
	case edges != nil && b.wantLen(code, "padding", len(edges), len(dims)):
		for i, e := range edges {
			dims[i].PaddingLow, dims[i].PaddingHigh = e[0], e[1]
		}
	case edges == nil && p == Same:
		for i := range dims {
			dims[i] = dims[i].PadSame(sizes[i])
		}
	case edges == nil && p != Valid:
		b.errorf(code, "padding", "", "expected Valid or Same, got %d", p)
	}
	return b.s.err == nil
}

// orOnes returns list, n ones where it is nil.
func orOnes(list []int, n int) []int {
	if list == nil {
		return filled(n, 1)
	}
	return list
}

// ReduceWindow returns for each place of the window w over x the elements in it folded by f,
// starting from the scalar init, which is always the left argument and also the value of the
// padding; holes are left out. It fails if w does not have one entry a dimension, or a size,
// stride or dilation below 1, and where Reduce does. Spec: OPS.md section 5.
func ReduceWindow[F BinaryFunc](x, init Op, f F, w Window) Op {
	return reduceWindow([]Op{x}, []Op{init}, f, w)
}

// ReduceWindowWithGeneralPadding is ReduceWindow with explicit (low, high) padding, which may
// be negative. Spec: OPS.md section 5.
func ReduceWindowWithGeneralPadding[F BinaryFunc](x, init Op, f F, w Window, edges [][2]int) Op {
	w.Edges = nonNilEdges(edges)
	return reduceWindow([]Op{x}, []Op{init}, f, w)
}

func nonNilEdges(edges [][2]int) [][2]int { return append([][2]int{}, edges...) }

// ReduceWindowMany is ReduceWindow on several arrays of equal dimensions at once; see
// ReduceMany. It returns the arrays.
// Without operands it returns one value, which is invalid and says so. Spec: OPS.md section 5.
func ReduceWindowMany[F ReducerOfMany](operands, inits []Op, f F, w Window) []Op {
	return elements(reduceWindow(operands, inits, f, w), len(operands))
}

func reduceWindow(operands, inits []Op, f any, w Window) Op {
	const code = op.ReduceWindow
	b, all, c, ok := reducer(code, operands, inits, f)
	if !ok || !b.wantArray(code, 0, operands[0]) {
		return b.invalid()
	}
	window, ok := w.on(b, code, operands[0].Shape())
	if !ok {
		return b.invalid()
	}
	if w.Padding == Same && changesWithSize(operands[0].Shape(), window) {
		return b.samePadded(code, "DynamicReduceWindowSamePadding", all, window, c)
	}
	return b.add(code, all, &op.WindowAttrs{Window: window}, shape.Shape{}, c)
}

// changesWithSize reports whether the padding that Same stands for depends on a size that is
// known only when the program runs.
func changesWithSize(s shape.Shape, w op.Window) bool {
	for i, d := range w.Dims {
		if s.IsDynamicDim(i) && d.Stride != 1 {
			return true
		}
	}
	return false
}

// samePadded adds the custom call that stands for a window operation with padding Same on
// sizes that are known only when the program runs.
func (b *Builder) samePadded(code op.Code, target string, operands []Op, w op.Window, called ...Computation) Op {
	in := &op.Inputs{Operands: shapesOf(operands), Attrs: &op.WindowAttrs{Window: w}}
	for _, c := range called {
		in.Called = append(in.Called, c.Signature())
	}
	s, err := op.Infer(code, in)
	if err != nil {
		b.fail(err)
		return b.invalid()
	}
	attrs := op.CustomCallAttrs{Window: w, PaddingType: "PADDING_SAME"}
	return CustomCall(target, operands, s, CustomCallOptions{Called: slices.Clone(called), Attrs: attrs})
}

// SelectAndScatter returns an array of x's shape, init everywhere but where elements of source
// go: for each place of the window w, choose finds one element of x in it (choose(a, b) true
// keeps a, the one with the smaller index), and the source's value for the window is combined
// into that place by scatter(present, value). source has the shape of ReduceWindow. It fails
// if it has not, and where ReduceWindow does. Spec: OPS.md section 5.
func SelectAndScatter[S, F BinaryFunc](x Op, choose S, w Window, source, init Op, scatter F) Op {
	const code = op.SelectAndScatter
	b, ok := enter(code, x, source, init)
	if !ok || !b.wantArray(code, 0, x) {
		return b.invalid()
	}
	window, ok := w.on(b, code, x.Shape())
	if !ok {
		return b.invalid()
	}
	first, ok := b.callee(code, "select", choose, scalarsOf(x, x)...)
	if !ok {
		return b.invalid()
	}
	second, ok := b.callee(code, "scatter", scatter, scalarsOf(init, source)...)
	if !ok {
		return b.invalid()
	}
	operands := []Op{x, source, init}
	if w.Padding == Same && changesWithSize(x.Shape(), window) {
		return b.samePadded(code, "DynamicSelectAndScatterSamePadding", operands, window, first, second)
	}
	return b.add(code, operands, &op.WindowAttrs{Window: window}, shape.Shape{}, first, second)
}

// SelectAndScatterWithGeneralPadding is SelectAndScatter with explicit (low, high) padding.
// Spec: OPS.md section 5.
func SelectAndScatterWithGeneralPadding[S, F BinaryFunc](x Op, choose S, w Window, edges [][2]int, source, init Op,
	scatter F) Op {
	w.Edges = nonNilEdges(edges)
	return SelectAndScatter(x, choose, w, source, init, scatter)
}
