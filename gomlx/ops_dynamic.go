package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapeinference"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// The operations of this file are on dynamic shapes. A computation is compiled for known sizes, so their results
// are of known shapes there; a size that is the value of a scalar is computed beforehand (see versions).

// DynamicShape returns the sizes of x.
func (f *Function) DynamicShape(x compute.Value) (compute.Value, error) {
	in, err := f.values("DynamicShape", x)
	if err != nil {
		return nil, err
	}
	s := shapes.Make(dtypes.Int32, in[0].shape.Rank())
	return f.add(compute.OpTypeDynamicShape, s, in, func(l *lowering, in []xb.Op) xb.Op {
		sizes := make([]int32, in[0].Rank())
		for i, d := range in[0].Shape().Dims {
			sizes[i] = int32(d)
		}
		return l.b.Const(sizes)
	})
}

// DynamicDimensionSize returns the size of an axis of x.
func (f *Function) DynamicDimensionSize(x compute.Value, axis int) (compute.Value, error) {
	in, err := f.values("DynamicDimensionSize", x)
	if err != nil {
		return nil, err
	}
	if axis < 0 || axis >= in[0].shape.Rank() {
		return nil, errors.Errorf("DynamicDimensionSize: expected an axis of %s, got %d", in[0].shape, axis)
	}
	return f.add(compute.OpTypeDynamicDimensionSize, shapes.Make(dtypes.Int32), in, func(l *lowering, in []xb.Op) xb.Op {
		return l.emitSize(in[0].Dim(axis))
	})
}

// specs are the dimension specifications of an operation. Their values are not inputs of its node, since HLO needs
// them as numbers.
type specs struct {
	list   []compute.DynamicDimensionSpec
	values []*value
}

// specs checks dimension specifications.
func (f *Function) specs(what string, list []compute.DynamicDimensionSpec) (specs, error) {
	s := specs{slices.Clone(list), make([]*value, len(list))}
	for i, d := range list {
		var err error
		if s.values[i], err = f.sizeValue(what, d.Value); err != nil {
			return s, err
		}
	}
	return s, nil
}

// sizeValue returns v as an integer scalar; nil for nil.
func (f *Function) sizeValue(what string, v compute.Value) (*value, error) {
	if v == nil {
		return nil, nil
	}
	in, err := f.values(what, v)
	if err != nil {
		return nil, err
	}
	if !isScalarInt(in[0]) {
		return nil, errors.Errorf("%s: expected an integer scalar as a size, got %s", what, in[0].shape)
	}
	return in[0], nil
}

// DynamicReshape returns the elements of x as an array of the sizes that the specifications tell, of which one
// may be inferred from the others.
func (f *Function) DynamicReshape(x compute.Value, dims ...compute.DynamicDimensionSpec) (compute.Value, error) {
	in, err := f.values("DynamicReshape", x)
	if err != nil {
		return nil, err
	}
	sp, err := f.specs("DynamicReshape", dims)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.DynamicReshape(in[0].shape, dims)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeDynamicReshape, s, in, func(l *lowering, in []xb.Op) xb.Op {
		sizes, inferred := l.specDims(sp.list, sp.values)
		if inferred >= 0 {
			rest := 1
			for _, d := range sizes {
				rest *= d
			}
			if rest != 0 {
				sizes[inferred] = in[0].Shape().Size() / rest
			}
			l.sizes[sp.list[inferred].Name] = sizes[inferred]
		}
		return xb.Reshape(in[0], sizes...)
	})
}

// DynamicBroadcastInDim is BroadcastInDim to the sizes that the specifications tell.
func (f *Function) DynamicBroadcastInDim(x compute.Value, axes []int, dims ...compute.DynamicDimensionSpec) (
	compute.Value, error) {
	in, err := f.values("DynamicBroadcastInDim", x)
	if err != nil {
		return nil, err
	}
	sp, err := f.specs("DynamicBroadcastInDim", dims)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.DynamicBroadcastInDim(in[0].shape, axes, dims, f.known())
	if err != nil {
		return nil, err
	}
	axes = slices.Clone(axes)
	return f.add(compute.OpTypeDynamicBroadcastInDim, s, in, func(l *lowering, in []xb.Op) xb.Op {
		return xb.BroadcastInDim(in[0], l.allDims(sp), axes)
	})
}

// allDims returns the sizes that specifications tell, none of which can be inferred.
func (l *lowering) allDims(sp specs) []int {
	sizes, inferred := l.specDims(sp.list, sp.values)
	if inferred >= 0 {
		l.fail(errors.Errorf("the size of dimension %d, %q, is not known", inferred, sp.list[inferred].Name))
	}
	return sizes
}

// DynamicIota is Iota in the sizes that the specifications tell.
func (f *Function) DynamicIota(dtype dtypes.DType, axis int, dims ...compute.DynamicDimensionSpec) (
	compute.Value, error) {
	sp, err := f.specs("DynamicIota", dims)
	if err != nil {
		return nil, err
	}
	if err := f.open(); err != nil {
		return nil, err
	}
	s, err := shapeinference.DynamicIota(dtype, axis, dims, f.known())
	if err == nil {
		err = checkShape(s)
	}
	if err != nil {
		return nil, errors.WithMessage(err, "DynamicIota")
	}
	return f.add(compute.OpTypeDynamicIota, s, nil, func(l *lowering, _ []xb.Op) xb.Op {
		return iota(l.b, elementType(dtype), l.allDims(sp), axis)
	})
}

// padValues are the start, end and interior of an axis that are scalars; nil where they are numbers.
type padValues [3]*value

// DynamicPad is Pad by amounts that may be scalars.
func (f *Function) DynamicPad(x, fill compute.Value, axes ...compute.DynamicPadAxis) (compute.Value, error) {
	in, err := f.values("DynamicPad", x, fill)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.DynamicPad(in[0].shape, axes...)
	if err != nil {
		return nil, err
	}
	if v := in[1].shape; v.DType != s.DType || v.Rank() != 0 {
		return nil, errors.Errorf("DynamicPad: expected a scalar to fill %s with, got %s", s, v)
	}
	axes = slices.Clone(axes)
	amounts := make([]padValues, len(axes))
	for i, a := range axes {
		for j, v := range []compute.Value{a.StartValue, a.EndValue, a.InteriorValue} {
			if amounts[i][j], err = f.sizeValue("DynamicPad", v); err != nil {
				return nil, err
			}
		}
	}
	return f.add(compute.OpTypeDynamicPad, s, in, func(l *lowering, in []xb.Op) xb.Op {
		dims := make([]op.PadDim, in[0].Rank())
		for i, a := range axes {
			amount := func(j, number int) int {
				if v := amounts[i][j]; v != nil {
					return l.size(v)
				}
				return number
			}
			dims[i] = op.PadDim{Low: amount(0, a.Start), High: amount(1, a.End), Interior: amount(2, a.Interior)}
		}
		return xb.Pad(in[0], in[1], dims)
	})
}

// sizesOf returns the sizes of x but those of the last n dimensions.
func sizesOf(s shape.Shape, n int) []int { return slices.Clone(s.Dims[:s.Rank()-n]) }
