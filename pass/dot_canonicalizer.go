package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// DotSimplifier replaces dots that sum over one product or none: they are products of
// broadcasts, or zero.
func DotSimplifier() Pass {
	return Pass{
		Name: "dot-simplifier",
		Doc: "A dot that sums over one product is a multiplication, one that sums over none is zero; one of preds counts " +
			"the products that are true.",
		About: []op.Code{op.Dot},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if !plainDot(i) {
					return nil, nil
				}
				switch depth := dotDepth(i); {
				case depth > 0 && i.Type() == shape.Pred:
					return countedPred(i)
				case depth == 0:
					b := newMaker(i)
					return b.finish(b.broadcast(b.constant(literal.Zero(i.Type())), i.Shape()))
				case depth == 1:
					return outerProduct(i)
				}
				return nil, nil
			})
		},
	}
}

// DotCanonicalizer brings dots to at most one batch, one free and one contracting dimension
// an operand, [B,M,K] or [B,K,M] by [B,K,N] or [B,N,K], where the dimensions of each kind lie together,
// so that reshapes do. A dot of which that is not true stays: its strides do what transposes would.
func DotCanonicalizer() Pass {
	return Pass{
		Name: "dot-canonicalizer",
		Doc: "Joins the dimensions of each kind of a dot (batch, free, contracting; these in any order) and drops those of " +
			"size 1, where reshapes do; nothing is transposed for it.",
		About: []op.Code{op.Dot},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, canonicalDot)
		},
	}
}

// plainDot reports whether i is a dot of static arrays that are multiplied as they are, and
// whose type has a zero.
func plainDot(i *hlo.Instruction) bool {
	a, ok := i.Attrs().(*op.DotAttrs)
	return ok && i.Code() == op.Dot && a.Sparsity == nil && i.IsStatic() && i.Type() != shape.F8E8M0FNU &&
		i.Operand(0).IsStatic() && i.Operand(1).IsStatic()
}

// dotDepth returns how many products each element of i is the sum of.
func dotDepth(i *hlo.Instruction) int {
	n := 1
	for _, d := range i.Attrs().(*op.DotAttrs).LHSContracting {
		n *= i.Operand(0).Dims()[d]
	}
	return n
}

// outerProduct returns the dot i, which sums over one product, as a product. Floats get 0
// added, in f32 where they are narrower: the sum starts from 0, so that it is never -0 unless by rounding.
// A product of bf16 may be too small for f32, where it would lose its sign.
func outerProduct(i *hlo.Instruction) (*hlo.Instruction, error) {
	a, t := i.Attrs().(*op.DotAttrs), i.Type()
	l, r := i.Operand(0), i.Operand(1)
	if a.Algorithm != "" || t == shape.Pred || t.IsComplex() || t == shape.BF16 || !holdsAll(t, l.Type()) ||
		!holdsAll(t, r.Type()) {
		return nil, nil
	}
	b := newMaker(i)
	lhs, rhs := newDotSide(l, a.LHSBatch, a.LHSContracting), newDotSide(r, a.RHSBatch, a.RHSContracting)
	wide := t
	if t.IsFloat() && holdsAll(shape.F32, t) {
		wide = shape.F32
	}
	batch := len(a.LHSBatch)
	x := b.spread(b.convert(l, wide), lhs, i.Shape(), batch)
	y := b.spread(b.convert(r, wide), rhs, i.Shape(), batch+len(lhs.free))
	p := b.add(op.Multiply, nil, x, y)
	if t.IsFloat() {
		p = b.add(op.Add, nil, p, b.broadcast(b.number(wide, 0), i.Shape()))
	}
	return b.finish(b.convert(p, t))
}

// holdsAll reports whether every value of type from is one of to.
func holdsAll(to, from shape.ElementType) bool {
	f, isFloat := literal.FloatFormat(from)
	w, isWide := literal.FloatFormat(to)
	if isFloat && isWide {
		return to == from || w.HasInf && w.HasNaN && w.HasNegZero && w.MantissaBits >= f.MantissaBits &&
			w.ExponentBits >= f.ExponentBits
	}
	return to == from || to.IsInteger() && from.IsInteger() && to.Bits() >= from.Bits() &&
		(to.IsSigned() == from.IsSigned() || to.IsSigned() && to.Bits() > from.Bits())
}

// dotSide is the roles of an operand's dimensions.
type dotSide struct{ batch, free, contracting []int }

func newDotSide(x *hlo.Instruction, batch, contracting []int) dotSide {
	s := dotSide{batch: batch, contracting: contracting}
	for d := range x.Rank() {
		if !slices.Contains(batch, d) && !slices.Contains(contracting, d) {
			s.free = append(s.free, d)
		}
	}
	return s
}

// spread returns x, whose contracting dimensions have size 1, broadcast to the result of a
// dot, where its free dimensions begin at dimension first.
func (b *maker) spread(x *hlo.Instruction, s dotSide, result shape.Shape, first int) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	x = b.reshape(x, dropDims(x.Dims(), s.contracting)...)
	var perm []int
	for _, d := range slices.Concat(s.batch, s.free) {
		perm = append(perm, without(d, s.contracting))
	}
	x = b.transpose(x, perm)
	var dims []int
	for d := range s.batch {
		dims = append(dims, d)
	}
	for d := range s.free {
		dims = append(dims, first+d)
	}
	return b.broadcast(x, result, dims...)
}

