package bar_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/goxla/xla/internal/bar"
)

// TestBar: lines arrive where there is no terminal, and a bar may end before its last step.
func TestBar(t *testing.T) {
	var out bytes.Buffer
	b := bar.New(&out, 3, true)
	b.Step()
	fmt.Fprintln(b.Lines(), "a line")
	b.End()
	if got := out.String(); got != "a line\n" {
		t.Errorf("got %q", got)
	}
}
