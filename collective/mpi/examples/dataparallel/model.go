//go:build linux && (amd64 || arm64)

package main

import (
	"math"
	"math/rand/v2"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

const (
	pixels, hidden, classes = 64, 96, 10
	// batch is the number of images of a step, of which each of the devices takes as many.
	batch, devices = 128, 4
	learningRate   = 0.5
)

// trainStep builds the step of one device: from its images x, their labels y (one-hot) and the weights to the loss
// of the whole batch and the new weights. Gradients are summed over the devices, so that all have the same weights.
func trainStep() (*hlo.Module, error) {
	b := builder.NewWith("train_step", builder.Options{Replicas: devices})
	const rows = batch / devices
	f32 := func(dims ...int) shape.Shape { return shape.Make(shape.F32, dims...) }
	x := b.Parameter(0, f32(rows, pixels), "x")
	y := b.Parameter(1, f32(rows, classes), "y")
	w1 := b.Parameter(2, f32(pixels, hidden), "w1")
	b1 := b.Parameter(3, f32(hidden), "b1")
	w2 := b.Parameter(4, f32(hidden, classes), "w2")
	b2 := b.Parameter(5, f32(classes), "b2")

	zero := b.Zero(shape.F32)
	sum := func(x builder.Op, dims ...int) builder.Op { return builder.Reduce(x, zero, dims, builder.Add) }
	sums := builder.Add(builder.Dot(x, w1), b1, 1) // [rows, hidden]
	h := builder.Max(sums, zero)
	scores := builder.Add(builder.Dot(h, w2), b2, 1) // [rows, classes]

	highest := builder.Reduce(scores, b.MinValue(shape.F32), []int{1}, builder.Max)
	shifted := builder.Sub(scores, highest, 0)
	exps := builder.Exp(shifted)
	total := sum(exps, 1)
	logs := builder.Sub(shifted, builder.Log(total), 0)
	share := b.Const(float32(1.0 / batch))
	loss := builder.Neg(builder.Mul(sum(builder.Mul(y, logs), 0, 1), share))

	dScores := builder.Mul(builder.Sub(builder.Div(exps, total, 0), y), share)
	dw2, db2 := builder.Dot(builder.Transpose(h, 1, 0), dScores), sum(dScores, 0)
	through := builder.Dot(dScores, builder.Transpose(w2, 1, 0))
	dSums := builder.Select(builder.Gt(sums, zero), through, builder.Broadcast(zero, rows, hidden))
	dw1, db1 := builder.Dot(builder.Transpose(x, 1, 0), dSums), sum(dSums, 0)

	all := builder.AllReduce(b.Tuple(loss, dw1, db1, dw2, db2), builder.Add) // over all devices
	results := []builder.Op{builder.GetTupleElement(all, 0)}
	rate := b.Const(float32(learningRate))
	for k, w := range []builder.Op{w1, b1, w2, b2} {
		results = append(results, builder.Sub(w, builder.Mul(builder.GetTupleElement(all, k+1), rate)))
	}
	return b.BuildTuple(results...)
}

// forward builds the network for n images: from images and weights to scores.
func forward(n int) (*hlo.Module, error) {
	b := builder.New("forward")
	f32 := func(dims ...int) shape.Shape { return shape.Make(shape.F32, dims...) }
	x := b.Parameter(0, f32(n, pixels), "x")
	w1 := b.Parameter(1, f32(pixels, hidden), "w1")
	b1 := b.Parameter(2, f32(hidden), "b1")
	w2 := b.Parameter(3, f32(hidden, classes), "w2")
	b2 := b.Parameter(4, f32(classes), "b2")
	h := builder.Max(builder.Add(builder.Dot(x, w1), b1, 1), b.Zero(shape.F32))
	return b.Build(builder.Add(builder.Dot(h, w2), b2, 1))
}

// initialWeights are the same on all devices: random numbers from one seed.
func initialWeights() []literal.Literal {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(rows, columns int) literal.Literal {
		w := literal.New(shape.Make(shape.F32, rows, columns))
		for i := range literal.Values[float32](w) {
			literal.Values[float32](w)[i] = float32(rng.NormFloat64() * math.Sqrt(2/float64(rows)))
		}
		return w
	}
	return []literal.Literal{random(pixels, hidden), literal.New(shape.Make(shape.F32, hidden)), random(hidden, classes),
		literal.New(shape.Make(shape.F32, classes))}
}
