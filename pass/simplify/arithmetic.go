package simplify

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// arithmetic is about sums and signs.
var arithmetic = Family{Name: "arithmetic", Doc: "Add, subtract, negate, abs, sign.", Rules: []Rule{
	arith("add-zero", "x + 0 -> x; for floats x + -0", addZero, op.Add),
	arith("add-negate", "x + -y -> x - y", addNegate, op.Add),
	arith("add-constants", "(x + a) - b -> x + (a - b), integers", addConstants, op.Add, op.Subtract),
	arith("add-cancel", "(x - y) + y -> x, integers", addCancel, op.Add),
	arith("add-factor", "x*c + y*c -> (x + y)*c, also for -; integers", addFactor, op.Add, op.Subtract),
	arith("subtract-zero", "x - 0 -> x", subtractZero, op.Subtract),
	arith("subtract-self", "x - x -> 0, integers", subtractSelf, op.Subtract),
	arith("subtract-negate", "x - -y -> x + y", subtractNegate, op.Subtract),
	arith("subtract-cancel", "(x + y) - y -> x, x - (x - y) -> y; integers", subtractCancel, op.Subtract),
	arith("zero-subtract", "0 - x -> -x; for floats -0 - x", zeroSubtract, op.Subtract),
	arith("negate-negate", "--x -> x", negateNegate, op.Negate),
	arith("negate-subtract", "-(x - y) -> y - x, integers", negateSubtract, op.Negate),
	arith("negate-multiply", "-(x*c) -> x*-c", negateMultiply, op.Negate),
	arith("abs-abs", "|(|x|)| -> |x|, |-x| -> |x|", absAbs, op.Abs),
	arith("abs-nonnegative", "|x| -> x where x is known not to be below +0", absNonNegative, op.Abs),
	arith("sign-sign", "sign(sign(x)) -> sign(x)", signSign, op.Sign),
}}

// isAddZero reports whether x + c is x for every x: of the zeros of floats only -0 keeps -0.
func isAddZero(c literal.Literal) bool {
	if c.Type().IsComplex() {
		v := c.ComplexAt(0)
		return real(v) == 0 && imag(v) == 0 && math.Signbit(real(v)) && math.Signbit(imag(v))
	}
	return isInt(c, 0) || isFloat(c, math.Copysign(0, -1))
}

func addZero(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if isAddZero(c) {
			return x
		}
		return nil
	})
}

func addNegate(i *hlo.Instruction) *hlo.Instruction {
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		if !is(y, op.Negate) {
			return nil
		}
		return like(i, op.Subtract, x, y.Operand(0))
	})
}

// addConstants sums the constants of two nested sums or differences.
func addConstants(i *hlo.Instruction) *hlo.Instruction {
	if !i.Type().IsInteger() {
		return nil
	}
	return withConstant(i, func(inner *hlo.Instruction, b literal.Literal) *hlo.Instruction {
		if !is(inner, op.Add, op.Subtract) {
			return nil
		}
		return withConstant(inner, func(x *hlo.Instruction, a literal.Literal) *hlo.Instruction {
			if isConstant(x) {
				return nil
			}
			sum := signed(inner, a) + signed(i, b)
			return like(i, op.Add, x, fillLike(i, number(i.Type(), sum)))
		})
	})
}

// signed returns what sum adds by its constant c.
func signed(sum *hlo.Instruction, c literal.Literal) int64 {
	if is(sum, op.Subtract) {
		return -c.IntAt(0)
	}
	return c.IntAt(0)
}

func addCancel(i *hlo.Instruction) *hlo.Instruction {
	if !i.Type().IsInteger() {
		return nil
	}
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		if is(x, op.Subtract) && x.Operand(1) == y {
			return x.Operand(0)
		}
		return nil
	})
}

