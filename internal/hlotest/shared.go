// Package hlotest helps tests: it finds the shared test data, and makes random modules.
package hlotest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the folder of the shared test data: $XLA_SHARED, by default
// ../shared from the module root. The test is skipped where the folder is absent.
func Shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("XLA_SHARED")
	if dir == "" {
		dir = filepath.Join(Root(t), "..", "shared")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Skipf("test data: no folder %s (set XLA_SHARED)", dir)
	}
	return dir
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

// Update reports whether golden files are to be rewritten: XLA_UPDATE=1.
func Update() bool { return os.Getenv("XLA_UPDATE") == "1" }
