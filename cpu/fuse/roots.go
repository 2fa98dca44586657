package fuse

import (
	"math"
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Square roots and quotients each keep the divider busy for long. In machine code a reciprocal square root of f64, and
// of f32 where registers are wide or little else is done, is products instead, so x/sqrt(y) is x times that of y. A
// root and its reciprocal are ordinary numbers wherever y is positive and finite, so what is no number or infinite in
// one way is so in the other.

// mostBeside is how many operations beside a root are done in less time than the divider takes.
const mostBeside = 4

// doesLittle reports whether s is only element-wise, and has few operations.
func doesLittle(s Spec) bool {
	n := 0
	var walk func(i *hlo.Instruction)
	walk = func(i *hlo.Instruction) {
		if n > mostBeside || s.InMemory(i) && !isRoot(s, i) {
			return
		}
		n++
		if !isElementwise(i) && i.Code() != op.Broadcast && i.Code() != op.Constant {
			n += mostBeside
		}
		for _, o := range i.Operands() {
			walk(o)
		}
	}
	for _, r := range s.Roots {
		walk(r.Inst)
	}
	return n <= mostBeside
}

// dividesByRoot reports whether i is such a quotient, and nothing else wants the root.
func (g *gen) dividesByRoot(i *hlo.Instruction) bool {
	t := i.Type()
	if i.Code() != op.Divide || !((g.b.Wide || g.b.Alone) && t == shape.F32 || g.b.Code && t == shape.F64) {
		return false
	}
	root := i.Operand(1)
	if root.Code() != op.Sqrt || g.inMemory(root) || root == i.Operand(0) {
		return false
	}
	return onlyDivides(root)
}

// onlyDivides reports whether all that i is for is to be divided by.
func onlyDivides(i *hlo.Instruction) bool {
	return !slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool {
		return u.Code() != op.Divide || u.Operand(0) == i
	})
}

func (g *gen) timesReciprocalRoot(i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	t, under := i.Type(), i.Operand(1).Operand(0)
	y := g.apply(i, op.Rsqrt, t, g.one(under, idx, guard))
	x := g.one(i.Operand(0), idx, guard)
	if bits, ok := g.b.ConstBits(x.Re); ok && bits == oneBits(t) {
		return []elem.Value{y}
	}
	return []elem.Value{g.apply(i, op.Multiply, t, x, y)}
}

// apply is elem.Apply for a step of i.
func (g *gen) apply(i *hlo.Instruction, code op.Code, t shape.ElementType, args ...elem.Value) elem.Value {
	v, err := elem.Apply(g.b, code, nil, t, args)
	if err != nil {
		fail(i, "%v", err)
	}
	return v
}

// oneBits are the bits of 1.
func oneBits(t shape.ElementType) uint64 {
	if t == shape.F64 {
		return math.Float64bits(1)
	}
	return uint64(math.Float32bits(1))
}
