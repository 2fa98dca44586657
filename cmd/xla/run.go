package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/runio"
	"github.com/goxla/xla/literal/npy"
)

// runFlags are the flags of xla run.
type runFlags struct {
	inputs    []string
	random    uint64
	output    string
	print     bool
	whole     bool
	backend   string
	compare   string
	rtol      float64
	rtolGiven bool
	dump      string
	// replicas and partitions are 0 where the program tells.
	replicas, partitions int
	threads              int
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program on arrays from files or on random ones",
		Long: `Run a program. Inputs are .npz, .npy or .safetensors files; their arrays are keyed 0, 1, ...
in parameter order (leaves of tuples counted one by one) or by parameter name (a trailing .N
ignored); the one array of a .npy file has the key 0, and arr_0, arr_1, ... of np.savez are 0,
1, ... where nothing else is. Types that NumPy lacks, such as bf16,
are read from unsigned integers of their width and from what np.save writes for them.

Arrays that are no parameter's are used to judge the result: integer labels y (or labels)
give an accuracy, and an array of the shape of an output, such as logits, is compared with it.
--compare FILE compares every result: with the arrays 0, 1, ... of the file, in result order.

On several devices K@D is array K of device D (replica * partitions + partition), a plain key
goes to all, and results are named in the same way. Of a parameter that the program splits over the
partitions a plain key may be the whole array; with --whole results are whole too.`,
		Example: `  xla run model.hlo --input inputs.npz --compare results.npz --rtol 1e-5
  xla run model.hlo --random 1 --output results.npz`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			random := cmd.Flags().Changed("random")
			f.rtolGiven = cmd.Flags().Changed("rtol")
			return runProgram(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], f, random)
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
	flags.IntVar(&f.replicas, "replicas", 0, "number of replicas (default: as the program says)")
	flags.IntVar(&f.partitions, "partitions", 0, "number of partitions (default: as the program says)")
	flags.IntVar(&f.threads, "threads", 0, "number of threads of a device (default: as many as there are CPUs)")
	flags.Float64Var(&f.rtol, "rtol", 1e-4, "tolerance of --compare: max|got-want| <= rtol * max|want|;\n"+
		"if not given, results of narrow types may be a step off")
	flags.StringVar(&f.dump, "dump", "", "write the program as read, and its signature, into this folder")
	return cmd
}

// check refuses flags that make no sense.
func (f runFlags) check() error {
	if f.replicas < 0 || f.partitions < 0 {
		return fmt.Errorf("--replicas, --partitions: expects 1 or more, got %d and %d", f.replicas, f.partitions)
	}
	if f.threads < 0 {
		return fmt.Errorf("--threads: expects 1 or more, got %d", f.threads)
	}
	if !(f.rtol >= 0) { // NaN too
		return fmt.Errorf("--rtol: expects 0 or more, got %g", f.rtol)
	}
	return nil
}

func runProgram(ctx context.Context, w, warnings io.Writer, path string, f runFlags, random bool) error {
	if err := f.check(); err != nil {
		return err
	}
	backend, err := backendByName(f.backend)
	if err != nil {
		return err
	}
	ref, err := newReference(f.compare, runio.Tolerance{RTol: f.rtol, Given: f.rtolGiven})
	if err != nil {
		return err
	}
	arrays := runio.Options{Files: f.inputs, Random: random, Seed: f.random}
	prog, err := runio.Load(path, arrays)
	if err != nil {
		return err
	}
	for _, text := range runio.Warnings(prog) {
		fmt.Fprintf(warnings, "warning: %s: %s\n", path, text)
	}
	if f.dump != "" {
		if err := dump(f.dump, prog); err != nil {
			return err
		}
	}
	job := job{prog: prog, whole: f.whole, replicas: f.replicas, partitions: f.partitions, threads: f.threads}
	var stages func(file, text string) error
	if f.dump != "" {
		stages = func(file, text string) error { return os.WriteFile(filepath.Join(f.dump, file), []byte(text), 0o644) }
	}
	exe, err := job.compile(ctx, backend, stages)
	if err != nil {
		return failure{err}
	}
	in, err := runio.Read(exe, arrays)
	if err != nil {
		return err
	}
	out, err := exe.RunReplicated(ctx, in.Args)
	if err != nil {
		return failure{err}
	}
	results, err := runio.Results(exe, out, f.whole)
	if err != nil {
		return failure{err}
	}
	if f.output != "" {
		if err := npy.Save(f.output, results); err != nil {
			return err
		}
	}
	if err := runio.Report(w, results, f.print, in.Rest); err != nil {
		return err
	}
	return ref.compare(ctx, w, job, backend, in.Args, results)
}

// dump writes the program as HLO text with all constants, and what xla show says of
// it, into folder dir.
func dump(dir string, prog *xla.Program) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text := hlotext.Append(nil, prog.Module(), hlotext.Full())
	if err := os.WriteFile(filepath.Join(dir, "00.before.hlo"), text, 0o644); err != nil {
		return err
	}
	var about bytes.Buffer
	show(&about, prog)
	return os.WriteFile(filepath.Join(dir, "signature.txt"), about.Bytes(), 0o644)
}

// job is a program and the devices to run it on; 0 where the program tells.
type job struct {
	prog                 *xla.Program
	replicas, partitions int
	threads              int
	whole                bool // results are put together
}

// compile compiles the program for a backend; dump, if not nil, is given the stages.
func (j job) compile(ctx context.Context, backend xla.Backend, dump func(file, text string) error) (
	*xla.Executable, error) {
	client, err := xla.NewClient(xla.Options{Backend: backend, Dump: dump, Threads: j.threads})
	if err != nil {
		return nil, err
	}
	return client.Compile(ctx, j.prog, xla.WithDevices(j.replicas, j.partitions))
}

// backends are the values of --backend.
func backends() []xla.Backend { return []xla.Backend{xla.CPU(), xla.Interp()} }

func backendByName(name string) (xla.Backend, error) {
	var names []string
	for _, b := range backends() {
		if b.Name() == name {
			return b, nil
		}
		names = append(names, b.Name())
	}
	return nil, fmt.Errorf("--backend: expects one of %v, got %q", names, name)
}
