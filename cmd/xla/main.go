// Command xla runs, tests, converts and shows array programs.
//
// Exit status: 0 done; 1 the program failed or a comparison differs; 2 the command
// line or an input is wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// garbagePercent is GOGC where the environment does not say: a command has little on the heap but the results of runs,
// and after every third run the collector would go through it.
const garbagePercent = 150

// failure is an error of the program or a comparison, not of the command line.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(stderr, err)
	if _, failed := errors.AsType[failure](err); failed {
		return exitFailed
	}
	return exitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "xla",
		Short: "Runs, tests, converts and shows array programs (HLO)",
		Long: `Runs, tests, converts and shows array programs (HLO).

Exit status: 0 done; 1 the program failed or a comparison differs; 2 the command line or
an input is wrong.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newRun(), newTest(), newBench(), newConvert(), newOpt(), newShow(), newOps(), newVersion())
	return root
}

// arguments checks that a command got from least to most arguments; a negative most means
// any number.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && (most < 0 || len(args) <= most) {
			return nil
		}
		return fmt.Errorf("expects the arguments of %q, got %d", cmd.UseLine(), len(args))
	}
}
