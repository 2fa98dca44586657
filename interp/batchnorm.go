package interp

import (
	"math"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// This file holds batch normalisation. All sums run over the elements of one
// feature, in row-major order and in float64; each result is rounded once.
// Spec: OPS.md section 6.

// features tells how an array falls apart by one of its dimensions: the elements of
// feature f are at offsets (o*count + f)*inner + i.
type features struct{ outer, count, inner int }

func newFeatures(dims []int, d int) features {
	f := features{1, dims[d], 1}
	for i, n := range dims {
		switch {
		case i < d:
			f.outer *= n
		case i > d:
			f.inner *= n
		}
	}
	return f
}

// size returns the number of elements of a feature.
func (f features) size() float64 { return float64(f.outer * f.inner) }

// each calls visit with the offset of every element of feature k.
func (f features) each(k int, visit func(at int)) {
	for o := range f.outer {
		for i := range f.inner {
			visit((o*f.count+k)*f.inner + i)
		}
	}
}

// mean returns the mean of value over the elements of feature k.
func (f features) mean(k int, value func(at int) float64) float64 {
	sum := 0.0
	f.each(k, func(at int) { sum += value(at) })
	return sum / f.size()
}

// batchNorm is what the three operations share.
type batchNorm struct {
	features
	x, scale []float64
	epsilon  float64
}

func newBatchNorm(c *call) *batchNorm {
	a := attrs[*op.BatchNormAttrs](c)
	return &batchNorm{features: newFeatures(c.args[0].Dims(), a.FeatureIndex),
		x: toFloats(c.args[0]), scale: toFloats(c.args[1]), epsilon: float64(a.Epsilon)}
}

// normalize returns scale*(x-mean)/sqrt(variance+epsilon) + offset.
func (b *batchNorm) normalize(offset, mean, variance []float64) []float64 {
	y := make([]float64, len(b.x))
	for k := range b.count {
		deviation := math.Sqrt(variance[k] + b.epsilon)
		b.each(k, func(at int) { y[at] = float64(b.scale[k]*(b.x[at]-mean[k])/deviation) + offset[k] })
	}
	return y
}

// evalBatchNormInference takes mean and variance as operands.
func evalBatchNormInference(c *call) (literal.Literal, error) {
	y := newBatchNorm(c).normalize(toFloats(c.args[2]), toFloats(c.args[3]), toFloats(c.args[4]))
	return c.floats(y), nil
}

// evalBatchNormTraining computes mean and variance; the result is (y, mean, variance).
func evalBatchNormTraining(c *call) (literal.Literal, error) {
	b := newBatchNorm(c)
	mean, variance := make([]float64, b.count), make([]float64, b.count)
	for k := range b.count {
		mean[k] = b.mean(k, func(at int) float64 { return b.x[at] })
		variance[k] = b.mean(k, func(at int) float64 { d := b.x[at] - mean[k]; return float64(d * d) })
	}
	return c.floatTuple(b.normalize(toFloats(c.args[2]), mean, variance), mean, variance), nil
}

// evalBatchNormGrad returns the gradients of the training operation by its operand,
// scale and offset, given that by its output.
func evalBatchNormGrad(c *call) (literal.Literal, error) {
	b := newBatchNorm(c)
	mean, variance, dy := toFloats(c.args[2]), toFloats(c.args[3]), toFloats(c.args[4])
	dx, dscale, doffset := make([]float64, len(b.x)), make([]float64, b.count), make([]float64, b.count)
	for k := range b.count {
		v := variance[k] + b.epsilon
		meanDy := b.mean(k, func(at int) float64 { return dy[at] })
		covariance := 0.0
		b.each(k, func(at int) { covariance += float64(dy[at] * (b.x[at] - mean[k])) })
		slope := covariance / v / b.size() // once, not in each term: infinite ones of both signs would make NaN
		dscale[k] = covariance / math.Sqrt(v)
		b.each(k, func(at int) {
			centred := b.x[at] - mean[k]
			dx[at] = b.scale[k] / math.Sqrt(v) * (dy[at] - meanDy - float64(slope*centred))
			doffset[k] += dy[at]
		})
	}
	return c.floatTuple(dx, dscale, doffset), nil
}

// floatTuple returns the result, a tuple of float arrays, with the given elements, each rounded once.
func (c *call) floatTuple(values ...[]float64) literal.Literal {
	elems := make([]literal.Literal, len(values))
	for i, v := range values {
		elems[i] = floatsOf(c.shape.Elems[i], v)
	}
	return literal.MakeTuple(elems...)
}
