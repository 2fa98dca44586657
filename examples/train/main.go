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

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

func main() {
	steps := flag.Int("steps", 400, "number of training steps")
	dir := flag.String("data", filepath.Join("examples", "digits"), "folder of the digits example")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *dir, *steps); err != nil {
		log.Fatal(err)
	}
}

// run trains and tests, and tells what came out on w.
func run(ctx context.Context, w io.Writer, dir string, steps int) error {
	t, err := newTrainer(ctx, dir)
	if err != nil {
		return err
	}
	var out io.Writer // nil: nothing is shown
	if term.IsTerminal(int(os.Stderr.Fd())) {
		out = os.Stderr
	}
	bars := mpb.New(mpb.WithOutput(out))
	bar := bars.AddBar(int64(steps), mpb.PrependDecorators(decor.CountersNoUnit("%d / %d")))
	defer func() {
		bar.Abort(false)
		bars.Wait()
	}()
	start := time.Now()
	for s := range steps {
		loss, err := t.step(ctx, s)
		if err != nil {
			return err
		}
		if s == 0 {
			fmt.Fprintf(w, "first loss %.6f\n", loss)
		}
		bar.Increment()
	}
	accuracy, err := t.test(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d steps in %.1f s; accuracy on the test images %.1f %%\n",
		steps, time.Since(start).Seconds(), 100*accuracy)
	return nil
}
