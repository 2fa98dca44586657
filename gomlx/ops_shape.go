package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapeinference"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// BroadcastInDim returns x stretched to the sizes of s, where dimension i of x becomes dimension axes[i].
func (f *Function) BroadcastInDim(x compute.Value, s shapes.Shape, axes []int) (compute.Value, error) {
	in, err := f.values("BroadcastInDim", x)
	if err != nil {
		return nil, err
	}
	if err := shapeinference.BroadcastInDim(in[0].shape, s, axes, f.known()); err != nil {
		return nil, errors.WithMessage(err, "BroadcastInDim")
	}
	s, axes = withDType(s, in[0].shape.DType), slices.Clone(axes)
	if err := checkSizes(s); err != nil {
		return nil, errors.WithMessage(err, "BroadcastInDim")
	}
	return f.add(compute.OpTypeBroadcastInDim, s, in, func(l *lowering, in []xb.Op) xb.Op {
		return xb.BroadcastInDim(in[0], l.dims(s), axes)
	})
}

// Iota returns an array of shape s in which every element is its index along an axis.
func (f *Function) Iota(s shapes.Shape, axis int) (compute.Value, error) {
	if _, err := f.values("Iota"); err != nil {
		return nil, err
	}
	if err := checkShape(s); err != nil {
		return nil, errors.WithMessage(err, "Iota")
	}
	if axis < 0 || axis >= s.Rank() {
		return nil, errors.Errorf("Iota: expected an axis of %s, got %d", s, axis)
	}
	s = s.Clone()
	return f.add(compute.OpTypeIota, s, nil, func(l *lowering, _ []xb.Op) xb.Op {
		return iota(l.b, elementType(s.DType), l.dims(s), axis)
	})
}

func iota(b *xb.Builder, t shape.ElementType, dims []int, axis int) xb.Op {
	if t == shape.Pred {
		return convert(b.Iota(shape.Make(shape.S32, dims...), axis), t)
	}
	return b.Iota(shape.Make(t, dims...), axis)
}

// Reshape returns the elements of x, in their order, as an array of other sizes.
func (f *Function) Reshape(x compute.Value, dims ...int) (compute.Value, error) {
	in, err := f.values("Reshape", x)
	if err != nil {
		return nil, err
	}
	s, err := reshaped(in[0].shape, dims)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeReshape, s, in, func(l *lowering, in []xb.Op) xb.Op {
		return xb.Reshape(in[0], l.dims(s)...)
	})
}

// reshaped returns the shape of a Reshape. The dynamic dimensions of x are those of the result, in order.
func reshaped(x shapes.Shape, dims []int) (shapes.Shape, error) {
	if !x.IsDynamic() && !slices.Contains(dims, shapes.DynamicDim) {
		if i := slices.IndexFunc(dims, func(d int) bool { return d < 0 }); i >= 0 {
			return x, errors.Errorf("Reshape: expected sizes of 0 or more, got %v", dims)
		}
		return shapeinference.Reshape(x, dims)
	}
	var names []string
	known := 1
	for i, d := range x.Dimensions {
		if d == shapes.DynamicDim {
			names = append(names, x.AxisName(i))
		} else {
			known *= d
		}
	}
	list, next, got := make([]string, len(dims)), 0, 1
	for i, d := range dims {
		if d != shapes.DynamicDim {
			got *= d
			continue
		}
		if next < len(names) {
			list[i] = names[next]
		}
		next++
	}
	if next != len(names) || got != known {
		return x, errors.Errorf("Reshape: expected %d dynamic dimensions and others of %d elements for %s, got %v",
			len(names), known, x, dims)
	}
	return shapes.MakeDynamic(x.DType, dims, list), nil
}

// Transpose returns x with dimension permutation[i] as its dimension i.
func (f *Function) Transpose(x compute.Value, permutation ...int) (compute.Value, error) {
	in, err := f.values("Transpose", x)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.Transpose(in[0].shape, permutation)
	if err != nil {
		return nil, err
	}
	permutation = slices.Clone(permutation)
	return f.add(compute.OpTypeTranspose, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.Transpose(in[0], permutation...)
	})
}

// Reverse returns x with the elements along axes in reverse order.
func (f *Function) Reverse(x compute.Value, axes ...int) (compute.Value, error) {
	in, err := f.values("Reverse", x)
	if err != nil {
		return nil, err
	}
	for i, a := range axes {
		if a < 0 || a >= in[0].shape.Rank() || slices.Contains(axes[:i], a) {
			return nil, errors.Errorf("Reverse: expected different axes of %s, got %v", in[0].shape, axes)
		}
	}
	axes = slices.Clone(axes)
	return f.add(compute.OpTypeReverse, in[0].shape, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.Rev(in[0], axes...)
	})
}

// Concatenate returns the operands one behind the other along an axis.
func (f *Function) Concatenate(axis int, operands ...compute.Value) (compute.Value, error) {
	in, err := f.values("Concatenate", operands...)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.Concatenate(shapesOf(in), axis)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeConcatenate, s, in, func(l *lowering, in []xb.Op) xb.Op {
		if len(in) == 1 {
			return in[0]
		}
		return l.b.ConcatInDim(in, axis)
	})
}

