package loop

import (
	"strings"
	"testing"
)

// windowed is a nest that reads in front of its buffer unless i1 is in [lo, hi).
func windowed(lo, hi int64, outside bool) *Nest {
	b := NewBuilder("windowed")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 8})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * 8, Write: true})
	b.Each(Spec{Extent: 8, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: 1, Parallel: true, When: &Range{Var: i, Lo: lo, Hi: hi, Outside: outside}}, func(int) {
			v := b.Load(Access{Buffer: x, Offset: -2, Terms: []Term{{i, 1}}, Mem: MemF32}, 0)
			b.Store(Access{Buffer: y, Terms: []Term{{i, 1}}, Mem: MemF32}, v, 0)
		})
	})
	return b.Nest()
}

// TestRange: an access counts for the iterations of the range, and does not move out of its loop.
func TestRange(t *testing.T) {
	n := windowed(2, 8, false)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	want := `    parallel for i1 < 1 when 2 <= i0 < 8 {
      v1 = load f32 x[-2 + i0]
      store f32 y[i0] v1
    }
`
	if got := n.String(); !strings.Contains(got, want) {
		t.Errorf("expected\n%s\nin\n%s", want, got)
	}
	for name, bad := range map[string]*Nest{"wide": windowed(1, 8, false), "outside": windowed(2, 8, true),
		"beyond": windowed(2, 9, false), "empty": windowed(2, 2, false)} {
		if bad.Verify() == nil {
			t.Errorf("%s: no error for\n%v", name, bad)
		}
	}
}

// TestRangeStays: what has ranges is not jammed over the loop that they name, and unrolled loops decide them.
func TestRangeStays(t *testing.T) {
	if got, want := Jam(windowed(2, 8, false), false).String(), windowed(2, 8, false).String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
	b := NewBuilder("loop")
	buffers := []int{b.Buffer(Buffer{Name: "x", Bytes: 4 * 8}), b.Buffer(Buffer{Name: "y", Bytes: 4 * 8, Write: true})}
	b.Splice(windowed(2, 8, false), buffers, false)
	n := b.Nest()
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	if text := n.String(); strings.Count(text, "store") != 6 || strings.Contains(text, "when") {
		t.Errorf("expected 6 stores and no range in\n%s", text)
	}
}