// A dot is shallow if it sums over so few products, for rows of at least so many elements, that it is no product of
// matrices but a loop.
const shallowDepth, leastShallowRow = 4, 16

// shallow reports whether i, a matrix times the last dimension of an array, is a loop with what elements are used for:
// without a reshape between them, these are one.
func shallow(i *hlo.Instruction, lhsDepth, rhsDepth []int) bool {
	l, r := i.Operand(0), i.Operand(1)
	return dotDepth(i) <= shallowDepth && r.Rank() == 2 && slices.Equal(lhsDepth, []int{l.Rank() - 1}) &&
		slices.Equal(rhsDepth, []int{0}) && r.Dims()[1] >= leastShallowRow && len(i.Users()) > 0 &&
		!slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool { return !u.Code().Info().Has(op.Elementwise) })
}

// canonicalDot returns i in canonical form, nil if it is.
func canonicalDot(i *hlo.Instruction) (*hlo.Instruction, error) {
	if !plainDot(i) || i.Size() == 0 {
		return nil, nil
	}
	a := i.Attrs().(*op.DotAttrs)
	lhsDepth, rhsDepth := ascending(a.LHSContracting, a.RHSContracting)
	if shallow(i, lhsDepth, rhsDepth) {
		return nil, nil
	}
	lhs := newDotSide(i.Operand(0), a.LHSBatch, lhsDepth)
	rhs := newDotSide(i.Operand(1), a.RHSBatch, rhsDepth)
	if lhs.canonical(i.Operand(0)) && rhs.canonical(i.Operand(1)) {
		return nil, nil
	}
	lhsFirst, ok := lhs.contractingFirst(i.Operand(0))
	rhsFirst, ok2 := rhs.contractingFirst(i.Operand(1))
	if !ok || !ok2 {
		return nil, nil
	}
	b := newMaker(i)
	x, xk := b.joined(i.Operand(0), lhs, lhsFirst)
	y, yk := b.joined(i.Operand(1), rhs, rhsFirst)
	n := &op.DotAttrs{OperandPrecision: a.OperandPrecision, Algorithm: a.Algorithm}
	if xk >= 0 {
		n.LHSContracting, n.RHSContracting = []int{xk}, []int{yk}
	}
	if sizeOf(i.Operand(0), lhs.batch) > 1 {
		n.LHSBatch, n.RHSBatch = []int{0}, []int{0}
	}
	if b.err != nil {
		return nil, b.err
	}
	in := &op.Inputs{Operands: []shape.Shape{x.Shape(), y.Shape()}, Attrs: n}
	s, err := op.Infer(op.Dot, in)
	if err != nil {
		return nil, err
	}
	dot := b.shaped(op.Dot, s.WithType(i.Type()), n, []*hlo.Instruction{x, y})
	return b.finish(b.reshape(dot, i.Dims()...))
}

// ascending returns the contracting dimensions of both sides, pair by pair, in the order that they have in memory on
// both, if there is one; else as they are.
func ascending(lhs, rhs []int) (l, r []int) {
	order := make([]int, len(lhs))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return lhs[a] - lhs[b] })
	for _, k := range order {
		l, r = append(l, lhs[k]), append(r, rhs[k])
	}
	if !slices.IsSorted(r) {
		return lhs, rhs
	}
	return l, r
}

// canonical reports whether x has at most one dimension of each kind, the batch in front and
// larger than 1.
func (s dotSide) canonical(x *hlo.Instruction) bool {
	return len(s.batch) <= 1 && len(s.free) <= 1 && len(s.contracting) <= 1 &&
		(len(s.batch) == 0 || s.batch[0] == 0 && x.Dims()[0] > 1)
}

// sizeOf is the product of the sizes of some dimensions of x.
func sizeOf(x *hlo.Instruction, dims []int) int {
	n := 1
	for _, d := range dims {
		n *= x.Dims()[d]
	}
	return n
}

// contractingFirst reports whether the contracting dimensions of x lie in front of the free
// ones; ok is false if the dimensions of a kind do not lie together in their order, with the batch in
// front. Those of size 1 may lie anywhere.
func (s dotSide) contractingFirst(x *hlo.Instruction) (first, ok bool) {
	ascends := func(order ...[]int) bool {
		isOne := func(d int) bool { return x.Dims()[d] == 1 }
		return slices.IsSorted(slices.DeleteFunc(slices.Concat(order...), isOne))
	}
	if ascends(s.batch, s.free, s.contracting) {
		return false, true
	}
	first = ascends(s.batch, s.contracting, s.free)
	return first, first
}

// joined returns x with the dimensions of each kind joined to one, and which is the
// contracting one, -1 if there is none. A batch of one and an absent kind have no dimension.
func (b *maker) joined(x *hlo.Instruction, s dotSide, contractingFirst bool) (y *hlo.Instruction, contracting int) {
	nb, nf, nk := sizeOf(x, s.batch), sizeOf(x, s.free), sizeOf(x, s.contracting)
	var dims []int
	if nb > 1 {
		dims = append(dims, nb)
	}
	if len(s.free) > 0 && !contractingFirst {
		dims = append(dims, nf)
	}
	contracting = -1
	if len(s.contracting) > 0 {
		contracting = len(dims)
		dims = append(dims, nk)
	}
	if len(s.free) > 0 && contractingFirst {
		dims = append(dims, nf)
	}
	return b.reshape(x, dims...), contracting
}
