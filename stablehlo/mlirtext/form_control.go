package mlirtext

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// This file reads the forms of operations with regions.

// parseRegions reads ({...}, {...}) if it comes next.
func (p *parser) parseRegions(st *opState, _ *element) error {
	if !p.accept("(") {
		return nil
	}
	return p.list(")", func() error { return p.parseRegion(st.op, nil) })
}

// parseReduce reads
//
//	(%x init: %c), (%y init: %d) across dimensions = [1] : type
//	 reducer(%a: T, %b: T) (%c: U, %d: U) { ... }
//
// or, for a region of one operation,
//
//	(%x init: %c) applies stablehlo.add across dimensions = [1] : type
func (p *parser) parseReduce(st *opState, _ *element) error {
	if err := p.parseReducePairs(st); err != nil {
		return err
	}
	inner, innerPos := "", p.place()
	if p.accept("applies") {
		innerPos = p.place()
		if inner = p.word(); inner == "" {
			return p.expected("the name of an operation")
		}
	}
	if err := p.parseReduceDims(st); err != nil {
		return err
	}
	if err := p.parseAttrs(st); err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	if err := p.parseFn(st, nil); err != nil {
		return err
	}
	if inner != "" {
		return p.makeReducer(st, inner, innerPos)
	}
	if err := p.expect("reducer"); err != nil {
		return err
	}
	return p.parseReducer(st)
}

// parseReducePairs reads (%x init: %c), ... as inputs and initial values.
func (p *parser) parseReducePairs(st *opState) error {
	for {
		if err := p.expect("("); err != nil {
			return err
		}
		if p.accept(")") {
			return nil
		}
		input, err := p.needOperand()
		if err != nil {
			return err
		}
		for _, token := range []string{"init", ":"} {
			if err := p.expect(token); err != nil {
				return err
			}
		}
		init, err := p.needOperand()
		if err != nil {
			return err
		}
		if err := p.expect(")"); err != nil {
			return err
		}
		st.groups[0], st.groups[1] = append(st.groups[0], input), append(st.groups[1], init)
		if !p.accept(",") {
			return nil
		}
	}
}

// needOperand reads an operand that must come next.
func (p *parser) needOperand() (operand, error) {
	o, ok, err := p.parseOperand()
	if err == nil && !ok {
		err = p.expected("an operand such as %x")
	}
	return o, err
}

// parseReduceDims reads across dimensions = [1].
func (p *parser) parseReduceDims(st *opState) error {
	for _, token := range []string{"across", "dimensions", "="} {
		if err := p.expect(token); err != nil {
			return err
		}
	}
	pos := p.place()
	if err := p.expect("["); err != nil {
		return err
	}
	dims, err := p.parseArrayElements(stablehlo.I64, "]")
	if err != nil {
		return err
	}
	return p.setProp(st, pos, "dimensions", dims)
}

// makeReducer makes the region of one operation.
func (p *parser) makeReducer(st *opState, name string, pos stablehlo.Pos) error {
	info := stablehlo.Lookup(name)
	if info == nil || !info.Has(stablehlo.Commutative) {
		return p.errorAt(pos, "expected a commutative operation such as stablehlo.add, got %s", name)
	}
	input, ok := st.types[0].(*stablehlo.TensorType)
	if !ok {
		return p.errorAt(pos, "expected a ranked tensor to reduce, got %s", st.types[0])
	}
	scalar := &stablehlo.TensorType{Elem: input.Elem}
	b := st.op.AddRegion().AddBlock(scalar, scalar)
	op := stablehlo.NewOp(info.Name, []*stablehlo.Value{b.Args[0], b.Args[1]}, []stablehlo.Type{scalar})
	dialect, _, _ := strings.Cut(st.op.Name, ".")
	ret := stablehlo.NewOp(dialect+".return", []*stablehlo.Value{op.Results[0]}, nil)
	op.Pos, ret.Pos = st.op.Pos, st.op.Pos
	b.Append(op, ret)
	st.sharesLoc = true
	return nil
}

// shareLoc gives what makeReducer has made the location of the operation; if that is
// an alias to come, so are the others.
func (p *parser) shareLoc(op *stablehlo.Op, pending int) {
	b := op.Regions[0].Blocks[0]
	to := []*stablehlo.Location{&b.Args[0].Loc, &b.Args[1].Loc, &b.Ops[0].Loc, &b.Ops[1].Loc}
	for _, loc := range to {
		*loc = op.Loc
		if len(p.pending) > pending {
			l := p.pending[pending]
			l.to = loc
			p.pending = append(p.pending, l)
		}
	}
}

