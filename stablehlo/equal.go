package stablehlo

import (
	"bytes"
	"slices"

	"github.com/goxla/xla/shape"
)

// SameType reports whether two types are equal; nil equals nil.
func SameType(a, b Type) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case *TensorType:
		y, ok := b.(*TensorType)
		return ok && (x == y || (slices.Equal(x.Dims, y.Dims) && SameType(x.Elem, y.Elem) &&
			SameAttribute(x.Encoding, y.Encoding)))
	case IntegerType, FloatType, IndexType, NoneType, TokenType, OpaqueType:
		return a == b
	}
	return b != nil && sameText(a, b)
}

// SameTypes reports whether two lists of types are equal.
func SameTypes(a, b []Type) bool { return slices.EqualFunc(a, b, SameType) }

// SameAttribute reports whether two attributes are equal; nil equals nil. Constants
// are compared by type and bytes, so that 0 and -0, or two NaN, may differ.
func SameAttribute(a, b Attribute) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case *DenseElements:
		y, ok := b.(*DenseElements)
		return ok && (x == y || (x.Splat == y.Splat && bytes.Equal(x.Data, y.Data) && SameType(x.Type, y.Type)))
	case IntegerAttr, FloatAttr, UnitAttr, EnumAttr, UnknownLoc:
		return a == b
	case *ArrayAttr:
		y, ok := b.(*ArrayAttr)
		return ok && slices.EqualFunc(x.Elems, y.Elems, SameAttribute)
	case *DictAttr:
		y, ok := b.(*DictAttr)
		return ok && SameAttributes(x.Entries, y.Entries)
	}
	return b != nil && sameText(a, b)
}

// SameAttributes reports whether two sorted lists of named attributes are equal.
func SameAttributes(a, b []NamedAttribute) bool {
	return slices.EqualFunc(a, b, func(x, y NamedAttribute) bool {
		return x.Name == y.Name && SameAttribute(x.Value, y.Value)
	})
}

// sameText compares what MLIR would write, which says all there is.
func sameText(a, b interface{ AppendText([]byte) []byte }) bool {
	return bytes.Equal(a.AppendText(nil), b.AppendText(nil))
}

// hloIntegers are the HLO element types of the integer types, signless as signed.
var hloIntegers = map[IntegerType]shape.ElementType{
	{Width: 1}: shape.Pred,
	{Width: 2}: shape.S2, {Width: 4}: shape.S4, {Width: 8}: shape.S8,
	{Width: 16}: shape.S16, {Width: 32}: shape.S32, {Width: 64}: shape.S64,
	{Width: 2, Sign: Unsigned}: shape.U2, {Width: 4, Sign: Unsigned}: shape.U4, {Width: 8, Sign: Unsigned}: shape.U8,
	{Width: 16, Sign: Unsigned}: shape.U16, {Width: 32, Sign: Unsigned}: shape.U32,
	{Width: 64, Sign: Unsigned}: shape.U64,
}

// ElementType returns the HLO element type of a tensor's elements; ok is false where
// HLO has none. index is S64; a quantized type has the element type of its storage.
func ElementType(t Type) (e shape.ElementType, ok bool) {
	switch t := t.(type) {
	case IntegerType:
		if t.Sign == Signed {
			t.Sign = Signless
		}
		e = hloIntegers[t]
	case FloatType:
		e = t.row().hlo
	case IndexType:
		e = shape.S64
	case *ComplexType:
		switch t.Elem {
		case F32:
			e = shape.C64
		case F64:
			e = shape.C128
		}
	case *QuantizedType:
		return ElementType(t.Storage)
	}
	return e, e != shape.Invalid
}
