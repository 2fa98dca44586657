package order

import (
	"math"
	"math/bits"
	"slices"

	"github.com/goxla/xla/cpu/asm"
)

// mostRegs is how many registers of elements a network sorts.
func mostRegs(wide bool) int {
	if wide {
		return 16
	}
	return 8
}

// emitNetwork emits the kernel that sorts count arrays of n elements, a the first one and each at bytes behind the one
// before. n is at most as many as mostRegs hold.
//
// The elements are sorted in the lanes first, from register to register, and then pairs of neighbouring lanes, of two,
// of four and so on are merged: so element lane*registers+register is where it belongs, and most exchanges
// need no shuffle. Interleaving the registers puts them in the order of memory.
func emitNetwork(g gen) {
	n := network{gen: g}
	n.prologue()
	forms := map[int]asm.Label{}
	for r := 1; r < mostRegs(g.wide); r *= 2 {
		forms[r] = n.NewLabel()
		n.RI(asm.CMP, asm.W64, asm.R8, int64(r*n.lanes))
		n.Jcc(asm.BE, forms[r])
	}
	n.form(mostRegs(g.wide))
	for r := mostRegs(g.wide) / 2; r >= 1; r /= 2 {
		n.Bind(forms[r])
		n.form(r)
	}
}

// network emits a network.
type network struct {
	gen
	at   []asm.Vec // of the registers of elements
	free []asm.Vec
}

// Registers with constants: the count, the largest number, the orders that turn 8 and 16 lanes around, and those that
// interleave two registers.
func (n *network) constants() (count, most, turn8, turn16, low, high asm.Vec) {
	if n.wide {
		return 31, 30, 29, 28, 27, 26
	}
	return 15, 14, 13, 0, 0, 0
}

// laneBit is the opmask of the lanes with a bit in their number.
func laneBit(bit int) asm.K { return asm.K(2 + bit) }

func (n *network) prologue() {
	n.load(asm.RAX, argA)
	n.load(asm.R8, argN)
	n.load(asm.RCX, argCount)
	n.load(asm.RDX, argAt)
	_, most, turn8, turn16, low, high := n.constants()
	largest := uint64(math.MaxInt64)
	if n.size == 4 {
		largest = math.MaxInt32<<32 | math.MaxInt32
	}
	n.V2M(n.move(), n.vl, most, n.Splat64(n.vl, largest))
	if n.lanes >= 8 {
		n.V2M(n.move(), n.vl, turn8, n.lanesConst(func(i int) int { return i ^ 7 }))
	}
	if !n.wide {
		return
	}
	n.V2M(n.move(), n.vl, turn16, n.lanesConst(func(i int) int { return i ^ 15 }))
	n.V2M(n.move(), n.vl, low, n.lanesConst(func(i int) int { return i/2 + i%2*n.lanes }))
	n.V2M(n.move(), n.vl, high, n.lanesConst(func(i int) int { return (i+n.lanes)/2 + i%2*n.lanes }))
	for bit := range bits.Len(uint(n.lanes - 1)) {
		n.RI(asm.MOV, asm.W32, asm.R9, []int64{0xAAAA, 0xCCCC, 0xF0F0, 0xFF00}[bit])
		n.KG(asm.KMOVWKR, laneBit(bit), asm.R9)
	}
}

// form emits the loop for arrays of regs registers, the last half of which may be there in part.
func (n *network) form(regs int) {
	n.at, n.free = n.at[:0], n.free[:0]
	_, _, last, _, _, high := n.constants()
	if n.wide {
		last = high
	}
	for v := range last {
		n.free = append(n.free, v)
	}
	n.Align(aligned)
	next := n.Here()
	n.loads(regs)
	n.lanewise(regs)
	for k := 1; 1<<k <= n.lanes; k++ {
		n.merge(k)
	}
	for r := 1; r < regs; r *= 2 {
		n.interleave()
	}
	n.stores()
	n.RR(asm.ADD, asm.W64, asm.RAX, asm.RDX)
	n.RI(asm.SUB, asm.W64, asm.RCX, 1)
	n.Jcc(asm.NE, next)
	n.end()
}

func (n *network) take() asm.Vec {
	v := n.free[0]
	n.free = n.free[1:]
	return v
}

func (n *network) give(v asm.Vec) { n.free = append(n.free, v) }

