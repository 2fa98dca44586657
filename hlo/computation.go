package hlo

import (
	"cmp"
	"iter"
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Computation is a function: parameters, instructions and a root, whose value is the result.
type Computation struct {
	// ExecutionThread is the thread it runs on; "" is the main thread.
	ExecutionThread string
	// Pos is where the text defines it.
	Pos Pos

	module *Module
	name   string
	instrs []*Instruction // in the order added; a removed one leaves no hole
	root   *Instruction
	nextID int
}

// Name returns the name without "%".
func (c *Computation) Name() string { return c.name }

// Module returns the module that c is part of.
func (c *Computation) Module() *Module { return c.module }

// SetName renames c; a name that is taken gets a suffix.
func (c *Computation) SetName(name string) {
	c.module.compNames.release(c.name)
	c.name = c.module.compNames.take(name)
}

// Instructions returns the instructions in the order in which they were added,
// which in a scheduled module is the order of execution. The slice is not to be changed.
func (c *Computation) Instructions() []*Instruction { return c.instrs }

// NumIDs returns a bound on instruction ids: side tables of this length can be
// indexed by Instruction.ID. Ids of removed instructions are not reused.
func (c *Computation) NumIDs() int { return c.nextID }

// Root returns the instruction whose value is the result; by default the last one added.
func (c *Computation) Root() *Instruction {
	if c.root == nil && len(c.instrs) > 0 {
		return c.instrs[len(c.instrs)-1]
	}
	return c.root
}

// SetRoot makes i the root.
func (c *Computation) SetRoot(i *Instruction) { c.root = i }

// Params returns the parameters in the order of their numbers. With a number
// missing or doubled, which a verifier refuses, gaps are nil and the later one wins.
func (c *Computation) Params() []*Instruction {
	var params []*Instruction
	for _, i := range c.instrs {
		if i.code != op.Parameter {
			continue
		}
		n := i.attrs.(*op.ParameterAttrs).Number
		if n < 0 || n > len(c.instrs) {
			continue
		}
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
	i := &Instruction{code: code, shape: s, attrs: attrs, called: called, comp: c, id: c.nextID}
	c.nextID++
	i.name = c.module.names.take(cmp.Or(name, code.String()))
	i.operands = slices.Clone(operands)
	for _, o := range operands {
		if n := len(o.users); n == 0 || o.users[n-1] != i { // uses of one instruction come in a row
			o.users = append(o.users, i)
		}
	}
	c.instrs = append(c.instrs, i)
	return i
}

// Remove takes i, which must have no users and not be the root, out of c.
func (c *Computation) Remove(i *Instruction) {
	for k := range i.operands {
		i.operands[k].dropUser(i)
	}
	i.operands = nil
	for _, p := range slices.Clone(i.ctrlPreds) {
		i.RemoveControlPredecessor(p)
	}
	for _, s := range slices.Clone(i.ctrlSuccs) {
		s.RemoveControlPredecessor(i)
	}
	k := slices.Index(c.instrs, i)
	c.instrs = slices.Delete(c.instrs, k, k+1)
	c.module.names.release(i.name)
	i.comp = nil
}

// PostOrder returns the instructions so that each stands behind its operands and
// control predecessors. In a scheduled module it is the schedule. Otherwise, as in
// XLA: a depth-first walk from each instruction that has no users, in the order in
// which they were added; operands from left to right, then control predecessors.
// On a cycle, which only broken input has, every instruction still comes once.
func (c *Computation) PostOrder() []*Instruction {
	if c.module.IsScheduled {
		return c.instrs
	}
	order := make([]*Instruction, 0, len(c.instrs))
	state := make([]byte, c.nextID) // 0 new, 1 on the stack, 2 done
	for _, i := range c.instrs {
		if len(i.users) == 0 {
			order = walk(i, state, order)
		}
	}
	for _, i := range c.instrs { // reachable only through control edges or a cycle
		order = walk(i, state, order)
	}
	return order
}

// walk appends to order what start depends on and start itself, without recursion:
// programs are chains of any length.
func walk(start *Instruction, state []byte, order []*Instruction) []*Instruction {
	stack := []*Instruction{start}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		if state[i.id] != 0 {
			stack = stack[:len(stack)-1]
			if state[i.id] == 1 {
				state[i.id], order = 2, append(order, i)
			}
			continue
		}
		state[i.id] = 1
		for _, p := range slices.Backward(i.ctrlPreds) {
			if state[p.id] == 0 {
				stack = append(stack, p)
			}
		}
		for _, o := range slices.Backward(i.operands) {
			if state[o.id] == 0 {
				stack = append(stack, o)
			}
		}
	}
	return order
}

// PostOrder returns the computations so that each stands behind those that it
// calls: depth-first from the computations that nobody calls, over the
// instructions in post-order and their called computations in proto order.
func (m *Module) PostOrder() []*Computation {
	state := make(map[*Computation]byte, len(m.computations))
	called := map[*Computation]bool{}
	for _, c := range m.computations {
		for _, i := range c.instrs {
			for _, k := range i.called {
				called[k] = true
			}
		}
	}
	var order []*Computation
	var visit func(c *Computation)
	visit = func(c *Computation) {
		if state[c] != 0 {
			return
		}
		state[c] = 1
		for _, i := range c.PostOrder() {
			for k := range i.CalledInProtoOrder() {
				visit(k)
			}
		}
		order = append(order, c)
	}
	for _, c := range m.computations {
		if !called[c] {
			visit(c)
		}
	}
	for _, c := range m.computations {
		visit(c)
	}
	return order
}

// CalledInProtoOrder yields the called computations in the order of the proto,
// which for while is body, condition.
func (i *Instruction) CalledInProtoOrder() iter.Seq[*Computation] {
	return func(yield func(*Computation) bool) {
		calls := i.code.Info().Calls
		for k := range i.called {
			if calls != nil && len(calls.Proto) == len(i.called) {
				k = calls.Proto[k]
			}
			if !yield(i.called[k]) {
				return
			}
		}
	}
}
