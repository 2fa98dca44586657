package emit

import (
	"github.com/goxla/xla/cpu/asm"
)

// spill moves registers to memory: to where the value is anyway, as that of a constant, or to spill space. Where an
// instruction can read memory it reads it there; elsewhere a short-lived register is loaded. If there are vectors
// among them, it comes behind noteRereads.
func (c *code) spill(list []reg) {
	m := c.memory
	s := &spiller{code: c, at: zeroed(m, &m.places, len(c.regs)), left: m.uses, slots: make([]mem, len(list))}
	for k, r := range list {
		s.at[r] = int32(k + 1)
		switch in := &c.regs[r]; {
		case in.home != 0:
			s.slots[k] = mem{base: rsi, slot: in.home}
		case in.remake|in.reread == 0:
			s.slots[k] = c.newSlot(in.class)
		}
	}
	c.keepRereads(list)
	w := c.again(fewestMore + c.mostAdded(list))
	done := 0 // what is in front of here is in the list
	for k := range w.old {
		if i := &w.old[k]; s.touches(i) {
			w.add(done, k)
			done = k + 1
			s.together(w.old[k:])
			s.rewrite(*i)
		}
	}
	w.end(done)
}

// Lists become longer by no more instructions than mostAdded, about, and this.
const fewestMore = 32

// mostAdded is how many instructions load and store the registers of list, if each that reads one loads it.
func (c *code) mostAdded(list []reg) int {
	n := len(list)
	for _, r := range list {
		if int(r) < len(c.memory.uses) {
			n += int(c.memory.uses[r])
		}
	}
	return n
}

// rewriting makes the list anew: in the memory in front of what was there, old, as long as that is enough.
type rewriting struct {
	code  *code
	old   []ins
	front int // where old begins
	limit int // the list, in the same memory, ends here at the latest
}

// again empties the list, to be made anew; it becomes longer by n, about.
func (c *code) again(n int) *rewriting {
	front := c.keepFront(n)
	w := &rewriting{code: c, old: c.list, front: front, limit: front}
	c.list = c.memory.room[:0:front]
	return w
}

// add adds old instructions from, to-1 to the list, where old ones from the latter on are still to be read.
func (w *rewriting) add(from, to int) {
	c := w.code
	if cap(c.list) == w.limit { // it has not moved to memory of its own, which would be more
		w.limit = w.front + to
		c.list = c.memory.room[:len(c.list):w.limit]
	}
	c.list = append(c.list, w.old[from:to]...)
}

// end adds the old instructions from from on, the last.
func (w *rewriting) end(from int) {
	c := w.code
	w.add(from, len(w.old))
	if cap(c.list) == w.limit {
		c.list = c.memory.room[:len(c.list)]
	}
	c.memory.room = c.list
}

const (
	// fewestTogether is how many instructions near one another load a spilled vector once for all of them, and
	// togetherSpan how far apart the first and the last are.
	fewestTogether = 4
	togetherSpan   = 24
	// The same of a constant where registers are few: the copies of an instruction.
	fewestCopies = 3
	copiesSpan   = 8
)

// together gives a spilled vector that list[0] reads a register again, if enough of the instructions that follow
// read it too: a load for each would take longer than the arithmetic. If that register is spilled as well, they do
// load it each. Where registers are few, one more would take the place of another; there only constants have one, and
// only as long as nothing else needs it.
func (s *spiller) together(list []ins) {
	fewest, span := fewestTogether, togetherSpan
	if !s.code.target.AVX512 {
		fewest, span = fewestCopies, copiesSpan
	}
	list[0].reads(func(r reg) {
		if !s.has(r) || !s.code.mayReload(r) {
			return
		}
		s.left[r]--
		if int(s.left[r])+1 < fewest {
			return
		}
		uses, end := usesNear(list[:min(len(list), span)], r)
		if uses < fewest {
			return
		}
		t := s.reload(r)
		for k := range list[:end] {
			list[k].operands(func(o *reg) {
				if *o == r {
					*o = t
				}
			})
		}
	})
}

