package main

import (
	"context"
	_ "embed" // the forward program
	"path/filepath"
	"slices"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

const (
	batchSize    = 128
	classes      = 10
	pixels       = 64
	learningRate = float32(0.1)
)

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

// test returns the share of the test images that the weights of t classify right.
func (t *trainer) test(ctx context.Context, dir string) (float64, error) {
	arrays, err := npy.Open(filepath.Join(dir, "digits_test.npz"))
	if err != nil {
		return 0, err
	}
	data := npy.Map(arrays)
	prog, err := xla.Parse("digits_forward.hlo", forward)
	if err != nil {
		return 0, err
	}
	exe, err := t.client.Compile(ctx, prog)
	if err != nil {
		return 0, err
	}
	out, err := exe.Run(ctx, append([]literal.Literal{data["x"]}, t.weights...)...)
	if err != nil {
		return 0, err
	}
	scores, labels, right := literal.Values[float32](out[0]), literal.Values[int32](data["y"]), 0
	for i, label := range labels {
		if row := scores[i*classes : (i+1)*classes]; row[label] == slices.Max(row) {
			right++
		}
	}
	return float64(right) / float64(len(labels)), nil
}
