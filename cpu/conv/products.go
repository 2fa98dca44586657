package conv

import (
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// View is where the elements of an operand are in an array: the axis of each dimension, and the place of the first
// element.
type View struct {
	Offset int
	Axes   []gemm.Axis
}

// whole is the view of an array of row-major order.
func whole(dims []int) View {
	v := View{Axes: make([]gemm.Axis, len(dims))}
	stride := 1
	for d := len(dims) - 1; d >= 0; d-- {
		v.Axes[d] = gemm.Axis{{Size: dims[d], Stride: stride}}
		stride *= dims[d]
	}
	return v
}

// Planar reports whether the kernel is A and the input B in the products of i, by vectors of so many bytes, if it has
// any.
func Planar(i *hlo.Instruction, vector int) bool {
	f := formOf(i, vector)
	return f != nil && (f.plane || f.swapped)
}

// stride returns the distance of neighbours along dimension d, if that is one; 0 if there is one element.
func (v View) stride(d int) (int, bool) { return v.Axes[d].Stride() }

// Whole is the view of an array in row-major order.
func Whole(s shape.Shape) View { return whole(s.Dims) }

// Products returns the products that are i, one for each phase, whose C are parts of one array, the result: A is the
// input and B the kernel, the elements of which are where input and kernel say. ok is false for a convolution that is
// to remain one: it is small, reads beyond its input or has another order of dimensions, see [Canonical]. The vectors
// of the machine have so many bytes, or 0.
func Products(i *hlo.Instruction, vector int, input, kernel View) (specs []gemm.Spec, ok bool) {
	f := productForm(i, vector)
	if f == nil {
		return nil, false
	}
	if f.plane {
		s, ok := f.planes(kernel)
		return []gemm.Spec{s}, ok
	}
	if f.swapped {
		return []gemm.Spec{f.swappedProduct()}, true
	}
	for n := range f.phases() {
		s, ok := f.product(n, input, kernel)
		if !ok {
			return nil, false
		}
		specs = append(specs, s)
	}
	return specs, true
}

// phase returns the phase of each spatial dimension in phase n.
func (f *form) phase(n int) []phase {
	list := make([]phase, len(f.dims))
	for d := len(f.dims) - 1; d >= 0; d-- {
		list[d] = f.dims[d][n%len(f.dims[d])]
		n /= len(f.dims[d])
	}
	return list
}

// product returns the product of phase n.
func (f *form) product(n int, x, kernel View) (gemm.Spec, bool) {
	l := &f.labels
	if f.around != nil {
		if !f.isAll(x) {
			return gemm.Spec{}, false
		}
		x = whole(f.x.Dims)
	}
	feature, ok := x.stride(l.InputFeature)
	if !ok {
		return gemm.Spec{}, false
	}
	a, batch := gemm.Operand{Type: f.x.Type, Offset: x.Offset, Around: f.around}, x.Axes[l.InputBatch]
	b := gemm.Operand{Type: f.k.Type, Offset: kernel.Offset, Free: kernel.Axes[l.KernelOutputFeature]}
	if f.groups > 1 {
		stride, ok := b.Free.Stride()
		if !ok || f.diagonal && stride != 1 {
			return gemm.Spec{}, false
		}
		a.Batch = gemm.Axis{{Size: f.groups, Stride: f.in * feature}}
		if f.batches {
			if a.Batch, batch, ok = f.groupsOf(batch); !ok {
				return gemm.Spec{}, false
			}
		}
		b.Batch = gemm.Axis{{Size: f.groups, Stride: f.out * stride}}
		b.Free = gemm.Axis{{Size: f.out, Stride: stride}}
	}
	rows := make([]gemm.Axis, f.inst.Rank())
	rows[l.OutputBatch] = batch
	for d, p := range f.phase(n) {
		inStride, okIn := x.stride(l.InputSpatial[d])
		stride, ok := kernel.stride(l.KernelSpatial[d])
		if !ok || !okIn {
			return gemm.Spec{}, false
		}
		first, step := p.tap, p.tapStep
		if p.reversed {
			first, step = p.window-1-p.tap, -p.tapStep
		}
		a.Offset += p.start * inStride
		b.Offset += first * stride
		rows[l.OutputSpatial[d]] = gemm.Axis{{Size: p.count, Stride: p.step * inStride}}
		a.Depth = append(a.Depth, gemm.Dim{Size: p.taps, Stride: p.dilation * inStride})
		b.Depth = append(b.Depth, gemm.Dim{Size: p.taps, Stride: step * stride})
	}
	samples, of := gemm.Axis{{Size: f.in, Stride: feature}}, kernel.Axes[l.KernelInputFeature]
	a.Depth, b.Depth = f.depthOf(a.Depth, samples), f.depthOf(b.Depth, of)
	for d, r := range rows {
		if d != l.OutputFeature {
			a.Free = append(a.Free, r...)
		}
	}
	s := gemm.Spec{A: a, B: b, C: f.inst.Type()}
	if f.groups > 1 || f.phases() > 1 {
		f.place(&s, n)
	}
	return s, f.around == nil || s.TakesAround(f.vector)
}

// isAll reports whether x is the elements of the input in their order, without the zeros around them.
func (f *form) isAll(x View) bool {
	stride := 1
	for d := len(f.around) - 1; d >= 0; d-- {
		if got, ok := x.stride(d); !ok || got != stride && f.around[d].Size > 1 {
			return false
		}
		stride *= f.around[d].Size
	}
	return x.Offset == 0
}

// groupsOf cuts the axis of a batch into groups and what is in one.
func (f *form) groupsOf(batch gemm.Axis) (groups, rest gemm.Axis, ok bool) {
	if stride, ok := batch.Stride(); ok {
		n := f.batch()
		return gemm.Axis{{Size: f.groups, Stride: n * stride}}, gemm.Axis{{Size: n, Stride: stride}}, true
	}
	return batch[:1], batch[1:], batch[0].Size == f.groups
}

// place says where in the result the rows of phase n are.
func (f *form) place(s *gemm.Spec, n int) {
	l, y := &f.labels, whole(f.inst.Dims())
	rows := make([]gemm.Axis, len(y.Axes))
	rows[l.OutputBatch] = y.Axes[l.OutputBatch]
	for d, p := range f.phase(n) {
		stride := y.Axes[l.OutputSpatial[d]][0].Stride
		s.Start += p.from * stride
		rows[l.OutputSpatial[d]] = gemm.Axis{{Size: p.count, Stride: p.every * stride}}
	}
	for d, r := range rows {
		if d != l.OutputFeature {
			s.Rows = append(s.Rows, r...)
		}
	}
	s.Products = gemm.Axis{{Size: f.groups, Stride: f.out}}
}
