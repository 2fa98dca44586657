package op

import "github.com/goxla/xla/shape"

// inferCustomCall is the rule of custom-call: the declared shape is the result's.
// Layout constraints, aliases and buffers are checked against it and the operands.
func inferCustomCall(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*CustomCallAttrs)
	if !in.hasDeclared() {
		return shape.Shape{}, labelErr("custom_call_o1", "expected a result shape, got none")
	}
	if a.Target != layoutConstraintTarget {
		if err := wantOperandLayouts(in, a.OperandLayouts); err != nil {
			return shape.Shape{}, err
		}
	}
	return in.Declared, wantCustomAliasing(in, a)
}

// layoutConstraintTarget is a custom call whose constraints are about its result.
const layoutConstraintTarget = "LayoutConstraint"

// wantOperandLayouts checks that there is a shape for each operand, which it has but for the layout.
func wantOperandLayouts(in *Inputs, l *OperandLayouts) error {
	const attr, label = "operand_layout_constraints", "custom_call_o2"
	if l == nil {
		return nil
	}
	if err := wantLen(attr, len(l.Shapes), len(in.Operands), label); err != nil {
		return err
	}
	for i, s := range l.Shapes {
		if !s.EqualIgnoringLayout(in.Operands[i]) {
			return attrErr(at(attr, i), label, "expected %v as operand %d, got %v", in.Operands[i], i, s)
		}
	}
	return nil
}

func wantCustomAliasing(in *Inputs, a *CustomCallAttrs) error {
	switch a.Target {
	case pinTarget, unpinTarget:
		return wantPinning(in, a)
	case createBufferTarget:
		if in.Declared.Type != shape.Buffer {
			return labelErr("custom_call_o4", "expected a buffer as result of %s, got %v", a.Target, in.Declared)
		}
		return wantOperandCount(in, 0, "custom_call_o4")
	}
	if err := wantAliasing(a.Aliasing, in.Declared, in.Operands, "custom_call_o3"); err != nil {
		return err
	}
	return wantBuffersPassed(a.Aliasing, in.Declared)
}
