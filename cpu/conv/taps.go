package conv

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// The gradient of the weights of a depthwise convolution is a few sums a feature, over all places, one for each tap of
// the window. A loop for each of them would read both operands as often. So each tap is a sum of products by itself, of
// shifted input and gradient, and one kernel makes all of them: what it reads serves all taps.
//
// With the features innermost the places are cut into regions, in each of which the same taps are inside of the input
// everywhere. So they are with the places innermost where a row of them fills vectors, but along the row zeros take the
// place of what is not there. Short rows are padded, and planes are then one line, in which a tap is a distance.

// mostTaps is the most sums of one kernel, and mostRegions the most kernels.
const (
	mostTaps    = 9
	mostRegions = 12
)

// leastSummed is how many products each sum has at least.
const leastSummed = 256

// taps is a convolution that is such a gradient: in groups of features, of which the window, the gradient that comes,
// is almost as large as the input.
type taps struct {
	*editor
	inst    *hlo.Instruction
	k       *hlo.Instruction
	x       *hlo.Instruction // with its dimensions in the order of k
	dims    []int            // of x
	labels  op.DimLabels
	window  []op.WindowDim
	spatial []int
	feature int
	rows    bool // see fitsRows
	zero    *hlo.Instruction
	sum     *hlo.Computation
}

// tapsOf returns i as sums for each tap, nil if it is none or that is no gain.
func tapsOf(i *hlo.Instruction) *taps {
	a, ok := i.Attrs().(*op.ConvolutionAttrs)
	if !ok || i.Code() != op.Convolution || len(i.Operands()) != 2 || a.Sparsity != nil ||
		a.FeatureGroupCount < minColumns || len(i.ControlPredecessors()) > 0 {
		return nil
	}
	l, x, k, y := a.DimLabels, i.Operand(0).Shape(), i.Operand(1).Shape(), i.Shape()
	t := &taps{editor: &editor{c: i.Computation()}, inst: i, k: i.Operand(1), dims: make([]int, x.Rank()), labels: l,
		window: a.Window.Dims, spatial: l.KernelSpatial, feature: l.KernelOutputFeature}
	groups := a.FeatureGroupCount
	if !x.IsStatic() || !k.IsStatic() || !y.IsStatic() || x.Type != shape.F32 && x.Type != shape.F64 ||
		x.Type != k.Type || x.Type != y.Type || len(t.spatial) == 0 || x.Size()*y.Size() == 0 ||
		x.Dims[l.InputBatch] != 1 || k.Dims[t.feature] != groups {
		return nil
	}
	count := y.Size() / groups
	if count > mostTaps || k.Size() < leastSummed*groups || k.Size()*count < minLoops {
		return nil
	}
	t.dims[l.KernelInputFeature], t.dims[t.feature] = k.Dims[l.KernelInputFeature], groups
	for d, w := range t.window {
		if t.dims[t.spatial[d]] = x.Dims[l.InputSpatial[d]]; w.BaseDilation > 1 || w.Reversal {
			return nil
		}
	}
	t.rows = true // for the regions that there are then
	if t.rows = t.fitsRows(); !t.lines() && (t.feature != x.Rank()-1 || product(t.regionCounts()) > mostRegions) {
		return nil
	}
	return t
}

// ordered returns the input with its dimensions in the order of the kernel: the features of a group, which are what the
// sums are over, in the place of those.
func (t *taps) ordered() *hlo.Instruction {
	l, x := &t.labels, t.inst.Operand(0)
	split, at := make([]int, 0, len(t.dims)), make([]int, len(t.dims))
	for d, n := range x.Dims() {
		switch s := slices.Index(l.InputSpatial, d); {
		case d == l.InputFeature:
			at[t.feature], at[l.KernelInputFeature] = len(split), len(split)+1
			split = append(split, t.dims[t.feature], t.dims[l.KernelInputFeature])
		case s >= 0:
			at[t.spatial[s]] = len(split)
			split = append(split, n)
		}
	}
	return t.transpose(t.reshape(x, split), at)
}

