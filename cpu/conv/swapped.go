package conv

import "github.com/goxla/xla/cpu/gemm"

// leastSums is the least depth for each output feature: the result is transposed, which takes longer than packing the
// input for each tap where sums are short.
const leastSums = 32

// The gradient of weights of bf16 is multiplied by tiles with A and B the other way round: the kernel, which is the
// gradient of the result, is A, and of the input, B, each element is packed once for all taps (package gemm,
// overlap.go). The output features are the rows.

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
	b := f.slid(f.swappedInput())
	return gemm.Overlaps(&b)
}

// swappedInput is where the elements of the input are in that order, with the padding, by dimension of the labels.
func (f *form) swappedInput() View {
	l := &f.labels
	v := View{Axes: make([]gemm.Axis, len(f.x.Dims))}
	stride := f.batch()
	v.Axes[l.InputBatch] = gemm.Axis{{Size: stride, Stride: 1}}
	v.Axes[l.InputFeature] = gemm.Axis{{Size: f.in, Stride: stride}}
	stride *= f.in
	for d := len(f.dims) - 1; d >= 0; d-- {
		low, high := f.beyond(d)
		n := f.x.Dims[l.InputSpatial[d]] + low + high
		v.Axes[l.InputSpatial[d]] = gemm.Axis{{Size: n, Stride: stride}}
		stride *= n
	}
	return v
}

// slid returns B: columns are places and what is the batch to the convolution, depths what hits them.
func (f *form) slid(x View) gemm.Operand {
	l := &f.labels
	b := gemm.Operand{Type: f.x.Type}
	for d, p := range f.phase(0) {
		stride := x.Axes[l.InputSpatial[d]][0].Stride
		b.Offset += p.start * stride
		b.Free = append(b.Free, gemm.Dim{Size: p.count, Stride: p.step * stride})
		b.Depth = append(b.Depth, gemm.Dim{Size: p.taps, Stride: p.dilation * stride})
	}
	b.Free = append(b.Free, x.Axes[l.InputBatch]...)
	b.Depth = append(b.Depth, x.Axes[l.InputFeature]...)
	return b
}

// swappedProduct returns the product of such an f, whose input and kernel are row-major.
func (f *form) swappedProduct() gemm.Spec {
	l, kernel := &f.labels, whole(f.k.Dims)
	a := gemm.Operand{Type: f.k.Type, Free: kernel.Axes[l.KernelOutputFeature]}
	for d := range f.dims {
		a.Depth = append(a.Depth, kernel.Axes[l.KernelSpatial[d]]...)
	}
	a.Depth = append(a.Depth, kernel.Axes[l.KernelInputFeature]...)
	return gemm.Spec{A: a, B: f.slid(whole(f.x.Dims)), C: f.inst.Shape().Type}
}

// swappedOrder reports whether everything is in the order of such a product already.
func (f *form) swappedOrder() bool {
	s := *f
	s.swapped = true
	return s.canonical()
}
