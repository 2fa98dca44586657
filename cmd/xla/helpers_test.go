package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/literal/npy"
)

// command runs one command line and returns its exit status and what it printed.
func command(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	exit = execute(t.Context(), args, &out, &err)
	return exit, out.String(), err.String()
}

// expect runs a command line, checks the status, and that what it printed has want in it.
func expect(t *testing.T, exit int, want string, args ...string) (stdout string) {
	t.Helper()
	got, out, errs := command(t, args...)
	if got != exit {
		t.Errorf("xla %s: status %d, want %d\n%s%s", strings.Join(args, " "), got, exit, out, errs)
	}
	if !strings.Contains(out+errs, want) {
		t.Errorf("xla %s: printed\n%s%s\nwant %q in it", strings.Join(args, " "), out, errs, want)
	}
	return out
}

// file writes a file into a new folder and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// archive writes arrays into a new .npz.
func archive(t *testing.T, arrays ...npy.Named) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.npz")
	if err := npy.Save(path, arrays); err != nil {
		t.Fatal(err)
	}
	return path
}

// digits returns the path of a file of the digits example.
func digits(t *testing.T, name string) string {
	return filepath.Join(hlotest.Root(t), "examples", "digits", name)
}