// part sets the mask of the lanes of register r that have elements: opmask 1, or the register returned.
func (n *network) part(r int) asm.Vec {
	count, _, _, _, _, _ := n.constants()
	from := n.lanesConst(func(i int) int { return r*n.lanes + i })
	if n.wide {
		n.KVMI(n.by(asm.VPCMPD, asm.VPCMPQ), n.vl, 1, count, from, asm.CmpGT)
		return 0
	}
	mask := n.take()
	n.V3M(n.by(asm.VPCMPGTD, asm.VPCMPGTQ), n.vl, mask, count, from)
	return mask
}

func (n *network) place(r int) asm.Mem { return asm.M(asm.RAX, int32(r*n.bytes())) }

// whole reports whether all lanes of register r have elements, whatever the number.
func (n *network) whole(r, regs int) bool { return r < regs/2 }

// loads loads the elements, and the largest number where there are none.
func (n *network) loads(regs int) {
	count, most, _, _, _, _ := n.constants()
	n.spread(count, argN)
	for r := range regs {
		v := n.take()
		n.at = append(n.at, v)
		switch {
		case n.whole(r, regs):
			n.V2M(n.move(), n.vl, v, n.place(r))
		case n.wide:
			n.part(r)
			n.V2(n.move(), n.vl, v, most)
			n.V2M(n.move(), n.vl, v, n.place(r), asm.Mask(1))
		default:
			mask := n.part(r)
			n.V3M(n.by(asm.VPMASKMOVD, asm.VPMASKMOVQ), n.vl, v, mask, n.place(r))
			n.V4(n.by(asm.VBLENDVPS, asm.VBLENDVPD), n.vl, v, most, v, mask)
			n.give(mask)
		}
	}
}

func (n *network) stores() {
	for r, v := range n.at {
		switch {
		case n.whole(r, len(n.at)):
			n.MV(n.move(), n.vl, n.place(r), v)
		case n.wide:
			n.part(r)
			n.MV(n.move(), n.vl, n.place(r), v, asm.Mask(1))
		default:
			mask := n.part(r)
			n.MV2(n.by(asm.VPMASKMOVD, asm.VPMASKMOVQ), n.vl, n.place(r), mask, v)
			n.give(mask)
		}
	}
}

// lanewise sorts each lane, by Batcher's exchanges of odd and even elements.
func (n *network) lanewise(regs int) {
	for p := 1; p < regs; p *= 2 {
		for k := p; k >= 1; k /= 2 {
			for j := k % p; j+k < regs; j += 2 * k {
				for i := j; i < min(j+k, regs-k); i++ {
					if i/(2*p) == (i+k)/(2*p) {
						n.exchange(i, i+k)
					}
				}
			}
		}
	}
}

// exchange puts the smaller ones of registers i and j in i.
func (n *network) exchange(i, j int) {
	low := n.sorted(n.at[i], n.at[j])
	n.give(n.at[i])
	n.at[i] = low
}

// sorted returns the smaller ones of a and b; b becomes the larger ones.
func (n *network) sorted(a, b asm.Vec) (low asm.Vec) {
	low = n.take()
	if n.wide || n.size == 4 {
		n.V3(n.by(asm.VPMINSD, asm.VPMINSQ), n.vl, low, a, b)
		n.V3(n.by(asm.VPMAXSD, asm.VPMAXSQ), n.vl, b, a, b)
		return low
	}
	more := n.take()
	n.V3(asm.VPCMPGTQ, n.vl, more, a, b)
	n.V4(asm.VBLENDVPD, n.vl, low, a, b, more)
	n.V4(asm.VBLENDVPD, n.vl, b, b, a, more)
	n.give(more)
	return low
}

// merge merges the sorted lanes of neighbouring groups of 1<<k-1: the first one with the second one backwards, and then
// what is ever closer.
func (n *network) merge(k int) {
	regs, turn := len(n.at), 1<<k-1
	if regs == 1 {
		n.laneStep(0, turn, k-1)
	}
	for r := range regs / 2 {
		back := regs - 1 - r
		b := n.take()
		n.turned(b, n.at[back], turn)
		n.give(n.at[back])
		low := n.sorted(n.at[r], b)
		n.give(n.at[r])
		x, y := n.take(), n.take()
		n.blend(x, low, b, k-1)
		n.blend(y, b, low, k-1)
		n.turned(b, y, turn)
		n.give(low)
		n.give(y)
		n.at[r], n.at[back] = x, b
	}
	for bit := k - 2; bit >= 0; bit-- {
		for r := range regs {
			n.laneStep(r, 1<<bit, bit)
		}
	}
	for apart := regs / 2; apart >= 1; apart /= 2 {
		for r := range regs {
			if r&apart == 0 {
				n.exchange(r, r|apart)
			}
		}
	}
}

