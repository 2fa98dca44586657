package mlirtext

import "github.com/goxla/xla/stablehlo"

// This file reads the forms of types: those that say one type for several values.

// spreadTypes gives every operand and result the types of a function type, or one type
// to all of them.
func (p *parser) spreadTypes(st *opState, pos stablehlo.Pos, t stablehlo.Type) error {
	st.gather()
	if f, ok := t.(*stablehlo.FunctionType); ok {
		if len(f.Inputs) != len(st.operands) {
			return p.errorAt(pos, "expected types of %d operands, got %d", len(st.operands), len(f.Inputs))
		}
		if len(f.Results) != 1 {
			return p.errorAt(pos, "expected one result, got %d", len(f.Results))
		}
		st.types, st.results = f.Inputs, f.Results
		return nil
	}
	st.setTypes(t, t)
	return nil
}

// setTypes gives all operands one type, and all results one.
func (st *opState) setTypes(operands, results stablehlo.Type) {
	st.gather()
	st.typeBuf = spread(st.typeBuf[:0], operands, len(st.operands))
	st.resultBuf = spread(st.resultBuf[:0], results, len(st.info.Results))
	st.types, st.results = st.typeBuf, st.resultBuf
}

// parseSameType reads the type of all operands and of the result, or a function type.
func (p *parser) parseSameType(st *opState, _ *element) error {
	pos := p.place()
	t, err := p.parseType()
	if err != nil {
		return err
	}
	return p.spreadTypes(st, pos, t)
}

// parseAllType reads the one type of all operands and results.
func (p *parser) parseAllType(st *opState, _ *element) error {
	t, err := p.parseType()
	if err != nil {
		return err
	}
	st.setTypes(t, t)
	return nil
}

// parseComplexType reads the type of the result, whose parts the operands are, or a
// function type.
func (p *parser) parseComplexType(st *opState, _ *element) error {
	pos := p.place()
	t, err := p.parseType()
	if err != nil {
		return err
	}
	if _, ok := t.(*stablehlo.FunctionType); ok {
		return p.spreadTypes(st, pos, t)
	}
	part := partType(t)
	if part == nil {
		return p.errorAt(pos, "expected a tensor of complex numbers, got %s", t)
	}
	st.setTypes(part, t)
	return nil
}

// partType returns the tensor type of the parts of a tensor of complex numbers, nil
// for another type.
func partType(t stablehlo.Type) stablehlo.Type {
	tensor, ok := t.(*stablehlo.TensorType)
	if !ok {
		return nil
	}
	c, ok := tensor.Elem.(*stablehlo.ComplexType)
	if !ok {
		return nil
	}
	part := *tensor
	part.Elem = c.Elem
	return &part
}

// parseSelectType reads the type of the predicate and the type of the rest, or a
// function type.
func (p *parser) parseSelectType(st *opState, _ *element) error {
	pos := p.place()
	first, err := p.parseType()
	if err != nil {
		return err
	}
	if _, ok := first.(*stablehlo.FunctionType); ok {
		return p.spreadTypes(st, pos, first)
	}
	if !p.accept(",") {
		return p.errorAt(pos, "expected the type of a function or two types, got %s", first)
	}
	rest, err := p.parseType()
	if err != nil {
		return err
	}
	st.setTypes(rest, rest)
	st.types[0] = first
	return nil
}

// parseTupleType reads the type of the result, whose elements are the operands.
func (p *parser) parseTupleType(st *opState, _ *element) error {
	pos := p.place()
	t, err := p.parseType()
	if err != nil {
		return err
	}
	tuple, ok := t.(*stablehlo.TupleType)
	if !ok {
		return p.errorAt(pos, "expected a tuple type, got %s", t)
	}
	st.gather()
	if len(tuple.Types) != len(st.operands) {
		return p.errorAt(pos, "expected a tuple of %d, the number of operands, got %s", len(st.operands), t)
	}
	st.types, st.results = tuple.Types, []stablehlo.Type{t}
	return nil
}

// parseBarrier reads operands : types, or ().
func (p *parser) parseBarrier(st *opState, _ *element) error {
	if p.accept("(") {
		return p.expect(")")
	}
	var err error
	if err := p.parseAllOperands(st, nil); err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	st.typeBuf, err = p.appendTypeList(st.typeBuf[:0], len(st.operands))
	st.types, st.results = st.typeBuf, st.typeBuf
	return err
}