// Pad returns x with cells of value fill before, behind and between its elements. Negative numbers cut away.
func (f *Function) Pad(x, fill compute.Value, axes ...compute.PadAxis) (compute.Value, error) {
	in, err := f.values("Pad", x, fill)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.Pad(in[0].shape, axes...)
	if err != nil {
		return nil, err
	}
	if v := in[1].shape; v.DType != s.DType || v.Rank() != 0 {
		return nil, errors.Errorf("Pad: expected a scalar to fill %s with, got %s", s, v)
	}
	dims := make([]op.PadDim, s.Rank())
	for i, a := range axes {
		dims[i] = op.PadDim{Low: a.Start, High: a.End, Interior: a.Interior}
	}
	return f.add(compute.OpTypePad, s, in, func(_ *lowering, in []xb.Op) xb.Op { return xb.Pad(in[0], in[1], dims) })
}

// Slice returns the elements at starts, starts+strides, ... below limits. Nil strides are 1; a limit of
// shapes.DynamicDim is the end of the dimension.
func (f *Function) Slice(x compute.Value, starts, limits, strides []int) (compute.Value, error) {
	in, err := f.values("Slice", x)
	if err != nil {
		return nil, err
	}
	if strides == nil {
		strides = slices.Repeat([]int{1}, in[0].shape.Rank())
	}
	starts, limits, strides = slices.Clone(starts), slices.Clone(limits), slices.Clone(strides)
	if len(limits) == in[0].shape.Rank() {
		for i, d := range in[0].shape.Dimensions {
			if limits[i] == shapes.DynamicDim && d != shapes.DynamicDim {
				limits[i] = d
			}
		}
	}
	s, err := shapeinference.Slice(in[0].shape, starts, limits, strides)
	if err != nil {
		return nil, err
	}
	return f.add(compute.OpTypeSlice, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		ends := slices.Clone(limits)
		for i := range ends {
			if ends[i] == shapes.DynamicDim {
				ends[i] = in[0].Dim(i)
			}
		}
		return xb.Slice(in[0], starts, ends, strides)
	})
}

// DynamicSlice returns the part of x of given sizes that begins at starts, a scalar for each axis or one vector of
// them.
func (f *Function) DynamicSlice(x compute.Value, starts []compute.Value, sizes []int) (compute.Value, error) {
	in, err := f.values("DynamicSlice", append([]compute.Value{x}, starts...)...)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.DynamicSlice(in[0].shape, sizes)
	if err == nil {
		err = checkStarts(in[0].shape, in[1:])
	}
	if err != nil {
		return nil, errors.WithMessage(err, "DynamicSlice")
	}
	sizes = slices.Clone(sizes)
	return f.add(compute.OpTypeDynamicSlice, s, in, func(l *lowering, in []xb.Op) xb.Op {
		list := slices.Clone(sizes)
		for i, n := range list {
			if n == shapes.DynamicDim {
				list[i] = in[0].Dim(i)
			}
		}
		return xb.DynamicSlice(in[0], startScalars(in[1:]), list)
	})
}

// DynamicUpdateSlice returns x with the part that begins at starts replaced by update.
func (f *Function) DynamicUpdateSlice(x, update compute.Value, starts []compute.Value) (compute.Value, error) {
	in, err := f.values("DynamicUpdateSlice", append([]compute.Value{x, update}, starts...)...)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.DynamicUpdateSlice(in[0].shape, in[1].shape)
	if err == nil {
		err = checkStarts(in[0].shape, in[2:])
	}
	if err != nil {
		return nil, errors.WithMessage(err, "DynamicUpdateSlice")
	}
	return f.add(compute.OpTypeDynamicUpdateSlice, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.DynamicUpdateSlice(in[0], in[1], startScalars(in[2:]))
	})
}

func checkStarts(x shapes.Shape, starts []*value) error {
	if len(starts) == 1 && starts[0].shape.Rank() == 1 {
		if s := starts[0].shape; !s.DType.IsInt() || s.Dimensions[0] != x.Rank() {
			return errors.Errorf("expected an integer start for each axis of %s, got %s", x, s)
		}
		return nil
	}
	if len(starts) != x.Rank() {
		return errors.Errorf("expected a start for each axis of %s, got %d", x, len(starts))
	}
	for i, s := range starts {
		if !isScalarInt(s) {
			return errors.Errorf("expected integer scalars as starts, got %s for axis %d", s.shape, i)
		}
	}
	return nil
}

// startScalars returns starts as scalars of one type. They may be given as one vector.
func startScalars(list []xb.Op) []xb.Op {
	if len(list) == 1 && list[0].Rank() == 1 {
		scalars := make([]xb.Op, list[0].Dim(0))
		for i := range scalars {
			scalars[i] = xb.Reshape(xb.SliceInDim(list[0], i, i+1, 1, 0))
		}
		return scalars
	}
	for _, x := range list {
		if x.Type() != list[0].Type() {
			out := make([]xb.Op, len(list))
			for i, x := range list {
				out[i] = convert(x, shape.S64)
			}
			return out
		}
	}
	return list
}
