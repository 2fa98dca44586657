package simplify

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// bitLogic is about logic on integers and preds, and about shifts.
var bitLogic = Family{Name: "bits", Doc: "And, or, xor, not, shifts.", Rules: []Rule{
	arith("and-self", "x & x -> x, x | x -> x", andSelf, op.And, op.Or),
	arith("and-zero", "x & 0 -> 0", andZero, op.And),
	arith("and-ones", "x & ~0 -> x", andOnes, op.And),
	arith("or-zero", "x | 0 -> x, x ^ 0 -> x", orZero, op.Or, op.Xor),
	arith("or-ones", "x | ~0 -> ~0", orOnes, op.Or),
	arith("xor-self", "x ^ x -> 0", xorSelf, op.Xor),
	arith("xor-ones", "x ^ ~0 -> ~x", xorOnes, op.Xor),
	arith("xor-cancel", "(x ^ y) ^ y -> x", xorCancel, op.Xor),
	arith("xor-not", "~x ^ ~y -> x ^ y", xorNot, op.Xor),
	arith("not-not", "~~x -> x", notNot, op.Not),
	arith("and-not-self", "x & ~x -> 0, x | ~x -> ~0, x ^ ~x -> ~0", andNotSelf, op.And, op.Or, op.Xor),
	arith("and-absorb", "x & (x | y) -> x, x | (x & y) -> x", andAbsorb, op.And, op.Or),
	arith("and-nested", "(x & y) & y -> x & y, (x | y) | y -> x | y", andNested, op.And, op.Or),
	arith("de-morgan", "~x & ~y -> ~(x | y), ~x | ~y -> ~(x & y)", deMorgan, op.And, op.Or),
	arith("bits-constants", "(x & a) & b -> x & (a & b), also for | and ^", bitsConstants, op.And, op.Or, op.Xor),
	arith("shift-zero", "x << 0 -> x, for every shift",
		shiftZero, op.ShiftLeft, op.ShiftRightLogical, op.ShiftRightArithmetic),
	arith("zero-shift", "0 << x -> 0, for every shift",
		zeroShift, op.ShiftLeft, op.ShiftRightLogical, op.ShiftRightArithmetic),
	arith("shift-out", "x << c -> 0, x >> c -> its sign; c at least the width",
		shiftOut, op.ShiftLeft, op.ShiftRightLogical, op.ShiftRightArithmetic),
	arith("shift-away", "x >> c -> 0, where no element of x has a bit that stays",
		shiftAway, op.ShiftRightLogical, op.ShiftRightArithmetic),
	arith("shift-shift", "(x << a) << b -> x << (a + b), for every shift",
		shiftShift, op.ShiftLeft, op.ShiftRightLogical, op.ShiftRightArithmetic),
	arith("shift-back", "(x << c) >> c -> x & mask, (x >> c) << c -> x & mask; logical >>",
		shiftBack, op.ShiftLeft, op.ShiftRightLogical),
}}

func andSelf(i *hlo.Instruction) *hlo.Instruction {
	if i.Operand(0) != i.Operand(1) {
		return nil
	}
	return i.Operand(0)
}

// whereConstant returns the operand beside a constant for which test holds.
func whereConstant(i *hlo.Instruction, test func(literal.Literal) bool) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if test(c) {
			return x
		}
		return nil
	})
}

func isZero(c literal.Literal) bool { return isInt(c, 0) }

func andZero(i *hlo.Instruction) *hlo.Instruction {
	if whereConstant(i, isZero) == nil {
		return nil
	}
	return fillLike(i, literal.Zero(i.Type()))
}

func andOnes(i *hlo.Instruction) *hlo.Instruction { return whereConstant(i, allOnes) }

func orZero(i *hlo.Instruction) *hlo.Instruction { return whereConstant(i, isZero) }

func orOnes(i *hlo.Instruction) *hlo.Instruction {
	if whereConstant(i, allOnes) == nil {
		return nil
	}
	return fillLike(i, ones(i.Type()))
}

// ones returns the scalar with all bits set.
func ones(t shape.ElementType) literal.Literal { return number(t, -1) }

func xorSelf(i *hlo.Instruction) *hlo.Instruction {
	if i.Operand(0) != i.Operand(1) {
		return nil
	}
	return fillLike(i, literal.Zero(i.Type()))
}

func xorOnes(i *hlo.Instruction) *hlo.Instruction {
	x := whereConstant(i, allOnes)
	if x == nil {
		return nil
	}
	return like(i, op.Not, x)
}

func xorCancel(i *hlo.Instruction) *hlo.Instruction {
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		switch {
		case !is(x, op.Xor):
			return nil
		case x.Operand(0) == y:
			return x.Operand(1)
		case x.Operand(1) == y:
			return x.Operand(0)
		}
		return nil
	})
}

func xorNot(i *hlo.Instruction) *hlo.Instruction {
	x, y := i.Operand(0), i.Operand(1)
	if !is(x, op.Not) || !is(y, op.Not) {
		return nil
	}
	return like(i, op.Xor, x.Operand(0), y.Operand(0))
}

