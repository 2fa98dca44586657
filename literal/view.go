package literal

// This file is the only one of the package that uses unsafe. Invariant: the bytes
// of a literal start where the Go type of an element may lie (at a multiple of 8, if
// this package allocated them) and number Len * Type.ByteSize, so they may be seen as
// a slice of the Go type of that size.

import (
	"fmt"
	"strconv"
	"unsafe"

	"github.com/goxla/xla/internal/huge"
	"github.com/goxla/xla/shape"
)

// Native lists the Go types which a literal's elements can be seen as without a copy.
// F16, BF16 and the F8 types are the bit patterns of those formats.
type Native interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128 | F16 | BF16
}

// F16 is the bit pattern of an IEEE half-precision number.
type F16 uint16

// BF16 is the bit pattern of a bfloat16 number.
type BF16 uint16

// Values returns the elements of l as a Go slice in physical order, without a
// copy. T must have the width of l's elements and be their natural Go type: bool
// for pred, F16 and BF16 for those, int8 for s1..s8, uint8 for u1..u8 and every
// float of 8 bits or fewer, uint16 also for f16 and bf16; another T panics. View
// takes any T of that width.
func Values[T Native](l Literal) []T {
	var zero T
	if !natural(zero, l.shape.Type) {
		wrongType("Values", zero, l.shape, naturalName(l.shape.Type))
	}
	return View[T](l)
}

// View returns the bits of the elements of l as a Go slice in physical order, without
// a copy, for code that moves elements whatever they mean. T is any type of their
// width, and bool only where all are 0 or 1; a type of another width panics.
func View[T Native](l Literal) []T {
	var zero T
	b := l.Bytes()
	if int(unsafe.Sizeof(zero)) != l.shape.Type.ByteSize() {
		wrongType("View", zero, l.shape, "a type of its width")
	}
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(zero)))
}

// wrongType panics: function is called for elements of the type of zero on an array of shape s. It is one function
// for all types, which keeps the callers small.
func wrongType(function string, zero any, s shape.Shape, expects string) {
	panic(fmt.Sprintf("literal: %s[%T] of %s: expects %s", function, zero, s.StringNoLayout(), expects))
}

// natural reports whether the Go type of zero is one that Values takes for elements of type t.
func natural(zero any, t shape.ElementType) bool {
	switch zero.(type) {
	case bool:
		return t == shape.Pred
	case int8:
		return t.IsSigned() && t.Bits() <= 8
	case int16:
		return t == shape.S16
	case int32:
		return t == shape.S32
	case int64:
		return t == shape.S64
	case uint8: // floats without a Go type too
		return t.Bits() <= 8 && (t.IsUnsigned() || t.IsFloat())
	case uint16:
		return t == shape.U16 || t == shape.F16 || t == shape.BF16
	case uint32:
		return t == shape.U32
	case uint64:
		return t == shape.U64
	case F16:
		return t == shape.F16
	case BF16:
		return t == shape.BF16
	case float32:
		return t == shape.F32
	case float64:
		return t == shape.F64
	case complex64:
		return t == shape.C64
	}
	return t == shape.C128
}

// naturalName names the Go types that Values takes for elements of type t.
func naturalName(t shape.ElementType) string {
	bits := strconv.Itoa(8 * t.ByteSize())
	switch {
	case t == shape.F16:
		return "literal.F16 or uint16"
	case t == shape.BF16:
		return "literal.BF16 or uint16"
	case t == shape.Pred:
		return "bool"
	case t.IsSigned():
		return "int" + bits
	case t.IsComplex():
		return "complex" + bits
	case t == shape.F32 || t == shape.F64:
		return "float" + bits
	case t.IsArray():
		return "uint" + bits
	}
	return "an array"
}

// Part returns the elements first to end, in physical order, as an array of rank 1 that
// shares l's memory.
func (l Literal) Part(first, end int) Literal {
	size := l.Type().ByteSize()
	return Literal{shape: shape.Make(l.Type(), end-first), data: l.Bytes()[first*size : end*size]}
}

// FromSlice returns a literal of shape s whose elements are data, in physical
// order, without a copy: the literal and the caller share the memory. It fails if
// their number is not that of s, or T is not a type that Values takes.
func FromSlice[T Native](s shape.Shape, data []T) (Literal, error) {
	n, err := s.Elements()
	if err != nil {
		return Literal{}, err
	}
	var zero T
	if !natural(zero, s.Type) || n != len(data) {
		return Literal{}, fmt.Errorf("literal: %s expects %d values of %s, got %d of %T", s.StringNoLayout(), n,
			naturalName(s.Type), len(data), zero)
	}
	if n == 0 {
		return New(s), nil
	}
	return Literal{shape: s, data: unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), n*s.Type.ByteSize())}, nil
}

// FromBytes returns an array of shape s whose elements are data, in physical order, each in
// Type.ByteSize bytes, little-endian: the literal and the caller share the memory, which
// neither may change, unless the bytes must be copied: they do not lie where the Go
// type of an element may, or hold other truth values than 0 and 1. It fails if
// their number is not that of s, or s is not an array that CheckSize takes.
func FromBytes(s shape.Shape, data []byte) (Literal, error) {
	if err := CheckSize(s); err != nil {
		return Literal{}, err
	}
	if n := s.Size() * s.Type.ByteSize(); !s.IsArray() || n != len(data) {
		return Literal{}, fmt.Errorf("literal: expected %d bytes for %v, got %d", n, s, len(data))
	}
	if len(data) == 0 {
		return New(s), nil
	}
	aligned := uintptr(unsafe.Pointer(&data[0]))%uintptr(min(s.Type.ByteSize(), 8)) == 0
	if s.Type != shape.Pred && aligned {
		return Literal{shape: s, data: data}, nil
	}
	l := New(s)
	copy(l.data, data)
	if s.Type == shape.Pred {
		for i, v := range l.data {
			l.data[i] = min(v, 1)
		}
	}
	return l, nil
}

// alignedBytes returns n zero bytes that start at a multiple of 8.
func alignedBytes(n int) []byte {
	if n == 0 {
		return nil
	}
	words := make([]uint64, (n+7)/8)
	mem := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
	huge.Advise(mem)
	return mem
}
