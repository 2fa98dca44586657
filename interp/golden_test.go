package interp_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
)

// folders are the shared golden cases that these tests run: operations with hosts or
// several devices, and those whose evaluators are algorithms rather than loops.
var folders = []string{
	"all-gather", "all-reduce", "all-to-all", "async-start", "batch-norm-grad", "batch-norm-inference",
	"batch-norm-training", "cholesky", "collective-broadcast", "collective-permute", "copy-start", "dot",
	"dynamic-reshape", "fft", "get-dimension-size", "partition-id", "ragged-all-to-all", "ragged-dot",
	"reduce-scatter", "replica-id", "rng-bit-generator", "scaled-dot", "scan", "set-dimension-size", "topk",
	"triangular-solve",
}

func TestSharedCases(t *testing.T) {
	shared := hlotest.Shared(t)
	for _, name := range folders {
		t.Run(name, func(t *testing.T) {
			runCases(t, filepath.Join(shared, "conformance", "hlo", name, "*.txtar"))
		})
	}
}

// TestSeedCases runs the cases of the source documents that have a result.
func TestSeedCases(t *testing.T) {
	runCases(t, filepath.Join(hlotest.Shared(t), "conformance", "seeds", "*.txtar"))
}

// TestOwnCases runs the cases of the project, with as many devices as they say.
func TestOwnCases(t *testing.T) {
	runCases(t, filepath.Join(hlotest.Root(t), "testdata", "ops", "*.txtar"))
}

func runCases(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases at %s (%v)", pattern, err)
	}
	client, err := xla.NewClient(xla.Options{Backend: xla.Interp(), Handlers: golden.Handlers()})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		cases, err := golden.ReadAll(file)
		if err != nil {
			t.Error(err)
		}
		for _, c := range cases {
			if c.MustFail {
				continue
			}
			if err := c.Run(t.Context(), client); err != nil {
				t.Errorf("%s#%s: %v", filepath.Base(file), c.Name, err)
			}
		}
	}
}

func TestFoldersAreSorted(t *testing.T) {
	if !slices.IsSorted(folders) || strings.Contains(strings.Join(folders, " "), "/") {
		t.Error("folders: expects names in order")
	}
}
