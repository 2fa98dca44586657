package conv

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/shape"
)

// Of a convolution of not too many features a group, whose places are innermost, the output features are the rows of a
// product and the places are the columns: these are read where they are, as a window that slides, and nothing is
// transposed.

// Such products have no more output features of a group, and no more depth unless there are less than minColumns of
// these, and fill most of the vectors of a row of places. With more than fewPlaneOut features the vectors multiply
// better the other way round, but transposing takes as long as transposeDepth multiply-adds for an element of the
// result: what is left empty must cost less.
const (
	mostPlaneOut   = 128
	fewPlaneOut    = 32
	transposeDepth = 32
	mostPlaneDepth = 1 << 10
	leastPlaneOut  = 2
	vectorBytes    = 64
)

// planar reports whether f is a convolution of which the input and the result have their places innermost, all taps hit
// elements everywhere, and that is such a product.
func (f *form) planar(depth int) bool {
	l, y, n := &f.labels, f.inst.Shape(), len(f.dims)
	if n == 0 || f.out < leastPlaneOut || f.out > mostPlaneOut ||
		depth > mostPlaneDepth && f.out >= minColumns || depth < f.out ||
		f.x.Type != y.Type || f.k.Type != y.Type || f.x.Type != shape.F32 && f.x.Type != shape.F64 || f.phases() > 1 {
		return false
	}
	for d := range n {
		if l.OutputSpatial[d] != y.Rank()-n+d || l.InputSpatial[d] != y.Rank()-n+d || f.dims[d][0].tapStep > 1 {
			return false
		}
	}
	lanes, width := vectorBytes/y.Type.ByteSize(), f.rowOfPlaces()
	whole := (width + lanes - 1) / lanes * lanes
	if f.out > fewPlaneOut && (whole-width)*depth > transposeDepth*width {
		return false
	}
	if 4*width < 3*whole {
		return false
	}
	switch f.dims[n-1][0].step {
	case 1:
		return true
	case 2:
		return f.bringsHalves()
	}
	return false
}

// bringsHalves reports whether products bring the planes of f near, where even and odd columns are apart, once the
// kernel is in order.
func (f *form) bringsHalves() bool {
	e := f.withZeros()
	e.plane = true
	order := e.kernelOrder()
	in := whole(gather(f.k.Dims, order))
	kernel := View{Axes: make([]gemm.Axis, len(order))}
	for k, d := range order {
		kernel.Axes[d] = in.Axes[k]
	}
	_, ok := e.planes(kernel)
	return ok
}

// halves reports whether f is such.
func (f *form) halves() bool { return f.plane && f.dims[len(f.dims)-1][0].step > 1 }

// rowOfPlaces returns how many places are neighbours in the input and in the result: rows of which one tap reads all
// are one.
func (f *form) rowOfPlaces() int {
	d := len(f.dims) - 1
	width := f.dims[d][0].count
	for ; d > 0 && f.readsWhole(d) && f.dims[d-1][0].step == 1; d-- {
		width *= f.dims[d-1][0].count
	}
	return width
}

// readsWhole reports whether a single tap of dimension d reads the input from its first element to its last.
func (f *form) readsWhole(d int) bool {
	p := f.dims[d][0]
	return p.taps == 1 && p.start == 0 && p.step == 1 && p.count == f.x.Dims[f.labels.InputSpatial[d]]
}

// turned returns the dimensions of the kernel that a planar f has the other way round: rows of A are evenly spaced.
func (f *form) turned() (dims []int) {
	for d, p := range f.dims {
		if f.plane && p[0].reversed {
			dims = append(dims, f.labels.KernelSpatial[d])
		}
	}
	return dims
}

// planes returns the product of a planar f: A is the kernel, B the input.
func (f *form) planes(kernel View) (gemm.Spec, bool) {
	l, x, y := &f.labels, whole(f.x.Dims), whole(f.inst.Dims())
	stride, ok := kernel.Axes[l.KernelOutputFeature].Stride()
	if !ok {
		return gemm.Spec{}, false
	}
	batch := x.Axes[l.InputBatch][0].Stride
	group := f.in * x.Axes[l.InputFeature][0].Stride
	if f.batches {
		group = f.batch() * batch
	}
	s := gemm.Spec{C: f.inst.Type()}
	s.A = gemm.Operand{Type: f.k.Type, Offset: kernel.Offset, Free: gemm.Axis{{Size: f.out, Stride: stride}},
		Batch: gemm.Axis{{Size: f.batch()}, {Size: f.groups, Stride: f.out * stride}}}
	s.B = gemm.Operand{Type: f.x.Type, Batch: gemm.Axis{{Size: f.batch(), Stride: batch}, {Size: f.groups, Stride: group}}}
	s.A.Depth = slices.Clone(kernel.Axes[l.KernelInputFeature])
	s.B.Depth = gemm.Axis{{Size: f.in, Stride: x.Axes[l.InputFeature][0].Stride}}
	for d, p := range f.phase(0) {
		inStride := x.Axes[l.InputSpatial[d]][0].Stride
		tap, ok := kernel.Axes[l.KernelSpatial[d]].Stride()
		if !ok {
			return gemm.Spec{}, false
		}
		s.B.Offset += p.start * inStride
		s.A.Depth = append(s.A.Depth, gemm.Dim{Size: p.taps, Stride: tap})
		s.B.Depth = append(s.B.Depth, gemm.Dim{Size: p.taps, Stride: p.dilation * inStride})
		s.B.Free = append(s.B.Free, gemm.Dim{Size: p.count, Stride: p.step * inStride})
	}
	feature := y.Axes[l.OutputFeature][0].Stride
	s.Rows = gemm.Axis{{Size: f.out, Stride: feature}}
	s.Products = gemm.Axis{{Size: f.batch(), Stride: y.Axes[l.OutputBatch][0].Stride},
		{Size: f.groups, Stride: f.out * feature}}
	s.B.Around = f.around
	return s, f.around == nil || s.TakesAround(f.vector)
}
