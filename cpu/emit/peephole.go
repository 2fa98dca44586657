package emit

import "github.com/goxla/xla/cpu/asm"

// foldLoads makes a vector that is loaded for one instruction, soon behind and with no store between, the memory
// operand of that instruction. It saves a register and an instruction to decode. uses are those that sweep found.
func (c *code) foldLoads(uses []int32) {
	for k := range c.list {
		i := &c.list[k]
		if loadsVector(i) && i.mask == 0 && uses[i.r[0]] == 1 {
			c.foldLoad(k)
		}
	}
}

func loadsVector(i *ins) bool {
	if i.kind != plain || i.in.Place != asm.InLoad || i.def != 0 {
		return false
	}
	switch i.in.Op {
	case asm.VMOVUPS, asm.VMOVUPD, asm.VMOVDQU32, asm.VMOVDQU64, asm.VBROADCASTSS, asm.VBROADCASTSD:
		return true
	}
	return false
}

// farthest is how many instructions a load may move down.
const farthest = 32

// foldLoad looks for the use of the load at k.
func (c *code) foldLoad(k int) {
	l := &c.list[k]
	for n := k + 1; n < len(c.list) && n <= k+farthest; n++ {
		i := &c.list[n]
		if i.kind == bind || i.kind >= loopStart || i.in.Place == asm.InStore || i.in.Op == asm.JCC || i.in.Op == asm.JMP {
			return
		}
		if d := i.def; d >= 0 && (i.r[d] == l.base || i.r[d] == l.index) && i.r[d] != 0 {
			return
		}
		found := false
		i.reads(func(r reg) { found = found || r == l.r[0] })
		if found {
			if c.takesLoad(i, l) {
				l.kind = dead
			}
			return
		}
	}
}

// takesLoad makes the load l a memory operand of i, if that is possible.
func (c *code) takesLoad(i, l *ins) bool {
	if i.in.Place != asm.InReg || i.def != 0 || i.in.Op.General() || i.kind != plain && i.kind != fused ||
		i.in.Size != l.in.Size || i.tie == l.r[0] || c.classOfReg(i.r[0]) == genClass {
		return false
	}
	at := 0
	for n := 1; n < len(i.r); n++ {
		if i.r[n] == l.r[0] {
			at = n
		}
	}
	probe := i.in
	probe.Place = asm.InLoad
	rm := probe.MemAt()
	switch {
	case at == 0 || shiftsByImmediate(i):
		return false
	case i.kind == fused:
	case at == rm:
	case at == 1 && rm == 2 && commutes(i.in.Op):
		i.r[1], i.r[2] = i.r[2], i.r[1]
		at = 2
	default:
		return false
	}
	opt, ok := c.operandOption(i, &probe, l)
	if !ok {
		return false
	}
	i.at = int8(at)
	if i.kind != fused {
		i.at = 0
	}
	i.r[at] = 0
	i.in.Place, i.in.Mem = asm.InLoad, l.in.Mem
	i.in.Opt |= opt
	i.base, i.index = l.base, l.index
	return true
}

// operandOption tells how i reads what l loads: whole, or one element for all lanes.
func (c *code) operandOption(i *ins, probe *asm.Inst, l *ins) (asm.Opt, bool) {
	element := 0
	switch l.in.Op {
	case asm.VBROADCASTSS:
		element = 4
	case asm.VBROADCASTSD:
		element = 8
	}
	if element == 0 {
		return 0, probe.MemBytes() == int(l.in.Size)/8
	}
	return asm.Bcst, c.target.AVX512 && i.in.Op.Element() == element && i.in.Op.HasEVEX()
}

func shiftsByImmediate(i *ins) bool {
	return i.in.HasImm && i.in.Op >= asm.VPSLLWI && i.in.Op <= asm.VPRORQI
}

// commutes reports whether the sources of an instruction may change places.
func commutes(o asm.Op) bool {
	switch o {
	case asm.VADDPS, asm.VADDPD, asm.VMULPS, asm.VMULPD, asm.VPADDD, asm.VPADDQ, asm.VPMULLD, asm.VPMULLQ, asm.VPMULUDQ,
		asm.VANDPS, asm.VANDPD, asm.VORPS, asm.VORPD, asm.VXORPS, asm.VXORPD, asm.VPANDD, asm.VPANDQ,
		asm.VPORD, asm.VPORQ, asm.VPXORD, asm.VPXORQ, asm.VPMINSD, asm.VPMAXSD, asm.VPMINUD, asm.VPMAXUD:
		return true
	}
	return false
}

