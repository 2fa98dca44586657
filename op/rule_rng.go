package op

import "github.com/goxla/xla/shape"

// inferRng is the rule of rng, whose result shape is declared: two scalars of the
// result's element type, floating-point types aside, are the parameters of the distribution.
func inferRng(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*RngAttrs)
	if err := wantOperandCount(in, 2, "rng_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDeclared(in, "rng_c3"); err != nil {
		return shape.Shape{}, err
	}
	if a.Distribution != RngUniform && a.Distribution != RngNormal {
		return shape.Shape{}, attrErr("distribution", "rng_i4", "expected rng_uniform or rng_normal, got %d",
			a.Distribution)
	}
	types, label := uniformTypes, "rng_i1"
	if a.Distribution == RngNormal {
		types, label = floatTypes, "rng_c2"
	}
	for i := range 2 {
		if err := wantScalar(in, i, types, label); err != nil {
			return shape.Shape{}, err
		}
		t := in.Operands[i].Type
		if t != in.Declared.Type && !(t.IsFloat() && in.Declared.Type.IsFloat()) {
			return shape.Shape{}, operandErr(i, "rng_c1", "expected the result's element type %v, got %v",
				in.Declared.Type, t)
		}
		if t != in.Operands[0].Type {
			return shape.Shape{}, operandErr(i, "rng_c1", "expected the type of operand 0, %v, got %v",
				in.Operands[0].Type, t)
		}
	}
	return in.Declared, nil
}

// TargetRngState is the custom call that takes numbers from the counter of the run: of a number of words, u64[], it
// makes u64[3], the seed of the run and the counter before, low half first, with the device in the high half. It is
// the state from which Philox makes the bits of rng.
const TargetRngState = "xla.rng_state"

var uniformTypes = typeSet{"pred, integer or floating-point", func(t shape.ElementType) bool {
	return t == shape.Pred || t.IsInteger() || t.IsFloat()
}}

// inferRngBitGenerator is the rule of rng-bit-generator, whose result is declared:
// the new state, shaped as the operand, and the bits; or, in old texts, only the bits.
func inferRngBitGenerator(in *Inputs) (shape.Shape, error) {
	const label = "rng_bit_generator_c1"
	if err := wantRngState(in); err != nil {
		return shape.Shape{}, err
	}
	if !in.hasDeclared() {
		return shape.Shape{}, labelErr(label, "expected a result shape, got none")
	}
	bits, state := in.Declared, in.Operands[0]
	if bits.IsTuple() {
		if len(bits.Elems) != 2 {
			return shape.Shape{}, labelErr(label, "expected a tuple of state and bits as result, got %v", bits)
		}
		if s := bits.Elems[0]; !s.EqualIgnoringLayout(state) {
			return shape.Shape{}, labelErr(label, "expected the new state to be %v as the operand, got %v", state, s)
		}
		bits = bits.Elems[1]
	}
	if !bits.Type.IsInteger() {
		return shape.Shape{}, labelErr("rng_bit_generator_o1", "expected an integer array of bits, got %v", bits)
	}
	return in.Declared, nil
}

// rngStateSizes are the numbers of u64 that the state of an algorithm may have.
var rngStateSizes = [...]struct{ min, max int }{RngDefault: {2, 3}, RngThreeFry: {2, 2}, RngPhilox: {2, 3}}

// wantRngState checks the algorithm and its state.
func wantRngState(in *Inputs) error {
	a, s := in.Attrs.(*RngBitGeneratorAttrs), in.Operands[0]
	if int(a.Algorithm) >= len(rngStateSizes) {
		return attrErr("algorithm", "rng_bit_generator_i1", "expected rng_default, rng_three_fry or rng_philox, got %d",
			a.Algorithm)
	}
	size := rngStateSizes[a.Algorithm]
	if s.Type != shape.U64 || s.Rank() != 1 || s.Dims[0] < size.min || s.Dims[0] > size.max {
		return operandErr(0, "rng_bit_generator_c2", "expected a state of %d to %d numbers of type u64, got %v",
			size.min, size.max, s)
	}
	return nil
}

// inferRngGetAndUpdateState is the rule of rng-get-and-update-state: two words of state.
func inferRngGetAndUpdateState(in *Inputs) (shape.Shape, error) {
	return in.agree(shape.Make(shape.U64, 2), "rng_get_and_update_state_o1")
}
