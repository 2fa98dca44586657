package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/chain"
	"github.com/goxla/xla/internal/runio"
	"github.com/goxla/xla/internal/workload"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// benchFlags are the flags of xla bench.
type benchFlags struct {
	manifest string
	inputs   []string
	json     string
	backend  string
	threads  int
	flush    bool // denormal numbers are zeros
	dumpIO   string
	noInputs bool
	noTime   bool
	rates    bool
	pin      bool
	seed     uint64
	timing   timing
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench FILE... | --manifest F [NAME...]",
		Short: "Time programs",
		Long: `Time programs: the compilation, without reading the file, and the runs, with the inputs in
memory. Results are released after each run, which is not timed. The programs are files of any form, or those of a
manifest, which says how their inputs are filled; bench/README.md has its form. Inputs and
reports are those of the script that measures XLA, so that the two can be compared. One program
file may take its inputs from files, as xla run does.

GFLOP/s and GB/s are the operations and bytes that the manifest says, over the best time. Of a file
the operations are those that xla show counts, and the bytes those of its arguments and results; "-"
is for a program of none, or whose while loops turn as often as data says.

Values that are only rounded to a narrower type and back, such as bf16 between two operations
in f32, are not rounded, as XLA has it.`,
		Example: `  xla bench --manifest workloads.json --json ours.json
  xla bench --threads 1 model.hlo
  xla bench --input inputs.npz model.jaxexport`,
		Args: arguments(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return bench(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), f, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.manifest, "manifest", "", "file that lists programs; the arguments choose some by name")
	flags.StringArrayVar(&f.inputs, "input", nil, "file with input arrays for the one program file; may be given again")
	flags.StringVar(&f.json, "json", "", "write the results to this file (- for standard output)")
	flags.StringVar(&f.backend, "backend", "cpu", "what runs the programs: cpu or interp")
	flags.IntVar(&f.threads, "threads", 0, "use that many CPUs (default: all that the process may use)")
	flags.BoolVar(&f.flush, "flush-denormals", false, "take denormal numbers for zeros, as XLA:CPU does")
	flags.Float64Var(&f.timing.seconds, "seconds", 0.5, "measure each program at least that long")
	flags.IntVar(&f.timing.minRuns, "min-runs", 5, "and at least that many times")
	flags.IntVar(&f.timing.runs, "runs", 0, "measure exactly that many times after one run to warm up")
	flags.StringVar(&f.dumpIO, "dump-io", "", "write NAME.in.npz and NAME.out.npz into this folder")
	flags.BoolVar(&f.noInputs, "no-inputs", false, "leave the inputs out of --dump-io")
	flags.BoolVar(&f.noTime, "no-time", false, "one run only, no timing")
	flags.BoolVar(&f.rates, "rates", false, "measure what the machine can do at most too, for the report")
	flags.BoolVar(&f.pin, "pin", false, "stay on the first CPUs, as many as threads (Linux)")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the inputs of programs given as files")
	return cmd
}

// check refuses flags that make no sense.
func (f benchFlags) check() error {
	if n := runtime.NumCPU(); f.threads < 0 || f.threads > n {
		return fmt.Errorf("--threads: expects at most the %d CPUs there are, got %d", n, f.threads)
	}
	if t := f.timing; !(t.seconds >= 0) || t.minRuns < 1 || t.runs < 0 {
		return fmt.Errorf("--seconds, --min-runs, --runs: expects at least 0, 1 and 0, got %g, %d and %d",
			t.seconds, t.minRuns, t.runs)
	}
	return nil
}

// workloads returns the programs that the command line names.
func (f benchFlags) workloads(args []string) ([]workload.Workload, error) {
	if len(f.inputs) > 0 && (f.manifest != "" || len(args) != 1) {
		return nil, errors.New("--input: expects one program file")
	}
	if f.manifest != "" {
		return workload.ReadManifest(f.manifest, args...)
	}
	if len(args) == 0 {
		return nil, errors.New("expects programs: files, or --manifest")
	}
	list := make([]workload.Workload, len(args))
	for i, file := range args {
		list[i] = workload.OfFile(file, f.seed)
	}
	return list, nil
}

func bench(ctx context.Context, w, progress io.Writer, f benchFlags, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	backend, err := runio.Backend(f.backend)
	if err != nil {
		return err
	}
	list, err := f.workloads(args)
	if err != nil {
		return err
	}
	if f.pin {
		if err := restrict(cmp.Or(f.threads, runtime.NumCPU())); err != nil {
			return failure{err}
		}
	}
	if f.threads > 0 { // for the collector of garbage too
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(f.threads))
	}
	client, err := xla.NewClient(xla.Options{Backend: backend, Threads: f.threads, AllowExcessPrecision: true,
		FlushDenormals: f.flush})
	if err != nil {
		return err
	}
	defer client.Close()
	b := &bencher{client: client, flags: f, out: w, table: w}
	if f.json == "-" {
		b.table = progress
	}
	return b.run(ctx, list)
}

