package main

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/goxla/xla"
)

// TestDigits trains the network and reads the training step back.
func TestDigits(t *testing.T) {
	step := filepath.Join(t.TempDir(), "step.hlo")
	accuracy, err := run(io.Discard, "../../../examples/digits", "", 300, step)
	if err != nil {
		t.Fatal(err)
	}
	if accuracy < 0.97 {
		t.Errorf("got accuracy %v, want 0.97 or more", accuracy)
	}
	program, err := xla.Load(step)
	if err != nil {
		t.Fatal(err)
	}
	client, err := xla.NewClient(xla.Options{Backend: xla.CPU()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Compile(context.Background(), program); err != nil {
		t.Fatal(err)
	}
}
