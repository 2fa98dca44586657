package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// test is an instruction of the condition that asks something of all elements. Order does not matter to it.
type test struct {
	inst *hlo.Instruction
	// of is what is asked of each element: a pred or, if there is a bound, a number that is compared with it.
	of, bound *hlo.Instruction
	direction op.Direction
	// all: it is to be true of all elements, not of any.
	all bool
	// inits are the values that reductions start from.
	inits []*hlo.Instruction
}

// Limits of loops whose conditions have tests.
const (
	mostTests = 2
	// mostSpeculated is the most instructions for an element of iterations that may not be asked for.
	mostSpeculated = 80
	// mostRows is the most rows each of which says whether a test holds.
	mostRows = 1 << 12
)

// testOf looks whether i is a test: a pred that reductions by and, or by or, give; or a comparison of the largest or
// least element with a scalar.
func (x *Interchange) testOf(i *hlo.Instruction) (t test, ok bool) {
	if !i.IsArray() || i.Rank() != 0 || i.Type() != shape.Pred || len(i.Operands()) == 0 {
		return t, false
	}
	if i.Code() == op.Compare {
		return x.testOfExtreme(i)
	}
	t, code, ok := x.reduced(i)
	t.inst, t.all = i, code == op.And
	return t, ok && (code == op.And || code == op.Or) && t.of.Type() == shape.Pred
}

// mirrored are the directions of comparisons with the sides changed.
var mirrored = map[op.Direction]op.Direction{op.LT: op.GT, op.LE: op.GE, op.GT: op.LT, op.GE: op.LE}

func (x *Interchange) testOfExtreme(i *hlo.Instruction) (t test, ok bool) {
	a := i.Attrs().(*op.CompareAttrs)
	for side, o := range i.Operands() {
		t, code, ok := x.reduced(o)
		bound := x.class[i.Operand(1-side)]
		if !ok || bound != fixed && bound != changing || a.Type == op.ComparisonTotalOrder {
			continue
		}
		t.inst, t.bound, t.direction = i, i.Operand(1-side), a.Direction
		if side == 1 {
			t.direction = mirrored[a.Direction]
		}
		less := t.direction == op.LT || t.direction == op.LE
		if !less && t.direction != op.GT && t.direction != op.GE || code != op.Maximum && code != op.Minimum {
			continue
		}
		t.all = less == (code == op.Maximum)
		return t, o.Type().IsFloat() || o.Type().IsInteger()
	}
	return t, false
}

// reduced returns what reductions by one operation reduce to scalar i: values of the arrays of the state. In between
// elements may move.
func (x *Interchange) reduced(i *hlo.Instruction) (t test, code op.Code, ok bool) {
	if i.Rank() != 0 || x.class[i] == fixed {
		return t, 0, false
	}
	for {
		switch i.Code() {
		case op.Reshape, op.Bitcast, op.Transpose, op.Copy:
		case op.Reduce:
			r := i.Called()[0].Root()
			if len(i.Operands()) != 2 || len(r.Operands()) != 2 || !isParam(r.Operand(0), r.Operand(1), 0, 1) ||
				code != 0 && r.Code() != code || i.Operand(1).Code() != op.Constant || isNaN(i.Operand(1)) {
				return t, 0, false
			}
			code = r.Code()
			t.inits = append(t.inits, i.Operand(1))
		default:
			t.of = i
			return t, code, code != 0 && x.class[i] == lanes && slices.Equal(i.Dims(), x.dims)
		}
		if x.class[i] == lanes && slices.Equal(i.Dims(), x.dims) {
			t.of = i
			return t, code, code != 0
		}
		i = i.Operand(0)
	}
}

func isNaN(i *hlo.Instruction) bool {
	v := i.Attrs().(*op.ConstantAttrs).Value
	return v.IsElided() || i.Type().IsFloat() && v.FloatAt(0) != v.FloatAt(0)
}
