package pass

import (
	"context"
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// DotAlgorithmExpander writes out what an algorithm of a dot or ragged dot does with the operands: they are rounded, or
// cut into pieces whose products are added. Dots without an algorithm remain.
func DotAlgorithmExpander() Pass {
	return Pass{
		Name:  "dot-algorithm-expander",
		Doc:   "Rounds the operands of dots with an algorithm as that says, or cuts them into pieces and adds the products.",
		About: []op.Code{op.Dot, op.RaggedDot},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.Dot && i.Code() != op.RaggedDot {
					return nil, nil
				}
				b := &dotAlgorithm{maker: newMaker(i), i: i}
				switch a := i.Attrs().(type) {
				case *op.DotAttrs:
					plain := *a
					plain.Algorithm = ""
					b.algorithm, b.plain = a.Algorithm, &plain
					if a.Sparsity != nil {
						return nil, nil
					}
				case *op.RaggedDotAttrs:
					plain := *a
					plain.Algorithm = ""
					b.algorithm, b.plain = a.Algorithm, &plain
				}
				if b.algorithm == "" {
					return nil, nil
				}
				return b.finish(b.build())
			})
		},
	}
}

// dotAlgorithm makes the dots that stand for i.
type dotAlgorithm struct {
	*maker
	i         *hlo.Instruction
	algorithm op.Word
	plain     op.Attrs // those of i without the algorithm
}

// cuts are the algorithms that multiply pieces: how many bits the significand of a piece has, how many pieces there
// are, and the type that holds one. Pieces a and b are multiplied where a+b < pieces, or all if whole.
var cuts = map[op.Word]struct {
	bits, pieces int
	whole        bool
	holds        shape.ElementType
}{
	"dot_bf16_bf16_f32_x3": {8, 2, false, shape.BF16},
	"dot_bf16_bf16_f32_x6": {8, 3, false, shape.BF16},
	"dot_bf16_bf16_f32_x9": {8, 3, true, shape.BF16},
	"dot_tf32_tf32_f32_x3": {11, 2, false, shape.F32},
}

// roundings are the algorithms that multiply rounded operands; the operands of the others are taken as they are.
var roundings = map[op.Word]func(b *maker, x *hlo.Instruction) *hlo.Instruction{
	"dot_f16_f16_f16":    toType(shape.F16),
	"dot_f16_f16_f32":    toType(shape.F16),
	"dot_bf16_bf16_bf16": toType(shape.BF16),
	"dot_bf16_bf16_f32":  toType(shape.BF16),
	"dot_tf32_tf32_f32":  roundedTF32,
	"dot_f32_f32_f32":    atMostF32,
}

func toType(t shape.ElementType) func(*maker, *hlo.Instruction) *hlo.Instruction {
	return func(b *maker, x *hlo.Instruction) *hlo.Instruction { return b.convert(x, t) }
}

func atMostF32(b *maker, x *hlo.Instruction) *hlo.Instruction {
	if x.Type() == shape.F64 {
		return b.convert(x, shape.F32)
	}
	return x
}

func roundedTF32(b *maker, x *hlo.Instruction) *hlo.Instruction {
	if x = atMostF32(b, x); x.Type() != shape.F32 {
		return x // all other types are narrower
	}
	return b.add(op.ReducePrecision, &op.ReducePrecisionAttrs{ExponentBits: 8, MantissaBits: 10}, x)
}

// build returns the value of the dot.
func (b *dotAlgorithm) build() *hlo.Instruction {
	x, y := b.i.Operand(0), b.i.Operand(1)
	if !isReal(b.i) || !isReal(x) || !isReal(y) {
		return b.dot(x, y, b.i.Shape()) // algorithms are about floats only
	}
	if how, ok := cuts[b.algorithm]; ok {
		xs, ys := b.cut(x, how.bits, how.pieces, how.holds), b.cut(y, how.bits, how.pieces, how.holds)
		return b.products(xs, ys, how.whole)
	}
	if round := roundings[b.algorithm]; round != nil {
		x, y = round(b.maker, x), round(b.maker, y)
	}
	return b.dot(x, y, b.i.Shape())
}

func isReal(i *hlo.Instruction) bool { return i.Type().IsFloat() }

// dot returns the product of x and y, without an algorithm, in shape s.
func (b *dotAlgorithm) dot(x, y *hlo.Instruction, s shape.Shape) *hlo.Instruction {
	return b.shaped(b.i.Code(), s, b.plain, append([]*hlo.Instruction{x, y}, b.i.Operands()[2:]...))
}

// pieces are those of an operand, the leading one first.
type pieces struct {
	cut []*hlo.Instruction
	// all is the leading piece, or the value itself where it is not finite: that goes into one product only, as
	// infinity times a piece of 0 is NaN. The pieces of such a value are 0.
	all *hlo.Instruction
}

// cut cuts x into n pieces of type holds, with significands of so many bits.
func (b *dotAlgorithm) cut(x *hlo.Instruction, bits, n int, holds shape.ElementType) pieces {
	x = b.convert(x, shape.F32)
	s := b.shapeOf(x)
	finite := b.add(op.IsFinite, nil, x)
	rest := b.add(op.Select, nil, finite, x, b.broadcast(b.number(shape.F32, 0), s))
	limit := float64(math.Float32frombits(math.Float32bits(math.MaxFloat32) &^ (1<<(24-bits) - 1)))
	inside := b.add(op.Clamp, nil, b.number(shape.F32, -limit), rest, b.number(shape.F32, limit))
	var p pieces
	for k := range n {
		piece := b.add(op.ReducePrecision, &op.ReducePrecisionAttrs{ExponentBits: 8, MantissaBits: bits - 1}, inside)
		p.cut = append(p.cut, b.convert(piece, holds))
		if k == 0 {
			p.all = b.convert(b.add(op.Select, nil, finite, piece, x), holds)
		}
		if k+1 < n {
			rest = b.add(op.Subtract, nil, rest, piece)
			inside = rest
		}
	}
	return p
}

// products adds the products of pieces, the small ones first. Those are nothing where they are no finite number: then
// the product of the leading pieces is none either, and of the other sign it would make no number of infinity.
func (b *dotAlgorithm) products(x, y pieces, whole bool) *hlo.Instruction {
	t := b.i.Type()
	sums := b.i.Shape().WithType(shape.F32)
	if t == shape.F64 {
		sums = b.i.Shape()
	}
	var sum *hlo.Instruction
	n := len(x.cut)
	for order := 2*n - 2; order > 0; order-- {
		for k := range n {
			l := order - k
			if l < 0 || l >= n || order >= n && !whole {
				continue
			}
			sum = b.plus(sum, b.dot(x.cut[k], y.cut[l], sums))
		}
	}
	finite := b.add(op.IsFinite, nil, sum)
	sum = b.add(op.Select, nil, finite, sum, b.broadcast(b.number(sums.Type, 0), sums))
	return b.convert(b.add(op.Add, nil, sum, b.dot(x.all, y.all, sums)), t)
}

// plus returns sum + x, x if there is no sum.
func (b *dotAlgorithm) plus(sum, x *hlo.Instruction) *hlo.Instruction {
	if sum == nil {
		return x
	}
	return b.add(op.Add, nil, sum, x)
}
