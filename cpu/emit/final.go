package emit

import "github.com/goxla/xla/cpu/asm"

// write appends the code to the assembler: a return at its end, and behind that what seldom runs.
func (c *code) write() {
	cold := c.writeRange(0, len(c.list))
	if c.streams {
		c.asm.Zero0(asm.SFENCE)
	}
	c.asm.Emit(asm.Inst{Op: asm.VZEROUPPER})
	c.asm.Ret()
	for _, k := range cold {
		end := c.closing(k)
		c.asm.Bind(c.list[k].in.Label)
		c.writeRange(k+1, end)
		c.asm.Jmp(c.list[end].in.Label)
	}
}

// closing is the end of the cold code or loop that starts at k.
func (c *code) closing(k int) int {
	for c.list[k].kind != coldEnd {
		k++
	}
	return k
}

// hasInner reports whether a loop starts inside of the one that starts at k.
func (c *code) hasInner(k int) bool {
	for k++; c.list[k].kind != loopEnd; k++ {
		if c.list[k].kind == loopStart {
			return true
		}
	}
	return false
}

// loopAlign is where innermost loops start: at a line of the cache of decoded instructions.
const loopAlign = 32

// writeRange writes instructions from lo to hi, and returns where cold code starts that it left out.
func (c *code) writeRange(lo, hi int) (cold []int) {
	for k := lo; k < hi; k++ {
		i := &c.list[k]
		switch i.kind {
		case bind, coldEnd:
			c.asm.Bind(i.in.Label)
		case coldStart:
			cold = append(cold, k)
			k = c.closing(k) - 1
		case loopStart:
			if !c.hasInner(k) {
				c.asm.Align(loopAlign)
			}
		case move:
			c.emitMove(i.r[0], i.r[1])
		case zero:
			d := asm.Vec(c.phys[i.r[0]])
			c.asm.V3(asm.VPXORD, asm.VL128, d, d, d)
		case fused:
			c.emitFused(i)
		case plain:
			if i.tie != 0 {
				c.emitMove(i.r[i.def], i.tie)
			}
			c.emit(i)
		}
	}
	return cold
}

// number is the machine's number of r.
func (c *code) number(r reg) uint8 {
	switch {
	case r < 0:
		return uint8(-1 - r)
	case r == 0:
		return 0
	}
	return uint8(c.phys[r])
}

func (c *code) emitMove(dst, src reg) {
	d, s := c.number(dst), c.number(src)
	if d == s {
		return
	}
	switch c.classOfReg(dst) {
	case genClass:
		c.asm.RR(asm.MOV, asm.W64, asm.Reg(d), asm.Reg(s))
	case maskClass:
		c.asm.K2(asm.KMOVQ, asm.K(d), asm.K(s))
	default:
		c.asm.V2(asm.VMOVAPS, c.vl, asm.Vec(d), asm.Vec(s))
	}
}

// emit writes i with its registers.
func (c *code) emit(i *ins) {
	in := i.in
	for k, r := range i.r {
		in.Reg[k] = c.number(r)
	}
	if in.Place == asm.InLoad || in.Place == asm.InStore {
		if i.base != 0 {
			in.Mem.Base = asm.Reg(c.number(i.base))
		}
		if in.Mem.Scale != 0 {
			in.Mem.Index = asm.Reg(c.number(i.index))
		}
	}
	if i.mask != 0 {
		in.Opt |= asm.Mask(asm.K(c.number(i.mask)))
	}
	c.asm.Emit(in)
}

// fusedOp holds the forms of a fused multiply-add: the digits say which operands are multiplied.
type fusedOp struct{ f132, f213, f231 asm.Op }

// emitFused writes r0 = r1*r2 + r3 in the form that needs no move, if there is one.
func (c *code) emitFused(i *ins) {
	f := fusedOps[i.in.Imm]
	d := c.number(i.r[0])
	x := *i
	x.in.Imm, x.in.N = 0, 3
	same := func(k int) bool { return int(i.at) != k && c.number(i.r[k]) == d }
	form := func(op asm.Op, first, second, third int) {
		x.in.Op = op
		x.r = [4]reg{i.r[0], i.r[second], i.r[third]}
		if !same(first) {
			c.emitMove(i.r[0], i.r[first])
		}
		c.emit(&x)
	}
	// The memory operand must come third.
	switch a, b := 1, 2; {
	case i.at == 3:
		if same(b) {
			a, b = b, a
		}
		form(f.f213, a, b, 3)
	case i.at != 0:
		if i.at == 1 {
			a, b = b, a
		}
		if same(3) {
			form(f.f231, 3, a, b)
			return
		}
		form(f.f132, a, 3, b)
	case same(3):
		form(f.f231, 3, a, b)
	case same(b):
		form(f.f213, b, a, 3)
	case same(a):
		form(f.f213, a, b, 3)
	default:
		form(f.f231, 3, a, b)
	}
}
