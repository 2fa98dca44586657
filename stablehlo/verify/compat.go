package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// compatibleDim reports whether two sizes are equal or one of them is not known.
func compatibleDim(a, b int64) bool {
	return a == b || a == stablehlo.Dynamic || b == stablehlo.Dynamic
}

// compatibleDims reports whether two shapes have one rank and compatible sizes.
func compatibleDims(a, b []int64) bool {
	return slices.EqualFunc(a, b, compatibleDim)
}

// compatibleShape reports whether two tensors have compatible sizes, not looking at
// bounds. A tensor without a rank is compatible with any.
func compatibleShape(a, b stablehlo.Type) bool {
	x, ok1 := a.(*stablehlo.TensorType)
	y, ok2 := b.(*stablehlo.TensorType)
	if !ok1 || !ok2 {
		return shaped(a) && shaped(b)
	}
	return compatibleDims(x.Dims, y.Dims)
}

// shaped reports whether t is a tensor, ranked or not.
func shaped(t stablehlo.Type) bool { return elementOf(t) != nil }

// elementOf returns the element type of a tensor, nil for another type.
func elementOf(t stablehlo.Type) stablehlo.Type {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		return t.Elem
	case *stablehlo.UnrankedTensorType:
		return t.Elem
	}
	return nil
}

// compatibleElem reports whether element types are equal, or quantized in the same
// manner with other scales and zero points.
func compatibleElem(a, b stablehlo.Type) bool {
	p, q := quantized(a), quantized(b)
	if p == nil || q == nil {
		return stablehlo.SameType(a, b)
	}
	return p.Storage == q.Storage && p.StorageMin == q.StorageMin && p.StorageMax == q.StorageMax &&
		stablehlo.SameType(p.Expressed, q.Expressed) && p.IsPerAxis() == q.IsPerAxis()
}

// compatible reports whether a value of one type may be one of the other: sizes are
// compatible and within the bounds of the other, elements are compatible.
func compatible(a, b stablehlo.Type) bool {
	ea, eb := elementOf(a), elementOf(b)
	if ea == nil || eb == nil {
		return stablehlo.SameType(a, b)
	}
	return compatibleShape(a, b) && withinBounds(a, b) && withinBounds(b, a) && compatibleElem(ea, eb)
}

// withinBounds reports whether the known sizes of a are within the bounds of b.
func withinBounds(a, b stablehlo.Type) bool {
	x, ok1 := a.(*stablehlo.TensorType)
	y, ok2 := b.(*stablehlo.TensorType)
	if !ok1 || !ok2 {
		return true
	}
	for i, bound := range y.Bounds() {
		if bound != stablehlo.Dynamic && i < x.Rank() && x.Dims[i] > bound {
			return false
		}
	}
	return true
}

// compatibleAll reports whether lists of types are compatible one by one.
func compatibleAll(a, b []stablehlo.Type) bool { return slices.EqualFunc(a, b, compatible) }

// sameElem reports whether all types are tensors of one element type. With loose,
// floating-point types of any precision are one.
func sameElem(loose bool, types ...stablehlo.Type) bool {
	for _, t := range types[1:] {
		a, b := elementOf(types[0]), elementOf(t)
		if loose && isFloat(a) && isFloat(b) {
			continue
		}
		if a == nil || b == nil || !stablehlo.SameType(a, b) {
			return false
		}
	}
	return true
}

// promotable reports whether elements of type a can be those of type b: both are
// integers, floating-point, complex or quantized numbers, and b is at least as wide.
// Floating-point types of any precision are promotable to each other.
func promotable(a, b stablehlo.Type) bool {
	switch a := a.(type) {
	case stablehlo.IntegerType:
		b, ok := b.(stablehlo.IntegerType)
		return ok && a.Width <= b.Width
	case stablehlo.FloatType:
		_, ok := b.(stablehlo.FloatType)
		return ok
	case *stablehlo.ComplexType:
		b, ok := b.(*stablehlo.ComplexType)
		return ok && bits(a) <= bits(b)
	case *stablehlo.QuantizedType:
		b, ok := b.(*stablehlo.QuantizedType)
		return ok && stablehlo.SameType(a.Expressed, b.Expressed) && a.Storage.Width <= b.Storage.Width
	}
	return false
}

// traits checks the traits of the row.
func (c *check) traits() error {
	operands, results := valueTypes(c.op.Operands), valueTypes(c.op.Results)
	all := append(slices.Clone(operands), results...)
	for _, name := range c.rule.traits {
		t := traitTable[name]
		types := all
		if t.operands {
			types = operands
		}
		if t.pairs {
			if len(operands) != len(results) {
				return c.errorf("", "", "expected as many results as operands, %d, got %d", len(operands), len(results))
			}
			for i := range operands {
				if !t.holds(operands[i], results[i]) {
					return c.errorf("", "", "expected %s, got %v and %v", t.want, operands[i], results[i])
				}
			}
			continue
		}
		for i, a := range types {
			for _, b := range types[:i] {
				if !t.holds(b, a) {
					return c.errorf("", "", "expected %s, got %v and %v", t.want, b, a)
				}
			}
		}
	}
	return nil
}

// trait is what the types of an operation have in common.
type trait struct {
	want     string
	holds    func(a, b stablehlo.Type) bool
	operands bool // of the operands only
	pairs    bool // operand i and result i
}

// traitTable holds the traits by their name in rules.txt.
var traitTable = map[string]trait{
	"shape":   {want: "compatible shapes of all operands and results", holds: compatibleShape},
	"elems":   {want: "compatible element types of all operands and results", holds: compatibleElems},
	"inelems": {want: "compatible element types of all operands", holds: compatibleElems, operands: true},
	"same":    {want: "one element type for all operands and results", holds: equalElems},
	"samein":  {want: "one element type for all operands", holds: equalElems, operands: true},
	"compat":  {want: "compatible types of all operands and results", holds: compatible},
	"pair":    {want: "one type for an operand and its result", holds: stablehlo.SameType, pairs: true},
	"intypes": {want: "one type for all operands", holds: stablehlo.SameType, operands: true},
}

func compatibleElems(a, b stablehlo.Type) bool {
	x, y := elementOf(a), elementOf(b)
	return x != nil && y != nil && compatibleElem(x, y)
}

func equalElems(a, b stablehlo.Type) bool { return sameElem(false, a, b) }
