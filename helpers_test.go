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

// compile compiles for the backend of the tests.
func compile(t testing.TB, prog *xla.Program) *xla.Executable {
	t.Helper()
	client, err := xla.NewClient(xla.Options{Backend: testBackend()})
	if err != nil {
		t.Fatal(err)
	}
	exe, err := client.Compile(t.Context(), prog)
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
