package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// selections is about select.
var selections = Family{Name: "select", Doc: "Select.", Rules: []Rule{
	rule("select-constant", "select(true, x, y) -> x, select(false, x, y) -> y", selectConstant, op.Select),
	rule("select-same", "select(p, x, x) -> x", selectSame, op.Select),
	rule("select-not", "select(not(p), x, y) -> select(p, y, x)", selectNot, op.Select),
	rule("select-select", "select(p, select(p, x, y), z) -> select(p, x, z), and on the other side",
		selectSelect, op.Select),
	rule("select-to-pred", "select(p, true, false) -> p, select(p, false, true) -> not(p)", selectToPred, op.Select),
	rule("select-to-logic", "select(p, q, false) -> p and q, select(p, true, q) -> p or q", selectToLogic, op.Select),
	rule("select-to-logic-not", "select(p, false, q) -> not(p) and q, select(p, q, true) -> not(p) or q",
		selectToLogicNot, op.Select),
	rule("select-one-zero", "select(p, 1, 0) -> convert(p)", selectOneZero, op.Select),
	rule("select-equal", "select(x == y, x, y) -> y, select(x != y, x, y) -> x; integers", selectEqual, op.Select),
	rule("select-minimum", "select(x < y, x, y) -> min(x, y), select(x > y, x, y) -> max(x, y), ...; integers",
		selectMinimum, op.Select),
	rule("select-abs", "select(x < 0, -x, x) -> |x|, signed integers", selectAbs, op.Select),
}}

func selectConstant(i *hlo.Instruction) *hlo.Instruction {
	c, ok := splat(i.Operand(0))
	switch {
	case !ok:
		return nil
	case c.BoolAt(0):
		return i.Operand(1)
	}
	return i.Operand(2)
}

func selectSame(i *hlo.Instruction) *hlo.Instruction {
	if i.Operand(1) != i.Operand(2) {
		return nil
	}
	return i.Operand(1)
}

func selectNot(i *hlo.Instruction) *hlo.Instruction {
	p := i.Operand(0)
	if !is(p, op.Not) {
		return nil
	}
	return like(i, op.Select, p.Operand(0), i.Operand(2), i.Operand(1))
}

func selectSelect(i *hlo.Instruction) *hlo.Instruction {
	p, x, y := i.Operand(0), i.Operand(1), i.Operand(2)
	switch {
	case x.Type() != y.Type():
		return nil
	case is(x, op.Select) && x.Operand(0) == p && x.Operand(1).Type() == i.Type():
		return like(i, op.Select, p, x.Operand(1), y)
	case is(y, op.Select) && y.Operand(0) == p && y.Operand(2).Type() == i.Type():
		return like(i, op.Select, p, x, y.Operand(2))
	}
	return nil
}

// predSelect reports whether i selects among preds, element by element.
func predSelect(i *hlo.Instruction) bool {
	return i.Type() == shape.Pred && i.Operand(0).Rank() == i.Rank()
}

// isTruth reports whether x consists of the pred v.
func isTruth(x *hlo.Instruction, v bool) bool {
	c, ok := splat(x)
	return ok && c.Type() == shape.Pred && c.BoolAt(0) == v
}

func selectToPred(i *hlo.Instruction) *hlo.Instruction {
	x, y := i.Operand(1), i.Operand(2)
	switch {
	case !predSelect(i):
		return nil
	case isTruth(x, true) && isTruth(y, false):
		return i.Operand(0)
	case isTruth(x, false) && isTruth(y, true):
		return like(i, op.Not, i.Operand(0))
	}
	return nil
}

func selectToLogic(i *hlo.Instruction) *hlo.Instruction {
	p, x, y := i.Operand(0), i.Operand(1), i.Operand(2)
	switch {
	case !predSelect(i) || isConstant(x) && isConstant(y):
		return nil
	case isTruth(y, false):
		return like(i, op.And, p, x)
	case isTruth(x, true):
		return like(i, op.Or, p, y)
	}
	return nil
}

func selectToLogicNot(i *hlo.Instruction) *hlo.Instruction {
	p, x, y := i.Operand(0), i.Operand(1), i.Operand(2)
	switch {
	case !predSelect(i) || isConstant(x) && isConstant(y):
		return nil
	case isTruth(x, false):
		return like(i, op.And, like(i, op.Not, p), y)
	case isTruth(y, true):
		return like(i, op.Or, like(i, op.Not, p), x)
	}
	return nil
}

func selectOneZero(i *hlo.Instruction) *hlo.Instruction {
	t := i.Type()
	x, ok := splat(i.Operand(1))
	y, also := splat(i.Operand(2))
	if !ok || !also || t == shape.Pred || i.Operand(0).Rank() != i.Rank() {
		return nil
	}
	if x.Type() != t || y.Type() != t || !isValue(x, 1) || !isValue(y, 0) {
		return nil
	}
	return like(i, op.Convert, i.Operand(0))
}

// selectOn reads a select of integers by a comparison of its two branches: c compares
// the branch on true with the one on false.
func selectOn(i *hlo.Instruction) (c comparison, ok bool) {
	c, ok = comparisonOf(i.Operand(0))
	if !ok || !i.Type().IsInteger() || c.x == c.y {
		return c, false
	}
	x, y := i.Operand(1), i.Operand(2)
	if c.x == y && c.y == x {
		c = c.swapped()
	}
	return c, c.x == x && c.y == y
}

func selectEqual(i *hlo.Instruction) *hlo.Instruction {
	c, ok := selectOn(i)
	switch {
	case !ok:
		return nil
	case c.true == isEqual:
		return c.y
	case c.true == isLess|isGreater:
		return c.x
	}
	return nil
}

func selectMinimum(i *hlo.Instruction) *hlo.Instruction {
	c, ok := selectOn(i)
	if !ok {
		return nil
	}
	switch c.true &^ isEqual {
	case isLess:
		return like(i, op.Minimum, c.x, c.y)
	case isGreater:
		return like(i, op.Maximum, c.x, c.y)
	}
	return nil
}

// selectAbs: the least integer is its own negative, as in abs.
func selectAbs(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i.Operand(0))
	x, y := i.Operand(1), i.Operand(2)
	if !ok || !i.Type().IsSigned() || !literal.Equal(v, number(v.Type(), 0)) {
		return nil
	}
	negative := c.true&^isEqual == isLess
	if !negative {
		x, y = y, x
	}
	decides := c.true&^isEqual == isLess || c.true&^isEqual == isGreater
	if !decides || !is(x, op.Negate) || x.Operand(0) != y || c.x != y {
		return nil
	}
	return like(i, op.Abs, y)
}
