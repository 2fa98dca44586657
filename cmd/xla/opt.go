package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/pass"
)

// optFlags are those of xla opt.
type optFlags struct {
	passes     []string
	diff, list bool
	form       string
}

func newOpt() *cobra.Command {
	var f optFlags
	cmd := &cobra.Command{
		Use:   "opt FILE",
		Short: "Run passes over a program and print it",
		Long: `Run passes over a program and print it as HLO text. Without --passes it is the whole
pipeline, what the compiler runs before it plans. Every pass leaves a program that verifies.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return arguments(0, 0)(cmd, args)
			}
			return arguments(1, 1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return listPasses(cmd.OutOrStdout())
			}
			return optimise(cmd.Context(), cmd.OutOrStdout(), args[0], f)
		},
	}
	cmd.Flags().StringSliceVar(&f.passes, "passes", []string{"pipeline"}, "what to run, in order")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print what each pass changes, in lines")
	cmd.Flags().BoolVar(&f.list, "list", false, "list the passes")
	cmd.Flags().StringVar(&f.form, "form", "short", "HLO text: "+strings.Join(formNames(), ", "))
	return cmd
}

func listPasses(w io.Writer) error {
	for _, p := range pass.All() {
		if _, err := fmt.Fprintf(w, "%-34s %s\n", p.Name, p.Doc); err != nil {
			return err
		}
	}
	return nil
}

func optimise(ctx context.Context, w io.Writer, file string, f optFlags) error {
	form := slices.IndexFunc(textForms(), func(t textForm) bool { return t.name == f.form })
	if form < 0 {
		return fmt.Errorf("--form: expects one of %s, got %q", strings.Join(formNames(), ", "), f.form)
	}
	passes, err := pass.ByName(f.passes...)
	if err != nil {
		return fmt.Errorf("--passes: %w", err)
	}
	prog, err := xla.Load(file)
	if err != nil {
		return err
	}
	if prog.NeedsShapes() {
		return unknownSizes(file, prog)
	}
	text := func(m *hlo.Module) string { return hlotext.String(m, textForms()[form].options) }
	m := prog.Module()
	before := text(m)
	o := pass.Options{Evaluate: xla.Evaluator()}
	if f.diff {
		o.Trace = func(name string, m *hlo.Module) {
			after := text(m)
			fmt.Fprintf(w, "=== %s\n%s", name, diffLines(before, after))
			before = after
		}
	}
	_, err = pass.Run(ctx, m, o, passes...)
	if err == nil {
		err = hlo.Verify(m, hlo.VerifyOptions{})
	}
	if err != nil {
		return failure{err}
	}
	if !f.diff {
		_, err = io.WriteString(w, text(m))
	}
	return err
}
