package golden_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/op"
)

// TestConformance runs every shared golden case, a sub-test an operation.
func TestConformance(t *testing.T) {
	dir := filepath.Join(hlotest.Shared(t), "conformance", "hlo")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			runFiles(t, txtars(t, filepath.Join(dir, e.Name())))
		})
	}
}

// TestSeeds runs the cases of the source documents. Rules for builder calls, which have
// no module, are tests of package builder.
func TestSeeds(t *testing.T) {
	runFiles(t, txtars(t, filepath.Join(hlotest.Shared(t), "conformance", "seeds")))
}

// TestJAXCases runs the cases of testdata/jax: programs for several devices, and what JAX returns.
func TestJAXCases(t *testing.T) {
	runFiles(t, txtars(t, filepath.Join(hlotest.Root(t), "testdata", "jax")))
}

// TestOwnCases runs the cases of testdata/ops, a file an operation; further ones have
// a name after an underscore: dot.txtar, dot_algorithms.txtar. The operation is
// in the module of every case of its file, and its first file has a case that must be refused.
func TestOwnCases(t *testing.T) {
	for _, file := range txtars(t, filepath.Join(hlotest.Root(t), "testdata", "ops")) {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			word, _, _ := strings.Cut(name, "_")
			code, ok := op.ParseCode(word)
			if !ok {
				t.Fatalf("no operation has the name %s", word)
			}
			cases := runFiles(t, []string{file})
			for _, c := range cases {
				if !strings.Contains(c.Module, " "+code.String()+"(") {
					t.Errorf("%v: no %v in the module", c, code)
				}
			}
			refuses := func(c *golden.Case) bool { return c.MustFail }
			if word == name && !slices.ContainsFunc(cases, refuses) {
				t.Errorf("expects at least one case that must be refused")
			}
		})
	}
}

// TestOwnCasesAreComplete: there is a file for each operation that the evaluator has.
func TestOwnCasesAreComplete(t *testing.T) {
	for _, code := range op.Codes() {
		path := filepath.Join(hlotest.Root(t), "testdata", "ops", code.String()+".txtar")
		if _, err := os.Stat(path); err != nil && interp.Evaluates(code) {
			t.Errorf("%v has an evaluator and no cases: %v", code, err)
		}
	}
}

func txtars(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	return files
}

// runFiles runs the cases in files with the evaluator and returns them.
func runFiles(t *testing.T, files []string) (all []*golden.Case) {
	client, err := xla.NewClient(xla.Options{Backend: xla.Interp(), Handlers: golden.Handlers()})
	if err != nil {
		t.Fatal(err)
	}
	passed, skipped := 0, 0
	for _, file := range files {
		cases, err := golden.ReadAll(file)
		if err != nil {
			t.Error(err)
		}
		for _, c := range cases {
			switch err := c.Run(context.Background(), client); {
			case err == nil:
				passed++
			case errors.Is(err, golden.ErrSkipped):
				skipped++
			default:
				t.Errorf("%s#%s: %v", filepath.Base(file), c.Name, err)
			}
		}
		all = append(all, cases...)
	}
	t.Logf("%d passed, %d skipped of %d", passed, skipped, len(all))
	return all
}