// lines reports whether the places are innermost, without gaps, so that taps are distances in a line.
func (t *taps) lines() bool {
	n := len(t.spatial)
	for d, s := range t.spatial {
		if s != len(t.dims)-n+d || max(t.window[d].WindowDilation, 1) > 1 {
			return false
		}
	}
	return true
}

// fillRows is how much of the vectors of its elements, in quarters, a row of places fills at least to be one by itself.
const fillRows = 3

// fitsRows reports whether the places are innermost, in rows that fill vectors. The rows of the input are then shifted
// under those of the window, with zeros where there is nothing.
func (t *taps) fitsRows() bool {
	last := len(t.window) - 1
	size := t.k.Type().ByteSize() * t.window[last].Size
	whole := (size + vectorBytes - 1) / vectorBytes * vectorBytes
	return t.lines() && last > 0 && 4*size >= fillRows*whole && product(t.regionCounts()) <= mostRegions
}

// start returns which element of dimension d of the input is under the first of the window, at place n.
func (t *taps) start(d, n int) int {
	return n*max(t.window[d].Stride, 1) - t.window[d].PaddingLow
}

// inside returns the elements of dimension d of the window that are inside of the input at place n: [lo, hi).
func (t *taps) inside(d, n int) (lo, hi int) {
	if t.rows && d == len(t.window)-1 {
		return 0, t.window[d].Size
	}
	step, start := max(t.window[d].WindowDilation, 1), t.start(d, n)
	last := t.dims[t.spatial[d]] - 1 - start
	if last < 0 {
		return 0, 0
	}
	return max(0, (-start+step-1)/step), min(t.window[d].Size, last/step+1)
}

// places returns how many places dimension d of the result has.
func (t *taps) places(d int) int { return t.inst.Dims()[t.labels.OutputSpatial[d]] }

