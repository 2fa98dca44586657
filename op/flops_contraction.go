package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// flopsDot is a multiply-add for each element of the result and each index that is
// summed over. Sparse sides are counted as if they were dense.
func flopsDot(in *Inputs, result shape.Shape) int64 {
	a := in.Attrs.(*DotAttrs)
	lhs, _, err := denseSides(in, a.Sparsity)
	if err != nil {
		return 0
	}
	return satProduct(2, elementCount(result), sizeOf(lhs, a.LHSContracting))
}

// flopsRaggedDot is that of the dot without groups: each row, summand or batch is in
// one group at most.
func flopsRaggedDot(in *Inputs, result shape.Shape) int64 {
	a := in.Attrs.(*RaggedDotAttrs)
	if slices.Contains(a.LHSContracting, a.LHSRagged[0]) {
		result.Dims = result.Dims[1:]
	}
	return satProduct(2, elementCount(result), sizeOf(in.Operands[0], a.LHSContracting))
}

// sizeOf returns the number of indices of some dimensions of s; 0 if one is unbounded.
func sizeOf(s shape.Shape, dims []int) int64 {
	n := int64(1)
	for _, d := range dims {
		n = satMul(n, int64(max(s.Dims[d], 0)))
	}
	return n
}

// flopsConvolution is a multiply-add for each pair of an input and a kernel element
// that meet, so that padding and the holes of dilation do not count.
func flopsConvolution(in *Inputs, result shape.Shape) int64 {
	a := in.Attrs.(*ConvolutionAttrs)
	lhs, rhs, err := denseSides(in, a.Sparsity)
	if err != nil {
		return 0
	}
	l := &a.DimLabels
	n := satProduct(2, sizeOf(rhs, []int{l.KernelInputFeature}), sizeOf(result, []int{l.OutputBatch, l.OutputFeature}))
	for i, w := range a.Window.Dims {
		places := result.Dims[l.OutputSpatial[i]]
		n = satMul(n, meetings(lhs.Dims[l.InputSpatial[i]], max(places, 0), w))
	}
	return n
}

// meetings returns how often an element of the window lies on an element of the
// input, along one dimension, with the window at all its places. Of windows that
// are too large to look at each element it returns the count without padding.
func meetings(size, places int, w WindowDim) int64 {
	const limit = 1 << 10
	if size == shape.Unbounded {
		return 0
	}
	if w.Size > limit || w.BaseDilation > limit {
		return satMul(int64(w.Size), int64(places))
	}
	n := int64(0)
	for k := range w.Size {
		n += hits(size, places, k*w.WindowDilation-w.PaddingLow, w)
	}
	return n
}

// hits returns how many of the window's places put the element that is offset away
// from the place on an element of the input: for how many o in [0, places) the
// index o*stride + offset is a multiple of the base dilation and in range.
func hits(size, places, offset int, w WindowDim) int64 {
	first := max(0, (w.Stride-1-offset)/w.Stride)
	room := (size-1)*w.BaseDilation - offset
	if room < 0 || places == 0 {
		return 0
	}
	last := min(room/w.Stride, places-1)
	period := w.BaseDilation / gcd(w.Stride, w.BaseDilation)
	for o := first; o <= last && o < first+period; o++ {
		if (o*w.Stride+offset)%w.BaseDilation == 0 {
			return int64((last-o)/period + 1)
		}
	}
	return 0
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
