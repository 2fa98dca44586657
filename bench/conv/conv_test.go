package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun: a row of each kind is measured and written.
func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.md")
	var printed strings.Builder
	args := []string{"-seconds", "0.001", "-out", out, "1x1 f32|depthwise, strided"}
	if err := run(t.Context(), args, &printed); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil || string(data) != printed.String() {
		t.Fatalf("%v: the file has\n%s", err, data)
	}
	for _, want := range []string{"| 1x1 | f32 | [1 28 28 256] |", "| depthwise, strided | f32 |", "| copy |"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in\n%s", want, data)
		}
	}
	printed.Reset()
	if err := run(t.Context(), []string{"-seconds", "0.001", "-type", "f64", "^1x1 f64"}, &printed); err != nil ||
		!strings.Contains(printed.String(), "| 1x1 | f64 |") {
		t.Errorf("%v: with -type f64\n%s", err, printed.String())
	}
	if err := run(t.Context(), []string{"-threads", "0"}, &printed); err == nil {
		t.Error("no error for -threads 0")
	}
}
