package op

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goxla/xla/shape"
)

// This file holds what the shape rules of all families share: checks of operands
// and of dimension lists, and the way a result shape is put together. Checks take
// the label of the constraint they stand for and return an *Error with it.
//
// Labels are those of the StableHLO specification: reverse_c3 is its constraint C3
// of reverse, abs_i1 what it says of the first operand's type. Rules of OPS.md that
// it does not have continue the numbering with "_o": reduce_o1. A rule that serves
// several operations leaves the name out ("_c1"); Infer puts it in.

// typeSet is a set of element types with the words an error uses for it.
type typeSet struct {
	words string
	has   func(shape.ElementType) bool
}

var (
	floatTypes     = typeSet{"floating-point", shape.ElementType.IsFloat}
	floatOrComplex = typeSet{"floating-point or complex", isFloatOrComplex}
	integerTypes   = typeSet{"integer", shape.ElementType.IsInteger}
	predOrInteger  = typeSet{"pred or integer", isPredOrInteger}
	predTypes      = typeSet{"pred", func(t shape.ElementType) bool { return t == shape.Pred }}
	numberTypes    = typeSet{"integer, floating-point or complex", isNumber}
	signedTypes    = typeSet{"signed integer, floating-point or complex", hasSign}
	unsignedTypes  = typeSet{"unsigned integer", shape.ElementType.IsUnsigned}
	complexParts   = typeSet{"f32 or f64", isComplexPart}
	realTypes      = typeSet{"integer or floating-point", isReal}
	s32Types       = typeSet{"s32", func(t shape.ElementType) bool { return t == shape.S32 }}
	arrayTypes     = typeSet{"array", shape.ElementType.IsArray}
)

func isFloatOrComplex(t shape.ElementType) bool { return t.IsFloat() || t.IsComplex() }
func isPredOrInteger(t shape.ElementType) bool  { return t == shape.Pred || t.IsInteger() }
func hasSign(t shape.ElementType) bool          { return t.IsSigned() || isFloatOrComplex(t) }
func isComplexPart(t shape.ElementType) bool    { return t == shape.F32 || t == shape.F64 }
func isReal(t shape.ElementType) bool           { return t.IsInteger() || t.IsFloat() }
func isNumber(t shape.ElementType) bool         { return t.IsInteger() || isFloatOrComplex(t) }

// operandErr returns an *Error about operand i.
func operandErr(i int, label, format string, args ...any) error {
	return attrErr(fmt.Sprintf("operand %d", i), label, format, args...)
}

// inAttr returns err, which is an *Error, as one about attribute attr.
func inAttr(err error, attr string) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Attr = attr
	}
	return err
}

// at names entry i of attribute attr: "dimensions[1]".
//
//go:noinline
func at(attr string, i int) string { return fmt.Sprintf("%s[%d]", attr, i) }

// wantArrays checks that all operands are arrays.
func wantArrays(in *Inputs, label string) error {
	for i := range in.Operands {
		if err := wantArray(in, i, label); err != nil {
			return err
		}
	}
	return nil
}

// wantArray checks that operand i is an array.
func wantArray(in *Inputs, i int, label string) error { return wantType(in, i, arrayTypes, label) }

// wantType checks that operand i is an array with an element type of set.
func wantType(in *Inputs, i int, set typeSet, label string) error {
	s := in.Operands[i]
	if !s.IsArray() {
		return operandErr(i, label, "expected an array, got %v", s)
	}
	if !set.has(s.Type) {
		return operandErr(i, label, "expected element type %s, got %v", set.words, s.Type)
	}
	return nil
}

// wantScalar checks that operand i is an array of rank 0 with an element type of set.
func wantScalar(in *Inputs, i int, set typeSet, label string) error {
	if err := wantType(in, i, set, label); err != nil {
		return err
	}
	if s := in.Operands[i]; s.Rank() != 0 {
		return operandErr(i, label, "expected a scalar, got %v", s)
	}
	return nil
}

// wantToken checks that operand i is a token.
func wantToken(in *Inputs, i int, label string) error {
	if s := in.Operands[i]; !s.IsToken() {
		return operandErr(i, label, "expected a token, got %v", s)
	}
	return nil
}

// wantLen checks the number of entries of an attribute.
func wantLen(attr string, got, want int, label string) error {
	if got != want {
		return attrErr(attr, label, "expected %d entries, got %d", want, got)
	}
	return nil
}

// wantDim checks that the attribute d names one of rank dimensions.
func wantDim(attr string, d, rank int, label string) error {
	if d < 0 || d >= rank {
		return attrErr(attr, label, "%d is not in [0, %d)", d, rank)
	}
	return nil
}

// wantOneDim checks an attribute that is a list of exactly one dimension and returns it.
func wantOneDim(attr string, dims []int, rank int, label string) (int, error) {
	if err := wantLen(attr, len(dims), 1, label); err != nil {
		return 0, err
	}
	return dims[0], wantDim(attr, dims[0], rank, label)
}

