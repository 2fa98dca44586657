package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

func (c *check) convDims() *stablehlo.ConvDims {
	d, _ := c.op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	return d
}

// inferConvolution: convolution_c1 to convolution_c27.
func inferConvolution(c *check) ([]stablehlo.Type, error) {
	if err := c.convOperands(); err != nil {
		return nil, err
	}
	list, err := c.convWindows()
	if err != nil {
		return nil, err
	}
	if err := c.padding(list, "c4"); err != nil {
		return nil, err
	}
	return c.convolved(list)
}

// inferDynamicConv: the same of dynamic_conv, whose padding is an operand. Where that is
// no constant, nothing is known of the window: exported programs have been seen to give
// strides for more dimensions than there are.
func inferDynamicConv(c *check) ([]stablehlo.Type, error) {
	if err := c.convOperands(); err != nil {
		return nil, err
	}
	n := len(c.convDims().KernelSpatial)
	if t := c.operand(2); !compatibleDims(t.Dims, []int64{int64(n), 2}) {
		return nil, c.errorf("padding", "c4", "expected shape [%d, 2], got %v", n, t)
	}
	padding, ok := constant(c.op.Operands[2])
	if !ok {
		return c.convolved(nil)
	}
	list, err := c.convWindows()
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].low, list[i].high = padding[2*i], padding[2*i+1]
	}
	return c.convolved(list)
}

// convOperands checks operands, dimension numbers and groups.
func (c *check) convOperands() error {
	lhs, rhs := c.operand(0), c.operand(1)
	if lhs.Rank() != rhs.Rank() || lhs.Rank() < 2 {
		return c.errorf("rhs", "c1", "expected lhs and rhs of one rank of at least 2, got %v and %v", lhs, rhs)
	}
	if !c.anyQuantized() && !stablehlo.SameType(lhs.Elem, rhs.Elem) {
		return c.errorf("rhs", "c27", "expected elements of type %v, got %v", lhs.Elem, rhs.Elem)
	}
	return first(c.convNumbers, c.convGroups)
}

// convWindows reads the window.
func (c *check) convWindows() ([]window, error) {
	rhs, d := c.operand(1), c.convDims()
	dims := make([]int64, len(d.KernelSpatial))
	for i, k := range d.KernelSpatial {
		dims[i] = rhs.Dims[k]
	}
	return c.windows(dims, windowAttrs{
		strides: "window_strides", base: "lhs_dilation", dilation: "rhs_dilation", reversal: "window_reversal",
		labels: map[string][2]string{"window_strides": {"c2", "c3"}, "lhs_dilation": {"c5", "c6"},
			"rhs_dilation": {"c7", "c8"}, "window_reversal": {"c9", "c9"}},
	})
}

// convNumbers checks the dimension numbers: convolution_c12, _c13, _c17 to _c20.
func (c *check) convNumbers() error {
	d, rank := c.convDims(), c.operand(0).Rank()
	if len(d.InputSpatial) != len(d.KernelSpatial) || len(d.InputSpatial) != len(d.OutputSpatial) {
		return c.errorf("dimension_numbers", "c17", "expected as many spatial dimensions of input, kernel and output, "+
			"got %d, %d and %d", len(d.InputSpatial), len(d.KernelSpatial), len(d.OutputSpatial))
	}
	for _, group := range []struct {
		name, label string
		dims        []int64
	}{
		{"input", "c13", append([]int64{d.InputBatch, d.InputFeature}, d.InputSpatial...)},
		{"kernel", "c18", append([]int64{d.KernelInputFeature, d.KernelOutputFeature}, d.KernelSpatial...)},
		{"output", "c20", append([]int64{d.OutputBatch, d.OutputFeature}, d.OutputSpatial...)},
	} {
		if !isPermutation(group.dims, rank) {
			return c.errorf("dimension_numbers", group.label, "expected each of the %d dimensions of the %s once, got %v",
				rank, group.name, group.dims)
		}
	}
	return nil
}

