package simplify

import (
	"cmp"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// comparisons is about compare, and not, and, or of comparisons.
var comparisons = Family{Name: "compare", Doc: "Compare.", Rules: []Rule{
	rule("compare-self", "x < x -> false, x == x -> true (not for floats)", compareSelf, op.Compare),
	rule("compare-constant-right", "c < x -> x > c", compareConstantRight, op.Compare),
	rule("compare-bounds", "x < lowest -> false, x > lowest -> x != lowest, ...; integers and pred",
		compareBounds, op.Compare),
	rule("compare-range", "x < c -> true or false where the range of x is known; integers",
		compareRange, op.Compare),
	rule("compare-add-constant", "x + a == b -> x == b - a, integers", compareAddConstant, op.Compare),
	rule("compare-sign", "sign(x) != 1 -> x <= 0, and the like; integers", compareSign, op.Compare),
	rule("compare-pred-constant", "p == true -> p, p == false -> not(p), and for !=", comparePred, op.Compare),
	rule("compare-pred-not-equal", "p != q -> p xor q", comparePredNotEqual, op.Compare),
	rule("compare-convert-pred", "convert(p) > 0 -> p, and for every number compared with",
		compareConvertPred, op.Compare),
	rule("compare-select-constants", "select(p, a, b) > c -> p, not(p), true or false", compareSelect, op.Compare),
	rule("not-compare", "not(x < y) -> x >= y; for floats of == and != only", notCompare, op.Not),
	rule("compare-remainder", "x <= 0 and x % c != 0 -> x < 0 and x % c != 0, also of >=",
		compareRemainder, op.And),
	rule("compare-merge", "x < y or x == y -> x <= y; of any two comparisons of the same operands",
		compareMerge, op.And, op.Or),
}}

// relation is a set of outcomes of a comparison: that x is less than, equal to or greater
// than y, or neither, because one is NaN.
type relation uint8

const (
	isLess relation = 1 << iota
	isEqual
	isGreater
	isUnordered
)

// relations are the outcomes for which each direction is true.
var relations = [...]relation{
	op.EQ: isEqual, op.NE: isLess | isGreater | isUnordered, op.LT: isLess, op.LE: isLess | isEqual,
	op.GT: isGreater, op.GE: isGreater | isEqual,
}

// directionOf returns the direction that is true for the outcomes r among the possible ones.
func directionOf(r, possible relation) (op.Direction, bool) {
	for d := op.EQ; d <= op.LT; d++ {
		if relations[d]&possible == r {
			return d, true
		}
	}
	return op.NoDirection, false
}

// comparison is what a compare instruction says.
type comparison struct {
	x, y     *hlo.Instruction
	true     relation // the outcomes for which it is true
	possible relation // the outcomes that there are
	kind     op.ComparisonType
}

// comparisonOf reads i, a compare of two operands of one type.
func comparisonOf(i *hlo.Instruction) (c comparison, ok bool) {
	if !is(i, op.Compare) {
		return c, false
	}
	a, t := attrsOf[*op.CompareAttrs](i), i.Operand(0).Type()
	c = comparison{x: i.Operand(0), y: i.Operand(1), possible: isLess | isEqual | isGreater, kind: a.Type}
	if c.kind == op.ComparisonDefault {
		c.kind = op.DefaultComparison(t)
	}
	if c.kind == op.ComparisonFloat {
		c.possible |= isUnordered
	}
	c.true = relations[a.Direction] & c.possible
	return c, c.y.Type() == t && (integral(t) || ieee(t))
}

// swapped returns c with its operands exchanged.
func (c comparison) swapped() comparison {
	less, greater := c.true&isLess, c.true&isGreater
	c.true = c.true&^(isLess|isGreater) | less<<2 | greater>>2
	c.x, c.y = c.y, c.x
	return c
}

// emit adds the comparison as an instruction like i; nil if no direction says it.
func (c comparison) emit(i *hlo.Instruction) *hlo.Instruction {
	d, ok := directionOf(c.true, c.possible)
	switch {
	case c.true == 0 || c.true == c.possible:
		return truth(i, c.true != 0)
	case !ok:
		return nil
	}
	kind := c.kind
	if kind == op.DefaultComparison(c.x.Type()) {
		kind = op.ComparisonDefault
	}
	return emit(i, op.Compare, i.Shape(), &op.CompareAttrs{Direction: d, Type: kind}, c.x, c.y)
}

// compareSelf: x is equal to itself, or unordered.
func compareSelf(i *hlo.Instruction) *hlo.Instruction {
	c, ok := comparisonOf(i)
	if !ok || c.x != c.y {
		return nil
	}
	self := (isEqual | isUnordered) & c.possible
	switch c.true & self {
	case 0:
		return truth(i, false)
	case self:
		return truth(i, true)
	}
	return nil
}

func compareConstantRight(i *hlo.Instruction) *hlo.Instruction {
	c, ok := comparisonOf(i)
	if !ok || !isConstant(c.x) || isConstant(c.y) {
		return nil
	}
	return c.swapped().emit(i)
}

// constantComparison reads i where the right side consists of one scalar v.
func constantComparison(i *hlo.Instruction) (c comparison, v literal.Literal, ok bool) {
	c, ok = comparisonOf(i)
	if !ok || isConstant(c.x) {
		return c, v, false
	}
	v, ok = splat(c.y)
	return c, v, ok
}

// compareBounds: beside the lowest or highest value one outcome cannot come.
func compareBounds(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i)
	if !ok || !integral(v.Type()) {
		return nil
	}
	switch {
	case neutral(op.Maximum, v):
		return c.without(isLess, i)
	case neutral(op.Minimum, v):
		return c.without(isGreater, i)
	}
	return nil
}

