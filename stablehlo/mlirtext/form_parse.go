package mlirtext

import (
	"github.com/goxla/xla/stablehlo"
)

// elementParser returns what reads an element of a kind.
func elementParser(k elementKind) func(*parser, *opState, *element) error {
	return [...]func(*parser, *opState, *element) error{
		elemLiteral:   (*parser).parseLiteral,
		elemOperand:   (*parser).parseOperandSlot,
		elemAttr:      (*parser).parseAttrSlot,
		elemOperands:  (*parser).parseAllOperands,
		elemAttrs:     func(p *parser, st *opState, _ *element) error { return p.parseAttrs(st) },
		elemFn:        (*parser).parseFn,
		elemTypeIn:    (*parser).parseTypeIn,
		elemTypeOut:   (*parser).parseTypeOut,
		elemOptional:  (*parser).parseOptional,
		elemDirective: func(p *parser, st *opState, e *element) error { return e.directive.parse(p, st, e) },
	}[k]
}

// parseForm reads the short form of an operation.
func (p *parser) parseForm(st *opState, f *form) error { return p.parseGroup(st, f.elements) }

func (p *parser) parseGroup(st *opState, elements []element) error {
	for i := range elements {
		if err := elementParser(elements[i].kind)(p, st, &elements[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) parseLiteral(_ *opState, e *element) error { return p.expect(e.text) }

// parseOperandSlot reads the operands of a slot.
func (p *parser) parseOperandSlot(st *opState, e *element) error {
	if st.info.Operands[e.slot].Arity == stablehlo.Variadic {
		var err error
		st.groups[e.slot], err = p.appendOperands(st.groups[e.slot])
		return err
	}
	o, ok, err := p.parseOperand()
	if err != nil {
		return err
	}
	if !ok {
		return p.expected("an operand such as %x: " + st.info.Operands[e.slot].Name)
	}
	st.groups[e.slot] = append(st.groups[e.slot], o)
	return nil
}

// parseAllOperands reads all operands: of a short form as many as the row says, of the
// generic form, where e is nil, any number.
func (p *parser) parseAllOperands(st *opState, e *element) error {
	pos := p.place()
	var err error
	if st.operandBuf, err = p.appendOperands(st.operandBuf[:0]); err != nil {
		return err
	}
	st.operands = st.operandBuf
	if e == nil {
		return nil
	}
	fixed := true
	for _, s := range st.info.Operands {
		fixed = fixed && s.Arity == stablehlo.One
	}
	if n := len(st.info.Operands); fixed && len(st.operands) != n {
		return p.errorAt(pos, "expected %d operands, got %d", n, len(st.operands))
	}
	return nil
}

// parseFn reads (types) -> types of all operands and results.
func (p *parser) parseFn(st *opState, _ *element) error {
	st.gather()
	return p.parseSignature(st)
}

// parseTypeIn reads the types of a slot of operands.
func (p *parser) parseTypeIn(st *opState, e *element) (err error) {
	st.gTypes[e.slot], err = p.appendTypeList(st.gTypes[e.slot], len(st.groups[e.slot]))
	return err
}

// appendTypeList reads n types with commas between them.
func (p *parser) appendTypeList(types []stablehlo.Type, n int) ([]stablehlo.Type, error) {
	for i := range n {
		if i > 0 && !p.accept(",") {
			return nil, p.expected(`","`)
		}
		t, err := p.parseType()
		if err != nil {
			return nil, err
		}
		types = append(types, t)
	}
	return types, nil
}

// parseTypeOut reads the types of a slot of results.
func (p *parser) parseTypeOut(st *opState, e *element) error {
	variadic := st.info.Results[e.slot].Arity == stablehlo.Variadic
	for {
		t, err := p.parseType()
		if err != nil {
			return err
		}
		st.gResults[e.slot] = append(st.gResults[e.slot], t)
		if !variadic || !p.accept(",") {
			return nil
		}
	}
}

// parseOptional reads an optional part if it begins here. A part that begins with a
// comma is told from others by the word after it.
func (p *parser) parseOptional(st *opState, e *element) error {
	if !p.begins(e.group) {
		return nil
	}
	return p.parseGroup(st, e.group)
}

// begins reports whether the text goes on with the elements.
func (p *parser) begins(elements []element) bool {
	m := p.mark()
	defer p.reset(m)
	for _, e := range elements {
		switch e.kind {
		case elemLiteral:
			if !p.accept(e.text) {
				return false
			}
		case elemOperand:
			return p.peek() == '%'
		case elemTypeIn:
			return true
		default:
			return true
		}
	}
	return true
}

// parseAttrSlot reads an attribute as its kind is written: numbers and enums without
// their type, lists of numbers in brackets.
func (p *parser) parseAttrSlot(st *opState, e *element) error {
	pos := p.place()
	a, err := p.parseKind(e.attr.Kind)
	if err != nil {
		return err
	}
	if !e.attr.Kind.Check(a) {
		return p.errorAt(pos, "expected %s for %s, got %s", e.attr.Kind.Want, e.attr.Name, a)
	}
	return p.setProp(st, pos, e.attr.Name, a)
}

// parseKind reads an attribute of a kind.
func (p *parser) parseKind(k *stablehlo.AttrKind) (stablehlo.Attribute, error) {
	c := p.peek()
	switch {
	case k.Enum != nil && c != '#' && c != '[':
		return p.parseEnumWord(k.Enum)
	case k.Type != nil && c == '[':
		p.pos++
		return p.parseArrayElements(k.Type, "]")
	case k.Type != nil && (c == '-' || isDigit(c)):
		return p.parseNumber(k.Type)
	case k.Name == "str" && c == '"': // a colon after it belongs to the operation
		value, err := p.stringValue()
		return stablehlo.StringAttr{Value: value}, err
	}
	return p.parseAttribute()
}

// setProp gives the operation an attribute of its form.
func (p *parser) setProp(st *opState, pos stablehlo.Pos, name string, a stablehlo.Attribute) error {
	if st.op.Attr(name) != nil {
		return p.errorAt(pos, "expected each attribute once, got %s again", name)
	}
	st.op.SetAttr(name, a)
	return nil
}
