package main

import (
	_ "embed" // the forward program

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

const (
	batchSize    = 128
	classes      = 10
	pixels       = 64
	learningRate = float32(0.1)
)

// weightNames are the weights in the order of the step's parameters and results.
var weightNames = []string{"w1", "b1", "w2", "b2", "w3", "b3", "w4", "b4"}

// forward is the network without its training: images and weights to scores.
//
//go:embed digits_forward.hlo
var forward []byte

// batch returns the images and labels of step s: rows (batchSize*s + i) mod the
// number of images, so that the set is gone through again and again.
func batch(x, y literal.Literal, s int) (images, labels literal.Literal) {
	allX, allY := literal.Values[float32](x), literal.Values[int32](y)
	images = literal.New(shape.Make(shape.F32, batchSize, 8, 8, 1))
	labels = literal.New(shape.Make(shape.S32, batchSize))
	for i := range batchSize {
		row := (batchSize*s + i) % len(allY)
		copy(literal.Values[float32](images)[i*pixels:], allX[row*pixels:(row+1)*pixels])
		literal.Values[int32](labels)[i] = allY[row]
	}
	return images, labels
}
