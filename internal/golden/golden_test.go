package golden_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
)

// TestConformance runs the shared golden cases of every folder that .ci/golden names.
func TestConformance(t *testing.T) {
	shared := hlotest.Shared(t)
	for _, name := range folders(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runFolder(t, filepath.Join(shared, "conformance", "hlo", name))
		})
	}
}

// TestOwnCases runs the cases of testdata/ops.
func TestOwnCases(t *testing.T) {
	runFolder(t, filepath.Join(hlotest.Root(t), "testdata", "ops"))
}

func folders(t *testing.T) []string {
	f, err := os.Open(filepath.Join(hlotest.Root(t), ".ci", "golden"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var names []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if name := strings.TrimSpace(s.Text()); name != "" && name[0] != '#' {
			names = append(names, name)
		}
	}
	return names
}

func runFolder(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	client, err := xla.NewClient(xla.Options{Backend: xla.Interp()})
	if err != nil {
		t.Fatal(err)
	}
	passed, skipped := 0, 0
	for _, file := range files {
		c, err := golden.Read(file)
		if err == nil {
			err = c.Run(context.Background(), client)
		}
		switch {
		case err == nil:
			passed++
		case errors.Is(err, golden.ErrSkipped):
			skipped++
		default:
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
	}
	t.Logf("%d passed, %d skipped of %d", passed, skipped, len(files))
}