// without emits c for operands for which the outcome r does not come, as ==, != or a
// constant; nil where c is that already.
func (c comparison) without(r relation, i *hlo.Instruction) *hlo.Instruction {
	rest := c.possible &^ r
	switch c.true & rest {
	case 0:
		return truth(i, false)
	case rest:
		return truth(i, true)
	}
	before := c.true
	if c.true &= rest; c.true != isEqual {
		c.true = c.possible &^ isEqual
	}
	if c.true == before {
		return nil
	}
	return c.emit(i)
}

func compareRange(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i)
	if !ok || !v.Type().IsInteger() {
		return nil
	}
	most, ok := bound(c.x)
	if !ok {
		return nil
	}
	at, ok := nonNegativeInt(v)
	var outcomes relation
	switch {
	case !ok:
		outcomes = isGreater
	case at > most:
		outcomes = isLess
	default:
		outcomes = isEqual
		if at > 0 {
			outcomes |= isLess
		}
		if at < most {
			outcomes |= isGreater
		}
	}
	switch c.true & outcomes {
	case 0:
		return truth(i, false)
	case outcomes:
		return truth(i, true)
	}
	return nil
}

func compareAddConstant(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i)
	equality := c.true == isEqual || c.true == isLess|isGreater
	if !ok || !v.Type().IsInteger() || !equality || !is(c.x, op.Add) {
		return nil
	}
	return withConstant(c.x, func(x *hlo.Instruction, a literal.Literal) *hlo.Instruction {
		if isConstant(x) {
			return nil
		}
		c.x, c.y = x, fill(i, x.Shape(), number(v.Type(), v.IntAt(0)-a.IntAt(0)))
		return c.emit(i)
	})
}

// compareSign: a sign compares with 0 as the number does, so each of its values is an outcome.
func compareSign(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i)
	if !ok || !v.Type().IsInteger() || !v.Type().IsSigned() || !is(c.x, op.Sign) {
		return nil
	}
	var outcomes relation
	for sign := range int64(3) {
		if relation(1<<(cmp.Compare(sign-1, v.IntAt(0))+1))&c.true != 0 {
			outcomes |= 1 << sign
		}
	}
	x := c.x.Operand(0)
	c.x, c.y, c.true = x, fill(i, x.Shape(), number(v.Type(), 0)), outcomes
	return c.emit(i)
}

