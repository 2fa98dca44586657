package hlo

import (
	"iter"

	"github.com/goxla/xla/op"
)

// PostOrder returns the instructions so that each stands behind its operands and
// control predecessors. In a scheduled module it is the schedule, which all
// computations but the fused have; otherwise it is the order of DataOrder.
func (c *Computation) PostOrder() []*Instruction {
	if c.module.IsScheduled && !c.IsFused() {
		return c.Instructions()
	}
	return c.DataOrder()
}

// DataOrder returns the instructions in the order that dependences give, whatever the
// schedule: as in XLA, a depth-first walk from each instruction without users, in the
// order in which they were added; control predecessors from the last to the first, then
// operands from the first to the last. On a cycle, which only a broken module has, every
// instruction still comes once. The slice is not to be changed.
func (c *Computation) DataOrder() []*Instruction {
	if known := c.order.Load(); known != nil {
		return *known
	}
	order := c.dataOrder()
	c.order.Store(&order)
	return order
}

// changed forgets the order of c, which an edit may change.
func (c *Computation) changed() {
	if c != nil && c.order.Load() != nil {
		c.order.Store(nil)
	}
}

func (c *Computation) dataOrder() []*Instruction {
	var usual walkMemory
	w, order := newWalk(c, &usual), make([]*Instruction, 0, len(c.Instructions()))
	for _, i := range c.Instructions() {
		if len(i.users) == 0 {
			order, _ = w.from(i, order)
		}
	}
	for _, i := range c.Instructions() { // what is left hangs on a cycle
		order, _ = w.from(i, order)
	}
	return order
}

// walk collects instructions in post-order without recursion: programs are chains of any length.
type walk struct {
	state    []byte         // by id
	stack    []*Instruction // empty between calls
	dataOnly bool           // operands count, control predecessors do not
}

// walkMemory is what a walk of a computation of usual size needs, for the stack of its caller.
type walkMemory struct {
	stack [64]*Instruction
	state [512]byte
}

// newWalk returns a walk of c.
func newWalk(c *Computation, usual *walkMemory) walk {
	w := walk{state: usual.state[:], stack: usual.stack[:0]}
	if c.nextID > len(w.state) {
		w.state = make([]byte, c.nextID)
	}
	return w
}

// States of an instruction in a walk.
const (
	unseen byte = iota
	open        // on the stack, its operands above it
	done
)

// from appends to order what start depends on, and it, without what was there before. cycle is an instruction that
// depends on itself, if there is one among these.
func (w walk) from(start *Instruction, order []*Instruction) (_ []*Instruction, cycle *Instruction) {
	if w.state[start.id] == done {
		return order, nil
	}
	stack := append(w.stack, start)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		if s := w.state[i.id]; s != unseen || len(i.operands) == 0 && len(i.ControlPredecessors()) == 0 {
			stack = stack[:len(stack)-1]
			if s != done {
				w.state[i.id] = done
				order = append(order, i)
			}
			continue
		}
		w.state[i.id] = open
		for k := range i.operands {
			o := i.operands[len(i.operands)-1-k]
			switch w.state[o.id] {
			case unseen:
				stack = append(stack, o)
			case open: // being walked is what leads here
				cycle = o
			}
		}
		if w.dataOnly {
			continue
		}
		for _, p := range i.ControlPredecessors() {
			switch w.state[p.id] {
			case unseen:
				stack = append(stack, p)
			case open:
				cycle = p
			}
		}
	}
	return order, cycle
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
// The slice is not to be changed.
func (m *Module) PostOrder() []*Computation {
	if known := m.order.Load(); known != nil && known.edits == m.edits {
		return known.list
	}
	list := m.postOrder()
	m.order.Store(&callOrder{edits: m.edits, list: list})
	return list
}

// callOrder is the order of the computations of a module that had so many edits.
type callOrder struct {
	edits int
	list  []*Computation
}

func (m *Module) postOrder() []*Computation {
	w := newCallWalker(m)
	w.order = make([]*Computation, 0, len(m.computations))
	for _, c := range m.computations {
		if c.calling == 0 {
			continue
		}
		for _, i := range c.Instructions() {
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
		for _, i := range c.Instructions() {
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

// callFrame is a computation being walked: its instructions that are still to come, and how many calls of the first of
// them were followed.
type callFrame struct {
	comp  *Computation
	left  []*Instruction
	calls int
}

// next returns the next computation that is called, nil if there is no more.
func (f *callFrame) next() *Computation {
	for k, i := range f.left {
		if f.calls < len(i.called) {
			f.left = f.left[k:]
			f.calls++
			return i.called[i.inProtoOrder(f.calls-1)]
		}
		f.calls = 0
	}
	f.left = nil
	return nil
}

func (w *callWalker) walk(start *Computation) {
	w.enter(start)
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if next := top.next(); next != nil {
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
	if c.calling > 0 {
		f.left = c.Instructions()
	}
	w.stack = append(w.stack, f)
}

// CalledInProtoOrder yields the called computations in the order of the proto,
// which for while is body, condition.
func (i *Instruction) CalledInProtoOrder() iter.Seq[*Computation] {
	return func(yield func(*Computation) bool) {
		for k := range i.called {
			if !yield(i.called[i.inProtoOrder(k)]) {
				return
			}
		}
	}
}

// inProtoOrder is the number of the called computation that has number k in the proto.
func (i *Instruction) inProtoOrder(k int) int {
	if calls := i.code.Info().Calls; calls != nil && len(calls.Proto) == len(i.called) {
		return calls.Proto[k]
	}
	return k
}
