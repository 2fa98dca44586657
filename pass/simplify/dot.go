package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// dots is about dot.
var dots = Family{Name: "dot", Doc: "Dot.", Rules: []Rule{
	rule("dot-empty", "dot that sums over nothing -> 0", dotEmpty, op.Dot),
	optionRule("dot-multiply", "dot that sums over one element -> x*y, integers; floats with "+
		"Options.AllowReassociation, as the sum makes a product of -0 to +0", dotMultiply, op.Dot),
	rule("dot-degenerate", "dot drops dimensions of size 1", dotDegenerate, op.Dot),
	rule("dot-bytes", "dot(x, y) of floats of a byte -> dot(f32(x), f32(y)), in f32", dotBytes, op.Dot),
	rule("dot-transpose", "dot(transpose(x), y) -> dot(x, y) with other dimension numbers", dotTranspose, op.Dot),
	rule("transpose-dot", "transpose(dot(x, y)) -> dot(y, x)", transposeDot, op.Transpose),
}}

// side is an operand of a dot with its dimension numbers.
type side struct {
	x                  *hlo.Instruction
	batch, contracting []int
}

// sides returns the operands of the dot i.
func sides(i *hlo.Instruction) (lhs, rhs side, a *op.DotAttrs) {
	a = attrsOf[*op.DotAttrs](i)
	return side{i.Operand(0), a.LHSBatch, a.LHSContracting}, side{i.Operand(1), a.RHSBatch, a.RHSContracting}, a
}

// free returns the dimensions of s that are neither batch nor contracting.
func (s side) free() []int { return complement(s.x.Rank(), s.batch, s.contracting) }

// sizes returns the sizes of some dimensions of s.
func (s side) sizes(dims []int) []int { return gatherInts(s.x.Dims(), dims) }

// paired emits the dot of lhs and rhs, otherwise like i, whose attributes are a.
func paired(i *hlo.Instruction, s shape.Shape, a *op.DotAttrs, lhs, rhs side) *hlo.Instruction {
	b := op.CloneAttrs(a).(*op.DotAttrs)
	b.LHSBatch, b.LHSContracting = lhs.batch, lhs.contracting
	b.RHSBatch, b.RHSContracting = rhs.batch, rhs.contracting
	return emit(i, op.Dot, s, b, lhs.x, rhs.x)
}

func dotEmpty(i *hlo.Instruction) *hlo.Instruction {
	lhs, _, _ := sides(i)
	if product(lhs.sizes(lhs.contracting)) != 0 {
		return nil
	}
	return fillLike(i, literal.Zero(i.Type()))
}

// dotBytes: f32 has all such numbers, and the products and sums are in f32 as they were.
func dotBytes(i *hlo.Instruction) *hlo.Instruction {
	lhs, rhs, a := sides(i)
	narrow := func(x *hlo.Instruction) bool { return x.Type().IsFloat() && x.Type().ByteSize() == 1 }
	if i.Type() != shape.F32 || !narrow(lhs.x) || !narrow(rhs.x) {
		return nil
	}
	wide := func(s side) side {
		s.x = emit(i, op.Convert, s.x.Shape().WithType(shape.F32), nil, s.x)
		return s
	}
	return paired(i, i.Shape(), a, wide(lhs), wide(rhs))
}

// dotMultiply spreads both operands over the result.
func dotMultiply(i *hlo.Instruction, o Options) *hlo.Instruction {
	lhs, rhs, a := sides(i)
	if i.Type().IsFloat() && !o.AllowReassociation {
		return nil
	}
	if product(lhs.sizes(lhs.contracting)) != 1 || a.Algorithm != "" || a.Sparsity != nil || !multiplies(i) ||
		slices.Contains(a.OperandPrecision, op.PrecisionPackedNibble) {
		return nil
	}
	x := lhs.over(i, len(lhs.batch))
	y := rhs.over(i, len(lhs.batch)+len(lhs.free()))
	return like(i, op.Multiply, x, y)
}

