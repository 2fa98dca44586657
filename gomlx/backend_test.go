package gomlx

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/support/backendtest"
)

// newBackend returns a backend with a configuration.
func newBackend(tb testing.TB, config string) compute.Backend {
	tb.Helper()
	b, err := New(config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(b.Finalize)
	return b
}

// TestCompliance is the suite that GoMLX has for backends.
func TestCompliance(t *testing.T) { backendtest.RunAll(t, newBackend(t, ""), nil) }
