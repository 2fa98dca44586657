// Command compare measures this compiler beside XLA: it runs the programs of a manifest by turns with xla
// bench and with the script that measures XLA:CPU, checks that both give the same results, and writes tables of
// the ratios, of what bounds each program, and of compilation and memory.
//
//	XLA_PYTHON=v/bin/python go run ./bench/compare [flags] [NAME...]
//
// bench/README.md says how to set it up. The exit status is 1 if a program fails or its results differ.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goxla/xla/internal/workload"
)

// options are the flags.
type options struct {
	manifest, script, python, xla string
	out, state                    string
	threads                       []int
	rounds                        int
	seconds                       float64
	limit                         time.Duration
	programs                      *regexp.Regexp // nil: all
	names                         []string
}

// errDiffers says that the table has programs that fail or differ.
var errDiffers = errors.New("programs failed or their results differ: see the column check")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string) (options, error) {
	shared := filepath.Join(cmp.Or(os.Getenv("XLA_SHARED"), filepath.Join("..", "shared")), "bench")
	o := options{threads: []int{1}}
	if n := runtime.NumCPU(); n > 1 {
		o.threads = []int{1, n}
	}
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.StringVar(&o.manifest, "manifest", filepath.Join(shared, "workloads.json"), "the programs")
	flags.StringVar(&o.script, "script", filepath.Join(shared, "xla_cpu.py"), "the script that measures XLA")
	flags.StringVar(&o.python, "python", cmp.Or(os.Getenv("XLA_PYTHON"), "python3"), "a Python with jaxlib (XLA_PYTHON)")
	flags.StringVar(&o.xla, "xla", "", "the command xla (default: built from ./cmd/xla)")
	flags.StringVar(&o.out, "out", "", "write the tables to this file, such as bench/RESULTS.md")
	flags.StringVar(&o.state, "state", "", "keep what was measured in this file, and do not measure it again "+
		"unless -programs or a name asks for it")
	flags.Func("threads", "use that many CPUs, and then that many: 1,2 (default: 1 and all)", o.setThreads)
	flags.Func("programs", "measure the programs whose names match this regular expression", o.setPrograms)
	flags.IntVar(&o.rounds, "rounds", 3, "how often to change between the two")
	flags.Float64Var(&o.seconds, "seconds", 0.2, "measure each program at least that long in a round")
	flags.DurationVar(&o.limit, "limit", 2*time.Minute, "the most time of one program in one round")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.names = flags.Args()
	if o.rounds < 1 || !(o.seconds >= 0) || o.limit <= 0 {
		return o, fmt.Errorf("-rounds, -seconds, -limit: expects at least 1 and 0, and more than 0; got %d, %g and %v",
			o.rounds, o.seconds, o.limit)
	}
	return o, nil
}

// setThreads reads the flag -threads.
func (o *options) setThreads(text string) error {
	o.threads = nil
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 || n > runtime.NumCPU() {
			return fmt.Errorf("expects numbers from 1 to %d, with commas between", runtime.NumCPU())
		}
		o.threads = append(o.threads, n)
	}
	return nil
}

// setPrograms reads the flag -programs.
func (o *options) setPrograms(text string) (err error) {
	o.programs, err = regexp.Compile(text)
	return err
}

func run(ctx context.Context, args []string, w io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	all, err := workload.ReadManifest(o.manifest)
	if err != nil {
		return err
	}
	list, err := o.chosen()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.xla == "" {
		if o.xla, err = build(ctx, dir); err != nil {
			return err
		}
	}
	return compare(ctx, w, o, all, list, dir)
}

// chosen returns the programs of the manifest that the command line names.
func (o options) chosen() ([]workload.Workload, error) {
	list, err := workload.ReadManifest(o.manifest, o.names...)
	if err != nil || o.programs == nil {
		return list, err
	}
	list = slices.DeleteFunc(list, func(p workload.Workload) bool { return !o.programs.MatchString(p.Name) })
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no program matches %s", o.manifest, o.programs)
	}
	return list, nil
}

// compare measures the programs of list, writes lines as it goes, and then the tables of all that are known.
func compare(ctx context.Context, w io.Writer, o options, all, list []workload.Workload, dir string) error {
	st, err := readState(o.state)
	if err != nil {
		return err
	}
	if st.Load == "" {
		st.Load = loadAverage()
	}
	if o.programs == nil && len(o.names) == 0 {
		list = slices.DeleteFunc(list, func(p workload.Workload) bool { return st.has(p.Name, o.threads) })
	}
	fmt.Fprint(w, runHead)
	for _, some := range chunks(list) {
		for _, threads := range o.threads {
			if err := measure(ctx, o, threads, some, st, dir); err != nil {
				return err
			}
			for _, p := range some {
				fmt.Fprint(w, row{p, st.Programs[p.Name][threads]}.line())
			}
		}
		if err := st.write(o.state); err != nil {
			return err
		}
	}
	t := newTable(o, all, st)
	fmt.Fprint(w, "\n", t.summary())
	if o.out != "" {
		if err := os.WriteFile(o.out, []byte(t.markdown()), 0o644); err != nil {
			return err
		}
	}
	if t.failed() > 0 {
		return errDiffers
	}
	return nil
}

// build compiles the command xla into dir.
func build(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "xla.exe")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/xla")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go build ./cmd/xla, in the root of the module: %w", err)
	}
	return path, nil
}
