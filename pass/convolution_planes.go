package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A convolution whose window is one element, with its places innermost in input and result, is a dot of the kernel and
// the input: both are read and the result is written in the order that they have. That is one product for each element
// of the batch.

// The places leave less than one part in planeFill of the vectors empty, of planeLanes, or there is one product whose
// kernel has no more than planeKernel elements: the rows of a larger one, which is read once for each few places, come
// from afar. Of several products the output features are no less than one part in planeOut of the input features:
// transposing the result costs less else.
const (
	planeFill   = 8
	planeLanes  = 16
	planeKernel = 1 << 19
	planeOut    = 2
)

// ofPlanes reports whether the convolution, whose window is one element, is to be such a dot.
func (c *convolution) ofPlanes() bool {
	l, x, y := &c.a.DimLabels, c.x.Dims(), c.i.Dims()
	if len(x) < 3 || l.InputBatch != 0 || l.InputFeature != 1 || l.OutputBatch != 0 || l.OutputFeature != 1 ||
		!slices.Equal(l.InputSpatial, l.OutputSpatial) {
		return false
	}
	places := 1
	for _, n := range y[2:] {
		places *= n
	}
	if places == 1 {
		return false
	}
	empty := (places+planeLanes-1)/planeLanes*planeLanes - places
	if x[0] == 1 {
		return planeFill*empty <= places || x[1]*y[1] <= planeKernel
	}
	return planeFill*empty <= places && planeOut*y[1] >= x[1]
}

// planes returns that dot, of kernel k with features only.
func (c *convolution) planes(k *hlo.Instruction) *hlo.Instruction {
	l := &c.a.DimLabels
	batch := c.x.Dims()[l.InputBatch]
	attrs := &op.DotAttrs{LHSBatch: []int{0}, RHSBatch: []int{l.InputBatch},
		LHSContracting: []int{1 + without(l.KernelInputFeature, l.KernelSpatial)}, RHSContracting: []int{l.InputFeature},
		Algorithm: c.a.Algorithm}
	if p := c.a.OperandPrecision; len(p) == 2 {
		attrs.OperandPrecision = []op.Precision{p[1], p[0]}
	}
	s := shape.Make(k.Type(), slices.Concat([]int{batch}, k.Dims())...)
	return c.shaped(op.Dot, c.i.Shape(), attrs, []*hlo.Instruction{c.broadcast(k, s, 1, 2), c.x})
}
