package hlo

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/goxla/xla/op"
)

// This file checks that the module is well-formed: what the methods of Module,
// Computation and Instruction keep so, unless they are given nonsense.

func (v *verifier) moduleStructure() error {
	if v.m.Name == "" {
		return v.errorf(Pos{}, "expects a module name, got none")
	}
	if v.m.entry == nil {
		return v.errorf(Pos{}, "expects an entry computation, got none")
	}
	for k, c := range v.m.computations {
		if c == nil {
			return v.errorf(Pos{}, "computation %d is nil", k)
		}
		if c.module != v.m {
			return v.errorf(c.Pos, "computation %s is of another module", c.name)
		}
		if v.known[c] {
			return v.errorf(c.Pos, "computation %s is in the module twice", c.name)
		}
		v.known[c] = true
	}
	if !v.known[v.m.entry] {
		return v.errorf(v.m.entry.Pos, "entry computation %s is not in the module", v.m.entry.name)
	}
	return nil
}

// names checks that names are well-formed and unique over the module.
func (v *verifier) names() error {
	comps := map[string]bool{}
	instrs := map[string]bool{}
	for _, c := range v.m.computations {
		if Sanitize(c.name) != c.name || comps[c.name] {
			return v.errorf(c.Pos, "computation name %q is malformed or not unique", c.name)
		}
		comps[c.name] = true
		for _, i := range c.Instructions() {
			if Sanitize(i.name) != i.name || instrs[i.name] {
				return i.errorf("", "", "name is malformed or not unique in the module")
			}
			instrs[i.name] = true
		}
	}
	return nil
}

func (v *verifier) computationStructure() error {
	for _, c := range v.m.computations {
		if len(c.Instructions()) == 0 {
			return v.errorf(c.Pos, "computation %s has no instructions", c.name)
		}
		ids := make([]bool, c.nextID)
		for _, i := range c.Instructions() {
			if i.comp != c {
				return i.errorf("", "", "is listed in computation %s but is not of it", c.name)
			}
			if i.id < 0 || i.id >= c.nextID || ids[i.id] {
				return i.errorf("", "", "id %d is out of range or not unique", i.id)
			}
			ids[i.id] = true
		}
		if root := c.Root(); root.comp != c {
			return root.errorf("", "", "is the root of computation %s but not in it", c.name)
		}
	}
	return nil
}

func (v *verifier) instructionStructure() error {
	return v.each(func(i *Instruction) error {
		if i.code == op.Invalid || i.code >= op.NumCodes {
			return i.errorf("", "", "has no valid opcode")
		}
		for k, o := range i.operands {
			if o == nil {
				return i.errorf("", "", "operand %d is nil", k)
			}
			if o.comp != i.comp {
				return i.errorf("", "", "operand %d, %%%s, is not of computation %s", k, o.name, i.comp.name)
			}
		}
		want, got := reflect.TypeOf(i.code.Info().Attrs), reflect.TypeOf(i.attrs)
		if want != got || i.attrs != nil && reflect.ValueOf(i.attrs).IsNil() {
			return i.errorf("", "", "expects attributes of type %v, got %v", want, got)
		}
		return v.calledStructure(i)
	})
}

// calledStructure checks that i calls as many computations as its operation does, all of the module.
func (v *verifier) calledStructure(i *Instruction) error {
	for k, c := range i.called {
		if !v.known[c] {
			return i.errorf("", "", "called computation %d is not in the module", k)
		}
	}
	calls, n := i.code.Info().Calls, len(i.called)
	switch {
	case calls == nil:
		lateBound := i.code == op.AsyncUpdate || i.code == op.AsyncDone
		if n > 1 || n == 1 && !lateBound {
			return i.errorf("", "", "expects no called computations, got %d", n)
		}
	case calls.List:
		if n == 0 && !calls.Optional {
			return i.errorf(calls.Names[0], "", "expects at least one computation, got none")
		}
	case n != len(calls.Names) && !(n == 0 && calls.Optional):
		return i.errorf("", "", "expects %d called computations, got %d", len(calls.Names), n)
	}
	return nil
}

// users checks that the users of each instruction are those that have it as an operand, each once.
func (v *verifier) users() error {
	for _, c := range v.m.computations {
		users := make([][]*Instruction, c.nextID) // by id, each list by id of the user
		for _, i := range byID(c.Instructions()) {
			for _, o := range i.operands {
				if list := users[o.id]; len(list) == 0 || list[len(list)-1] != i {
					users[o.id] = append(list, i)
				}
			}
		}
		for _, i := range c.Instructions() {
			if !slices.Equal(byID(i.users), users[i.id]) {
				return i.errorf("", "", "has %d users recorded, and %d instructions that use it, or other ones",
					len(i.users), len(users[i.id]))
			}
		}
	}
	return nil
}

// byID returns instrs sorted by id.
func byID(instrs []*Instruction) []*Instruction {
	compare := func(a, b *Instruction) int { return cmp.Compare(a.id, b.id) }
	if slices.IsSortedFunc(instrs, compare) {
		return instrs
	}
	return slices.SortedStableFunc(slices.Values(instrs), compare)
}

// controlEdges checks that predecessors and successors are of the same computation and know of each other.
func (v *verifier) controlEdges() error {
	return v.each(func(i *Instruction) error {
		for _, p := range i.ControlPredecessors() {
			if p == nil || p.comp != i.comp || !slices.Contains(p.ControlSuccessors(), i) {
				return i.errorf("control-predecessors", "", "expects a predecessor that has it as successor")
			}
		}
		for _, s := range i.ControlSuccessors() {
			if s == nil || s.comp != i.comp || !slices.Contains(s.ControlPredecessors(), i) {
				return i.errorf("control-predecessors", "", "expects a successor that has it as predecessor")
			}
		}
		return nil
	})
}

// parameters checks that the parameters of a computation are numbered from 0 without gaps.
func (v *verifier) parameters() error {
	for _, c := range v.m.computations {
		var seen []*Instruction
		n := 0
		for _, i := range c.Instructions() {
			if i.code == op.Parameter {
				n++
			}
		}
		seen = make([]*Instruction, n)
		for _, i := range c.Instructions() {
			if i.code != op.Parameter {
				continue
			}
			number := i.attrs.(*op.ParameterAttrs).Number
			if number < 0 || number >= n {
				return i.errorf("", "", "parameter number %d is not in [0, %d)", number, n)
			}
			if other := seen[number]; other != nil {
				return i.errorf("", "", "parameter number %d is that of %%%s already", number, other.name)
			}
			seen[number] = i
		}
	}
	return nil
}