// convGroups checks feature and batch groups: convolution_c10, _c11, _c14 to _c16, _c21 to _c24.
func (c *check) convGroups() error {
	d, lhs, rhs := c.convDims(), c.operand(0), c.operand(1)
	features, batches := c.integer("feature_group_count"), c.integer("batch_group_count")
	if features > 1 && batches > 1 {
		return c.errorf("batch_group_count", "c23", "expected 1 where feature_group_count is %d, got %d", features, batches)
	}
	batch, in := lhs.Dims[d.InputBatch], lhs.Dims[d.InputFeature]
	kernel, out := rhs.Dims[d.KernelInputFeature], rhs.Dims[d.KernelOutputFeature]
	for _, check := range []struct {
		attr, label, name string
		size, count       int64
	}{
		{"batch_group_count", "c10", "input batch", batch, batches},
		{"feature_group_count", "c11", "input feature", in, features},
		{"batch_group_count", "c15", "kernel output feature", out, batches},
		{"feature_group_count", "c16", "kernel output feature", out, features},
	} {
		if check.size != stablehlo.Dynamic && check.size%check.count != 0 {
			return c.errorf(check.attr, check.label, "expected a divisor of the size of the %s dimension, %d, got %d",
				check.name, check.size, check.count)
		}
	}
	if in != stablehlo.Dynamic && !compatibleDim(in/features, kernel) {
		return c.errorf("rhs", "c14", "expected size %d of the kernel input feature dimension, got %d", in/features, kernel)
	}
	return c.precision("c24")
}

// precision checks a precision_config: one for each operand, or fewer.
func (c *check) precision(label string) error {
	if a, ok := c.op.Attr("precision_config").(*stablehlo.ArrayAttr); ok && len(a.Elems) > 2 {
		return c.errorf("precision_config", label, "expected at most 2 precisions, got %d", len(a.Elems))
	}
	return nil
}

// convolved returns the type of the result: convolution_c25, convolution_c26. Without
// windows the spatial sizes are not known.
func (c *check) convolved(list []window) ([]stablehlo.Type, error) {
	d := c.convDims()
	lhs, rhs := extents(c.operand(0)), extents(c.operand(1))
	spatial := make([]extent, len(d.InputSpatial))
	for i, k := range d.InputSpatial {
		spatial[i] = lhs[k]
	}
	if list == nil {
		spatial = extents(tensor(unknown(len(spatial)), stablehlo.I1, nil))
	} else {
		spatial = extents(windowed(list, ofExtents(spatial, stablehlo.I1)))
	}
	all := make([]extent, len(lhs))
	for i, k := range d.OutputSpatial {
		all[k] = spatial[i]
	}
	batch := lhs[d.InputBatch]
	groups := c.integer("batch_group_count")
	if batch.size != stablehlo.Dynamic {
		batch.size /= groups
	}
	if batch.bound != stablehlo.Dynamic {
		batch.bound /= groups
	}
	all[d.OutputBatch], all[d.OutputFeature] = batch, rhs[d.KernelOutputFeature]
	return one(ofExtents(all, c.result(0).Elem))
}

// checkConvolution: convolution_c28 to convolution_c34.
func checkConvolution(c *check) error {
	if !c.anyQuantized() {
		return nil
	}
	d := c.convDims()
	if q := quantized(c.operand(1).Elem); q != nil && q.IsPerAxis() && q.Axes[0] != d.KernelOutputFeature {
		return c.errorf("rhs", "c29", "expected quantization dimension %d, got %d", d.KernelOutputFeature, q.Axes[0])
	}
	if q := quantized(c.result(0).Elem); q != nil && q.IsPerAxis() && q.Axes[0] != d.OutputFeature {
		return c.errorf("", "c30", "expected quantization dimension %d of the result, got %d", d.OutputFeature, q.Axes[0])
	}
	return c.product([5]string{"c28", "c31", "c32", "c33", "c34"})
}

// without returns the dimensions of t that are in none of the lists.
func without(t *stablehlo.TensorType, lists ...[]int64) []extent {
	return keep(extents(t), slices.Concat(lists...))
}
