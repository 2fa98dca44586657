package simplify

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// products is about multiply, divide and remainder.
var products = Family{Name: "product", Doc: "Multiply, divide, remainder.", Rules: []Rule{
	arith("multiply-one", "x*1 -> x", multiplyOne, op.Multiply),
	arith("multiply-zero", "x*0 -> 0, integers and pred", multiplyZero, op.Multiply),
	arith("multiply-minus-one", "x*-1 -> -x", multiplyMinusOne, op.Multiply),
	arith("multiply-negates", "-x*-y -> x*y, also of floats x/y", multiplyNegates, op.Multiply, op.Divide),
	arith("multiply-negate", "-x*c -> x*-c", multiplyNegate, op.Multiply),
	arith("multiply-abs", "|x|*|x| -> x*x", multiplyAbs, op.Multiply),
	arith("multiply-constants", "(x*a)*b -> x*(a*b), integers", multiplyConstants, op.Multiply),
	arith("multiply-pred", "x*convert(p) -> select(p, x, 0), integers", multiplyPred, op.Multiply),
	arith("multiply-power-of-two", "x*2^k -> x << k, integers", multiplyPowerOfTwo, op.Multiply),
	arith("divide-one", "x/1 -> x", divideOne, op.Divide),
	arith("divide-minus-one", "x/-1 -> -x", divideMinusOne, op.Divide),
	arith("divide-reciprocal", "x/2^k -> x*2^-k, floats", divideReciprocal, op.Divide),
	arith("divide-constants", "(x/a)/b -> x/(a*b), integers, a*b in range", divideConstants, op.Divide),
	arith("divide-small", "x/c -> 0 where 0 <= x < c is known, integers", divideSmall, op.Divide),
	arith("divide-unsigned-power-of-two", "x/2^k -> x >> k", divideUnsigned, op.Divide),
	arith("divide-signed-power-of-two", "x/2^k -> (x + (x < 0 ? 2^k-1 : 0)) >> k", divideSigned, op.Divide),
	arith("remainder-one", "x%1 -> 0, x%-1 -> 0; integers", remainderOne, op.Remainder),
	arith("remainder-remainder", "(x%y)%y -> x%y", remainderRemainder, op.Remainder),
	arith("remainder-small", "x%c -> x where 0 <= x < c is known, integers", remainderSmall, op.Remainder),
	arith("remainder-unsigned-power-of-two", "x%2^k -> x & (2^k-1)", remainderUnsigned, op.Remainder),
	arith("remainder-signed-power-of-two", "x%2^k -> x - (biased x & -2^k)", remainderSigned, op.Remainder),
}}

func multiplyOne(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if isValue(c, 1) {
			return x
		}
		return nil
	})
}

func multiplyZero(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(_ *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if !isInt(c, 0) {
			return nil
		}
		return fillLike(i, c)
	})
}

// isMinusOne reports whether c is -1; in types of one bit that is 1, which keeps x.
func isMinusOne(c literal.Literal) bool {
	return c.Type() != shape.Pred && c.Type().Bits() > 1 && isValue(c, -1)
}

func multiplyMinusOne(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if !isMinusOne(c) {
			return nil
		}
		return like(i, op.Negate, x)
	})
}

func multiplyNegates(i *hlo.Instruction) *hlo.Instruction {
	x, y, t := i.Operand(0), i.Operand(1), i.Type()
	if !is(x, op.Negate) || !is(y, op.Negate) || t.IsComplex() || is(i, op.Divide) && !ieee(t) {
		return nil
	}
	return like(i, i.Code(), x.Operand(0), y.Operand(0))
}

func multiplyNegate(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		n, ok := negated(c)
		if !ok || !is(x, op.Negate) {
			return nil
		}
		return like(i, op.Multiply, x.Operand(0), fillLike(i, n))
	})
}

func multiplyAbs(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if x != i.Operand(1) || !is(x, op.Abs) || !uniformTypes(x) {
		return nil
	}
	return like(i, op.Multiply, x.Operand(0), x.Operand(0))
}

func multiplyConstants(i *hlo.Instruction) *hlo.Instruction {
	if !i.Type().IsInteger() {
		return nil
	}
	return withConstant(i, func(inner *hlo.Instruction, b literal.Literal) *hlo.Instruction {
		if !is(inner, op.Multiply) {
			return nil
		}
		return withConstant(inner, func(x *hlo.Instruction, a literal.Literal) *hlo.Instruction {
			if isConstant(x) {
				return nil
			}
			return like(i, op.Multiply, x, fillLike(i, number(i.Type(), a.IntAt(0)*b.IntAt(0))))
		})
	})
}

func multiplyPred(i *hlo.Instruction) *hlo.Instruction {
	if !i.Type().IsInteger() {
		return nil
	}
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		if !is(y, op.Convert) || y.Operand(0).Type() != shape.Pred {
			return nil
		}
		return like(i, op.Select, y.Operand(0), x, fillLike(i, number(i.Type(), 0)))
	})
}

func multiplyPowerOfTwo(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		k, ok := powerOfTwo(c)
		if !ok || k == 0 || isConstant(x) {
			return nil
		}
		return like(i, op.ShiftLeft, x, places(i, k))
	})
}

