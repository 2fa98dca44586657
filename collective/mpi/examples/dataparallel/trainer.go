//go:build linux && (amd64 || arm64)

package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective/mpi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// trainer holds the compiled step, the training set, and the weights of the devices of this process.
type trainer struct {
	exe     *xla.Executable
	local   []int // the devices of this process
	x, y    literal.Literal
	weights [][]literal.Literal // by device
}

func newTrainer(ctx context.Context, transport *mpi.Transport, dir string) (*trainer, error) {
	arrays, err := npy.Open(filepath.Join(dir, "digits_train_init.npz"))
	if err != nil {
		return nil, err
	}
	data := npy.Map(arrays)
	t := &trainer{x: data["x"], y: data["y"], weights: make([][]literal.Literal, devices)}
	if t.local, err = transport.Local(devices); err != nil {
		return nil, err
	}
	for _, d := range t.local {
		t.weights[d] = initialWeights()
	}
	client, err := xla.NewClient(xla.Options{Transport: transport})
	if err != nil {
		return nil, err
	}
	module, err := trainStep()
	if err != nil {
		return nil, err
	}
	t.exe, err = client.Compile(ctx, module)
	return t, err
}

// step runs training step s on the devices of this process and returns the loss of the whole batch.
func (t *trainer) step(ctx context.Context, s int) (float32, error) {
	args := make([][]literal.Literal, devices)
	for _, d := range t.local {
		args[d] = append(t.rows(s, d), t.weights[d]...)
	}
	out, err := t.exe.RunReplicated(ctx, args)
	if err != nil {
		return 0, err
	}
	for _, d := range t.local {
		t.weights[d] = out[d][1:]
	}
	return literal.Values[float32](out[t.local[0]][0])[0], nil
}

// rows returns the images and labels of device d in step s: the images are gone through again and again.
func (t *trainer) rows(s, d int) []literal.Literal {
	const rows = batch / devices
	allX, allY := literal.Values[float32](t.x), literal.Values[int32](t.y)
	x, y := literal.New(shape.Make(shape.F32, rows, pixels)), literal.New(shape.Make(shape.F32, rows, classes))
	for i := range rows {
		row := (batch*s + rows*d + i) % len(allY)
		copy(literal.Values[float32](x)[i*pixels:], allX[row*pixels:(row+1)*pixels])
		literal.Set(y, float32(1), i, int(allY[row]))
	}
	return []literal.Literal{x, y}
}

// test returns the share of the test images that the weights classify right. It runs in this process alone.
func (t *trainer) test(ctx context.Context, dir string) (float64, error) {
	arrays, err := npy.Open(filepath.Join(dir, "digits_test.npz"))
	if err != nil {
		return 0, err
	}
	data := npy.Map(arrays)
	labels := literal.Values[int32](data["y"])
	x, err := data["x"].Reshape(len(labels), pixels)
	if err != nil {
		return 0, err
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		return 0, err
	}
	module, err := forward(len(labels))
	if err != nil {
		return 0, err
	}
	exe, err := client.Compile(ctx, module)
	if err != nil {
		return 0, err
	}
	out, err := exe.Run(ctx, append([]literal.Literal{x}, t.weights[t.local[0]]...)...)
	if err != nil {
		return 0, err
	}
	scores, right := literal.Values[float32](out[0]), 0
	for i, label := range labels {
		if row := scores[i*classes : (i+1)*classes]; row[label] == slices.Max(row) {
			right++
		}
	}
	return float64(right) / float64(len(labels)), nil
}
