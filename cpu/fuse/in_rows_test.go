package fuse

import (
	"testing"

	"github.com/goxla/xla/op"
)

// TestTapsAt: the taps of a place that are inside, and the places of which all are.
func TestTapsAt(t *testing.T) {
	for _, test := range []struct {
		size, stride, low, dilation, base, places int
		inside                                    span
	}{
		{5, 1, 2, 1, 14, 14, span{2, 12}},
		{7, 1, 3, 1, 7, 7, span{3, 4}},
		{3, 1, 0, 1, 9, 7, span{0, 7}},
		{5, 2, 2, 1, 21, 11, span{1, 10}},
		{3, 1, 4, 2, 9, 12, span{4, 9}},
		{3, 1, -2, 1, 9, 6, span{0, 5}},
		{9, 1, 4, 1, 5, 5, span{}},
	} {
		d := &stagedDim{base: test.base, places: test.places, window: op.WindowDim{Size: test.size, Stride: test.stride,
			PaddingLow: test.low, WindowDilation: test.dilation}}
		if got := d.inside(); got != test.inside {
			t.Errorf("%+v: got %v inside", test, got)
		}
		for p := range test.places {
			first, count := d.tapsAt(int64(p))
			for tap := range test.size {
				at := p*test.stride - test.low + tap*test.dilation
				want, got := at >= 0 && at < test.base, int64(tap) >= first && int64(tap) < first+count
				if got != want {
					t.Errorf("%+v: place %d, tap %d: inside: %t, want %t", test, p, tap, got, want)
				}
			}
		}
	}
}