// places emits the number of places of a shift, an array like i.
func places(i *hlo.Instruction, k int) *hlo.Instruction {
	return fillLike(i, number(i.Type(), int64(k)))
}

func divideOne(i *hlo.Instruction) *hlo.Instruction {
	return multiplyOne(i)
}

func divideMinusOne(i *hlo.Instruction) *hlo.Instruction {
	if i.Type().IsUnsigned() {
		return nil
	}
	return multiplyMinusOne(i)
}

// divideReciprocal: where divisor and reciprocal are both powers of two, quotient and
// product round the same number.
func divideReciprocal(i *hlo.Instruction) *hlo.Instruction {
	t := i.Type()
	c, ok := splat(i.Operand(1))
	if !ok || !ieee(t) {
		return nil
	}
	v := c.FloatAt(0)
	f, _ := literal.FloatFormat(t)
	mantissa, _ := math.Frexp(v)
	if r := math.Abs(1 / v); math.Abs(mantissa) != 0.5 || r == 1 || !(f.MinNormal <= r && r <= f.MaxFinite) {
		return nil
	}
	l := literal.Zero(t)
	l.SetFloat(0, 1/v)
	return like(i, op.Multiply, i.Operand(0), fillLike(i, l))
}

func divideConstants(i *hlo.Instruction) *hlo.Instruction {
	b, ok := splat(i.Operand(1))
	inner := i.Operand(0)
	if !ok || !is(inner, op.Divide) || !i.Type().IsInteger() {
		return nil
	}
	a, ok := splat(inner.Operand(1))
	if !ok || a.IntAt(0) <= 0 || b.IntAt(0) <= 0 || a.IntAt(0) > highest(i.Type())/b.IntAt(0) {
		return nil
	}
	return like(i, op.Divide, inner.Operand(0), fillLike(i, number(i.Type(), a.IntAt(0)*b.IntAt(0))))
}

// below reports whether all elements of the first operand of i are known to be in [0, c),
// where c is what the second consists of.
func below(i *hlo.Instruction) bool {
	if !i.Type().IsInteger() || isConstant(i.Operand(0)) {
		return false
	}
	most, ok := bound(i.Operand(0))
	c, also := splat(i.Operand(1))
	if !ok || !also {
		return false
	}
	v, ok := nonNegativeInt(c)
	return ok && most < v
}

func divideSmall(i *hlo.Instruction) *hlo.Instruction {
	if !below(i) {
		return nil
	}
	return fillLike(i, number(i.Type(), 0))
}

func remainderSmall(i *hlo.Instruction) *hlo.Instruction {
	if !below(i) {
		return nil
	}
	return i.Operand(0)
}

// byPowerOfTwo returns k where the second operand consists of 2^k and k is not 0.
func byPowerOfTwo(i *hlo.Instruction, unsigned bool) (k int, ok bool) {
	c, ok := splat(i.Operand(1))
	if !ok || i.Type().IsUnsigned() != unsigned {
		return 0, false
	}
	k, ok = powerOfTwo(c)
	return k, ok && k > 0
}

func divideUnsigned(i *hlo.Instruction) *hlo.Instruction {
	k, ok := byPowerOfTwo(i, true)
	if !ok {
		return nil
	}
	return like(i, op.ShiftRightLogical, i.Operand(0), places(i, k))
}

func remainderUnsigned(i *hlo.Instruction) *hlo.Instruction {
	k, ok := byPowerOfTwo(i, true)
	if !ok {
		return nil
	}
	return like(i, op.And, i.Operand(0), fillLike(i, bitsOf(i.Type(), 1<<k-1)))
}

// biased emits x, or x + 2^k - 1 for negative x: shifted by k places that is x/2^k
// rounded towards zero.
func biased(i *hlo.Instruction, k int) *hlo.Instruction {
	x, width := i.Operand(0), i.Type().Bits()
	sign := like(i, op.ShiftRightArithmetic, x, places(i, width-1))
	return like(i, op.Add, x, like(i, op.ShiftRightLogical, sign, places(i, width-k)))
}

func divideSigned(i *hlo.Instruction) *hlo.Instruction {
	k, ok := byPowerOfTwo(i, false)
	if !ok || i.Type().Bits() < 8 {
		return nil
	}
	return like(i, op.ShiftRightArithmetic, biased(i, k), places(i, k))
}

func remainderSigned(i *hlo.Instruction) *hlo.Instruction {
	k, ok := byPowerOfTwo(i, false)
	if !ok || i.Type().Bits() < 8 {
		return nil
	}
	multiple := like(i, op.And, biased(i, k), fillLike(i, bitsOf(i.Type(), ^uint64(0)<<k)))
	return like(i, op.Subtract, i.Operand(0), multiple)
}

func remainderOne(i *hlo.Instruction) *hlo.Instruction {
	c, ok := splat(i.Operand(1))
	if !ok || !isInt(c, 1) && !(isInt(c, -1) && c.Type().IsSigned()) {
		return nil
	}
	return fillLike(i, number(i.Type(), 0))
}

func remainderRemainder(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Remainder) || x.Operand(1) != i.Operand(1) || !uniformTypes(x) {
		return nil
	}
	return x
}
