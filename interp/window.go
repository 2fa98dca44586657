package interp

import (
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// evalReduceWindow folds the elements under each place of the window, from init
// on, in row-major order. Holes of dilation and cells of padding are left out.
// Spec: OPS.md section 5.
func evalReduceWindow(c *call) (literal.Literal, error) {
	n := len(c.args) / 2
	inputs, inits := c.args[:n], c.args[n:]
	outs := leaves(c.new())
	fold, err := c.newFolder(inputs, inits)
	if err != nil {
		return literal.Literal{}, err
	}
	w := newWindows(attrs[*op.WindowAttrs](c).Window, inputs[0].Dims(), outs[0].Dims())
	for i := range outs[0].Len() {
		if err := fold(outs, i, 0, w.next()); err != nil {
			return literal.Literal{}, err
		}
	}
	return c.pack(outs), nil
}

// windows goes through the places of a window over an array.
type windows struct {
	taps  [][][]int // by dimension and place: offsets of the elements under the window
	dims  []int     // places in each dimension
	place []int
	list  [2][]int
}

func newWindows(w op.Window, in, out []int) *windows {
	v := &windows{dims: out, place: make([]int, len(out))}
	dims := windowDims(w, len(in))
	for d, stride := range rowMajor(in) {
		places := make([][]int, out[d])
		for o := range places {
			for k := range dims[d].Size {
				if i, ok := inputIndex(dims[d], in[d], o, k); ok {
					places[o] = append(places[o], i*stride)
				}
			}
		}
		v.taps = append(v.taps, places)
	}
	return v
}

// next returns the offsets of the elements under the window, in row-major order of
// the window, and moves on. The slice is reused.
func (v *windows) next() []int {
	list, spare := append(v.list[0][:0], 0), v.list[1]
	for d, o := range v.place {
		spare = spare[:0]
		for _, base := range list {
			for _, at := range v.taps[d][o] {
				spare = append(spare, base+at)
			}
		}
		list, spare = spare, list
	}
	v.list = [2][]int{list, spare}
	increment(v.place, v.dims)
	return list
}

// evalSelectAndScatter selects one element under each place of the window and
// combines the source's element for that place into the result there.
// Spec: OPS.md section 5, SelectAndScatter.
func evalSelectAndScatter(c *call) (literal.Literal, error) {
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
	w := newWindows(attrs[*op.WindowAttrs](c).Window, operand.Dims(), source.Dims())
	for i := range source.Len() {
		taps := w.next()
		if len(taps) == 0 {
			continue
		}
		at, err := chooseElement(choose, operand, taps)
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

// chooseElement returns the offset among taps that wins: the one so far stays where choose says true.
func chooseElement(choose *scalarProgram, operand literal.Literal, taps []int) (int, error) {
	best := taps[0]
	for _, at := range taps[1:] {
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
