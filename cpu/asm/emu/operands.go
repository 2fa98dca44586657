package emu

import (
	"fmt"

	"github.com/goxla/xla/cpu/asm"
)

// inst is a decoded instruction with the function that executes it.
type inst struct {
	asm.Inst
	run      exec
	pc, next int
	memAt    int
}

type exec func(m *Machine, in *inst)

// decode reads the instruction at pc. One that is plain is not quick.
func decode(code []byte, pc int, plain bool) (*inst, error) {
	d, n, err := asm.Decode(code[pc:])
	if err != nil {
		return nil, fmt.Errorf("emu: at %#x: %w", pc, err)
	}
	in := &inst{Inst: d, pc: pc, next: pc + n}
	in.memAt = in.MemAt()
	in.run = execs()[d.Op]
	if in.run == nil {
		return nil, fmt.Errorf("emu: %s at %#x: has no emulation", in.String(), pc)
	}
	if fn := in.quicken(); fn != nil && !plain {
		in.run = fn
	}
	return in, nil
}

// address returns the address of the memory operand without its index.
func (m *Machine) base(in *inst) uint64 {
	switch b := in.Mem.Base; b {
	case asm.RIP:
		return m.origin + uint64(in.next) + uint64(int64(in.Mem.Disp))
	case asm.NoReg:
		return uint64(int64(in.Mem.Disp))
	default:
		return m.gp[b] + uint64(int64(in.Mem.Disp))
	}
}

// address returns the address of the memory operand.
func (m *Machine) address(in *inst) uint64 {
	a := m.base(in)
	if in.Mem.Scale != 0 {
		a += m.gp[in.Mem.Index] * uint64(in.Mem.Scale)
	}
	return a
}

// active returns the lanes that take part.
func (m *Machine) active(in *inst) uint64 {
	if k := in.Opt.K(); k != 0 {
		return m.k[k]
	}
	return ^uint64(0)
}

// lanes returns the number of elements of w bytes that the instruction works on.
func (in *inst) lanes(w int) int {
	if in.Op.Scalar() {
		return 1
	}
	return int(in.Size) / 8 / w
}

// lane is what the function of a lane-wise instruction sees.
type lane struct {
	a, b, d uint64 // first and second source, old destination
	i       int
	imm     uint8
	flush   bool    // see Machine.flush
	round   asm.Opt // RN, RD, RU or RZ
}

type laneFn func(l *lane) uint64

// source returns operand i as n elements of w bytes: a register, n elements of memory (of which only the active
// ones are touched), or one element repeated.
func (m *Machine) source(in *inst, i, w, n int, active uint64) vec {
	if i != in.memAt {
		return m.v[in.Reg[i]]
	}
	var v vec
	addr := m.address(in)
	if n < 64 {
		active &= 1<<n - 1
	}
	switch {
	case in.Opt&asm.Bcst != 0:
		if active == 0 {
			return v
		}
		x := m.load(addr, w)
		for j := range n {
			v.set(w, j, x)
		}
	case in.Opt.K() != 0:
		for j := range n {
			if active>>j&1 != 0 {
				v.set(w, j, m.load(addr+uint64(j*w), w))
			}
		}
	default:
		m.loadVec(&v, addr, n*w)
	}
	return v
}

func (m *Machine) loadVec(v *vec, addr uint64, n int) {
	if m.live {
		loadVecLive(v, addr, n)
		return
	}
	for i, b := range m.mem(addr, n, false) {
		v[i>>3] |= uint64(b) << (i & 7 * 8)
	}
}

func (m *Machine) storeVec(v *vec, addr uint64, n int) {
	if m.live {
		storeVecLive(v, addr, n)
		return
	}
	b := m.mem(addr, n, true)
	for i := range b {
		b[i] = byte(v[i>>3] >> (i & 7 * 8))
	}
}

// eachLane executes a lane-wise instruction whose results have dw bytes and whose sources sw.
func (m *Machine) eachLane(in *inst, dw, sw int, fn laneFn) { m.eachLaneOver(in, 1, dw, sw, fn) }

