package hlo

import (
	"iter"
	"slices"

	"github.com/goxla/xla/op"
)

// PostOrder returns the instructions so that each stands behind its operands and
// control predecessors. In a scheduled module it is the schedule, which all
// computations but the fused have; otherwise it is the order of DataOrder.
func (c *Computation) PostOrder() []*Instruction {
	if c.module.IsScheduled && !c.IsFused() {
		return c.instrs
	}
	return c.DataOrder()
}

// DataOrder returns the instructions in the order that dependences give, whatever the
// schedule: as in XLA, a depth-first walk from each instruction without users, in the
// order in which they were added; control predecessors from the last to the first, then
// operands from the first to the last. On a cycle, which only a broken module has, every
// instruction still comes once.
func (c *Computation) DataOrder() []*Instruction {
	w := newWalker(c)
	for _, i := range c.instrs {
		if len(i.users) == 0 {
			w.walk(i)
		}
	}
	for _, i := range c.instrs { // what is left hangs on a cycle
		w.walk(i)
	}
	return w.order
}

// walker collects instructions in post-order without recursion: programs are chains
// of any length.
type walker struct {
	order    []*Instruction
	state    []byte // by id
	stack    []*Instruction
	dataOnly bool         // operands count, control predecessors do not
	cycle    *Instruction // one that depends on itself
}

// usualStack is how many instructions there usually are on the stack of a walk at most.
const usualStack = 64

// newWalker returns a walker that collects the instructions of c.
func newWalker(c *Computation) walker {
	n := len(c.instrs)
	return walker{order: make([]*Instruction, 0, n), stack: make([]*Instruction, 0, min(n, usualStack)),
		state: make([]byte, c.nextID)}
}

// States of an instruction in a walk.
const (
	unseen byte = iota
	open        // on the stack, its operands above it
	done
)

func (w *walker) walk(start *Instruction) {
	if w.state[start.id] == done {
		return
	}
	w.push(start)
	for len(w.stack) > 0 {
		i := w.stack[len(w.stack)-1]
		if w.state[i.id] != unseen {
			w.stack = w.stack[:len(w.stack)-1]
			if w.state[i.id] == open {
				w.state[i.id] = done
				w.order = append(w.order, i)
			}
			continue
		}
		if len(i.operands) == 0 && len(i.ctrlPreds) == 0 {
			w.stack = w.stack[:len(w.stack)-1]
			w.state[i.id] = done
			w.order = append(w.order, i)
			continue
		}
		w.state[i.id] = open
		for _, o := range slices.Backward(i.operands) {
			w.push(o)
		}
		if w.dataOnly {
			continue
		}
		for _, p := range i.ctrlPreds {
			w.push(p)
		}
	}
}

func (w *walker) push(i *Instruction) {
	switch w.state[i.id] {
	case unseen:
		w.stack = append(w.stack, i)
	case open: // being walked is what leads here
		w.cycle = i
	}
}

// Channel returns the channel id of a collective, send or receive; ok is false
// where there is none.
func (i *Instruction) Channel() (id int, ok bool) {
	if i.attrs == nil {
		return 0, false
	}
	f, ok := op.FieldByName(i.attrs, "channel_id")
	if !ok {
		return 0, false
	}
	c := f.Pointer(i.attrs).(*op.OptInt)
	return c.Value, c.Present
}

// PostOrder returns the computations so that each stands behind those that it
// calls: depth-first from the computations that nobody calls, in the order added,
// over the instructions in the order added and their called computations in proto order.
// Where calls go round in a circle, which Verify refuses, every computation still comes once.
func (m *Module) PostOrder() []*Computation {
	w := newCallWalker(m)
	w.order = make([]*Computation, 0, len(m.computations))
	for _, c := range m.computations {
		for _, i := range c.instrs {
			for _, k := range i.called {
				w.mark(k).called = true
			}
		}
	}
	for _, c := range m.computations {
		if !w.mark(c).called {
			w.walk(c)
		}
	}
	for _, c := range m.computations {
		w.walk(c)
	}
	return w.order
}

// calledSet returns the computations that an instruction of the module calls.
func (m *Module) calledSet() map[*Computation]bool {
	called := map[*Computation]bool{}
	for _, c := range m.computations {
		for _, i := range c.instrs {
			for _, k := range i.called {
				called[k] = true
			}
		}
	}
	return called
}

// callWalker collects computations in post-order, without recursion.
type callWalker struct {
	module *Module
	order  []*Computation
	marks  []callMark // by id
	// foreign are the marks of computations of other modules, which only a broken one calls.
	foreign map[*Computation]*callMark
	stack   []callFrame
	cycle   *Computation // one that calls itself by some way
}

// callMark is what a walk knows of a computation.
type callMark struct {
	state  byte
	called bool // by an instruction of the module
}

func newCallWalker(m *Module) callWalker {
	return callWalker{module: m, marks: make([]callMark, m.nextID)}
}

func (w *callWalker) mark(c *Computation) *callMark {
	if c.module == w.module && c.id < len(w.marks) {
		return &w.marks[c.id]
	}
	if w.foreign == nil {
		w.foreign = map[*Computation]*callMark{}
	}
	k := w.foreign[c]
	if k == nil {
		k = &callMark{}
		w.foreign[c] = k
	}
	return k
}

// callFrame is a computation being walked and those of its callees that are still to come.
type callFrame struct {
	comp    *Computation
	callees []*Computation
}

func (w *callWalker) walk(start *Computation) {
	w.enter(start)
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if len(top.callees) > 0 {
			next := top.callees[0]
			top.callees = top.callees[1:]
			w.enter(next)
			continue
		}
		w.mark(top.comp).state = done
		w.order = append(w.order, top.comp)
		w.stack = w.stack[:len(w.stack)-1]
	}
}

func (w *callWalker) enter(c *Computation) {
	k := w.mark(c)
	if k.state != unseen {
		if k.state == open {
			w.cycle = c
		}
		return
	}
	k.state = open
	f := callFrame{comp: c}
	for _, i := range c.instrs {
		if len(i.called) == 0 {
			continue
		}
		for k := range i.CalledInProtoOrder() {
			f.callees = append(f.callees, k)
		}
	}
	w.stack = append(w.stack, f)
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
