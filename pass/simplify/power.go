package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// powers is about power and the rounding functions.
var powers = Family{Name: "power", Doc: "Power, rounding, is-finite.", Rules: []Rule{
	arith("power-zero", "x^0 -> 1, NaN^0 too", powerZero, op.Power),
	arith("power-one", "x^1 -> x", powerOne, op.Power),
	arith("power-two", "x^2 -> x*x", powerTwo, op.Power),
	arith("power-minus-one", "x^-1 -> 1/x, floats", powerMinusOne, op.Power),
	arith("power-of-one", "1^x -> 1, 1^NaN too", powerOfOne, op.Power),
	arith("round-round", "floor(ceil(x)) -> ceil(x), for any two rounding functions and for floats that were integers",
		roundRound, op.Floor, op.Ceil, op.RoundNearestAfz, op.RoundNearestEven),
	rule("is-finite-sign", "is-finite(-x) -> is-finite(x), is-finite(|x|) -> is-finite(x)", isFiniteSign, op.IsFinite),
	rule("is-finite-integer", "is-finite(convert(x)) -> true where x is an integer within range",
		isFiniteInteger, op.IsFinite),
}}

// exponent returns what the exponents of a power of reals consist of.
func exponent(i *hlo.Instruction) (literal.Literal, bool) {
	t := i.Type()
	if !ieee(t) && !t.IsInteger() || t.Bits() < 4 {
		return literal.Literal{}, false
	}
	return splat(i.Operand(1))
}

func powerZero(i *hlo.Instruction) *hlo.Instruction {
	c, ok := exponent(i)
	if !ok || !isInt(c, 0) && !(ieee(c.Type()) && c.FloatAt(0) == 0) {
		return nil
	}
	return fillLike(i, literal.One(c.Type()))
}

func powerOne(i *hlo.Instruction) *hlo.Instruction {
	if c, ok := exponent(i); ok && isValue(c, 1) {
		return i.Operand(0)
	}
	return nil
}

func powerTwo(i *hlo.Instruction) *hlo.Instruction {
	if c, ok := exponent(i); ok && isValue(c, 2) {
		return like(i, op.Multiply, i.Operand(0), i.Operand(0))
	}
	return nil
}

func powerMinusOne(i *hlo.Instruction) *hlo.Instruction {
	if c, ok := exponent(i); ok && isFloat(c, -1) {
		return like(i, op.Divide, fillLike(i, literal.One(c.Type())), i.Operand(0))
	}
	return nil
}

func powerOfOne(i *hlo.Instruction) *hlo.Instruction {
	c, ok := splat(i.Operand(0))
	if t := i.Type(); !ok || t == shape.Pred || t.Bits() < 4 || !isValue(c, 1) {
		return nil
	}
	return fillLike(i, c)
}

func roundRound(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if is(x, op.Floor, op.Ceil, op.RoundNearestAfz, op.RoundNearestEven) {
		return x
	}
	if is(x, op.Convert) && integral(x.Operand(0).Type()) {
		return x
	}
	return nil
}

func isFiniteSign(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Negate, op.Abs) || !ieee(x.Type()) || x.Operand(0).Type() != x.Type() {
		return nil
	}
	return like(i, op.IsFinite, x.Operand(0))
}

// isFiniteInteger: an integer becomes infinite only beyond the largest finite value.
func isFiniteInteger(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Convert) || !ieee(x.Type()) {
		return nil
	}
	f, _ := literal.FloatFormat(x.Type())
	from := x.Operand(0).Type()
	if !integral(from) || from.IsInteger() && float64(highest(from))+1 > f.MaxFinite {
		return nil
	}
	return truth(i, true)
}