// laneStep orders the lanes of register r with those whose number differs in the bits of turn; the larger one goes
// where bit is set.
func (n *network) laneStep(r, turn, bit int) {
	v, b := n.at[r], n.take()
	n.turned(b, v, turn)
	if n.wide {
		low := n.take()
		n.V3(n.by(asm.VPMINSD, asm.VPMINSQ), n.vl, low, v, b)
		n.V3(n.by(asm.VPMAXSD, asm.VPMAXSQ), n.vl, low, v, b, asm.Mask(laneBit(bit)))
		n.give(b)
		n.give(v)
		n.at[r] = low
		return
	}
	low := n.sorted(v, b)
	n.blend(v, low, b, bit)
	n.give(low)
	n.give(b)
}

// blend sets d to the lanes of a, and of b where the lane has the bit.
func (n *network) blend(d, a, b asm.Vec, bit int) {
	switch {
	case n.wide:
		n.V3(n.by(asm.VPBLENDMD, asm.VPBLENDMQ), n.vl, d, a, b, asm.Mask(laneBit(bit)))
	case n.size == 4:
		n.V3I(asm.VPBLENDD, n.vl, d, a, b, []uint8{0xAA, 0xCC, 0xF0}[bit])
	default:
		n.V3I(asm.VPBLENDD, n.vl, d, a, b, []uint8{0xCC, 0xF0}[bit])
	}
}

// turned sets lane i of d to lane i^turn of v.
func (n *network) turned(d, v asm.Vec, turn int) {
	_, _, turn8, turn16, _, _ := n.constants()
	switch step := turn * n.size / 4; {
	case turn == 15:
		n.V3(asm.VPERMD, n.vl, d, turn16, v)
	case turn == 7:
		n.V3(n.by(asm.VPERMD, asm.VPERMQ), n.vl, d, turn8, v)
	case turn == 3 && n.size == 8:
		n.V2I(asm.VPERMQI, n.vl, d, v, 0x1B)
	case step < 4:
		n.V2I(asm.VPSHUFD, n.vl, d, v, []uint8{1: 0xB1, 2: 0x4E, 3: 0x1B}[step])
	case step == 4 && (!n.wide || n.size == 8):
		n.V2I(asm.VPERMQI, n.vl, d, v, 0x4E)
	case step == 4:
		n.V3I(asm.VSHUFI32X4, n.vl, d, v, v, 0xB1)
	default:
		n.V3I(asm.VSHUFI32X4, n.vl, d, v, v, 0x4E)
	}
}

// interleave puts the lanes of the registers of the second half behind those of the first.
func (n *network) interleave() {
	_, _, _, _, low, high := n.constants()
	half := len(n.at) / 2
	old := slices.Clone(n.at)
	for i := range half {
		a, b, d := old[i], old[half+i], n.take()
		if n.wide {
			n.V2(n.move(), n.vl, d, low)
			n.V3(n.by(asm.VPERMI2D, asm.VPERMI2Q), n.vl, d, a, b)
			n.V3(n.by(asm.VPERMT2D, asm.VPERMT2Q), n.vl, a, high, b)
			n.at[2*i], n.at[2*i+1] = d, a
			n.give(b)
			continue
		}
		e := n.take()
		n.V3(n.by(asm.VPUNPCKLDQ, asm.VPUNPCKLQDQ), n.vl, d, a, b)
		n.V3(n.by(asm.VPUNPCKHDQ, asm.VPUNPCKHQDQ), n.vl, e, a, b)
		n.V3I(asm.VPERM2I128, n.vl, a, d, e, 0x20)
		n.V3I(asm.VPERM2I128, n.vl, b, d, e, 0x31)
		n.at[2*i], n.at[2*i+1] = a, b
		n.give(d)
		n.give(e)
	}
}
