package shape

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestStrided holds the worked numbers of SHAPES.md, Strided buffers.
func TestStrided(t *testing.T) {
	tests := []struct {
		name           string
		sizes, strides []int
		elements       int // logical
		least          int // smallest buffer, in elements
		packed, needs  bool
		overlaps       bool
		memory         string // the elements A, B, ... in memory, "." where there is none
	}{
		{"row-major HW", []int{2, 3}, []int{3, 1}, 6, 6, true, false, false, "ABCDEF"},
		{"absent strides", []int{2, 3}, nil, 6, 6, true, false, false, "ABCDEF"},
		{"column-major WH", []int{2, 3}, []int{1, 2}, 6, 6, true, true, false, "ADBECF"},
		{"DHW", []int{2, 2, 3}, []int{6, 3, 1}, 12, 12, true, false, false, "ABCDEFGHIJKL"},
		{"WHD", []int{2, 2, 3}, []int{1, 2, 4}, 12, 12, true, true, false, "AGDJBHEKCIFL"},
		{"broadcast", []int{2, 3}, []int{0, 1}, 6, 3, false, true, true, "DEF"},
		{"padding", []int{2, 3}, []int{5, 1}, 6, 8, false, true, false, "ABC..DEF"},
		{"channel broadcast", []int{1, 2, 2, 2}, []int{4, 0, 2, 1}, 8, 4, false, true, true, "EFGH"},
		{"gaps", []int{3}, []int{2}, 3, 5, false, true, false, "A.B.C"},
		{"interleaved, apart", []int{3, 2}, []int{2, 3}, 6, 8, false, true, false, "A.CBED.F"},
		{"interleaved, shared", []int{4, 2}, []int{2, 6}, 8, 13, false, true, true, "A.C.E.B.D.F.H"},
		{"sliding window", []int{2, 2}, []int{1, 1}, 4, 3, false, true, true, "ACD"},
		{"scalar", nil, nil, 1, 1, true, false, false, "A"},
		{"empty", []int{2, 0}, []int{7, 7}, 0, 0, true, false, false, ""},
		{"size one", []int{1, 3}, []int{0, 1}, 3, 3, true, false, false, "ABC"},
	}
	for _, test := range tests {
		d := Strided{Type: F32, Sizes: test.sizes, Strides: test.strides}
		elements, err := d.Elements()
		least, err2 := d.MinElements()
		if err != nil || err2 != nil {
			t.Errorf("%s: %v, %v", test.name, err, err2)
			continue
		}
		got := fmt.Sprint(elements, least, d.IsPacked(), d.NeedsStrides(), d.Overlaps())
		want := fmt.Sprint(test.elements, test.least, test.packed, test.needs, test.overlaps)
		if got != want {
			t.Errorf("%s: got %s, want %s (elements, least, packed, needs strides, overlaps)", test.name, got, want)
		}
		if got := memoryOf(d, least); test.name != "interleaved, shared" && got != test.memory {
			t.Errorf("%s: memory %s, want %s", test.name, got, test.memory)
		}
		if err := d.CheckResult(); (err != nil) != test.overlaps {
			t.Errorf("%s: as a result: %v, want an error: %v", test.name, err, test.overlaps)
		}
	}
}

// memoryOf names the elements A, B, ... in logical order and returns them as they
// lie in memory; of those that share an offset, the last is seen.
func memoryOf(d Strided, length int) string {
	memory := []byte(strings.Repeat(".", length))
	name := byte('A')
	for offset := range d.Offsets() {
		memory[offset] = name
		name++
	}
	return string(memory)
}

func TestStridedOffset(t *testing.T) {
	d := Strided{Type: F32, Sizes: []int{2, 2, 3}, Strides: []int{6, 3, 1}}
	if got := d.Offset(1, 0, 1); got != 7 {
		t.Errorf("offset %d, want 7", got)
	}
	d.Strides = nil
	if got := d.Offset(1, 0, 1); got != 7 {
		t.Errorf("offset %d without strides, want 7", got)
	}
	if got := d.Explicit(); !slices.Equal(got.Strides, []int{6, 3, 1}) || got.Rank() != 3 {
		t.Errorf("explicit: got %v", got)
	}
}

