// Command train drives a training step, exported from JAX as HLO text, for some
// hundred steps of gradient descent, and tests the weights that come out.
//
//	go run ./examples/train [-steps 400]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/goxla/xla/internal/bar"
)

func main() {
	steps := flag.Int("steps", 400, "number of training steps")
	dir := flag.String("data", filepath.Join("examples", "digits"), "folder of the digits, from that of the module")
	flag.Parse()
	if *steps < 1 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, *dir, *steps); err != nil {
		log.Fatalf("%v (-data names the folder of the data)", err)
	}
}

// run trains and tests, and tells what came out on w.
func run(ctx context.Context, w io.Writer, dir string, steps int) error {
	t, err := newTrainer(ctx, dir)
	if err != nil {
		return err
	}
	progress := bar.New(w, steps, true)
	start := time.Now()
	for s := range steps {
		loss, err := t.step(ctx, s)
		if err != nil {
			progress.End()
			return err
		}
		if s == 0 {
			fmt.Fprintf(progress.Lines(), "first loss %.6f\n", loss)
		}
		progress.Step()
	}
	progress.End()
	accuracy, err := t.test(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d steps in %.1f s; accuracy on the test images %.1f %%\n",
		steps, time.Since(start).Seconds(), 100*accuracy)
	return nil
}
