package op

import "github.com/goxla/xla/shape"

func inferInvalid(*Inputs) (shape.Shape, error) { return shape.Shape{}, errf("not an operation") }

// inferCall is the rule of call: the operands are the arguments of the computation.
func inferCall(in *Inputs) (shape.Shape, error) {
	f, err := in.called(0, "call_o1")
	if err != nil {
		return shape.Shape{}, err
	}
	if len(f.Params) != len(in.Operands) {
		return shape.Shape{}, labelErr("call_o1",
			"expected %d operands, one for each parameter of the computation, got %d",
			len(f.Params), len(in.Operands))
	}
	for i := range f.Params {
		if err := wantArgument(in, i, f, i, "call_o2"); err != nil {
			return shape.Shape{}, err
		}
	}
	return f.Result, nil
}

// wantArgument checks that operand i has the shape of parameter k of f.
func wantArgument(in *Inputs, i int, f shape.Program, k int, label string) error {
	if s, p := in.Operands[i], f.Params[k]; !s.EqualIgnoringLayout(p) {
		return operandErr(i, label, "expected %v as parameter %d of the called computation, got %v", p, k, s)
	}
	return nil
}

// inferWhile is the rule of while: with T the operand's type, the condition goes from
// T to a scalar pred and the body from T to T.
func inferWhile(in *Inputs) (shape.Shape, error) {
	condition, err := in.called(0, "while_c1")
	if err != nil {
		return shape.Shape{}, err
	}
	body, err := in.called(1, "while_c2")
	if err != nil {
		return shape.Shape{}, err
	}
	init := in.Operands[0]
	if err := wantFunction("condition", condition, init, shape.Make(shape.Pred), "while_c1"); err != nil {
		return shape.Shape{}, err
	}
	return init, wantFunction("body", body, init, init, "while_c2")
}

// wantFunction checks that f, the computation of attribute attr, goes from one param to result.
func wantFunction(attr string, f shape.Program, param, result shape.Shape, label string) error {
	if len(f.Params) != 1 {
		return attrErr(attr, label, "expected a computation of 1 parameter, got %d", len(f.Params))
	}
	if p := f.Params[0]; !p.EqualIgnoringLayout(param) {
		return attrErr(attr, label, "expected a parameter of shape %v, got %v", param, p)
	}
	if !f.Result.EqualIgnoringLayout(result) {
		return attrErr(attr, label, "expected a result of shape %v, got %v", result, f.Result)
	}
	return nil
}

// inferConditional is the rule of conditional: a scalar that chooses, pred or s32,
// and one operand for each branch.
func inferConditional(in *Inputs) (shape.Shape, error) {
	if err := wantBranches(in); err != nil {
		return shape.Shape{}, err
	}
	first := in.Called[0].Result
	for i, f := range in.Called {
		attr := at("branch_computations", i)
		if err := wantFunction(attr, f, in.Operands[i+1], f.Result, "conditional_o3"); err != nil {
			return shape.Shape{}, err
		}
		if !f.Result.EqualIgnoringLayout(first) {
			return shape.Shape{}, attrErr(attr, "case_c3",
				"expected a result of shape %v as of the first branch, got %v", first, f.Result)
		}
	}
	return first, nil
}

// wantBranches checks what chooses, and the numbers of branches and operands.
func wantBranches(in *Inputs) error {
	if len(in.Operands) == 0 {
		return labelErr("case_i1", "expected a scalar pred or s32 as first operand, got none")
	}
	n, index := len(in.Called), in.Operands[0]
	switch {
	case !index.IsScalar() || index.Type != shape.Pred && index.Type != shape.S32:
		return operandErr(0, "case_i1", "expected a scalar pred or s32, got %v", index)
	case index.Type == shape.Pred && n != 2:
		return labelErr("conditional_o1", "expected 2 branches to choose from by a pred, got %d", n)
	case n < 1:
		return labelErr("case_c1", "expected at least 1 branch, got none")
	case len(in.Operands) != n+1:
		return labelErr("conditional_o2", "expected %d operands, one for each of %d branches behind the first, got %d",
			n+1, n, len(in.Operands))
	}
	return nil
}

// inferFusion is the rule of fusion: its result is that of the fused computation,
// whose parameters are the first of the operands.
func inferFusion(in *Inputs) (shape.Shape, error) {
	f, err := in.called(0, "fusion_o1")
	if err != nil {
		return shape.Shape{}, err
	}
	if len(f.Params) > len(in.Operands) {
		return shape.Shape{}, labelErr("fusion_o1",
			"expected at least %d operands, one for each parameter of the computation, got %d",
			len(f.Params), len(in.Operands))
	}
	for i := range f.Params {
		if err := wantArgument(in, i, f, i, "fusion_o2"); err != nil {
			return shape.Shape{}, err
		}
	}
	result, err := in.agreeExactly(f.Result, "fusion_o3")
	if err != nil {
		return shape.Shape{}, err
	}
	return result, wantAliasing(in.Attrs.(*FusionAttrs).Aliasing, result, in.Operands, "fusion_o4")
}

// agreeExactly is agree of an operation that hands data on as they are: floating-point
// precision counts, and the result has the layouts of want.
func (in *Inputs) agreeExactly(want shape.Shape, label string) (shape.Shape, error) {
	if in.hasDeclared() && !want.EqualIgnoringLayout(in.Declared) {
		return shape.Shape{}, labelErr(label, "expected the result shape %v, got %v", want, in.Declared)
	}
	return want, nil
}
