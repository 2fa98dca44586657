package conv

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// wideBatch is the size from which a batch may be innermost in the input.
const wideBatch = 8

// Pieces of the input of fewer bytes than pieceBytes, or fewPieceBytes, which a window of so many taps hits, are
// brought together.
const (
	pieceBytes    = 128
	fewPieceBytes = 1 << 10
	pieceTaps     = 4
)

// Canonical pads and transposes the operands and results of the convolutions of m that are worth a product,
// and reports whether there were any that needed it.
func Canonical(m *hlo.Module, machine gemm.Config) (changed bool, err error) {
	words, vector := machine.Words(), machine.Tier.VectorBytes()
	return replace(m, func(i *hlo.Instruction) (*hlo.Instruction, error) { return canonicalOf(i, words, vector) })
}

// replace puts what by returns in the place of instructions of m, unless that is nil, and reports whether there were
// any.
func replace(m *hlo.Module, by func(i *hlo.Instruction) (*hlo.Instruction, error)) (changed bool, err error) {
	changed = m.ReplaceEach(func(i *hlo.Instruction) (n *hlo.Instruction) {
		if err == nil {
			n, err = by(i)
		}
		return n
	})
	return changed, err
}

// canonicalOf adds the canonical form of i and returns what takes its place; nil if that is i. Words says that bf16 are
// multiplied two at once, vector is the bytes of a register.
func canonicalOf(i *hlo.Instruction, words bool, vector int) (*hlo.Instruction, error) {
	f := formOf(i, vector)
	if f == nil {
		if p := untapped(i); p != nil {
			if y, err := tapped(i, p, words, vector); y != nil || err != nil {
				return y, err
			}
		}
		if t := tapsOf(i); t != nil {
			return t.sums()
		}
		return padded(i)
	}
	if t := f.parted(); t != nil {
		return f.partedBy(t, words, vector)
	}
	if o := f.outward(); o != nil {
		return o.added(words, vector)
	}
	switch {
	case f.swapped && !f.canonical():
		return f.rewritten()
	case f.swapped:
		return nil, nil
	case words && f.widens(words) && f.fewEven():
		if f.odd = f.in % 2; f.odd == 0 && f.canonical() {
			return nil, nil
		}
		return f.rewritten()
	case f.diagonal && narrowFloat(f.x.Type) && !f.computed():
		return f.widenedNear(vector)
	case f.widens(words) && !(words && f.gradientWords()):
		return f.widened(vector)
	case f.canonical() || (f.diagonal && !f.leaps() || !f.computed()) && f.near() != nil,
		f.worthEdges() && f.edged() != nil:
		return nil, nil
	}
	return f.rewritten()
}

// canonicalAt is y, a convolution that nothing uses yet, in canonical form.
func canonicalAt(y *hlo.Instruction, words bool, vector int) (*hlo.Instruction, error) {
	n, err := canonicalOf(y, words, vector)
	if n != nil && err == nil {
		y.Computation().Remove(y)
		y = n
	}
	return y, err
}

// canonical reports whether f is as its products need it.
func (f *form) canonical() bool {
	for d := range f.dims {
		if low, high := f.beyond(d); low > 0 || high > 0 {
			return false
		}
	}
	if f.scattered() || len(f.turned()) > 0 {
		return false
	}
	for _, order := range [][]int{f.inputOrder(), f.kernelOrder(), f.outputOrder()} {
		if !slices.IsSorted(order) {
			return false
		}
	}
	return true
}

// outputOrder returns the dimensions of the result in the order in which products give it: as they are if the
// features are innermost, else batch, places, features; the batch behind the places where these are few, as the
// weights are of which this is the gradient: what is evenly spaced is longer so.
func (f *form) outputOrder() []int {
	l, dims := &f.labels, f.inst.Dims()
	order := make([]int, len(dims))
	for d := range order {
		order[d] = d
	}
	inner := 1
	for _, n := range dims[l.OutputFeature+1:] {
		inner *= n
	}
	switch {
	case f.swapped:
		return slices.Concat([]int{l.OutputFeature}, l.OutputSpatial, []int{l.OutputBatch})
	case inner == 1 || f.plane:
		return order
	}
	if f.fewPlaces() {
		return slices.Concat(l.OutputSpatial, []int{l.OutputBatch, l.OutputFeature})
	}
	return slices.Concat([]int{l.OutputBatch}, l.OutputSpatial, []int{l.OutputFeature})
}

