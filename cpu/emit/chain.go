package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
)

// A value that a loop carries is often what it was with several products added, one after the other. Each sum would
// have a register of its own while that of the carried value waits for the last of them: all of them can have that.

// inPlace has the values that lead from each of phis, registers that a loop carries, to its next value, which the code
// from on makes in the same register, made there as well.
func (c *code) inPlace(phis []reg, from int) {
	if len(phis) == 0 {
		return
	}
	f := &chainFinder{code: c, newest: slices.Max(phis)}
	for _, d := range phis {
		f.chain(d, from)
	}
}

// isStraight reports whether what is in front of i runs as often as i, and i as often as what is behind it.
func (i *ins) isStraight() bool {
	return (i.kind < bind || i.kind == dead) && i.in.Op != asm.JCC && i.in.Op != asm.JMP
}

// chainFinder finds chains in straight code.
type chainFinder struct {
	*code
	newest reg // of those that were there in front of the loop: what the loop makes is newer
	d      reg
	// made is, by register, 1 more than where the straight code makes it, 0 if it does not, -1 if several times; uses is
	// how often the code from there on uses it.
	made, uses []int32
	oldest     int // the last place in front of the end where d is used
	links      []link
}

// link is an instruction of a chain, and the operand that the one before it made.
type link struct{ at, operand int }

// chain finds the chain of d, a vector, and has it made in place: a mask may be a register of another kind than what
// it is made from.
func (f *chainFinder) chain(d reg, from int) {
	if f.classOfReg(d) != vecClass {
		return
	}
	last := len(f.list) - 1
	for last >= from && !f.list[last].makes(d) {
		last--
	}
	if last < from || !f.isPlain(last) || f.list[last].mentions(d) {
		return
	}
	straight := last
	for straight > from && f.list[straight-1].isStraight() {
		straight--
	}
	f.d, f.links = d, f.links[:0]
	if f.look(straight, last); f.oldest < straight || !f.follow(last) {
		return
	}
	for _, l := range f.links {
		r := f.list[l.at].r[l.operand]
		f.list[l.at].r[l.operand] = d
		f.list[f.made[r]-1].r[0] = d
	}
}

// look notes what is made and used from straight on.
func (f *chainFinder) look(straight, last int) {
	f.made, f.uses = zeroed(f.memory, &f.memory.places, len(f.regs)), zeroed(f.memory, &f.memory.uses, len(f.regs))
	f.oldest = -1
	for k := straight; k < len(f.list); k++ {
		i := &f.list[k]
		i.countReads(f.uses)
		if k < last && (i.mentions(f.d) || i.makes(f.d)) {
			f.oldest = k
		}
		if i.def < 0 || i.r[i.def] <= 0 {
			continue
		}
		if r := i.r[i.def]; f.made[r] == 0 && k <= last {
			f.made[r] = int32(k + 1)
		} else {
			f.made[r] = -1
		}
	}
}

// follow appends the links from where d is used last to instruction k, and reports whether they are a chain.
func (f *chainFinder) follow(k int) bool {
	i := &f.list[k]
	if k == f.oldest {
		return i.mentions(f.d)
	}
	for n := 3; n > 0; n-- {
		r := i.r[n]
		if r <= f.newest || f.uses[r] != 1 || f.made[r] <= 0 || f.classOfReg(r) != vecClass || f.regs[r].constant != 0 {
			continue
		}
		at := int(f.made[r] - 1)
		if at >= k || at < f.oldest || !f.isPlain(at) || !f.follow(at) {
			continue
		}
		f.links = append(f.links, link{k, n})
		return true
	}
	return false
}

// isPlain reports whether instruction k makes nothing but its first operand, of others that are read before.
func (f *chainFinder) isPlain(k int) bool {
	i := &f.list[k]
	return (i.kind == plain || i.kind == fused) && i.def == 0 && !i.late && i.tie == 0 && i.in.Place != asm.InStore
}

// makes reports whether i writes d.
func (i *ins) makes(d reg) bool { return i.def >= 0 && i.r[i.def] == d }