// parseReducer reads (%a: T, %b: T) ... { ... }: a pair for each input. The first of
// each pair come before the second in the arguments of the region.
func (p *parser) parseReducer(st *opState) error {
	var first, second []blockArg
	for p.accept("(") {
		a, err := p.regionArg()
		if err != nil {
			return err
		}
		if err := p.expect(","); err != nil {
			return err
		}
		b, err := p.regionArg()
		if err != nil {
			return err
		}
		if err := p.expect(")"); err != nil {
			return err
		}
		first, second = append(first, a), append(second, b)
	}
	args := append(first, second...)
	return p.parseRegion(st.op, args)
}

// regionArg reads %a: type loc(...).
func (p *parser) regionArg() (a blockArg, err error) {
	if a.operand, err = p.needOperand(); err != nil {
		return a, err
	}
	if err := p.expect(":"); err != nil {
		return a, err
	}
	if a.typ, err = p.parseType(); err != nil {
		return a, err
	}
	return a, p.argLoc(&a)
}

// parseWhile reads
//
//	(%a = %x, %b = %y) : T, U attributes {...}
//	 cond { ... } do { ... }
func (p *parser) parseWhile(st *opState, _ *element) error {
	if err := p.expect("("); err != nil {
		return err
	}
	var args []blockArg
	err := p.list(")", func() error {
		a, err := p.needOperand()
		if err != nil {
			return err
		}
		if err := p.expect("="); err != nil {
			return err
		}
		o, err := p.needOperand()
		args = append(args, blockArg{operand: a})
		st.groups[0] = append(st.groups[0], o)
		return err
	})
	if err != nil {
		return err
	}
	if len(args) > 0 {
		if err := p.expect(":"); err != nil {
			return err
		}
		if st.typeBuf, err = p.appendTypeList(st.typeBuf[:0], len(args)); err != nil {
			return err
		}
		st.types = st.typeBuf
	}
	st.results = st.types
	for i := range args {
		args[i].typ = st.types[i]
	}
	if p.accept("attributes") {
		if err := p.parseAttrs(st); err != nil {
			return err
		}
	}
	for _, word := range []string{"cond", "do"} {
		if err := p.expect(word); err != nil {
			return err
		}
		if err := p.parseRegion(st.op, args); err != nil {
			return err
		}
	}
	return nil
}

// parseScan reads (%x) inits(%c) dimension=0 attributes {...} { ... } : type.
func (p *parser) parseScan(st *opState, _ *element) error {
	var err error
	if st.groups[0], err = p.operandList(st.groups[0]); err != nil {
		return err
	}
	if err := p.expect("inits"); err != nil {
		return err
	}
	if st.groups[1], err = p.operandList(st.groups[1]); err != nil {
		return err
	}
	for _, token := range []string{"dimension", "="} {
		if err := p.expect(token); err != nil {
			return err
		}
	}
	pos := p.place()
	dim, err := p.parseNumber(stablehlo.I64)
	if err != nil {
		return err
	}
	if err := p.setProp(st, pos, "dimension", dim); err != nil {
		return err
	}
	if p.accept("attributes") {
		if err := p.parseAttrs(st); err != nil {
			return err
		}
	}
	if err := p.parseRegion(st.op, nil); err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	if err := p.parseFn(st, nil); err != nil {
		return err
	}
	return p.setSegments(st, pos)
}

// setSegments notes the lengths of the runs: the carries are as many as their initial
// values and come last among the results.
func (p *parser) setSegments(st *opState, pos stablehlo.Pos) error {
	inputs, inits, results := len(st.groups[0]), len(st.groups[1]), len(st.results)
	if results < inits {
		return p.errorAt(pos, "expected at least %d results, the number of initial values, got %d", inits, results)
	}
	operands := stablehlo.Int32Array(int32(inputs), int32(inits))
	if err := p.setProp(st, pos, stablehlo.OperandSegments, operands); err != nil {
		return err
	}
	carries := stablehlo.Int32Array(int32(results-inits), int32(inits))
	return p.setProp(st, pos, stablehlo.ResultSegments, carries)
}

// operandList reads (%x, %y).
func (p *parser) operandList(list []operand) ([]operand, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	list, err := p.appendOperands(list)
	if err != nil {
		return nil, err
	}
	return list, p.expect(")")
}
