package literal

// This file is the only one of the package that uses unsafe. Invariant: the bytes
// of a literal start where the Go type of an element may lie (at a multiple of 8, if
// this package allocated them) and number Len * Type.ByteSize, so they may be seen as
// a slice of the Go type of that size.

import (
	"fmt"
	"unsafe"

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
// float of 8 bits or fewer, uint16 also for f16 and bf16; another T panics.
func Values[T Native](l Literal) []T {
	var zero T
	b := l.Bytes()
	if int(unsafe.Sizeof(zero)) != l.shape.Type.ByteSize() {
		panic(fmt.Sprintf("literal.Values[%T] of %v", zero, l.shape))
	}
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(zero)))
}

// FromSlice returns a literal of shape s whose elements are data, in physical
// order, without a copy: the literal and the caller share the memory.
func FromSlice[T Native](s shape.Shape, data []T) (Literal, error) {
	n, err := s.Elements()
	if err != nil {
		return Literal{}, err
	}
	var zero T
	size := int(unsafe.Sizeof(zero))
	if size != s.Type.ByteSize() || n != len(data) {
		return Literal{}, fmt.Errorf("literal: %d values of %T do not fill %v", len(data), zero, s)
	}
	if n == 0 {
		return New(s), nil
	}
	return Literal{shape: s, data: unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), n*size)}, nil
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
	adviseHuge(mem)
	return mem
}
