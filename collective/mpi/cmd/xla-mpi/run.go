//go:build linux && (amd64 || arm64)

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi"
	"github.com/goxla/xla/internal/runio"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// runFlags are the flags of xla-mpi run.
type runFlags struct {
	runio.Flags
	timeout time.Duration
}

// rankWord stands for the number of the process in names of files.
const rankWord = "{rank}"

func newRun(w *world) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program on arrays from files or on random ones",
		Long: `Run a program on replicas x partitions devices, which the processes share evenly, process 0 having
the first ones.

Inputs are .npz, .npy or .safetensors files; their arrays are keyed 0, 1, ... in parameter order
(leaves of tuples counted one by one) or by parameter name. K@D is array K of device D (replica *
partitions + partition), a plain key goes to all devices; of a parameter that the program splits over
the partitions it may be the whole array. Every process reads all files; of a file with {rank} in
its name each process reads its own.

Process 0 prints the results of all devices and writes them to the output file. An output file with
{rank} in its name is one for each process, with the results of its devices.`,
		Example: `  mpirun -n 4 xla-mpi run model.hlo --input inputs.npz --print
  mpirun -n 4 xla-mpi run model.hlo --input weights.npz --input 'rows.{rank}.npy' --output 'out.{rank}.npz'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			t, err := w.join(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			j := &job{runFlags: f, world: w, transport: t, path: args[0], out: cmd.OutOrStdout(), warnings: cmd.ErrOrStderr()}
			return j.run(cmd.Context())
		},
	}
	f.Declare(cmd.Flags())
	cmd.Flags().DurationVar(&f.timeout, "timeout", collective.DefaultTimeout, "how long a device waits for others")
	return cmd
}

// check refuses flags that make no sense.
func (f *runFlags) check(set runio.FlagSet) error {
	switch {
	case f.timeout <= 0:
		return fmt.Errorf("--timeout: expects more than 0, got %v", f.timeout)
	case f.Whole && strings.Contains(f.Output, rankWord):
		return fmt.Errorf("--whole: expects one --output file, got %s, one for each process", f.Output)
	}
	return f.Check(set)
}

// job is one run in this process.
type job struct {
	runFlags
	world         *world
	transport     *mpi.Transport
	path          string
	out, warnings io.Writer
}

// first reports whether this process is the one that prints.
func (j *job) first() bool { return j.transport.Rank() == 0 }

// own puts the number of the process into the name of a file.
func (j *job) own(name string) string {
	return strings.ReplaceAll(name, rankWord, strconv.Itoa(j.transport.Rank()))
}

func (j *job) run(ctx context.Context) error {
	arrays := j.Arrays()
	arrays.Files = nil
	for _, name := range j.Inputs {
		arrays.Files = append(arrays.Files, j.own(name))
	}
	prog, err := runio.Load(j.path, arrays)
	if err != nil {
		return err
	}
	if j.first() {
		for _, text := range runio.Warnings(prog) {
			fmt.Fprintf(j.warnings, "warning: %s: %s\n", j.path, text)
		}
	}
	exe, err := j.compile(ctx, prog, j.Backend)
	if err != nil {
		return failure{err}
	}
	if arrays.Devices, err = j.transport.Local(exe.Devices()); err != nil {
		return err
	}
	j.world.each = len(arrays.Devices)
	in, err := runio.Read(exe, arrays)
	if err != nil {
		return err
	}
	out, err := exe.RunReplicated(ctx, in.Args)
	if err != nil {
		return failure{err}
	}
	return j.finish(ctx, prog, exe, in, out)
}

func (j *job) compile(ctx context.Context, prog *xla.Program, backend string) (*xla.Executable, error) {
	b, err := runio.Backend(backend)
	if err != nil {
		return nil, err
	}
	client, err := xla.NewClient(xla.Options{Backend: b, Transport: j.transport, CollectiveTimeout: j.timeout,
		Threads: j.Threads, FlushDenormals: j.FlushDenormals, AllowExcessPrecision: j.ExcessPrecision})
	if err != nil {
		return nil, err
	}
	return client.Compile(ctx, prog, xla.WithDevices(j.Replicas, j.Partitions))
}

// finish writes, prints and compares results.
func (j *job) finish(ctx context.Context, prog *xla.Program, exe *xla.Executable, in *runio.Inputs,
	out [][]literal.Literal) error {
	ownFile := strings.Contains(j.Output, rankWord)
	if ownFile {
		if err := npy.Save(j.own(j.Output), runio.NameResults(out)); err != nil {
			return err
		}
	}
	if ownFile && !j.Print && j.Compare == "" { // nobody needs the results of the other processes
		if !j.first() {
			return nil
		}
		results := runio.NameResults(out)
		runio.Report(j.out, results, false)
		return ofResults(runio.Judge(j.out, results, in, j.Tolerance))
	}
	out, err := gather(ctx, j.transport, out, j.timeout)
	if err != nil {
		return failure{err}
	}
	want, err := j.reference(ctx, prog, in)
	if err != nil || !j.first() {
		return err
	}
	results, err := runio.Results(exe, out, j.Whole)
	if err != nil {
		return failure{err}
	}
	if text := runio.Unjoined(exe, out); j.Whole && text != "" {
		fmt.Fprintf(j.warnings, "warning: %s: %s\n", j.path, text)
	}
	if j.Output != "" && !ownFile {
		if err := npy.Save(j.Output, results); err != nil {
			return err
		}
	}
	runio.Report(j.out, results, j.Print)
	judged := ofResults(runio.Judge(j.out, results, in, j.Tolerance))
	if j.Compare == "" {
		return judged
	}
	return errors.Join(judged, ofResults(runio.Compare(j.out, results, want, j.Tolerance)))
}

// ofResults makes an error of a comparison one of the program, where results differ.
func ofResults(err error) error {
	if _, differs := errors.AsType[runio.Difference](err); differs {
		return failure{err}
	}
	return err
}

// reference returns, in process 0, what the results are compared with.
func (j *job) reference(ctx context.Context, prog *xla.Program, in *runio.Inputs) ([]npy.Named, error) {
	switch j.Compare {
	case "":
		return nil, nil
	case "interp":
		exe, err := j.compile(ctx, prog, j.Compare)
		if err != nil {
			return nil, failure{err}
		}
		out, err := exe.RunReplicated(ctx, in.Args)
		if err != nil {
			return nil, failure{err}
		}
		if out, err = gather(ctx, j.transport, out, j.timeout); err != nil || !j.first() {
			return nil, asFailure(err)
		}
		results, err := runio.Results(exe, out, j.Whole)
		return results, asFailure(err)
	}
	if !j.first() {
		return nil, nil
	}
	return npy.Open(j.Compare)
}

// asFailure makes an error one of the program.
func asFailure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}
