package xla_test

import (
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestBufferOfFewBytes: a view has as many bytes as its elements, whatever their size.
func TestBufferOfFewBytes(t *testing.T) {
	exe := compile(t, parse(t, "HloModule m\nENTRY e { p = s8[3] parameter(0)  ROOT r = s8[3] negate(p) }"))
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := client.Buffer([]int8{1, -2, 3}, shape.Strided{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.RunBuffers(t.Context(), []*xla.Buffer{b})
	if err != nil {
		t.Fatal(err)
	}
	l, err := out[0].Literal()
	if err != nil {
		t.Fatal(err)
	}
	if got := literal.Values[int8](l); got[0] != -1 || got[1] != 2 || got[2] != -3 {
		t.Errorf("got %v, expected [-1 2 -3]", got)
	}
}
