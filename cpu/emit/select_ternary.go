package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// AVX-512 has one instruction for any bitwise function of three operands. Its immediate is a table of the function:
// these are the tables of the operands themselves.
const (
	firstOf3  = 0xF0
	secondOf3 = 0xCC
	thirdOf3  = 0xAA
)

// bitwise is the table of o on operands with the tables x and y.
func bitwise(o loop.Op, x, y uint8) uint8 {
	switch o {
	case loop.And:
		return x & y
	case loop.Or:
		return x | y
	case loop.Xor:
		return x ^ y
	}
	return ^x & y
}

func isBitwise(i *loop.Inst) bool {
	switch i.Op {
	case loop.And, loop.Or, loop.Xor, loop.AndNot:
		return i.Kind != loop.Mask
	}
	return false
}

// ternary makes i and a bitwise operation that is its operand as one instruction; it returns 0 if there is none. The
// operand is left without a use, if nothing else needs it.
func (g *gen) ternary(i *loop.Inst) reg {
	if !g.c.target.AVX512 || !isBitwise(i) {
		return 0
	}
	for k, a := range i.Args[:2] {
		inner := g.nest.Inst(g.sameBits(a))
		if !isBitwise(inner) || inner.Kind.Bits() != i.Kind.Bits() {
			continue
		}
		if turned, _ := g.rotation(inner); turned != 0 {
			continue // that is one instruction already
		}
		imm := bitwise(inner.Op, secondOf3, thirdOf3)
		if k == 0 {
			imm = bitwise(i.Op, imm, firstOf3)
		} else {
			imm = bitwise(i.Op, firstOf3, imm)
		}
		return g.logic3(i.Kind, imm, g.value(i.Args[1-k]), g.value(inner.Args[0]), g.value(inner.Args[1]))
	}
	return 0
}

// sameBits is the value that v, if it is a bitcast, takes its bits from.
func (g *gen) sameBits(v loop.Value) loop.Value {
	for {
		i := g.nest.Inst(v)
		if i.Op != loop.Bitcast {
			return v
		}
		v = i.Args[0]
	}
}

// logic3 is the function imm of three operands.
func (g *gen) logic3(k loop.Kind, imm uint8, x, y, z reg) reg {
	if g.c.constantOf(y) != nil { // a constant comes last, where it may be read from memory
		y, z = z, y
		imm = imm&0x99 | imm&0x22<<1 | imm&0x44>>1
	}
	in := ins{in: inst(by64(k, asm.VPTERNLOGD, asm.VPTERNLOGQ), g.size(k), 3), tie: x, late: true}
	in.in.Imm, in.in.HasImm = int64(imm), true
	in.r[1], in.r[2] = y, z
	return g.c.define(in)
}

// testBits is a comparison of some bits of an integer with 0, as one instruction, or 0 if i is another one.
func (g *gen) testBits(i *loop.Inst) reg {
	if !g.c.target.AVX512 || i.Op != loop.Cmp || i.Imm != loop.EQ && i.Imm != loop.NE {
		return 0
	}
	and, none := g.nest.Inst(i.Args[0]), g.nest.Inst(i.Args[1])
	if and.Op == loop.Const {
		and, none = none, and
	}
	if and.Op != loop.And || !and.Kind.IsInt() || none.Op != loop.Const || none.Imm != 0 {
		return 0
	}
	op := by64(and.Kind, asm.VPTESTMD, asm.VPTESTMQ)
	if i.Imm == loop.EQ {
		op = by64(and.Kind, asm.VPTESTNMD, asm.VPTESTNMQ)
	}
	a, b := g.constantSecond(g.value(and.Args[0]), g.value(and.Args[1]))
	return g.t.lanesOfElements(and.Kind, g.c.v(op, g.size(and.Kind), a, b))
}
