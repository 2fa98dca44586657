package emit

import "github.com/goxla/xla/cpu/asm"

// What was loaded for several instructions, and for which there is no register, is read anew by each of them instead of
// being kept in spill space: most take it as their memory operand. That holds where nothing is written in between.

// rereadSpan is how many instructions there are at most from such a load to what uses it last.
const rereadSpan = 256

// noteRereads notes the loads that may be done again wherever their register is used, and reports whether these are
// others than before: those behind which all uses of what they make are, where memory and the registers of the address
// are still the same.
func (c *code) noteRereads() (changed bool) {
	w := c.newRereads()
	for n := range c.list {
		i := &c.list[n]
		jumps := i.in.Op == asm.JCC || i.in.Op == asm.JMP
		if i.kind >= bind && i.kind != dead || jumps || i.in.Place == asm.InStore && i.slot == 0 {
			w.end()
			continue
		}
		if len(w.open) > 0 {
			w.visit(i, n)
		}
		if c.mayReread(i) {
			w.load(i.r[0], n)
		}
	}
	w.end()
	c.memory.open = w.open
	for r := range c.regs {
		if w.had[r] != (c.regs[r].reread != 0) {
			return true
		}
	}
	return false
}

// mayReread reports whether i is a load that could be done again.
func (c *code) mayReread(i *ins) bool {
	return loadsVector(i) && i.mask == 0 && i.slot == 0 && i.r[0] > 0 && !c.regs[i.r[0]].tmp && !c.passes(i.base) &&
		!c.passes(i.index) && c.regs[i.r[0]].home|c.regs[i.r[0]].remake == 0
}

// rereads is the state of a walk over the code that finds such loads.
type rereads struct {
	code *code
	had  []bool  // by register: it had such a load
	uses []int32 // by register
	// loads are by register the load that made it, if all since then is as it should be.
	loads []lastLoad
	open  []reg // those with a load
}

// lastLoad is a load: 1 more than its place, 0 for none, and how many uses there are still to come.
type lastLoad struct{ at, left int32 }

func (c *code) newRereads() *rereads {
	m := c.memory
	w := &rereads{code: c, had: zeroed(m, &m.had, len(c.regs)), uses: zeroed(m, &m.uses, len(c.regs)),
		loads: zeroed(m, &m.loads, len(c.regs)), open: m.open[:0]}
	for r := range c.regs {
		w.had[r] = c.regs[r].reread != 0
		c.regs[r].reread = 0
	}
	for k := range c.list {
		c.list[k].countReads(w.uses)
	}
	return w
}

// load notes that the instruction at n loads r.
func (w *rereads) load(r reg, n int) {
	w.loads[r] = lastLoad{int32(n + 1), w.uses[r]}
	w.open = append(w.open, r)
	if w.uses[r] == 0 {
		w.note(r)
	}
}

// visit notes what instruction i, which is at n, reads and writes.
func (w *rereads) visit(i *ins, n int) {
	d := reg(0)
	if i.def >= 0 && i.r[i.def] > 0 {
		d = i.r[i.def]
		w.loads[d].at = 0
	}
	for k, r := range i.r {
		if r > 0 && k != int(i.def) && w.loads[r].at > 0 {
			w.read(r, n)
		}
	}
	for _, r := range [...]reg{i.index, i.tie} { // a vector is no base, and no mask
		if r > 0 && w.loads[r].at > 0 {
			w.read(r, n)
		}
	}
	if d > 0 && w.code.regs[d].class == genClass {
		w.move(d)
	}
}

// read notes that the instruction at n reads r, which has a load.
func (w *rereads) read(r reg, n int) {
	l := &w.loads[r]
	if l.left--; l.left == 0 && n < int(l.at)+rereadSpan {
		w.note(r)
	}
}

// note notes the load of r.
func (w *rereads) note(r reg) { w.code.regs[r].reread = w.loads[r].at }

// keepRereads keeps the loads that were noted of the registers of list, as the code is about to be made anew.
func (c *code) keepRereads(list []reg) {
	m := c.memory
	m.again = m.again[:0]
	for _, r := range list {
		if in := &c.regs[r]; in.reread != 0 {
			m.again = append(m.again, c.list[in.reread-1])
			in.reread = int32(len(m.again))
		}
	}
}

// move forgets the loads whose addresses have d, which changes.
func (w *rereads) move(d reg) {
	for _, r := range w.open {
		if at := w.loads[r].at; at > 0 && (w.code.list[at-1].base == d || w.code.list[at-1].index == d) {
			w.loads[r].at = 0
		}
	}
}

// end forgets all loads.
func (w *rereads) end() {
	for _, r := range w.open {
		w.loads[r].at = 0
	}
	w.open = w.open[:0]
}

// passes reports whether r is made for one instruction.
func (c *code) passes(r reg) bool { return r > 0 && c.regs[r].tmp }

// takeReread makes what a load made, which has no register, a memory operand of i, or loads it again.
func (s *spiller) takeReread(i *ins) {
	for _, r := range i.r[1:] {
		if !s.has(r) || s.code.regs[r].reread == 0 || timesIn(i, r) != 1 {
			continue
		}
		if s.code.takesLoad(i, s.code.rereadOf(r)) {
			return
		}
	}
}

// timesIn is how many operands of i are r.
func timesIn(i *ins, r reg) (n int) {
	i.operands(func(o *reg) {
		if *o == r {
			n++
		}
	})
	return n
}
