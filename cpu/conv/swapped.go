package conv

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
)

// leastSums is the least depth for each output feature: the result is transposed, which takes longer than packing the
// input for each tap where sums are short.
const leastSums = 32

// The gradient of weights of bf16 is multiplied by tiles with A and B the other way round: the kernel, which is the
// gradient of the result, is A, and of the input, B, each element is packed once for all taps (package gemm,
// overlap.go). The output features are the rows.

// Swap brings such convolutions of m into the form that is this product, before [Canonical], and reports whether there
// were any.
func Swap(m *hlo.Module) (changed bool, err error) {
	return replace(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
		f := formOf(i, 0)
		if f == nil || f.swapped || !f.swaps() {
			return nil, nil
		}
		f.swapped = true
		return f.rewritten()
	})
}

// swaps reports whether f is to be such a product. Input and kernel have the features of this convolution's batch and
// result innermost: others would be transposed, and there the input is A as it is.
func (f *form) swaps() bool {
	l := &f.labels
	if !f.gradientOfWords() || f.out < leastTurned || !f.fewPlaces() || l.InputBatch != len(f.x.Dims)-1 ||
		l.KernelOutputFeature != len(f.k.Dims)-1 || f.depth() < leastSums*f.out {
		return false
	}
	for _, p := range f.dims {
		if p[0].reversed || p[0].tapStep > 1 {
			return false
		}
	}
	b := f.slid()
	return gemm.Overlaps(&b)
}

// slid returns B, of an input in that order with its padding: columns are places and what is the batch to the
// convolution, depths what hits them.
func (f *form) slid() gemm.Operand {
	n, stride := len(f.dims), f.batch()*f.in
	free, depth := make(gemm.Axis, n+1), make(gemm.Axis, n+1)
	free[n], depth[n] = gemm.Dim{Size: f.batch(), Stride: 1}, gemm.Dim{Size: f.in, Stride: f.batch()}
	start := 0
	for d := n - 1; d >= 0; d-- {
		p := &f.dims[d][0]
		start += p.start * stride
		free[d] = gemm.Dim{Size: p.count, Stride: p.step * stride}
		depth[d] = gemm.Dim{Size: p.taps, Stride: p.dilation * stride}
		low, high := f.beyond(d)
		stride *= f.x.Dims[f.labels.InputSpatial[d]] + low + high
	}
	return gemm.Operand{Type: f.x.Type, Offset: start, Free: free, Depth: depth}
}

// swappedProduct returns the product of such an f, whose input and kernel are row-major.
func (f *form) swappedProduct() gemm.Spec {
	l, kernel := &f.labels, whole(f.k.Dims)
	a := gemm.Operand{Type: f.k.Type, Free: kernel.Axes[l.KernelOutputFeature]}
	for _, d := range append(slices.Clip(l.KernelSpatial), l.KernelInputFeature) {
		a.Depth = append(a.Depth, kernel.Axes[d][0])
	}
	return gemm.Spec{A: a, B: f.slid(), C: f.inst.Type()}
}

// swappedOrder reports whether everything is in the order of such a product already.
func (f *form) swappedOrder() bool {
	s := *f
	s.swapped = true
	return s.canonical()
}
