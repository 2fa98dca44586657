package mlirtext

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// resultName is %name or %name:count on the left of an operation.
type resultName struct {
	name  string
	count int
	pos   stablehlo.Pos
}

// parseOp reads an operation and puts it at the end of the block.
func (p *parser) parseOp(b *stablehlo.Block) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	st := p.takeState()
	if err := p.parseResultNames(st); err != nil {
		return err
	}
	st.op.Pos = p.place()
	var err error
	if p.peek() == '"' {
		err = p.parseGeneric(st)
	} else {
		err = p.parseShort(st)
	}
	if err != nil {
		return p.inOp(err, st.op)
	}
	pending := len(p.pending)
	if err := p.parseTrailingLoc(&st.op.Loc); err != nil {
		return err
	}
	if st.sharesLoc {
		p.shareLoc(st.op, pending)
	}
	st.op.Block = b
	b.Ops = append(b.Ops, st.op)
	err = p.nameResults(st.op, st.names)
	p.giveState(st)
	return err
}

// inOp adds the name of the operation to an error that names none.
func (p *parser) inOp(err error, op *stablehlo.Op) error {
	if e, ok := err.(*stablehlo.Error); ok && e.Op == "" {
		e.Op = op.Name
	}
	return err
}

// parseResultNames reads %a, %b:2 = if it comes next.
func (p *parser) parseResultNames(st *opState) error {
	if p.peek() != '%' {
		return nil
	}
	for {
		if p.peek() != '%' {
			return p.expected("a name such as %x")
		}
		r := resultName{pos: p.place(), count: 1}
		p.pos++
		if r.name = p.suffix(); r.name == "" {
			return p.errorAt(r.pos, "expected a name after \"%%\"")
		}
		if p.accept(":") {
			n, ok := p.number()
			v, fits := n.integer(31, false)
			if !ok || !fits || n.negative || v < 1 {
				return p.errorAt(r.pos, "expected a number of results from 1 on after %%%s:", r.name)
			}
			r.count = int(v)
		}
		st.names = append(st.names, r)
		if !p.accept(",") {
			return p.expect("=")
		}
	}
}

// nameResults binds the names on the left to the results.
func (p *parser) nameResults(op *stablehlo.Op, names []resultName) error {
	if len(names) == 0 {
		return nil
	}
	from := 0
	for _, r := range names {
		if r.count > len(op.Results)-from {
			return p.inOp(p.errorAt(r.pos, "expected names for %d results, got more", len(op.Results)), op)
		}
		if err := p.define(r.pos, r.name, op.Results[from:from+r.count]); err != nil {
			return err
		}
		from += r.count
	}
	if from != len(op.Results) {
		return p.inOp(p.errorAt(names[0].pos, "expected names for %d results, got %d", len(op.Results), from), op)
	}
	return nil
}

// setName gives the operation its name and row.
func (p *parser) setName(st *opState, name string) {
	st.info = stablehlo.Lookup(name)
	st.op.Info = st.info
	if st.info != nil {
		st.op.Name = st.info.Name
	} else {
		st.op.Name = p.keep(name)
	}
}

// parseGeneric reads "name"(operands)[successors] <{...}> ({regions}) {...} : type.
func (p *parser) parseGeneric(st *opState) error {
	name, err := p.stringValue()
	if err != nil {
		return err
	}
	if name == "" {
		return p.errorf("expected the name of an operation, got an empty string")
	}
	p.setName(st, name)
	if err := p.expect("("); err != nil {
		return err
	}
	if err := p.parseAllOperands(st, nil); err != nil {
		return err
	}
	if err := p.expect(")"); err != nil {
		return err
	}
	return p.parseGenericRest(st)
}

// parseGenericRest reads what follows the operands.
func (p *parser) parseGenericRest(st *opState) error {
	if p.accept("[") {
		if err := p.list("]", func() error { return p.parseSuccessor(st.op) }); err != nil {
			return err
		}
	}
	if p.accept("<") {
		props, err := p.parseEntries()
		if err != nil {
			return err
		}
		st.op.Props = props
		if err := p.expect(">"); err != nil {
			return err
		}
	}
	if p.accept("(") {
		if err := p.list(")", func() error { return p.parseRegion(st.op, nil) }); err != nil {
			return err
		}
	}
	if err := p.parseAttrs(st); err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	if err := p.parseSignature(st); err != nil {
		return err
	}
	return p.finish(st)
}

