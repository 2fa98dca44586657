package shape

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func mustParse(t testing.TB, text string) Shape {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// TestLinearIndex holds the worked numbers of SHAPES.md and of XLA's page on tiled layouts.
func TestLinearIndex(t *testing.T) {
	tests := []struct {
		shape  string
		index  []int
		linear int
	}{
		{"f32[]", nil, 0},
		{"f32[2,3]", []int{1, 2}, 5},
		{"f32[2,3]{0,1}", []int{0, 2}, 4},
		{"f32[2,3]{0,1}", []int{1, 1}, 3},
		{"f32[2,3,4]{1,2,0}", []int{1, 2, 1}, 17},
		{"f32[3,5]{1,0:T(2,2)}", []int{2, 3}, 17},
		{"f32[8,8]{1,0:T(2,4)(2,1,1,1)}", []int{6, 5}, 51},
		{"f32[4,8]{1,0:T(2,4)(2,1)}", []int{1, 0}, 1},
		{"f32[4,8]{1,0:T(2,4)(2,1)}", []int{3, 7}, 31},
		{"f32[5]{0:T(8)}", []int{4}, 4},
		{"f32[]{:T(256)}", nil, 0},
		{"f32[3,5]{0,1:T(2,2)}", []int{2, 3}, 2*(1*2+1)*2 + (1*2 + 0)},
		{"f32[7,3,5]{2,1,0:T(2,2)}", []int{4, 2, 3}, 4*24 + 17},
		{"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", []int{1, 6, 7, 10, 9}, 55*37*6 + 36*6 + 1*3 + 109%3},
	}
	for _, test := range tests {
		s := mustParse(t, test.shape)
		got, err := s.LinearIndex(test.index...)
		if err != nil || got != test.linear {
			t.Errorf("%s at %v: got %d (%v), want %d", test.shape, test.index, got, err, test.linear)
		}
		back, ok, err := s.IndexAt(test.linear)
		if err != nil || !ok || !slices.Equal(back, test.index) {
			t.Errorf("%s place %d: got %v, %v (%v), want %v", test.shape, test.linear, back, ok, err, test.index)
		}
	}
}

// padReshapeTranspose returns what lies in memory for an array, major to minor, of
// the given sizes: the row-major number of each element, or -1 for padding. It does
// with real arrays what the tiling formula does with indices.
func padReshapeTranspose(dims []int, tiles []Tile) []int {
	memory := make([]int, product(dims))
	for i := range memory {
		memory[i] = i
	}
	for _, tile := range tiles {
		for len(tile.Dims) > len(dims) {
			dims = append([]int{1}, dims...)
		}
		head := len(dims) - len(tile.Dims)
		merged := slices.Clone(dims[:head])
		sizes := []int{}
		carried := 1
		for i, size := range tile.Dims {
			if size == Combine {
				carried *= dims[head+i]
				continue
			}
			merged, sizes, carried = append(merged, carried*dims[head+i]), append(sizes, size), 1
		}
		memory, dims = applyTile(memory, merged, head, sizes)
	}
	return memory
}

// applyTile pads each tiled dimension to whole tiles, splits it in two, and moves
// the inner parts to the end.
func applyTile(memory, dims []int, head int, tile []int) (tiled, newDims []int) {
	newDims = slices.Clone(dims[:head])
	for i, size := range tile {
		newDims = append(newDims, (dims[head+i]+size-1)/size)
	}
	newDims = append(newDims, tile...)
	tiled = slices.Repeat([]int{-1}, product(newDims))
	for index := range Indices(dims) {
		to := slices.Clone(index[:head])
		for i, size := range tile {
			to = append(to, index[head+i]/size)
		}
		for i, size := range tile {
			to = append(to, index[head+i]%size)
		}
		tiled[RowMajorIndex(to, newDims)] = memory[RowMajorIndex(index, dims)]
	}
	return tiled, newDims
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

func TestTilingIsPadReshapeTranspose(t *testing.T) {
	texts := []string{"f32[3,5]{1,0}", "f32[3,5]{1,0:T(2,2)}", "f32[3,5]{0,1:T(2,2)}", "f32[8,8]{1,0:T(2,4)(2,1,1,1)}",
		"f32[4,8]{1,0:T(2,4)(2,1)}", "f32[5,3,4]{0,2,1:T(2,3)(2,1)}", "f32[3,4,5]{2,1,0:T(*,7)}",
		"f32[3,4,5]{1,2,0:T(*,*,8)(2)}", "f32[2,3,2,5,2]{4,3,2,1,0:T(*,*,4,*,3)(2,1)}", "f32[5]{0:T(2,4)}",
		"f32[]{:T(4)}", "f32[]{:T(2,*,2)}", "f32[6]{0:T(*,4)(3,1)}", "f32[0,4]{1,0:T(2,2)}",
		"f32[9,7]{1,0:T(4,4)(2,2)(1,2)}", "f32[3,5]{1,0:T(2,2)L(7)}", "f32[5]{0:L(4)}", "f32[<=3,5]{1,0:T(2)}"}
	for _, text := range texts {
		s := mustParse(t, text)
		x, err := NewIndexing(s)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		major := []int{}
		for _, d := range slices.Backward(s.MinorToMajor()) {
			major = append(major, d)
		}
		want := padReshapeTranspose(pick(s.Dims, major), s.layoutTiles())
		if s.Layout != nil {
			for len(want)%max(1, s.Layout.TailPadding) != 0 {
				want = append(want, -1)
			}
		}
		if x.Len() != len(want) {
			t.Errorf("%s: %d elements in memory, want %d", text, x.Len(), len(want))
			continue
		}
		checkMemory(t, text, x, major, want)
	}
}

func (s Shape) layoutTiles() []Tile {
	if s.Layout == nil {
		return nil
	}
	return s.Layout.Tiles
}

func pick(values, which []int) []int {
	picked := make([]int, len(which))
	for i, w := range which {
		picked[i] = values[w]
	}
	return picked
}

// checkMemory compares both directions of x with the numbers in memory.
func checkMemory(t *testing.T, text string, x *Indexing, major, want []int) {
	t.Helper()
	physicalDims := pick(x.Dims(), major)
	index := make([]int, len(x.Dims()))
	elements := 0
	for place, number := range want {
		ok := x.Index(index, place)
		if ok != (number >= 0) {
			t.Errorf("%s: place %d: an element: %v, want %v", text, place, ok, number >= 0)
		}
		if !ok {
			continue
		}
		elements++
		if got := RowMajorIndex(pick(index, major), physicalDims); got != number {
			t.Errorf("%s: place %d: index %v is element %d, want %d", text, place, index, got, number)
		}
		if got := x.Linear(index); got != place {
			t.Errorf("%s: index %v: place %d, want %d", text, index, got, place)
		}
	}
	visited := 0
	for place, index := range x.Logical() {
		visited++
		if x.Linear(index) != place {
			t.Errorf("%s: Logical: index %v at %d, want %d", text, index, place, x.Linear(index))
		}
	}
	last := -1
	for place := range x.Physical() {
		visited++
		if place <= last {
			t.Errorf("%s: Physical: place %d after %d", text, place, last)
		}
		last = place
	}
	if visited != 2*elements {
		t.Errorf("%s: the walks visit %d elements, want twice %d", text, visited, elements)
	}
}

func TestSizes(t *testing.T) {
	tests := []struct {
		shape           string
		elements, bytes int
		dims            []int
	}{
		{"f32[2,3]", 6, 24, []int{2, 3}},
		{"f32[2,3]{0,1}", 6, 24, []int{3, 2}},
		{"f32[]", 1, 4, []int{}},
		{"f32[0,3]{1,0:T(2,2)}", 0, 0, []int{0, 2, 2, 2}},
		{"f32[3,5]{1,0:T(2,2)}", 24, 96, []int{2, 3, 2, 2}},
		{"f32[]{:T(256)}", 256, 1024, []int{1, 256}},
		{"f32[5]{0:L(8)}", 8, 32, []int{5}},
		{"s4[9]", 9, 9, []int{9}},
		{"s4[9]{0:E(4)}", 9, 5, []int{9}},
		{"u1[9]{0:E(1)}", 9, 2, []int{9}},
		{"f6e3m2fn[3]{0:E(6)}", 3, 3, []int{3}},
		{"f6e3m2fn[2]{0:E(6)}", 2, 2, []int{2}},
		{"pred[3]", 3, 3, []int{3}},
		{"c128[3]", 3, 48, []int{3}},
		{"bf16[16,256]{1,0:T(8,128)(2,1)}", 4096, 8192, []int{2, 2, 4, 128, 2, 1}},
		{"f32[<=3]{0:M(16)}", 3, 28, []int{3}},
		{"f32[3]{0:M(16)}", 3, 12, []int{3}},
	}
	for _, test := range tests {
		s := mustParse(t, test.shape)
		elements, err := s.PhysicalElements()
		bytes, err2 := s.ByteSize()
		dims, err3 := s.PhysicalDims()
		if err != nil || err2 != nil || err3 != nil {
			t.Errorf("%s: %v, %v, %v", test.shape, err, err2, err3)
			continue
		}
		if elements != test.elements || bytes != test.bytes || !slices.Equal(dims, test.dims) {
			t.Errorf("%s: got %d elements, %d bytes, sizes %v; want %d, %d, %v",
				test.shape, elements, bytes, dims, test.elements, test.bytes, test.dims)
		}
	}
	tuple := mustParse(t, "(f32[2], (s8[3], token[]), b(f64[2]))")
	if n, err := tuple.ByteSize(); err != nil || n != 8+3+16 {
		t.Errorf("%v: %d bytes (%v), want 27", tuple, n, err)
	}
}

func TestSizeErrors(t *testing.T) {
	tests := []struct{ shape, msg string }{
		{"f32[?]", "dimension 0 is unbounded"},
		{"f32[9223372036854775807]", "more than 2^63-1 bytes"},
		{"f32[4294967296,4294967296]", "more than 2^63-1 elements"},
		{"s8[9223372036854775807]{0:T(8)}", "with its padding"},
		{"s8[9223372036854775807]{0:L(8)}", "with its padding"},
		{"s8[0,9223372036854775807,2]{2,1,0:T(*,2)}", "the combined size is above 2^63-1"},
		{"f32[2,2]{1,1}", "expected a permutation of 0..1, got [1 1]"},
		{"f32[2]{0:T(*)}", "expected a size for the most minor dimension"},
		{"(s8[9223372036854775807], s8[2])", "more than 2^63-1 bytes"},
	}
	for _, test := range tests {
		_, err := mustParse(t, test.shape).ByteSize()
		if err == nil || !strings.Contains(err.Error(), test.msg) {
			t.Errorf("%s: got %v, want %s", test.shape, err, test.msg)
		}
	}
	if _, err := NewIndexing(MakeToken()); err == nil {
		t.Error("indexing of a token: no error")
	}
}

func TestIndexErrors(t *testing.T) {
	s := Make(F32, 2, 3)
	for _, index := range [][]int{{}, {0}, {0, 3}, {2, 0}, {-1, 0}, {0, 0, 0}} {
		if got, err := s.LinearIndex(index...); err == nil {
			t.Errorf("LinearIndex(%v) = %d, want an error", index, got)
		}
	}
	for _, linear := range []int{-1, 6} {
		if got, _, err := s.IndexAt(linear); err == nil {
			t.Errorf("IndexAt(%d) = %v, want an error", linear, got)
		}
	}
	if _, ok, err := mustParse(t, "f32[3,5]{1,0:T(2,2)}").IndexAt(23); ok || err != nil {
		t.Errorf("IndexAt of padding: %v, %v, want false, nil", ok, err)
	}
}

func TestIteration(t *testing.T) {
	tests := []struct {
		dims []int
		want string
	}{
		{[]int{2, 3}, "[0 0] [0 1] [0 2] [1 0] [1 1] [1 2] "},
		{[]int{2, 1, 2}, "[0 0 0] [0 0 1] [1 0 0] [1 0 1] "},
		{nil, "[] "},
		{[]int{2, 0}, ""},
	}
	for _, test := range tests {
		got := ""
		for index := range Indices(test.dims) {
			got += fmt.Sprint(index) + " "
		}
		if got != test.want {
			t.Errorf("%v: got %s, want %s", test.dims, got, test.want)
		}
	}
}

func TestNextOffset(t *testing.T) {
	dims, strides := []int{2, 3, 2}, []int{1, 7, 20}
	index, offset, n := make([]int, 3), 5, 0
	for ok := true; ok; offset, ok = NextOffset(index, dims, strides, offset) {
		if want := 5 + Dot(index, strides); offset != want {
			t.Errorf("%v: offset %d, want %d", index, offset, want)
		}
		n++
	}
	if n != 12 || offset != 5 {
		t.Errorf("%d steps, ending at %d; want 12, ending at 5", n, offset)
	}
}

func TestRowMajor(t *testing.T) {
	dims := []int{2, 3, 4}
	want := []int{12, 4, 1}
	if got := RowMajorStrides(dims); !slices.Equal(got, want) {
		t.Errorf("strides %v, want %v", got, want)
	}
	if got := Strides(dims, []int{2, 1, 0}); !slices.Equal(got, want) {
		t.Errorf("strides %v of the default order, want %v", got, want)
	}
	if got := Strides(dims, []int{1, 2, 0}); !slices.Equal(got, []int{12, 1, 3}) {
		t.Errorf("strides %v, want [12 1 3]", got)
	}
	linear, back := 0, make([]int, 3)
	for index := range Indices(dims) {
		FromRowMajor(back, linear, dims)
		if got := RowMajorIndex(index, dims); got != linear || !slices.Equal(back, index) {
			t.Errorf("%v: linear %d and back %v, want %d", index, got, back, linear)
		}
		linear++
	}
}

func TestIndexingAllocatesNothing(t *testing.T) {
	for _, text := range []string{"f32[4,8]{0,1}", "f32[4,8]{1,0:T(2,4)(2,1)}", "f32[4,8]{1,0:T(*,4)}"} {
		x, err := NewIndexing(mustParse(t, text))
		if err != nil {
			t.Fatal(err)
		}
		index := []int{2, 3}
		n := testing.AllocsPerRun(100, func() { x.Index(index, x.Linear(index)) })
		if n != 0 {
			t.Errorf("%s: %v allocations, want 0", text, n)
		}
	}
}

func TestCheck(t *testing.T) {
	layout := func(l Layout) Shape { return Make(F32, 2, 3).WithLayout(&l) }
	order := []int{1, 0}
	bad := []struct {
		shape Shape
		msg   string
	}{
		{Shape{}, "expected an element type, got 0"},
		{Shape{Type: 99}, "expected an element type, got 99"},
		{Make(F32, -1), "dimension 0: expected a size of at least 0, got -1"},
		{Shape{Type: F32, Dims: []int{2}, Dynamic: []bool{true, false}}, "expected 1 dynamic flags, got 2"},
		{Shape{Type: F32, Elems: []Shape{Make(F32)}}, "expected no elements in an array"},
		{Shape{Type: Token, Dims: []int{2}}, "expected no dimensions"},
		{Shape{Type: Tuple, Layout: &Layout{}}, "expected no dimensions and no layout"},
		{Shape{Type: Token, Elems: []Shape{Make(F32)}}, "expected no elements for token, got 1"},
		{Shape{Type: Buffer, Elems: []Shape{MakeToken()}}, "expected one array in a buffer"},
		{MakeTuple(Make(F32), Make(F32, -2)), "element 1: f32: dimension 0"},
		{layout(Layout{MinorToMajor: []int{0}}), "minor_to_major has 1 entries, expected 2"},
		{layout(Layout{MinorToMajor: []int{0, 0}}), "expected a permutation of 0..1, got [0 0]"},
		{layout(Layout{MinorToMajor: []int{0, 2}}), "expected a permutation of 0..1, got [0 2]"},
		{layout(Layout{MinorToMajor: order, Tiles: []Tile{{Dims: []int{0}}}}), "tile (0): expected sizes of at least 1"},
		{layout(Layout{MinorToMajor: order, Tiles: []Tile{{}}}), "expected a size for the most minor dimension"},
		{layout(Layout{MinorToMajor: order, TailPadding: -1}), "expected numbers of at least 0"},
		{layout(Layout{MinorToMajor: order, IndexType: F32}), "expected integer types"},
		{layout(Layout{MinorToMajor: order, SplitConfigs: []SplitConfig{{Dim: 2}}}), "split: dimension 2 is not in [0, 2)"},
		{layout(Layout{MinorToMajor: order, SplitConfigs: []SplitConfig{{Dim: 1, Indices: []int{2, 1}}}}),
			"ascending indices up to 3"},
		{Make(F32, 1<<62), "more than 2^63-1 bytes"},
	}
	for _, test := range bad {
		err := test.shape.Check()
		if err == nil || !strings.Contains(err.Error(), test.msg) {
			t.Errorf("%v: got %v, want %s", test.shape, err, test.msg)
		}
	}
	good := []string{"f32[2,3]{0,1:T(2,2)SC(1:1,2)}", "f32[?,<=3]", "token[]", "b(f32[2])", "((), opaque[])"}
	for _, text := range good {
		if err := mustParse(t, text).Check(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
