package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
)

// TestPredict: each batch size is compiled once, and rows do not depend on those beside them.
func TestPredict(t *testing.T) {
	exe, err := load(t.Context(), filepath.Join(hlotest.Shared(t), "examples", "jax_export", "gpt_tiny_dynamic.jaxexport"))
	if err != nil {
		t.Fatal(err)
	}
	if n := exe.Compilations(); n != 0 {
		t.Errorf("%d compilations before the first run", n)
	}
	found := map[int][]int{}
	for i, batch := range []int{1, 4, 1, 4} {
		next, err := predict(t.Context(), exe, batch)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(i+1, 2); exe.Compilations() != want {
			t.Errorf("run %d: %d compilations, want %d", i, exe.Compilations(), want)
		}
		if before := found[batch]; before != nil && !slices.Equal(next, before) {
			t.Errorf("batch of %d: %v, and before %v", batch, next, before)
		}
		found[batch] = next
	}
	if found[4][0] != found[1][0] {
		t.Errorf("first row: %d in a batch of 4, %d alone", found[4][0], found[1][0])
	}
}

// TestOtherPrograms: what does not take rows of tokens is refused.
func TestOtherPrograms(t *testing.T) {
	path := filepath.Join(hlotest.Root(t), "examples", "digits", "digits_cnn_dynamic.jaxexport")
	const want = "digits_cnn_dynamic.jaxexport: expects a program from tokens s32[?,length]"
	if err := run(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
