package op

import "github.com/goxla/xla/shape"

// inferUnary is the rule of the element-wise operations whose result has the
// operand's shape and layout, for operands with an element type of set.
func inferUnary(in *Inputs, set typeSet) (shape.Shape, error) {
	if err := wantType(in, 0, set, "_i1"); err != nil {
		return shape.Shape{}, err
	}
	return in.Operands[0], nil
}

// inferAbs: signed integers, floating-point, and complex, which gives the real magnitude.
func inferAbs(in *Inputs) (shape.Shape, error) {
	s, err := inferUnary(in, signedTypes)
	return withType(s, s.Type.Component()), err
}

func inferElementary(in *Inputs) (shape.Shape, error) { return inferUnary(in, floatOrComplex) }

func inferRounding(in *Inputs) (shape.Shape, error) { return inferUnary(in, floatTypes) }

func inferBitCount(in *Inputs) (shape.Shape, error) { return inferUnary(in, integerTypes) }

func inferNegate(in *Inputs) (shape.Shape, error) { return inferUnary(in, numberTypes) }

func inferNot(in *Inputs) (shape.Shape, error) { return inferUnary(in, predOrInteger) }

func inferSign(in *Inputs) (shape.Shape, error) { return inferUnary(in, signedTypes) }

// inferRealImag: the parts of a complex operand; a real operand is its own real part.
func inferRealImag(in *Inputs) (shape.Shape, error) {
	s, err := inferUnary(in, floatOrComplex)
	return withType(s, s.Type.Component()), err
}

func inferIsFinite(in *Inputs) (shape.Shape, error) {
	s, err := inferUnary(in, floatTypes)
	return withType(s, shape.Pred), err
}

// inferConvert takes the element type from the declared shape.
func inferConvert(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "convert_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDeclared(in, "convert_o1"); err != nil {
		return shape.Shape{}, err
	}
	return in.agree(withType(in.Operands[0], in.Declared.Type), "convert_c1")
}

func inferReducePrecision(in *Inputs) (shape.Shape, error) {
	if err := wantType(in, 0, floatTypes, "reduce_precision_i1"); err != nil {
		return shape.Shape{}, err
	}
	a := in.Attrs.(*ReducePrecisionAttrs)
	if a.ExponentBits < 1 {
		return shape.Shape{}, attrErr("exponent_bits", "reduce_precision_c2",
			"expected at least 1, got %d", a.ExponentBits)
	}
	if a.MantissaBits < 0 {
		return shape.Shape{}, attrErr("mantissa_bits", "reduce_precision_c3",
			"expected at least 0, got %d", a.MantissaBits)
	}
	return in.agree(in.Operands[0], "reduce_precision_c1")
}

// inferStochasticConvert: the second operand holds random bits, one unsigned
// integer of the operand's width an element.
func inferStochasticConvert(in *Inputs) (shape.Shape, error) {
	if err := wantType(in, 0, floatTypes, "stochastic_convert_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantType(in, 1, unsignedTypes, "stochastic_convert_i2"); err != nil {
		return shape.Shape{}, err
	}
	if x, bits := in.Operands[0].Type, in.Operands[1].Type; x.Bits() != bits.Bits() {
		return shape.Shape{}, operandErr(1, "stochastic_convert_c1", "expected an integer of %d bits for %v, got %v",
			x.Bits(), x, bits)
	}
	if err := wantSameDims(in, 0, 2, "stochastic_convert_c2"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDeclared(in, "stochastic_convert_o1"); err != nil {
		return shape.Shape{}, err
	}
	return in.agree(withType(in.Operands[0], in.Declared.Type), "stochastic_convert_c3")
}

// withType returns s with element type t. A size in bits in the layout, which is
// that of a packed narrow type, goes unless t is narrow too.
func withType(s shape.Shape, t shape.ElementType) shape.Shape {
	s.Type = t
	if s.Layout != nil && s.Layout.ElementBits != 0 && t.Bits() >= 8 {
		layout := *s.Layout
		layout.ElementBits = 0
		s.Layout = &layout
	}
	return s
}
