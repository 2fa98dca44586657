package shape

import (
	"strings"
	"testing"
)

func TestPaddedLayout(t *testing.T) {
	tests := []struct {
		order, padded []int
		want          string
	}{
		{[]int{0, 1}, []int{3, 5}, "ad0be0cf0000000"},
		{[]int{1, 0}, []int{3, 5}, "abc00def0000000"},
		{[]int{1, 0}, nil, "abcdef"},
		{[]int{0, 1}, []int{2, 3}, "adbecf"},
	}
	dims := []int{2, 3}
	for _, test := range tests {
		l := PaddedLayout{test.order, test.padded, ZeroPad}
		if err := l.Check(dims); err != nil {
			t.Errorf("%v: %v", l, err)
			continue
		}
		got, place := "", 0
		for index, isPadding := range l.Order(dims) {
			if l.Linear(index, dims) != place {
				t.Errorf("%v: %v is at %d, want %d", l, index, l.Linear(index, dims), place)
			}
			place++
			if isPadding {
				got += "0"
				continue
			}
			got += string("abcdef"[RowMajorIndex(index, dims)])
		}
		if got != test.want || l.Elements(dims) != len(test.want) {
			t.Errorf("%v: memory %s, want %s", l, got, test.want)
		}
		checkPaddedAsTiled(t, l, dims)
	}
}

// checkPaddedAsTiled compares the places of l with those of its tiled form.
func checkPaddedAsTiled(t *testing.T, l PaddedLayout, dims []int) {
	t.Helper()
	layout, err := l.Layout(dims)
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewIndexing(Make(F32, dims...).WithLayout(layout))
	if err != nil {
		t.Fatal(err)
	}
	for place, index := range x.Logical() {
		if want := l.Linear(index, dims); place != want {
			t.Errorf("%v as %v: %v is at %d, want %d", l, layout, index, place, want)
		}
	}
	if x.Len() != l.Elements(dims) {
		t.Errorf("%v as %v: %d elements, want %d", l, layout, x.Len(), l.Elements(dims))
	}
}

func TestPaddedLayoutErrors(t *testing.T) {
	tests := []struct {
		l   PaddedLayout
		msg string
	}{
		{PaddedLayout{[]int{0}, nil, 0}, "minor_to_major has 1 entries, expected 2"},
		{PaddedLayout{[]int{0, 0}, nil, 0}, "expected a permutation of 0..1"},
		{PaddedLayout{[]int{0, 1}, []int{3}, 0}, "padded_dimensions has 1 entries, expected 2"},
		{PaddedLayout{[]int{0, 1}, []int{3, 2}, 0}, "padded dimension 1 is 2, below its size 3"},
		{PaddedLayout{[]int{0, 1}, nil, 9}, "padding_value: expected 0 to 5, got 9"},
		{PaddedLayout{[]int{0, 1}, []int{1 << 40, 1 << 40}, 0}, "more than 2^63-1 elements"},
	}
	for _, test := range tests {
		err := test.l.Check([]int{2, 3})
		if err == nil || !strings.Contains(err.Error(), test.msg) {
			t.Errorf("%v: got %v, want %s", test.l, err, test.msg)
		}
		if _, err := test.l.Layout([]int{2, 3}); err == nil {
			t.Errorf("%v: Layout: no error", test.l)
		}
	}
}
