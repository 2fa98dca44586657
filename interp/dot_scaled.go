package interp

import (
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalScaledDot is a dot of operands that are multiplied by block scales first. A
// scale array has its operand's rank; each of its elements is for as many neighbours
// along a dimension as the operand is longer there. Spec: OPS.md section 6, ScaledDot.
func evalScaledDot(c *call) (literal.Literal, error) {
	lhs, rhs := scaled(c.args[0], c.args[2]), scaled(c.args[1], c.args[3])
	dst := c.new()
	return dst, dotInto(dst, lhs, rhs, attrs[*op.DotAttrs](c))
}

// scaled returns x times its block scales, in f64.
func scaled(x, scale literal.Literal) literal.Literal {
	v := toFloats(x)
	if scale.Len() == 0 || len(v) == 0 {
		return floatsOf(shape.Make(shape.F64, x.Dims()...), v)
	}
	s, strides := toFloats(scale), rowMajor(scale.Dims())
	index := make([]int, len(x.Dims()))
	for i := range v {
		at := 0
		for d, k := range index {
			at += k * scale.Dims()[d] / x.Dims()[d] * strides[d]
		}
		v[i] = float64(v[i] * s[at])
		shape.NextIndex(index, x.Dims())
	}
	return floatsOf(shape.Make(shape.F64, x.Dims()...), v)
}

// evalRaggedDot is a dot of which one lhs dimension falls into groups, whose sizes
// are the third operand. What lies behind the last group counts as zero. The mode
// follows from what the dimension is:
//
//	free:        each group of lhs rows has an rhs of its own
//	contracting: each group is summed by itself; the groups are a new dimension in front
//	batch:       a group is a run of batch elements
//
// Spec: OPS.md section 6, RaggedDot.
func evalRaggedDot(c *call) (literal.Literal, error) {
	a := attrs[*op.RaggedDotAttrs](c)
	d, dst := a.LHSRagged[0], c.new()
	r := &raggedDot{lhs: c.args[0], rhs: c.args[1], sizes: c.args[2], dims: op.DotAttrs{
		LHSBatch: a.LHSBatch, LHSContracting: a.LHSContracting,
		RHSBatch: a.RHSBatch, RHSContracting: a.RHSContracting, Algorithm: a.Algorithm}}
	if k := slices.Index(a.LHSContracting, d); k >= 0 {
		return dst, r.contracting(dst, k)
	}
	if k := slices.Index(a.LHSBatch, d); k >= 0 {
		return dst, r.batch(dst, k)
	}
	return dst, r.free(dst, d, a.RHSGroup[0])
}

// raggedDot holds the operands of a ragged dot and the dimensions of the dot inside.
type raggedDot struct {
	lhs, rhs, sizes literal.Literal
	dims            op.DotAttrs
}

// groups returns the number of groups.
func (r *raggedDot) groups() int { return r.sizes.Dims()[r.sizes.Shape().Rank()-1] }

// free computes the product with each group's rhs and keeps that group's rows.
func (r *raggedDot) free(dst literal.Literal, ragged, groupDim int) error {
	dims := r.dims
	dims.RHSBatch, dims.RHSContracting = without(dims.RHSBatch, groupDim), without(dims.RHSContracting, groupDim)
	place := slices.Index(free(r.lhs.Shape().Rank(), dims.LHSBatch, dims.LHSContracting), ragged) + len(dims.LHSBatch)
	prefix := iota0(place)
	for g := range r.groups() {
		part := literal.New(dst.Shape())
		if err := dotInto(part, r.lhs, row(r.rhs, groupDim, g), &dims); err != nil {
			return err
		}
		r.keep(dst, part, prefix, place, g)
	}
	return nil
}

// without returns dims as they are numbered after dimension d is gone.
func without(dims []int, d int) []int {
	out := slices.Clone(dims)
	for i, x := range out {
		if x > d {
			out[i]--
		}
	}
	return out
}

// iota0 returns 0, ..., n-1.
func iota0(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// contracting computes, for each group, the product of what is in the group;
// contracting dimension k is the ragged one.
func (r *raggedDot) contracting(dst literal.Literal, k int) error {
	size := dst.Shape()
	size.Dims = size.Dims[1:]
	to := all(dst)
	to.strides = to.strides[1:]
	lhsPrefix := slices.Concat(r.dims.LHSBatch, r.dims.LHSContracting[:k])
	rhsPrefix := slices.Concat(r.dims.RHSBatch, r.dims.RHSContracting[:k])
	for g := range r.groups() {
		lhs, rhs, part := literal.New(r.lhs.Shape()), literal.New(r.rhs.Shape()), literal.New(size)
		r.keep(lhs, r.lhs, lhsPrefix, r.dims.LHSContracting[k], g)
		r.keep(rhs, r.rhs, rhsPrefix, r.dims.RHSContracting[k], g)
		if err := dotInto(part, lhs, rhs, &r.dims); err != nil {
			return err
		}
		move(to, all(part), size.Dims)
		to.offset += part.Len()
	}
	return nil
}

// batch computes the whole product and keeps what is in a group; batch dimension k is the ragged one.
func (r *raggedDot) batch(dst literal.Literal, k int) error {
	whole := literal.New(dst.Shape())
	if err := dotInto(whole, r.lhs, r.rhs, &r.dims); err != nil {
		return err
	}
	for g := range r.groups() {
		r.keep(dst, whole, iota0(k), k, g)
	}
	return nil
}

// keep copies to dst the elements of src that are in group g: those whose index
// along dimension d is behind the groups before it and inside its size. Sizes are a
// list, or one for each index of the dimensions prefix.
func (r *raggedDot) keep(dst, src literal.Literal, prefix []int, d, g int) {
	if src.Len() == 0 {
		return
	}
	if r.sizes.Shape().Rank() == 1 {
		prefix = nil
	}
	steps, index := rowMajor(r.sizes.Dims()), make([]int, len(src.Dims()))
	for i := range src.Len() {
		base := 0
		for k, p := range prefix {
			base += index[p] * steps[k]
		}
		first := int64(0)
		for before := range g {
			first += r.sizes.IntAt(base + before)
		}
		if x := int64(index[d]); x >= first && x < first+r.sizes.IntAt(base+g) {
			copyElement(dst, i, src, i)
		}
		shape.NextIndex(index, src.Dims())
	}
}
