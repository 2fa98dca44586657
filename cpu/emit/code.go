package emit

import (
	"fmt"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// reg is a virtual register. 0 is none; a negative one is a fixed general register, see fixed.
type reg int32

// fixed returns the reg for a general register that is never allocated.
func fixed(r asm.Reg) reg { return -1 - reg(r) }

// Fixed registers.
var (
	rdi = fixed(asm.RDI)
	rsi = fixed(asm.RSI)
	rax = fixed(asm.RAX)
	rdx = fixed(asm.RDX)
)

type class uint8

const (
	vecClass class = iota
	maskClass
	genClass
	numClasses
)

type insKind uint8

const (
	plain     insKind = iota
	move              // r[0] = r[1]
	fused             // r[0] = r[1]*r[2] + r[3], of the form in.Imm in fusedOps
	zero              // r[0] = 0
	bind              // in.Label is here
	loopStart         // around the code of a loop: what is live into it stays live to its end
	loopEnd
	coldStart // around code that seldom runs; it is written behind the rest. in.Label is its start
	coldEnd   // in.Label is here
	dead
)

// ins is one virtual instruction: in without its registers, which stand beside it.
type ins struct {
	in                asm.Inst
	r                 [4]reg
	base, index, mask reg
	// tie, if not 0, is the register whose value operand def has before.
	tie reg
	// slot, if not 0, is the slot of spill space that the memory operand is.
	slot int32
	kind insKind
	def  int8 // the operand that is written, or -1
	// late: the sources are read after the result is written.
	late bool
	// at, in a fused instruction with a memory operand, is the number of that operand.
	at int8
}

// mem is a memory operand.
type mem struct {
	base, index reg
	scale       uint8
	disp        int64
	label       asm.Label
	slot        int32 // number of a slot of spill space, from 1 on
}

func (m mem) add(d int64) mem { m.disp += d; return m }

// info is what is known of a virtual register.
type info struct {
	class class
	// tmp: made by a spill; it is not spilled again.
	tmp bool
	// shared: a constant that was loaded for a few instructions that stand together.
	shared bool
	// sum: what a lane loop carries. Each addition to it waits for the one before, so also for memory if it is there.
	sum bool
	// The numbers, from 1 on, of what constantOf, remakeOf and rereadOf give; that of the last is 1 more than the place of
	// the load until r is spilled.
	constant, remake, reread int32
	// home, if not 0, is the slot of spill space that the register was loaded from; it is not changed.
	home int32
}

// constant is the content of a register that is made at the entry.
type constant struct {
	// size is set if all elements of size bytes are equal, the least such size, and word is those of 8 bytes then.
	size uint8
	word uint64
	// bytes is a whole vector, if word does not say all.
	bytes string
}

// code is a kernel of virtual code.
type code struct {
	asm    *asm.Assembler
	memory *Compiler
	target Target
	vl     asm.Size
	list   []ins
	entry  []ins // goes in front of list
	regs   []info
	known  []constant     // what registers always hold
	splats map[uint64]reg // vectors whose elements of 64 bits are equal
	consts map[string]reg // other vectors
	slots  []slot
	phys   []int8
	// streams: there are stores that go past the caches.
	streams bool
	err     error
}

const (
	// usualCopies is how many instructions there are of one of a nest, and manyCopies of one of those behind the first
	// manyInsts, of which fewer are done side by side; usualRegs is how many registers there are.
	usualCopies, manyCopies, manyInsts, usualRegs = 3, 1, 1 << 6, 2
	// entryRoom is how many instructions of the entry have room in front of the others from the start.
	entryRoom = 1 << 6
)

// scratchBytes is spill space at the start that code which goes through memory uses.
const scratchBytes = 256

func newCode(m *Compiler, a *asm.Assembler, n *loop.Nest, t Target) *code {
	list, regs := m.expect(len(n.Insts))
	c := &code{asm: a, memory: m, target: t, vl: asm.VL256, list: roomFor(m, &m.room, list)[:entryRoom],
		entry: roomFor(m, &m.entry, entryRoom), regs: append(roomFor(m, &m.regs, regs), info{}), known: m.known[:0],
		consts: map[string]reg{}, splats: map[uint64]reg{}}
	if t.AVX512 {
		c.vl = asm.VL512
	}
	return c
}

// constantOf is what r always holds, nil if that is not known.
func (c *code) constantOf(r reg) *constant {
	if r <= 0 || c.regs[r].constant == 0 {
		return nil
	}
	return &c.known[c.regs[r].constant-1]
}

// remakeOf is the instruction at the entry that makes r, and that any place can do again; nil if there is none.
func (c *code) remakeOf(r reg) *ins {
	if n := c.regs[r].remake; n > 0 {
		return &c.entry[n-1]
	}
	return nil
}

// rereadOf is the load that makes r, which is spilled, and that each instruction that reads r can do again; nil if
// there is none.
func (c *code) rereadOf(r reg) *ins {
	if n := c.regs[r].reread; n > 0 {
		return &c.memory.again[n-1]
	}
	return nil
}

func (c *code) newReg(k class) reg {
	c.regs = append(c.regs, info{class: k})
	return reg(len(c.regs) - 1)
}

func (c *code) last() *ins { return &c.list[len(c.list)-1] }

func (c *code) add(i ins) { c.list = append(c.list, i) }

// next adds an instruction op _, x... that is to be completed where it is, before others are added.
func (c *code) next(op asm.Op, size asm.Size, n int, x []reg) *ins {
	c.list = append(c.list, ins{})
	i := c.last()
	i.in.Op, i.in.Size, i.in.N = op, size, uint8(n)
	copy(i.r[1:], x)
	return i
}

// result makes a new register the result of i, which is in the list.
func (c *code) result(i *ins) reg {
	i.r[0] = c.newReg(classOf(&i.in))
	return i.r[0]
}

// classOf gives the class of the first operand of in.
func classOf(in *asm.Inst) class {
	switch in.Kinds()[0] {
	case asm.Opmask:
		return maskClass
	case asm.GP, asm.GP32, asm.GP64:
		return genClass
	}
	return vecClass
}

func inst(op asm.Op, size asm.Size, n int) asm.Inst { return asm.Inst{Op: op, Size: size, N: uint8(n)} }

// define adds i, whose sources are in place from operand 1 on, with a new register as its result.
func (c *code) define(i ins) reg {
	i.r[0] = c.newReg(classOf(&i.in))
	i.def = 0
	c.add(i)
	return i.r[0]
}

func sources(i *ins, x []reg) {
	copy(i.r[1:], x)
}

// v is op new, x...: the class of the result is that of the instruction.
func (c *code) v(op asm.Op, size asm.Size, x ...reg) reg {
	return c.result(c.next(op, size, 1+len(x), x))
}

// vi is v with an immediate.
func (c *code) vi(op asm.Op, size asm.Size, imm uint8, x ...reg) reg {
	i := c.next(op, size, 1+len(x), x)
	i.in.Imm, i.in.HasImm = int64(imm), true
	return c.result(i)
}

// vm is v with memory as its last operand.
func (c *code) vm(op asm.Op, size asm.Size, m mem, x ...reg) reg {
	m = c.near(m)
	i := c.next(op, size, 2+len(x), x)
	c.place(i, m, asm.InLoad)
	return c.result(i)
}

// merge makes the last instruction write only the lanes in k and keep old's value in the others.
func (c *code) merge(k, old reg) {
	i := c.last()
	i.mask, i.tie, i.late = k, old, true
}

// zeroing makes the last instruction give zero in the lanes that are not in k; k may be 0.
func (c *code) zeroing(k reg) {
	if k == 0 {
		return
	}
	i := c.last()
	i.mask = k
	i.in.Opt |= asm.Zero
}

// store is op [m], x, with an immediate if imm >= 0.
func (c *code) store(op asm.Op, size asm.Size, m mem, imm int, x ...reg) {
	i := ins{in: inst(op, size, 1+len(x)), def: -1}
	if imm >= 0 {
		i.in.Imm, i.in.HasImm = int64(imm), true
	}
	sources(&i, x)
	c.place(&i, m, asm.InStore)
	c.add(i)
}

// flags adds an instruction whose result is flags.
func (c *code) flags(op asm.Op, size asm.Size, x, y reg) {
	i := ins{in: inst(op, size, 2), def: -1}
	i.r[0], i.r[1] = x, y
	c.add(i)
}

// near is m with a displacement of 32 bits at most: a longer one goes into a register.
func (c *code) near(m mem) mem {
	if m.disp != int64(int32(m.disp)) {
		far := c.imm(m.disp)
		c.gop(asm.ADD, far, m.base)
		m.base, m.disp = far, 0
	}
	return m
}

// place makes m the memory operand of i. A displacement of more than 32 bits goes into a register.
func (c *code) place(i *ins, m mem, p asm.Place) {
	if m.base == 0 && m.label == 0 && m.slot == 0 {
		c.err = fmt.Errorf("%v: an address without a base", i.in.Op)
	}
	m = c.near(m)
	i.in.Place = p
	i.in.Mem = asm.Mem{Base: asm.RAX, Scale: m.scale, Disp: int32(m.disp), Label: m.label}
	if m.label != 0 {
		i.in.Mem.Base = asm.RIP
	}
	i.base, i.index, i.slot = m.base, m.index, m.slot
}

// copyOf returns a new register with the value of x.
func (c *code) copyOf(x reg) reg {
	d := c.newReg(c.classOfReg(x))
	c.move(d, x)
	return d
}

func (c *code) classOfReg(x reg) class {
	if x < 0 {
		return genClass
	}
	return c.regs[x].class
}

func (c *code) move(dst, src reg) {
	c.add(ins{kind: move, r: [4]reg{dst, src}})
}

// zeroVec returns a new register that holds zero, to be changed.
func (c *code) zeroVec() reg {
	d := c.newReg(vecClass)
	c.add(ins{kind: zero, r: [4]reg{d}})
	return d
}

// General registers, 64 bits wide.

// imm returns a new register that holds v.
func (c *code) imm(v int64) reg {
	i := ins{in: inst(asm.MOV, asm.W64, 1)}
	if v >= 0 && v < 1<<32 {
		i.in.Size = asm.W32
	}
	i.in.Imm, i.in.HasImm = v, true
	return c.define(i)
}

// gop is op dst, src.
func (c *code) gop(op asm.Op, dst, src reg) {
	i := ins{in: inst(op, asm.W64, 2), tie: dst, late: true}
	i.r[0], i.r[1] = dst, src
	c.add(i)
}

// gopi is op dst, v.
func (c *code) gopi(op asm.Op, dst reg, v int64) {
	if v != int64(int32(v)) {
		c.gop(op, dst, c.imm(v))
		return
	}
	i := ins{in: inst(op, asm.W64, 1), tie: dst}
	i.r[0] = dst
	i.in.Imm, i.in.HasImm = v, true
	c.add(i)
}

// gcmp compares for a jump: CMP or TEST.
func (c *code) gcmp(x, y reg) {
	c.flags(asm.CMP, asm.W64, x, y)
}

func (c *code) gcmpi(op asm.Op, x reg, v int64) {
	if v != int64(int32(v)) {
		c.flags(op, asm.W64, x, c.imm(v))
		return
	}
	i := ins{in: inst(op, asm.W64, 1), def: -1}
	i.r[0] = x
	i.in.Imm, i.in.HasImm = v, true
	c.add(i)
}

// gload is op new, [m].
func (c *code) gload(op asm.Op, size asm.Size, m mem) reg {
	i := ins{in: inst(op, size, 2)}
	c.place(&i, m, asm.InLoad)
	return c.define(i)
}

// gloadTo is gload into a register that is there.
func (c *code) gloadTo(dst reg, op asm.Op, size asm.Size, m mem) {
	i := ins{in: inst(op, size, 2)}
	c.place(&i, m, asm.InLoad)
	i.r[0] = dst
	c.add(i)
}

// gun is op dst on one register that it reads and writes.
func (c *code) gun(op asm.Op, size asm.Size, dst reg) {
	i := ins{in: inst(op, size, 1), tie: dst}
	i.r[0] = dst
	c.add(i)
}

// grr is op new, x on general registers.
func (c *code) grr(op asm.Op, size asm.Size, x reg) reg {
	i := ins{in: inst(op, size, 2)}
	i.r[1] = x
	return c.define(i)
}

func (c *code) jcc(cond asm.Cond, l asm.Label) {
	c.add(ins{in: asm.Inst{Op: asm.JCC, Cond: cond, Label: l}, def: -1})
}

func (c *code) jmp(l asm.Label) { c.add(ins{in: asm.Inst{Op: asm.JMP, Label: l}, def: -1}) }

func (c *code) bind(l asm.Label) { c.add(ins{kind: bind, def: -1, in: asm.Inst{Label: l}}) }

// newLoop opens a loop and returns its start.
func (c *code) newLoop() asm.Label {
	c.add(ins{kind: loopStart, def: -1})
	l := c.asm.NewLabel()
	c.bind(l)
	return l
}

// cold makes code by f that runs if cond holds, which is seldom, and goes on behind.
func (c *code) cold(cond asm.Cond, f func()) {
	start, end := c.asm.NewLabel(), c.asm.NewLabel()
	c.jcc(cond, start)
	c.add(ins{kind: coldStart, def: -1, in: asm.Inst{Label: start}})
	f()
	c.add(ins{kind: coldEnd, def: -1, in: asm.Inst{Label: end}})
}

func (c *code) endLoop() { c.add(ins{kind: loopEnd, def: -1}) }
