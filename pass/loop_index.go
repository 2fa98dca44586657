package pass

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// What an index of the body of a loop is in each iteration.

// StacksRows reports whether update u, of body, writes another row of its array in each iteration, and all in the end.
func (c Counter) StacksRows(u *hlo.Instruction, body *hlo.Computation) bool {
	d := rowDim(u)
	return d >= 0 && c.Trips == int64(u.Dims()[d]) && c.visitsAll(u.Operand(2+d), body)
}

// visitsAll reports whether index i of body is another of 0 to n-1 in each of the n iterations. Sums may wrap around on
// the way there, but not what comes out of them: its type has all of these numbers.
func (c Counter) visitsAll(i *hlo.Instruction, body *hlo.Computation) bool {
	first, step, ok := c.steps(i, body, mostSums)
	if !ok || step != 1 && step != -1 || first != max(0, -step*(c.Trips-1)) {
		return false
	}
	_, high := integerRange(i.Type())
	return c.Trips == 0 || uint64(c.Trips-1) <= high
}

// mostSums is how many sums and differences there are behind one another at most in what tells an index.
const mostSums = 4

// steps returns what i is in the first iteration and how much more it is in each other one, if it is the counter with
// constants added, or a constant less that, by no more sums behind one another than most.
func (c Counter) steps(i *hlo.Instruction, body *hlo.Computation, most int) (first, step int64, ok bool) {
	switch code := i.Code(); {
	case code == op.GetTupleElement:
		return c.Init, c.Step, i.Operand(0) == body.Params()[0] && elementIndex(i) == c.Index
	case code == op.Constant:
		v := i.Attrs().(*op.ConstantAttrs).Value
		if ok = i.Type().IsInteger() && i.Rank() == 0 && !v.IsElided(); ok {
			first = v.IntAt(0)
		}
		return first, 0, ok
	case most > 0 && (code == op.Add || code == op.Subtract):
		x, xs, known := c.steps(i.Operand(0), body, most-1)
		y, ys, both := c.steps(i.Operand(1), body, most-1)
		if code == op.Subtract {
			y, ys = -y, -ys
		}
		return x + y, xs + ys, known && both
	}
	return 0, 0, false
}
