package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

func inferSlice(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "slice_i1"); err != nil {
		return shape.Shape{}, err
	}
	s, ranges := in.Operands[0], in.Attrs.(*SliceAttrs).Slice
	if err := wantLen("slice", len(ranges), s.Rank(), "slice_c2"); err != nil {
		return shape.Shape{}, err
	}
	dims, dynamic := make([]int, s.Rank()), make([]bool, s.Rank())
	for i, r := range ranges {
		if err := wantSliceRange(at("slice", i), r, s.Dims[i]); err != nil {
			return shape.Shape{}, err
		}
		dims[i] = r.Len()
		dynamic[i] = s.IsDynamicDim(i) && s.Dims[i] != shape.Unbounded && dims[i] != 1
	}
	return in.agree(shape.MakeDynamic(s.Type, dims, dynamic), "slice_c5")
}

func wantSliceRange(attr string, r SliceRange, size int) error {
	if r.Start < 0 || r.Start > r.Limit {
		return attrErr(attr, "slice_c3", "expected 0 <= start <= limit, got start %d, limit %d", r.Start, r.Limit)
	}
	if size != shape.Unbounded && r.Limit > size {
		return attrErr(attr, "slice_c3", "expected a limit of at most %d, got %d", size, r.Limit)
	}
	if r.Stride <= 0 {
		return attrErr(attr, "slice_c4", "expected a stride of at least 1, got %d", r.Stride)
	}
	return nil
}

// Len returns the number of indices in r, whose stride is at least 1.
func (r SliceRange) Len() int {
	if r.Limit <= r.Start {
		return 0
	}
	return (r.Limit-r.Start-1)/r.Stride + 1
}

// inferConcatenate: sizes add up along the dimension; another dimension must have
// one size, the static or else the bounded one where it is not known everywhere.
func inferConcatenate(in *Inputs) (shape.Shape, error) {
	if len(in.Operands) == 0 {
		return shape.Shape{}, labelErr("concatenate_c3", "expected at least one operand, got none")
	}
	if err := wantArrays(in, "concatenate_i1"); err != nil {
		return shape.Shape{}, err
	}
	first := in.Operands[0]
	d, err := wantOneDim("dimensions", in.Attrs.(*ConcatenateAttrs).Dimensions, first.Rank(), "concatenate_c4")
	if err != nil {
		return shape.Shape{}, err
	}
	dims, dynamic := slices.Clone(first.Dims), dynamicDims(first)
	t := first.Type
	for i := 1; i < len(in.Operands); i++ {
		if err := wantSameType(in, 0, i, "concatenate_c1"); err != nil {
			return shape.Shape{}, err
		}
		s := in.Operands[i]
		if s.Rank() != first.Rank() {
			return shape.Shape{}, operandErr(i, "concatenate_c2",
				"expected rank %d as of operand 0, got %v", first.Rank(), s)
		}
		t = higherPrecision(t, s.Type)
		for j := range dims {
			joined, err := joinDims(dimension{dims[j], dynamic[j]}, dimOf(s, j), j == d)
			if err != nil {
				return shape.Shape{}, operandErr(i, "concatenate_c2", "dimension %d: %w", j, err)
			}
			dims[j], dynamic[j] = joined.split()
		}
	}
	return shape.MakeDynamic(t, dims, dynamic), nil
}

// joinDims returns the extent of a dimension of a concatenation that is a in the
// operands so far and b in the next; along tells whether it is the dimension that grows.
func joinDims(a, b dimension, along bool) (dimension, error) {
	switch {
	case along && (a.unbounded() || b.unbounded()):
		return dimension{shape.Unbounded, true}, nil
	case along:
		n, ok := addInt(a.size, b.size)
		if !ok {
			return dimension{}, errf("expected a sum of sizes below 2^63, got %d + %d", a.size, b.size)
		}
		return dimension{n, a.dynamic || b.dynamic}, nil
	case a.unbounded():
		return b, nil
	case b.unbounded():
		return a, nil
	case a.size != b.size:
		return dimension{}, errf("expected size %d as before, got %d", a.size, b.size)
	}
	return dimension{a.size, a.dynamic || b.dynamic}, nil
}

// inferPad: interior padding first, then the edges, which may be negative.
func inferPad(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "pad_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantScalar(in, 1, arrayTypes, "pad_i2"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameType(in, 0, 1, "pad_c1"); err != nil {
		return shape.Shape{}, err
	}
	s, padding := in.Operands[0], in.Attrs.(*PadAttrs).Padding
	if err := wantLen("padding", len(padding), s.Rank(), "pad_c2"); err != nil {
		return shape.Shape{}, err
	}
	dims := make([]int, s.Rank())
	for i, p := range padding {
		n, err := PaddedDim(s.Dims[i], p)
		if err != nil {
			return shape.Shape{}, inAttr(err, at("padding", i))
		}
		dims[i] = n
	}
	return shape.MakeDynamic(higherPrecision(s.Type, in.Operands[1].Type), dims, dynamicDims(s)), nil
}

// PaddedDim returns the size of a dimension of the given size after padding it:
// low + high + size + (size-1)*interior; unbounded stays unbounded. It is an error
// if the interior padding or the result is negative, or too large for an int.
func PaddedDim(size int, p PadDim) (int, error) {
	if p.Interior < 0 {
		return 0, labelErr("pad_c3", "expected an interior padding of at least 0, got %d", p.Interior)
	}
	if size == shape.Unbounded {
		return size, nil
	}
	holes, ok := mulInt(max(size-1, 0), p.Interior)
	n := size
	for _, term := range []int{holes, p.Low, p.High} {
		var fits bool
		n, fits = addInt(n, term)
		ok = ok && fits
	}
	if !ok {
		return 0, labelErr("pad_c4",
			"expected a size below 2^63, got %d padded %d_%d_%d", size, p.Low, p.High, p.Interior)
	}
	if n < 0 {
		return 0, labelErr("pad_c4", "expected a size of at least 0 after padding, got %d", n)
	}
	return n, nil
}
