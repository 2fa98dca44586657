package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// BatchNormExpander writes batch normalisation out in sums and elementary operations, in f32
// for narrower types: two passes over the data, the second for the squares of what is left without the mean.
func BatchNormExpander() Pass {
	return Pass{
		Name: "batch-norm-expander",
		Doc: "Writes the three batch normalisations out in reductions and element-wise operations, in f32 for narrower " +
			"types.",
		About: []op.Code{op.BatchNormInference, op.BatchNormTraining, op.BatchNormGrad},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if expand := batchNorms[i.Code()]; expand != nil && i.Operand(0).IsStatic() {
					b := newBatchNorm(i)
					return b.finish(expand(b))
				}
				return nil, nil
			})
		},
	}
}

var batchNorms = [op.NumCodes]func(*batchNorm) *hlo.Instruction{op.BatchNormInference: (*batchNorm).inference,
	op.BatchNormTraining: (*batchNorm).training, op.BatchNormGrad: (*batchNorm).grad}

// batchNorm makes one expansion.
type batchNorm struct {
	maker
	i        *hlo.Instruction
	t        shape.ElementType // of the arithmetic
	data     shape.Shape       // of the operand, in t
	feature  int
	others   []int // the dimensions that are summed over
	count    float64
	operands []*hlo.Instruction // in t
	sum      *hlo.Computation   // x + y, made when needed
}

func newBatchNorm(i *hlo.Instruction) *batchNorm {
	x := i.Operand(0).Shape()
	b := &batchNorm{maker: maker{c: i.Computation()}, i: i, t: x.Type, count: 1,
		feature: i.Attrs().(*op.BatchNormAttrs).FeatureIndex}
	if x.Type != shape.F64 {
		b.t = shape.F32
	}
	b.data = shape.Make(b.t, x.Dims...)
	for d, n := range x.Dims {
		if d != b.feature {
			b.others = append(b.others, d)
			b.count *= float64(n)
		}
	}
	for _, o := range i.Operands() {
		b.operands = append(b.operands, b.convert(o, b.t))
	}
	return b
}

func (b *batchNorm) binary(code op.Code, x, y *hlo.Instruction) *hlo.Instruction {
	return b.add(code, nil, x, y)
}

// spreadFeature returns x, one value a feature, for each element of the data.
func (b *batchNorm) spreadFeature(x *hlo.Instruction) *hlo.Instruction {
	return b.broadcast(x, b.data, b.feature)
}

// total returns the sum of x, which is like the data, over each feature.
func (b *batchNorm) total(x *hlo.Instruction) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	if b.sum == nil {
		b.sum = b.reducer(op.Add, b.t)
	}
	return b.shaped(op.Reduce, shape.Shape{}, &op.ReduceAttrs{Dimensions: b.others},
		[]*hlo.Instruction{x, b.number(b.t, 0)}, b.sum)
}

// mean returns the mean of x over each feature.
func (b *batchNorm) mean(x *hlo.Instruction) *hlo.Instruction {
	n := b.number(b.t, b.count)
	return b.binary(op.Divide, b.total(x), b.broadcast(n, b.featureShape()))
}

// featureShape is the shape of one value a feature.
func (b *batchNorm) featureShape() shape.Shape { return shape.Make(b.t, b.data.Dims[b.feature]) }

// shifted returns variance + epsilon.
func (b *batchNorm) shifted(variance *hlo.Instruction) *hlo.Instruction {
	epsilon := b.number(b.t, float64(b.i.Attrs().(*op.BatchNormAttrs).Epsilon))
	return b.binary(op.Add, variance, b.broadcast(epsilon, b.featureShape()))
}

// deviation returns sqrt(variance + epsilon).
func (b *batchNorm) deviation(variance *hlo.Instruction) *hlo.Instruction {
	return b.add(op.Sqrt, &op.UnaryAttrs{}, b.shifted(variance))
}

// normalize returns scale * centred / deviation + offset.
func (b *batchNorm) normalize(centred, scale, offset, deviation *hlo.Instruction) *hlo.Instruction {
	factor := b.spreadFeature(b.binary(op.Divide, scale, deviation))
	return b.binary(op.Add, b.binary(op.Multiply, centred, factor), b.spreadFeature(offset))
}

func (b *batchNorm) inference() *hlo.Instruction {
	x, scale, offset, mean, variance := b.operands[0], b.operands[1], b.operands[2], b.operands[3], b.operands[4]
	centred := b.binary(op.Subtract, x, b.spreadFeature(mean))
	return b.convert(b.normalize(centred, scale, offset, b.deviation(variance)), b.i.Type())
}

func (b *batchNorm) training() *hlo.Instruction {
	x, scale, offset := b.operands[0], b.operands[1], b.operands[2]
	mean := b.mean(x)
	centred := b.binary(op.Subtract, x, b.spreadFeature(mean))
	variance := b.mean(b.binary(op.Multiply, centred, centred))
	return b.results(b.normalize(centred, scale, offset, b.deviation(variance)), mean, variance)
}

// grad returns the gradients by operand, scale and offset, with c = x - mean, d = deviation:
// scale/d * (dy - mean(dy) - c*mean(dy*c)/d^2), sum(dy*c)/d, sum(dy).
func (b *batchNorm) grad() *hlo.Instruction {
	x, scale, mean, variance, dy := b.operands[0], b.operands[1], b.operands[2], b.operands[3], b.operands[4]
	shifted := b.shifted(variance)
	deviation := b.add(op.Sqrt, &op.UnaryAttrs{}, shifted)
	centred := b.binary(op.Subtract, x, b.spreadFeature(mean))
	covariance, offset := b.total(b.binary(op.Multiply, dy, centred)), b.total(dy)
	n := b.broadcast(b.number(b.t, b.count), b.featureShape())
	slope := b.binary(op.Divide, b.binary(op.Divide, covariance, shifted), n)
	rest := b.binary(op.Subtract, dy, b.spreadFeature(b.binary(op.Divide, offset, n)))
	rest = b.binary(op.Subtract, rest, b.binary(op.Multiply, b.spreadFeature(slope), centred))
	dx := b.binary(op.Multiply, b.spreadFeature(b.binary(op.Divide, scale, deviation)), rest)
	return b.results(dx, b.binary(op.Divide, covariance, deviation), offset)
}

// results returns the tuple of values, each in the type of the result.
func (b *batchNorm) results(values ...*hlo.Instruction) *hlo.Instruction {
	for k, s := range b.i.Shape().Elems {
		values[k] = b.convert(values[k], s.Type)
	}
	return b.tuple(values...)
}