// wantDims checks that dims are dimensions of an array of the given rank, each at
// most once. The label rangeLabel is for a dimension out of range, uniqueLabel for
// one that comes twice.
func wantDims(attr string, dims []int, rank int, rangeLabel, uniqueLabel string) error {
	for i, d := range dims {
		if d < 0 || d >= rank {
			return wantDim(at(attr, i), d, rank, rangeLabel)
		}
		if j := slices.Index(dims[:i], d); j >= 0 {
			return attrErr(at(attr, i), uniqueLabel, "%d is there already, at place %d", d, j)
		}
	}
	return nil
}

// wantAscending checks that dims ascend; equal neighbours are left to wantDims.
func wantAscending(attr string, dims []int, label string) error {
	for i := 1; i < len(dims); i++ {
		if dims[i] < dims[i-1] {
			return attrErr(at(attr, i), label, "expected ascending dimensions, got %d after %d", dims[i], dims[i-1])
		}
	}
	return nil
}

// wantSameType checks that operands i and j have one element type; floating-point
// types may differ in precision.
func wantSameType(in *Inputs, i, j int, label string) error {
	a, b := in.Operands[i].Type, in.Operands[j].Type
	if !sameTypeIgnoringPrecision(a, b) {
		return operandErr(j, label, "expected the element type %v of operand %d, got %v", a, i, b)
	}
	return nil
}

// wantSameDims checks that all the operands from..to-1 have the dimensions of operand from.
func wantSameDims(in *Inputs, from, to int, label string) error {
	for i := from + 1; i < to; i++ {
		if a, b := in.Operands[from], in.Operands[i]; !a.SameDims(b) {
			return operandErr(i, label, "expected the dimensions of operand %d, %v, got %v", from, a, b)
		}
	}
	return nil
}

// sameTypeIgnoringPrecision reports whether a and b are equal or both floating-point.
func sameTypeIgnoringPrecision(a, b shape.ElementType) bool {
	return a == b || a.IsFloat() && b.IsFloat()
}

// tupleOf returns the only one of shapes, or the tuple of them.
func tupleOf(shapes []shape.Shape) shape.Shape {
	if len(shapes) == 1 {
		return shapes[0]
	}
	return shape.MakeTuple(shapes...)
}

// elementsOf returns the parts of a result that is one value or a tuple of several.
func elementsOf(s shape.Shape) []shape.Shape {
	if s.IsTuple() {
		return s.Elems
	}
	return []shape.Shape{s}
}

// called returns the signature of called computation i.
func (in *Inputs) called(i int, label string) (shape.Program, error) {
	if i >= len(in.Called) {
		return shape.Program{}, labelErr(label, "expected at least %d called computations, got %d", i+1, len(in.Called))
	}
	return in.Called[i], nil
}

// hasDeclared reports whether a result shape is stated.
func (in *Inputs) hasDeclared() bool { return in.Declared.Type != shape.Invalid }

// agree is the end of a rule whose result follows from operands and attributes
// although text must give it: it returns want with the layouts of the declared
// shape, or an error if that is another shape. Floating-point precision is not compared.
func (in *Inputs) agree(want shape.Shape, label string) (shape.Shape, error) {
	if !in.hasDeclared() {
		return want, nil
	}
	if !want.CompatibleIgnoringFloatPrecision(in.Declared) {
		return shape.Shape{}, labelErr(label, "expected the result shape %v, got %v", want, in.Declared)
	}
	return withLayoutsOf(want, in.Declared), nil
}

// agreeInType is agree for operations that hand data on as it is: the element
// types must be the same.
func (in *Inputs) agreeInType(want shape.Shape, label string) (shape.Shape, error) {
	if in.hasDeclared() && !want.EqualIgnoringLayout(in.Declared) {
		return shape.Shape{}, labelErr(label, "expected the result shape %v, got %v", want, in.Declared)
	}
	return in.agree(want, label)
}

// withLayoutsOf returns s with the layouts of t, a shape of the same structure.
func withLayoutsOf(s, t shape.Shape) shape.Shape {
	s.Layout = t.Layout
	if len(s.Elems) > 0 {
		elems := make([]shape.Shape, len(s.Elems))
		for i, e := range s.Elems {
			elems[i] = withLayoutsOf(e, t.Elems[i])
		}
		s.Elems = elems
	}
	return s
}

// wantDeclared checks that a result shape is stated and is an array.
func wantDeclared(in *Inputs, label string) error {
	if !in.hasDeclared() {
		return labelErr(label, "expected a result shape, got none")
	}
	if !in.Declared.IsArray() {
		return labelErr(label, "expected an array as result shape, got %v", in.Declared)
	}
	return nil
}

// dynamicDims returns which dimensions of s are dynamic, one entry a dimension.
func dynamicDims(s shape.Shape) []bool {
	dynamic := make([]bool, s.Rank())
	for i := range dynamic {
		dynamic[i] = s.IsDynamicDim(i)
	}
	return dynamic
}