// mergeBlends lets an instruction write only the lanes for which a blend, its only use, takes its result: AVX-512
// has masks on all of them, so the blend is saved. A blend that takes it where a mask is off, and alone has a use for
// the mask, has the mask turned around. uses are those that sweep found.
func (c *code) mergeBlends(uses []int32) {
	if !c.target.AVX512 {
		return
	}
	for k := range c.list {
		b := &c.list[k]
		blends := b.in.Op == asm.VBLENDMPS || b.in.Op == asm.VBLENDMPD
		if !blends || b.in.Place != asm.InReg || b.mask == 0 || b.in.Opt != 0 || b.r[1] == b.r[2] {
			continue
		}
		if uses[b.r[2]] == 1 && c.mergeBlend(k) || uses[b.r[1]] != 1 || uses[b.mask] != 1 {
			continue
		}
		if m := c.comparison(k); m != nil {
			b.r[1], b.r[2] = b.r[2], b.r[1]
			if c.mergeBlend(k) {
				m.in.Imm ^= otherwise
			} else {
				b.r[1], b.r[2] = b.r[2], b.r[1]
			}
		}
	}
}

// otherwise is the bit that makes the opposite of a predicate of comparisons.
const otherwise = 4

// comparison looks for the one that gives the mask of the blend at k.
func (c *code) comparison(k int) *ins {
	for n := k - 1; n >= 0 && n >= k-4*farthest; n-- { // of the same copy of four
		i := &c.list[n]
		switch {
		case i.kind == bind || i.kind >= loopStart && i.kind != dead:
			return nil
		case i.kind == dead || i.def < 0 || i.r[i.def] != c.list[k].mask:
			continue
		}
		switch i.in.Op {
		case asm.VCMPPSK, asm.VCMPPDK, asm.VPCMPD, asm.VPCMPQ, asm.VPCMPUD, asm.VPCMPUQ:
			if i.mask == 0 {
				return i
			}
		}
		return nil
	}
	return nil
}

// mergeBlend looks for the instruction whose result the blend at k takes, and moves it there, if it can.
func (c *code) mergeBlend(k int) bool {
	b := &c.list[k]
	for n := k - 1; n >= 0 && n >= k-2*farthest; n-- {
		i := &c.list[n]
		if i.kind == bind || i.kind >= loopStart && i.kind != dead {
			return false
		}
		if i.kind == dead || i.def < 0 || i.r[i.def] != b.r[2] {
			continue
		}
		if !c.takesMask(i, b) || c.writes(i, n+1, k) || b.r[0] != b.r[1] && c.writes(i, k, k+1) {
			return false // the other choice would be in the way of what i reads
		}
		merged := *i
		if c.holdsZeros(b.r[1]) {
			merged.r[0], merged.mask = b.r[0], b.mask
			merged.in.Opt |= asm.Zero
			i.kind = dead
			*b = merged
			return true
		}
		if i.kind == fused {
			merged.kind, merged.in.Op, merged.in.Imm = plain, fusedOps[i.in.Imm].f231, 0
			merged.r[3] = 0
		}
		merged.r[0], merged.mask, merged.tie, merged.late = b.r[0], b.mask, b.r[1], true
		i.kind = dead
		*b = merged
		return true
	}
	return false
}

// holdsZeros reports whether r is a constant, of zeros.
func (c *code) holdsZeros(r reg) bool {
	k := c.constantOf(r)
	return k != nil && k.isZero()
}

// takesMask reports whether i can do without the blend b. What adds a product to the other choice does that in its
// register; beside zeros any instruction can be told to write them.
func (c *code) takesMask(i, b *ins) bool {
	inPlace := i.kind == fused && i.r[3] == b.r[1] && i.r[1] != i.r[3] && i.r[2] != i.r[3]
	if c.holdsZeros(b.r[1]) {
		inPlace = i.kind == fused
	}
	return (i.kind == plain || inPlace) && i.def == 0 && i.in.Place == asm.InReg && i.mask == 0 && i.tie == 0 &&
		i.in.Opt == 0 && i.in.Size == b.in.Size && i.in.Op.TakesMask() && i.in.Op.Element() == b.in.Op.Element()
}

// writes reports whether instructions from lo to hi change what i reads.
func (c *code) writes(i *ins, lo, hi int) bool {
	changed := false
	for k := lo; k < hi; k++ {
		if x := &c.list[k]; x.kind != dead && x.def >= 0 {
			i.reads(func(r reg) { changed = changed || r == x.r[x.def] })
		}
	}
	return changed
}
