package stablehlo

import (
	"slices"
	"strings"
)

// Attribute is a constant that is part of an operation or a type: one of the types of
// this package, which are comparable values or pointers to immutable structs.
// [SameAttribute] compares two.
type Attribute interface {
	// AppendText appends the attribute as MLIR writes it, with the type where MLIR
	// writes one.
	AppendText(dst []byte) []byte
	// String returns the attribute as MLIR writes it.
	String() string

	isAttribute()
}

// NamedAttribute is an attribute of an operation or an entry of a dictionary.
type NamedAttribute struct {
	Name  string
	Value Attribute
}

// UnitAttr is the attribute that says all by being there.
type UnitAttr struct{}

// IntegerAttr is a number of an integer type or of type index: 4 : i64. The truth
// values true and false are 1 and 0 of type i1. Value holds the bits of a ui64 as an
// int64; for the types narrower than 64 bits it is the value, sign included.
type IntegerAttr struct {
	Value int64
	Type  Type
}

// FloatAttr is a number of a floating-point type: 1.0 : f32. Bits are those of the
// type's format. Formats wider than 64 bits hold the value as an f64.
type FloatAttr struct {
	Bits uint64
	Type Type
}

// StringAttr is a string of bytes. Type is nil for a plain string.
type StringAttr struct {
	Value string
	Type  Type
}

// TypeAttr is a type as an attribute.
type TypeAttr struct {
	Type Type
}

// SymbolRef names an operation that defines a symbol: @Root::@Nested[0]::@Nested[1].
type SymbolRef struct {
	Root   string
	Nested []string
}

// ArrayAttr is [elements].
type ArrayAttr struct {
	Elems []Attribute
}

// DictAttr is {name = value, ...}, sorted by name.
type DictAttr struct {
	Entries []NamedAttribute
}

// DenseArrayAttr is array<i64: 1, 2>: a list of integers or floats. Data holds the
// elements in little-endian order, each in whole bytes.
type DenseArrayAttr struct {
	Elem Type // an IntegerType (i1, i8, i16, i32, i64) or F32, F64
	Data []byte
}

// OpaqueAttr is an attribute of a dialect that this package has no type for, kept as
// text: #Dialect.Body, or #Dialect<Body> where Angle is set, or Body where Dialect is
// "", an attribute of MLIR itself such as affine_map<...>. Type is nil where none is given.
type OpaqueAttr struct {
	Dialect string
	Body    string
	Angle   bool
	Type    Type
}

func (UnitAttr) isAttribute()        {}
func (IntegerAttr) isAttribute()     {}
func (FloatAttr) isAttribute()       {}
func (StringAttr) isAttribute()      {}
func (TypeAttr) isAttribute()        {}
func (*SymbolRef) isAttribute()      {}
func (*ArrayAttr) isAttribute()      {}
func (*DictAttr) isAttribute()       {}
func (*DenseArrayAttr) isAttribute() {}
func (OpaqueAttr) isAttribute()      {}

// Bool returns the attribute true or false.
func Bool(b bool) IntegerAttr {
	if b {
		return IntegerAttr{Value: 1, Type: I1}
	}
	return IntegerAttr{Type: I1}
}

// Int64 returns the attribute v : i64.
func Int64(v int64) IntegerAttr { return IntegerAttr{Value: v, Type: I64} }

// Int32 returns the attribute v : i32.
func Int32(v int32) IntegerAttr { return IntegerAttr{Value: int64(v), Type: I32} }

// Int64Array returns the attribute array<i64: values>.
func Int64Array(values ...int64) *DenseArrayAttr {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = appendInt(data, v, 8)
	}
	return &DenseArrayAttr{Elem: I64, Data: data}
}

// Int32Array returns the attribute array<i32: values>.
func Int32Array(values ...int32) *DenseArrayAttr {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = appendInt(data, int64(v), 4)
	}
	return &DenseArrayAttr{Elem: I32, Data: data}
}

// BoolArray returns the attribute array<i1: values>.
func BoolArray(values ...bool) *DenseArrayAttr {
	data := make([]byte, len(values))
	for i, v := range values {
		if v {
			data[i] = 1
		}
	}
	return &DenseArrayAttr{Elem: I1, Data: data}
}

// Symbol returns the attribute @name.
func Symbol(name string) *SymbolRef { return &SymbolRef{Root: name} }

// Len returns the number of elements.
func (a *DenseArrayAttr) Len() int {
	n, ok := ElementBytes(a.Elem)
	if !ok || n == 0 {
		return 0
	}
	return len(a.Data) / n
}

// Ints returns the elements of an integer array, sign extended; ok is false for an
// array of floats or of integers wider than 64 bits.
func (a *DenseArrayAttr) Ints() (values []int64, ok bool) {
	t, ok := a.Elem.(IntegerType)
	if !ok || t.Width > 64 {
		return nil, false
	}
	return decodeInts(a.Data, t), true
}

// Get returns the value of the entry called name, nil if there is none.
func (a *DictAttr) Get(name string) Attribute { return getAttr(a.Entries, name) }

// shortList is the length up to which a list is searched from the front.
const shortList = 16

// getAttr finds an entry in a list that is sorted by name.
func getAttr(list []NamedAttribute, name string) Attribute {
	if len(list) > shortList {
		if i, ok := findEntry(list, name); ok {
			return list[i].Value
		}
		return nil
	}
	for i := range list {
		if list[i].Name == name {
			return list[i].Value
		}
	}
	return nil
}

// findEntry returns where the entry called name is, or belongs.
func findEntry(list []NamedAttribute, name string) (i int, ok bool) {
	if n := len(list); n == 0 || list[n-1].Name < name {
		return n, false
	}
	return slices.BinarySearchFunc(list, name, func(e NamedAttribute, name string) int {
		return strings.Compare(e.Name, name)
	})
}
