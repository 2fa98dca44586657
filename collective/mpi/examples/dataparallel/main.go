//go:build linux && (amd64 || arm64)

// Command dataparallel trains a small network for handwritten digits on four devices, which the processes of an MPI
// world share: each device computes the gradient of a quarter of the batch, and an all-reduce sums them.
//
//	go build ./examples/dataparallel
//	mpirun -n 4 ./dataparallel -data ../../examples/digits
//
// The losses are the same, bit for bit, with 1, 2 and 4 processes.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/goxla/xla/collective/mpi"
)

func main() {
	steps := flag.Int("steps", 500, "number of training steps")
	every := flag.Int("every", 50, "print the loss of every so many steps")
	dir := flag.String("data", filepath.Join("..", "..", "examples", "digits"), "folder of the digits example")
	flag.Parse()
	log.SetFlags(0)
	transport, err := mpi.New(mpi.Options{})
	if err != nil {
		log.Fatal(err)
	}
	out := io.Writer(os.Stdout)
	if transport.Rank() != 0 {
		out = io.Discard // process 0 alone prints
	} else if text := mpi.IdleCores(); text != "" {
		log.Print("warning: ", text)
	}
	err = run(context.Background(), out, transport, *dir, *steps, max(*every, 1))
	if err == nil {
		err = transport.Close()
	}
	if err != nil { // the other processes must not wait for this one
		log.Printf("process %d: %v", transport.Rank(), err)
		_ = transport.Abort(1) // it does not return, or os.Exit follows
		os.Exit(1)
	}
	transport.Exit(0)
}

// run trains and tests, and tells what came out on w.
func run(ctx context.Context, w io.Writer, transport *mpi.Transport, dir string, steps, every int) error {
	t, err := newTrainer(ctx, transport, dir)
	if err != nil {
		return err
	}
	for s := range steps {
		loss, err := t.step(ctx, s)
		if err != nil {
			return err
		}
		if s%every == 0 || s == steps-1 {
			fmt.Fprintf(w, "step %d loss %x (%.6f)\n", s, loss, loss)
		}
	}
	accuracy, err := t.test(ctx, dir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "accuracy on the test images %.1f %%\n", 100*accuracy)
	return err
}
