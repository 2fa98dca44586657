package op

import "github.com/goxla/xla/shape"

// inferBinary is the rule of the element-wise operations on two arrays of one
// element type of set: the result has the left operand's layout, the more precise
// of two floating-point types, and is dynamic where either operand is. Nothing is
// broadcast; BroadcastShapes tells a builder what to insert.
func inferBinary(in *Inputs, set typeSet) (shape.Shape, error) {
	for i := range in.Operands {
		if err := wantType(in, i, set, "_i1"); err != nil {
			return shape.Shape{}, err
		}
	}
	if err := wantSameType(in, 0, 1, "_c1"); err != nil {
		return shape.Shape{}, err
	}
	return mergeOperands(in.Operands[0], in.Operands[1], "_c1")
}

// mergeOperands returns lhs with the dimensions that lhs and rhs have in common.
func mergeOperands(lhs, rhs shape.Shape, label string) (shape.Shape, error) {
	if !lhs.SameDims(rhs) {
		return shape.Shape{}, operandErr(1, label, "expected the dimensions of operand 0, %v, got %v", lhs, rhs)
	}
	dims, dynamic := make([]int, lhs.Rank()), make([]bool, lhs.Rank())
	for i := range dims {
		dims[i], dynamic[i] = mergeDims(dimOf(lhs, i), dimOf(rhs, i)).split()
	}
	result := shape.MakeDynamic(lhs.Type, dims, dynamic).WithLayout(lhs.Layout)
	return withType(result, higherPrecision(lhs.Type, rhs.Type)), nil
}

// inferArithmetic: every array type; add and maximum are "or" on pred, multiply and
// minimum are "and".
func inferArithmetic(in *Inputs) (shape.Shape, error) { return inferBinary(in, arrayTypes) }

// inferNumeric is inferArithmetic without pred.
func inferNumeric(in *Inputs) (shape.Shape, error) { return inferBinary(in, numberTypes) }

func inferBitwise(in *Inputs) (shape.Shape, error) { return inferBinary(in, predOrInteger) }

func inferShift(in *Inputs) (shape.Shape, error) { return inferBinary(in, integerTypes) }

func inferMulhi(in *Inputs) (shape.Shape, error) { return inferBinary(in, integerTypes) }

func inferAtan2(in *Inputs) (shape.Shape, error) { return inferBinary(in, floatOrComplex) }

// inferComplex: two arrays of f32 or two of f64.
func inferComplex(in *Inputs) (shape.Shape, error) {
	s, err := inferBinary(in, complexParts)
	if err != nil {
		return s, err
	}
	if a, b := in.Operands[0].Type, in.Operands[1].Type; a != b {
		return shape.Shape{}, operandErr(1, "complex_c1", "expected element type %v, got %v", a, b)
	}
	if s.Type == shape.F64 {
		return withType(s, shape.C128), nil
	}
	return withType(s, shape.C64), nil
}

// inferCompare: the type of comparison must be one for the operands' type; complex
// numbers have no order, only EQ and NE.
func inferCompare(in *Inputs) (shape.Shape, error) {
	s, err := inferBinary(in, arrayTypes)
	if err != nil {
		return s, err
	}
	a, t := in.Attrs.(*CompareAttrs), in.Operands[0].Type
	if a.Direction == NoDirection || a.Direction > LT {
		return shape.Shape{}, attrErr("direction", "compare_i3", "expected EQ, NE, GE, GT, LE or LT, got none of them")
	}
	if t.IsComplex() && a.Direction != EQ && a.Direction != NE {
		return shape.Shape{}, attrErr("direction", "compare_o1", "expected EQ or NE for %v, got an order", t)
	}
	if !comparesAs(t, a.Type) {
		return shape.Shape{}, attrErr("type", "compare_c3", "expected %s for %v, got another type of comparison",
			comparisonsOf(t), t)
	}
	return withType(s, shape.Pred), nil
}

// comparesAs reports whether elements of type t may be compared in the manner of c.
func comparesAs(t shape.ElementType, c ComparisonType) bool {
	return c == ComparisonDefault || c == DefaultComparison(t) || c == ComparisonTotalOrder && t.IsFloat()
}

// comparisonsOf names the types of comparison for elements of type t.
func comparisonsOf(t shape.ElementType) string {
	switch {
	case t.IsFloat():
		return "FLOAT or TOTALORDER"
	case t.IsComplex():
		return "FLOAT"
	case t.IsSigned():
		return "SIGNED"
	}
	return "UNSIGNED"
}

// inferClamp: the bounds are scalars or have the operand's dimensions, each on its own.
func inferClamp(in *Inputs) (shape.Shape, error) {
	if err := wantArrays(in, "clamp_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantClampBound(in, 0, "clamp_c1"); err != nil {
		return shape.Shape{}, err
	}
	return in.Operands[1], wantClampBound(in, 2, "clamp_c2")
}

func wantClampBound(in *Inputs, i int, label string) error {
	if err := wantSameType(in, 1, i, "clamp_c3"); err != nil {
		return err
	}
	if b, x := in.Operands[i], in.Operands[1]; !b.IsScalar() && !b.SameDims(x) {
		return operandErr(i, label, "expected a scalar or the dimensions of operand 1, %v, got %v", x, b)
	}
	return nil
}

// inferSelect: the predicate is a scalar, or has the dimensions of both branches and
// then gives the result its layout.
func inferSelect(in *Inputs) (shape.Shape, error) {
	if err := wantType(in, 0, predTypes, "select_i1"); err != nil {
		return shape.Shape{}, err
	}
	for i := 1; i < 3; i++ {
		if err := wantArray(in, i, "select_i2"); err != nil {
			return shape.Shape{}, err
		}
	}
	if err := wantSameType(in, 1, 2, "select_c2"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameDims(in, 1, 3, "select_c2"); err != nil {
		return shape.Shape{}, err
	}
	pred, onTrue := in.Operands[0], in.Operands[1]
	result, err := mergeOperands(onTrue, in.Operands[2], "select_c2")
	if err != nil || pred.IsScalar() {
		return result, err
	}
	if !pred.SameDims(onTrue) || !pred.SameDims(in.Operands[2]) {
		return shape.Shape{}, operandErr(0, "select_c1",
			"expected a scalar or the dimensions of operand 1, %v, got %v", onTrue, pred)
	}
	return selectUnder(pred, result), nil
}

// selectUnder returns the shape of a select with an array predicate: what the
// branches give, in the predicate's order, dynamic also where the predicate is.
func selectUnder(pred, branches shape.Shape) shape.Shape {
	dynamic := dynamicDims(branches)
	for i := range dynamic {
		dynamic[i] = dynamic[i] || pred.IsDynamicDim(i) && pred.Dims[i] != shape.Unbounded
	}
	result := shape.MakeDynamic(branches.Type, branches.Dims, dynamic)
	if pred.Layout == nil {
		return result.WithLayout(narrowLayout(branches.Layout, pred.Rank()))
	}
	layout := *pred.Layout
	layout.ElementBits = 0
	if branches.Layout != nil {
		layout.ElementBits = branches.Layout.ElementBits
	}
	return result.WithLayout(&layout)
}

// narrowLayout returns the default layout of the given rank with the element size of l.
func narrowLayout(l *shape.Layout, rank int) *shape.Layout {
	if l == nil || l.ElementBits == 0 {
		return nil
	}
	layout := shape.DefaultLayout(rank)
	layout.ElementBits = l.ElementBits
	return layout
}
