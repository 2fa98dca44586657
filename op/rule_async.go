package op

import "github.com/goxla/xla/shape"

// The value of async-start and async-update is a tuple ((arguments...), result,
// contexts...): the arguments given so far and the result of the computation. A
// chain may bind late: its first links then have only some of the arguments, and
// the empty tuple stands for a result that a later link brings in.

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
	if err := wantAsync(in.Declared, in.Operands, f.Result, "async_start_o3"); err != nil {
		return shape.Shape{}, err
	}
	return in.Declared, wantAsyncAliasing(in, f.Params)
}

// wantAsync checks that s is ((arguments...), result or (), ...).
func wantAsync(s shape.Shape, arguments []shape.Shape, result shape.Shape, label string) error {
	if !isAsync(s) {
		return labelErr(label, "expected the form ((arguments...), result, ...), got %v", s)
	}
	if want := shape.MakeTuple(arguments...); !s.Elems[0].EqualIgnoringLayout(want) {
		return labelErr(label, "expected the arguments %v at index {0}, got %v", want, s.Elems[0])
	}
	if r := s.Elems[1]; !isUnbound(r) && !isUnbound(result) && !r.EqualIgnoringLayout(result) {
		return labelErr(label, "expected the result %v at index {1}, got %v", result, r)
	}
	return nil
}

// isAsync reports whether s has the form of an asynchronous value.
func isAsync(s shape.Shape) bool { return s.IsTuple() && len(s.Elems) >= 2 && s.Elems[0].IsTuple() }

// isUnbound reports whether s stands for a result that comes in later.
func isUnbound(s shape.Shape) bool { return s.IsTuple() && len(s.Elems) == 0 }

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
	if err := wantAsync(in.Declared, arguments, last.Elems[1], label); err != nil {
		return shape.Shape{}, err
	}
	if err := wantContexts(in.Declared, last, label); err != nil {
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

// wantContexts checks that s has the contexts of last, or none.
func wantContexts(s, last shape.Shape, label string) error {
	got, want := shape.MakeTuple(s.Elems[2:]...), shape.MakeTuple(last.Elems[2:]...)
	if len(got.Elems) > 0 && !got.EqualIgnoringLayout(want) {
		return labelErr(label, "expected the contexts %v, got %v", want, got)
	}
	return nil
}

// inferAsyncDone is the rule of async-done: the result of the chain.
func inferAsyncDone(in *Inputs) (shape.Shape, error) {
	last, err := wantLink(in, "async_done_o1")
	if err != nil {
		return shape.Shape{}, err
	}
	if result := last.Elems[1]; !isUnbound(result) || !in.hasDeclared() {
		return in.agreeExactly(result, "async_done_o2")
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
