// Command train drives a training step, exported from JAX as HLO text, for some
// hundred steps of gradient descent, and tests the weights that come out.
//
//	go run ./examples/train [-steps 400]
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

var weightNames = []string{"w1", "b1", "w2", "b2", "w3", "b3", "w4", "b4"}

func main() {
	steps := flag.Int("steps", 400, "number of training steps")
	dir := flag.String("data", filepath.Join("examples", "digits"), "folder of the digits example")
	flag.Parse()
	if err := run(context.Background(), *dir, *steps); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, dir string, steps int) error {
	t, err := newTrainer(ctx, dir)
	if err != nil {
		return err
	}
	bar := progressbar.NewOptions(steps, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount())
	start := time.Now()
	for s := range steps {
		loss, err := t.step(ctx, s)
		if err != nil {
			return err
		}
		if s == 0 {
			fmt.Printf("first loss %.6f\n", loss)
		}
		bar.Describe(fmt.Sprintf("loss %.4f", loss))
		_ = bar.Add(1) // a display only
	}
	accuracy, err := t.test(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d steps in %.1f s; accuracy on the test images %.1f %%\n",
		steps, time.Since(start).Seconds(), 100*accuracy)
	return nil
}

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
