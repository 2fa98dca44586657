package stablehlo

import (
	"fmt"
	"math"
	"slices"
)

// Dynamic is the size of a dimension that is not known: the ? of tensor<?x4xf32>.
const Dynamic = math.MinInt64

// Type is the type of a value: one of the types of this package, which are
// comparable values or pointers to immutable structs. [SameType] compares two.
type Type interface {
	// AppendText appends the type as MLIR writes it.
	AppendText(dst []byte) []byte
	// String returns the type as MLIR writes it.
	String() string

	isType()
}

// Signedness says how an integer type reads its bits.
type Signedness uint8

// The signednesses, in the order of their bytecode values.
const (
	Signless Signedness = iota // i32: the operation decides; StableHLO takes it as signed
	Signed                     // si32
	Unsigned                   // ui32
)

// IntegerType is iN, siN or uiN. The type of a truth value is i1.
type IntegerType struct {
	Width int
	Sign  Signedness
}

// FloatType is a floating-point format; its values are the constants of this package.
type FloatType uint8

// IndexType is the type index.
type IndexType struct{}

// NoneType is the type none.
type NoneType struct{}

// TokenType is !stablehlo.token.
type TokenType struct{}

// ComplexType is complex<Elem>.
type ComplexType struct {
	Elem Type
}

// TensorType is a ranked tensor: tensor<2x?xf32, encoding>. Sizes that are not known
// are [Dynamic]. The elements may be quantized.
type TensorType struct {
	Dims     []int64
	Elem     Type
	Encoding Attribute // nil: none; *TypeExtensions: upper bounds of the dynamic sizes
}

// UnrankedTensorType is tensor<*xElem>.
type UnrankedTensorType struct {
	Elem Type
}

// VectorType is vector<2x[4]xf32>; Scalable says which sizes stand in brackets, nil: none.
type VectorType struct {
	Dims     []int64
	Scalable []bool
	Elem     Type
}

// MemRefType is memref<2x3xf32, layout, space>: a buffer that custom calls take.
type MemRefType struct {
	Dims        []int64
	Elem        Type
	Layout      Attribute // nil: row major
	MemorySpace Attribute // nil: the default one
	Unranked    bool      // memref<*xf32>; Dims and Layout are nil
}

// TupleType is tuple<Types...>.
type TupleType struct {
	Types []Type
}

// FunctionType is (Inputs) -> Results.
type FunctionType struct {
	Inputs, Results []Type
}

// FutureType is !stablehlo.future<Types...>, what async_start returns.
type FutureType struct {
	Types []Type
}

// OpaqueType is a type of a dialect that this package has no type for, kept as text:
// !Dialect.Body, or !Dialect<Body> where Angle is set.
type OpaqueType struct {
	Dialect string
	Body    string
	Angle   bool
}

func (IntegerType) isType()         {}
func (FloatType) isType()           {}
func (IndexType) isType()           {}
func (NoneType) isType()            {}
func (TokenType) isType()           {}
func (*ComplexType) isType()        {}
func (*TensorType) isType()         {}
func (*UnrankedTensorType) isType() {}
func (*VectorType) isType()         {}
func (*MemRefType) isType()         {}
func (*TupleType) isType()          {}
func (*FunctionType) isType()       {}
func (*FutureType) isType()         {}
func (*QuantizedType) isType()      {}
func (OpaqueType) isType()          {}

// The integer types that programs use most.
var (
	I1   = IntegerType{Width: 1}
	I8   = IntegerType{Width: 8}
	I32  = IntegerType{Width: 32}
	I64  = IntegerType{Width: 64}
	UI32 = IntegerType{Width: 32, Sign: Unsigned}
	UI64 = IntegerType{Width: 64, Sign: Unsigned}
)

// Extend returns the value of the low bits of v as an integer of type t: its sign is
// extended, a truth value is 0 or 1.
func (t IntegerType) Extend(v int64) int64 {
	if t.Width >= 64 {
		return v
	}
	shift := 64 - t.Width
	if t.Sign == Unsigned || t.Width == 1 {
		return int64(uint64(v) << shift >> shift)
	}
	return v << shift >> shift
}

// Rank returns the number of dimensions.
func (t *TensorType) Rank() int { return len(t.Dims) }

// IsStatic reports whether every size is known.
func (t *TensorType) IsStatic() bool { return isStatic(t.Dims) }

// NumElements returns the product of the sizes; ok is false if one is not known or
// the product does not fit.
func (t *TensorType) NumElements() (n int64, ok bool) { return product(t.Dims) }

// Bounds returns the upper bounds of the sizes, [Dynamic] where there is none; nil
// without bounds.
func (t *TensorType) Bounds() []int64 {
	if e, ok := t.Encoding.(*TypeExtensions); ok {
		return e.Bounds
	}
	return nil
}

// CheckBounds checks that there is a bound, or none, for each size, and that only
// sizes that are not known have one.
func (t *TensorType) CheckBounds() error {
	bounds := t.Bounds()
	if bounds != nil && len(bounds) != len(t.Dims) {
		return fmt.Errorf("expected %d bounds, got %d in %v", len(t.Dims), len(bounds), t)
	}
	for i, b := range bounds {
		if b != Dynamic && t.Dims[i] != Dynamic {
			return fmt.Errorf("expected no bound of size %d, which is known, got %d in %v", t.Dims[i], b, t)
		}
	}
	return nil
}

func isStatic(dims []int64) bool {
	return !slices.Contains(dims, Dynamic)
}

func product(dims []int64) (int64, bool) {
	n := int64(1)
	for _, d := range dims {
		if d == 0 {
			n = 0
		}
	}
	for _, d := range dims {
		if d < 0 || (d > 0 && n > math.MaxInt64/d) {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// ElementsShape returns the sizes and the element type of a tensor or vector type of
// known sizes: a type that a dense attribute may have.
func ElementsShape(t Type) (dims []int64, elem Type, ok bool) {
	switch t := t.(type) {
	case *TensorType:
		return t.Dims, t.Elem, t.IsStatic()
	case *VectorType:
		return t.Dims, t.Elem, true
	}
	return nil, nil, false
}

// ElementBytes returns the number of bytes that an element of type t takes in
// [DenseElements.Data]: its width rounded up to whole bytes, twice that for a complex
// number, 8 for index. Quantized elements take what their storage takes. ok is false
// for a type that is no element.
func ElementBytes(t Type) (n int, ok bool) {
	switch t := t.(type) {
	case IntegerType:
		return (t.Width + 7) / 8, true
	case FloatType:
		return (t.Bits() + 7) / 8, t.Valid()
	case IndexType:
		return 8, true
	case *ComplexType:
		n, ok = ElementBytes(t.Elem)
		return 2 * n, ok
	case *QuantizedType:
		return ElementBytes(t.Storage)
	}
	return 0, false
}