// parseSignature reads (types) -> types, whose inputs must be as many as the operands.
func (p *parser) parseSignature(st *opState) error {
	pos := p.place()
	var err error
	st.typeBuf, st.resultBuf, err = p.appendFunctionType(st.typeBuf[:0], st.resultBuf[:0])
	if err != nil {
		return err
	}
	st.types, st.results = st.typeBuf, st.resultBuf
	if len(st.types) != len(st.operands) {
		return p.errorAt(pos, "expected types of %d operands, got %d", len(st.operands), len(st.types))
	}
	return nil
}

// parseAttrs reads {name = value, ...} if it comes next.
func (p *parser) parseAttrs(st *opState) error {
	if p.peek() != '{' {
		return nil
	}
	entries, err := p.parseEntries()
	st.attrs = entries
	return err
}

// parseSuccessor reads ^name.
func (p *parser) parseSuccessor(op *stablehlo.Op) error {
	name, pos, err := p.blockLabel()
	if err != nil {
		return err
	}
	if p.values.blocks == nil {
		return p.errorAt(pos, "expected a successor inside a region, got ^%s outside", name)
	}
	op.Successors = append(op.Successors, p.blockByName(name, pos).block)
	return nil
}

// finish makes operands, results and attributes of what was read.
func (p *parser) finish(st *opState) error {
	op := st.op
	if n := len(st.operands); n > 0 {
		op.Operands = p.pointers.take(n)
		for i, o := range st.operands {
			v, err := p.use(o, st.types[i])
			if err != nil {
				return err
			}
			op.Operands[i] = v
		}
	}
	if n := len(st.results); n > 0 {
		values := p.valueSlab.take(n)
		op.Results = p.pointers.take(n)
		for i, t := range st.results {
			values[i] = stablehlo.Value{Type: t, Op: op, Index: i}
			op.Results[i] = &values[i]
		}
	}
	for _, a := range st.attrs {
		if op.Attr(a.Name) != nil {
			return p.errorAt(op.Pos, "expected each attribute once, got %s again", a.Name)
		}
	}
	p.addAttrs(op, st.attrs)
	return nil
}

// addAttrs puts attributes of {...} among those that the row names, or among the others.
func (p *parser) addAttrs(op *stablehlo.Op, attrs []stablehlo.NamedAttribute) {
	if op.Info == nil || len(op.Info.Attrs) == 0 {
		op.Attrs = attrs
		return
	}
	for _, a := range attrs {
		op.SetAttr(a.Name, a.Value)
	}
}

// parseShort reads the short form of an operation.
func (p *parser) parseShort(st *opState) error {
	word := p.word()
	// The name of cross-replica-sum has dashes.
	for word != "" && p.pos < len(p.text) && p.text[p.pos] == '-' && p.pos+1 < len(p.text) && isLetter(p.text[p.pos+1]) {
		p.pos++
		word += "-" + p.word()
	}
	if word == "" {
		return p.expected("an operation")
	}
	name := word
	if strings.IndexByte(word, '.') < 0 && p.dialect != "" {
		name = p.dialect + "." + word
	}
	p.setName(st, name)
	if st.info == nil {
		return p.errorAt(st.op.Pos, "expected a known operation, got %s", word)
	}
	f := p.forms.of(st.info)
	if f == nil {
		return p.errorAt(st.op.Pos, "expected an operation with a short form, got %s", word)
	}
	st.groups = resize(st.groups, len(st.info.Operands))
	st.gTypes = resize(st.gTypes, len(st.info.Operands))
	st.gResults = resize(st.gResults, len(st.info.Results))
	if err := p.parseForm(st, f); err != nil {
		return err
	}
	return p.finishShort(st)
}

// finishShort puts the groups together, unless the form gave operands and types whole.
func (p *parser) finishShort(st *opState) error {
	st.gather()
	if st.types == nil {
		st.typeBuf = join(st.typeBuf[:0], st.gTypes)
		st.types = st.typeBuf
	}
	if st.results == nil {
		st.resultBuf = join(st.resultBuf[:0], st.gResults)
		st.results = st.resultBuf
	}
	if len(st.types) != len(st.operands) {
		return p.errorf("expected types of %d operands, got %d", len(st.operands), len(st.types))
	}
	return p.finish(st)
}
