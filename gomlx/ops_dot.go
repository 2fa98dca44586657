package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapeinference"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// DotGeneral returns sums of products of lhs and rhs over the contracting axes, for each index of the batch axes.
// Sums are in the accumulator type, if there is one; the result is in the output type, else in that of the operands.
func (f *Function) DotGeneral(lhs compute.Value, lhsContracting, lhsBatch []int,
	rhs compute.Value, rhsContracting, rhsBatch []int, config compute.DotGeneralConfig) (compute.Value, error) {
	in, err := f.values("DotGeneral", lhs, rhs)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.DotGeneral(in[0].shape, lhsContracting, lhsBatch, in[1].shape, rhsContracting, rhsBatch,
		config)
	if err != nil {
		return nil, err
	}
	for _, t := range []dtypes.DType{config.AccumulatorDType, config.OutputDType} {
		if t != dtypes.InvalidDType && elementType(t) == shape.Invalid {
			return nil, errors.Errorf("DotGeneral: expected a data type of backend %q, got %s", Name, t)
		}
	}
	a := op.DotAttrs{LHSContracting: slices.Clone(lhsContracting), LHSBatch: slices.Clone(lhsBatch),
		RHSContracting: slices.Clone(rhsContracting), RHSBatch: slices.Clone(rhsBatch)}
	accumulator, output := elementType(config.AccumulatorDType), elementType(s.DType)
	return f.add(compute.OpTypeDotGeneral, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return dot(in[0], in[1], a, accumulator, output)
	})
}

// dot sums in type accumulator, that of the operands if it is Invalid, and returns type output.
func dot(lhs, rhs xb.Op, a op.DotAttrs, accumulator, output shape.ElementType) xb.Op {
	t := lhs.Type()
	if accumulator == shape.Invalid {
		accumulator = t
		if output.Bits() > t.Bits() && output.IsFloat() == t.IsFloat() {
			accumulator = output // else its further digits would be lost
		}
	}
	if accumulator.Bits() <= t.Bits() || accumulator.IsFloat() != t.IsFloat() {
		lhs, rhs = convert(lhs, accumulator), convert(rhs, accumulator)
	}
	return convert(xb.DotGeneral(lhs, rhs, a, xb.DotOptions{Preferred: accumulator}), output)
}

// ConvGeneral returns the convolution of x with a kernel. Nil strides and dilations are 1, nil paddings none.
func (f *Function) ConvGeneral(x, kernel compute.Value, axes compute.ConvolveAxesConfig, strides []int,
	paddings [][2]int, inputDilations, kernelDilations []int, channelGroups, batchGroups int) (compute.Value, error) {
	in, err := f.values("ConvGeneral", x, kernel)
	if err != nil {
		return nil, err
	}
	channelGroups, batchGroups = max(1, channelGroups), max(1, batchGroups)
	s, err := shapeinference.ConvGeneral(in[0].shape, in[1].shape, axes, strides, paddings, inputDilations,
		kernelDilations, channelGroups, batchGroups)
	if err != nil {
		return nil, err
	}
	axes, strides, paddings = axes.Clone(), slices.Clone(strides), slices.Clone(paddings)
	dims := op.DimLabels{Given: true, InputBatch: axes.InputBatch, InputFeature: axes.InputChannels,
		InputSpatial: axes.InputSpatial, KernelInputFeature: axes.KernelInputChannels,
		KernelOutputFeature: axes.KernelOutputChannels, KernelSpatial: axes.KernelSpatial,
		OutputBatch: axes.OutputBatch, OutputFeature: axes.OutputChannels, OutputSpatial: axes.OutputSpatial}
	o := xb.ConvOptions{LHSDilation: slices.Clone(inputDilations), RHSDilation: slices.Clone(kernelDilations),
		FeatureGroups: channelGroups, BatchGroups: batchGroups}
	return f.add(compute.OpTypeConvGeneral, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.ConvGeneral(in[0], in[1], strides, paddings, dims, o)
	})
}
