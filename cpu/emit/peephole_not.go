package emit

import (
	"github.com/goxla/xla/cpu/asm"
)

// foldNots does without turning a mask around, on AVX2, where a conjunction or a blend is its only use: the one can do
// that itself, the other takes its choices the other way. uses are those that sweep found.
func (c *code) foldNots(uses []int32) {
	if c.target.AVX512 {
		return
	}
	for k := range c.list {
		i := &c.list[k]
		if i.kind != plain || i.in.Place != asm.InReg || i.def != 0 {
			continue
		}
		switch i.in.Op {
		case asm.VPANDD, asm.VANDPS:
			for n := 1; n <= 2; n++ {
				if m := c.foldNot(k, i.r[n], uses); m != 0 {
					i.in.Op, i.r[1], i.r[2] = asm.VPANDND, m, i.r[3-n]
					break
				}
			}
		case asm.VPBLENDVB, asm.VBLENDVPS, asm.VBLENDVPD:
			if m := c.foldNot(k, i.r[3], uses); m != 0 {
				i.r[1], i.r[2], i.r[3] = i.r[2], i.r[1], m
			}
		}
	}
}

// foldNot returns the mask that is r turned around, and removes the instruction that makes r for that at k; 0 if there
// is no such mask.
func (c *code) foldNot(k int, r reg, uses []int32) reg {
	if r <= 0 || uses[r] != 1 {
		return 0
	}
	for n := k - 1; n >= 0 && n >= k-2*farthest; n-- {
		i := &c.list[n]
		switch {
		case i.kind == bind || i.kind >= loopStart && i.kind != dead:
			return 0
		case i.kind == dead || i.def < 0 || i.r[i.def] != r:
			continue
		case i.kind != plain || i.in.Op != asm.VPXORD || i.in.Place != asm.InReg || !c.holdsOnes(i.r[2]) ||
			c.writes(i, n+1, k):
			return 0
		}
		i.kind = dead
		return i.r[1]
	}
	return 0
}

// holdsOnes reports whether r is a constant, of ones in every bit.
func (c *code) holdsOnes(r reg) bool {
	k := c.constantOf(r)
	return k != nil && k.size != 0 && k.word == 1<<64-1
}
