package mlirtext

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// opState is an operation while it is being read.
type opState struct {
	op   *stablehlo.Op
	info *stablehlo.OpInfo
	// The operands as the text names them. A short form that gives types slot by slot
	// has its operands in groups, one for each slot of the row.
	operands []operand
	types    []stablehlo.Type // of the operands
	results  []stablehlo.Type
	groups   [][]operand        // by operand slot; nil unless a short form is read
	gTypes   [][]stablehlo.Type // by operand slot
	gResults [][]stablehlo.Type // by result slot
	attrs    []stablehlo.NamedAttribute
	// sharesLoc: the form made a region whose parts have the location of the operation.
	sharesLoc bool
}

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
	names, err := p.parseResultNames()
	if err != nil {
		return err
	}
	st := &opState{op: &stablehlo.Op{Pos: p.place()}}
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
	b.Append(st.op)
	return p.nameResults(st.op, names)
}

// inOp adds the name of the operation to an error that names none.
func (p *parser) inOp(err error, op *stablehlo.Op) error {
	if e, ok := err.(*stablehlo.Error); ok && e.Op == "" {
		e.Op = op.Name
	}
	return err
}

// parseResultNames reads %a, %b:2 = if it comes next.
func (p *parser) parseResultNames() ([]resultName, error) {
	if p.peek() != '%' {
		return nil, nil
	}
	var names []resultName
	for {
		if p.peek() != '%' {
			return nil, p.expected("a name such as %x")
		}
		r := resultName{pos: p.place(), count: 1}
		p.pos++
		if r.name = p.suffix(); r.name == "" {
			return nil, p.errorAt(r.pos, "expected a name after \"%%\"")
		}
		if p.accept(":") {
			n, ok := p.number()
			v, fits := n.integer(31, false)
			if !ok || !fits || n.negative || v < 1 {
				return nil, p.errorAt(r.pos, "expected a number of results from 1 on after %%%s:", r.name)
			}
			r.count = int(v)
		}
		names = append(names, r)
		if !p.accept(",") {
			return names, p.expect("=")
		}
	}
}

// nameResults binds the names on the left to the results.
func (p *parser) nameResults(op *stablehlo.Op, names []resultName) error {
	if names == nil {
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
	if st.operands, err = p.parseOperands(); err != nil {
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
	f, err := p.parseFunctionType()
	if err != nil {
		return err
	}
	if len(f.Inputs) != len(st.operands) {
		return p.errorAt(pos, "expected types of %d operands, got %d", len(st.operands), len(f.Inputs))
	}
	st.types, st.results = f.Inputs, f.Results
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
		op.Operands = make([]*stablehlo.Value, n)
		for i, o := range st.operands {
			v, err := p.use(o, st.types[i])
			if err != nil {
				return err
			}
			op.Operands[i] = v
		}
	}
	if n := len(st.results); n > 0 {
		values := make([]stablehlo.Value, n)
		op.Results = make([]*stablehlo.Value, n)
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
	f := p.forms[st.info]
	if f == nil {
		return p.errorAt(st.op.Pos, "expected an operation with a short form, got %s", word)
	}
	st.groups = make([][]operand, len(st.info.Operands))
	st.gTypes = make([][]stablehlo.Type, len(st.info.Operands))
	st.gResults = make([][]stablehlo.Type, len(st.info.Results))
	if err := p.parseForm(st, f); err != nil {
		return err
	}
	return p.finishShort(st)
}

// finishShort puts the groups together, unless the form gave operands and types whole.
func (p *parser) finishShort(st *opState) error {
	if st.operands == nil {
		for _, g := range st.groups {
			st.operands = append(st.operands, g...)
		}
	}
	if st.types == nil {
		for _, g := range st.gTypes {
			st.types = append(st.types, g...)
		}
	}
	if st.results == nil {
		for _, g := range st.gResults {
			st.results = append(st.results, g...)
		}
	}
	if len(st.types) != len(st.operands) {
		return p.errorf("expected types of %d operands, got %d", len(st.operands), len(st.types))
	}
	return p.finish(st)
}
