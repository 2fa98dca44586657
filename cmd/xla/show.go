package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/runio"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo/jaxexport"
)

func newShow() *cobra.Command {
	var plan, nests bool
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show a program's signature, operations, flops and memory",
		Args:  arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			prog, err := xla.ParseUnverified(args[0], data)
			if err != nil {
				return err
			}
			if plan || nests {
				return showPlan(cmd.Context(), cmd.OutOrStdout(), args[0], nests)
			}
			show(cmd.OutOrStdout(), prog)
			return nil
		},
	}
	cmd.Flags().BoolVar(&plan, "plan", false, "show the steps and buffers that the compiler makes of it")
	cmd.Flags().BoolVar(&nests, "nests", false, "show the plan with the loop nests of its kernels")
	return cmd
}

// showPlan compiles the program in a file and prints the plan.
func showPlan(ctx context.Context, w io.Writer, path string, nests bool) error {
	prog, err := xla.Load(path)
	if err != nil {
		return err
	}
	if prog.NeedsShapes() {
		return unknownSizes(path, prog)
	}
	exe, err := job{prog: prog}.compile(ctx, xla.CPU(), nil)
	if err != nil {
		return failure{err}
	}
	fmt.Fprint(w, exe.Plan(nests))
	return nil
}

func show(w io.Writer, prog *xla.Program) {
	m := prog.Module()
	sig := prog.EntrySignature()
	if m == nil {
		fmt.Fprintf(w, "a program (%s) for parameters of several shapes\n", prog.Form())
	} else {
		fmt.Fprintf(w, "module %s (%s)\n", m.Name, prog.Form())
	}
	showExported(w, prog)
	var inBytes, outBytes int64
	for i, p := range sig.Params {
		name := ""
		if i < len(sig.Names) {
			name = sig.Names[i]
		}
		fmt.Fprintf(w, "  parameter %d  %-12s %v\n", i, name, p)
		inBytes += byteSize(p)
	}
	fmt.Fprintf(w, "  result       %-12s %v\n", "", sig.Result)
	if m == nil {
		return
	}
	outBytes = byteSize(sig.Result)
	counts, instructions := countOps(m)
	fmt.Fprintf(w, "%d computations, %d instructions\n", len(m.Computations()), instructions)
	for _, c := range counts {
		fmt.Fprintf(w, "  %6d  %v\n", c.n, c.code)
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		fmt.Fprintf(w, "flops of one run: not counted: %v\n", err)
	} else {
		stats := cost(m)
		fmt.Fprintf(w, "flops of one run: %s%s\n", group(stats.flops), stats.note())
	}
	fmt.Fprintf(w, "bytes: parameters %s, result %s, constants %s\n",
		group(inBytes), group(outBytes), group(constantBytes(m)))
	if text := runio.Elided(m); text != "" {
		fmt.Fprintln(w, text)
	}
}

// showExported prints what a file of jax.export says of its function.
func showExported(w io.Writer, prog *xla.Program) {
	if text := runio.Platforms(prog); text != "" {
		fmt.Fprintf(w, "  %s\n", text)
	}
	e := prog.Exported()
	if e == nil {
		return
	}
	fmt.Fprintf(w, "  %s\n", e.Signature())
	fmt.Fprintf(w, "  platforms %s, devices %d, calling convention %d\n", strings.Join(e.Platforms, " "), e.NumDevices,
		e.CallingConvention)
	for _, c := range jaxexport.Constraints(prog.StableHLO()) {
		fmt.Fprintf(w, "  asserts: %s\n", c)
	}
}

// opCount is how often an operation occurs.
type opCount struct {
	code op.Code
	n    int
}

// countOps counts the instructions by operation, the most frequent first.
func countOps(m *hlo.Module) (counts []opCount, total int) {
	by := make([]int, op.NumCodes)
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			by[i.Code()]++
			total++
		}
	}
	for code, n := range by {
		if n > 0 {
			counts = append(counts, opCount{op.Code(code), n})
		}
	}
	sort.SliceStable(counts, func(i, j int) bool { return counts[i].n > counts[j].n })
	return counts, total
}

// byteSize returns the bytes of the arrays in s, elements of less than a byte counted as one.
func byteSize(s shape.Shape) int64 {
	n := int64(s.Size()) * int64(s.Type.ByteSize())
	for _, e := range s.Elems {
		n += byteSize(e)
	}
	return n
}

// group writes n with a space between groups of three digits.
func group(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return digits
}