func TestStridedBytes(t *testing.T) {
	tests := []struct {
		d             Strided
		bytes, extent int
	}{
		{Strided{F32, []int{2, 3}, []int{5, 1}}, 32, 32},
		{Strided{F16, []int{2, 3}, []int{5, 1}}, 16, 16},
		{Strided{F16, []int{2, 3}, []int{0, 1}}, 8, 6},
		{Strided{U8, []int{1, 1, 3, 5}, []int{15, 1, 5, 1}}, 16, 15},
		{Strided{F64, []int{2, 3}, []int{1, 2}}, 48, 48},
		{Strided{S4, []int{5}, nil}, 8, 5},
		{Strided{F32, []int{0}, nil}, 0, 0},
	}
	for _, test := range tests {
		bytes, err := test.d.MinBytes()
		extent, err2 := test.d.ExtentBytes()
		if err != nil || err2 != nil || bytes != test.bytes || extent != test.extent {
			t.Errorf("%v: got %d and %d bytes (%v, %v), want %d and %d",
				test.d, bytes, extent, err, err2, test.bytes, test.extent)
		}
		if err := test.d.CheckBuffer(test.bytes); err != nil {
			t.Errorf("%v: %v", test.d, err)
		}
	}
	err := tests[0].d.CheckBuffer(28)
	if err == nil || !strings.Contains(err.Error(), "the buffer has 28 bytes, 32 are needed") {
		t.Errorf("too small a buffer: %v", err)
	}
}

func TestStridedErrors(t *testing.T) {
	const huge = 1 << 62
	tests := []struct {
		d   Strided
		msg string
	}{
		{Strided{Tuple, nil, nil}, "expected an element type, got tuple"},
		{Strided{F32, []int{2, 3}, []int{1}}, "expected 2 strides, got 1"},
		{Strided{F32, []int{-2}, nil}, "expected sizes of at least 0, got -2"},
		{Strided{F32, []int{2}, []int{-1}}, "expected strides of at least 0, got -1"},
		{Strided{F32, []int{2}, []int{huge}}, "at most 2^63-1 bytes"},
		{Strided{S8, []int{3}, []int{huge}}, "above 2^63-1"},
		{Strided{S8, []int{2, 2}, []int{huge, huge}}, "above 2^63-1"},
		{Strided{S8, []int{huge, 2}, []int{0, 0}}, "more than 2^63-1 elements"},
	}
	for _, test := range tests {
		err := test.d.Check()
		if err == nil || !strings.Contains(err.Error(), test.msg) {
			t.Errorf("%v: got %v, want %s", test.d, err, test.msg)
		}
	}
}

// TestOverlapsIsExact compares with trying all offsets.
func TestOverlapsIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		d := Strided{Type: F32}
		for range 1 + rng.IntN(4) {
			d.Sizes = append(d.Sizes, 1+rng.IntN(5))
			d.Strides = append(d.Strides, rng.IntN(30))
		}
		seen, shared := map[int]bool{}, false
		for offset := range d.Offsets() {
			shared = shared || seen[offset]
			seen[offset] = true
		}
		if got := d.Overlaps(); got != shared {
			t.Errorf("%v: overlaps: %v, want %v", d, got, shared)
		}
	}
}

func TestOverlapSearchIsBounded(t *testing.T) {
	// No two elements share an offset, but only a long search could tell.
	d := Strided{Type: S8}
	for i := range 24 {
		d.Sizes = append(d.Sizes, 3)
		d.Strides = append(d.Strides, 1<<40+1<<i*3+i*i*i)
	}
	// The answer is either the exact one or the safe one; what counts is that it comes.
	t.Logf("%v", d.Overlaps())
}

func TestPackedStrides(t *testing.T) {
	tests := []struct {
		sizes   []int
		order   string
		strides []int
	}{
		{[]int{2, 3}, "HW", []int{3, 1}},
		{[]int{2, 3}, "WH", []int{1, 2}},
		{[]int{7, 5, 3}, "DHW", []int{15, 3, 1}},
		{[]int{7, 5, 3}, "WHD", []int{1, 7, 35}},
		{[]int{1, 1, 3, 5}, "NCHW", []int{15, 15, 5, 1}},
		{[]int{1, 1, 3, 5}, "NHWC", []int{15, 1, 5, 1}},
		{[]int{2, 4, 3, 5}, "NHWC", []int{60, 1, 20, 4}},
		{[]int{2, 4, 3, 5}, "NCHW", []int{60, 15, 5, 1}},
		{[]int{2, 3, 4, 5, 6}, "NDHWC", []int{360, 1, 90, 18, 3}},
	}
	for _, test := range tests {
		got, err := PackedStrides(test.sizes, test.order)
		if err != nil || !slices.Equal(got, test.strides) {
			t.Errorf("%s %v: got %v (%v), want %v", test.order, test.sizes, got, err, test.strides)
		}
		l, err := OrderLayout(test.order)
		if err != nil || !slices.Equal(Strides(test.sizes, l.MinorToMajor), test.strides) {
			t.Errorf("%s: layout %v (%v)", test.order, l, err)
		}
	}
	bad := []struct {
		sizes []int
		order string
	}{{[]int{2}, "HW"}, {[]int{2, 3}, "HH"}, {[]int{2, 3}, "HX"}, {[]int{-2, 3}, "HW"}, {[]int{1 << 40, 1 << 40}, "HW"}}
	for _, test := range bad {
		if got, err := PackedStrides(test.sizes, test.order); err == nil {
			t.Errorf("%s %v: got %v, want an error", test.order, test.sizes, got)
		}
	}
}

