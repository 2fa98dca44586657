package verify

import "github.com/goxla/xla/stablehlo"

// window is what a window operation does along one dimension.
type window struct {
	size, stride, baseDilation, windowDilation, low, high int64
}

// windowAttrs names the attributes of a window, and the labels of the constraints on
// their number and their values.
type windowAttrs struct {
	strides, base, dilation, reversal string
	labels                            map[string][2]string // by attribute: number, values
	size                              string               // label: sizes are positive
}

// windows reads the attributes of a window over dimensions of the given sizes.
func (c *check) windows(dims []int64, a windowAttrs) ([]window, error) {
	list := make([]window, len(dims))
	for i, d := range dims {
		if d != stablehlo.Dynamic && d <= 0 {
			return nil, c.errorf("window_dimensions", a.size, "expected a positive size in dimension %d, got %d", i, d)
		}
		list[i] = window{size: d, stride: 1, baseDilation: 1, windowDilation: 1}
	}
	fields := []struct {
		name string
		set  func(w *window, v int64)
	}{
		{a.strides, func(w *window, v int64) { w.stride = v }},
		{a.base, func(w *window, v int64) { w.baseDilation = v }},
		{a.dilation, func(w *window, v int64) { w.windowDilation = v }},
	}
	for _, f := range fields {
		values, ok := c.ints(f.name)
		if !ok || len(values) == 0 {
			continue
		}
		if len(values) != len(dims) {
			return nil, c.errorf(f.name, a.labels[f.name][0], "expected %d numbers, got %d", len(dims), len(values))
		}
		for i, v := range values {
			if v <= 0 {
				return nil, c.errorf(f.name, a.labels[f.name][1], "expected a positive number in dimension %d, got %d", i, v)
			}
			f.set(&list[i], v)
		}
	}
	if values, ok := c.ints(a.reversal); ok && len(values) != len(dims) && len(values) != 0 {
		return nil, c.errorf(a.reversal, a.labels[a.reversal][0], "expected %d truth values, got %d", len(dims), len(values))
	}
	return list, nil
}

// padding reads the attribute padding into the windows.
func (c *check) padding(list []window, label string) error {
	dims, values, ok, err := c.table("padding")
	if !ok || err != nil || len(values) == 0 && len(dims) == 2 {
		return err
	}
	if len(dims) != 2 || dims[1] != 2 || dims[0] != int64(len(list)) {
		return c.errorf("padding", label, "expected shape [%d, 2], got %s", len(list), sizes(dims))
	}
	for i := range list {
		list[i].low, list[i].high = values[2*i], values[2*i+1]
	}
	return nil
}

// count returns how many positions a window has along a dimension of size n.
func (w window) count(n int64) int64 {
	if n == stablehlo.Dynamic || w.size == stablehlo.Dynamic {
		return stablehlo.Dynamic
	}
	base := w.low + dilated(n, w.baseDilation) + w.high
	size := dilated(w.size, w.windowDilation)
	if base <= 0 || size > base {
		return 0
	}
	return (base-size)/w.stride + 1
}

// dilated returns the size of a dimension of size n with gaps.
func dilated(n, dilation int64) int64 {
	if n == 0 {
		return 0
	}
	return (n-1)*dilation + 1
}

// windowed returns the shape of a result that has an element for each position.
func windowed(list []window, t *stablehlo.TensorType) *stablehlo.TensorType {
	from := extents(t)
	to := make([]extent, len(from))
	for i, w := range list {
		to[i] = extent{size: w.count(from[i].size), bound: w.count(from[i].bound)}
	}
	return ofExtents(to, t.Elem)
}

// reduceWindows reads the window: reduce_window_c4 to reduce_window_c12.
func (c *check) reduceWindows() ([]window, error) {
	inputs := c.tensors(0)
	dims, _ := c.ints("window_dimensions")
	if len(dims) != inputs[0].Rank() {
		return nil, c.errorf("window_dimensions", "c4", "expected %d sizes, got %d", inputs[0].Rank(), len(dims))
	}
	list, err := c.windows(dims, windowAttrs{
		strides: "window_strides", base: "base_dilations", dilation: "window_dilations", size: "c5",
		labels: map[string][2]string{
			"window_strides": {"c6", "c7"}, "base_dilations": {"c8", "c9"}, "window_dilations": {"c10", "c11"}},
	})
	if err != nil {
		return nil, err
	}
	return list, c.padding(list, "c12")
}

// inferReduceWindow: reduce_window_c1, _c2, _c14 to _c16.
func inferReduceWindow(c *check) ([]stablehlo.Type, error) {
	inputs := c.tensors(0)
	if err := c.sameShapes("c2", inputs); err != nil {
		return nil, err
	}
	list, err := c.reduceWindows()
	if err != nil {
		return nil, err
	}
	shapes := make([]stablehlo.Type, len(inputs))
	for i, t := range inputs {
		shapes[i] = windowed(list, t)
	}
	return c.reduced(shapes)
}

// checkReduceWindow: reduce_window_c3, reduce_window_c13.
func checkReduceWindow(c *check) error {
	dims, _ := c.ints("window_dimensions")
	return c.reducer(0, "c13", c.tensors(0), c.tensors(1), dims)
}

// inferSelectAndScatter: select_and_scatter_c11, select_and_scatter_c12.
func inferSelectAndScatter(c *check) ([]stablehlo.Type, error) {
	returned := c.returned(1)
	if len(returned) == 0 || elementOf(returned[0]) == nil {
		return nil, c.errorf("scatter", "c10", "expected a region that returns a tensor, got %s", list(returned))
	}
	return one(like(c.operand(0), elementOf(returned[0])))
}

// checkSelectAndScatter: select_and_scatter_c1 to select_and_scatter_c10.
func checkSelectAndScatter(c *check) error {
	t, source := c.operand(0), c.operand(1)
	args := c.arguments(0)
	if len(args) != 2 {
		return c.errorf("select", "c9", "expected a region of 2 arguments, got %d", len(args))
	}
	want := tensor(nil, t.Elem, nil)
	for i, arg := range args {
		if !shaped(arg) || !compatibleShape(want, arg) || !sameElem(true, want, arg) {
			return c.errorf("select", "c9", "expected argument %d of type %v, got %v", i, want, arg)
		}
	}
	if err := c.returnsPred("select", "c9", c.returned(0)); err != nil {
		return err
	}
	scalar := []*stablehlo.TensorType{tensor(nil, source.Elem, nil)}
	if err := c.reducer(1, "c10", scalar, []*stablehlo.TensorType{c.operand(2)}, nil); err != nil {
		return err
	}
	dims, _ := c.ints("window_dimensions")
	if len(dims) != t.Rank() {
		return c.errorf("window_dimensions", "c4", "expected %d sizes, got %d", t.Rank(), len(dims))
	}
	list, err := c.windows(dims, windowAttrs{strides: "window_strides", size: "c5",
		labels: map[string][2]string{"window_strides": {"c6", "c7"}}})
	if err != nil {
		return err
	}
	if err := c.padding(list, "c8"); err != nil {
		return err
	}
	if want := windowed(list, t); !compatibleShape(want, source) || !sameElem(true, want, source) {
		return c.errorf("source", "c2", "expected type %v, got %v", want, source)
	}
	return nil
}
