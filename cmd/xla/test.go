package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/internal/bar"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/mlirtest"
	"github.com/goxla/xla/internal/runio"
)

func newTest() *cobra.Command {
	var backend string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "Run golden cases in .txtar files and StableHLO tests in .mlir, .mlirbc and .bc files, or in folders of them",
		Args:  arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := runio.Backend(backend)
			if err != nil {
				return err
			}
			files, err := caseFiles(args)
			if err != nil {
				return err
			}
			return testFiles(cmd.Context(), cmd.OutOrStdout(), b, files, asJSON)
		},
	}
	cmd.Flags().StringVar(&backend, "backend", "cpu", "what runs the cases: cpu (the compiler) or interp (the evaluator)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a case and one with the totals")
	return cmd
}

// caseFiles returns the files named, and the test files under the folders named, in order.
func caseFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if filepath.Ext(path) != ".txtar" && !mlirtest.IsTest(path) {
				return nil, fmt.Errorf("%s: expects a folder, or golden cases (.txtar) or StableHLO tests (.mlir, .mlirbc, .bc)",
					path)
			}
			files = append(files, path)
			continue
		}
		err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(p, ".txtar") || mlirtest.IsTest(p)) {
				files = append(files, p)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no test files in %s", strings.Join(paths, " "))
	}
	return files, nil
}

// outcome is the result of one case, as --json prints it.
type outcome struct {
	File   string `json:"file"`
	Case   string `json:"case,omitempty"` // in a file of several
	Status string `json:"status"`         // passed, failed, skipped
	Error  string `json:"error,omitempty"`
}

// totals counts outcomes.
type totals struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func testFiles(ctx context.Context, w io.Writer, backend xla.Backend, files []string, asJSON bool) error {
	client, err := xla.NewClient(xla.Options{Backend: backend,
		Handlers: ffi.Chain{golden.Handlers(), mlirtest.Handlers()}})
	if err != nil {
		return err
	}
	progress := bar.New(w, len(files), !asJSON && len(files) > 20)
	var sum totals
	for _, file := range files {
		for _, o := range runFile(ctx, client, file) {
			sum.add(o)
			if err := o.print(progress.Lines(), asJSON); err != nil {
				return err
			}
		}
		progress.Step()
		if ctx.Err() != nil {
			break
		}
	}
	progress.End()
	return sum.finish(ctx, w, asJSON)
}

// runFile runs the cases in file. A file that cannot be read is one failed case.
func runFile(ctx context.Context, client *xla.Client, file string) []outcome {
	if mlirtest.IsTest(file) {
		return runModules(ctx, client, file)
	}
	cases, err := golden.ReadAll(file)
	if err != nil {
		return []outcome{{file, "", "failed", err.Error()}}
	}
	outcomes := make([]outcome, len(cases))
	for i, c := range cases {
		outcomes[i] = runCase(ctx, client, c)
	}
	return outcomes
}

// runModules tests the modules in a file of StableHLO.
func runModules(ctx context.Context, client *xla.Client, file string) []outcome {
	results, err := mlirtest.RunFile(ctx, client, file)
	if err != nil {
		return []outcome{{file, "", "failed", err.Error()}}
	}
	var outcomes []outcome
	for _, r := range results {
		o := outcome{file, r.Name, "passed", ""}
		if r.Err != nil {
			o.Status, o.Error = "failed", r.Err.Error()
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

func runCase(ctx context.Context, client *xla.Client, c *golden.Case) outcome {
	err := c.Run(ctx, client)
	switch {
	case err == nil:
		return outcome{c.Path, c.Name, "passed", ""}
	case errors.Is(err, golden.ErrSkipped):
		return outcome{c.Path, c.Name, "skipped", err.Error()}
	}
	return outcome{c.Path, c.Name, "failed", err.Error()}
}

func (t *totals) add(o outcome) {
	switch o.Status {
	case "passed":
		t.Passed++
	case "failed":
		t.Failed++
	default:
		t.Skipped++
	}
}

func (o outcome) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(o)
	}
	if o.Status == "failed" {
		name := o.File
		if o.Case != "" {
			name += "#" + o.Case
		}
		fmt.Fprintf(w, "FAIL %s: %s\n", name, strings.TrimPrefix(o.Error, o.File+": "))
	}
	return nil
}

func (t *totals) finish(ctx context.Context, w io.Writer, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(w).Encode(t); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", t.Passed, t.Failed, t.Skipped)
	}
	if ctx.Err() != nil {
		return failure{errors.New("interrupted")}
	}
	if t.Failed > 0 {
		return failure{fmt.Errorf("%d cases failed", t.Failed)}
	}
	return nil
}