// mayReload reports whether several instructions may share a load of r, which is spilled.
func (c *code) mayReload(r reg) bool {
	in := &c.regs[r]
	if in.home != 0 || in.shared || in.reread != 0 || in.class != vecClass {
		return false
	}
	if c.target.AVX512 {
		return in.remake == 0
	}
	return in.constant != 0
}

// reload loads r to a register that may be spilled again.
func (s *spiller) reload(r reg) reg {
	t := s.code.newReg(vecClass)
	s.loadTo(t, r)
	if from := s.code.regs[r]; from.constant != 0 {
		s.code.regs[t] = info{class: vecClass, constant: from.constant, remake: from.remake, shared: true}
	} else {
		s.code.regs[t].home = s.slot(r).slot
	}
	return t
}

// usesNear counts the instructions of list that read r, up to one that changes it or may not be followed by the
// next, and returns the end of the last of them.
func usesNear(list []ins, r reg) (uses, end int) {
	for k := range list {
		i := &list[k]
		jumps := i.in.Op == asm.JCC || i.in.Op == asm.JMP
		if i.kind >= bind && i.kind != dead || i.kind == move || jumps || i.tie == r || i.def >= 0 && i.r[i.def] == r {
			break
		}
		if x := &i.r; x[0] == r || x[1] == r || x[2] == r || x[3] == r || i.base == r || i.index == r || i.mask == r {
			uses, end = uses+1, k+1
		}
	}
	return uses, end
}

// newSlot returns new spill space; where it is, placeSlots decides.
func (c *code) newSlot(k class) mem {
	c.slots = append(c.slots, slot{wide: k == vecClass})
	return mem{base: rsi, slot: int32(len(c.slots))}
}

// isElsewhere reports whether memory, or an instruction, has what the register holds anyway.
func (in *info) isElsewhere() bool { return in.remake|in.reread|in.home != 0 }

type spiller struct {
	code *code
	// at is, by register that there was, 1 more than its place in slots, 0 if it is not spilled.
	at    []int32
	slots []mem
	// left is, by register that may be reloaded, how often it is read from here on, at most.
	left []int32
}

func (s *spiller) has(r reg) bool { return r > 0 && int(r) < len(s.at) && s.at[r] > 0 }

// slot is where r is, which is spilled.
func (s *spiller) slot(r reg) mem { return s.slots[s.at[r]-1] }

// touches reports whether i has spilled registers.
func (s *spiller) touches(i *ins) bool {
	for _, r := range i.r {
		if s.has(r) {
			return true
		}
	}
	return i.base|i.index|i.mask|i.tie != 0 && (s.has(i.base) || s.has(i.index) || s.has(i.mask) || s.has(i.tie))
}

// rewrite appends i with its spilled registers replaced.
func (s *spiller) rewrite(i ins) {
	if !s.touches(&i) {
		s.code.add(i)
		return
	}
	if d := i.r[0]; i.def == 0 && s.has(d) && s.code.regs[d].isElsewhere() {
		return
	}
	if i.kind == move && s.rewriteMove(&i) {
		return
	}
	s.takeReread(&i)
	s.fold(&i)
	var loaded [2 * len(i.r)]struct{ from, to reg } // an operand each
	count := 0
	fill := func(r *reg) {
		if !s.has(*r) {
			return
		}
		for _, l := range loaded[:count] {
			if l.from == *r {
				*r = l.to
				return
			}
		}
		t := s.load(*r)
		loaded[count].from, loaded[count].to = *r, t
		*r = t
		count++
	}
	for k := range i.r {
		if k != int(i.def) {
			fill(&i.r[k])
		}
	}
	fill(&i.base)
	fill(&i.index)
	fill(&i.mask)
	tied := i.tie
	fill(&i.tie)
	if i.def < 0 || !s.has(i.r[i.def]) {
		s.code.add(i)
		return
	}
	d := i.r[i.def]
	if tied == d {
		i.r[i.def] = i.tie
	} else {
		i.r[i.def] = s.tmp(d)
	}
	s.code.add(i)
	s.save(d, i.r[i.def])
}

