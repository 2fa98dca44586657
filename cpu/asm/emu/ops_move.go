package emu

import "github.com/goxla/xla/cpu/asm"

func (t *ops) moves() {
	for op, w := range map[asm.Op]int{
		asm.VMOVUPS: 4, asm.VMOVUPD: 8, asm.VMOVDQU8: 1, asm.VMOVDQU16: 2, asm.VMOVDQU32: 4, asm.VMOVDQU64: 8,
		asm.VMOVSS: 4, asm.VMOVSD: 8,
	} {
		t.same(op, w, func(l *lane) uint64 { return l.a })
	}
	for op, w := range map[asm.Op]int{
		asm.VMOVAPS: 4, asm.VMOVAPD: 8, asm.VMOVDQA32: 4, asm.VMOVDQA64: 8,
		asm.VMOVNTPS: 4, asm.VMOVNTPD: 8, asm.VMOVNTDQ: 4, asm.VMOVNTDQA: 4,
	} {
		t[op] = func(m *Machine, in *inst) { m.aligned(in, w) }
	}
	t.same(asm.VMOVSSR, 4, func(l *lane) uint64 { return l.b })
	t.same(asm.VMOVSDR, 8, func(l *lane) uint64 { return l.b })
	for op, w := range map[asm.Op]int{asm.VMASKMOVPS: 4, asm.VMASKMOVPD: 8, asm.VPMASKMOVD: 4, asm.VPMASKMOVQ: 8} {
		t[op] = func(m *Machine, in *inst) { m.maskMove(in, w) }
	}
	t.same(asm.VMOVQX, 8, func(l *lane) uint64 { return l.a })
	t[asm.VMOVD] = func(m *Machine, in *inst) { m.moveGeneral(in, 4) }
	t[asm.VMOVQ] = func(m *Machine, in *inst) { m.moveGeneral(in, 8) }
	for i, op := range []asm.Op{asm.VPINSRB, asm.VPINSRW, asm.VPINSRD, asm.VPINSRQ} {
		t[op] = func(m *Machine, in *inst) { m.insert(in, 1<<i) }
	}
	for i, op := range []asm.Op{asm.VPEXTRB, asm.VPEXTRW, asm.VPEXTRD, asm.VPEXTRQ} {
		t[op] = func(m *Machine, in *inst) { m.extract(in, 1<<i) }
	}
	for op, w := range map[asm.Op]int{asm.VMOVMSKPS: 4, asm.VMOVMSKPD: 8, asm.VPMOVMSKB: 1} {
		t[op] = func(m *Machine, in *inst) {
			r, src := uint64(0), m.v[in.Reg[1]]
			for i := range in.lanes(w) {
				r |= src.get(w, i) >> (8*w - 1) << i
			}
			m.gp[in.Reg[0]] = r
		}
	}
	for op, sign := range map[asm.Op]uint64{asm.VPTEST: ^uint64(0), asm.VTESTPS: 0x8000000080000000,
		asm.VTESTPD: 1 << 63} {
		t[op] = func(m *Machine, in *inst) {
			a, b := m.v[in.Reg[0]], m.operand(in, 1, 8)
			m.f = flags{zf: true, cf: true}
			for i := range int(in.Size) / 64 {
				m.f.zf = m.f.zf && a[i]&b[i]&sign == 0
				m.f.cf = m.f.cf && ^a[i]&b[i]&sign == 0
			}
		}
	}
	t[asm.VZEROUPPER] = func(m *Machine, _ *inst) {
		for i := range m.v[:16] {
			m.v[i] = vec{m.v[i][0], m.v[i][1]}
		}
	}
}

// aligned is a move whose memory operand must be aligned to its size.
func (m *Machine) aligned(in *inst, w int) {
	if in.memAt >= 0 {
		if !m.isAligned(m.address(in), uint64(in.MemBytes())) {
			return
		}
	}
	m.eachLane(in, w, w, func(l *lane) uint64 { return l.a })
}

// isAligned fails unless addr is a multiple of n.
func (m *Machine) isAligned(addr, n uint64) bool {
	if addr&(n-1) != 0 {
		m.fail("address %#x is not a multiple of %d", addr, n)
	}
	return m.err == nil
}

