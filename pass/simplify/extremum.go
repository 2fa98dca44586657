package simplify

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// extrema is about maximum, minimum and clamp.
var extrema = Family{Name: "extremum", Doc: "Maximum, minimum, clamp.", Rules: []Rule{
	arith("max-self", "max(x, x) -> x, min(x, x) -> x", maxSelf, op.Maximum, op.Minimum),
	arith("max-nested", "max(max(x, y), y) -> max(x, y), and for min", maxNested, op.Maximum, op.Minimum),
	arith("max-absorb", "max(x, min(x, y)) -> x, min(x, max(x, y)) -> x; integers",
		maxAbsorb, op.Maximum, op.Minimum),
	arith("max-lowest", "max(x, lowest) -> x, min(x, highest) -> x; of floats the infinities",
		maxLowest, op.Maximum, op.Minimum),
	arith("max-highest", "max(x, highest) -> highest, min(x, lowest) -> lowest; integers",
		maxHighest, op.Maximum, op.Minimum),
	arith("max-nan", "max(x, NaN) -> NaN, min(x, NaN) -> NaN", maxNaN, op.Maximum, op.Minimum),
	arith("max-constants", "max(max(x, a), b) -> max(x, max(a, b)), and for min",
		maxConstants, op.Maximum, op.Minimum),
	arith("min-max-clamp", "min(max(x, a), b) -> clamp(a, x, b), and max(min(x, b), a) for a <= b",
		minMaxClamp, op.Maximum, op.Minimum),
	arith("clamp-clamp", "clamp(a, clamp(a, x, b), b) -> clamp(a, x, b)", clampClamp, op.Clamp),
	arith("clamp-unbounded", "clamp(lowest, x, highest) -> x", clampUnbounded, op.Clamp),
	arith("clamp-one-side", "clamp(lowest, x, b) -> min(x, b), clamp(a, x, highest) -> max(x, a)",
		clampOneSide, op.Clamp),
	arith("clamp-point", "clamp(a, x, b) -> b where a >= b, integers", clampPoint, op.Clamp),
}}

func maxSelf(i *hlo.Instruction) *hlo.Instruction { return andSelf(i) }

func maxNested(i *hlo.Instruction) *hlo.Instruction {
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		if is(x, i.Code()) && (x.Operand(0) == y || x.Operand(1) == y) && uniformTypes(x) {
			return x
		}
		return nil
	})
}

// opposite returns the other of maximum and minimum.
func opposite(c op.Code) op.Code {
	if c == op.Maximum {
		return op.Minimum
	}
	return op.Maximum
}

func maxAbsorb(i *hlo.Instruction) *hlo.Instruction {
	if !integral(i.Type()) {
		return nil
	}
	return either(i, func(x, y *hlo.Instruction) *hlo.Instruction {
		if is(y, opposite(i.Code())) && (y.Operand(0) == x || y.Operand(1) == x) {
			return x
		}
		return nil
	})
}

// neutral reports whether code(x, c) is x for every x, code being maximum or minimum.
func neutral(code op.Code, c literal.Literal) bool {
	least, err := literal.MinValue(c.Type())
	most, err2 := literal.MaxValue(c.Type())
	if err != nil || err2 != nil || !integral(c.Type()) && !ieee(c.Type()) {
		return false
	}
	return code == op.Maximum && literal.Equal(c, least) || code == op.Minimum && literal.Equal(c, most)
}

func maxLowest(i *hlo.Instruction) *hlo.Instruction {
	return whereConstant(i, func(c literal.Literal) bool { return neutral(i.Code(), c) })
}

func maxHighest(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(_ *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if !integral(c.Type()) || !neutral(opposite(i.Code()), c) {
			return nil
		}
		return fillLike(i, c)
	})
}

func isNaN(c literal.Literal) bool { return ieee(c.Type()) && math.IsNaN(c.FloatAt(0)) }

func maxNaN(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(_ *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		if !isNaN(c) {
			return nil
		}
		return fillLike(i, c)
	})
}

