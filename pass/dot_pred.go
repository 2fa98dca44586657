package pass

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// countedPred returns a dot or convolution of preds, which tells whether there is a product that is true, as one of
// numbers that counts them; nil if i is none.
func countedPred(i *hlo.Instruction) (*hlo.Instruction, error) {
	s := i.Shape()
	for _, part := range []shape.Shape{s, i.Operand(0).Shape(), i.Operand(1).Shape()} {
		if part.Type != shape.Pred || !part.IsStatic() {
			return nil, nil
		}
	}
	b := newMaker(i)
	operands := []*hlo.Instruction{b.convert(i.Operand(0), shape.S32), b.convert(i.Operand(1), shape.S32)}
	count := b.shaped(i.Code(), shape.Make(shape.S32, s.Dims...), i.Attrs(), operands)
	none := b.broadcast(b.constant(literal.Zero(shape.S32)), shape.Make(shape.S32, s.Dims...))
	return b.finish(b.add(op.Compare, &op.CompareAttrs{Direction: op.NE}, count, none))
}
