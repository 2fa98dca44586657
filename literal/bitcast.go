package literal

import (
	"fmt"

	"github.com/goxla/xla/shape"
)

// BitcastConvert returns an array of type t with the bits of l. A type of the same
// width keeps the dimensions and the order; a narrower one adds a last dimension of
// the ratio of the widths, in which the lowest bits come first; a wider one takes
// away the last dimension, whose size must be the ratio. Where the dimensions change
// the result has the default layout. BitcastConvert fails for other sizes, if one
// width does not divide the other, if one of the types is complex and the other is
// not, and for what is not an array. Spec: OPS.md, BitcastConvertType.
func BitcastConvert(l Literal, t shape.ElementType) (Literal, error) {
	s, err := bitcastShape(l.shape, t)
	if err != nil {
		return Literal{}, fmt.Errorf("literal: bitcast-convert %v to %v: %w", l.shape, t, err)
	}
	if len(s.Dims) != len(l.shape.Dims) {
		l = l.RowMajor()
	}
	return FromPacked(s, l.AppendPacked(make([]byte, 0, PackedSize(l.Type(), l.Len()))))
}

// bitcastShape returns the shape of BitcastConvert.
func bitcastShape(s shape.Shape, t shape.ElementType) (shape.Shape, error) {
	from, to := s.Type.Bits(), t.Bits()
	switch {
	case !s.IsArray() || !t.IsArray():
		return shape.Shape{}, fmt.Errorf("want array types")
	case s.Type.IsComplex() != t.IsComplex():
		return shape.Shape{}, fmt.Errorf("want both types complex, or none")
	case from == to:
		return s.WithType(t), nil
	case from > to && from%to == 0:
		return shape.Make(t, append(s.Dims[:len(s.Dims):len(s.Dims)], from/to)...), nil
	case from > to || to%from != 0:
		return shape.Shape{}, fmt.Errorf("want a width that divides the other, got %d and %d bits", from, to)
	}
	last := len(s.Dims) - 1
	if last < 0 || s.Dims[last] != to/from {
		return shape.Shape{}, fmt.Errorf("want a last dimension of size %d", to/from)
	}
	return shape.Make(t, s.Dims[:last]...), nil
}
