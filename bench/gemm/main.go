// Command gemm measures the products of matrices of cpu/gemm as shares of the rate of multiply-adds, which it measures
// right before and after each sample, and writes a table.
//
//	go run ./bench/gemm [-out bench/GEMM.md] [-tiers avx512,avx2] [-seconds 0.5] [-quiet] [PATTERN]
//
// PATTERN is a regular expression that rows must match; with -out, what the file has of the others stays, so that a
// table can be taken in pieces. A thread is as fast as its core at the moment, so only the
// shares, and the ratios of two threads to one, can be compared between machines.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goxla/xla/cpu/exec"
)

// options are the flags.
type options struct {
	out     string
	tiers   []exec.Tier
	seconds float64
	quiet   bool
	pattern *regexp.Regexp
}

func main() {
	err := run(os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string) (options, error) {
	var o options
	var tiers string
	flags := flag.NewFlagSet("gemm", flag.ContinueOnError)
	flags.StringVar(&o.out, "out", "", "write the table to this file, such as bench/GEMM.md")
	flags.StringVar(&tiers, "tiers", "amx,avx512,avx2", "the tiers; those that this machine lacks are left out")
	flags.BoolVar(&o.quiet, "quiet", false, "the machine does nothing else: take the clock's time, and the best samples")
	flags.Float64Var(&o.seconds, "seconds", 0.5, "measure each row that long")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 1 || !(o.seconds > 0) {
		return o, fmt.Errorf("expected at most one pattern and -seconds above 0, got %d and %g", flags.NArg(), o.seconds)
	}
	for name := range strings.SplitSeq(tiers, ",") {
		want, err := exec.ParseTier(name)
		if err != nil {
			return o, err
		}
		have, err := exec.HostTier(name)
		if err != nil {
			return o, err
		}
		if have == want && want != exec.Portable {
			o.tiers = append(o.tiers, want)
		}
	}
	var err error
	o.pattern, err = regexp.Compile(flags.Arg(0))
	return o, err
}

func run(args []string, w io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	var table strings.Builder
	to := io.MultiWriter(w, &table)
	how := howBusy
	if o.quiet {
		how = howQuiet
	}
	fmt.Fprintf(to, head+how+legend, exec.Host().Brand, exec.DefaultThreads(), exec.Host().L1D>>10, exec.Host().L2>>10,
		exec.Host().L3>>10)
	old, err := o.rows()
	if err != nil {
		return err
	}
	for _, tier := range []exec.Tier{exec.AMX, exec.AVX512, exec.AVX2} {
		measured := slices.Contains(o.tiers, tier)
		if !measured && !old.has(tier) {
			continue
		}
		fmt.Fprintf(to, columns, tier)
		for _, c := range cases() {
			if !measured || !o.pattern.MatchString(c.name()) {
				table.WriteString(old[row{tier.String(), c.name()}])
				continue
			}
			r, err := measure(c, tier, o)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name(), err)
			}
			fmt.Fprint(to, r.line(c))
		}
	}
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.out, []byte(table.String()), 0o644)
}
