package hlotext

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// computations appends all computations of m, each with an empty line behind it.
func (p *printer) computations(m *hlo.Module) {
	wrapped := map[*hlo.Computation]bool{}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Code() == op.AsyncStart && len(i.Called()) == 1 {
				wrapped[i.Called()[0]] = true
			}
		}
	}
	for _, c := range m.PostOrder() {
		if wrapped[c] && !p.o.PlainAsync && isOneInstruction(c) {
			continue // printed as the instruction that it holds
		}
		p.computation(c)
		p.text("\n\n")
	}
}

// computation appends c from its name to its closing brace.
func (p *printer) computation(c *hlo.Computation) {
	p.tab(0)
	if c.Module().Entry() == c {
		p.text("ENTRY ")
	}
	if !p.o.OmitPercent {
		p.text("%")
	}
	if !p.o.OmitIDs {
		p.text(c.Name())
		p.text(" ")
	}
	p.body(c, c.PostOrder())
}

// body appends the signature of c and its instructions in the given order.
func (p *printer) body(c *hlo.Computation, order []*hlo.Instruction) {
	if !p.o.OmitProgramShape {
		p.dst = p.signature(c).AppendText(p.dst)
		p.text(" ")
	}
	p.text("{\n")
	saved := p.frame
	p.frame = frame{numbers: make([]int32, c.NumIDs())}
	root := c.Root()
	p.indent++
	for _, i := range order {
		if p.isCompacted(i) {
			continue
		}
		p.tab(0)
		if i == root {
			p.text("ROOT ")
		}
		p.instruction(i)
		p.text("\n")
	}
	p.indent--
	p.frame = saved
	p.tab(0)
	p.text("}")
	if c.ExecutionThread != "" && !p.o.OmitIDs {
		p.text(`, execution_thread="`)
		p.text(c.ExecutionThread)
		p.text(`"`)
	}
}

func (p *printer) signature(c *hlo.Computation) shape.Program {
	s := c.Signature()
	if p.o.OmitIDs {
		for k := range s.Names {
			s.Names[k] = withoutID(s.Names[k])
		}
	}
	return s
}

// isOneInstruction reports whether c does no more than apply its root to its parameters.
func isOneInstruction(c *hlo.Computation) bool {
	root := c.Root()
	for _, i := range c.Instructions() {
		if i != root && i.Code() != op.Parameter {
			return false
		}
	}
	return true
}

// isCompacted reports whether i is printed as part of its users' operands: a
// get-tuple-element of which nothing else has to be told.
func (p *printer) isCompacted(i *hlo.Instruction) bool {
	if _, ok := i.Attrs().(*op.GetTupleElementAttrs); !ok {
		return false
	}
	return p.o.CompactTupleElements && !i.IsRoot() && len(i.Operands()) == 1 &&
		len(i.Users()) > 0 && i.Sharding == nil && len(i.FrontendAttributes) == 0 && i.BackendConfig == "" &&
		i.Statistics == nil && i.Origin == nil && len(i.ControlPredecessors()) == 0 && len(i.ControlSuccessors()) == 0
}