func notNot(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(0), op.Not) {
		return nil
	}
	return i.Operand(0).Operand(0)
}

func andNotSelf(i *hlo.Instruction) *hlo.Instruction {
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		switch {
		case !is(y, op.Not) || y.Operand(0) != x:
			return nil
		case is(i, op.And):
			return fillLike(i, literal.Zero(i.Type()))
		}
		return fillLike(i, ones(i.Type()))
	})
}

// dual returns the other of and and or.
func dual(c op.Code) op.Code {
	if c == op.And {
		return op.Or
	}
	return op.And
}

func andAbsorb(i *hlo.Instruction) *hlo.Instruction {
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		if is(y, dual(i.Code())) && (y.Operand(0) == x || y.Operand(1) == x) {
			return x
		}
		return nil
	})
}

func andNested(i *hlo.Instruction) *hlo.Instruction {
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		if is(x, i.Code()) && (x.Operand(0) == y || x.Operand(1) == y) {
			return x
		}
		return nil
	})
}

// deMorgan saves one operation, if nothing else needs the two complements.
func deMorgan(i *hlo.Instruction) *hlo.Instruction {
	x, y := i.Operand(0), i.Operand(1)
	if !is(x, op.Not) || !is(y, op.Not) || x == y || !oneUser(x) || !oneUser(y) {
		return nil
	}
	return like(i, op.Not, like(i, dual(i.Code()), x.Operand(0), y.Operand(0)))
}

func bitsConstants(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(inner *hlo.Instruction, b literal.Literal) *hlo.Instruction {
		if !is(inner, i.Code()) {
			return nil
		}
		return withConstant(inner, func(x *hlo.Instruction, a literal.Literal) *hlo.Instruction {
			if isConstant(x) {
				return nil
			}
			v := bitwise(i.Code(), a.BitsAt(0), b.BitsAt(0))
			return like(i, i.Code(), x, fillLike(i, bitsOf(i.Type(), v)))
		})
	})
}

func bitwise(c op.Code, a, b uint64) uint64 {
	switch c {
	case op.And:
		return a & b
	case op.Or:
		return a | b
	}
	return a ^ b
}

func shiftZero(i *hlo.Instruction) *hlo.Instruction { return whereConstant(i, isZero) }

func zeroShift(i *hlo.Instruction) *hlo.Instruction {
	if c, ok := splat(i.Operand(0)); ok && isInt(c, 0) {
		return fillLike(i, c)
	}
	return nil
}

// shiftOut: a negative number of places of a signed type shifts everything out too.
func shiftOut(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		t := i.Type()
		if _, ok := shiftBy(c); ok {
			return nil
		}
		if is(i, op.ShiftRightArithmetic) {
			if highest(t) < int64(t.Bits()) {
				return nil
			}
			return like(i, i.Code(), x, places(i, t.Bits()-1))
		}
		return fillLike(i, literal.Zero(t))
	})
}

// shiftAway: a bound that is the highest int64 may stand for numbers above it.
func shiftAway(i *hlo.Instruction) *hlo.Instruction {
	most, ok := bound(i.Operand(0))
	c, constant := constantShift(i)
	if !ok || !constant || most == math.MaxInt64 || most>>c != 0 {
		return nil
	}
	return fillLike(i, literal.Zero(i.Type()))
}

// shiftShift: places beyond the width are shift-out's.
func shiftShift(i *hlo.Instruction) *hlo.Instruction {
	inner, t := i.Operand(0), i.Type()
	if !is(inner, i.Code()) {
		return nil
	}
	a, ok := constantShift(inner)
	b, also := constantShift(i)
	switch {
	case !ok || !also || int64(a+b) > highest(t):
		return nil
	case a+b >= t.Bits() && !is(i, op.ShiftRightArithmetic):
		return fillLike(i, literal.Zero(t))
	}
	return like(i, i.Code(), inner.Operand(0), places(i, min(a+b, t.Bits()-1)))
}

// constantShift returns by how many places, fewer than the width, i shifts.
func constantShift(i *hlo.Instruction) (int, bool) {
	c, ok := splat(i.Operand(1))
	if !ok {
		return 0, false
	}
	return shiftBy(c)
}

func shiftBack(i *hlo.Instruction) *hlo.Instruction {
	inner, t := i.Operand(0), i.Type()
	if !is(inner, op.ShiftLeft, op.ShiftRightLogical) || inner.Code() == i.Code() {
		return nil
	}
	a, ok := constantShift(inner)
	b, also := constantShift(i)
	if !ok || !also || a != b {
		return nil
	}
	mask := ^uint64(0) >> (64 - t.Bits())
	if is(i, op.ShiftLeft) {
		mask = mask << b
	} else {
		mask = mask >> b
	}
	return like(i, op.And, inner.Operand(0), fillLike(i, bitsOf(t, mask)))
}
