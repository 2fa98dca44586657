package op

import "github.com/goxla/xla/shape"

// inferConvolution is the rule of convolution. Operands: lhs (input) and rhs (kernel),
// then the indices of the sparse sides. The labels are those of StableHLO's convolution.
func inferConvolution(in *Inputs) (shape.Shape, error) {
	c := convolution{a: in.Attrs.(*ConvolutionAttrs)}
	for _, step := range []func(*Inputs) error{
		c.takeOperands, c.wantRanks, c.wantDimNumbers, c.wantWindow, c.wantGroupCounts, c.wantFeatures, c.wantBatch,
	} {
		if err := step(in); err != nil {
			return shape.Shape{}, err
		}
	}
	return c.result(resultType(in, c.lhs.Type, c.rhs.Type))
}

// convolution is what the checks of a convolution need.
type convolution struct {
	a        *ConvolutionAttrs
	lhs, rhs shape.Shape
}

// groupCount returns a group count with 0, not given, meaning one group.
func groupCount(n int) int {
	if n == 0 {
		return 1
	}
	return n
}

func (c *convolution) takeOperands(in *Inputs) (err error) {
	want := 2
	if s := c.a.Sparsity; s != nil {
		want += indexOperands(s.LHS) + indexOperands(s.RHS)
	}
	if len(in.Operands) != want {
		return labelErr("convolution_i1", "expected %d operands, got %d", want, len(in.Operands))
	}
	if err := wantArrays(in, "convolution_i1"); err != nil {
		return err
	}
	if a, b := in.Operands[0].Type, in.Operands[1].Type; !a.IsInteger() || !b.IsInteger() {
		if err := wantSameType(in, 0, 1, "convolution_c27"); err != nil {
			return err
		}
	}
	if err := wantPrecisions(in, c.a.OperandPrecision, "convolution_c24"); err != nil {
		return err
	}
	c.lhs, c.rhs, err = denseSides(in, c.a.Sparsity)
	return err
}

// indexOperands returns the number of operands that tell where the elements of a sparse side are.
func indexOperands(p *Sparsity) int {
	if p == nil || p.Idx == 0 {
		return 0
	}
	return 1
}

// wantRanks checks that lhs, rhs, labels and window agree on the number of spatial dimensions.
func (c *convolution) wantRanks(*Inputs) error {
	l := &c.a.DimLabels
	n := len(l.InputSpatial)
	switch {
	case len(l.KernelSpatial) != n:
		return attrErr("dim_labels", "convolution_c17",
			"expected %d spatial dimensions of the kernel as of the input, got %d",
			n, len(l.KernelSpatial))
	case len(l.OutputSpatial) != n:
		return attrErr("dim_labels", "convolution_c19",
			"expected %d spatial dimensions of the output as of the input, got %d",
			n, len(l.OutputSpatial))
	case len(c.a.Window.Dims) != n:
		return attrErr("window", "convolution_c2", "expected %d dimensions, got %d", n, len(c.a.Window.Dims))
	case c.lhs.Rank() != n+2:
		return operandErr(0, "convolution_c1", "expected rank %d, got %v", n+2, c.lhs)
	case c.rhs.Rank() != n+2:
		return operandErr(1, "convolution_c1", "expected rank %d, got %v", n+2, c.rhs)
	}
	return nil
}

// wantDimNumbers checks that the labels name each dimension of input, kernel and output once.
func (c *convolution) wantDimNumbers(*Inputs) error {
	l, rank := &c.a.DimLabels, c.lhs.Rank()
	for _, part := range []struct {
		label string
		dims  []int
	}{
		{"convolution_c13", append([]int{l.InputBatch, l.InputFeature}, l.InputSpatial...)},
		{"convolution_c18", append([]int{l.KernelInputFeature, l.KernelOutputFeature}, l.KernelSpatial...)},
		{"convolution_c20", append([]int{l.OutputBatch, l.OutputFeature}, l.OutputSpatial...)},
	} {
		if err := wantDims("dim_labels", part.dims, rank, part.label, part.label); err != nil {
			return err
		}
	}
	return nil
}

// wantWindow checks the window, whose sizes are those of the kernel.
func (c *convolution) wantWindow(*Inputs) error {
	for i, w := range c.a.Window.Dims {
		if n := c.rhs.Dims[c.a.DimLabels.KernelSpatial[i]]; !sameSize(n, w.Size) || w.Size < 1 {
			return attrErr("window", "convolution_c25", "expected size[%d] to be the kernel's %d and positive, got %d",
				i, n, w.Size)
		}
		err := firstError(
			wantPositive("stride", i, w.Stride, "convolution_c3"),
			wantPositive("lhs_dilate", i, w.BaseDilation, "convolution_c6"),
			wantPositive("rhs_dilate", i, w.WindowDilation, "convolution_c8"))
		if err != nil {
			return err
		}
	}
	return nil
}