// fewPlaces reports whether the window is larger than the result, in each dimension, and the batch is wide.
func (f *form) fewPlaces() bool {
	for _, p := range f.dims {
		if len(p) > 1 || p[0].taps <= p[0].count {
			return false
		}
	}
	return f.batch() >= wideBatch
}

// longRun is the elements of a row of the window, with their features, from which on these may be innermost in the
// input of a gradient of weights.
const longRun = 64

// batchLast reports whether the batch is to be innermost in the input: it is, or rows of the window are too short.
func (f *form) batchLast() bool {
	if n := len(f.dims); n == 0 || f.in*f.dims[n-1][0].taps < longRun {
		return true
	}
	last := len(f.x.Dims) - 1
	for last > 0 && f.x.Dims[last] == 1 {
		last--
	}
	return last == f.labels.InputBatch
}

// samplesFirst reports whether f is a gradient of weights whose samples, the input features, are outermost in both
// operands and whose features are innermost: nothing is transposed, and the depth is in the order of memory. Not of
// half floats, whose runs tiles and pairs take from the other order.
func (f *form) samplesFirst() bool {
	l, last := &f.labels, len(f.x.Dims)-1
	if f.x.Type != shape.F32 && f.x.Type != shape.F64 || f.groups > 1 || f.outputOrder()[0] == l.OutputBatch {
		return false
	}
	for _, p := range f.dims {
		if len(p) > 1 || p[0].taps <= p[0].count {
			return false
		}
	}
	return l.InputFeature == 0 && l.InputBatch == last && slices.IsSorted(l.InputSpatial) &&
		l.KernelInputFeature == 0 && l.KernelOutputFeature == last && slices.IsSorted(l.KernelSpatial)
}

// inputOrder returns the dimensions of the input in the order that products take: features innermost, or a batch that
// is not outermost in the result, unless others are innermost already.
func (f *form) inputOrder() []int {
	l := &f.labels
	if f.plane || f.samplesFirst() || f.patched() {
		return identity(len(f.x.Dims))
	}
	if f.swapped {
		return slices.Concat(l.InputSpatial, []int{l.InputFeature, l.InputBatch})
	}
	if f.batch() >= wideBatch && f.outputOrder()[0] != l.OutputBatch && f.batchLast() {
		return slices.Concat(l.InputSpatial, []int{l.InputFeature, l.InputBatch})
	}
	return slices.Concat([]int{l.InputBatch}, l.InputSpatial, []int{l.InputFeature})
}

// kernelOrder returns the dimensions of the kernel in the order that products take: as they are if features of some
// kind are innermost, else places, input features, output features.
func (f *form) kernelOrder() []int {
	l := &f.labels
	if f.plane {
		return slices.Concat([]int{l.KernelOutputFeature, l.KernelInputFeature}, l.KernelSpatial)
	}
	last := len(f.k.Dims) - 1
	for last > 0 && f.k.Dims[last] == 1 {
		last--
	}
	if f.patched() || last == l.KernelOutputFeature || last == l.KernelInputFeature && !f.swapped && !f.diagonal {
		return identity(len(f.k.Dims))
	}
	return slices.Concat(l.KernelSpatial, []int{l.KernelInputFeature, l.KernelOutputFeature})
}

