package xla_test

import (
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

// compile compiles for the evaluator.
func compile(t testing.TB, prog *xla.Program) *xla.Executable {
	t.Helper()
	client, err := xla.NewClient(xla.Options{Backend: xla.Interp()})
	if err != nil {
		t.Fatal(err)
	}
	exe, err := client.Compile(t.Context(), prog)
	if err != nil {
		t.Fatal(err)
	}
	return exe
}
