package fuse

import (
	"slices"
	"testing"
)

// TestAlign: of elements in lanes, those of each rest that are in the base begin with a line of near memory.
func TestAlign(t *testing.T) {
	for _, test := range []struct {
		d      stagedDim
		before []int64
		part   int64
	}{
		{stagedDim{base: 56, lo: -1, count: 57, split: 2}, []int64{15, 0}, 48},
		{stagedDim{base: 28, lo: -3, count: 34, split: 1}, []int64{13}, 48},
		{stagedDim{base: 28, lo: 2, count: 20, split: 1}, []int64{0}, 32},
		{stagedDim{base: 40, lo: -17, count: 60, split: 1}, []int64{15}, 80},
		{stagedDim{base: 10, lo: -4, count: 15, split: 3}, []int64{14, 15, 15}, 32},
	} {
		d := test.d
		d.before = make([]int64, d.split)
		d.align()
		if !slices.Equal(d.before, test.before) || d.part != test.part {
			t.Errorf("%+v: got %v and %d, want %v and %d", test.d, d.before, d.part, test.before, test.part)
		}
	}
}
