package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ConvolutionCanonicalizer makes dots of convolutions whose window is one element, feature
// groups of batch groups, and takes out of windows what has no effect: dilations and reversals of one
// element, and spatial dimensions of size 1.
func ConvolutionCanonicalizer() Pass {
	return Pass{
		Name: "convolution-canonicalizer",
		Doc: "A convolution with a window of one element is a dot; batch groups become feature groups; dilations, " +
			"reversals and strides without effect and spatial dimensions of size 1 go; one of preds counts products.",
		About: []op.Code{op.Convolution},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, canonicalConvolution)
		},
	}
}

func canonicalConvolution(i *hlo.Instruction) (*hlo.Instruction, error) {
	a, ok := i.Attrs().(*op.ConvolutionAttrs)
	if !ok || len(i.Operands()) != 2 || a.Sparsity != nil || !i.IsStatic() || i.Size() == 0 ||
		!i.Operand(0).IsStatic() || !i.Operand(1).IsStatic() {
		return nil, nil
	}
	if n, err := countedPred(i); n != nil || err != nil {
		return n, err
	}
	c := &convolution{maker: maker{c: i.Computation()}, i: i, a: a, x: i.Operand(0), k: i.Operand(1)}
	c.window = c.plainWindow()
	for _, form := range []func(*convolution) *hlo.Instruction{(*convolution).asDot, (*convolution).regrouped,
		(*convolution).squeezed, (*convolution).withPlainWindow} {
		if n := form(c); n != nil || c.err != nil {
			return c.finish(n)
		}
	}
	return nil, nil
}

// convolution makes another form of one.
type convolution struct {
	maker
	i      *hlo.Instruction
	a      *op.ConvolutionAttrs
	x, k   *hlo.Instruction
	window []op.WindowDim // one a spatial dimension, without what has no effect
}

// sizes returns the sizes of spatial dimension d of input, kernel and result.
func (c *convolution) sizes(d int) (in, kernel, out int) {
	l := &c.a.DimLabels
	return c.x.Dims()[l.InputSpatial[d]], c.k.Dims()[l.KernelSpatial[d]],
		c.i.Dims()[l.OutputSpatial[d]]
}

// plainWindow returns the window with 1 for dilations of one element, no reversal of one, and,
// where the window has one place only, stride 1 and as much padding as that needs.
func (c *convolution) plainWindow() []op.WindowDim {
	window := slices.Clone(c.a.Window.Dims)
	for len(window) < len(c.a.DimLabels.InputSpatial) {
		window = append(window, op.WindowDim{Size: 1, Stride: 1, BaseDilation: 1, WindowDilation: 1})
	}
	for d := range window {
		in, kernel, out := c.sizes(d)
		w := &window[d]
		if kernel == 1 {
			w.WindowDilation, w.Reversal = 1, false
		}
		if in == 1 {
			w.BaseDilation = 1
		}
		if out == 1 && w.Stride > 1 {
			w.Stride = 1
			reach := (kernel-1)*w.WindowDilation + 1
			w.PaddingHigh = reach - w.PaddingLow - ((in-1)*w.BaseDilation + 1)
		}
	}
	return window
}

// withPlainWindow returns the convolution with the plain window, nil if it has that.
func (c *convolution) withPlainWindow() *hlo.Instruction {
	if len(c.a.Window.Dims) == 0 || slices.Equal(c.window, c.a.Window.Dims) {
		return nil
	}
	n := op.CloneAttrs(c.a).(*op.ConvolutionAttrs)
	n.Window = op.Window{Dims: c.window}
	return c.convolve(c.x, c.k, n)
}

// convolve adds a convolution with a result of the type of the old one.
func (c *convolution) convolve(x, k *hlo.Instruction, a *op.ConvolutionAttrs) *hlo.Instruction {
	if c.err != nil {
		return nil
	}
	in := &op.Inputs{Operands: []shape.Shape{x.Shape(), k.Shape()}, Attrs: a, Declared: shape.Shape{}}
	s, err := op.Infer(op.Convolution, in)
	if err != nil {
		c.err = err
		return nil
	}
	return c.shaped(op.Convolution, s.WithType(c.i.Type()), a, []*hlo.Instruction{x, k})
}

// asDot returns a convolution whose window is one element, and whose input has no holes and no
// padding, as a dot over the input features.
func (c *convolution) asDot() *hlo.Instruction {
	l := &c.a.DimLabels
	if c.a.FeatureGroupCount > 1 || c.a.BatchGroupCount > 1 {
		return nil
	}
	ranges := make([]op.SliceRange, c.x.Rank())
	for d, n := range c.x.Dims() {
		ranges[d] = op.SliceRange{Limit: n, Stride: 1}
	}
	strided := false
	for d, w := range c.window {
		if _, kernel, _ := c.sizes(d); kernel != 1 || w.BaseDilation > 1 || w.PaddingLow != 0 || w.PaddingHigh != 0 {
			return nil
		}
		ranges[l.InputSpatial[d]].Stride = max(w.Stride, 1)
		strided = strided || w.Stride > 1
	}
	x := c.x
	if strided {
		x = c.slice(x, ranges...)
	}
	k := c.reshape(c.k, dropDims(c.k.Dims(), l.KernelSpatial)...)
	if c.err == nil && !strided && c.ofPlanes() {
		return c.planes(k)
	}
	attrs := &op.DotAttrs{LHSContracting: []int{l.InputFeature},
		RHSContracting:   []int{without(l.KernelInputFeature, l.KernelSpatial)},
		OperandPrecision: c.a.OperandPrecision, Algorithm: c.a.Algorithm}
	if c.err != nil {
		return nil
	}
	s, err := op.Infer(op.Dot, &op.Inputs{Operands: []shape.Shape{x.Shape(), k.Shape()}, Attrs: attrs})
	if err != nil {
		c.err = err
		return nil
	}
	dot := c.shaped(op.Dot, s.WithType(c.i.Type()), attrs, []*hlo.Instruction{x, k})
	return c.transpose(dot, c.dotToResult())
}

