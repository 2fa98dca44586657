package literal

import (
	"fmt"
	"reflect"

	"github.com/goxla/xla/shape"
)

// TypeOf returns the element type that T stands for by itself: s32 for int32, f16
// for F16. Types without a Go type of their own, such as s4 and the 8-bit floats,
// are made with New or FromSlice and a shape.
func TypeOf[T Native]() shape.ElementType {
	return leaves[reflect.TypeFor[T]()].typ
}

// Scalar returns an array of rank 0 that holds v.
func Scalar[T Native](v T) Literal {
	l := New(shape.Make(TypeOf[T]()))
	Values[T](l)[0] = v
	return l
}

// Full returns an array of shape s with every element equal to scalar, which has
// one element of the same type.
func Full(s shape.Shape, scalar Literal) (Literal, error) {
	if !s.IsArray() || s.Type != scalar.Type() || scalar.Len() != 1 {
		return Literal{}, fmt.Errorf("literal: fill %v with %v", s, scalar.shape)
	}
	if err := CheckSize(s); err != nil {
		return Literal{}, err
	}
	l := New(s)
	l.repeat(scalar.Bytes())
	return l, nil
}

// repeat fills l with copies of one element.
func (l Literal) repeat(element []byte) {
	data := l.Bytes()
	for n := copy(data, element); n < len(data); n *= 2 {
		copy(data[n:], data[:n])
	}
}

// Iota returns an array of shape s in which every element is its index along
// dimension dim, converted to the element type as SetInt does.
func Iota(s shape.Shape, dim int) (Literal, error) {
	if !s.IsArray() || uint(dim) >= uint(len(s.Dims)) {
		return Literal{}, fmt.Errorf("literal: iota of %v along dimension %d", s, dim)
	}
	if err := CheckSize(s); err != nil {
		return Literal{}, err
	}
	out := New(s)
	if out.Len() == 0 {
		return out, nil
	}
	line := New(shape.Make(s.Type, s.Dims[dim]))
	for i := range line.Len() {
		line.SetInt(i, int64(i))
	}
	b := box{dims: s.Dims, dst: strides(s), src: make([]int, len(s.Dims))}
	b.src[dim] = 1
	copyBox(out, line, b)
	return out, nil
}

// Zero returns the scalar 0 of the array type t; false for pred. For f8e8m0fnu,
// which has no zero, it is NaN. It panics if t is not an array type.
func Zero(t shape.ElementType) Literal { return scalarInt(t, 0) }

// One returns the scalar 1 of the array type t; true for pred. For s1 it is -1, the
// value whose one bit is set. It panics if t is not an array type.
func One(t shape.ElementType) Literal { return scalarInt(t, 1) }

func scalarInt(t shape.ElementType, v int64) Literal {
	if !t.IsArray() {
		panic(fmt.Sprintf("literal: %v has no numbers", t))
	}
	l := New(shape.Make(t))
	l.SetInt(0, v)
	return l
}

// MinValue returns the scalar that is the identity of maximum in type t: false,
// the lowest integer, -infinity, or the lowest value of a float without infinities.
// It fails for complex types, which have no order, and for what is not an array.
func MinValue(t shape.ElementType) (Literal, error) { return extreme(t, true) }

// MaxValue returns the scalar that is the identity of minimum in type t: true, the
// highest integer, infinity, or the highest value of a float without infinities. It
// fails for complex types, which have no order, and for what is not an array.
func MaxValue(t shape.ElementType) (Literal, error) { return extreme(t, false) }

func extreme(t shape.ElementType, lowest bool) (Literal, error) {
	if !t.IsArray() || t.IsComplex() {
		return Literal{}, fmt.Errorf("literal: %v has no smallest and largest value", t)
	}
	l := New(shape.Make(t))
	switch {
	case t == shape.Pred:
		l.SetBool(0, !lowest)
	case t.IsInteger():
		low, high := intRange(t)
		if lowest {
			high = uint64(low)
		}
		l.SetBits(0, high)
	default:
		l.SetBits(0, formats[t].extreme(lowest))
	}
	return l, nil
}

// extreme returns the code of the lowest or the highest value, infinities included.
func (f *Format) extreme(lowest bool) uint64 {
	switch {
	case lowest && !f.HasSign:
		return 0
	case f.HasInf && lowest:
		return f.overCode | f.signBit
	case f.HasInf:
		return f.overCode
	case lowest:
		return f.maxCode | f.signBit
	}
	return f.maxCode
}
