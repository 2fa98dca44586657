package conv

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Convolutions that are worth a product: of so many multiplications, features and depth. Others are loops in a kernel
// with what is around them.
const (
	minWork    = 1 << 15
	minColumns = 8
	// Groups of few features are loops whose vectors hold several groups, or places where these are innermost.
	fewColumns = 16
	fewInputs  = 4
	fewPlanes  = 8
	// longDepth is that of gradients of weights: a product of each group is faster, but of one or two sums for each tap.
	longDepth = 512
	// leastNarrowIn is the least input features of a group for products of less than minColumns.
	leastNarrowIn = 4
	minDepth      = 16
	// leastDiagonal is the least places of a row of groups that go by diagonals.
	leastDiagonal = 4
	// leastDiagonalWork is the least multiply-adds for diagonals of groups that else are loops.
	leastDiagonalWork = 1 << 18
	// maxPhases is the most phases of one convolution.
	maxPhases = 64
)

// form is a convolution that products compute.
type form struct {
	inst     *hlo.Instruction
	x, k     shape.Shape
	labels   op.DimLabels
	dims     [][]phase // of each spatial dimension
	groups   int
	batches  bool // groups are of the batch, not of the features
	plane    bool // the places are columns, of rows that are output features
	swapped  bool // the kernel is A, see swapped.go
	vector   int  // bytes of a register
	diagonal bool // the groups are few features and go by vectors of several
	// around is the dimensions of the input with zeros around it, as x and dims have it, which are not in memory.
	around []gemm.Margin
	// features of a group; odd: the input gets one more, of zeros
	in, out, odd int
}

// phase is what a spatial dimension is for the places from, from+every, ..., count of them: tap t of taps, which is
// element tap + t*tapStep of the window, is at start + place*step + t*dilation in the input.
type phase struct {
	from, every, count    int
	taps, tap, tapStep    int
	start, step, dilation int
	reversed              bool
	window                int
}

// last returns the largest index into the input.
func (p *phase) last() int { return p.start + (p.count-1)*p.step + (p.taps-1)*p.dilation }

// formOf returns the form of i, nil if products do not compute it or are no gain, by vectors of so many bytes.
func formOf(i *hlo.Instruction, vector int) *form {
	a, ok := i.Attrs().(*op.ConvolutionAttrs)
	if !ok || i.Code() != op.Convolution || len(i.Operands()) != 2 || a.Sparsity != nil || a.Algorithm != "" ||
		len(i.ControlPredecessors()) > 0 {
		return nil
	}
	f := &form{inst: i, x: i.Operand(0).Shape(), k: i.Operand(1).Shape(), labels: a.DimLabels,
		vector: vector,
		groups: max(a.FeatureGroupCount, a.BatchGroupCount, 1), batches: a.BatchGroupCount > 1}
	if !f.x.IsStatic() || !f.k.IsStatic() || !i.IsStatic() || f.x.Size()*f.k.Size()*i.Size() == 0 ||
		!gemm.Supports(f.x.Type, f.k.Type, i.Type()) || len(a.Window.Dims) != len(f.labels.InputSpatial) {
		return nil
	}
	f.in = f.k.Dims[f.labels.KernelInputFeature]
	f.out = f.k.Dims[f.labels.KernelOutputFeature] / f.groups
	depth := f.in
	for d, w := range a.Window.Dims {
		depth *= w.Size
		phases := phasesOf(w, i.Dims()[f.labels.OutputSpatial[d]])
		if phases == nil {
			return nil
		}
		f.dims = append(f.dims, phases)
	}
	if f.plane = f.planar(depth); f.plane && i.Size()*depth >= minWork {
		return f
	}
	f.diagonal = f.byDiagonals()
	few := f.out < minColumns && !f.narrow() || f.smallGroups(depth)
	f.diagonal = f.diagonal && (!few || i.Size()*depth >= leastDiagonalWork)
	if depth < minDepth || few && !f.diagonal || i.Size()*depth < minWork || f.phases() > maxPhases {
		return nil
	}
	f.swapped = f.labels.OutputFeature == 0 && i.Rank() > 2 && f.swaps() && f.swappedOrder()
	return f
}

