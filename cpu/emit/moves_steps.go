package emit

import (
	"github.com/goxla/xla/cpu/asm"
)

// pickedSteps is movedSteps where an instruction picks elements from two whole vectors: the first holds what was found
// so far, of which lanes stay where they are, the second is the next one of memory. The last one ends with the last
// element.
func (g *gen) pickedSteps(at mem, bytes, step int) reg {
	size := int(g.c.vl) / 8
	shuffle, n := tableShuffles[bytes], size/bytes
	x := g.c.vm(asm.VMOVUPS, g.c.vl, at)
	for k := 1; k < step; k++ {
		start := size * k
		if k == step-1 {
			start -= (step - 1) * bytes
		}
		pick := make([]byte, size) // numbers of elements, as wide as these
		for lane := range n {
			switch from := lane * step * bytes; {
			case k == 1 && from < size:
				pick[lane*bytes] = byte(from / bytes)
			case from >= start && from < start+size:
				pick[lane*bytes] = byte(n + (from-start)/bytes)
			default:
				pick[lane*bytes] = byte(lane)
			}
		}
		i := ins{in: inst(shuffle.two, g.c.vl, 3), tie: g.c.vector(pick), late: true}
		i.r[1] = x
		g.c.place(&i, at.add(int64(start)), asm.InLoad)
		x = g.c.define(i)
	}
	return x
}
