package hlotext

import (
	"strconv"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// operands reads the operands of an instruction, in parentheses. As in XLA, any
// number of commas may stand between and around them.
func (p *parser) operands() []*node {
	var operands []*node
	if p.enter() && p.expect(kindLeftParen, "in front of operands") {
		p.skipCommas()
		for p.ok() && p.tok.kind != kindRightParen {
			operands = append(operands, p.operand())
			p.skipCommas()
		}
		p.expect(kindRightParen, "behind operands")
	}
	p.leave()
	return operands
}

func (p *parser) skipCommas() {
	for p.ok() && p.accept(kindComma) {
	}
}

// operand reads one operand: [shape] name, [shape] name#0#1, or an instruction
// without attributes. As in XLA, an error in it is reported where it begins.
func (p *parser) operand() *node {
	start := p.tok.pos
	n := p.operandAt(start)
	if p.ok() && p.tok.kind != kindComma && p.tok.kind != kindRightParen {
		p.expected("',' or ')' behind an operand")
	}
	if p.err != nil {
		at := p.position(start)
		p.err.Pos.Line, p.err.Pos.Column = at.Line, at.Column
	}
	return n
}

func (p *parser) operandAt(start int) *node {
	var declared *shape.Shape
	if p.atShape() {
		s := p.shape()
		declared = &s
	}
	if p.tok.kind == kindIdent && p.peek().kind == kindLeftParen {
		h := head{pos: p.tok.pos, nested: true, declared: declared != nil}
		if h.declared {
			h.shape = *declared
		}
		return p.fromOpcode(h)
	}
	name := ""
	if !(declared != nil && p.inSingle() && (p.tok.kind == kindComma || p.tok.kind == kindRightParen)) {
		name = p.name()
	}
	n := p.lookUp(name, declared)
	n, isElement := p.tupleElements(n, name)
	if !p.ok() {
		return nil
	}
	if declared != nil && !n.shape.EqualIgnoringLayout(*declared) {
		what := "operand " + name
		if isElement {
			what = "tuple element of " + name
		}
		p.failAt(start, "expects the shape of the %s, %v, got %v", what, n.shape, *declared)
	}
	return n
}

// inSingle reports whether the text is one instruction and its own operands are being read.
func (p *parser) inSingle() bool { return p.single != nil && p.scope == p.single }

// lookUp returns the instruction called name in the computation that is being read.
// In a text of one instruction it makes a parameter of a name that is not known.
func (p *parser) lookUp(name string, declared *shape.Shape) *node {
	if !p.ok() {
		return nil
	}
	if n := p.scope.named[name]; n != nil {
		return n
	}
	switch {
	case !p.inSingle():
		p.fail("expects an instruction defined before, got %q", name)
		return nil
	case declared == nil:
		p.fail("expects a shape with the operand %s of a single instruction", name)
		return nil
	}
	number := len(p.scope.params)
	if name == "" {
		name = "_" + strconv.Itoa(number)
	}
	n := &node{name: p.intern(name), pos: p.tok.pos, at: p.position(p.tok.pos), code: op.Parameter, shape: *declared,
		attrs: &op.ParameterAttrs{Number: number}, owned: true}
	p.scope.named[n.name] = n
	p.scope.params[number] = n
	p.append(p.scope, n)
	return n
}

// tupleElements reads #0#1 behind an operand and returns the element that it is,
// one get-tuple-element for each new index.
func (p *parser) tupleElements(n *node, name string) (element *node, found bool) {
	for p.ok() && p.accept(kindHash) {
		found = true
		index := p.integer()
		switch {
		case !p.ok():
			return nil, true
		case !n.shape.IsTuple():
			p.fail("expects a tuple in front of #%d, got %v", index, n.shape)
			return nil, true
		case index < 0 || index >= len(n.shape.Elems):
			p.fail("expects a tuple index in [0, %d), got %d", len(n.shape.Elems), index)
			return nil, true
		}
		name += "#" + strconv.Itoa(index)
		n = p.tupleElement(n, name, index)
	}
	return n, found
}

func (p *parser) tupleElement(n *node, name string, index int) *node {
	if known := p.scope.named[name]; known != nil {
		return known
	}
	e := &node{name: p.intern(name), pos: p.tok.pos, at: p.position(p.tok.pos), code: op.GetTupleElement,
		shape: n.shape.Elems[index], operands: []*node{n}, attrs: &op.GetTupleElementAttrs{Index: index}, owned: true}
	p.scope.named[name] = e
	p.append(p.scope, e)
	return e
}
