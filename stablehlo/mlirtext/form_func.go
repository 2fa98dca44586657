package mlirtext

import (
	"github.com/goxla/xla/stablehlo"
)

// This file reads the forms of modules and functions.

// parseModuleForm reads @name attributes {...} { ... }.
func (p *parser) parseModuleForm(st *opState, _ *element) error {
	if pos := p.place(); p.peek() == '@' {
		name, err := p.symbolName()
		if err != nil {
			return err
		}
		if err := p.setProp(st, pos, "sym_name", stablehlo.StringAttr{Value: name}); err != nil {
			return err
		}
	}
	if p.accept("attributes") {
		if err := p.parseAttrs(st); err != nil {
			return err
		}
	}
	if err := p.parseRegion(st.op, nil); err != nil {
		return err
	}
	if r := st.op.Regions[0]; len(r.Blocks) == 0 {
		r.AddBlock()
	}
	return nil
}

// signature is what stands between the parentheses of a function.
type signature struct {
	args    []blockArg // named if the function has a body
	types   []stablehlo.Type
	attrs   []stablehlo.Attribute // *DictAttr of each
	hasAttr bool
}

// parseFunction reads
//
//	public @name(%x: T {...}, ...) -> (U {...}) attributes {...} { ... }
//
// A function without a body has types only.
func (p *parser) parseFunction(st *opState, _ *element) error {
	pos := p.place()
	for _, word := range []string{"public", "private", "nested"} {
		if p.accept(word) {
			if err := p.setProp(st, pos, "sym_visibility", stablehlo.StringAttr{Value: word}); err != nil {
				return err
			}
			break
		}
	}
	name, err := p.symbolName()
	if err != nil {
		return err
	}
	if err := p.setProp(st, pos, "sym_name", stablehlo.StringAttr{Value: name}); err != nil {
		return err
	}
	var in, out signature
	if err := p.parseParameters(&in, true); err != nil {
		return err
	}
	if p.accept("->") {
		if err := p.parseFuncResults(&out); err != nil {
			return err
		}
	}
	return p.parseFunctionRest(st, &in, &out)
}

// parseFunctionRest reads attributes and body after the types.
func (p *parser) parseFunctionRest(st *opState, in, out *signature) error {
	pos := p.place()
	f := &stablehlo.FunctionType{Inputs: in.types, Results: out.types}
	props := []stablehlo.NamedAttribute{{Name: "function_type", Value: stablehlo.TypeAttr{Type: f}}}
	if in.hasAttr {
		props = append(props, stablehlo.NamedAttribute{Name: "arg_attrs", Value: &stablehlo.ArrayAttr{Elems: in.attrs}})
	}
	if out.hasAttr {
		props = append(props, stablehlo.NamedAttribute{Name: "res_attrs", Value: &stablehlo.ArrayAttr{Elems: out.attrs}})
	}
	for _, a := range props {
		if err := p.setProp(st, pos, a.Name, a.Value); err != nil {
			return err
		}
	}
	if p.accept("attributes") {
		if err := p.parseAttrs(st); err != nil {
			return err
		}
	}
	if p.peek() != '{' {
		if len(in.args) > 0 {
			return p.expected("a body of a function whose arguments have names")
		}
		st.op.AddRegion()
		return nil
	}
	if len(in.args) != len(in.types) {
		return p.errorf("expected no body of a function whose arguments have no names")
	}
	if err := p.parseRegion(st.op, in.args); err != nil {
		return err
	}
	if r := st.op.Regions[0]; len(r.Blocks) == 0 {
		r.AddBlock()
	}
	return nil
}

// parseParameters reads (...): %x: type {...} loc(...), or type {...}.
func (p *parser) parseParameters(s *signature, named bool) error {
	if err := p.expect("("); err != nil {
		return err
	}
	return p.list(")", func() error {
		if p.peek() != '%' || !named {
			if len(s.args) > 0 {
				return p.expected("an argument such as %x")
			}
			return p.parseParameter(s)
		}
		if len(s.args) < len(s.types) {
			return p.expected("a type")
		}
		a := blockArg{}
		var err error
		if a.operand, err = p.needOperand(); err != nil {
			return err
		}
		if err := p.expect(":"); err != nil {
			return err
		}
		if err := p.parseParameter(s); err != nil {
			return err
		}
		a.typ = s.types[len(s.types)-1]
		err = p.argLoc(&a)
		s.args = append(s.args, a)
		return err
	})
}

// parseParameter reads type {...}.
func (p *parser) parseParameter(s *signature) error {
	t, err := p.parseType()
	if err != nil {
		return err
	}
	d := &stablehlo.DictAttr{}
	if p.peek() == '{' {
		if d.Entries, err = p.parseEntries(); err != nil {
			return err
		}
		s.hasAttr = s.hasAttr || len(d.Entries) > 0
	}
	s.types = append(s.types, t)
	s.attrs = append(s.attrs, d)
	return nil
}

// parseFuncResults reads type or (type {...}, ...).
func (p *parser) parseFuncResults(s *signature) error {
	if p.peek() == '(' {
		return p.parseParameters(s, false)
	}
	t, err := p.parseType()
	s.types = []stablehlo.Type{t}
	return err
}