func TestLeftPad(t *testing.T) {
	d := Strided{F32, []int{3, 5}, []int{5, 1}}
	for rank, want := range map[int]string{
		2: "f32 sizes [3 5] strides [5 1]",
		4: "f32 sizes [1 1 3 5] strides [15 15 5 1]",
		5: "f32 sizes [1 1 1 3 5] strides [15 15 15 5 1]",
	} {
		got, err := d.LeftPad(rank)
		if err != nil || got.String() != want {
			t.Errorf("rank %d: got %v (%v), want %s", rank, got, err, want)
		}
	}
	got, err := Strided{F32, []int{3, 5}, nil}.LeftPad(4)
	if err != nil || got.String() != "f32 sizes [1 1 3 5] packed" {
		t.Errorf("absent strides: got %v (%v)", got, err)
	}
	if _, err := d.LeftPad(1); err == nil {
		t.Error("rank 2 to rank 1: no error")
	}
}

func TestStridedToShape(t *testing.T) {
	tests := []struct {
		sizes, strides []int
		want           string // a shape, or the end of an error
	}{
		{[]int{2, 3}, nil, "f32[2,3]{1,0}"},
		{[]int{2, 3}, []int{3, 1}, "f32[2,3]{1,0}"},
		{[]int{2, 3}, []int{1, 2}, "f32[2,3]{0,1}"},
		{[]int{1, 1, 3, 5}, []int{15, 1, 5, 1}, "f32[1,1,3,5]{3,2,1,0}"},
		{[]int{2, 4, 3, 5}, []int{60, 1, 20, 4}, "f32[2,4,3,5]{1,3,2,0}"},
		{[]int{2, 3}, []int{5, 1}, "f32[2,3]{1,0:T(5)}"},
		{[]int{2, 3, 3}, []int{20, 5, 1}, "f32[2,3,3]{2,1,0:T(4,5)}"},
		{[]int{2, 3, 3}, []int{20, 1, 4}, "f32[2,3,3]{1,2,0:T(5,4)}"},
		{[]int{2, 1, 3}, []int{5, 99, 1}, "f32[2,1,3]{2,1,0:T(5)}"},
		{[]int{2, 3, 1}, []int{1, 4, 0}, "f32[2,3,1]{2,0,1:T(4,1)}"},
		{[]int{0, 3}, []int{0, 0}, "f32[0,3]{1,0}"},
		{nil, nil, "f32[]"},
		{[]int{2, 3}, []int{0, 1}, "no layout has a broadcast, stride 0 in dimension 0 of size 2"},
		{[]int{2, 3}, []int{6, 2}, "no layout has gaps between elements, the smallest stride is 2"},
		{[]int{2, 3}, []int{2, 1}, "no layout has dimensions that overlap, stride 2 of dimension 0 is below 3"},
		{[]int{2, 2, 2}, []int{7, 3, 1}, "no layout has stride 7, which is not a multiple of the next smaller, 3"},
		{[]int{2, 3}, []int{1}, "expected 2 strides, got 1"},
	}
	for _, test := range tests {
		d := Strided{Type: F32, Sizes: test.sizes, Strides: test.strides}
		s, err := d.Shape()
		if err != nil {
			if !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("%v: got the error %v, want %s", d, err, test.want)
			}
			continue
		}
		if s.String() != test.want {
			t.Errorf("%v: got %v, want %s", d, s, test.want)
		}
		back, err := StridedOf(s)
		if err != nil || !slices.Equal(slices.Collect(back.Offsets()), slices.Collect(d.Offsets())) {
			t.Errorf("%v as %v: back as %v (%v)", d, s, back, err)
		}
	}
}

func TestShapeToStrided(t *testing.T) {
	tests := []struct{ shape, want string }{
		{"f32[2,3]", "f32 sizes [2 3] strides [3 1]"},
		{"f32[2,3]{0,1:S(5)}", "f32 sizes [2 3] strides [1 2]"},
		{"f32[]", "f32 sizes [] strides []"},
		{"f32[2,3]{1,0:T(5)}", "f32 sizes [2 3] strides [5 1]"},
		{"f32[1000]{0:T(128)}", "f32 sizes [1000] strides [1]"},
		{"f32[1000]{0:T(128)(8)}", "f32 sizes [1000] strides [1]"},
		{"f32[3,4,5]{2,1,0:T(*,6)}", "f32 sizes [3 4 5] strides [24 5 1]"},
		{"f32[3,4]{1,0:T(*,4)}", "f32 sizes [3 4] strides [4 1]"},
		{"f32[9,4000000000]{1,0:T(1,8)}", "f32 sizes [9 4000000000] strides [4000000000 1]"},
		{"f32[3,4]{1,0:T(2,2)}", "differing distances"},
		{"f32[8,4000000000]{1,0:T(8,128)}", "differing distances"},
		{"f32[<=3]", "its dimensions are dynamic"},
		{"s4[3]{0:E(4)}", "its elements have 4 bits, expected 8"},
		{"(f32[])", "expected an array"},
	}
	for _, test := range tests {
		d, err := StridedOf(mustParse(t, test.shape))
		if err != nil && !strings.Contains(err.Error(), test.want) || err == nil && d.String() != test.want {
			t.Errorf("%s: got %v (%v), want %s", test.shape, d, err, test.want)
		}
	}
}