// addFactor saves a multiplication, if nothing else needs the two products.
func addFactor(i *hlo.Instruction) *hlo.Instruction {
	p, q := i.Operand(0), i.Operand(1)
	if !i.Type().IsInteger() || !is(p, op.Multiply) || !is(q, op.Multiply) || p == q || !oneUser(p) || !oneUser(q) {
		return nil
	}
	return either(p, func(x, c *hlo.Instruction) *hlo.Instruction {
		return either(q, func(y, d *hlo.Instruction) *hlo.Instruction {
			if c != d {
				return nil
			}
			return like(i, op.Multiply, like(i, i.Code(), x, y), c)
		})
	})
}

func subtractZero(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if isValue(c, 0) || c.Type().IsComplex() && isPlusZero(c.ComplexAt(0)) {
			return x
		}
		return nil
	})
}

// isPlusZero reports whether both parts of v are +0.
func isPlusZero(v complex128) bool {
	return math.Float64bits(real(v))|math.Float64bits(imag(v)) == 0
}

func subtractSelf(i *hlo.Instruction) *hlo.Instruction {
	if !i.Type().IsInteger() || i.Operand(0) != i.Operand(1) {
		return nil
	}
	return fillLike(i, number(i.Type(), 0))
}

func subtractNegate(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(1), op.Negate) {
		return nil
	}
	return like(i, op.Add, i.Operand(0), i.Operand(1).Operand(0))
}

func subtractCancel(i *hlo.Instruction) *hlo.Instruction {
	x, y := i.Operand(0), i.Operand(1)
	switch {
	case !i.Type().IsInteger():
	case is(x, op.Add) && x.Operand(1) == y:
		return x.Operand(0)
	case is(x, op.Add) && x.Operand(0) == y:
		return x.Operand(1)
	case is(y, op.Subtract) && y.Operand(0) == x:
		return y.Operand(1)
	}
	return nil
}

func zeroSubtract(i *hlo.Instruction) *hlo.Instruction {
	c, ok := splat(i.Operand(0))
	if !ok || !isAddZero(c) {
		return nil
	}
	return like(i, op.Negate, i.Operand(1))
}

func negateNegate(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(0), op.Negate) {
		return nil
	}
	return i.Operand(0).Operand(0)
}

func negateSubtract(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !i.Type().IsInteger() || !is(x, op.Subtract) {
		return nil
	}
	return like(i, op.Subtract, x.Operand(1), x.Operand(0))
}

// negateMultiply also takes quotients of floats.
func negateMultiply(i *hlo.Instruction) *hlo.Instruction {
	x, t := i.Operand(0), i.Type()
	if !is(x, op.Multiply) && !(is(x, op.Divide) && ieee(t)) {
		return nil
	}
	if !uniformTypes(x) {
		return nil
	}
	return withConstant(x, func(y *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		n, ok := negated(c)
		if !ok {
			return nil
		}
		return like(i, x.Code(), y, fillLike(i, n))
	})
}

// negated returns -c for an integer or an ieee float.
func negated(c literal.Literal) (literal.Literal, bool) {
	t := c.Type()
	n := literal.Zero(t)
	switch {
	case t.IsInteger():
		n.SetInt(0, -c.IntAt(0))
	case ieee(t):
		n.SetFloat(0, -c.FloatAt(0))
	default:
		return n, false
	}
	return n, true
}

func absAbs(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	switch {
	case is(x, op.Abs):
		return x
	case is(x, op.Negate):
		return like(i, op.Abs, x.Operand(0))
	}
	return nil
}

func absNonNegative(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if _, ok := bound(x); ok || nonNegative(x) {
		return x
	}
	return nil
}

// nonNegative reports whether the floats of x are +0 and above, or NaN.
func nonNegative(x *hlo.Instruction) bool {
	if !ieee(x.Type()) {
		return false
	}
	switch x.Code() {
	case op.Exponential, op.Iota:
		return true
	case op.Multiply:
		return x.Operand(0) == x.Operand(1)
	case op.Convert:
		t := x.Operand(0).Type()
		return t.IsUnsigned() || t.IsInteger() && nonNegativeOperand(x)
	}
	return false
}

func nonNegativeOperand(x *hlo.Instruction) bool {
	_, ok := bound(x.Operand(0))
	return ok
}

func signSign(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(0), op.Sign) || i.Type().IsComplex() {
		return nil
	}
	return i.Operand(0)
}
