package hlotext

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// program reads the whole text. Which form it is shows in the first two tokens.
func (p *parser) program() *hlo.Module {
	if p.isWord("HloModule") || p.isWord("ENTRY") || p.peek().kind == kindLeftBrace {
		return p.module()
	}
	return p.singleInstruction()
}

// header is what the first line of a module says.
type header struct {
	name   string
	config hlo.Config
	// aliasPos is where input_output_alias stands.
	aliasPos int
}

func (p *parser) module() *hlo.Module {
	h := header{}
	hasHeader := p.acceptWord("HloModule")
	if hasHeader {
		h.name = p.name()
		p.headerAttributes(&h)
	}
	tables := p.debugTables()
	entry := p.computations()
	if !p.ok() {
		return nil
	}
	if !hasHeader {
		h.name = "module_" + entry.name
	}
	p.checkAliases(&h, entry)
	if !p.ok() {
		return nil
	}
	m := p.build(h, entry)
	numberFrames(m, &tables)
	return m
}

// computations reads all computations and returns the entry: the one that says so, or the last.
func (p *parser) computations() *comp {
	var entry *comp
	for {
		start := p.tok.pos
		isEntry := p.acceptWord("ENTRY")
		c := p.computation()
		if !p.ok() {
			return nil
		}
		if isEntry && entry != nil {
			p.failAt(start, "expects only one ENTRY, got %s after %s", c.name, entry.name)
			return nil
		}
		if isEntry {
			entry = c
		}
		if _, exists := p.byName[c.name]; exists {
			p.failAt(c.pos, "expects a name that no computation has, got %s", c.name)
			return nil
		}
		p.byName[c.name] = c
		if p.tok.kind == kindEOF {
			break
		}
	}
	if entry == nil {
		entry = p.comps[len(p.comps)-1]
	}
	return entry
}

// computation reads a computation from its name on, with or without a signature,
// whose result must be that of the root.
func (p *parser) computation() *comp {
	pos := p.tok.pos
	name := p.intern(p.name())
	var result shape.Shape
	resultPos := -1
	if p.tok.kind == kindLeftParen {
		p.list(kindLeftParen, kindRightParen, func() { p.name(); p.shape() })
		p.expect(kindArrow, "in front of the result shape")
		resultPos = p.tok.pos
		result = p.shape()
	}
	c := p.body(name, pos)
	if !p.ok() {
		return nil
	}
	if resultPos >= 0 && !c.root.shape.EqualIgnoringLayout(result) {
		p.failAt(resultPos, "expects the shape of the root %s, %v, got %v", c.root.name, c.root.shape, result)
	}
	start := p.tok.pos
	for seen := false; p.accept(kindComma); seen = true {
		at := p.tok.pos
		if attribute := p.attributeName(); p.ok() && attribute != "execution_thread" {
			p.failAt(at, "expects the attribute execution_thread, got %q", attribute)
		} else if seen {
			p.failAt(start, "expects the attribute execution_thread once")
		}
		c.thread = threadName(p.quotedString())
	}
	return c
}

// threadName returns the name by which a computation keeps a thread: "" for the main one.
func threadName(thread string) string {
	if thread == "main" {
		return ""
	}
	return thread
}

// body reads the instructions of a computation, in braces.
func (p *parser) body(name string, pos int) *comp {
	outer, c := p.scope, p.newComp(name, pos)
	p.scope = c
	defer func() { p.scope = outer }()
	p.expect(kindLeftBrace, "at the start of the instructions")
	var root *node
	for p.ok() {
		start := p.tok.pos
		isRoot := p.acceptWord("ROOT")
		if isRoot && root != nil {
			p.instructionName()
			p.failAt(start, "expects one ROOT in a computation, got another after %s", root.name)
		}
		if n := p.instruction(); isRoot {
			root = n
		}
		if p.tok.kind == kindRightBrace {
			break
		}
	}
	p.expect(kindRightBrace, "at the end of the instructions")
	p.finish(c, root)
	return c
}

// finish ends the reading of c.
func (p *parser) finish(c *comp, root *node) {
	if !p.ok() {
		return
	}
	if root == nil {
		root = c.nodes[len(c.nodes)-1]
	}
	c.root = root
	c.named = nil
	for number, n := range c.params {
		if number >= len(c.params) {
			p.failParameter(c, n)
			return
		}
	}
	p.comps = append(p.comps, c)
	if len(p.comps) > maxComputations {
		p.fail("expects at most %d computations", maxComputations)
	}
}

// failParameter reports the first parameter whose number leaves a gap.
func (p *parser) failParameter(c *comp, n *node) {
	for _, m := range c.nodes {
		if a, ok := m.attrs.(*op.ParameterAttrs); ok && a.Number >= len(c.params) {
			n = m
			break
		}
	}
	p.failAt(n.pos, "expects parameter numbers from 0 to %d, got %d", len(c.params)-1,
		n.attrs.(*op.ParameterAttrs).Number)
}

// singleInstruction reads one instruction, without or with its name. Operands that
// are not known, which must have shapes, become parameters.
func (p *parser) singleInstruction() *hlo.Module {
	const name = "_"
	c := p.newComp(name, p.tok.pos)
	p.scope, p.single = c, c
	var n *node
	if p.atShape() {
		n = p.rightSide(name, p.tok.pos)
	} else {
		p.acceptWord("ROOT")
		n = p.instruction()
	}
	if p.ok() && p.tok.kind != kindEOF {
		p.expected("the end of the text after a single instruction without a module header")
	}
	nested := len(p.comps)
	p.finish(c, n)
	if !p.ok() {
		return nil
	}
	// The entry comes first, and so has the first choice of names.
	p.comps = slices.Concat(p.comps[nested:], p.comps[:nested])
	return p.build(header{name: name, config: hlo.Config{IsScheduled: true}}, c)
}
