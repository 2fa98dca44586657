//go:build linux && (amd64 || arm64)

// Command xla-mpi runs and tests array programs on the devices of several processes,
// which an MPI launcher starts:
//
//	mpirun -n 4 xla-mpi run model.hlo --input inputs.npz --print
//	mpirun -n 2 xla-mpi test testdata/ops
//
// Exit status: 0 done; 1 the program failed or a case differs; 2 the command line or an
// input is wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi"
)

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// failure is an error of the program, not of the command line.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// graceTime is how long a process that failed waits before it ends all of them, so that
// the others can tell what happened to them.
const graceTime = 500 * time.Millisecond

func main() {
	w := &world{}
	status := execute(context.Background(), w, os.Args[1:], os.Stdout, os.Stderr)
	if w.transport != nil && status == exitDone {
		w.transport.Exit(status)
	}
	os.Exit(status)
}

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, w *world, args []string, stdout, stderr io.Writer) int {
	root := newRoot(w)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = w.close()
	}
	if err == nil {
		return exitDone
	}
	status := exitUsage
	if _, failed := errors.AsType[failure](err); failed {
		status = exitFailed
	}
	w.fail(stderr, err, status)
	return status
}

func newRoot(w *world) *cobra.Command {
	root := &cobra.Command{
		Use:           "xla-mpi",
		Short:         "Runs and tests array programs (HLO) on the devices of several processes",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().StringVar(&w.library, "mpi", "",
		"the MPI library (default: "+mpi.LibraryVariable+", otherwise that of the launcher)")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newRun(w), newTest(w))
	return root
}

// world is the MPI world of this process, once a command has joined it.
type world struct {
	library   string
	transport *mpi.Transport
	each      int // devices a process; 0: not known
}

// join initializes MPI. Process 0 warns of cores that lie idle.
func (w *world) join(warnings io.Writer) (*mpi.Transport, error) {
	t, err := mpi.New(mpi.Options{Library: w.library})
	w.transport = t
	if text := mpi.IdleCores(); err == nil && text != "" && t.Rank() == 0 {
		fmt.Fprintf(warnings, "warning: %s\n", text)
	}
	return t, err
}

func (w *world) close() error {
	if w.transport == nil {
		return nil
	}
	if err := w.transport.Close(); err != nil {
		return failure{err}
	}
	return nil
}

// fail prints the error and ends all processes of the world.
func (w *world) fail(stderr io.Writer, err error, status int) {
	if w.transport == nil {
		fmt.Fprintln(stderr, err)
		return
	}
	fmt.Fprintf(stderr, "process %d of %d: %v%s\n", w.transport.Rank(), w.transport.Size(), err, w.missing(err))
	time.Sleep(graceTime)
	if err := w.transport.Abort(status); err != nil {
		fmt.Fprintln(stderr, err)
	}
}

// missing says which processes did not come, if that is what err says of devices.
func (w *world) missing(err error) string {
	m, ok := errors.AsType[*collective.MissingError](err)
	if !ok || len(m.Missing) == 0 || w.each == 0 {
		return ""
	}
	var ranks []int
	for _, a := range m.Missing {
		ranks = append(ranks, a.Device/w.each)
	}
	slices.Sort(ranks)
	return fmt.Sprintf("; missing processes: %v", slices.Compact(ranks))
}
