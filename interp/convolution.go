package interp

import (
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalConvolution slides the kernel over the padded, dilated input, in any number
// of spatial dimensions, with feature and batch groups. Floats are summed in
// float64 and rounded once. Spec: OPS.md section 6.
func evalConvolution(c *call) (literal.Literal, error) {
	dst := c.new()
	conv := newConvolution(c)
	x, k := c.args[0], c.args[1]
	switch t := dst.Type(); {
	case t.IsComplex():
		complexSums(dst, dst.Len(), toComplex(x), toComplex(k), func(xs, ks []float64, set func(int, float64)) {
			convolve(conv, xs, ks, set)
		})
	case t.IsFloat():
		convolve(conv, toFloats(x), toFloats(k), dst.SetFloat)
	case t == shape.Pred:
		convolve(conv, toInts(x), toInts(k), func(i int, v int64) { dst.SetBool(i, v != 0) })
	case t.IsInteger():
		convolve(conv, toInts(x), toInts(k), func(i int, v int64) { dst.SetBits(i, uint64(v)) })
	default:
		return literal.Literal{}, noKernel(t)
	}
	return dst, nil
}

// axis is a dimension of an array: its size and the elements from one index to the next.
type axis struct{ size, stride int }

// convolution is a convolution as loops over offsets: positions[i] is the i-th
// output position with the places where window and input meet.
type convolution struct {
	batch, outBatch            axis // of input and output
	inFeature, kernelInput     axis
	outFeature, kernelOut      axis
	positions                  []position
	featureGroups, batchGroups int
}

// position is one place of the window: the offset in the output and, for each
// kernel element that meets an input element, both offsets.
type position struct {
	out  int
	taps []tap
}

type tap struct{ in, kernel int }

func newConvolution(c *call) *convolution {
	a := attrs[*op.ConvolutionAttrs](c)
	l := a.DimLabels
	in, kernel, out := c.args[0].Dims(), c.args[1].Dims(), c.shape.Dims
	inAxis, kernelAxis, outAxis := axes(in), axes(kernel), axes(out)
	conv := &convolution{
		batch: inAxis[l.InputBatch], inFeature: inAxis[l.InputFeature],
		kernelInput: kernelAxis[l.KernelInputFeature], kernelOut: kernelAxis[l.KernelOutputFeature],
		outBatch: outAxis[l.OutputBatch], outFeature: outAxis[l.OutputFeature],
		featureGroups: max(a.FeatureGroupCount, 1), batchGroups: max(a.BatchGroupCount, 1),
	}
	conv.positions = []position{{taps: []tap{{}}}}
	for i, w := range windowDims(a.Window, len(l.InputSpatial)) {
		conv.positions = spreadPositions(conv.positions, w,
			inAxis[l.InputSpatial[i]], kernelAxis[l.KernelSpatial[i]], outAxis[l.OutputSpatial[i]])
	}
	return conv
}

// windowDims returns the dimensions of w, or n trivial ones where w has none.
func windowDims(w op.Window, n int) []op.WindowDim {
	if len(w.Dims) == n {
		return w.Dims
	}
	dims := make([]op.WindowDim, n)
	for i := range dims {
		dims[i] = op.WindowDim{Size: 1, Stride: 1, BaseDilation: 1, WindowDilation: 1}
	}
	return dims
}

func axes(dims []int) []axis {
	list := make([]axis, len(dims))
	for i, stride := range rowMajor(dims) {
		list[i] = axis{dims[i], stride}
	}
	return list
}

// spreadPositions adds one spatial dimension to a list of positions.
func spreadPositions(list []position, w op.WindowDim, in, kernel, out axis) []position {
	next := make([]position, 0, len(list)*out.size)
	for _, p := range list {
		for o := range out.size {
			q := position{out: p.out + o*out.stride}
			first, last := reach(w, in.size, o)
			for i := first; i <= last; i++ {
				k, ok := windowIndex(w, o, i)
				if !ok {
					continue
				}
				if w.Reversal {
					k = kernel.size - 1 - k
				}
				for _, t := range p.taps {
					q.taps = append(q.taps, tap{t.in + i*in.stride, t.kernel + k*kernel.stride})
				}
			}
			next = append(next, q)
		}
	}
	return next
}

// convolve runs the loops. Output feature f belongs to feature group f / (features
// per group), which reads that part of the input features; with batch groups, to
// the batch group that reads that part of the input batch.
func convolve[T int64 | float64](c *convolution, in, kernel []T, set func(i int, v T)) {
	perFeature := max(c.outFeature.size/c.featureGroups, 1)
	perBatch := max(c.outFeature.size/c.batchGroups, 1)
	batches := c.outBatch.size
	parallel(c.outFeature.size*batches, c.work(), func(lo, hi int) {
		for item := lo; item < hi; item++ {
			f, b := item/batches, item%batches
			from := b*c.batch.stride + f/perFeature*c.kernelInput.size*c.inFeature.stride +
				f/perBatch*batches*c.batch.stride
			to := f*c.outFeature.stride + b*c.outBatch.stride
			convolveImage(c, in, kernel, from, f*c.kernelOut.stride, to, set)
		}
	})
}

// work is the number of multiply-adds of one output feature of one image.
func (c *convolution) work() int {
	taps := 0
	for _, p := range c.positions {
		taps += len(p.taps)
	}
	return taps * c.kernelInput.size
}

// convolveImage computes one output feature of one image: from, k and to are the
// offsets of the image in the input, of the feature in the kernel, and of both in the output.
func convolveImage[T int64 | float64](c *convolution, in, kernel []T, from, k, to int,
	set func(i int, v T)) {
	for _, p := range c.positions {
		var sum T
		for _, t := range p.taps {
			i, k := from+t.in, k+t.kernel
			for range c.kernelInput.size {
				sum += T(in[i] * kernel[k])
				i, k = i+c.inFeature.stride, k+c.kernelInput.stride
			}
		}
		set(to+p.out, sum)
	}
}
