package main

import (
	"bytes"
	"context"
	"errors"
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
	runio.Flags
	dump string
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program on arrays from files or on random ones",
		Long: `Run a program. Inputs are .npz, .npy or .safetensors files; their arrays are keyed 0, 1, ...
in parameter order (leaves of tuples counted one by one) or by parameter name (a trailing .N
ignored); the one array of a .npy file has the key 0, and arr_0, arr_1, ... of np.savez are 0,
1, ... where nothing else is; more of them than parameters are an error. Types that NumPy lacks, such as bf16,
are read from unsigned integers of their width and from what np.save writes for them.

Arrays that are no parameter's are used to judge the result: integer labels y (or labels)
give an accuracy, and an array of the shape of an output, such as logits, is compared with it:
where it differs by more than --rtol the exit status is 1, unless it is called as labels are. Others
are named and left alone, but not with --random: a name may be mistyped.
--compare FILE compares every result: with the arrays 0, 1, ... of the file, in result order.

On several devices K@D is array K of device D (replica * partitions + partition), a plain key
goes to all, and results are named in the same way. Of a parameter that the program splits over the
partitions a plain key may be the whole array; with --whole results are whole too.`,
		Example: `  xla run model.hlo --input inputs.npz --compare results.npz --rtol 1e-5
  xla run model.hlo --random 1 --output results.npz`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.Check(cmd.Flags()); err != nil {
				return err
			}
			if err := checkOutput(f.Output); err != nil {
				return err
			}
			return runProgram(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], f)
		},
	}
	f.Declare(cmd.Flags())
	cmd.Flags().StringVar(&f.dump, "dump", "",
		"write the program, after each pass too, its plan and code into this folder")
	return cmd
}

// checkOutput refuses a file that cannot be written, before the program runs.
func checkOutput(path string) error {
	if path == "" {
		return nil
	}
	if err := npy.CheckExtension(path); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

func runProgram(ctx context.Context, w, warnings io.Writer, path string, f runFlags) error {
	backend, err := runio.Backend(f.Backend)
	if err != nil {
		return err
	}
	ref, err := newReference(f.Compare, f.Tolerance)
	if err != nil {
		return err
	}
	arrays := f.Arrays()
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
	job := job{prog: prog, whole: f.Whole, replicas: f.Replicas, partitions: f.Partitions, threads: f.Threads,
		flush: f.FlushDenormals, excess: f.ExcessPrecision}
	var stages func(file, text string) error
	if f.dump != "" {
		stages = func(file, text string) error { return os.WriteFile(filepath.Join(f.dump, file), []byte(text), 0o644) }
	}
	exe, err := job.compile(ctx, backend, stages)
	if err != nil {
		return failure{err}
	}
	if err := npy.CheckCount(f.Output, runio.NumResults(exe, f.Whole)); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	in, err := runio.Read(exe, arrays)
	if err != nil {
		return err
	}
	out, err := exe.RunReplicated(ctx, in.Args)
	if err != nil {
		return failure{err}
	}
	results, err := runio.Results(exe, out, f.Whole)
	if err != nil {
		return failure{err}
	}
	if text := runio.Unjoined(exe, out); f.Whole && text != "" {
		fmt.Fprintf(warnings, "warning: %s: %s\n", path, text)
	}
	if f.Output != "" {
		if err := npy.Save(f.Output, results); err != nil {
			return err
		}
	}
	runio.Report(w, results, f.Print)
	judged := ofResults(runio.Judge(w, results, in, f.Tolerance))
	return errors.Join(judged, ref.compare(ctx, w, job, backend, in.Args, results))
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
	flush, excess        bool // denormal numbers are zeros, excess precision is allowed
	whole                bool // results are put together
}

// compile compiles the program for a backend; dump, if not nil, is given the stages.
func (j job) compile(ctx context.Context, backend xla.Backend, dump func(file, text string) error) (
	*xla.Executable, error) {
	client, err := xla.NewClient(j.options(backend, dump))
	if err != nil {
		return nil, err
	}
	return client.Compile(ctx, j.prog, xla.WithDevices(j.replicas, j.partitions))
}

// options are those of a client of a backend.
func (j job) options(backend xla.Backend, dump func(file, text string) error) xla.Options {
	return xla.Options{Backend: backend, Dump: dump, Threads: j.threads, FlushDenormals: j.flush,
		AllowExcessPrecision: j.excess}
}
