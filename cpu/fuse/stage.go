package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Depthwise convolutions have a window for each feature, so their sums are short, and each element of the input is read
// as often as there are taps. What a tile of places reads is therefore brought near first, into memory of the
// worker's own: there it is in the type of the products, with zeros where windows reach beyond the input, and with
// every so many elements next to each other if the window moves in steps along the lanes. The loops over places then
// have neither masks nor conversions, and their loads find what they want in the nearest caches.

// staging is how the input of a depthwise convolution is brought near.
type staging struct {
	conv *hlo.Instruction
	t    shape.ElementType // of the products
	// block is how many features, which are in lanes, a tile has; 0 if places are in lanes. Features is how many of them
	// there are, while code is being made: the last block may have fewer.
	block, features int
	// tiled is the dimension of the window whose places are cut into tiles, -1 if none is, tiles how many there are.
	tiled, tiles int
	// dims holds the dimensions of the window in the order of the result, by is their numbers in the window.
	dims []stagedDim
	by   []int
	// outer is how many times there is something to do for each tile, as for other features.
	outer  int
	buffer int
	tile   Expr       // the number of the tile, while code is being made
	sum    elem.Value // of the place at which code is being made, if it is made already
}

// stagedDim is a dimension of the window. The windows of the places of a tile reach elements lo to lo+count-1 of the
// base in the first tile, and step further in each that follows.
type stagedDim struct {
	window        op.WindowDim
	place, source int // dimensions of the result and of the input
	base, places  int
	every         int64 // places that far apart hit the same taps
	lo, count     int64
	step          int64
	stride        int64 // elements of near memory from one element to the next
	// Of each split elements, those with the same rest are together, in part elements of near memory. Those in lanes
	// begin such that the first that is in the base does with a line: before holds how many are before them, by rest.
	split, part int64
	before      []int64
}

const (
	// stageTaps is how many products an element of the result has at least that is worth it, stageTapsHalf where rows
	// of half floats are in lanes that they do not fill, so that most products would have a mask and a conversion, and
	// stageTapsDear where elements of the input have to be permuted for each. Of features in lanes it is so many for each
	// element that a window moves on.
	stageTaps, stageTapsHalf, stageTapsDear = 12, 9, 6
	// nearBytes is the memory of a tile that stays in the nearest cache, farBytes the most that a tile may have.
	nearBytes, farBytes = 96 << 10, 512 << 10
	// Elements may be brought near so many times, in quarters, because the windows of tiles overlap; or more often
	// where tiles would be too large.
	fewRead, mostRead = 5, 8
	// memoryLine is the bytes of memory that come at once.
	memoryLine = 64
	// wholeFeatures is the most features that are one block, whatever their number.
	wholeFeatures = 48
)

// scratchLeaf is the Leaf of the memory of a worker.
const scratchLeaf = Round - 1

// depthwiseOf returns the depthwise convolution of s whose features or places are in lanes, nil if there is none.
func depthwiseOf(s Spec, lanes int) *staging {
	if slices.Contains(s.Inner, true) || lanes < 0 {
		return nil
	}
	var i *hlo.Instruction
	for _, r := range s.Roots {
		if r.Spread || r.Shape().Rank() != len(s.Dims) || r.Inst.IsTuple() {
			return nil
		}
		if i == nil {
			i = slides(s, r.Inst, &set{})
		}
	}
	if i == nil || i.Code() != op.Convolution || !slices.Equal(i.Dims(), s.Dims) || !isDepthwise(i) {
		return nil
	}
	st := &staging{conv: i, tiled: -1, tiles: 1}
	st.t = productType(i.Operand(0).Type(), i.Operand(1).Type(), i.Type())
	if st.t != shape.F32 && st.t != shape.F64 || !st.blocks(lanes, s.Wide) {
		return nil
	}
	st.slide(lanes)
	return st
}

// near reports whether the input is brought near, and finds how.
func (st *staging) near(lanes int) bool {
	return st.worth(lanes) && (st.block > 0 || st.dims[len(st.dims)-1].place == lanes) && st.cutTiles(lanes)
}

// isDepthwise reports whether each feature of the result is made from one of the input.
func isDepthwise(i *hlo.Instruction) bool {
	a := i.Attrs().(*op.ConvolutionAttrs)
	return i.Operand(1).Dims()[a.DimLabels.KernelInputFeature] == 1 && a.BatchGroupCount <= 1 &&
		len(a.Window.Dims) > 0 && admitConvolution(i)
}

// blocks chooses the lanes: places, or blocks of features, of a line of the input; of half of one where narrow
// registers fill it, and the last block too. It reports whether both suit.
func (st *staging) blocks(lanes int, wide bool) bool {
	a := st.conv.Attrs().(*op.ConvolutionAttrs)
	l, x := &a.DimLabels, st.conv.Operand(0).Shape()
	if d := slices.Index(l.OutputSpatial, lanes); d >= 0 {
		return l.InputSpatial[d] == x.Rank()-1 && a.Window.Dims[d].BaseDilation <= 1
	}
	features := st.conv.Dims()[lanes]
	if lanes != l.OutputFeature || l.InputFeature != x.Rank()-1 {
		return false
	}
	st.block = memoryLine / x.Type.ByteSize()
	switch {
	case features%st.block == 0:
	case features <= wholeFeatures:
		st.block = features
	case !wide && features%(st.block/2) == 0:
		st.block /= 2
	}
	return true
}

