package shape

import "cmp"

// ElementType is the type of one element of an array, or the kind of a shape that
// is not an array. The numbers are those of XLA's PrimitiveType proto enum.
type ElementType uint8

// The element types. The comment gives the format of the small floats as
// exponent bits, mantissa bits, and what the top codes mean.
const (
	Invalid       ElementType = 0
	Pred          ElementType = 1
	S8            ElementType = 2
	S16           ElementType = 3
	S32           ElementType = 4
	S64           ElementType = 5
	U8            ElementType = 6
	U16           ElementType = 7
	U32           ElementType = 8
	U64           ElementType = 9
	F16           ElementType = 10
	F32           ElementType = 11
	F64           ElementType = 12
	Tuple         ElementType = 13
	Opaque        ElementType = 14
	C64           ElementType = 15
	BF16          ElementType = 16
	Token         ElementType = 17
	C128          ElementType = 18
	F8E5M2        ElementType = 19 // IEEE-like, has infinities
	F8E4M3FN      ElementType = 20 // no infinities, NaN is all ones
	S4            ElementType = 21
	U4            ElementType = 22
	F8E4M3B11FNUZ ElementType = 23 // bias 11, no infinities, no -0; NaN is 0x80
	F8E5M2FNUZ    ElementType = 24 // bias 16, no infinities, no -0; NaN is 0x80
	F8E4M3FNUZ    ElementType = 25 // bias 8, no infinities, no -0; NaN is 0x80
	S2            ElementType = 26
	U2            ElementType = 27
	F8E4M3        ElementType = 28 // IEEE-like, has infinities
	F8E3M4        ElementType = 29 // IEEE-like, has infinities
	S1            ElementType = 30
	U1            ElementType = 31
	F4E2M1FN      ElementType = 32 // finite only: no infinities, no NaN
	F8E8M0FNU     ElementType = 33 // powers of two, no sign, no zero; NaN is 0xff
	Buffer        ElementType = 34
	F6E3M2FN      ElementType = 35 // finite only
	F6E2M3FN      ElementType = 36 // finite only

	NumElementTypes = 37
)

// class groups element types by what arithmetic they have.
type class uint8

const (
	classNone class = iota
	classPred
	classSigned
	classUnsigned
	classFloat
	classComplex
)

// typeInfo is what the package knows of one element type.
type typeInfo struct {
	name  string
	bits  int // width of one element in memory when packed; 0 for non-arrays
	class class
}

// types has a row for whatever number a type may be: that is found without a check.
var types = [256]typeInfo{
	Invalid:       {name: "invalid"},
	Pred:          {"pred", 8, classPred},
	S1:            {"s1", 1, classSigned},
	S2:            {"s2", 2, classSigned},
	S4:            {"s4", 4, classSigned},
	S8:            {"s8", 8, classSigned},
	S16:           {"s16", 16, classSigned},
	S32:           {"s32", 32, classSigned},
	S64:           {"s64", 64, classSigned},
	U1:            {"u1", 1, classUnsigned},
	U2:            {"u2", 2, classUnsigned},
	U4:            {"u4", 4, classUnsigned},
	U8:            {"u8", 8, classUnsigned},
	U16:           {"u16", 16, classUnsigned},
	U32:           {"u32", 32, classUnsigned},
	U64:           {"u64", 64, classUnsigned},
	F16:           {"f16", 16, classFloat},
	BF16:          {"bf16", 16, classFloat},
	F32:           {"f32", 32, classFloat},
	F64:           {"f64", 64, classFloat},
	F8E5M2:        {"f8e5m2", 8, classFloat},
	F8E4M3:        {"f8e4m3", 8, classFloat},
	F8E4M3FN:      {"f8e4m3fn", 8, classFloat},
	F8E4M3B11FNUZ: {"f8e4m3b11fnuz", 8, classFloat},
	F8E5M2FNUZ:    {"f8e5m2fnuz", 8, classFloat},
	F8E4M3FNUZ:    {"f8e4m3fnuz", 8, classFloat},
	F8E3M4:        {"f8e3m4", 8, classFloat},
	F8E8M0FNU:     {"f8e8m0fnu", 8, classFloat},
	F6E3M2FN:      {"f6e3m2fn", 6, classFloat},
	F6E2M3FN:      {"f6e2m3fn", 6, classFloat},
	F4E2M1FN:      {"f4e2m1fn", 4, classFloat},
	C64:           {"c64", 64, classComplex},
	C128:          {"c128", 128, classComplex},
	Tuple:         {name: "tuple"},
	Opaque:        {name: "opaque"},
	Token:         {name: "token"},
	Buffer:        {name: "buffer"},
}

func (t ElementType) info() *typeInfo { return &types[t] }

// String returns the name of t in HLO text, for example "f32".
func (t ElementType) String() string { return cmp.Or(t.info().name, types[Invalid].name) }

// Bits returns the width of one element in bits, as packed in a buffer; pred takes
// 8. It is 0 for tuples, tokens, opaque values and buffers.
func (t ElementType) Bits() int { return t.info().bits }

// ByteSize returns the bytes that one element takes in host memory, where a
// narrow type takes a byte of its own. It is 0 for what is not an array type.
//
//go:noinline
func (t ElementType) ByteSize() int { return (t.info().bits + 7) / 8 }

// IsArray reports whether t is the type of an array element.
//
//go:noinline
func (t ElementType) IsArray() bool { return t.info().class != classNone }

// IsFloat reports whether t is a real floating-point type.
//
//go:noinline
func (t ElementType) IsFloat() bool { return t.info().class == classFloat }

// IsComplex reports whether t is c64 or c128.
func (t ElementType) IsComplex() bool { return t.info().class == classComplex }

// IsSigned reports whether t is a signed integer type.
//
//go:noinline
func (t ElementType) IsSigned() bool { return t.info().class == classSigned }

// IsUnsigned reports whether t is an unsigned integer type; pred is not one.
//
//go:noinline
func (t ElementType) IsUnsigned() bool { return t.info().class == classUnsigned }

// IsInteger reports whether t is a signed or unsigned integer type; pred is not one.
func (t ElementType) IsInteger() bool { return t.IsSigned() || t.IsUnsigned() }

// Component returns the type of the real and imaginary part of a complex type,
// and any other type as it is.
func (t ElementType) Component() ElementType {
	switch t {
	case C64:
		return F32
	case C128:
		return F64
	}
	return t
}

// ParseElementType returns the type named s as in HLO text; ok is false for any
// other text. "tuple" and "buffer" are not spelled by name in HLO text and are
// not accepted.
func ParseElementType(s string) (t ElementType, ok bool) {
	for i, info := range types[:NumElementTypes] {
		if info.name == s {
			t = ElementType(i)
			return t, t != Invalid && t != Tuple && t != Buffer
		}
	}
	return Invalid, false
}
