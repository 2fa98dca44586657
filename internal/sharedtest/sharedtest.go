// Package sharedtest finds the test data that lie beside the module. It imports nothing
// of the module, so that every test can use it.
package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder of the shared test data: $XLA_SHARED, by default ../shared
// from the module root. The test is skipped where the folder is absent.
func Dir(t testing.TB) string {
	t.Helper()
	dir := path(t)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Skipf("test data: no folder %s (set XLA_SHARED)", dir)
	}
	return dir
}

// Files returns the files that match a pattern below the folder, of which there may be
// none. It never skips the test.
func Files(t testing.TB, pattern ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(path(t), filepath.Join(pattern...)))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func path(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("XLA_SHARED"); dir != "" {
		return dir
	}
	return filepath.Join(Root(t), "..", "shared")
}

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
}