// bencher measures programs.
type bencher struct {
	client *xla.Client
	flags  benchFlags
	// out is where JSON goes if it goes to no file, table where the table goes.
	out, table io.Writer
}

// run measures the programs one after another. Those that fail are lines of the report too.
func (b *bencher) run(ctx context.Context, list []workload.Workload) error {
	report := workload.Report{Engine: "goxla:" + b.flags.backend}
	var err error
	if report.Host, err = b.host(ctx); err != nil {
		return failure{err}
	}
	if b.flags.rates {
		if report.Host.Rates, err = hostRates(report.Host); err != nil {
			return failure{err}
		}
	}
	workload.WriteHeader(b.table)
	failed := 0
	for _, w := range list {
		r := workload.Result{Name: w.Name}
		resetPeak()
		if err := b.measure(ctx, w, &r); err != nil {
			r.Error = err.Error()
			failed++
		}
		report.Results = append(report.Results, r)
		r.WriteLine(b.table)
	}
	if b.flags.json != "" {
		if err := report.Write(b.flags.json, b.out); err != nil {
			return err
		}
	}
	if failed > 0 {
		return failure{fmt.Errorf("%d of %d programs failed", failed, len(list))}
	}
	return nil
}

// measure compiles and runs a program. Its arguments are made behind the compilation, as in the script that measures
// XLA: they would fill the caches, and have the collector begin.
func (b *bencher) measure(ctx context.Context, w workload.Workload, r *workload.Result) error {
	prog, err := b.load(w)
	if err != nil {
		return err
	}
	var exe *xla.Executable
	d, err := duration(func() (err error) {
		exe, err = b.client.Compile(ctx, prog)
		return err
	})
	if err != nil {
		return err
	}
	r.CompileMS = 1e3 * d
	bytes := exe.TempBytes()
	r.TempBytes = &bytes
	args, err := b.arguments(w, prog)
	if err != nil {
		return err
	}
	r.Chain = chain.Length(prog.Module(), w.Flops)
	if err := b.first(ctx, r, exe, args); err != nil {
		return err
	}
	if b.flags.manifest == "" {
		w.Flops, w.Bytes = nominal(prog.Module(), r)
	}
	if !b.flags.noTime {
		run, err := b.runs(ctx, exe, args)
		if err != nil {
			return err
		}
		times, err := b.flags.timing.measure(run)
		if err != nil {
			return err
		}
		setTimes(r, w, times)
	}
	r.PeakRSSMB = peakMB()
	return nil
}

// nominal returns the operations of a run, 0 if they are not known, and the bytes of arguments and results.
func nominal(m *hlo.Module, r *workload.Result) (flops, bytes float64) {
	if c := cost(m); c.unknown == 0 {
		flops = float64(c.flops)
	}
	return flops, float64(r.ArgBytes + r.OutBytes)
}

// load returns a program, whose inputs --input may have.
func (b *bencher) load(w workload.Workload) (*xla.Program, error) {
	if len(b.flags.inputs) > 0 {
		return runio.Load(w.File, b.files())
	}
	return xla.Load(w.File)
}

// files says where the inputs of --input are.
func (b *bencher) files() runio.Options { return runio.Options{Files: b.flags.inputs} }

// arguments returns the arguments of a program: those of the files of --input, or generated ones.
func (b *bencher) arguments(w workload.Workload, prog *xla.Program) ([]literal.Literal, error) {
	if len(b.flags.inputs) == 0 {
		return w.Inputs(prog.EntrySignature().Params)
	}
	in, err := runio.ReadOne(prog.EntrySignature(), b.files())
	if err != nil {
		return nil, err
	}
	return in.Args[0], nil
}

// first runs a program once, notes the memory of arguments and results, and writes inputs and outputs where
// --dump-io says.
func (b *bencher) first(ctx context.Context, r *workload.Result, exe *xla.Executable, args []literal.Literal) error {
	out, err := exe.Run(ctx, args...)
	r.ArgBytes, r.OutBytes = bytesOf(args), bytesOf(out)
	if err != nil || b.flags.dumpIO == "" {
		return err
	}
	if err := os.MkdirAll(b.flags.dumpIO, 0o755); err != nil {
		return err
	}
	save := func(kind string, arrays []literal.Literal) error {
		path := filepath.Join(b.flags.dumpIO, r.Name+"."+kind+".npz")
		return npy.Save(path, runio.NameResults([][]literal.Literal{arrays}))
	}
	if !b.flags.noInputs {
		if err := save("in", args); err != nil {
			return err
		}
	}
	return save("out", out)
}
