package xla_test

import (
	"os"
	"testing"

	"github.com/goxla/xla"
)

// parse reads HLO text and verifies it.
func parse(t testing.TB, text string) *xla.Program {
	t.Helper()
	prog, err := xla.Parse("test.hlo", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// newClient makes a client of the backend of the tests, unless opts has one, for the time of the test.
func newClient(t testing.TB, opts xla.Options) *xla.Client {
	t.Helper()
	if opts.Backend == nil {
		opts.Backend = testBackend()
	}
	client, err := xla.NewClient(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// compile compiles for the backend of the tests.
func compile(t testing.TB, prog *xla.Program) *xla.Executable {
	t.Helper()
	exe, err := newClient(t, xla.Options{}).Compile(t.Context(), prog)
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// testBackend is the backend that tests run programs with: XLA_BACKEND=interp chooses the evaluator.
func testBackend() xla.Backend {
	if os.Getenv("XLA_BACKEND") == "interp" {
		return xla.Interp()
	}
	return xla.CPU()
}