// rewritten adds the canonical form of f and returns the value that takes the place of the old one.
func (f *form) rewritten() (*hlo.Instruction, error) {
	e := &editor{c: f.inst.Computation()}
	in, out := f.inputOrder(), f.outputOrder()
	a := op.CloneAttrs(f.inst.Attrs()).(*op.ConvolutionAttrs)
	a.Window.Dims = slices.Clone(a.Window.Dims) // they are the old one's
	l := &a.DimLabels
	padding := make(op.Padding, len(in))
	for d, s := range l.InputSpatial {
		w := &a.Window.Dims[d]
		low, high := f.beyond(d)
		padding[slices.Index(in, s)] = op.PadDim{Low: low, High: high}
		w.PaddingLow -= low * max(w.BaseDilation, 1)
		w.PaddingHigh -= high * max(w.BaseDilation, 1)
	}
	var x *hlo.Instruction
	if f.scattered() {
		x = e.gathered(f, in, padding)
		a.FeatureGroupCount, a.BatchGroupCount = 1, f.groups
	} else {
		padding[slices.Index(in, l.InputFeature)].High = f.odd
		x = e.padLines(e.transpose(f.inst.Operand(0), in), padding)
	}
	l.InputBatch, l.InputFeature = slices.Index(in, l.InputBatch), slices.Index(in, l.InputFeature)
	l.OutputBatch, l.OutputFeature = slices.Index(out, l.OutputBatch), slices.Index(out, l.OutputFeature)
	l.InputSpatial, l.OutputSpatial = places(in, l.InputSpatial), places(out, l.OutputSpatial)
	s := shape.Make(f.inst.Type(), gather(f.inst.Dims(), out)...)
	k := f.kernelOrder()
	l.KernelInputFeature = slices.Index(k, l.KernelInputFeature)
	l.KernelOutputFeature = slices.Index(k, l.KernelOutputFeature)
	l.KernelSpatial = places(k, l.KernelSpatial)
	more := make(op.Padding, len(f.k.Dims))
	more[f.labels.KernelInputFeature].High = f.odd
	kernel := e.pad(f.inst.Operand(1), more)
	if turned := f.turned(); len(turned) > 0 {
		kernel = e.add(op.Reverse, kernel.Shape(), &op.ReverseAttrs{Dimensions: turned}, kernel)
		for d := range a.Window.Dims {
			a.Window.Dims[d].Reversal = false
		}
	}
	y := e.add(op.Convolution, s, a, x, e.transpose(kernel, k))
	if e.err == nil {
		y.CopyAnnotations(f.inst)
	}
	return e.transpose(y, places(out, identity(len(out)))), e.err
}

// scattered reports whether the features of a group are short pieces of the input, each of which many products need.
// Then the groups are made ones of the batch: the elements of each are neighbours.
func (f *form) scattered() bool {
	return f.groups > 1 && !f.batches && !f.plane && !f.diagonal && f.in*f.x.Type.ByteSize() < f.shortBytes() &&
		f.taps() >= pieceTaps &&
		f.inputOrder()[0] == f.labels.InputBatch
}

// shortBytes is the bytes from which on the features of a group are a long piece: of few output features they are read
// for little each, and where the input is written with zeros around it anyway it may be written in any order.
func (f *form) shortBytes() int {
	for d := range f.dims {
		if low, high := f.beyond(d); f.out <= fewColumns && (low > 0 || high > 0) {
			return fewPieceBytes
		}
	}
	return pieceBytes
}

// gathered returns the input of f in the given order, which has the batch first and the features last, with its groups
// in front of the batch, as groups of that. In memory they are only in front of the rows of places, where they are
// brought by a pad: rows are read and written whole.
func (e *editor) gathered(f *form, order []int, padding op.Padding) *hlo.Instruction {
	feature := f.labels.InputFeature
	split := slices.Concat(f.x.Dims[:feature], []int{f.groups, f.in}, f.x.Dims[feature+1:])
	to := []int{}
	for _, d := range order {
		if d >= feature {
			d++
		}
		to = append(to, d)
	}
	row := len(order) - 2
	to = slices.Insert(to, row, feature)
	x := e.pad(e.transpose(e.reshape(f.inst.Operand(0), split), to), slices.Insert(padding, row, op.PadDim{}))
	front := slices.Insert(slices.Delete(identity(len(to)), row, row+1), 0, row)
	if x = e.transpose(x, front); e.err != nil {
		return nil
	}
	dims := slices.Clone(x.Dims()[1:])
	dims[0] *= f.groups
	return e.reshape(x, dims)
}

// places returns where each of dims is in order.
func places(order, dims []int) []int {
	list := make([]int, len(dims))
	for k, d := range dims {
		list[k] = slices.Index(order, d)
	}
	return list
}

func gather(values, at []int) []int {
	list := make([]int, len(at))
	for k, d := range at {
		list[k] = values[d]
	}
	return list
}