// worth reports whether elements are read often enough.
func (st *staging) worth(lanes int) bool {
	i := st.conv
	a := i.Attrs().(*op.ConvolutionAttrs)
	least := stageTaps
	for d, w := range a.Window.Dims {
		if a.DimLabels.OutputSpatial[d] == lanes && w.Stride > 1 {
			least = stageTapsDear
		}
		if st.block > 0 { // elements take part in fewer products
			least *= max(w.Stride, 1)
		}
	}
	if x := i.Operand(0).Type(); st.block == 0 && (x == shape.BF16 || x == shape.F16) &&
		i.Dims()[lanes]%nearLanes != 0 {
		least = min(least, stageTapsHalf)
	}
	return st.taps() >= least
}

// taps is how many products an element of the result has, 0 if they are too few, or in one dimension only.
func (st *staging) taps() int {
	taps, long := 1, 0
	for _, w := range st.conv.Attrs().(*op.ConvolutionAttrs).Window.Dims {
		taps *= (w.Size-1)/max(w.BaseDilation, 1) + 1
		if w.Size > 1 {
			long++
		}
	}
	if long < 2 || taps*st.conv.Size() < leastCut {
		return 0
	}
	return taps
}

// slide finds what windows reach, with all places in one tile.
func (st *staging) slide(lanes int) {
	dims, window := windowOf(st.conv)
	a := st.conv.Attrs().(*op.ConvolutionAttrs)
	for d := range window {
		st.by = append(st.by, d)
	}
	slices.SortStableFunc(st.by, func(x, y int) int { return dims[x].place - dims[y].place })
	for _, d := range st.by {
		w := window[d]
		n := stagedDim{window: w, place: dims[d].place, source: a.DimLabels.InputSpatial[d], base: dims[d].base,
			places: st.conv.Dims()[dims[d].place], split: 1}
		n.every = n.holes() / gcd(n.holes(), n.moves())
		n.reach()
		st.dims = append(st.dims, n)
	}
	st.outer = st.conv.Size()
	for k := range st.dims {
		st.outer /= st.dims[k].places
	}
	if features := st.conv.Dims()[lanes]; st.block > 0 {
		st.outer = st.outer / features * ((features + st.block - 1) / st.block)
	}
}

func (d *stagedDim) holes() int64 { return int64(max(d.window.BaseDilation, 1)) }

func (d *stagedDim) moves() int64 { return int64(max(d.window.Stride, 1)) }

// reach finds the elements under the windows of d.places places.
func (d *stagedDim) reach() {
	low := int64(-d.window.PaddingLow)
	high := low + int64(d.places-1)*d.moves() + int64((d.window.Size-1)*max(d.window.WindowDilation, 1))
	d.lo = floorDiv(low, d.holes())
	d.count = floorDiv(high, d.holes()) - d.lo + 1
	d.step = int64(d.places) * d.moves() / d.holes()
	d.part = (d.count + d.split - 1) / d.split
}

// cutTiles cuts the outermost dimension of the window into tiles that are small enough.
func (st *staging) cutTiles(lanes int) bool {
	for k := range st.dims {
		d := &st.dims[k]
		if d.place == lanes && d.moves() > 1 {
			if d.window.Size > maxTaps {
				return false
			}
			d.split = d.moves()
			d.reach()
		}
	}
	near, few := int64(nearBytes), int64(fewRead)
	if st.outer == 1 { // tiles are for the threads
		near, few = 0, mostRead
	}
	first := &st.dims[0]
	all := first.places
	if st.bytes() <= near || first.place == lanes {
		return st.bytes() <= farBytes
	}
	size := 0
	for n := 1; n <= all; n++ {
		if all%n != 0 || int64(n)*first.moves()%first.holes() != 0 {
			continue
		}
		first.places = n
		first.reach()
		enough := size > 0 && st.bytes() > near && st.read(size) <= few
		if !enough && st.read(n) <= mostRead && st.bytes() <= farBytes {
			size = n
		}
	}
	if size == 0 {
		return false
	}
	first.places = size
	first.reach()
	if size < all {
		st.tiled, st.tiles = 0, all/size
	}
	return true
}

// read is how often elements are brought near, in quarters, by tiles of n places.
func (st *staging) read(n int) int64 {
	d := st.dims[0]
	d.places = n
	d.reach()
	return 4 * d.count / max(d.step, 1)
}

// bytes lays out near memory and returns its size.
func (st *staging) bytes() int64 {
	n := int64(max(st.block, 1))
	for k := len(st.dims) - 1; k >= 0; k-- {
		d := &st.dims[k]
		if d.before = make([]int64, d.split); st.block == 0 && k == len(st.dims)-1 {
			d.align()
		}
		d.stride = n
		n *= d.part * d.split
	}
	n *= int64(st.t.ByteSize())
	if st.block == 0 { // vectors of which some lanes are on may go on behind the last row
		n += memoryLine
	}
	return (n + memoryLine - 1) / memoryLine * memoryLine
}

// align finds what is before the elements of a dimension in lanes.
func (d *stagedDim) align() {
	d.part = 0
	for rest := range d.split {
		count, first, _ := d.inBase(rest)
		d.before[rest] = (first+nearLanes-1)/nearLanes*nearLanes - first
		d.part = max(d.part, (d.before[rest]+count+nearLanes-1)/nearLanes*nearLanes)
	}
}

// inBase returns how many elements have the given rest, and that those from first to behind-1 are in the base.
func (d *stagedDim) inBase(rest int64) (count, first, behind int64) {
	count = (d.count - rest + d.split - 1) / d.split
	first = min(max(floorDiv(-(d.lo+rest)+d.split-1, d.split), 0), count)
	behind = max(min(floorDiv(int64(d.base)-1-(d.lo+rest), d.split)+1, count), first)
	return count, first, behind
}

// inmost is the number in dims of the last dimension that is not in lanes.
func (st *staging) inmost() int {
	if st.block == 0 {
		return len(st.dims) - 2
	}
	return len(st.dims) - 1
}

// nearLanes is what rows of lanes are a multiple of.
const nearLanes = 16