func maxConstants(i *hlo.Instruction) *hlo.Instruction {
	return withConstant(i, func(inner *hlo.Instruction, b literal.Literal) *hlo.Instruction {
		if !is(inner, i.Code()) || !uniformTypes(inner) || isNaN(b) {
			return nil
		}
		return withConstant(inner, func(x *hlo.Instruction, a literal.Literal) *hlo.Instruction {
			if isConstant(x) || isNaN(a) {
				return nil
			}
			best := a
			if less(a, b) == (i.Code() == op.Maximum) {
				best = b
			}
			return like(i, i.Code(), x, fillLike(i, best))
		})
	})
}

// less reports whether a is below b; the zeros of floats are ordered -0, +0.
func less(a, b literal.Literal) bool {
	t := a.Type()
	switch {
	case t.IsFloat():
		x, y := a.FloatAt(0), b.FloatAt(0)
		return x < y || x == y && math.Signbit(x) && !math.Signbit(y)
	case t.IsSigned():
		return a.IntAt(0) < b.IntAt(0)
	}
	return a.BitsAt(0) < b.BitsAt(0)
}

// clampable reports whether clamp has kernels for type t and means min(max(x, a), b).
func clampable(t shape.ElementType) bool { return t.IsInteger() || ieee(t) }

// minMaxClamp takes bounds that are scalars or constants, which clamp needs not spread.
func minMaxClamp(i *hlo.Instruction) *hlo.Instruction {
	if !clampable(i.Type()) {
		return nil
	}
	return either(i, func(inner, outer *hlo.Instruction) *hlo.Instruction {
		if !is(inner, opposite(i.Code())) || !uniformTypes(inner) || !oneUser(inner) {
			return nil
		}
		b, ok := scalarOf(outer)
		if !ok {
			return nil
		}
		return either(inner, func(x, bound *hlo.Instruction) *hlo.Instruction {
			a, ok := scalarOf(bound)
			if !ok || isConstant(x) {
				return nil
			}
			if is(i, op.Minimum) {
				return like(i, op.Clamp, a, x, b)
			}
			lo, okLo := splat(b)
			hi, okHi := splat(a)
			if !okLo || !okHi || isNaN(lo) || isNaN(hi) || less(hi, lo) {
				return nil
			}
			return like(i, op.Clamp, b, x, a)
		})
	})
}

func clampClamp(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(1)
	if !is(x, op.Clamp) || x.Operand(0) != i.Operand(0) || x.Operand(2) != i.Operand(2) {
		return nil
	}
	return x
}

// open reports whether bound k of the clamp i cuts nothing off.
func open(i *hlo.Instruction, k int) bool {
	c, ok := splat(i.Operand(k))
	if k == 0 {
		return ok && neutral(op.Maximum, c)
	}
	return ok && neutral(op.Minimum, c)
}

func clampUnbounded(i *hlo.Instruction) *hlo.Instruction {
	if !open(i, 0) || !open(i, 2) {
		return nil
	}
	return i.Operand(1)
}

func clampOneSide(i *hlo.Instruction) *hlo.Instruction {
	lo, hi := open(i, 0), open(i, 2)
	switch {
	case lo == hi:
		return nil
	case lo:
		return like(i, op.Minimum, i.Operand(1), boundLike(i, i.Operand(2)))
	}
	return like(i, op.Maximum, i.Operand(1), boundLike(i, i.Operand(0)))
}

// boundLike emits the bound b of the clamp i as an array like i.
func boundLike(i, b *hlo.Instruction) *hlo.Instruction {
	if b.IsScalar() {
		return spread(i, i.Shape(), b)
	}
	return b
}

func clampPoint(i *hlo.Instruction) *hlo.Instruction {
	lo, ok := splat(i.Operand(0))
	hi, also := splat(i.Operand(2))
	if !ok || !also || !i.Type().IsInteger() || less(lo, hi) {
		return nil
	}
	return fillLike(i, hi)
}