func identity(n int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = k
	}
	return list
}

// editor adds instructions until there is an error.
type editor struct {
	c   *hlo.Computation
	err error
}

// add adds an instruction whose shape the rules of its operation check.
func (e *editor) add(code op.Code, s shape.Shape, a op.Attrs, operands ...*hlo.Instruction) *hlo.Instruction {
	if e.err != nil {
		return nil
	}
	in := &op.Inputs{Attrs: a, Declared: s}
	for _, o := range operands {
		in.Operands = append(in.Operands, o.Shape())
	}
	if _, e.err = op.Infer(code, in); e.err != nil {
		return nil
	}
	return e.c.Add("", code, s, operands, a)
}

// reshape returns x with other dimensions.
func (e *editor) reshape(x *hlo.Instruction, dims []int) *hlo.Instruction {
	if e.err != nil {
		return nil
	}
	return e.add(op.Reshape, shape.Make(x.Type(), dims...), &op.ReshapeAttrs{}, x)
}

// transpose returns x with its dimensions in the given order; x itself if that is the same.
func (e *editor) transpose(x *hlo.Instruction, order []int) *hlo.Instruction {
	if e.err != nil || slices.IsSorted(order) {
		return x
	}
	s := shape.Make(x.Type(), gather(x.Dims(), order)...)
	return e.add(op.Transpose, s, &op.TransposeAttrs{Dimensions: order}, x)
}

// pad returns x, which has elements, with zeros around it and in between, or without elements where p is negative; x
// itself if p is zero.
func (e *editor) pad(x *hlo.Instruction, p op.Padding) *hlo.Instruction {
	if e.err != nil || !slices.ContainsFunc(p, func(d op.PadDim) bool { return d != op.PadDim{} }) {
		return x
	}
	s := shape.Make(x.Type(), slices.Clone(x.Dims())...)
	for d := range p {
		s.Dims[d] += p[d].Low + p[d].High + p[d].Interior*(s.Dims[d]-1)
	}
	return e.add(op.Pad, s, &op.PadAttrs{Padding: p}, x, e.zeroOf(s.Type))
}

// shortBytes is the size of elements, behind the last dimension that is padded, of less than a vector of any tier.
const shortBytes = 32

// padLines pads x as pad does. If it is in memory and what is behind the last padded dimension is short, both are one
// dimension meanwhile: lines fill vectors.
func (e *editor) padLines(x *hlo.Instruction, p op.Padding) *hlo.Instruction {
	if e.err != nil || !inMemory(x) {
		return e.pad(x, p)
	}
	dims, d := x.Dims(), len(p)-1
	for d > 0 && p[d] == (op.PadDim{}) {
		d--
	}
	inner := product(dims[d+1:])
	if inner == 1 || inner*x.Type().ByteSize() >= shortBytes || p[d] == (op.PadDim{}) {
		return e.pad(x, p)
	}
	lines := append(slices.Clone(p[:d]), op.PadDim{Low: p[d].Low * inner, High: p[d].High * inner})
	y := e.pad(e.reshape(x, append(slices.Clone(dims[:d]), dims[d]*inner)), lines)
	padded := slices.Clone(dims)
	for k := range padded {
		padded[k] += p[k].Low + p[k].High
	}
	return e.reshape(y, padded)
}

// zeroOf returns a zero of type t.
func (e *editor) zeroOf(t shape.ElementType) *hlo.Instruction {
	s := shape.Make(t)
	return e.c.Add("", op.Constant, s, nil, &op.ConstantAttrs{Value: literal.New(s)})
}

// slice returns a part of x; x itself if that is all of it.
func (e *editor) slice(x *hlo.Instruction, r op.SliceRanges) *hlo.Instruction {
	if e.err != nil {
		return nil
	}
	s := shape.Make(x.Type(), slices.Clone(x.Dims())...)
	for d, n := range r {
		s.Dims[d] = (n.Limit - n.Start + n.Stride - 1) / n.Stride
	}
	if s.SameDims(x.Shape()) {
		return x
	}
	return e.add(op.Slice, s, &op.SliceAttrs{Slice: r}, x)
}
