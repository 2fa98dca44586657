package pass

import (
	"context"
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// IndexNarrower makes 32-bit indices of the 64-bit ones of an argmax or argmin of values of at most 32 bits: vectors
// have twice as many of them. An iota has no number that needs more, and a reducer that does nothing with indices but
// to compare and to choose them gives one of those that it gets.
func IndexNarrower() Pass {
	return Pass{
		Name: "index-narrower",
		Doc: "Makes indices of 32 bits of those of 64 bits in reductions of values with numbered elements that only " +
			"compare and choose them.",
		About: []op.Code{op.Reduce},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if !hasWideIndex(i) || !choosesIndex(i.Called()[0]) {
					return nil, nil
				}
				b := newMaker(i)
				return b.finish(b.narrowIndex(i))
			})
		},
	}
}

// hasWideIndex reports whether i reduces values and their 64-bit numbers, none of which needs more than 32 bits.
func hasWideIndex(i *hlo.Instruction) bool {
	if i.Code() != op.Reduce || len(i.Operands()) != 4 {
		return false
	}
	index, start := i.Operand(1), i.Operand(3)
	s, values := index.Shape(), i.Operand(0).Shape()
	first, ok := start.Attrs().(*op.ConstantAttrs)
	if index.Code() != op.Iota || s.Type != shape.S64 || !s.IsStatic() || !values.IsStatic() ||
		values.Type.ByteSize() > shape.S32.ByteSize() || !ok || first.Value.IsElided() {
		return false
	}
	v := first.Value.IntAt(0)
	return s.Dims[index.Attrs().(*op.IotaAttrs).Dimension] <= math.MaxInt32 && v == int64(int32(v))
}

// choosesIndex reports whether reducer c compares and chooses indices, its second value, and nothing else.
func choosesIndex(c *hlo.Computation) bool {
	index := map[*hlo.Instruction]bool{}
	for _, i := range c.PostOrder() {
		x := i.Operands()
		switch i.Code() {
		case op.Parameter:
			index[i] = i.Attrs().(*op.ParameterAttrs).Number%2 == 1
		case op.Select:
			if index[i] = index[x[1]]; index[x[1]] != index[x[2]] {
				return false
			}
		case op.Compare:
			if index[x[0]] != index[x[1]] {
				return false
			}
		case op.And, op.Or, op.Not:
			if i.Type() != shape.Pred {
				return false
			}
		case op.Tuple:
			if i != c.Root() || len(x) != 2 || index[x[0]] || !index[x[1]] {
				return false
			}
		default:
			return false
		}
	}
	return c.Root().Code() == op.Tuple
}

// narrowIndex is reduction i with indices of 32 bits, converted in the end.
func (b *maker) narrowIndex(i *hlo.Instruction) *hlo.Instruction {
	index := i.Operand(1)
	numbers := b.shaped(op.Iota, shape.Make(shape.S32, index.Dims()...), index.Attrs(), nil)
	first := literal.New(shape.Make(shape.S32))
	first.SetInt(0, i.Operand(3).Attrs().(*op.ConstantAttrs).Value.IntAt(0))
	operands := []*hlo.Instruction{i.Operand(0), numbers, i.Operand(2), b.constant(first)}
	r := b.shaped(op.Reduce, shape.Shape{}, i.Attrs(), operands, narrowReducer(i.Called()[0]))
	return b.tuple(b.element(r, 0), b.convert(b.element(r, 1), shape.S64))
}

// narrowReducer is c for indices of 32 bits.
func narrowReducer(c *hlo.Computation) *hlo.Computation {
	to := c.Module().AddComputation(c.Name())
	to.ExecutionThread = c.ExecutionThread
	made := map[*hlo.Instruction]*hlo.Instruction{}
	for _, i := range c.PostOrder() {
		s, operands := i.Shape(), make([]*hlo.Instruction, len(i.Operands()))
		for k, x := range i.Operands() {
			operands[k] = made[x]
		}
		switch i.Code() {
		case op.Parameter:
			if i.Attrs().(*op.ParameterAttrs).Number%2 == 1 {
				s = shape.Make(shape.S32)
			}
		case op.Select:
			s = operands[1].Shape()
		case op.Tuple:
			s = shape.MakeTuple(operands[0].Shape(), operands[1].Shape())
		}
		made[i] = to.Add("", i.Code(), s, operands, i.Attrs())
	}
	to.SetRoot(made[c.Root()])
	return to
}
