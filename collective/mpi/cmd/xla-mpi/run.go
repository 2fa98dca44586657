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
	inputs               []string
	random               uint64
	isRandom             bool
	output               string
	print, whole         bool
	backend, compare     string
	rtol                 runio.Tolerance
	replicas, partitions int
	threads              int
	timeout              time.Duration
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
			f.isRandom, f.rtol.Given = cmd.Flags().Changed("random"), cmd.Flags().Changed("rtol")
			if err := f.check(); err != nil {
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
	flags := cmd.Flags()
	flags.StringArrayVar(&f.inputs, "input", nil, "file with input arrays; may be given again")
	flags.Uint64Var(&f.random, "random", 0, "fill the parameters with random numbers from this seed")
	flags.StringVar(&f.output, "output", "", "write the results to this .npz, .npy or .safetensors file")
	flags.BoolVar(&f.print, "print", false, "print the results as HLO literals")
	flags.BoolVar(&f.whole, "whole", false, "put the results of the partitions together")
	flags.StringVar(&f.backend, "backend", "cpu", "what runs the program: cpu (the compiler) or interp (the evaluator)")
	flags.StringVar(&f.compare, "compare", "", "compare the results: interp, or a file of arrays")
	flags.Float64Var(&f.rtol.RTol, "rtol", 1e-4, "tolerance of --compare: max|got-want| <= rtol * max|want|;\n"+
		"if not given, results of narrow types may be a step off")
	flags.IntVar(&f.replicas, "replicas", 0, "number of replicas (default: as the program says)")
	flags.IntVar(&f.partitions, "partitions", 0, "number of partitions (default: as the program says)")
	flags.IntVar(&f.threads, "threads", 0, "number of threads of a device (default: the cores of the process)")
	flags.DurationVar(&f.timeout, "timeout", collective.DefaultTimeout, "how long a device waits for others")
	return cmd
}

// check refuses flags that make no sense.
func (f runFlags) check() error {
	switch {
	case f.replicas < 0 || f.partitions < 0:
		return fmt.Errorf("--replicas, --partitions: expects 1 or more, got %d and %d", f.replicas, f.partitions)
	case f.threads < 0:
		return fmt.Errorf("--threads: expects 1 or more, got %d", f.threads)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout: expects more than 0, got %v", f.timeout)
	case !(f.rtol.RTol >= 0): // NaN too
		return fmt.Errorf("--rtol: expects 0 or more, got %g", f.rtol.RTol)
	case f.whole && strings.Contains(f.output, rankWord):
		return fmt.Errorf("--whole: expects one --output file, got %s, one for each process", f.output)
	}
	_, err := backendByName(f.backend)
	return err
}

func backendByName(name string) (xla.Backend, error) {
	var names []string
	for _, b := range []xla.Backend{xla.CPU(), xla.Interp()} {
		if b.Name() == name {
			return b, nil
		}
		names = append(names, b.Name())
	}
	return nil, fmt.Errorf("--backend: expects one of %v, got %q", names, name)
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
	arrays := runio.Options{Random: j.isRandom, Seed: j.random}
	for _, name := range j.inputs {
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
	exe, err := j.compile(ctx, prog, j.backend)
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
	b, err := backendByName(backend)
	if err != nil {
		return nil, err
	}
	client, err := xla.NewClient(xla.Options{Backend: b, Transport: j.transport, CollectiveTimeout: j.timeout,
		Threads: j.threads})
	if err != nil {
		return nil, err
	}
	return client.Compile(ctx, prog, xla.WithDevices(j.replicas, j.partitions))
}

// finish writes, prints and compares results.
func (j *job) finish(ctx context.Context, prog *xla.Program, exe *xla.Executable, in *runio.Inputs,
	out [][]literal.Literal) error {
	ownFile := strings.Contains(j.output, rankWord)
	if ownFile {
		if err := npy.Save(j.own(j.output), runio.NameResults(out)); err != nil {
			return err
		}
	}
	if ownFile && !j.print && j.compare == "" { // nobody needs the results of the other processes
		if !j.first() {
			return nil
		}
		return runio.Report(j.out, runio.NameResults(out), false, in.Rest)
	}
	out, err := gather(ctx, j.transport, out, j.timeout)
	if err != nil {
		return failure{err}
	}
	want, err := j.reference(ctx, prog, in)
	if err != nil || !j.first() {
		return err
	}
	results, err := runio.Results(exe, out, j.whole)
	if err != nil {
		return failure{err}
	}
	if j.output != "" && !ownFile {
		if err := npy.Save(j.output, results); err != nil {
			return err
		}
	}
	if err := runio.Report(j.out, results, j.print, in.Rest); err != nil || j.compare == "" {
		return err
	}
	err = runio.Compare(j.out, results, want, j.rtol)
	if _, differs := errors.AsType[runio.Difference](err); differs {
		return failure{err}
	}
	return err
}

// reference returns, in process 0, what the results are compared with.
func (j *job) reference(ctx context.Context, prog *xla.Program, in *runio.Inputs) ([]npy.Named, error) {
	switch j.compare {
	case "":
		return nil, nil
	case "interp":
		exe, err := j.compile(ctx, prog, j.compare)
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
		results, err := runio.Results(exe, out, j.whole)
		return results, asFailure(err)
	}
	if !j.first() {
		return nil, nil
	}
	return npy.Open(j.compare)
}

// asFailure makes an error one of the program.
func asFailure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}