// eachLaneOver takes the elements above a scalar result from register operand upper.
func (m *Machine) eachLaneOver(in *inst, upper, dw, sw int, fn laneFn) {
	n := in.lanes(max(dw, sw))
	active := m.active(in)
	l := &m.lane
	*l = lane{imm: uint8(in.Imm), flush: m.flush, round: in.rounding()}
	var old, a, b, out vec
	last := int(in.N) - 1
	if in.memAt != 0 {
		old = m.v[in.Reg[0]]
	}
	a = m.source(in, min(last, 1), sw, n, active)
	if last >= 2 {
		b = m.source(in, 2, sw, n, active)
		if in.Op.Scalar() {
			out = vec{m.v[in.Reg[upper]][0], m.v[in.Reg[upper]][1]}
		}
	}
	for i := range n {
		if active>>i&1 == 0 {
			if in.Opt&asm.Zero != 0 {
				out.set(dw, i, 0)
			} else {
				out.set(dw, i, old.get(dw, i))
			}
			continue
		}
		l.i, l.a, l.b, l.d = i, a.get(sw, i), b.get(sw, i), old.get(dw, i)
		out.set(dw, i, fn(l))
	}
	m.put(in, dw, n, active, &out)
}

// put writes n elements of w bytes to the destination, of memory the active ones only. A register is cleared above.
func (m *Machine) put(in *inst, w, n int, active uint64, out *vec) {
	if m.err != nil {
		return
	}
	if in.memAt != 0 {
		m.v[in.Reg[0]] = *out
		return
	}
	addr := m.address(in)
	if in.Opt.K() == 0 {
		m.storeVec(out, addr, n*w)
		return
	}
	for i := range n {
		if active>>i&1 != 0 {
			m.store(addr+uint64(i*w), w, out.get(w, i))
		}
	}
}

// rounding returns the rounding of the instruction.
func (in *inst) rounding() asm.Opt {
	if in.Opt&asm.RN != 0 {
		return in.Opt & asm.RZ
	}
	return asm.RN
}

// eachTest executes an instruction that gives a bit for each lane of w bytes.
func (m *Machine) eachTest(in *inst, w int, fn laneFn) {
	n := in.lanes(w)
	active := m.active(in)
	l := &m.lane
	*l = lane{imm: uint8(in.Imm), flush: m.flush}
	a := m.source(in, 1, w, n, active)
	var b vec
	if in.N > 2 {
		b = m.source(in, 2, w, n, active)
	}
	k := uint64(0)
	for i := range n {
		l.i, l.a, l.b = i, a.get(w, i), b.get(w, i)
		if active>>i&1 != 0 && fn(l) != 0 {
			k |= 1 << i
		}
	}
	if m.err == nil {
		m.k[in.Reg[0]] = k
	}
}

// full is what the function of an instruction across lanes sees: whole operands.
type full struct {
	a, b, d vec
	n       int // bytes of the vector
	imm     uint8
	flush   bool // see Machine.flush
	active  uint64
}

// whole executes an instruction across lanes; w is the size of the elements that a mask selects and a broadcast
// repeats.
func (m *Machine) whole(in *inst, w int, fn func(f *full) vec) {
	f := full{n: int(in.Size) / 8, imm: uint8(in.Imm), flush: m.flush, active: m.active(in)}
	if in.memAt != 0 {
		f.d = m.v[in.Reg[0]]
	}
	f.a = m.operand(in, 1, w)
	if in.N > 2 {
		f.b = m.operand(in, 2, w)
	}
	if m.err != nil {
		return
	}
	out := fn(&f)
	n := f.n / w
	m.merge(in, w, n, &out, &f.d)
	m.put(in, w, n, f.active, &out)
}

// merge replaces the lanes that are not active, and clears what lies above.
func (m *Machine) merge(in *inst, w, n int, out, old *vec) {
	active := m.active(in)
	for i := range n {
		if active>>i&1 == 0 {
			x := uint64(0)
			if in.Opt&asm.Zero == 0 {
				x = old.get(w, i)
			}
			out.set(w, i, x)
		}
	}
	for i := n * w; i < 64; i++ {
		out.set(1, i, 0)
	}
}

// operand returns operand i, all of it.
func (m *Machine) operand(in *inst, i, w int) (v vec) {
	if i != in.memAt {
		return m.v[in.Reg[i]]
	}
	addr := m.address(in)
	if in.Opt&asm.Bcst != 0 {
		x := m.load(addr, w)
		for j := range int(in.Size) / 8 / w {
			v.set(w, j, x)
		}
		return v
	}
	m.loadVec(&v, addr, in.MemBytes())
	return v
}
