package emit

import "github.com/goxla/xla/cpu/asm"

// What was loaded for several instructions, and for which there is no register, is read anew by each of them instead of
// being kept in spill space: most take it as their memory operand. That holds where nothing is written in between.

// rereadSpan is how many instructions there are at most from such a load to what uses it last.
const rereadSpan = 256

// noteRereads notes the loads that may be done again wherever their register is used, and reports whether these are
// others than before.
func (c *code) noteRereads() (changed bool) {
	uses, had := zeroed(&c.memory.uses, len(c.regs)), zeroed(&c.memory.had, len(c.regs))
	for r := range c.regs {
		had[r] = c.regs[r].reread != nil
		c.regs[r].reread = nil
	}
	for k := range c.list {
		c.list[k].countReads(uses)
	}
	for k := range c.list {
		i := &c.list[k]
		if !loadsVector(i) || i.mask != 0 || i.slot != 0 || i.r[0] <= 0 || c.regs[i.r[0]].tmp || c.passes(i.base) ||
			c.passes(i.index) || c.regs[i.r[0]].home != 0 || c.regs[i.r[0]].remake != nil {
			continue
		}
		if c.staysBehind(k, int(uses[i.r[0]])) {
			again := *i
			c.regs[i.r[0]].reread = &again
		}
	}
	for r := range c.regs {
		if had[r] != (c.regs[r].reread != nil) {
			return true
		}
	}
	return false
}

// passes reports whether r is made for one instruction.
func (c *code) passes(r reg) bool { return r > 0 && c.regs[r].tmp }

// staysBehind reports whether all uses of what the load at k makes are behind it, where memory and the registers of its
// address are still the same.
func (c *code) staysBehind(k, uses int) bool {
	l := &c.list[k]
	for n := k + 1; n < len(c.list) && n <= k+rereadSpan && uses > 0; n++ {
		i := &c.list[n]
		jumps := i.in.Op == asm.JCC || i.in.Op == asm.JMP
		if i.kind >= bind && i.kind != dead || jumps || i.in.Place == asm.InStore && i.slot == 0 {
			return false
		}
		uses -= i.timesRead(l.r[0])
		if d := i.def; d >= 0 && i.r[d] > 0 && (i.r[d] == l.base || i.r[d] == l.index || i.r[d] == l.r[0]) {
			return uses == 0 && i.r[d] != l.r[0]
		}
	}
	return uses == 0
}

// takeReread makes what a load made, which has no register, a memory operand of i, or loads it again.
func (s *spiller) takeReread(i *ins) {
	for _, r := range i.r[1:] {
		if !s.has(r) || s.code.regs[r].reread == nil || timesIn(i, r) != 1 {
			continue
		}
		if s.code.takesLoad(i, s.code.regs[r].reread) {
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
