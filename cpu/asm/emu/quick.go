package emu

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// What kernels do most is done a vector at a time. It gives the same bits as the functions of a lane, which stay the
// description of what an instruction does, and which it leaves all it is not made for to: roundings, and float results
// that are NaN.

// quick is an instruction on vectors whose results are lane by lane.
type quick struct {
	w    int     // bytes of an element
	f    *format // of floats that may be flushed
	fn   quickFn
	over int // the register operand above a scalar result
	// crossing results take elements from other lanes.
	crossing bool
}

// quickFn computes n words of d from the sources, and from d itself, lane by lane: d may be one of them.
type quickFn func(d, a, b *vec, n int, imm uint8)

// quickOps holds what is quick.
type quickOps [asm.NumOps]quick

// quicken returns a faster function for in, if there is one.
func (in *inst) quicken() exec {
	if fn := in.quickGeneral(); fn != nil {
		return fn
	}
	if fn := in.quickMove(); fn != nil {
		return fn
	}
	if fn := in.quickBroadcast(); fn != nil {
		return fn
	}
	q := &quicks()[in.Op]
	if q.fn == nil || in.memAt == 0 || in.rounding() != asm.RN {
		return nil
	}
	return func(m *Machine, in *inst) { m.quick(in, q) }
}

// quick executes in.
func (m *Machine) quick(in *inst, q *quick) {
	n, words := in.lanes(q.w), int(in.Size)/64
	a := m.quickSource(in, min(1, int(in.N)-1), q, n, &m.ta)
	b := a
	if in.N > 2 {
		b = m.quickSource(in, 2, q, n, &m.tb)
	}
	if m.err != nil {
		return
	}
	d := &m.v[in.Reg[0]]
	if in.Opt.K() == 0 && n > 1 && (!m.flush || q.f == nil) && !q.crossing {
		q.fn(d, a, b, words, uint8(in.Imm))
		clear(d[words:])
		return
	}
	out, old, upper := &m.out, *d, m.v[in.Reg[q.over]]
	*out = old
	if m.flush && q.f != nil {
		m.ta, m.tb = *a, *b
		a, b = &m.ta, &m.tb
		q.f.flushAll(a)
		q.f.flushAll(b)
		q.f.flushAll(out)
	}
	q.fn(out, a, b, words, uint8(in.Imm))
	if m.flush && q.f != nil {
		q.f.flushAll(out)
	}
	if n == 1 {
		x := out.get(q.w, 0)
		*out = vec{upper[0], upper[1]}
		out.set(q.w, 0, x)
		if in.Opt.K() != 0 && m.active(in)&1 == 0 {
			x = 0
			if in.Opt&asm.Zero == 0 {
				x = old.get(q.w, 0)
			}
			out.set(q.w, 0, x)
		}
		*d = *out
		return
	}
	if in.Opt.K() != 0 {
		mergeWords(out, &old, m.active(in), q.w, words, in.Opt&asm.Zero != 0)
	}
	clear(out[words:])
	*d = *out
}

// mergeWords replaces the lanes that are not active by those of old, or by zeros.
func mergeWords(out, old *vec, active uint64, w, words int, zero bool) {
	per := 8 / w
	for i := range words {
		k := laneMask(active>>(i*per), w)
		if zero {
			out[i] &= k
		} else {
			out[i] = out[i]&k | old[i]&^k
		}
	}
}

// laneMask has ones in the elements of w bytes of a word whose bits are set.
func laneMask(active uint64, w int) uint64 {
	switch w {
	case 8:
		return -(active & 1)
	case 4:
		return -(active&1)&ones(4) | -(active>>1&1)<<32
	case 2:
		x := active&1 | active&2<<15 | active&4<<30 | active&8<<45
		return x * 0xFFFF
	}
	x := uint64(0)
	for j := range 8 {
		x |= active >> j & 1 << (8 * j)
	}
	return x * 0xFF
}

// quickSource is source, or operand of what is crossing, that copies no register: t is for what comes from memory.
func (m *Machine) quickSource(in *inst, i int, q *quick, n int, t *vec) *vec {
	if i != in.memAt {
		return &m.v[in.Reg[i]]
	}
	w := q.w
	if in.Opt.K() != 0 && !q.crossing && (n == 64 || ^m.active(in)&(1<<n-1) != 0) {
		*t = m.source(in, i, w, n, m.active(in))
		return t
	}
	addr := m.address(in)
	if in.Opt&asm.Bcst == 0 {
		*t = vec{}
		m.loadVec(t, addr, n*w)
		return t
	}
	x := m.load(addr, w)
	if w == 4 {
		x |= x << 32
	}
	for j := range int(in.Size) / 64 {
		t[j] = x
	}
	return t
}

// flushAll flushes each element.
func (f *format) flushAll(v *vec) {
	if f.w == 8 {
		for i, x := range v {
			v[i] = f.flush(x)
		}
		return
	}
	for i, x := range v.u32() {
		if x&0x7F800000 == 0 {
			v.u32()[i] = x & (1 << 31)
		}
	}
}

// quickMove returns a function for a move of a whole vector.
func (in *inst) quickMove() exec {
	n := int(in.Size) / 8
	aligned := uint64(1)
	switch in.Op {
	case asm.VMOVUPS, asm.VMOVUPD, asm.VMOVDQU8, asm.VMOVDQU16, asm.VMOVDQU32, asm.VMOVDQU64:
	case asm.VMOVAPS, asm.VMOVAPD, asm.VMOVDQA32, asm.VMOVDQA64, asm.VMOVNTPS, asm.VMOVNTPD, asm.VMOVNTDQ:
		aligned = uint64(n)
	default:
		return nil
	}
	if in.Opt != 0 {
		return nil
	}
	switch in.memAt {
	case 0:
		return func(m *Machine, in *inst) {
			if at := m.address(in); m.isAligned(at, aligned) {
				m.storeVec(&m.v[in.Reg[1]], at, n)
			}
		}
	case 1:
		return func(m *Machine, in *inst) {
			at := m.address(in)
			if !m.isAligned(at, aligned) {
				return
			}
			m.ta = vec{}
			if m.loadVec(&m.ta, at, n); m.err == nil {
				m.v[in.Reg[0]] = m.ta
			}
		}
	}
	return func(m *Machine, in *inst) {
		v := m.v[in.Reg[1]]
		clear(v[n/8:])
		m.v[in.Reg[0]] = v
	}
}

// quickBroadcast returns a function that repeats an element of memory.
func (in *inst) quickBroadcast() exec {
	w := 0
	switch in.Op {
	case asm.VBROADCASTSS, asm.VPBROADCASTD:
		w = 4
	case asm.VBROADCASTSD, asm.VPBROADCASTQ:
		w = 8
	}
	if w == 0 || in.memAt != 1 || in.Opt != 0 {
		return nil
	}
	n := int(in.Size) / 64
	return func(m *Machine, in *inst) {
		x := m.load(m.address(in), w)
		if m.err != nil {
			return
		}
		if w == 4 {
			x |= x << 32
		}
		v := &m.v[in.Reg[0]]
		for i := range v {
			v[i] = x
		}
		clear(v[n:])
	}
}

// Views of a vector as its elements. Registers and memory have the order of the processors that Go runs on, which is
// that of x86.

func (v *vec) u32() *[16]uint32  { return (*[16]uint32)(unsafe.Pointer(v)) }
func (v *vec) f32() *[16]float32 { return (*[16]float32)(unsafe.Pointer(v)) }
func (v *vec) f64() *[8]float64  { return (*[8]float64)(unsafe.Pointer(v)) }