// wantPositive checks entry i of a part of a window.
func wantPositive(part string, i, n int, label string) error {
	if n < 1 {
		return attrErr("window", label, "expected a positive %s[%d], got %d", part, i, n)
	}
	return nil
}

func (c *convolution) wantGroupCounts(*Inputs) error {
	f, b := groupCount(c.a.FeatureGroupCount), groupCount(c.a.BatchGroupCount)
	if f < 1 {
		return attrErr("feature_group_count", "convolution_c21", "expected a positive number, got %d", f)
	}
	if b < 1 {
		return attrErr("batch_group_count", "convolution_c22", "expected a positive number, got %d", b)
	}
	if f > 1 && b > 1 {
		return attrErr("batch_group_count", "convolution_c23", "expected 1 as feature_group_count is %d, got %d", f, b)
	}
	return nil
}

// wantFeatures checks the feature dimensions of input and kernel and how the groups divide them.
func (c *convolution) wantFeatures(*Inputs) error {
	l, groups := &c.a.DimLabels, groupCount(c.a.FeatureGroupCount)
	features, perGroup := c.lhs.Dims[l.InputFeature], c.rhs.Dims[l.KernelInputFeature]
	outputs := c.rhs.Dims[l.KernelOutputFeature]
	if !divides(groups, features) {
		return attrErr("feature_group_count", "convolution_c11", "expected a divisor of the %d input features, got %d",
			features, groups)
	}
	if features != shape.Unbounded && !sameSize(features/groups, perGroup) {
		return operandErr(1, "convolution_c14", "expected %d input features (%d in %d groups), got %d",
			features/groups, features, groups, perGroup)
	}
	if !divides(groups, outputs) {
		return attrErr("feature_group_count", "convolution_c16", "expected a divisor of the %d output features, got %d",
			outputs, groups)
	}
	return nil
}

func (c *convolution) wantBatch(*Inputs) error {
	l, groups := &c.a.DimLabels, groupCount(c.a.BatchGroupCount)
	batch, outputs := c.lhs.Dims[l.InputBatch], c.rhs.Dims[l.KernelOutputFeature]
	if !divides(groups, batch) {
		return attrErr("batch_group_count", "convolution_c10", "expected a divisor of the batch size %d, got %d", batch,
			groups)
	}
	if !divides(groups, outputs) {
		return attrErr("batch_group_count", "convolution_c15", "expected a divisor of the %d output features, got %d",
			outputs, groups)
	}
	return nil
}

// divides reports whether d divides the dimension size n or may do so.
func divides(d, n int) bool { return n == shape.Unbounded || n%d == 0 }

// result returns the shape of the result. A dimension is dynamic where the one of
// the input or the kernel that it comes from is; features that are summed over do not count.
func (c *convolution) result(t shape.ElementType) (shape.Shape, error) {
	l := &c.a.DimLabels
	dims, dynamic := make([]int, c.lhs.Rank()), make([]bool, c.lhs.Rank())
	set := func(out, size int, isDynamic bool) { dims[out], dynamic[out] = size, isDynamic }
	batch := c.lhs.Dims[l.InputBatch]
	if batch != shape.Unbounded {
		batch /= groupCount(c.a.BatchGroupCount)
	}
	set(l.OutputBatch, batch, c.lhs.IsDynamicDim(l.InputBatch))
	set(l.OutputFeature, c.rhs.Dims[l.KernelOutputFeature], c.rhs.IsDynamicDim(l.KernelOutputFeature))
	for i, w := range c.a.Window.Dims {
		from, kernel := l.InputSpatial[i], l.KernelSpatial[i]
		size, err := WindowOutputDim(c.lhs.Dims[from], w)
		if err != nil {
			return shape.Shape{}, attrErr(at("window", i), "convolution_c25",
				"expected an extent below 2^63, got size %d, window %+v", c.lhs.Dims[from], w)
		}
		set(l.OutputSpatial[i], size, c.lhs.IsDynamicDim(from) || c.rhs.IsDynamicDim(kernel))
	}
	return shape.MakeDynamic(t, dims, dynamic), nil
}
