//go:build linux && (amd64 || arm64)

package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/collective/mpi/internal/mpitest"
)

// commandVariable makes the test binary the example.
const commandVariable = "XLA_MPI_TEST_EXAMPLE"

func TestMain(m *testing.M) {
	if os.Getenv(commandVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestEqualLosses: 1, 2 and 4 processes, under every launcher, give the same losses bit for bit, and weights that
// know the digits.
func TestEqualLosses(t *testing.T) {
	var first string
	for _, launcher := range mpitest.Launchers(t) {
		for _, ranks := range []int{1, 2, 4} {
			out := train(t, launcher, ranks)
			if first == "" {
				first = out
				checkAccuracy(t, out)
			}
			if out != first || strings.Count(out, "loss") != 500 {
				t.Errorf("%s -n %d: losses differ from those of one process:\n%s\n%s", launcher, ranks, out, first)
			}
		}
	}
}

// train runs the example and returns what process 0 prints.
func train(t *testing.T, launcher string, ranks int) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{"-every", "1", "-data", filepath.Join("..", "..", "..", "..", "examples", "digits")}
	cmd := mpitest.Command(ctx, launcher, ranks, nil, args, []string{commandVariable + "=1"})
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s -n %d: %v\n%s%s", launcher, ranks, err, out, errs.String())
	}
	return string(out)
}

// checkAccuracy expects 97 % of the test images.
func checkAccuracy(t *testing.T, out string) {
	t.Helper()
	m := regexp.MustCompile(`accuracy on the test images ([0-9.]+) %`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no accuracy in\n%s", out)
	}
	if percent, err := strconv.ParseFloat(m[1], 64); err != nil || percent < 97 {
		t.Errorf("expects 97 %% at least, got %s", m[0])
	}
}
