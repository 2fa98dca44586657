package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/op"
)

func newOps() *cobra.Command {
	return &cobra.Command{
		Use:   "ops",
		Short: "List every operation: its operands, and whether the evaluator has it",
		Args:  arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "%-26s %-9s %s\n", "operation", "operands", "evaluator")
			for _, c := range op.Codes() {
				info := c.Info()
				arity := strconv.Itoa(info.Arity)
				if info.Arity == op.Variadic {
					arity = "any"
				}
				evaluator := "-"
				if interp.Evaluates(c) {
					evaluator = "yes"
				}
				fmt.Fprintf(w, "%-26s %-9s %s\n", info.Name, arity, evaluator)
			}
			return nil
		},
	}
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the Go version and the CPU",
		Args:  arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			version := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				version = info.Main.Version
			}
			fmt.Fprintf(cmd.OutOrStdout(), "xla %s, %s, %s/%s, %d CPUs\ncpu features: %s\n",
				version, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpuFeatures())
			return nil
		},
	}
}
