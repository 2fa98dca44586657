package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// BitcastExpander writes a bitcast between numbers of fewer than 8 bits and wider ones out in shifts: in memory each of
// the former has a byte of its own, so that their bits do not lie side by side as the bitcast has them.
func BitcastExpander() Pass {
	return Pass{
		Name:  "bitcast-expander",
		Doc:   "Writes bitcasts between numbers of fewer than 8 bits and wider ones out in shifts.",
		About: []op.Code{op.BitcastConvert},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.BitcastConvert || !i.IsStatic() {
					return nil, nil
				}
				from, to := i.Operand(0).Shape(), i.Shape()
				switch b := (&bitcast{newMaker(i)}); {
				case from.Rank() == to.Rank() || from.Type.IsComplex() || to.Type.IsComplex(),
					min(from.Type.Bits(), to.Type.Bits()) >= 8:
					return nil, nil
				case from.Rank() < to.Rank():
					return b.finish(b.cut(i.Operand(0), to))
				default:
					return b.finish(b.join(i.Operand(0), to))
				}
			})
		},
	}
}

// bitcast makes one expansion.
type bitcast struct{ *maker }

// as returns x with the bits of each element as a number of type t.
func (b *bitcast) as(x *hlo.Instruction, t shape.ElementType) *hlo.Instruction {
	if b.err != nil || x.Type() == t {
		return x
	}
	return b.shaped(op.BitcastConvert, x.Shape().WithType(t), nil, []*hlo.Instruction{x})
}

// unsignedOf is the unsigned type of as many bits as t has.
func unsignedOf(t shape.ElementType) shape.ElementType {
	return map[int]shape.ElementType{1: shape.U1, 2: shape.U2, 4: shape.U4, 8: shape.U8, 16: shape.U16, 32: shape.U32,
		64: shape.U64}[t.Bits()]
}

// places is, for each element of s, where its bits are in the wide number: n times its last index.
func (b *bitcast) places(s shape.Shape, n int) *hlo.Instruction {
	index := b.shaped(op.Iota, s, &op.IotaAttrs{Dimension: s.Rank() - 1}, nil)
	return b.add(op.Multiply, nil, index, b.broadcast(b.number(s.Type, float64(n)), s))
}

// cut returns x, of wide numbers, as an array of shape to: its last dimension has the parts of a number, the lowest
// first.
func (b *bitcast) cut(x *hlo.Instruction, to shape.Shape) *hlo.Instruction {
	wide, narrow := unsignedOf(x.Type()), unsignedOf(to.Type)
	all := shape.Make(wide, to.Dims...)
	v := b.broadcast(b.as(x, wide), all, upTo(to.Rank()-1)...)
	v = b.add(op.ShiftRightLogical, nil, v, b.places(all, narrow.Bits()))
	mask := b.broadcast(b.number(wide, float64(uint64(1)<<narrow.Bits()-1)), all)
	return b.as(b.convert(b.add(op.And, nil, v, mask), narrow), to.Type)
}

// join is the inverse of cut.
func (b *bitcast) join(x *hlo.Instruction, to shape.Shape) *hlo.Instruction {
	wide, narrow := unsignedOf(to.Type), unsignedOf(x.Type())
	all := shape.Make(wide, x.Dims()...)
	v := b.convert(b.as(x, narrow), wide)
	v = b.add(op.ShiftLeft, nil, v, b.places(all, narrow.Bits()))
	v = b.shaped(op.Reduce, shape.Shape{}, &op.ReduceAttrs{Dimensions: []int{all.Rank() - 1}},
		[]*hlo.Instruction{v, b.number(wide, 0)}, b.reducer(op.Or, wide))
	return b.as(v, to.Type)
}

// upTo are the numbers below n.
func upTo(n int) []int {
	list := slices.Grow([]int{}, n)
	for d := range n {
		list = append(list, d)
	}
	return list
}
