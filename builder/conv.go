package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ConvOptions are what a convolution has besides operands, strides and padding. Lists have one
// entry a spatial dimension.
type ConvOptions struct {
	// LHSDilation puts dilation - 1 holes between elements of the input (a transposed convolution),
	// RHSDilation between those of the kernel (an atrous one); nil: none.
	LHSDilation, RHSDilation []int
	// Reversal turns the window around in a dimension; nil: nowhere.
	Reversal []bool
	// FeatureGroups and BatchGroups are the group counts; 0 means 1.
	FeatureGroups, BatchGroups int
	// Precision holds an entry for each of lhs and rhs; nil: the default.
	Precision []op.Precision
	// Algorithm is that of HLO's algorithm attribute; "" is unset.
	Algorithm op.Word
	// Preferred is the element type to accumulate in and to return; Invalid: that of the operands.
	Preferred shape.ElementType
}

// ConvDimensions returns the usual order of dimensions of a convolution with n spatial ones:
// batch, feature, spatial in input and output; output feature, input feature, spatial in the kernel.
func ConvDimensions(n int) op.DimLabels {
	spatial := sequence(n)
	for i := range spatial {
		spatial[i] += 2
	}
	return op.DimLabels{InputFeature: 1, InputSpatial: spatial, KernelInputFeature: 1, KernelSpatial: spatial,
		OutputFeature: 1, OutputSpatial: spatial, Given: true}
}

// Conv returns the convolution of the input lhs with the kernel rhs, in the usual order of
// dimensions: [batch, feature, spatial] with [output feature, input feature, spatial] gives
// [batch, output feature, spatial]. strides has an entry for each spatial dimension; nil means
// 1. It fails if ranks, features or groups do not fit. Spec: OPS.md section 6.
func Conv(lhs, rhs Op, strides []int, padding Padding, options ...ConvOptions) Op {
	return convolve(lhs, rhs, convWindow{strides: strides, padding: padding}, nil, options)
}

// ConvWithGeneralPadding is Conv with explicit (low, high) padding, which may be negative and
// counts after LHSDilation; nil means none. Spec: OPS.md section 6.
func ConvWithGeneralPadding(lhs, rhs Op, strides []int, edges [][2]int, options ...ConvOptions) Op {
	return convolve(lhs, rhs, convWindow{strides: strides, edges: edges}, nil, options)
}

// ConvWithGeneralDimensions is Conv in another order of dimensions, which op.ParseDimLabels
// reads from text: b01f_01io->b01f. Spec: OPS.md section 6.
func ConvWithGeneralDimensions(lhs, rhs Op, strides []int, padding Padding, dims op.DimLabels,
	options ...ConvOptions) Op {
	return convolve(lhs, rhs, convWindow{strides: strides, padding: padding}, &dims, options)
}

// ConvGeneral is ConvWithGeneralPadding in another order of dimensions. Spec: OPS.md section 6.
func ConvGeneral(lhs, rhs Op, strides []int, edges [][2]int, dims op.DimLabels, options ...ConvOptions) Op {
	return convolve(lhs, rhs, convWindow{strides: strides, edges: edges}, &dims, options)
}

// ConvGeneralDilated is ConvGeneral with dilations, which stand in place of those in the
// options; nil means none. Spec: OPS.md section 6.
func ConvGeneralDilated(lhs, rhs Op, strides []int, edges [][2]int, lhsDilation, rhsDilation []int, dims op.DimLabels,
	options ...ConvOptions) Op {
	w := convWindow{strides: strides, edges: edges, lhsDilation: lhsDilation, rhsDilation: rhsDilation}
	return convolve(lhs, rhs, w, &dims, options)
}

// convWindow is what the functions above tell of the window.
type convWindow struct {
	strides                  []int
	padding                  Padding
	edges                    [][2]int
	lhsDilation, rhsDilation []int
}

func convolve(lhs, rhs Op, w convWindow, dims *op.DimLabels, options []ConvOptions) Op {
	const code = op.Convolution
	b, ok := enter(code, lhs, rhs)
	if !ok || !b.wantArray(code, 0, lhs) || !b.wantArray(code, 1, rhs) {
		return b.invalid()
	}
	o, ok := option(b, code, options)
	if !ok {
		return b.invalid()
	}
	if dims == nil {
		if lhs.Rank() < 2 {
			b.errorf(code, "operand 0", "convolution_c1", "expected rank 2 or more, got %v", lhs.Shape())
			return b.invalid()
		}
		usual := ConvDimensions(lhs.Rank() - 2)
		dims = &usual
	}
	window, ok := b.convWindow(lhs, rhs, w, dims, o)
	if !ok {
		return b.invalid()
	}
	return b.add(code, []Op{lhs, rhs}, &op.ConvolutionAttrs{Window: window, DimLabels: *dims,
		FeatureGroupCount: o.FeatureGroups, BatchGroupCount: o.BatchGroups,
		OperandPrecision: o.Precision, Algorithm: o.Algorithm}, preferred(o.Preferred))
}

// convWindow returns the window attribute of a convolution; its sizes are the kernel's.
func (b *Builder) convWindow(lhs, rhs Op, w convWindow, dims *op.DimLabels, o ConvOptions) (op.Window, bool) {
	const code = op.Convolution
	n := len(dims.KernelSpatial)
	for _, l := range [][]int{dims.InputSpatial, dims.KernelSpatial} {
		if !b.wantLen(code, "dim_labels", len(l), n) {
			return op.Window{}, false
		}
	}
	strides := orOnes(w.strides, n)
	base, dilations := orOnes(orElse(w.lhsDilation, o.LHSDilation), n), orOnes(orElse(w.rhsDilation, o.RHSDilation), n)
	reversal := o.Reversal
	if reversal == nil {
		reversal = make([]bool, n)
	}
	if !b.wantLen(code, "window_strides", len(strides), n) || !b.wantLen(code, "lhs_dilation", len(base), n) ||
		!b.wantLen(code, "rhs_dilation", len(dilations), n) || !b.wantLen(code, "window_reversal", len(reversal), n) {
		return op.Window{}, false
	}
	if n == 0 {
		return op.Window{}, true
	}
	window, sizes := make([]op.WindowDim, n), make([]int, n)
	for i := range window {
		in, k := dims.InputSpatial[i], dims.KernelSpatial[i]
		if !b.wantDim(code, "dim_labels", in, lhs.Rank()) || !b.wantDim(code, "dim_labels", k, rhs.Rank()) {
			return op.Window{}, false
		}
		sizes[i] = lhs.Shape().Dims[in]
		window[i] = op.WindowDim{Size: rhs.Shape().Dims[k], Stride: strides[i], BaseDilation: base[i],
			WindowDilation: dilations[i], Reversal: reversal[i]}
	}
	return op.Window{Dims: window}, b.padWindow(code, window, w.padding, w.edges, sizes)
}

// orElse returns list, or other where it is nil.
func orElse(list, other []int) []int {
	if list == nil {
		return other
	}
	return list
}
