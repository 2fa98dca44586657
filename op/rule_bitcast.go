package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferBitcast: the same bits under another shape. Tiles may pad, so sizes are
// compared only where neither layout has any.
func inferBitcast(in *Inputs) (shape.Shape, error) {
	if err := wantDeclared(in, "bitcast_o1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantArray(in, 0, "bitcast_o2"); err != nil {
		return shape.Shape{}, err
	}
	from, to := in.Operands[0], in.Declared
	if from.HasUnbounded() || to.HasUnbounded() || isTiled(from) || isTiled(to) {
		return to, nil
	}
	if a, b := storedBits(from), storedBits(to); a != b {
		return shape.Shape{}, labelErr("bitcast_o3",
			"expected a result of %d bits as %v has, got %v with %d", a, from, to, b)
	}
	return to, nil
}

func isTiled(s shape.Shape) bool { return s.Layout != nil && len(s.Layout.Tiles) > 0 }

// storedBits returns the bits of all elements of s, by the element size that its
// layout gives, if any.
func storedBits(s shape.Shape) int {
	bits := s.Type.Bits()
	if s.Layout != nil && s.Layout.ElementBits != 0 {
		bits = s.Layout.ElementBits
	}
	return s.Size() * bits
}

// inferBitcastConvert takes the element type from the declared shape. To a narrower
// type a dimension of the ratio of widths is added behind the others; to a wider
// one the last dimension must be of that size and goes.
func inferBitcastConvert(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "bitcast_convert_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDeclared(in, "bitcast_convert_o1"); err != nil {
		return shape.Shape{}, err
	}
	want, err := BitcastConvertShape(in.Operands[0], in.Declared.Type)
	if err != nil {
		return shape.Shape{}, err
	}
	return in.agree(want, "bitcast_convert_c1")
}

// BitcastConvertShape returns the shape of an array s whose bits are read as
// elements of type t, with the default layout where the rank changes. It is an
// error if exactly one of the types is complex, if neither width is a multiple of
// the other, or if the last dimension is not the ratio of the widths where t is
// the wider type. Spec: OPS.md section 2, BitcastConvertType.
func BitcastConvertShape(s shape.Shape, t shape.ElementType) (shape.Shape, error) {
	if s.Type.IsComplex() != t.IsComplex() {
		return shape.Shape{}, labelErr("bitcast_convert_c2",
			"expected two real or two complex types, got %v and %v", s.Type, t)
	}
	from, to := s.Type.Bits(), t.Bits()
	switch {
	case to == 0 || max(from, to)%min(from, to) != 0:
		return shape.Shape{}, labelErr("bitcast_convert_c1",
			"expected widths of which one divides the other, got %v and %v", s.Type, t)
	case from == to:
		return withType(s, t), nil
	case from > to:
		dims := append(slices.Clone(s.Dims), from/to)
		return shape.MakeDynamic(t, dims, append(dynamicDims(s), false)), nil
	}
	return dropRatio(s, t, to/from)
}

// dropRatio is BitcastConvertShape to a type that is ratio times as wide.
func dropRatio(s shape.Shape, t shape.ElementType, ratio int) (shape.Shape, error) {
	last := s.Rank() - 1
	if last < 0 || s.Dims[last] != ratio {
		return shape.Shape{}, operandErr(0, "bitcast_convert_c1",
			"expected a last dimension of size %d to make %v, got %v", ratio, t, s)
	}
	return shape.MakeDynamic(t, slices.Clone(s.Dims[:last]), dynamicDims(s)[:last]), nil
}