// compareRemainder: that of 0 is 0. It is in quotients that are rounded down.
func compareRemainder(i *hlo.Instruction) *hlo.Instruction {
	for k := range 2 {
		c, v, ok := constantComparison(i.Operand(k))
		r, w, also := constantComparison(i.Operand(1 - k))
		if !ok || !also || !isInt(v, 0) || !isInt(w, 0) || c.true&isEqual == 0 || c.true == isEqual ||
			r.true != isLess|isGreater || !is(r.x, op.Remainder) || r.x.Operand(0) != c.x {
			continue
		}
		c.true &^= isEqual
		return like(i, op.And, c.emit(i), i.Operand(1-k))
	}
	return nil
}

func comparePred(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i)
	if !ok || v.Type() != shape.Pred || c.true != isEqual && c.true != isLess|isGreater {
		return nil
	}
	return predOrNot(i, c.x, v.BoolAt(0) == (c.true == isEqual))
}

// predOrNot returns p, or emits its complement.
func predOrNot(i, p *hlo.Instruction, positive bool) *hlo.Instruction {
	if positive {
		return p
	}
	return like(i, op.Not, p)
}

func comparePredNotEqual(i *hlo.Instruction) *hlo.Instruction {
	c, ok := comparisonOf(i)
	if !ok || c.x.Type() != shape.Pred || c.true != isLess|isGreater || c.x == c.y {
		return nil
	}
	return like(i, op.Xor, c.x, c.y)
}

func compareConvertPred(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i)
	if !ok || !is(c.x, op.Convert) || c.x.Operand(0).Type() != shape.Pred {
		return nil
	}
	t := v.Type()
	return c.chosen(i, c.x.Operand(0), literal.One(t), literal.Zero(t), v)
}

func compareSelect(i *hlo.Instruction) *hlo.Instruction {
	c, v, ok := constantComparison(i)
	if !ok || !is(c.x, op.Select) || c.x.Operand(0).Rank() != i.Rank() {
		return nil
	}
	a, ok := splat(c.x.Operand(1))
	b, also := splat(c.x.Operand(2))
	if !ok || !also {
		return nil
	}
	return c.chosen(i, c.x.Operand(0), a, b, v)
}

// chosen emits the comparison with v of what is a where p is true and b elsewhere.
func (c comparison) chosen(i, p *hlo.Instruction, a, b, v literal.Literal) *hlo.Instruction {
	if c.kind == op.ComparisonTotalOrder && !v.Type().IsInteger() {
		return nil
	}
	onTrue, onFalse := c.true&outcome(a, v) != 0, c.true&outcome(b, v) != 0
	if onTrue == onFalse {
		return truth(i, onTrue)
	}
	return predOrNot(i, p, onTrue)
}

// outcome compares two scalars; the zeros of floats are equal.
func outcome(a, b literal.Literal) relation {
	switch {
	case isNaN(a) || isNaN(b):
		return isUnordered
	case literal.Equal(a, b) || a.Type().IsFloat() && a.FloatAt(0) == b.FloatAt(0):
		return isEqual
	case less(a, b):
		return isLess
	}
	return isGreater
}

func notCompare(i *hlo.Instruction) *hlo.Instruction {
	c, ok := comparisonOf(i.Operand(0))
	if !ok {
		return nil
	}
	c.true = c.possible &^ c.true
	if _, ok := directionOf(c.true, c.possible); !ok {
		return nil
	}
	return c.emit(i)
}

func compareMerge(i *hlo.Instruction) *hlo.Instruction {
	c, ok := comparisonOf(i.Operand(0))
	d, also := comparisonOf(i.Operand(1))
	if !ok || !also || c.kind != d.kind {
		return nil
	}
	if c.x == d.y && c.y == d.x {
		d = d.swapped()
	}
	if c.x != d.x || c.y != d.y {
		return nil
	}
	if is(i, op.And) {
		c.true &= d.true
	} else {
		c.true |= d.true
	}
	return c.emit(i)
}
