package op

import "github.com/goxla/xla/shape"

// inferReduceWindow: operands are n inputs, then n initial values; one result value
// a window, of the initial values' element types.
func inferReduceWindow(in *Inputs) (shape.Shape, error) {
	n := len(in.Operands) / 2
	if err := wantReduceOperands(in, "reduce_window_c1", "reduce_window_c2", "reduce_window_c3"); err != nil {
		return shape.Shape{}, err
	}
	f, err := in.called(0, "reduce_window_c13")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantReducer(f, in.Operands[n:], operandTypes(in.Operands[:n]), "reduce_window_c13"); err != nil {
		return shape.Shape{}, err
	}
	results := make([]shape.Shape, n)
	for i := range results {
		results[i], err = WindowShape(in.Operands[i], in.Attrs.(*WindowAttrs).Window, in.Operands[n+i].Type)
		if err != nil {
			return shape.Shape{}, err
		}
	}
	if !f.Result.IsTuple() {
		return results[0], nil
	}
	return shape.MakeTuple(results...), nil
}

// inferSelectAndScatter: operand, source and initial value; the source has one value
// a window of the operand, and the result is the operand's shape.
func inferSelectAndScatter(in *Inputs) (shape.Shape, error) {
	if err := wantArrays(in, "select_and_scatter_i1"); err != nil {
		return shape.Shape{}, err
	}
	s, source, init := in.Operands[0], in.Operands[1], in.Operands[2]
	if err := wantSameType(in, 0, 1, "select_and_scatter_c1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameType(in, 0, 2, "select_and_scatter_c3"); err != nil {
		return shape.Shape{}, err
	}
	choose, err := in.called(0, "select_and_scatter_c9")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantSelector(choose, s.Type); err != nil {
		return shape.Shape{}, err
	}
	combine, err := in.called(1, "select_and_scatter_c10")
	if err != nil {
		return shape.Shape{}, err
	}
	err = wantReducer(combine, []shape.Shape{init}, []shape.ElementType{source.Type}, "select_and_scatter_c10")
	if err != nil {
		return shape.Shape{}, err
	}
	want, err := WindowShape(s, in.Attrs.(*WindowAttrs).Window, s.Type)
	if err != nil {
		return shape.Shape{}, err
	}
	if !source.SameDims(want) {
		return shape.Shape{}, operandErr(1, "select_and_scatter_c2",
			"expected one value a window, %v, got %v", want, source)
	}
	return s, nil
}

// wantSelector checks a computation that chooses between two elements of type t.
func wantSelector(f shape.Program, t shape.ElementType) error {
	const label = "select_and_scatter_c9"
	if len(f.Params) != 2 {
		return labelErr(label, "expected a selecting computation of 2 parameters, got %d", len(f.Params))
	}
	if f.Result.Type != shape.Pred || f.Result.Rank() != 0 {
		return labelErr(label, "expected a selecting computation that returns pred[], got %v", f.Result)
	}
	for i, p := range f.Params {
		if !p.IsScalar() || !sameTypeIgnoringPrecision(p.Type, t) {
			return labelErr(label, "expected parameter %d of shape %v, got %v", i, shape.Make(t), p)
		}
	}
	return nil
}

// WindowShape returns the shape of what has one value of type t for every position
// of w in s. It is an error (*Error with Attr "window") if w has another number of
// dimensions than s, or if one of them has a size, stride or dilation below 1. A
// dimension is dynamic where that of s is. Spec: OPS.md section 5.
func WindowShape(s shape.Shape, w Window, t shape.ElementType) (shape.Shape, error) {
	if len(w.Dims) != s.Rank() {
		return shape.Shape{}, attrErr("window", "_c4",
			"expected %d dimensions for %v, got %d", s.Rank(), s, len(w.Dims))
	}
	dims := make([]int, s.Rank())
	for i, d := range w.Dims {
		n, err := WindowOutputDim(s.Dims[i], d)
		if err != nil {
			return shape.Shape{}, inAttr(err, at("window", i))
		}
		dims[i] = n
	}
	return shape.MakeDynamic(t, dims, dynamicDims(s)), nil
}

// WindowOutputDim returns the number of positions of the window dimension d in a
// dimension of the given size: with dilated n = (n-1)*dilation + 1, and 0 for 0,
//
//	floor((dilated size + low + high - dilated window) / stride) + 1
//
// or 0 where the window does not fit. An unbounded dimension stays unbounded. It
// is an error if the window's size, stride or a dilation is below 1, or if a sum
// does not fit an int.
func WindowOutputDim(size int, d WindowDim) (int, error) {
	if err := checkWindowDim(d); err != nil {
		return 0, err
	}
	if size == shape.Unbounded {
		return size, nil
	}
	base, ok1 := dilated(size, d.BaseDilation)
	window, ok2 := dilated(d.Size, d.WindowDilation)
	padded, ok3 := addInt(base, d.PaddingLow)
	padded, ok4 := addInt(padded, d.PaddingHigh)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return 0, labelErr("_c15", "expected an extent below 2^63, got size %d, window %+v", size, d)
	}
	if padded <= 0 || window > padded {
		return 0, nil
	}
	return (padded-window)/d.Stride + 1, nil
}

func checkWindowDim(d WindowDim) error {
	for _, c := range []struct {
		name  string
		value int
		label string
	}{
		{"size", d.Size, "_c5"},
		{"stride", d.Stride, "_c7"},
		{"base dilation", d.BaseDilation, "_c9"},
		{"window dilation", d.WindowDilation, "_c11"},
	} {
		if c.value < 1 {
			return labelErr(c.label, "expected a %s of at least 1, got %d", c.name, c.value)
		}
	}
	return nil
}

// dilated returns the extent of n elements with dilation-1 holes between them.
func dilated(n, dilation int) (extent int, ok bool) {
	if n == 0 {
		return 0, true
	}
	holes, fits := mulInt(n-1, dilation)
	extent, ok = addInt(holes, 1)
	return extent, ok && fits
}

// PadSame returns d with the padding of mode SAME for a dimension of the given
// size: ceil(size/stride) positions, the odd cell on the high side. An unbounded
// size, and a window that WindowOutputDim would refuse, leave d as it is.
func (d WindowDim) PadSame(size int) WindowDim {
	if size == shape.Unbounded || checkWindowDim(d) != nil {
		return d
	}
	window := (d.Size-1)*d.WindowDilation + 1
	base := max(size-1, 0)*d.BaseDilation + min(size, 1)
	positions := (base + d.Stride - 1) / d.Stride
	total := max((positions-1)*d.Stride+window-base, 0)
	d.PaddingLow = total / 2
	d.PaddingHigh = total - d.PaddingLow
	return d
}

// operandTypes returns the element types of shapes.
func operandTypes(shapes []shape.Shape) []shape.ElementType {
	types := make([]shape.ElementType, len(shapes))
	for i, s := range shapes {
		types[i] = s.Type
	}
	return types
}
