package mlirtext

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// This file reads and writes the forms of the dialect sdy, whose attributes are opaque.

// parseStripped reads an attribute that the text gives without dialect and name:
// <@mesh, [{"x"}]> for #sdy.sharding<@mesh, [{"x"}]>. The name is that of the slot.
func (p *parser) parseStripped(st *opState, e *element) error {
	pos := p.place()
	if p.peek() != '<' {
		a, err := p.parseAttribute()
		if err != nil {
			return err
		}
		return p.setProp(st, pos, e.attr.Name, a)
	}
	body, err := p.opaqueBody()
	if err != nil {
		return err
	}
	return p.setProp(st, pos, e.attr.Name, shardyAttr(e.attr.Name, body))
}

// shardyAttr returns #sdy.name with a body in angle brackets.
func shardyAttr(name, body string) stablehlo.OpaqueAttr {
	return stablehlo.OpaqueAttr{Dialect: "sdy", Body: name + body}
}

// shardyBody returns what follows #sdy.name, brackets included.
func shardyBody(a stablehlo.Attribute, name string) (body string, ok bool) {
	o, ok := a.(stablehlo.OpaqueAttr)
	if !ok || o.Dialect != "sdy" || o.Angle || o.Type != nil {
		return "", false
	}
	body, ok = strings.CutPrefix(o.Body, name)
	return body, ok && strings.HasPrefix(body, "<")
}

func (p *printer) printStripped(op *stablehlo.Op, e *element) bool {
	body, ok := shardyBody(op.Attr(e.attr.Name), e.attr.Name)
	if ok {
		p.beginElement()
		p.write(body)
	}
	return ok
}

// parseManual reads
//
//	(%x) in_shardings=[<...>] out_shardings=[<...>] manual_axes={"x"} (%a: T) {
//	  ...
//	} : (U) -> V
func (p *parser) parseManual(st *opState, _ *element) error {
	var err error
	if st.groups[0], err = p.operandList(st.groups[0]); err != nil {
		return err
	}
	for _, name := range []string{"in_shardings", "out_shardings", "manual_axes"} {
		if err := p.parseManualAttr(st, name); err != nil {
			return err
		}
	}
	if err := p.parseAttrs(st); err != nil {
		return err
	}
	args := []blockArg{}
	if err := p.expect("("); err != nil {
		return err
	}
	err = p.list(")", func() error {
		a, err := p.regionArg()
		args = append(args, a)
		return err
	})
	if err != nil {
		return err
	}
	if err := p.parseRegion(st.op, args); err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	return p.parseFn(st, nil)
}

// parseManualAttr reads name=[...] or name={...}.
func (p *parser) parseManualAttr(st *opState, name string) error {
	pos := p.place()
	for _, token := range []string{name, "="} {
		if err := p.expect(token); err != nil {
			return err
		}
	}
	end := -1
	if c := p.peek(); c == '[' || c == '{' {
		end = p.balanced(p.pos)
	}
	if end < 0 {
		return p.expected("a list in brackets")
	}
	body := strings.Clone(p.text[p.pos : end+1])
	p.skipTo(end + 1)
	a := shardyAttr("sharding_per_value", "<"+body+">")
	if name == "manual_axes" {
		a = stablehlo.OpaqueAttr{Dialect: "sdy", Body: name + body, Angle: true}
	}
	return p.setProp(st, pos, name, a)
}

// isList reports whether text is one list in the given brackets.
func isList(text string, open byte) bool {
	s := scanner{text: text}
	return text != "" && text[0] == open && s.balanced(0) == len(text)-1
}

func (p *printer) printManual(op *stablehlo.Op, _ *element) bool {
	in, ok1 := shardyBody(op.Attr("in_shardings"), "sharding_per_value")
	out, ok2 := shardyBody(op.Attr("out_shardings"), "sharding_per_value")
	axes, ok3 := op.Attr("manual_axes").(stablehlo.OpaqueAttr)
	list, ok4 := strings.CutPrefix(axes.Body, "manual_axes")
	body := op.Regions[0]
	if !ok1 || !ok2 || !ok3 || !ok4 || !axes.Angle || axes.Dialect != "sdy" || len(body.Blocks) != 1 {
		return false
	}
	if !isList(in[1:len(in)-1], '[') || !isList(out[1:len(out)-1], '[') || !isList(list, '{') {
		return false
	}
	p.write("(")
	p.printOperands(op.Operands)
	p.write(") in_shardings=" + in[1:len(in)-1] + " out_shardings=" + out[1:len(out)-1] + " manual_axes=" + list)
	p.printDict(restOf(op, map[string]bool{"in_shardings": true, "out_shardings": true, "manual_axes": true}))
	p.write(" (")
	for i, v := range body.Blocks[0].Args {
		p.comma(i)
		p.printArg(v)
	}
	p.write(") ")
	p.printRegion(body, false)
	p.write(" : ")
	p.printSignature(op)
	return true
}