// multiplies reports whether the elements of the dot i are the products of its operands
// converted to its type.
func multiplies(i *hlo.Instruction) bool {
	t := i.Type()
	for _, x := range i.Operands() {
		from := x.Type()
		if t.IsInteger() && !from.IsInteger() || !t.IsInteger() && !(ieee(t) && ieee(from) && lossless(from, t)) {
			return false
		}
	}
	return true
}

// over emits s, whose contracting dimensions have size 1, spread over the result of i; the
// free dimensions go to those of the result from first on.
func (s side) over(i *hlo.Instruction, first int) *hlo.Instruction {
	kept := complement(s.x.Rank(), s.contracting)
	to := make([]int, len(kept))
	free := s.free()
	for k, d := range kept {
		if at := slices.Index(s.batch, d); at >= 0 {
			to[k] = at
		} else {
			to[k] = first + slices.Index(free, d)
		}
	}
	x := s.x
	if t := i.Type(); x.Type() != t {
		x = emit(i, op.Convert, x.Shape().WithType(t), nil, x)
	}
	x = reshapeTo(i, shape.Make(i.Type(), s.sizes(kept)...), x)
	return broadcastTo(i, i.Shape(), x, to)
}

// dotDegenerate leaves a dot that sums over one element alone.
func dotDegenerate(i *hlo.Instruction) *hlo.Instruction {
	lhs, rhs, a := sides(i)
	ones := slices.Contains(lhs.x.Dims(), 1) || slices.Contains(rhs.x.Dims(), 1)
	if !ones || a.Sparsity != nil || product(lhs.sizes(lhs.contracting)) == 1 || elements(i) == 0 {
		return nil
	}
	s := i.Shape()
	s.Dims, s.Layout = without(s.Dims, func(size int) bool { return size == 1 }), nil
	return reshapeTo(i, i.Shape(), paired(i, s, a, lhs.squeezed(i), rhs.squeezed(i)))
}

// squeezed emits s without its dimensions of size 1.
func (s side) squeezed(i *hlo.Instruction) side {
	dims := s.x.Dims()
	kept := without(identity(len(dims)), func(d int) bool { return dims[d] == 1 })
	renumber := func(list []int) []int {
		list = without(list, func(d int) bool { return dims[d] == 1 })
		return rank(list, kept)
	}
	x := reshapeTo(i, shape.Make(s.x.Type(), gatherInts(dims, kept)...), s.x)
	return side{x, renumber(s.batch), renumber(s.contracting)}
}

// dotTranspose takes a transposition that leaves the free dimensions in order.
func dotTranspose(i *hlo.Instruction) *hlo.Instruction {
	lhs, rhs, a := sides(i)
	if a.Sparsity != nil {
		return nil
	}
	x, ok := lhs.untransposed()
	y, also := rhs.untransposed()
	if !ok && !also {
		return nil
	}
	return paired(i, i.Shape(), a, x, y)
}

// untransposed returns s as a side of what its operand is the transposition of.
func (s side) untransposed() (side, bool) {
	if !is(s.x, op.Transpose) {
		return s, false
	}
	perm := permOf(s.x)
	if !slices.IsSorted(gatherInts(perm, s.free())) {
		return s, false
	}
	return side{s.x.Operand(0), gatherInts(perm, s.batch), gatherInts(perm, s.contracting)}, true
}

// transposeDot: batch dimensions stay in front, the free ones of both sides change places.
func transposeDot(i *hlo.Instruction) *hlo.Instruction {
	d := i.Operand(0)
	if !is(d, op.Dot) || !oneUser(d) {
		return nil
	}
	lhs, rhs, a := sides(d)
	if a.Sparsity != nil || a.Algorithm != "" {
		return nil
	}
	n, l, r := len(lhs.batch), len(lhs.free()), len(rhs.free())
	all := identity(n + l + r)
	if l == 0 || r == 0 || !slices.Equal(permOf(i), slices.Concat(all[:n], all[n+l:], all[n:n+l])) {
		return nil
	}
	b := op.CloneAttrs(a).(*op.DotAttrs)
	b.OperandPrecision = slices.Clone(a.OperandPrecision)
	slices.Reverse(b.OperandPrecision)
	return paired(i, i.Shape(), b, rhs, lhs)
}