// rewriteMove makes a move with one side in memory a load or a store.
func (s *spiller) rewriteMove(i *ins) bool {
	dst, src := i.r[0], i.r[1]
	switch {
	case s.has(dst) && !s.has(src):
		s.save(dst, src)
	case s.has(src) && !s.has(dst):
		s.loadTo(dst, src)
	default:
		return false
	}
	return true
}

func (s *spiller) tmp(r reg) reg {
	t := s.code.newReg(s.code.classOfReg(r))
	s.code.regs[t].tmp = true
	return t
}

func (s *spiller) load(r reg) reg {
	t := s.tmp(r)
	s.loadTo(t, r)
	return t
}

// By class: how a whole register is loaded and stored.
var transfers = [numClasses]struct {
	op   asm.Op
	size asm.Size
}{maskClass: {asm.KMOVQ, 0}, genClass: {asm.MOV, asm.W64}}

func (c *code) transfer(k class) (asm.Op, asm.Size) {
	if k == vecClass {
		return asm.VMOVUPS, c.vl
	}
	return transfers[k].op, transfers[k].size
}

func (s *spiller) loadTo(t, r reg) {
	c := s.code
	if i := c.remakeOf(r); i != nil {
		c.add(*c.wholeLoad(i, r))
		c.last().r[0] = t
		return
	}
	if i := c.rereadOf(r); i != nil {
		again := *i
		again.r[0] = t
		s.rewrite(again)
		return
	}
	op, size := c.transfer(c.regs[r].class)
	i := ins{in: inst(op, size, 2), r: [4]reg{t}}
	c.place(&i, s.slot(r), asm.InLoad)
	c.add(i)
}

func (s *spiller) save(r, t reg) {
	c := s.code
	op, size := c.transfer(c.regs[r].class)
	i := ins{in: inst(op, size, 2), def: -1, r: [4]reg{0, t}}
	c.place(&i, s.slot(r), asm.InStore)
	c.add(i)
}

// fold makes one spilled operand of i a memory operand, if i has a form for that.
func (s *spiller) fold(i *ins) {
	if i.in.Place != asm.InReg || i.in.Op.General() || i.def != 0 || i.kind != plain && i.kind != fused {
		return
	}
	if s.code.classOfReg(i.r[0]) == genClass {
		return
	}
	if i.kind == fused {
		for k := 3; k > 0; k-- {
			if s.foldAt(i, k) {
				i.at = int8(k)
				return
			}
		}
		return
	}
	if shiftsByImmediate(i) {
		return
	}
	probe := i.in
	probe.Place = asm.InLoad
	k := probe.MemAt()
	if k == 2 && s.has(i.r[1]) && !s.has(i.r[2]) && commutes(i.in.Op) {
		i.r[1], i.r[2] = i.r[2], i.r[1]
	}
	if k > 0 {
		s.foldAt(i, k)
	}
}

// foldAt makes operand k memory if it is spilled and stands nowhere else in i.
func (s *spiller) foldAt(i *ins, k int) bool {
	r := i.r[k]
	if r <= 0 || !s.has(r) || s.code.regs[r].class != vecClass || i.tie == r || s.code.regs[r].reread != 0 {
		return false
	}
	for n, o := range i.r {
		if n != k && o == r {
			return false
		}
	}
	c := s.code
	if con := c.constantOf(r); con == nil {
		c.place(i, s.slot(r), asm.InLoad)
	} else if n := i.in.Op.Element(); c.target.AVX512 && con.size != 0 && n >= int(con.size) && i.in.Op.HasEVEX() {
		i.in.Mem = c.element(con, n)
		i.in.Opt |= asm.Bcst
		i.in.Place = asm.InLoad
	} else {
		i.in.Mem = c.whole(con)
		i.in.Place = asm.InLoad
	}
	i.r[k] = 0
	return true
}
