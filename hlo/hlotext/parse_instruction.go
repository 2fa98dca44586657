package hlotext

import (
	"strconv"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// instruction reads `name = shape opcode(operands), attributes`.
func (p *parser) instruction() *node {
	pos := p.tok.pos
	name := p.instructionName()
	return p.rightSide(name, pos)
}

func (p *parser) instructionName() string {
	name := p.intern(p.name())
	p.expect(kindEqual, "behind the name of an instruction")
	return name
}

// head is an instruction up to its opcode.
type head struct {
	name     string
	pos      int
	nested   bool // it stands in the operands of another
	declared bool // the text gives a shape
	shape    shape.Shape
	code     op.Code
	wrapped  op.Code // of custom-call-start: custom-call
}

// rightSide reads what stands behind "=".
func (p *parser) rightSide(name string, pos int) *node {
	h := head{name: name, pos: pos}
	if h.declared = p.atShape(); h.declared {
		h.shape = p.shape()
	}
	return p.fromOpcode(h)
}

// fromOpcode reads an instruction from its opcode on and adds it to the computation.
func (p *parser) fromOpcode(h head) *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	at := p.position(h.pos)
	p.opcode(&h)
	defer p.nameError(&h)
	if !h.declared && h.code.Info().Has(op.NeedsShape) {
		p.fail("expects a shape in front of %v, which cannot be inferred", h.code)
	}
	n := &node{name: h.name, pos: h.pos, at: at, code: h.code, shape: h.shape, wrapped: h.wrapped}
	p.arguments(n, &h)
	p.addNode(n)
	return n
}

// nameError completes an error in the instruction.
func (p *parser) nameError(h *head) {
	if p.err == nil || p.err.Instr != "" {
		return
	}
	p.err.Instr = h.name
	if p.err.Op == op.Invalid {
		p.err.Op = h.code
	}
}

// asyncSuffixes are the ends of opcodes that are short for an asynchronous instruction around another.
var asyncSuffixes = [...]struct {
	suffix string
	code   op.Code
}{{"-start", op.AsyncStart}, {"-update", op.AsyncUpdate}, {"-done", op.AsyncDone}}

// hasOwnAsync reports whether c has asynchronous forms that are opcodes of their own.
func hasOwnAsync(c op.Code) bool {
	switch c {
	case op.AllGather, op.AllReduce, op.CollectivePermute, op.Copy, op.Recv, op.Send:
		return true
	}
	return false
}

// opcode reads the opcode.
func (p *parser) opcode(h *head) {
	start := p.tok
	if start.kind != kindIdent {
		p.expected("an opcode")
		return
	}
	code, known := op.ParseCode(start.text)
	for _, s := range asyncSuffixes {
		inner, found := strings.CutSuffix(start.text, s.suffix)
		if known || !found {
			continue
		}
		h.wrapped, known = op.ParseCode(inner)
		known = known && !hasOwnAsync(h.wrapped)
		code = s.code
	}
	if !known && !h.declared {
		p.fail("expects an opcode, or a shape in front of it, got %v", start)
		return
	}
	if !known {
		p.fail("expects an opcode, got %v", start)
		return
	}
	h.code = code
	p.advance()
}

// addNode checks n as a whole and adds it to the computation that is being read.
func (p *parser) addNode(n *node) {
	if !p.ok() {
		return
	}
	c := p.scope
	if n.name == "" {
		n.name = p.anonymousName(n.code)
	} else if clean := hlo.Sanitize(n.name); clean != n.name {
		p.failAt(n.pos, "expects a legal instruction name such as %s, got %s", clean, n.name)
		return
	}
	p.finishCommon(n)
	if _, exists := c.named[n.name]; exists {
		p.failAt(n.pos, "expects a name that no instruction of the computation has, got %s", n.name)
		return
	}
	c.named[n.name] = n
	p.append(c, n)
}

// append adds n to c without a name that the text can use.
func (p *parser) append(c *comp, n *node) {
	c.nodes = append(c.nodes, n)
	c.calls = append(c.calls, n.called...)
	if p.counts.instructions++; p.counts.instructions > maxInstructions {
		p.fail("expects at most %d instructions", maxInstructions)
	}
}

// anonymousName returns a name for a nested instruction: abs.anon, abs.anon.1, ...
func (p *parser) anonymousName(c op.Code) string {
	if p.anonymous == nil {
		p.anonymous = map[op.Code]int{}
	}
	for {
		name := c.String() + ".anon"
		if k := p.anonymous[c]; k > 0 {
			name += "." + strconv.Itoa(k)
		}
		p.anonymous[c]++
		if _, exists := p.scope.named[name]; !exists {
			return name
		}
	}
}
