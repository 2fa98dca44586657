package bar

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestBar: lines arrive where there is no terminal, and a bar may end before its last step.
func TestBar(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, 3, true)
	b.Step()
	fmt.Fprintln(b.Lines(), "a line")
	b.End()
	if got := out.String(); got != "a line\n" {
		t.Errorf("got %q", got)
	}
}

// TestDraw: a bar is drawn at its first step, and not again right after that; it is gone in the end.
func TestDraw(t *testing.T) {
	var screen bytes.Buffer
	b := &Bar{out: &screen, lines: &bytes.Buffer{}, all: 4}
	b.Step()
	b.Step()
	b.End()
	want := clear + "1 / 4 [" + strings.Repeat("=", width/4) + strings.Repeat(" ", width*3/4) + "]" + clear
	if got := screen.String(); got != want {
		t.Errorf("expected %q, got %q", want, got)
	}
}
