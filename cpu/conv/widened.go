package conv

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Products take pieces of the input of bf16 and f16 that are short, as windows of few features are, only one by one:
// each tap would be copied and widened on its own. Such an input is widened once, with its padding, to f32, which
// products read in place. Bytes become f32, too, with the kernel: where all sums are integers that f32 has, they are
// as exact.

const (
	// shortPiece is the elements from which on pieces are packed by vectors.
	shortPiece = 32
	// shortBytesPiece is that of bytes, of which neighbours are multiplied together, shortBytesOfGroup that in groups,
	// which have few sums each. shortDepth is the depth from which on that is worth it where places are innermost.
	shortBytesPiece, shortBytesOfGroup, shortDepth = 24, 28, 64
	// fewWidened is the output features of a group up to which packing, of each element once for each tap, would take
	// long beside multiplying.
	fewWidened = 64
	// mostExact is the largest number up to which f32 has all integers.
	mostExact = 1 << 24
)

// narrowFloat reports whether elements of type t are widened to be summed in f32.
func narrowFloat(t shape.ElementType) bool { return t == shape.BF16 || t == shape.F16 }

// widens reports whether the input is to be widened. Machines that multiply words, bf16 two at once, take those of few
// output features as they are.
func (f *form) widens(words bool) bool {
	if f.exactBytes() {
		switch {
		case f.plane:
			return f.depth() < shortDepth
		case f.groups > 1:
			return f.piece() < shortBytesOfGroup
		}
		return f.piece() < shortBytesPiece
	}
	if !narrowFloat(f.x.Type) || f.plane || !f.k.Type.IsFloat() || !f.inst.Type().IsFloat() {
		return false
	}
	few := fewWidened
	if words && f.x.Type == shape.BF16 && f.k.Type == shape.BF16 {
		few = minColumns
	}
	return f.out < minColumns || f.out <= few && f.depth() >= pieceTaps*f.in || f.piece() < shortPiece ||
		f.fewPlaces() && f.groups == 1
}

// leastTurned is the least batch, as the rows of a product, that is turned.
const leastTurned = 16

// gradientWords reports whether f is a gradient of weights of bf16 that are multiplied two at once: runs of the depth
// are twos. If the batch is innermost, it is turned when it is packed.
func (f *form) gradientWords() bool {
	if !f.gradientOfWords() {
		return false
	}
	if order := f.inputOrder(); order[len(order)-1] == f.labels.InputBatch {
		return f.in%2 == 0
	}
	last := f.dims[len(f.dims)-1][0]
	return f.fewPlaces() && (f.in%2 == 0 || last.dilation == 1 && last.taps%2 == 0)
}

// gradientOfWords reports whether f, as the gradient of weights, is one of bf16 that can be.
func (f *form) gradientOfWords() bool {
	return len(f.dims) > 0 && f.x.Type == shape.BF16 && f.k.Type == shape.BF16 && f.groups == 1 &&
		f.out >= minColumns && f.batch() >= leastTurned
}

// exactBytes reports whether f is of bytes whose sums f32 has.
func (f *form) exactBytes() bool {
	largest := map[shape.ElementType]int{shape.S8: 1 << 7, shape.U8: 1<<8 - 1}
	x, k := largest[f.x.Type], largest[f.k.Type]
	return x*k > 0 && f.inst.Type() == shape.S32 && x*k*f.depth() <= mostExact
}

// depth returns how many products a sum has at most.
func (f *form) depth() int {
	n := f.in
	for _, w := range f.inst.Attrs().(*op.ConvolutionAttrs).Window.Dims {
		n *= w.Size
	}
	return n
}

// piece returns how many elements of the input are neighbours in the depth of a product.
func (f *form) piece() int {
	if f.inputOrder()[len(f.x.Dims)-1] != f.labels.InputFeature {
		return 1
	}
	n := f.in
	if f.groups > 1 && !f.scattered() {
		return n
	}
	for d := len(f.dims) - 1; d >= 0; d-- {
		p := f.dims[d][0]
		if p.dilation != 1 && p.taps > 1 || p.reversed {
			break
		}
		n *= p.taps
		if _, high := f.beyond(d); p.taps != f.x.Dims[f.labels.InputSpatial[d]]+high {
			break
		}
	}
	return n
}

// widened adds f with an input of f32 and returns what takes its place. Few output features are of f32, too, and
// rounded by what reads them; so are those of bytes.
func (f *form) widened(vector int) (*hlo.Instruction, error) {
	e := &editor{c: f.inst.Computation()}
	t := f.inst.Type()
	kernel, sums := f.inst.Operand(1), t
	if f.out < fewColumns || t.IsInteger() {
		kernel, sums = e.convert(kernel, shape.F32), shape.F32
	}
	wide := e.add(op.Convolution, shape.Make(sums, f.inst.Dims()...), f.inst.Attrs(),
		e.convert(f.inst.Operand(0), shape.F32), kernel)
	if e.err != nil {
		return nil, e.err
	}
	wide.CopyAnnotations(f.inst)
	n, err := canonicalOf(wide, false, vector)
	if err != nil {
		return nil, err
	}
	if n != nil {
		f.inst.Computation().Remove(wide)
		wide = n
	}
	return e.convert(wide, t), e.err
}

// widenedNear is widened for products by diagonals, which widen the input where they bring it near, and round the
// result a block at a time: only the kernel becomes one of f32. Nil if it is.
func (f *form) widenedNear(vector int) (*hlo.Instruction, error) {
	wide := *f
	wide.k = shape.Make(shape.F32, f.k.Dims...)
	if wide.near() == nil {
		return f.widened(vector)
	}
	if f.k.Type == shape.F32 {
		return nil, nil
	}
	e := &editor{c: f.inst.Computation()}
	n := e.add(op.Convolution, f.inst.Shape(), f.inst.Attrs(), f.inst.Operand(0),
		e.convert(f.inst.Operand(1), shape.F32))
	if e.err != nil {
		return nil, e.err
	}
	n.CopyAnnotations(f.inst)
	return n, nil
}

// convert returns x with elements of type t; x itself if they are.
func (e *editor) convert(x *hlo.Instruction, t shape.ElementType) *hlo.Instruction {
	if e.err != nil || x.Type() == t {
		return x
	}
	return e.add(op.Convert, shape.Make(t, x.Dims()...), nil, x)
}

// inMemory reports whether x is in memory, or the elements of one that are converted.
func inMemory(x *hlo.Instruction) bool {
	if x.Code() == op.Convert {
		x = x.Operand(0)
	}
	return x.Code() == op.Parameter || x.Code() == op.GetTupleElement
}
