package main

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
)

// TestSeries: the program of the example needs nothing, and goes on with series as it learned to.
func TestSeries(t *testing.T) {
	t.Chdir(t.TempDir()) // no other file
	var out bytes.Buffer
	if err := run(t.Context(), &out, ""); err != nil {
		t.Fatal(err)
	}
	const want = `signature: (tokens: s32[?,8]) -> f32[?,8,10]
batch of 1, compiled for 1 shapes:
  [3 5 7 9 1 3 5 7] -> 9
batch of 4, compiled for 2 shapes:
  [3 5 7 9 1 3 5 7] -> 9
  [4 7 0 3 6 9 2 5] -> 8
  [5 9 3 7 1 5 9 3] -> 7
  [6 1 6 1 6 1 6 1] -> 6
`
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

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
		_, next, err := predict(t.Context(), exe, batch)
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
	if err := run(context.Background(), &bytes.Buffer{}, path); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