// TestTiledStrides compares with looking at every element.
func TestTiledStrides(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	affine, other := 0, 0
	for range 20000 {
		s := randomTiled(rng)
		x, err := NewIndexing(s)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		want, isAffine := probeStrides(x)
		d, err := StridedOf(s)
		switch {
		case err != nil && isAffine && combinesCuts(s.Layout.Tiles):
			other++ // may be refused, see StridedOf
		case (err == nil) != isAffine:
			t.Fatalf("%v: got %v (%v), want strides: %v %v", s, d, err, isAffine, want)
		case isAffine:
			affine++
			for i, n := range s.Dims {
				if n > 1 && d.Strides[i] != want[i] {
					t.Fatalf("%v: got %v, want strides %v", s, d, want)
				}
			}
		default:
			other++
		}
	}
	t.Logf("%d with strides, %d without", affine, other)
}

// combinesCuts reports whether a tile after the first combines dimensions.
func combinesCuts(tiles []Tile) bool {
	return slices.ContainsFunc(tiles[1:], func(t Tile) bool { return slices.Contains(t.Dims, Combine) })
}

// randomTiled returns a small array with one to three tiles.
func randomTiled(rng *rand.Rand) Shape {
	dims := []int{}
	for range rng.IntN(4) {
		dims = append(dims, 1+rng.IntN(6))
	}
	l := &Layout{MinorToMajor: rng.Perm(len(dims))}
	for range 1 + rng.IntN(3) {
		tile := Tile{}
		for range rng.IntN(3) {
			if tile.Dims = append(tile.Dims, 1+rng.IntN(6)); rng.IntN(4) == 0 {
				tile.Dims[len(tile.Dims)-1] = Combine
			}
		}
		tile.Dims = append(tile.Dims, 1+rng.IntN(6))
		l.Tiles = append(l.Tiles, tile)
	}
	return Make(F32, dims...).WithLayout(l)
}

// probeStrides returns the strides of x, found by trying all its elements.
func probeStrides(x *Indexing) (strides []int, ok bool) {
	strides = make([]int, len(x.Dims()))
	for i, n := range x.Dims() {
		if n > 1 {
			index := make([]int, len(strides))
			index[i] = 1
			strides[i] = x.Linear(index)
		}
	}
	for place, index := range x.Logical() {
		if Dot(index, strides) != place {
			return nil, false
		}
	}
	return strides, true
}

func TestOrderNames(t *testing.T) {
	for _, test := range []struct{ order, canonical string }{
		{"HW", "HW"}, {"WH", "HW"}, {"DHW", "DHW"}, {"WHD", "DHW"}, {"NHWC", "NCHW"}, {"NDHWC", "NCDHW"}, {"", ""},
	} {
		got, err := CanonicalOrder(test.order)
		if err != nil || got != test.canonical {
			t.Errorf("%s: got %s (%v), want %s", test.order, got, err, test.canonical)
		}
		if got := IsRowMajorOrder(test.order); got != (test.order == test.canonical) {
			t.Errorf("%s: row-major: %v", test.order, got)
		}
	}
	for rank, want := range map[int]string{3: "", 4: "NCHW", 5: "NCDHW", 6: ""} {
		if got, err := MemberOrder(rank); got != want || (err == nil) != (want != "") {
			t.Errorf("rank %d: got %q (%v), want %q", rank, got, err, want)
		}
	}
	for rank, want := range []string{"", "x", "yx", "zyx", "pzyx", ""} {
		if got := DimensionLetters(rank); got != want {
			t.Errorf("rank %d: got %q, want %q", rank, got, want)
		}
	}
	d, err := MakeStrided(F32, []int{2, 4, 3, 5}, "NHWC")
	if err != nil || d.String() != "f32 sizes [2 4 3 5] strides [60 1 20 4]" {
		t.Errorf("MakeStrided: %v (%v)", d, err)
	}
	if d, err := MakeStrided(Token, []int{2}, "W"); err == nil {
		t.Errorf("MakeStrided of a token: %v, want an error", d)
	}
}
