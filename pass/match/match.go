// Package match recognises what called computations and windows mean: that a reducer is a sum
// or an argmax, a comparator an order, a window that of a cumulative sum. The compiler has
// algorithms for these that the general form does not allow; what is not recognised runs in that.
package match

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Kind is what a function of two values computes.
type Kind uint8

// The kinds. And, Or and Xor are bitwise; maximum and minimum propagate NaN, as the operations do.
const (
	None Kind = iota
	Sum
	Product
	Max
	Min
	And
	Or
	Xor
	First  // the first operand, whatever the second is
	Second // the second operand: in a scatter, the update
)

var kindNames = [...]string{"none", "sum", "product", "max", "min", "and", "or", "xor", "first", "second"}

// String returns the kind in a word.
func (k Kind) String() string { return kindNames[k] }

// kinds are those of the operations.
var kinds = [op.NumCodes]Kind{op.Add: Sum, op.Multiply: Product, op.Maximum: Max, op.Minimum: Min, op.And: And,
	op.Or: Or, op.Xor: Xor}

// Code returns the operation that k is, op.Invalid for First and Second.
func (k Kind) Code() op.Code {
	for c, kind := range kinds {
		if kind == k && k != None {
			return op.Code(c)
		}
	}
	return op.Invalid
}

// Reducer returns what c, of two scalars of one type, computes of them; ok is false if
// it is none of the kinds. The arithmetic may be done in a wider floating-point type, to which
// and from which the values are converted: that is how a type without arithmetic of its own is handled.
func Reducer(c *hlo.Computation) (k Kind, ok bool) {
	params := c.Params()
	if len(params) != 2 || params[0] == nil || !sameScalar(params[0], params[1]) || !sameScalar(c.Root(), params[0]) {
		return None, false
	}
	k = kindOf(c.Root(), params[0], params[1])
	return k, k != None && k != First && k != Second
}

// ScatterCombiner is Reducer of an operation that may also keep the old value or put the
// new one in its place. A computation of several pairs is recognised where it does that with each.
func ScatterCombiner(c *hlo.Computation) (k Kind, ok bool) {
	params := c.Params()
	n := len(params) / 2
	if n == 0 || len(params)%2 != 0 {
		return None, false
	}
	roots := []*hlo.Instruction{c.Root()}
	if c.Root().Code() == op.Tuple {
		roots = c.Root().Operands()
	}
	if len(roots) != n {
		return None, false
	}
	for i, root := range roots {
		if params[i] == nil || params[n+i] == nil || !sameScalar(params[i], params[n+i]) || !sameScalar(root, params[i]) {
			return None, false
		}
		each := kindOf(root, params[i], params[n+i])
		if each == None || i > 0 && each != k {
			return None, false
		}
		k = each
	}
	return k, true
}

// sameScalar reports whether a and b are scalars of one type.
func sameScalar(a, b *hlo.Instruction) bool {
	return a.IsScalar() && b.IsScalar() && a.Type() == b.Type()
}

// kindOf returns what root computes of a and b.
func kindOf(root, a, b *hlo.Instruction) Kind {
	switch {
	case root == a:
		return First
	case root == b:
		return Second
	}
	narrow := func(i *hlo.Instruction) *hlo.Instruction { return i }
	if t := root.Type(); root.Code() == op.Convert && widens(t, root.Operand(0).Type()) {
		root = root.Operand(0)
		wide := root.Type()
		narrow = func(i *hlo.Instruction) *hlo.Instruction {
			if i.Code() == op.Convert && i.Type() == wide && i.Operand(0).Type() == t {
				return i.Operand(0)
			}
			return nil
		}
	}
	k := kinds[root.Code()]
	if k == None {
		return None
	}
	x, y := narrow(root.Operand(0)), narrow(root.Operand(1))
	if x == a && y == b || x == b && y == a {
		return k
	}
	return None
}

// widens reports whether the float type wide has every value of narrow, and enough digits that
// one operation in it, rounded to narrow, is the operation in narrow.
func widens(narrow, wide shape.ElementType) bool {
	n, ok := literal.FloatFormat(narrow)
	w, okw := literal.FloatFormat(wide)
	return ok && okw && w.MantissaBits > 2*n.MantissaBits+2 && w.ExponentBits >= n.ExponentBits
}

// IsIdentity reports whether the scalar v changes nothing where it is combined with a value
// of its type by k. Of a sum both zeros are taken for it: 0 differs from -0 only in a sum of nothing but -0.
func IsIdentity(k Kind, v literal.Literal) bool {
	t := v.Type()
	switch k {
	case Sum:
		return t != shape.Pred && v.ComplexAt(0) == 0
	case Product:
		return v.ComplexAt(0) == 1
	case Max:
		return isExtreme(v, literal.MinValue)
	case Min:
		return isExtreme(v, literal.MaxValue)
	case Or, Xor:
		return !t.IsFloat() && !t.IsComplex() && v.IntAt(0) == 0
	case And:
		return t == shape.Pred && v.BoolAt(0) || t.IsInteger() && isAllOnes(v)
	}
	return false
}

func isExtreme(v literal.Literal, extreme func(shape.ElementType) (literal.Literal, error)) bool {
	e, err := extreme(v.Type())
	return err == nil && literal.Equal(e, v.RowMajor())
}

func isAllOnes(v literal.Literal) bool {
	return v.BitsAt(0) == math.MaxUint64>>(64-v.Type().Bits())
}
