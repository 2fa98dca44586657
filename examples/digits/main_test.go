package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

func TestRun(t *testing.T) {
	arrays, err := npy.ReadNPZ(bytes.NewReader(testSet), int64(len(testSet)))
	if err != nil {
		t.Fatal(err)
	}
	data := npy.Map(arrays)
	want := argmax(literal.Values[float32](data["logits"])) // of XLA
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != side+2 {
		t.Fatalf("%d lines, want %d of the picture, one of classes and the last:\n%s", len(lines), side, out.String())
	}
	if got := lines[side+1]; got != "355 of 360 right: accuracy 98.6 %" {
		t.Errorf("last line %q", got)
	}
	var drawn []int
	for _, f := range strings.Fields(lines[side]) {
		drawn = append(drawn, int(f[0]-'0'))
	}
	if !slices.Equal(drawn, want[:shown]) {
		t.Errorf("classes %v under the images, want %v", drawn, want[:shown])
	}
	if picture := strings.Join(lines[:side], ""); strings.Count(picture, "█") < 100 || strings.Count(picture, " ") < 100 {
		t.Errorf("the images are not light and dark:\n%s", out.String())
	}
}

func TestArgmax(t *testing.T) {
	scores := make([]float32, 2*classes)
	scores[3], scores[classes], scores[classes+9] = 1, -1, 0.5
	if got := argmax(scores); !slices.Equal(got, []int{3, 9}) {
		t.Errorf("argmax: %v", got)
	}
}
