package cpu

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestPlaces: which lines threads wait for, and where an array is afterwards.
func TestPlaces(t *testing.T) {
	const bytes = 64 * 64
	w := &placing{threads: 2}
	rows, all := loop.Touch{Bytes: bytes, Span: bytes}, loop.Touch{Bytes: bytes}
	some := loop.Touch{Bytes: bytes, Span: -1}
	written := func(t loop.Touch) loop.Touch { t.Write = true; return t }
	nowhere, one := place{}, place{caller, 0, bytes}
	halves, others := place{parts, bytes, bytes}, place{parts, bytes / 8, bytes}
	seen := place{anywhere, 0, bytes}
	for _, c := range []struct {
		name             string
		at               place
		touch            loop.Touch
		one, each        int64
		byOne, byThreads place
	}{
		{"nobody knows where", nowhere, rows, 0, 0, one, halves},
		{"written", nowhere, written(rows), 0, 0, one, halves},
		{"of one, by rows", one, rows, 0, 32, one, seen},
		{"of one, overwritten", one, written(rows), 0, 32, one, halves},
		{"of one, read by all", one, all, 0, 64, one, seen},
		{"the same rows", halves, rows, 32, 0, seen, halves},
		{"overwritten", halves, written(rows), 32, 0, one, halves},
		{"other rows", others, rows, 32, 16, seen, seen},
		{"read by all", halves, all, 32, 32, seen, seen},
		{"at indices", halves, some, 32, 16, seen, seen},
		{"overwritten at indices", halves, written(some), 32, 16, one, seen},
	} {
		if one, each := w.waits(c.at, c.touch); one != c.one || each != c.each {
			t.Errorf("%s: expected %d and %d lines, got %d and %d", c.name, c.one, c.each, one, each)
		}
		for share, want := range map[bool]place{false: c.byOne, true: c.byThreads} {
			if got := c.at.after(c.touch, share); got.home != want.home || got.span != want.span {
				t.Errorf("%s, shared %v: expected it at %v, got %v", c.name, share, want, got)
			}
		}
	}
	few := loop.Touch{Bytes: 64, Write: true}
	if got := halves.after(few, false); got != halves {
		t.Errorf("a line of an array is written: expected the array at %v, got %v", halves, got)
	}
}
