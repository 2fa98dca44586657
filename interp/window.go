package interp

import (
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// evalReduceWindow folds the elements under each place of the window, from init
// on, in row-major order; unlike those of reduce, sums are rounded after each element.
// Holes of dilation and cells of padding are left out.
// Spec: OPS.md section 5.
func evalReduceWindow(c *call) (literal.Literal, error) {
	return c.reduceWindow(attrs[*op.WindowAttrs](c).Window)
}

func (c *call) reduceWindow(window op.Window) (literal.Literal, error) {
	n := len(c.args) / 2
	inputs, inits := c.args[:n], c.args[n:]
	outs := leaves(c.new())
	fold, err := c.newFolder(inputs, inits, true)
	if err != nil {
		return literal.Literal{}, err
	}
	w := newWindows(window, inputs[0].Dims(), outs[0].Dims())
	for i := range outs[0].Len() {
		if err := c.in.poll(i); err != nil {
			return literal.Literal{}, err
		}
		base, taps := w.next()
		if err := fold(outs, i, base, taps); err != nil {
			return literal.Literal{}, err
		}
	}
	return c.pack(outs), nil
}

// windows goes through the places of a window over an array.
type windows struct {
	window  []op.WindowDim
	in, out []int // sizes: of the array, and how many places there are
	strides []int // of the array
	place   []int
	taps    [][]int // by dimension: offsets of the elements under the window at the place
	list    [2][]int
}

func newWindows(w op.Window, in, out []int) *windows {
	v := &windows{window: windowDims(w, len(in)), in: in, out: out, strides: rowMajor(in),
		place: make([]int, len(out)), taps: make([][]int, len(out))}
	for d := range out {
		v.cover(d)
	}
	return v
}

// cover sets the taps of dimension d.
func (v *windows) cover(d int) {
	taps, w, stride := v.taps[d][:0], v.window[d], v.strides[d]
	first, last := reach(w, v.in[d], v.place[d])
	for i := first; i <= last; i++ {
		if _, ok := windowIndex(w, v.place[d], i); ok {
			taps = append(taps, i*stride)
		}
	}
	v.taps[d] = taps
}

// next returns the offsets of the elements under the window, base + taps[...], in
// row-major order of the window, and moves on. The slice is reused.
func (v *windows) next() (base int, taps []int) {
	list, spare := append(v.list[0][:0], 0), v.list[1]
	for _, taps := range v.taps {
		if len(taps) == 1 {
			base += taps[0]
			continue
		}
		spare = spare[:0]
		for _, at := range list {
			for _, t := range taps {
				spare = append(spare, at+t)
			}
		}
		list, spare = spare, list
	}
	v.list = [2][]int{list, spare}
	for d := len(v.place) - 1; d >= 0; d-- { // the next place in row-major order
		if v.place[d]++; v.place[d] < v.out[d] {
			v.cover(d)
			break
		}
		v.place[d] = 0
		v.cover(d)
	}
	return base, list
}

// reach returns the first and the last element of the input, which has the given
// size, that the window at output index o can lie on. What is outside, in the
// padding, is never gone through, however far the window reaches.
func reach(w op.WindowDim, size, o int) (first, last int) {
	base, step := max(w.BaseDilation, 1), max(w.WindowDilation, 1)
	start := o*max(w.Stride, 1) - w.PaddingLow
	return max(0, ceilDiv(start, base)), min(size-1, floorDiv(start+(w.Size-1)*step, base))
}

// windowIndex returns which element of the window at output index o lies on element i
// of the input; ok is false if i is in a hole between two elements of a dilated window.
func windowIndex(w op.WindowDim, o, i int) (k int, ok bool) {
	at, step := i*max(w.BaseDilation, 1)-o*max(w.Stride, 1)+w.PaddingLow, max(w.WindowDilation, 1)
	if step == 1 {
		return at, true
	}
	return at / step, at%step == 0
}

// evalSelectAndScatter selects one element under each place of the window and
// combines the source's element for that place into the result there.
// Spec: OPS.md section 5, SelectAndScatter.
func evalSelectAndScatter(c *call) (literal.Literal, error) {
	return c.selectAndScatter(attrs[*op.WindowAttrs](c).Window)
}

func (c *call) selectAndScatter(window op.Window) (literal.Literal, error) {
	operand, source, init := c.args[0], c.args[1], c.args[2]
	choose, err := c.in.scalarProgram(c.n.Called()[0])
	if err != nil {
		return literal.Literal{}, err
	}
	combine, err := c.in.scalarProgram(c.n.Called()[1])
	if err != nil {
		return literal.Literal{}, err
	}
	dst := c.new()
	move(all(dst), walkOf{data: init, strides: make([]int, len(dst.Dims()))}, dst.Dims())
	w := newWindows(window, operand.Dims(), source.Dims())
	for i := range source.Len() {
		if err := c.in.poll(i); err != nil {
			return literal.Literal{}, err
		}
		base, taps := w.next()
		if len(taps) == 0 {
			continue
		}
		at, err := chooseElement(choose, operand, base, taps)
		if err != nil {
			return literal.Literal{}, err
		}
		combine.setParam(0, dst, at)
		combine.setParam(1, source, i)
		if err := combine.run(); err != nil {
			return literal.Literal{}, err
		}
		combine.result(0, dst, at)
	}
	return dst, nil
}

// chooseElement returns the offset among base+taps[...] that wins: the one so far stays where choose says true.
func chooseElement(choose *scalarProgram, operand literal.Literal, base int, taps []int) (int, error) {
	best := base + taps[0]
	for _, t := range taps[1:] {
		at := base + t
		choose.setParam(0, operand, best)
		choose.setParam(1, operand, at)
		if err := choose.run(); err != nil {
			return 0, err
		}
		if !choose.results[0].BoolAt(0) {
			best = at
		}
	}
	return best, nil
}
