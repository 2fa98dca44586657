package literal

import (
	"fmt"
	"math"

	"github.com/goxla/xla/shape"
)

// The accessors of this file take the logical index of an element: its number in
// row-major order, whatever the layout. They are for single elements; loops over
// many elements use Values, ToFloat32s or Convert.

// Index returns the logical index of the element at the given position, one number
// a dimension. It panics if the position is not inside the array.
func (l Literal) Index(position ...int) int {
	if len(position) != len(l.shape.Dims) {
		panic(fmt.Sprintf("literal: position %v in %v", position, l.shape))
	}
	index := 0
	for i, p := range position {
		if uint(p) >= uint(l.shape.Dims[i]) {
			panic(fmt.Sprintf("literal: position %v is outside %v", position, l.shape))
		}
		index = index*l.shape.Dims[i] + p
	}
	return index
}

// At returns the element at the given position, one number a dimension. T must be
// as Values asks.
func At[T Native](l Literal, position ...int) T {
	return Values[T](l)[l.Offset(l.Index(position...))]
}

// Set sets the element at the given position, one number a dimension, to v. T must
// be as Values asks.
func Set[T Native](l Literal, v T, position ...int) {
	Values[T](l)[l.Offset(l.Index(position...))] = v
}

// BitsAt returns the bit pattern of element i, with the higher bits zero. It panics
// for complex arrays.
func (l Literal) BitsAt(i int) uint64 {
	t := l.Type()
	switch p := l.Offset(i); t.ByteSize() {
	case 1:
		return uint64(View[uint8](l)[p]) & (1<<t.Bits() - 1)
	case 2:
		return uint64(View[uint16](l)[p])
	case 4:
		return uint64(View[uint32](l)[p])
	case 8:
		if !t.IsComplex() {
			return View[uint64](l)[p]
		}
	}
	panic(fmt.Sprintf("literal: bits of an element of %v", l.shape))
}

// SetBits sets element i to the bit pattern bits, cut to the width of the type; of
// a pred the last bit counts. It panics for complex arrays.
func (l Literal) SetBits(i int, bits uint64) {
	t := l.Type()
	switch p := l.Offset(i); t.ByteSize() {
	case 1:
		View[uint8](l)[p] = narrow(t, uint8(bits))
		return
	case 2:
		View[uint16](l)[p] = uint16(bits)
		return
	case 4:
		View[uint32](l)[p] = uint32(bits)
		return
	case 8:
		if !t.IsComplex() {
			View[uint64](l)[p] = bits
			return
		}
	}
	panic(fmt.Sprintf("literal: bits of an element of %v", l.shape))
}

// narrow returns the byte that stands for the low bits of v in an array of type t,
// which is at most 8 bits wide.
func narrow(t shape.ElementType, v uint8) uint8 {
	unused := 8 - t.Bits()
	switch {
	case t == shape.Pred:
		return v & 1
	case t.IsSigned():
		return uint8(int8(v<<unused) >> unused)
	}
	return v << unused >> unused
}

// IntAt returns element i as an integer: a pred is 0 or 1, a u64 keeps its bits, a
// float is truncated and saturated with NaN as 0, and of a complex number it is the
// real part.
func (l Literal) IntAt(i int) int64 {
	t := l.Type()
	if t.IsFloat() || t.IsComplex() {
		return int64(saturate(shape.S64, l.FloatAt(i)))
	}
	unused := 64 - t.Bits()
	if t.IsSigned() {
		return int64(l.BitsAt(i)<<unused) >> unused
	}
	return int64(l.BitsAt(i))
}

// SetInt sets element i to v: an integer type keeps the low bits, pred gets v != 0,
// other types round to nearest.
func (l Literal) SetInt(i int, v int64) {
	switch t := l.Type(); {
	case t == shape.Pred:
		l.SetBool(i, v != 0)
	case t.IsInteger():
		l.SetBits(i, uint64(v))
	case t == shape.F32:
		l.SetBits(i, uint64(math.Float32bits(float32(v))))
	case t == shape.F64:
		l.SetBits(i, math.Float64bits(float64(v)))
	case t.IsFloat():
		l.SetBits(i, EncodeFloat(t, intToOdd(v)))
	default:
		l.SetComplex(i, complex(float64(v), 0))
	}
}

// FloatAt returns element i as a float64: a pred is 0 or 1, an integer is rounded
// to nearest, and of a complex number it is the real part.
func (l Literal) FloatAt(i int) float64 {
	switch t := l.Type(); {
	case t.IsFloat():
		return DecodeFloat(t, l.BitsAt(i))
	case t.IsComplex():
		return real(l.ComplexAt(i))
	case t == shape.U64:
		return float64(l.BitsAt(i))
	}
	return float64(l.IntAt(i))
}

// SetFloat sets element i to v: a float type rounds to nearest, an integer type
// truncates and saturates, pred gets v != 0.
func (l Literal) SetFloat(i int, v float64) {
	switch t := l.Type(); {
	case t.IsFloat():
		l.SetBits(i, EncodeFloat(t, v))
	case t.IsComplex():
		l.SetComplex(i, complex(v, 0))
	case t == shape.Pred:
		l.SetBool(i, v != 0)
	default:
		l.SetBits(i, saturate(t, v))
	}
}

// ComplexAt returns element i as a complex number; that of another type has the
// imaginary part 0.
func (l Literal) ComplexAt(i int) complex128 {
	switch l.Type() {
	case shape.C64:
		return complex128(Values[complex64](l)[l.Offset(i)])
	case shape.C128:
		return Values[complex128](l)[l.Offset(i)]
	}
	return complex(l.FloatAt(i), 0)
}

// SetComplex sets element i to v, of which a type that is not complex gets the real
// part.
func (l Literal) SetComplex(i int, v complex128) {
	switch l.Type() {
	case shape.C64:
		Values[complex64](l)[l.Offset(i)] = complex64(v)
	case shape.C128:
		Values[complex128](l)[l.Offset(i)] = v
	default:
		l.SetFloat(i, real(v))
	}
}

// BoolAt reports whether element i is other than zero; NaN is.
func (l Literal) BoolAt(i int) bool {
	if t := l.Type(); t.IsInteger() || t == shape.Pred {
		return l.BitsAt(i) != 0
	}
	return l.ComplexAt(i) != 0
}

// SetBool sets element i to 1 or 0.
func (l Literal) SetBool(i int, v bool) {
	n := int64(0)
	if v {
		n = 1
	}
	if l.Type() == shape.Pred {
		l.SetBits(i, uint64(n))
		return
	}
	l.SetInt(i, n)
}
