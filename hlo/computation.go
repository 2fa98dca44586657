package hlo

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Computation is a function: parameters, instructions and a root, whose value is the result.
type Computation struct {
	// ExecutionThread is the thread it runs on; "" is the main thread.
	ExecutionThread string
	// Pos is where the text defines it.
	Pos Pos
	// Unknown is as in Module.
	Unknown string

	label
	module  *Module
	id      int            // in the module; not given again
	instrs  []*Instruction // in the order added, those removed since the last look at them among them
	root    *Instruction
	nextID  int
	calling int // instructions that call computations
	fusions int // instructions that have c fused
	edited  int // the number of the last edit: see Edited
	// order is that of DataOrder, once it was asked for; nil after an edit.
	order atomic.Pointer[[]*Instruction]
	// removed says that instrs has some that were removed; those who read c at once may all find so.
	removed    atomic.Bool
	compacting sync.Mutex
}

// Name returns the name without "%".
func (c *Computation) Name() string { return c.name }

// IsFused reports whether a fusion calls c.
func (c *Computation) IsFused() bool { return c.fusions > 0 }

// Module returns the module that c is part of.
func (c *Computation) Module() *Module { return c.module }

// SetName renames c; a name that is taken gets a suffix.
func (c *Computation) SetName(name string) {
	c.release()
	c.label = c.module.compNames.take(name)
}

// Instructions returns the instructions in the order in which they were added,
// which in a scheduled module is the order of execution. The slice is not to be changed.
//
//go:noinline
func (c *Computation) Instructions() []*Instruction {
	if c.removed.Load() {
		c.compact()
	}
	return c.instrs
}

// AddedSince returns the last instructions, those with ids from mark on, some of which may have been removed.
func (c *Computation) AddedSince(mark int) []*Instruction {
	k := len(c.instrs)
	for k > 0 && c.instrs[k-1].id >= mark {
		k--
	}
	return c.instrs[k:]
}

// NumIDs returns a bound on instruction ids: side tables of this length can be
// indexed by Instruction.ID. Ids of removed instructions are not reused.
func (c *Computation) NumIDs() int { return c.nextID }

// Root returns the instruction whose value is the result; by default the last one added.
func (c *Computation) Root() *Instruction {
	if c.root == nil && len(c.Instructions()) > 0 {
		return c.instrs[len(c.instrs)-1]
	}
	return c.root
}

// SetRoot makes i the root.
func (c *Computation) SetRoot(i *Instruction) {
	if old := c.Root(); old != i {
		c.edit()
		old.edit()
		i.edit()
	}
	c.root = i
}

// Params returns the parameters in the order of their numbers. With a number
// missing or doubled, which a verifier refuses, gaps are nil and the later one wins.
func (c *Computation) Params() []*Instruction {
	var params []*Instruction
	for _, i := range c.Instructions() {
		a, ok := i.attrs.(*op.ParameterAttrs)
		if i.code != op.Parameter || !ok || a.Number < 0 || a.Number > len(c.instrs) {
			continue
		}
		n := a.Number
		for len(params) <= n {
			params = append(params, nil)
		}
		params[n] = i
	}
	return params
}

// Signature returns the shapes and names of the parameters, and the shape of the root.
func (c *Computation) Signature() shape.Program {
	var p shape.Program
	for _, i := range c.Params() {
		if i == nil {
			p.Params, p.Names = append(p.Params, shape.Shape{}), append(p.Names, "")
			continue
		}
		p.Params, p.Names = append(p.Params, i.shape), append(p.Names, i.name)
	}
	if root := c.Root(); root != nil {
		p.Result = root.shape
	}
	return p
}

// Add appends an instruction called name, or a variant of name where that is taken;
// an empty name stands for the opcode's. Operands, attributes and shape are taken as they are: see op.Infer for the
// shape that they should have and Verify for the checks.
func (c *Computation) Add(name string, code op.Code, s shape.Shape, operands []*Instruction, attrs op.Attrs,
	called ...*Computation) *Instruction {
	return c.add(c.module.names.take(cmp.Or(name, code.String())), code, s, operands, attrs, called)
}

func (c *Computation) add(l label, code op.Code, s shape.Shape, operands []*Instruction, attrs op.Attrs,
	called []*Computation) *Instruction {
	i := &Instruction{}
	i.label, i.code, i.shape, i.attrs, i.called, i.comp, i.id = l, code, s, attrs, slices.Clone(called), c, c.nextID
	i.operands, i.users = append(i.fewOperands[:0], operands...), i.fewUsers[:0]
	i.countFusions(1)
	c.module.counts[code]++
	if len(called) > 0 {
		c.calling++
	}
	c.append(i)
	return i
}

// append puts i, which has the next id, at the end of c, and among the users of its operands.
func (c *Computation) append(i *Instruction) {
	c.nextID++
	for _, o := range i.operands {
		if n := len(o.users); n == 0 || o.users[n-1] != i { // uses of one instruction come in a row
			o.users = append(o.users, i)
			o.edit()
		}
	}
	i.edit()
	c.instrs = append(c.instrs, i)
	c.changed()
}

// Remove takes i, which must be in c, have no users and not be the root, out of c.
func (c *Computation) Remove(i *Instruction) {
	if i.comp != c {
		panic("hlo: " + i.Name() + " is removed from a computation that does not have it")
	}
	c.detach(i)
	c.removed.Store(true)
}

// compact takes out of the list what was removed.
func (c *Computation) compact() {
	c.compacting.Lock()
	defer c.compacting.Unlock()
	if c.removed.Load() {
		c.instrs = slices.DeleteFunc(c.instrs, func(i *Instruction) bool { return i.comp != c })
		c.removed.Store(false)
	}
}

// Prune takes out every instruction for which live is false. All users of such an instruction must go with it. It
// returns how many went.
func (c *Computation) Prune(live func(*Instruction) bool) int {
	instrs := c.Instructions()
	kept := instrs[:0]
	var dead []*Instruction
	for _, i := range instrs {
		if live(i) {
			kept = append(kept, i)
		} else {
			dead = append(dead, i)
		}
	}
	clear(instrs[len(kept):])
	c.instrs = kept
	for _, i := range slices.Backward(dead) { // users mostly stand behind
		c.detach(i)
	}
	return len(dead)
}

func (c *Computation) detach(i *Instruction) {
	for k, o := range i.operands {
		if !slices.Contains(i.operands[:k], o) {
			o.dropUser(i)
		}
	}
	i.operands = nil
	c.changed()
	c.edit()
	i.countFusions(-1)
	c.module.counts[i.code]--
	if len(i.called) > 0 {
		c.calling--
	}
	for _, p := range slices.Clone(i.ControlPredecessors()) {
		i.RemoveControlPredecessor(p)
	}
	for _, s := range slices.Clone(i.ControlSuccessors()) {
		s.RemoveControlPredecessor(i)
	}
	if c.root == i {
		c.root = nil
	}
	i.release()
	i.comp = nil
}

// SetOrder makes order, which must hold the instructions of c, their order: the
// schedule, if the module is scheduled.
func (c *Computation) SetOrder(order []*Instruction) {
	c.instrs = slices.Clone(order)
	c.removed.Store(false)
	c.changed()
	c.edit()
}