// maskMove loads or stores the lanes whose mask, the first source, has its sign set.
func (m *Machine) maskMove(in *inst, w int) {
	addr, n := m.address(in), in.lanes(w)
	mask := m.v[in.Reg[1]]
	src := m.v[in.Reg[2]]
	var out vec
	for i := range n {
		switch {
		case mask.get(w, i)>>(8*w-1) == 0:
		case in.memAt == 0:
			m.store(addr+uint64(i*w), w, src.get(w, i))
		default:
			out.set(w, i, m.load(addr+uint64(i*w), w))
		}
	}
	if in.memAt != 0 && m.err == nil {
		m.v[in.Reg[0]] = out
	}
}

// moveGeneral is VMOVD or VMOVQ: between the low element of a vector and memory or a general register.
func (m *Machine) moveGeneral(in *inst, w int) {
	switch {
	case in.memAt == 0:
		m.store(m.address(in), w, m.v[in.Reg[1]].get(w, 0))
	case in.memAt == 1:
		m.v[in.Reg[0]] = vec{m.load(m.address(in), w)}
	case in.Kinds()[0] == asm.Xmm:
		m.v[in.Reg[0]] = vec{m.gp[in.Reg[1]] & ones(w)}
	default:
		m.gp[in.Reg[0]] = m.v[in.Reg[1]].get(w, 0)
	}
}

func (m *Machine) insert(in *inst, w int) {
	x := m.gp[in.Reg[2]]
	if in.memAt == 2 {
		x = m.load(m.address(in), w)
	}
	a := m.v[in.Reg[1]]
	out := vec{a[0], a[1]}
	out.set(w, int(in.Imm)&(16/w-1), x)
	m.v[in.Reg[0]] = out
}

func (m *Machine) extract(in *inst, w int) {
	x := m.v[in.Reg[1]].get(w, int(in.Imm)&(16/w-1))
	if in.memAt == 0 {
		m.store(m.address(in), w, x)
		return
	}
	m.gp[in.Reg[0]] = x
}

// sparse are gathers and scatters; dw and iw are the bytes of data and index.
func (t *ops) sparse() {
	for i, k := range [][2]int{{4, 4}, {8, 4}, {4, 8}, {8, 8}} {
		dw, iw := k[0], k[1]
		for _, op := range []asm.Op{asm.VPGATHERDD, asm.VGATHERDPS} {
			t[op+asm.Op(i)] = func(m *Machine, in *inst) { m.gather(in, dw, iw) }
		}
		for _, op := range []asm.Op{asm.VPSCATTERDD, asm.VSCATTERDPS} {
			t[op+asm.Op(i)] = func(m *Machine, in *inst) { m.scatter(in, dw, iw) }
		}
	}
}

// laneAddress is base + index[i]*scale of a gather or scatter.
func (m *Machine) laneAddress(in *inst, iw, i int) uint64 {
	return m.base(in) + uint64(signed(m.v[in.Mem.Index].get(iw, i), iw))*uint64(in.Mem.Scale)
}

func (m *Machine) gather(in *inst, dw, iw int) {
	n := int(in.Size) / 8 / max(dw, iw)
	out := m.v[in.Reg[0]]
	byK := in.Opt.K() != 0
	for i := range n {
		on := m.active(in)>>i&1 != 0
		if !byK {
			on = m.v[in.Reg[2]].get(dw, i)>>(8*dw-1) != 0
		}
		if on {
			out.set(dw, i, m.load(m.laneAddress(in, iw, i), dw))
		}
	}
	if m.err != nil {
		return
	}
	for i := n * dw; i < 64; i++ {
		out.set(1, i, 0)
	}
	m.v[in.Reg[0]] = out
	if byK {
		m.k[in.Opt.K()] = 0
	} else {
		m.v[in.Reg[2]] = vec{}
	}
}

func (m *Machine) scatter(in *inst, dw, iw int) {
	n := int(in.Size) / 8 / max(dw, iw)
	src := m.v[in.Reg[1]]
	for i := range n {
		if m.active(in)>>i&1 != 0 {
			m.store(m.laneAddress(in, iw, i), dw, src.get(dw, i))
		}
	}
	m.k[in.Opt.K()] = 0
}
