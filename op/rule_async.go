package op

import "github.com/goxla/xla/shape"

// The value of async-start and async-update is a tuple ((arguments...), result,
// contexts...): the arguments given so far and the result of the computation. A
// chain may bind late: its first links then have only some of the arguments, and of
// a result that is a tuple only the first parts, or () for none of the result.

// inferAsyncStart is the rule of async-start. Its operands are the first arguments of the computation.
func inferAsyncStart(in *Inputs) (shape.Shape, error) {
	f, err := in.called(0, "async_start_o1")
	if err != nil {
		return shape.Shape{}, err
	}
	if len(in.Operands) > len(f.Params) {
		return shape.Shape{}, labelErr("async_start_o1",
			"expected at most %d operands, the parameters of the computation, got %d",
			len(f.Params), len(in.Operands))
	}
	for i := range in.Operands {
		if err := wantArgument(in, i, f, i, "async_start_o2"); err != nil {
			return shape.Shape{}, err
		}
	}
	if !in.hasDeclared() {
		return shape.MakeTuple(shape.MakeTuple(in.Operands...), f.Result), nil
	}
	if err := wantArguments(in.Declared, in.Operands, "async_start_o3"); err != nil {
		return shape.Shape{}, err
	}
	if bound := in.Declared.Elems[1]; !isPartOf(bound, f.Result) {
		return shape.Shape{}, labelErr("async_start_o3", "expected the result %v at index {1}, got %v", f.Result, bound)
	}
	return in.Declared, wantAsyncAliasing(in, f.Params)
}

// wantArguments checks that s is ((arguments...), result, ...).
func wantArguments(s shape.Shape, arguments []shape.Shape, label string) error {
	if !isAsync(s) {
		return labelErr(label, "expected the form ((arguments...), result, ...), got %v", s)
	}
	if want := shape.MakeTuple(arguments...); !s.Elems[0].EqualIgnoringLayout(want) {
		return labelErr(label, "expected the arguments %v at index {0}, got %v", want, s.Elems[0])
	}
	return nil
}

// isAsync reports whether s has the form of an asynchronous value.
func isAsync(s shape.Shape) bool { return s.IsTuple() && len(s.Elems) >= 2 && s.Elems[0].IsTuple() }

// isUnbound reports whether s stands for something that comes in later.
func isUnbound(s shape.Shape) bool { return s.IsTuple() && len(s.Elems) == 0 }

// isPartOf reports whether s is what a chain may have of result at some link.
func isPartOf(s, result shape.Shape) bool {
	if s.IsTuple() && result.IsTuple() && len(s.Elems) <= len(result.Elems) {
		result = shape.MakeTuple(result.Elems[:len(s.Elems)]...)
	}
	return isUnbound(s) || s.EqualIgnoringLayout(result)
}

// wantAsyncAliasing checks the aliases between the declared shape and the arguments,
// of which some may come in later.
func wantAsyncAliasing(in *Inputs, arguments []shape.Shape) error {
	const label = "_o4"
	for i, a := range in.Attrs.(*AsyncAttrs).Aliasing {
		if len(a.OutputIndex) == 0 {
			return attrErr(at(aliasingAttr, i), label, "expected an index of a part of %v, got {}", in.Declared)
		}
		if out, ok := partOf(in.Declared, a.OutputIndex); ok && isUnbound(out) {
			continue
		}
		if err := a.check(at(aliasingAttr, i), in.Declared, arguments, label); err != nil {
			return err
		}
	}
	return nil
}

// inferAsyncUpdate is the rule of async-update: operand 0 is the link before, the
// others are further arguments.
func inferAsyncUpdate(in *Inputs) (shape.Shape, error) {
	const label = "async_update_o1"
	last, err := wantLink(in, label)
	if err != nil {
		return shape.Shape{}, err
	}
	arguments := append(last.Elems[0].Elems[:len(last.Elems[0].Elems):len(last.Elems[0].Elems)], in.Operands[1:]...)
	if !in.hasDeclared() {
		elems := append([]shape.Shape{shape.MakeTuple(arguments...)}, last.Elems[1:]...)
		return shape.MakeTuple(elems...), nil
	}
	if err := wantArguments(in.Declared, arguments, label); err != nil {
		return shape.Shape{}, err
	}
	if before, bound := last.Elems[1], in.Declared.Elems[1]; !isPartOf(before, bound) {
		return shape.Shape{}, labelErr(label, "expected a result at index {1} that goes on from %v, got %v", before, bound)
	}
	if err := wantContexts(in.Declared.Elems[2:], last.Elems[2:], label); err != nil {
		return shape.Shape{}, err
	}
	return in.Declared, wantAsyncAliasing(in, in.Operands)
}

// wantLink checks that operand 0 is an asynchronous value and returns its shape.
func wantLink(in *Inputs, label string) (shape.Shape, error) {
	if len(in.Operands) == 0 {
		return shape.Shape{}, labelErr(label, "expected an operand, got none")
	}
	if s := in.Operands[0]; !isAsync(s) {
		return s, operandErr(0, label, "expected the form ((arguments...), result, ...), got %v", s)
	}
	return in.Operands[0], nil
}

// wantContexts checks that the contexts of a link are those of the one before, or some are gone.
func wantContexts(got, before []shape.Shape, label string) error {
	if len(got) > len(before) {
		return labelErr(label, "expected %d contexts at most, got %d", len(before), len(got))
	}
	for i, s := range got {
		if !isUnbound(s) && !s.EqualIgnoringLayout(before[i]) {
			return labelErr(label, "expected the context %v at index {%d}, got %v", before[i], i+2, s)
		}
	}
	return nil
}

// inferAsyncDone is the rule of async-done: the result of the chain.
func inferAsyncDone(in *Inputs) (shape.Shape, error) {
	last, err := wantLink(in, "async_done_o1")
	if err != nil {
		return shape.Shape{}, err
	}
	bound := last.Elems[1]
	if !in.hasDeclared() || isPartOf(in.Declared, bound) && isPartOf(bound, in.Declared) {
		return bound, nil
	}
	if !isPartOf(bound, in.Declared) {
		return shape.Shape{}, labelErr("async_done_o2", "expected the result shape %v, got %v", bound, in.Declared)
	}
	return in.Declared, nil
}

// inferCopyStart is the rule of copy-start: (destination, source, context).
func inferCopyStart(in *Inputs) (shape.Shape, error) {
	s := in.Operands[0]
	return in.agreeExactly(shape.MakeTuple(s, s, shape.Make(shape.U32)), "copy_start_o1")
}

// inferCopyDone is the rule of copy-done: the destination.
func inferCopyDone(in *Inputs) (shape.Shape, error) {
	s := in.Operands[0]
	if !s.IsTuple() || len(s.Elems) != 3 || !s.Elems[0].EqualIgnoringLayout(s.Elems[1]) {
		return shape.Shape{}, operandErr(0, "copy_done_o1", "expected (destination, source, context), got %v", s)
	}
	return in.agreeExactly(s.Elems[0], "copy_done_o2")
}
