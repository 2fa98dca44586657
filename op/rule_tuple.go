package op

import "github.com/goxla/xla/shape"

func inferTuple(in *Inputs) (shape.Shape, error) {
	return shape.MakeTuple(append([]shape.Shape(nil), in.Operands...)...), nil
}

func inferGetTupleElement(in *Inputs) (shape.Shape, error) {
	s, i := in.Operands[0], in.Attrs.(*GetTupleElementAttrs).Index
	if !s.IsTuple() {
		return shape.Shape{}, operandErr(0, "get_tuple_element_i1", "expected a tuple, got %v", s)
	}
	if err := wantDim("index", i, len(s.Elems), "get_tuple_element_c1"); err != nil {
		return shape.Shape{}, err
	}
	return s.Elems[i], nil
}

func inferOptBarrier(in *Inputs) (shape.Shape, error) { return in.Operands[0], nil }

func inferDomain(in *Inputs) (shape.Shape, error) { return in.Operands[0], nil }

// inferAfterAll: tokens, as a rule; XLA waits for values of any other shape too.
func inferAfterAll(*Inputs) (shape.Shape, error) { return shape.MakeToken(), nil }

func inferAddDependency(in *Inputs) (shape.Shape, error) {
	return in.Operands[0], wantToken(in, 1, "add_dependency_i2")
}
