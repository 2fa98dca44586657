// Command compare measures this compiler beside XLA: it runs each program of a manifest by turns with xla
// bench and with the script that measures XLA:CPU, checks that both give the same results, and writes a
// table of the ratios.
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
	"strconv"
	"time"

	"github.com/goxla/xla/internal/workload"
)

// options are the flags.
type options struct {
	manifest, script, python, xla string
	out                           string
	threads, rounds               int
	seconds                       float64
	limit                         time.Duration
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
	var o options
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.StringVar(&o.manifest, "manifest", filepath.Join(shared, "workloads.json"), "the programs")
	flags.StringVar(&o.script, "script", filepath.Join(shared, "xla_cpu.py"), "the script that measures XLA")
	flags.StringVar(&o.python, "python", cmp.Or(os.Getenv("XLA_PYTHON"), "python3"), "a Python with jaxlib (XLA_PYTHON)")
	flags.StringVar(&o.xla, "xla", "", "the command xla (default: built from ./cmd/xla)")
	flags.StringVar(&o.out, "out", "", "write the table to this file, such as bench/RESULTS.md")
	flags.IntVar(&o.threads, "threads", 0, "use that many CPUs (default: all)")
	flags.IntVar(&o.rounds, "rounds", 3, "how often to change between the two")
	flags.Float64Var(&o.seconds, "seconds", 0.5, "measure each program at least that long in a round")
	flags.DurationVar(&o.limit, "limit", 2*time.Minute, "the most time of one program in one round")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.names = flags.Args()
	if o.rounds < 1 || o.threads < 0 || !(o.seconds >= 0) || o.limit <= 0 {
		return o, fmt.Errorf("-rounds, -threads, -seconds, -limit: expects at least 1, 0 and 0, and more than 0; "+
			"got %d, %d, %g and %v", o.rounds, o.threads, o.seconds, o.limit)
	}
	return o, nil
}

func run(ctx context.Context, args []string, w io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	list, err := workload.ReadManifest(o.manifest, o.names...)
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
	return compare(ctx, w, o, list, dir)
}

// compare measures the programs and writes the table as it grows.
func compare(ctx context.Context, w io.Writer, o options, list []workload.Workload, dir string) error {
	t := &table{options: o, load: loadAverage()}
	fmt.Fprint(w, tableHead)
	for _, p := range list {
		r, err := measure(ctx, o, p, dir)
		if err != nil {
			return err
		}
		t.add(r)
		fmt.Fprint(w, r.line())
	}
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

// measure runs a program by turns with both engines and compares the results. The error is
// that of an interruption: what fails is in the row.
func measure(ctx context.Context, o options, p workload.Workload, dir string) (row, error) {
	ours := side{name: "xla bench", command: []string{o.xla, "bench"}, dir: filepath.Join(dir, "ours")}
	theirs := side{name: "xla_cpu.py", command: []string{o.python, o.script}, dir: filepath.Join(dir, "theirs")}
	for round := range o.rounds {
		for _, s := range []*side{&ours, &theirs} {
			s.round(ctx, o.arguments(p.Name), round == 0, o.limit)
		}
		if err := ctx.Err(); err != nil {
			return row{}, err
		}
	}
	r := row{workload: p, ours: ours.best, theirs: theirs.best, oursHost: ours.host, theirsHost: theirs.host}
	r.err = errors.Join(ours.err, theirs.err)
	if r.err == nil {
		r.err = check(p, ours.dir, theirs.dir)
	}
	return r, errors.Join(os.RemoveAll(ours.dir), os.RemoveAll(theirs.dir))
}

// arguments are those of both engines for a program.
func (o options) arguments(name string) []string {
	args := []string{"--manifest", o.manifest, "--seconds", strconv.FormatFloat(o.seconds, 'g', -1, 64)}
	if o.threads > 0 {
		args = append(args, "--threads", strconv.Itoa(o.threads))
	}
	return append(args, name)
}
