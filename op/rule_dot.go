package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferDot is the rule of dot: the result has the batch dimensions, then the free
// dimensions of the left and then those of the right side. A declared element type
// is the type to accumulate in and to return.
func inferDot(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*DotAttrs)
	d := dotDims{a.LHSBatch, a.LHSContracting, a.RHSBatch, a.RHSContracting}
	if err := wantArrays(in, "dot_general_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantPrecisions(in, a.OperandPrecision, "dot_general_c11"); err != nil {
		return shape.Shape{}, err
	}
	lhs, rhs, err := denseSides(in, a.Sparsity)
	if err != nil {
		return shape.Shape{}, err
	}
	return d.infer(in, lhs, rhs)
}

// inferScaledDot is the rule of scaled-dot, a dot of two quantized arrays with a
// scale for each block of elements. Operands: lhs, rhs, scale of lhs, scale of rhs.
// A scale has the rank of its array, and each of its sizes divides the size there.
func inferScaledDot(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*DotAttrs)
	d := dotDims{a.LHSBatch, a.LHSContracting, a.RHSBatch, a.RHSContracting}
	if err := wantArrays(in, "scaled_dot_i1"); err != nil {
		return shape.Shape{}, err
	}
	for i := range 2 {
		if err := wantScale(in, i, i+2); err != nil {
			return shape.Shape{}, err
		}
	}
	return d.infer(in, in.Operands[0], in.Operands[1])
}

// wantScale checks that operand scale holds a factor for each block of operand i.
func wantScale(in *Inputs, i, scale int) error {
	s, v := in.Operands[scale], in.Operands[i]
	if !s.Type.IsFloat() {
		return operandErr(scale, "scaled_dot_o1", "expected a floating-point scale, got %v", s)
	}
	if s.Rank() != v.Rank() {
		return operandErr(scale, "scaled_dot_o2", "expected a scale of rank %d as operand %d, got %v", v.Rank(), i, s)
	}
	for k, n := range s.Dims {
		size := v.Dims[k]
		if n == shape.Unbounded || size == shape.Unbounded || n == size || n > 0 && size%n == 0 {
			continue
		}
		return operandErr(scale, "scaled_dot_o3",
			"expected dimension %d to divide %d, as operand %d is %v, got %d", k, size, i, v, n)
	}
	return nil
}

// dotDims are the dimension numbers of a dot: the batch dimensions and the ones that
// are summed over, pair by pair. The labels are those of StableHLO's dot_general.
type dotDims struct{ lhsBatch, lhsContracting, rhsBatch, rhsContracting []int }

// infer checks all that a dot of lhs and rhs must fulfil and returns the result shape.
func (d *dotDims) infer(in *Inputs, lhs, rhs shape.Shape) (shape.Shape, error) {
	if err := d.check(lhs, rhs); err != nil {
		return shape.Shape{}, err
	}
	return d.result(lhs, rhs, nil).WithType(resultType(in, lhs.Type, rhs.Type)), nil
}

// check checks the dimension numbers against the two sides.
func (d *dotDims) check(lhs, rhs shape.Shape) error {
	steps := []error{
		wantLen("rhs_batch_dims", len(d.rhsBatch), len(d.lhsBatch), "dot_general_c1"),
		wantLen("rhs_contracting_dims", len(d.rhsContracting), len(d.lhsContracting), "dot_general_c2"),
		wantDims("lhs_batch_dims", d.lhsBatch, lhs.Rank(), "dot_general_c5", "dot_general_c3"),
		wantDims("lhs_contracting_dims", d.lhsContracting, lhs.Rank(), "dot_general_c6", "dot_general_c3"),
		wantDisjoint("lhs_contracting_dims", d.lhsContracting, d.lhsBatch, "dot_general_c3"),
		wantDims("rhs_batch_dims", d.rhsBatch, rhs.Rank(), "dot_general_c7", "dot_general_c4"),
		wantDims("rhs_contracting_dims", d.rhsContracting, rhs.Rank(), "dot_general_c8", "dot_general_c4"),
		wantDisjoint("rhs_contracting_dims", d.rhsContracting, d.rhsBatch, "dot_general_c4"),
	}
	if err := firstError(steps...); err != nil {
		return err
	}
	return firstError(
		wantEqualPairs("rhs_batch_dims", lhs, d.lhsBatch, rhs, d.rhsBatch, "dot_general_c9"),
		wantEqualPairs("rhs_contracting_dims", lhs, d.lhsContracting, rhs, d.rhsContracting, "dot_general_c10"))
}

// result returns the dimensions of the result; those of group, dimensions of rhs,
// have no place in it.
func (d *dotDims) result(lhs, rhs shape.Shape, group []int) shape.Shape {
	var b dimsBuilder
	for _, i := range d.lhsBatch {
		b.add(lhs, i)
	}
	for i := range lhs.Dims {
		if d.isFreeLHS(i) {
			b.add(lhs, i)
		}
	}
	for i := range rhs.Dims {
		if !slices.Contains(d.rhsBatch, i) && !slices.Contains(d.rhsContracting, i) && !slices.Contains(group, i) {
			b.add(rhs, i)
		}
	}
	return b.shape(lhs.Type)
}

func (d *dotDims) isFreeLHS(i int) bool {
	return !slices.Contains(d.lhsBatch, i) && !slices.Contains(d.lhsContracting, i)
}

// dimsBuilder puts a shape together from dimensions of other shapes.
type dimsBuilder struct {
	dims    []int
	dynamic []bool
}

// add appends dimension i of s.
func (b *dimsBuilder) add(s shape.Shape, i int) {
	b.dims = append(b.dims, s.Dims[i])
	b.dynamic = append(b.dynamic, s.IsDynamicDim(i))
}

// shape returns the array of type t with the dimensions added.
func (b *dimsBuilder) shape(t shape.ElementType) shape.Shape {
	return shape.MakeDynamic(t, b.dims, b.dynamic)
}

// firstError returns the first of errs that is not nil.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// wantDisjoint checks that no entry of dims is among others.
func wantDisjoint(attr string, dims, others []int, label string) error {
	for i, d := range dims {
		if slices.Contains(others, d) {
			return attrErr(at(attr, i), label, "expected no batch dimension, got %d", d)
		}
	}
	return nil
}

// wantEqualPairs checks that dimension a[i] of s has the size of dimension b[i] of t.
func wantEqualPairs(attr string, s shape.Shape, a []int, t shape.Shape, b []int, label string) error {
	for i := range a {
		if m, n := s.Dims[a[i]], t.Dims[b[i]]; !sameSize(m, n) {
			return attrErr(at(attr, i), label, "expected size %d as dimension %d of %v has, got %d, dimension %d of %v",
				m, a[i], s, n, b[i], t)
		}
	}
	return nil
}

// sameSize reports whether two dimension sizes may be equal: an unbounded one may have any size.
func sameSize(a, b int) bool { return a == b || a == shape.Unbounded || b == shape.Unbounded }