// dotToResult returns, for each dimension of the convolution's result, that of the dot's,
// which has the dimensions of the input without the features, in order, and then the output features.
func (c *convolution) dotToResult() []int {
	l := &c.a.DimLabels
	rank := c.i.Rank()
	after := func(d int) int {
		if d > l.InputFeature {
			return d - 1
		}
		return d
	}
	perm := make([]int, rank)
	perm[l.OutputFeature] = rank - 1
	perm[l.OutputBatch] = after(l.InputBatch)
	for d, o := range l.OutputSpatial {
		perm[o] = after(l.InputSpatial[d])
	}
	return perm
}

// regrouped returns a convolution in batch groups as one in feature groups: group g of the
// batch has its own features then, g*F .. (g+1)*F.
func (c *convolution) regrouped() *hlo.Instruction {
	l, groups := c.a.DimLabels, c.a.BatchGroupCount
	if groups <= 1 || c.a.FeatureGroupCount > 1 {
		return nil
	}
	dims := c.x.Dims()
	split := slices.Insert(slices.Clone(dims), l.InputBatch, groups) // [.. G, B/G .., F ..]
	split[l.InputBatch+1] /= groups
	feature := l.InputFeature
	if feature > l.InputBatch {
		feature++
	}
	perm := make([]int, 0, len(split))
	for d := range split {
		if d == feature {
			perm = append(perm, l.InputBatch)
		}
		if d != l.InputBatch {
			perm = append(perm, d)
		}
	}
	joined := slices.Clone(dims)
	joined[l.InputBatch] /= groups
	joined[l.InputFeature] *= groups
	x := c.reshape(c.transpose(c.reshape(c.x, split...), perm), joined...)
	n := op.CloneAttrs(c.a).(*op.ConvolutionAttrs)
	n.BatchGroupCount, n.FeatureGroupCount, n.Window = 1, groups, op.Window{Dims: c.window}
	return c.convolve(x, c.k, n)
}

// squeezed returns the convolution without the spatial dimensions that have size 1 in input,
// kernel and result and no padding; nil if there are none, or nothing else.
func (c *convolution) squeezed() *hlo.Instruction {
	l := c.a.DimLabels
	var goneX, goneK, goneOut []int
	n := op.CloneAttrs(c.a).(*op.ConvolutionAttrs)
	n.Window = op.Window{}
	to := op.DimLabels{Given: true}
	for d, w := range c.window {
		in, kernel, out := c.sizes(d)
		if in == 1 && kernel == 1 && out == 1 && w.PaddingLow == 0 && w.PaddingHigh == 0 {
			goneX, goneK, goneOut = append(goneX, l.InputSpatial[d]), append(goneK, l.KernelSpatial[d]),
				append(goneOut, l.OutputSpatial[d])
			continue
		}
		to.InputSpatial, to.KernelSpatial = append(to.InputSpatial, l.InputSpatial[d]), append(to.KernelSpatial,
			l.KernelSpatial[d])
		to.OutputSpatial = append(to.OutputSpatial, l.OutputSpatial[d])
		n.Window.Dims = append(n.Window.Dims, w)
	}
	if len(goneX) == 0 || len(n.Window.Dims) == 0 {
		return nil
	}
	to.InputBatch, to.InputFeature = without(l.InputBatch, goneX), without(l.InputFeature, goneX)
	to.KernelInputFeature, to.KernelOutputFeature = without(l.KernelInputFeature, goneK),
		without(l.KernelOutputFeature, goneK)
	to.OutputBatch, to.OutputFeature = without(l.OutputBatch, goneOut), without(l.OutputFeature, goneOut)
	for d := range to.InputSpatial {
		to.InputSpatial[d] = without(to.InputSpatial[d], goneX)
		to.KernelSpatial[d] = without(to.KernelSpatial[d], goneK)
		to.OutputSpatial[d] = without(to.OutputSpatial[d], goneOut)
	}
	n.DimLabels = to
	x := c.reshape(c.x, dropDims(c.x.Dims(), goneX)...)
	k := c.reshape(c.k, dropDims(c.k.Dims(), goneK)...)
	return c.reshape(c.convolve(x, k, n), c.i.Dims()...)
}

// without returns the number of dimension d when those in gone are taken out.
func without(d int, gone []int) int {
	n := d
	for _, g := range gone {
		if g < d {
			n--
		}
	}
	return n
}

// dropDims returns dims without the entries at gone.
func dropDims(dims, gone []int) (rest []int) {
	for d, n := range dims {
		if !slices.Contains(gone, d) {
			rest = append(rest, n)
		}
	}
	return rest
}