// cuts returns where dimension d of the window is cut, so that in each part the same places are inside.
func (t *taps) cuts(d int) []int {
	list := []int{0, t.window[d].Size}
	for n := range t.places(d) {
		if lo, hi := t.inside(d, n); lo < hi {
			list = append(list, lo, hi)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// regionCounts returns how many parts each dimension has.
func (t *taps) regionCounts() []int {
	list := make([]int, len(t.window))
	for d := range list {
		list[d] = len(t.cuts(d)) - 1
	}
	return list
}

// position returns number n of a space of the given sizes, the last of which runs fastest.
func position(n int, sizes []int) []int {
	at := make([]int, len(sizes))
	for d := len(sizes) - 1; d >= 0; d-- {
		at[d], n = n%sizes[d], n/sizes[d]
	}
	return at
}

// sums adds the sums for each tap and returns the value that takes the place of the convolution.
func (t *taps) sums() (*hlo.Instruction, error) {
	t.zero, t.sum = t.zeroOf(t.k.Type()), t.adder(t.k.Type())
	if t.x = t.ordered(); t.err != nil {
		return nil, t.err
	}
	var places []int
	for d := range t.window {
		places = append(places, t.places(d))
	}
	var list []*hlo.Instruction
	if t.lines() && !t.rows {
		list = t.inLines(places)
	} else {
		list = t.inRegions(places)
	}
	return t.together(list, places)
}

// together makes the result of the sums.
func (t *taps) together(list []*hlo.Instruction, places []int) (*hlo.Instruction, error) {
	y, l := t.inst.Shape(), &t.labels
	groups := y.Dims[l.OutputFeature]
	for n, v := range list {
		list[n] = t.reshape(v, []int{1, groups})
	}
	out := list[0]
	if len(list) > 1 {
		out = t.add(op.Concatenate, shape.Make(y.Type, len(list), groups), &op.ConcatenateAttrs{Dimensions: []int{0}},
			list...)
	}
	out = t.reshape(out, slices.Concat(places, []int{1, groups}))
	order := make([]int, y.Rank())
	for d, p := range l.OutputSpatial {
		order[p] = d
	}
	order[l.OutputBatch], order[l.OutputFeature] = len(places), len(places)+1
	return t.transpose(out, order), t.err
}

// inLines returns the sums over padded planes.
func (t *taps) inLines(places []int) []*hlo.Instruction {
	x, k := make(op.Padding, len(t.dims)), make(op.Padding, len(t.dims))
	dims, distance := make([]int, len(places)), make([]int, len(places))
	for d, s := range t.spatial {
		low := -t.start(d, 0)
		dims[d] = t.start(d, places[d]-1) + low + t.window[d].Size
		x[s] = op.PadDim{Low: low, High: dims[d] - low - t.dims[s]}
		if d > 0 {
			k[s].High = dims[d] - t.window[d].Size
		}
	}
	length, stride := 1, 1
	for d := len(dims) - 1; d >= 0; d-- {
		distance[d] = stride * max(t.window[d].Stride, 1)
		length += (t.window[d].Size - 1) * stride
		stride *= dims[d]
	}
	lineX, lineK := t.line(t.pad(t.x, x)), t.line(t.pad(t.k, k))
	lineK = t.part(lineK, 0, length)
	var list []*hlo.Instruction
	for n := range product(places) {
		from := 0
		for d, p := range position(n, places) {
			from += p * distance[d]
		}
		list = append(list, t.total(t.times(t.part(lineX, from, length), lineK), t.feature))
	}
	return list
}

// line returns x with its planes as lines.
func (t *taps) line(x *hlo.Instruction) *hlo.Instruction {
	if t.err != nil {
		return nil
	}
	dims := x.Dims()
	n := len(dims) - len(t.spatial)
	return t.reshape(x, append(slices.Clone(dims[:n]), product(dims[n:])))
}

// part returns length elements of the last dimension of x.
func (t *taps) part(x *hlo.Instruction, from, length int) *hlo.Instruction {
	if t.err != nil {
		return nil
	}
	ranges := rangesOf(x.Dims())
	ranges[len(ranges)-1] = op.SliceRange{Start: from, Limit: from + length, Stride: 1}
	return t.slice(x, ranges)
}

// inRegions returns the sums, of those over regions.
func (t *taps) inRegions(places []int) []*hlo.Instruction {
	list, counts := make([]*hlo.Instruction, product(places)), t.regionCounts()
	for r := range product(counts) {
		at := position(r, counts)
		var k *hlo.Instruction
		for n := range list {
			s := t.inRegion(at, position(n, places), &k)
			if s != nil && list[n] != nil {
				s = t.add(op.Add, s.Shape(), nil, list[n], s)
			}
			if s != nil {
				list[n] = s
			}
		}
	}
	for n := range list {
		if list[n] == nil { // it is never inside
			groups := t.inst.Dims()[t.labels.OutputFeature]
			list[n] = t.add(op.Broadcast, shape.Make(t.zero.Type(), groups), &op.BroadcastAttrs{}, t.zero)
		}
	}
	return list
}

// inRegion returns the sum of the tap at place over region at, nil if it is not inside there. The gradient's part is k,
// which all taps share.
func (t *taps) inRegion(at, place []int, k **hlo.Instruction) *hlo.Instruction {
	x, y := rangesOf(t.dims), rangesOf(t.k.Dims())
	shift := make(op.Padding, len(t.dims))
	for d, s := range t.spatial {
		cuts := t.cuts(d)
		from, to := cuts[at[d]], cuts[at[d]+1]
		if lo, hi := t.inside(d, place[d]); from < lo || to > hi {
			return nil
		}
		step := max(t.window[d].WindowDilation, 1)
		first := t.start(d, place[d]) + from*step
		if t.rows && d == len(t.window)-1 {
			shift[s] = op.PadDim{Low: -first, High: first + t.window[d].Size - t.dims[s]}
			continue
		}
		x[s] = op.SliceRange{Start: first, Limit: first + (to-from-1)*step + 1, Stride: step}
		y[s] = op.SliceRange{Start: from, Limit: to, Stride: 1}
	}
	if *k == nil {
		*k = t.slice(t.k, y)
	}
	product := t.times(t.pad(t.slice(t.x, x), shift), *k)
	if t.rows {
		return t.total(product, t.feature)
	}
	return t.inBlocks(product)
}

// blockBytes is how much of an operand is summed at a time: it stays in a cache while one vector of features after the
// other goes over it.
const blockBytes = 128 << 10

// inBlocks sums x over all but its features, the outermost of the other dimensions block by block.
func (t *taps) inBlocks(x *hlo.Instruction) *hlo.Instruction {
	if t.err != nil {
		return nil
	}
	dims := x.Dims()
	last := len(dims) - 1
	d := slices.IndexFunc(dims[:last], func(n int) bool { return n > 1 })
	inner := x.Type().ByteSize()
	for d+1 < last && inner*product(dims[d+1:]) > blockBytes {
		d++
	}
	if d < 0 {
		return t.total(x, last)
	}
	size := 1
	for n := 2; n <= dims[d]; n++ {
		if dims[d]%n == 0 && n*inner*product(dims[d+1:]) <= blockBytes {
			size = n
		}
	}
	outer := product(dims[:d]) * (dims[d] / size)
	if outer == 1 {
		return t.total(x, last)
	}
	split := slices.Concat(dims[:d], []int{dims[d] / size, size}, dims[d+1:])
	kept := slices.Concat(dims[:d], []int{dims[d] / size, dims[last]})
	x = t.reduce(t.reshape(x, split), kept, d+1, len(split)-1)
	return t.total(x, len(kept)-1)
}

// total sums x over all dimensions but one.
func (t *taps) total(x *hlo.Instruction, kept int) *hlo.Instruction {
	if t.err != nil {
		return nil
	}
	var dims []int
	for d := range x.Dims() {
		if d != kept {
			dims = append(dims, d)
		}
	}
	return t.reduction(x, []int{x.Dims()[kept]}, dims)
}

// reduce sums x over dimensions [from, to), which leaves dimensions kept.
func (t *taps) reduce(x *hlo.Instruction, kept []int, from, to int) *hlo.Instruction {
	var dims []int
	for d := from; d < to; d++ {
		dims = append(dims, d)
	}
	return t.reduction(x, kept, dims)
}

func (t *taps) reduction(x *hlo.Instruction, kept, dims []int) *hlo.Instruction {
	if t.err != nil {
		return nil
	}
	return t.c.Add("", op.Reduce, shape.Make(x.Type(), kept...), []*hlo.Instruction{x, t.zero},
		&op.ReduceAttrs{Dimensions: dims}, t.sum)
}

func (t *taps) times(x, y *hlo.Instruction) *hlo.Instruction {
	if t.err != nil {
		return nil
	}
	return t.add(op.Multiply, x.Shape(), nil, x, y)
}

// adder adds a computation that adds two numbers.
func (t *taps) adder(ty shape.ElementType) *hlo.Computation {
	c, s := t.c.Module().AddComputation("sum"), shape.Make(ty)
	a := c.Add("a", op.Parameter, s, nil, &op.ParameterAttrs{Number: 0})
	b := c.Add("b", op.Parameter, s, nil, &op.ParameterAttrs{Number: 1})
	c.SetRoot(c.Add("c", op.Add, s, []*hlo.Instruction{a, b}, nil))
	return c
}

// rangesOf is all elements of an array.
func rangesOf(dims []int) op.SliceRanges {
	list := make(op.SliceRanges, len(dims))
	for d, n := range dims {
		list[d] = op.SliceRange{Limit: n, Stride: 1}
	}
	return list
}
