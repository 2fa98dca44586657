package hlotext

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// build makes the module of what was read. Names are made unique over the module in
// the order of p.comps, which is XLA's.
func (p *parser) build(h header, entry *comp) *hlo.Module {
	m := hlo.NewModule(p.intern(h.name))
	m.Config = h.config
	m.File = p.file
	for _, c := range p.comps {
		c.made = m.AddComputation(c.name)
		c.made.ExecutionThread = c.thread
		c.made.Pos = c.at
	}
	for _, c := range p.comps {
		for _, n := range c.nodes {
			p.buildInstruction(c.made, n)
		}
		c.made.SetRoot(c.root.made)
	}
	m.SetEntry(entry.made)
	orderEntryLayout(m)
	return m
}

func (p *parser) buildInstruction(c *hlo.Computation, n *node) {
	operands := make([]*hlo.Instruction, len(n.operands))
	for k, o := range n.operands {
		operands[k] = o.made
	}
	var called []*hlo.Computation
	for _, k := range n.called {
		called = append(called, k.made)
	}
	i := c.Add(n.name, n.code, n.shape, operands, n.attrs, called...)
	i.Pos = n.at
	i.Sharding = n.common.sharding
	i.FrontendAttributes = n.common.frontend
	i.Statistics = n.common.statistics
	i.Origin = n.common.origin
	i.Metadata = n.common.metadata
	i.BackendConfig = n.common.backendConfig
	for _, pred := range n.common.preds {
		i.AddControlPredecessor(pred.made)
	}
	n.made = i
}

// attributes returns n's attributes for changing.
func (n *node) ownAttrs() op.Attrs {
	if !n.owned {
		n.attrs, n.owned = op.NewAttrs(n.code), true
	}
	return n.attrs
}
