package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// trainer holds the compiled step, the training set and the weights so far.
type trainer struct {
	client  *xla.Client
	exe     *xla.Executable
	x, y    literal.Literal
	weights []literal.Literal
}

func newTrainer(ctx context.Context, dir string) (*trainer, error) {
	arrays, err := npy.Open(filepath.Join(dir, "digits_train_init.npz"))
	if err != nil {
		return nil, err
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		return nil, err
	}
	data := npy.Map(arrays)
	t := &trainer{client: client, x: data["x"], y: data["y"]}
	for _, name := range weightNames {
		t.weights = append(t.weights, data[name])
	}
	prog, err := xla.Load(filepath.Join(dir, "digits_train_step.hlo"))
	if err != nil {
		return nil, err
	}
	t.exe, err = client.Compile(ctx, prog)
	return t, err
}

// step runs training step s on its batch and returns the loss.
func (t *trainer) step(ctx context.Context, s int) (float32, error) {
	x, y := batch(t.x, t.y, s)
	args := append([]literal.Literal{x, y, literal.Of(learningRate)}, t.weights...)
	out, err := t.exe.Run(ctx, args...)
	if err != nil {
		return 0, err
	}
	t.weights = out[1:]
	return literal.Values[float32](out[0])[0], nil
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
