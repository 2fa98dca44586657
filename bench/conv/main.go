// Command conv measures convolutions of many forms, each as a program of its own, as shares of what bounds them: a
// product of matrices of the same type or a copy of as many bytes, whichever takes longer and runs by turns with it. It
// writes a table.
//
//	go run ./bench/conv [-out bench/CONV.md] [-threads 1] [-seconds 0.3] [-type bf16] [PATTERN]
//
// PATTERN is a regular expression that rows must match. With -type those of f32 are of that type.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
)

// options are the flags.
type options struct {
	out     string
	threads int
	seconds float64
	pattern *regexp.Regexp
	ty      string // of all arrays, instead of that of the rows; "" for theirs
}

func main() {
	err := run(context.Background(), os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("conv", flag.ContinueOnError)
	flags.StringVar(&o.out, "out", "", "write the table to this file, such as bench/CONV.md")
	flags.IntVar(&o.threads, "threads", 1, "the threads of a run")
	flags.Float64Var(&o.seconds, "seconds", 0.3, "measure each row that long")
	flags.StringVar(&o.ty, "type", "", "the element type of all rows, such as bf16, instead of theirs")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 1 || !(o.seconds > 0) || o.threads < 1 {
		return o, fmt.Errorf("expects at most one pattern, -seconds above 0 and -threads of at least 1, got %d, %g and %d",
			flags.NArg(), o.seconds, o.threads)
	}
	var err error
	o.pattern, err = regexp.Compile(flags.Arg(0))
	return o, err
}

const head = `# Convolutions

Written by go run ./bench/conv -out bench/CONV.md, on %s, tier %s, threads: %d.

A share is that of the rate of what bounds the form. It is a product of matrices of 512 rows, columns and depth, of the
same type, or what reads and writes as many bytes, if that takes longer; each runs by turns with the convolution, the
best of each counts, and convolution and copy find what they read where the product left it. Depthwise convolutions are
beside what takes longer: such a copy, of what is where it left it itself, or as many multiply-adds of full vectors. All
write to memory that is there.

| form | type | input | kernel | G op/s | share of | |
|---|---|---|---|---|---|---|
`

func run(ctx context.Context, args []string, w io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	client, err := xla.NewClient(xla.Options{Threads: o.threads, AllowExcessPrecision: true})
	if err != nil {
		return err
	}
	defer client.Close()
	tier, err := exec.HostTier(os.Getenv(exec.TierEnv))
	if err != nil {
		return err
	}
	m := meter{client: client, tier: tier, options: o, products: map[string]*program{}}
	var table strings.Builder
	to := io.MultiWriter(w, &table)
	fmt.Fprintf(to, head, exec.Host().Brand, tier, o.threads)
	for _, c := range cases() {
		c = c.normal()
		if o.ty != "" {
			if c.ty != "f32" {
				continue
			}
			c.ty = o.ty
		}
		if !o.pattern.MatchString(c.name + " " + c.ty) {
			continue
		}
		line, err := m.line(ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Fprint(to, line)
	}
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.out, []byte(table.String()), 0o644)
}
