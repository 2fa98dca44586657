package hlo

import "slices"

// AddClone appends to c an instruction like i, which may be of another computation or
// module, with the given operands. It has i's name or a variant of it, shape,
// attributes and annotations, but no control edges. It calls called, or the same computations as i
// where none are given, which must then be of the same module.
func (c *Computation) AddClone(i *Instruction, operands []*Instruction, called ...*Computation) *Instruction {
	if len(called) == 0 {
		called = i.called
	}
	n := c.add(c.module.names.takeLike(i.label), i.code, i.shape, operands, i.attrs, called)
	n.CopyAnnotations(i)
	n.SetUnknown(i.Unknown())
	return n
}

// Take moves i, which is of another computation of the module and has no control edges, to the end of c, with the given
// operands, as many as it has. It keeps its name, but not its users: those are to be taken behind it.
func (c *Computation) Take(i *Instruction, operands []*Instruction) {
	i.comp.changed()
	i.comp.removed.Store(true)
	if len(i.called) > 0 {
		i.comp.calling--
		c.calling++
	}
	i.comp, i.id, i.users = c, c.nextID, i.users[:0]
	copy(i.operands, operands)
	c.append(i)
}

// Rewrite says what stands for i in a copy of its computation. The operands are those
// of the copy. A rewrite adds instructions to the copy to as it needs and returns the
// one that stands for i, or nil for a plain clone.
type Rewrite func(to *Computation, i *Instruction, operands []*Instruction) *Instruction

// Clone appends a copy of c to its module, called name or a variant of it. Called
// computations are shared. Instructions keep their names up to a suffix and their order.
func (c *Computation) Clone(name string) *Computation { return c.CloneWith(name, nil) }

// CloneWith is Clone with a say on every instruction. Where the rewrite has something
// else for an instruction, its control edges go over to that.
func (c *Computation) CloneWith(name string, rewrite Rewrite) *Computation {
	to := c.module.AddComputation(name)
	cloner{rewrite: rewrite}.copy(to, c)
	return to
}

// Clone returns a copy of m that shares nothing with it that an edit could change.
// Names, order and layout of the text are the same.
func (m *Module) Clone() *Module {
	to := NewModule(m.Name)
	to.Config, to.File, to.Debug, to.Unknown = m.Config.clone(), m.File, m.Debug, m.Unknown
	to.names.roots = make(map[string]*suffixes, len(m.names.roots))
	comps := make(map[*Computation]*Computation, len(m.computations))
	for _, c := range m.computations {
		comps[c] = to.AddComputation(c.name)
	}
	cl := cloner{called: comps}
	for _, c := range m.computations {
		cl.copy(comps[c], c)
	}
	to.entry = comps[m.entry]
	return to
}

func (c Config) clone() Config {
	c.InputOutputAlias = slices.Clone(c.InputOutputAlias)
	c.BufferDonors = slices.Clone(c.BufferDonors)
	c.FrontendAttributes = slices.Clone(c.FrontendAttributes)
	c.PropagateToParameters = slices.Clone(c.PropagateToParameters)
	c.PropagateToOutput = slices.Clone(c.PropagateToOutput)
	c.OriginRecovery = slices.Clone(c.OriginRecovery)
	if c.EntryLayout != nil {
		layout := *c.EntryLayout
		layout.Params = slices.Clone(layout.Params)
		c.EntryLayout = &layout
	}
	return c
}

// cloner copies the instructions of computations.
type cloner struct {
	called  map[*Computation]*Computation // nil: the same
	rewrite Rewrite
}

// copy fills the empty computation to with what from has. Instructions are added in
// the order of from; where that has an operand behind its user, which a module that
// is not scheduled may, the copy has it in front.
func (cl cloner) copy(to, from *Computation) {
	to.ExecutionThread, to.Pos, to.Unknown = from.ExecutionThread, from.Pos, from.Unknown
	copies := make([]*Instruction, from.nextID) // by id
	to.instrs = slices.Grow(to.instrs, len(from.Instructions()))
	var operands []*Instruction
	for _, i := range operandsFirst(from) {
		if cl.rewrite != nil { // which may keep them
			operands = make([]*Instruction, 0, len(i.operands))
		}
		operands = operands[:0]
		for _, o := range i.operands {
			operands = append(operands, copies[o.id])
		}
		if cl.rewrite != nil {
			copies[i.id] = cl.rewrite(to, i, operands)
		}
		if copies[i.id] == nil {
			copies[i.id] = to.AddClone(i, operands, cl.mapped(i.called)...)
		}
	}
	for _, i := range from.Instructions() {
		for _, p := range i.ControlPredecessors() {
			copies[i.id].AddControlPredecessor(copies[p.id])
		}
	}
	if from.root != nil {
		to.root = copies[from.root.id]
	}
	if cl.rewrite == nil {
		restoreOrder(to, from, copies)
	}
}

func (cl cloner) mapped(called []*Computation) []*Computation {
	if cl.called == nil {
		return called
	}
	to := make([]*Computation, len(called))
	for k, c := range called {
		to[k] = cl.called[c]
	}
	return to
}

// operandsFirst returns the instructions in the order added, but each behind its operands.
func operandsFirst(c *Computation) []*Instruction {
	var usual walkMemory
	w, order := newWalk(c, &usual), make([]*Instruction, 0, len(c.Instructions()))
	w.dataOnly = true
	for _, i := range c.Instructions() {
		order, _ = w.from(i, order)
	}
	return order
}

// restoreOrder gives the copies the order of the originals.
func restoreOrder(to, from *Computation, copies []*Instruction) {
	if slices.EqualFunc(to.instrs, from.Instructions(), func(c, i *Instruction) bool { return c == copies[i.id] }) {
		return
	}
	order := make([]*Instruction, len(from.Instructions()))
	for k, i := range from.Instructions() {
		order[k] = copies[i.id]
	}
	to.SetOrder(order)
}
