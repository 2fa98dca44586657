package conv

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/shape"
)

// Windows that do not overlap, as those that cut an image into patches, read each element once: to transpose the input
// in front would take longer than to read it where it is. Where the places are innermost in input and kernel, both have
// the depth in the same order, input features first: the rows of a patch are runs of it, and the kernel's is one run.

// leastPatch is the least elements of such a run.
const leastPatch = 4

// patched reports whether f is one of those.
func (f *form) patched() bool {
	l, n := &f.labels, len(f.dims)
	if t := f.x.Type; n == 0 || f.groups > 1 || t != shape.F32 && t != shape.F64 || f.k.Type != t || f.out < minColumns {
		return false
	}
	for d, p := range f.dims {
		low, high := f.beyond(d)
		if len(p) > 1 || p[0].reversed || p[0].dilation != 1 || p[0].count > 1 && p[0].step < p[0].taps ||
			low > 0 || high > 0 {
			return false
		}
	}
	return f.dims[n-1][0].taps >= leastPatch && l.InputBatch == 0 && l.InputFeature == 1 &&
		slices.IsSorted(l.InputSpatial) && l.KernelOutputFeature == 0 && l.KernelInputFeature == 1 &&
		slices.IsSorted(l.KernelSpatial)
}

// depthOf returns the depth of an operand: its taps and features.
func (f *form) depthOf(taps, features gemm.Axis) gemm.Axis {
	if f.samplesFirst() || f.patched() {
		return slices.Concat(features, taps)
	}
	return slices.Concat(taps, features)
}
