// Package hlotest helps tests: it finds the shared test data, and makes random modules.
package hlotest

import (
	"os"
	"testing"

	"github.com/goxla/xla/internal/sharedtest"
)

// Shared returns the folder of the shared test data: $XLA_SHARED, by default
// ../shared from the module root. The test is skipped where the folder is absent.
func Shared(t testing.TB) string {
	t.Helper()
	return sharedtest.Dir(t)
}

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	return sharedtest.Root(t)
}

// Update reports whether golden files are to be rewritten: XLA_UPDATE=1.
func Update() bool { return os.Getenv("XLA_UPDATE") == "1" }