// narrow reports whether f, of less than minColumns output features, is a product whose lanes are depths, too: pieces
// of the input are whole fours, or twos, of f32, or twos of f64.
func (f *form) narrow() bool {
	t := f.x.Type
	return f.in >= leastNarrowIn && f.in%2 == 0 && f.k.Type == t && f.inst.Type() == t &&
		(t == shape.F32 || t == shape.F64 || narrowFloat(t))
}

// smallGroups reports whether f is of groups of so few features that loops are faster.
func (f *form) smallGroups(depth int) bool {
	inputs := fewInputs
	if y := f.inst.Shape(); f.labels.OutputFeature < y.Rank()-1 && y.Dims[y.Rank()-1] >= longRow {
		inputs = fewPlanes
	}
	return f.groups > 1 && !f.batches && f.out <= fewColumns && f.in <= inputs &&
		(f.out <= 2 || depth < longDepth)
}

// byDiagonals reports whether f is of groups of few features whose product goes by vectors of several groups, see
// [gemm.Diagonals]: features are innermost.
func (f *form) byDiagonals() bool {
	l, y, n := &f.labels, f.inst.Shape(), len(f.dims)
	if f.groups == 1 || f.batches || f.plane || n == 0 || f.in != f.out || l.InputFeature != len(f.x.Dims)-1 ||
		l.OutputFeature != y.Rank()-1 || f.fewPlaces() || y.Type != f.x.Type {
		return false
	}
	for _, p := range f.dims[n-1] {
		if p.count < leastDiagonal {
			return false
		}
	}
	sums := y.Type
	if narrowFloat(sums) {
		sums = shape.F32
	}
	return (f.k.Type == y.Type || f.k.Type == sums) && gemm.Diagonals(sums, f.groups, f.in, f.vector)
}

// phases returns how many phases there are.
func (f *form) phases() int {
	n := 1
	for _, d := range f.dims {
		n *= len(d)
	}
	return n
}

// phasesOf cuts places places of window w into phases; nil if one of them has no taps.
func phasesOf(w op.WindowDim, places int) []phase {
	list := allPhases(w, places)
	if len(list) > maxPhases || slices.ContainsFunc(list, func(p phase) bool { return p.tap < 0 }) {
		return nil
	}
	return list
}

// allPhases returns the phases of places places of window w, no more than one beyond maxPhases; tap is negative in
// those without taps.
func allPhases(w op.WindowDim, places int) []phase {
	stride, dilation, holes := max(w.Stride, 1), max(w.WindowDilation, 1), max(w.BaseDilation, 1)
	every, tapStep := holes/gcd(holes, stride), holes/gcd(holes, dilation)
	var list []phase
	for from := range min(every, places, maxPhases+1) {
		p := phase{from: from, every: every, count: (places - from + every - 1) / every, tapStep: tapStep, tap: -1,
			step: every * stride / holes, dilation: tapStep * dilation / holes, reversed: w.Reversal, window: w.Size}
		for t := range min(tapStep, w.Size) {
			if e := from*stride + t*dilation - w.PaddingLow; e%holes == 0 {
				p.tap, p.start, p.taps = t, e/holes, (w.Size-t+tapStep-1)/tapStep
			}
		}
		list = append(list, p)
	}
	return list
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// beyond returns how many elements in front of spatial dimension d of the input, and behind it, places hit.
func (f *form) beyond(d int) (low, high int) {
	n := f.x.Dims[f.labels.InputSpatial[d]]
	for _, p := range f.dims[d] {
		low, high = max(low, -p.start), max(high, p.last()-(n-1))
	}
	return low, high
}

// batch returns the size of the batch of the result.
func (f *form) batch() int { return f.inst.Dims()[f.labels.OutputBatch] }
