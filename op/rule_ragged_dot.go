package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferRaggedDot is the rule of ragged-dot, a dot in which one dimension of the left
// side, the ragged one, is cut in groups whose sizes are operand 2. What kind of
// dimension that is makes the mode:
//
//   - free: rhs has a group dimension, each group of rows meets its own matrix: [m,k] x [g,k,n] -> [m,n]
//   - contracting: each group is summed on its own: [m,k] x [k,n] -> [g,m,n]
//   - batch: only the batches within the groups count: [b,m,k] x [b,k,n] -> [b,m,n]
//
// The group sizes are [g], or one such vector for each index of the dimensions that
// lie before the ragged one.
func inferRaggedDot(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*RaggedDotAttrs)
	d := dotDims{a.LHSBatch, a.LHSContracting, a.RHSBatch, a.RHSContracting}
	if err := wantArrays(in, "ragged_dot_i1"); err != nil {
		return shape.Shape{}, err
	}
	lhs, rhs := in.Operands[0], in.Operands[1]
	err := firstError(
		wantType(in, 2, integerTypes, "ragged_dot_i3"),
		wantPrecisions(in, a.OperandPrecision, "dot_general_c11"),
		d.check(lhs, rhs))
	if err != nil {
		return shape.Shape{}, err
	}
	ragged, err := wantOneDim("lhs_ragged_dims", a.LHSRagged, lhs.Rank(), "ragged_dot_o1")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := d.wantGroupDim(a.RHSGroup, ragged, rhs); err != nil {
		return shape.Shape{}, err
	}
	if err := d.wantGroupSizes(in, a.RHSGroup, ragged); err != nil {
		return shape.Shape{}, err
	}
	return d.raggedResult(in, a.RHSGroup, ragged).WithType(resultType(in, lhs.Type, rhs.Type)), nil
}

// wantGroupDim checks that rhs has a group dimension just if the ragged dimension is free.
func (d *dotDims) wantGroupDim(group []int, ragged int, rhs shape.Shape) error {
	if !d.isFreeLHS(ragged) {
		return wantLen("rhs_group_dims", len(group), 0, "ragged_dot_o2")
	}
	g, err := wantOneDim("rhs_group_dims", group, rhs.Rank(), "ragged_dot_o2")
	if err != nil {
		return err
	}
	if slices.Contains(d.rhsBatch, g) || slices.Contains(d.rhsContracting, g) {
		return attrErr("rhs_group_dims[0]", "ragged_dot_o3",
			"expected a dimension that is neither batch nor contracting, got %d", g)
	}
	return nil
}

// wantGroupSizes checks the shape of operand 2.
func (d *dotDims) wantGroupSizes(in *Inputs, group []int, ragged int) error {
	lhs, rhs, sizes := in.Operands[0], in.Operands[1], in.Operands[2]
	var want dimsBuilder
	for _, i := range d.beforeRagged(ragged) {
		want.add(lhs, i)
	}
	rank := len(want.dims) + 1
	if sizes.Rank() != 1 && sizes.Rank() != rank {
		return operandErr(2, "ragged_dot_o4", "expected group sizes of rank 1 or %d, got %v", rank, sizes)
	}
	last := sizes.Rank() - 1
	if len(group) == 1 && !sameSize(rhs.Dims[group[0]], sizes.Dims[last]) {
		return operandErr(2, "ragged_dot_o5", "expected %d group sizes as dimension %d of rhs %v has, got %v",
			rhs.Dims[group[0]], group[0], rhs, sizes)
	}
	if rank > 1 && sizes.Rank() == rank {
		want.add(sizes, last)
		if w := want.shape(sizes.Type); !w.SameDims(sizes) {
			return operandErr(2, "ragged_dot_o6", "expected group sizes of shape %v, got %v", w, sizes)
		}
	}
	return nil
}

// beforeRagged returns the dimensions of lhs for each index of which there may be own group sizes.
func (d *dotDims) beforeRagged(ragged int) []int {
	if i := slices.Index(d.lhsBatch, ragged); i >= 0 {
		return d.lhsBatch[:i]
	}
	before := slices.Clone(d.lhsBatch)
	if i := slices.Index(d.lhsContracting, ragged); i >= 0 {
		return append(before, d.lhsContracting[:i]...)
	}
	for i := range ragged {
		if d.isFreeLHS(i) {
			before = append(before, i)
		}
	}
	return before
}

// raggedResult returns the dimensions of the result.
func (d *dotDims) raggedResult(in *Inputs, group []int, ragged int) shape.Shape {
	r := d.result(in.Operands[0], in.Operands[1], group)
	if !slices.Contains(d.lhsContracting, ragged) {
		return r
	}
	var b dimsBuilder
	sizes := in.Operands[2]
	b.add(sizes, sizes.Rank()-1)
	for i := range r.Dims {
		b.add(r, i)
	}
	return b.shape(r.Type)
}
