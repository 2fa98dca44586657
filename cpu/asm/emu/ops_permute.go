package emu

import "github.com/goxla/xla/cpu/asm"

// permutes work across lanes: any element may come from anywhere.
func (t *ops) permutes() {
	t.byIndex()
	t.twoTables()
	t.lanes128()
	t.insertExtract()
	t.broadcasts()
	t.compressExpand()
	t.blends()
}

func (t *ops) byIndex() {
	for op, w := range map[asm.Op]int{asm.VPERMB: 1, asm.VPERMW: 2, asm.VPERMD: 4, asm.VPERMPS: 4, asm.VPERMQ: 8,
		asm.VPERMPD: 8} {
		t.whole(op, w, func(f *full) (r vec) {
			n := f.n / w
			for i := range n {
				r.set(w, i, f.b.get(w, int(f.a.get(w, i))&(n-1)))
			}
			return r
		})
	}
	for _, op := range []asm.Op{asm.VPERMQI, asm.VPERMPDI} {
		t.whole(op, 8, func(f *full) (r vec) {
			for i := range f.n / 8 {
				r[i] = f.a[i&^3+int(f.imm>>(i&3*2)&3)]
			}
			return r
		})
	}
	for i, op := range []asm.Op{asm.VALIGND, asm.VALIGNQ} {
		w := 4 << i
		t.whole(op, w, func(f *full) (r vec) {
			n := f.n / w
			for i := range n {
				s := i + int(f.imm)&(n-1)
				src := &f.b
				if s >= n {
					src, s = &f.a, s-n
				}
				r.set(w, i, src.get(w, s))
			}
			return r
		})
	}
}

// twoTables are VPERMI2 (the index is the destination) and VPERMT2 (the index is the first source).
func (t *ops) twoTables() {
	for i, w := range []int{1, 2, 4, 8, 4, 8} {
		look := func(index, low, high *vec, n int) (r vec) {
			for i := range n {
				x := int(index.get(w, i)) & (2*n - 1)
				src := low
				if x >= n {
					src = high
				}
				r.set(w, i, src.get(w, x&(n-1)))
			}
			return r
		}
		t.whole(asm.VPERMI2B+asm.Op(i), w, func(f *full) vec { return look(&f.d, &f.a, &f.b, f.n/w) })
		t.whole(asm.VPERMT2B+asm.Op(i), w, func(f *full) vec { return look(&f.a, &f.d, &f.b, f.n/w) })
	}
}

func (t *ops) lanes128() {
	for _, op := range []asm.Op{asm.VPERM2F128, asm.VPERM2I128} {
		t.whole(op, 8, func(f *full) (r vec) {
			pool := [8]uint64{f.a[0], f.a[1], f.a[2], f.a[3], f.b[0], f.b[1], f.b[2], f.b[3]}
			for i := range 2 {
				if c := f.imm >> (4 * i); c&8 == 0 {
					r[2*i], r[2*i+1] = pool[c&3*2], pool[c&3*2+1]
				}
			}
			return r
		})
	}
	for op, w := range map[asm.Op]int{asm.VSHUFF32X4: 4, asm.VSHUFI32X4: 4, asm.VSHUFF64X2: 8, asm.VSHUFI64X2: 8} {
		t.whole(op, w, func(f *full) (r vec) {
			n := f.n / 16
			step := n / 2 // selectors per source; one bit each of 256, two of 512
			for i := range n {
				src := &f.a
				if i >= step {
					src = &f.b
				}
				s := f.imm >> (i * step) & uint8(n-1)
				r[2*i], r[2*i+1] = src[2*s], src[2*s+1]
			}
			return r
		})
	}
}

func (t *ops) insertExtract() {
	type row struct {
		insert, extract asm.Op
		w, words        int // element of the mask, quadwords of the part
	}
	for _, k := range []row{
		{asm.VINSERTF32X4, asm.VEXTRACTF32X4, 4, 2}, {asm.VINSERTF64X2, asm.VEXTRACTF64X2, 8, 2},
		{asm.VINSERTI32X4, asm.VEXTRACTI32X4, 4, 2}, {asm.VINSERTI64X2, asm.VEXTRACTI64X2, 8, 2},
		{asm.VINSERTF32X8, asm.VEXTRACTF32X8, 4, 4}, {asm.VINSERTF64X4, asm.VEXTRACTF64X4, 8, 4},
		{asm.VINSERTI32X8, asm.VEXTRACTI32X8, 4, 4}, {asm.VINSERTI64X4, asm.VEXTRACTI64X4, 8, 4},
	} {
		t.whole(k.insert, k.w, func(f *full) vec {
			r := f.a
			at := k.words * (int(f.imm) & (f.n/8/k.words - 1))
			copy(r[at:at+k.words], f.b[:])
			return r
		})
		t[k.extract] = func(m *Machine, in *inst) {
			src := m.v[in.Reg[1]]
			at := k.words * (int(in.Imm) & (int(in.Size)/64/k.words - 1))
			var out, old vec
			copy(out[:], src[at:at+k.words])
			if in.memAt != 0 {
				old = m.v[in.Reg[0]]
			}
			n := k.words * 8 / k.w
			m.merge(in, k.w, n, &out, &old)
			m.put(in, k.w, n, m.active(in), &out)
		}
	}
}

func (t *ops) broadcasts() {
	for op, w := range map[asm.Op]int{asm.VBROADCASTSS: 4, asm.VBROADCASTSD: 8, asm.VPBROADCASTB: 1,
		asm.VPBROADCASTW: 2, asm.VPBROADCASTD: 4, asm.VPBROADCASTQ: 8} {
		t[op] = func(m *Machine, in *inst) { m.broadcast(in, w, w) }
	}
	for op, k := range map[asm.Op][2]int{
		asm.VBROADCASTF32X4: {4, 16}, asm.VBROADCASTI32X4: {4, 16}, asm.VBROADCASTF64X2: {8, 16},
		asm.VBROADCASTI64X2: {8, 16}, asm.VBROADCASTF32X8: {4, 32}, asm.VBROADCASTI32X8: {4, 32},
		asm.VBROADCASTF64X4: {8, 32}, asm.VBROADCASTI64X4: {8, 32},
	} {
		t[op] = func(m *Machine, in *inst) { m.broadcast(in, k[0], k[1]) }
	}
	for i, op := range []asm.Op{asm.VPBROADCASTBR, asm.VPBROADCASTWR, asm.VPBROADCASTDR, asm.VPBROADCASTQR} {
		w := 1 << i
		t[op] = func(m *Machine, in *inst) { m.spread(in, w, w, vec{m.gp[in.Reg[1]]}) }
	}
	for i, op := range []asm.Op{asm.VPMOVM2B, asm.VPMOVM2W, asm.VPMOVM2D, asm.VPMOVM2Q} {
		w := 1 << i
		t[op] = func(m *Machine, in *inst) {
			var out vec
			for j := range in.lanes(w) {
				out.set(w, j, -(m.k[in.Reg[1]] >> j & 1))
			}
			m.v[in.Reg[0]] = out
		}
	}
}

// broadcast repeats a part of memory or of a register; masks select elements of w bytes.
func (m *Machine) broadcast(in *inst, w, part int) {
	var src vec
	if in.memAt == 1 {
		active := m.active(in)
		if n := in.lanes(w); n < 64 {
			active &= 1<<n - 1
		}
		if active != 0 || in.Opt.K() == 0 {
			m.loadVec(&src, m.address(in), part)
		}
	} else {
		src = m.v[in.Reg[1]]
	}
	m.spread(in, w, part, src)
}

func (m *Machine) spread(in *inst, w, part int, src vec) {
	var out vec
	n := in.lanes(w)
	for i := range n {
		out.set(w, i, src.get(w, i%(part/w)))
	}
	m.merge(in, w, n, &out, &m.v[in.Reg[0]])
	m.put(in, w, n, ^uint64(0), &out)
}

func (t *ops) compressExpand() {
	for i, w := range []int{1, 2, 4, 8, 4, 8} {
		t[asm.VPCOMPRESSB+asm.Op(i)] = func(m *Machine, in *inst) { m.compress(in, w) }
		t[asm.VPEXPANDB+asm.Op(i)] = func(m *Machine, in *inst) { m.expand(in, w) }
	}
}

// compress packs the active elements; memory above them is left alone.
func (m *Machine) compress(in *inst, w int) {
	src := m.v[in.Reg[1]]
	active, n := m.active(in), in.lanes(w)
	var out vec
	k := 0
	for i := range n {
		if active>>i&1 != 0 {
			out.set(w, k, src.get(w, i))
			k++
		}
	}
	if in.memAt == 0 {
		m.storeVec(&out, m.address(in), k*w)
		return
	}
	if in.Opt&asm.Zero == 0 {
		old := m.v[in.Reg[0]]
		for i := k; i < n; i++ {
			out.set(w, i, old.get(w, i))
		}
	}
	m.v[in.Reg[0]] = out
}

// expand spreads packed elements over the active lanes.
func (m *Machine) expand(in *inst, w int) {
	active, n := m.active(in), in.lanes(w)
	var src, out vec
	k := 0
	for i := range n {
		k += int(active >> i & 1)
	}
	if in.memAt == 1 {
		m.loadVec(&src, m.address(in), k*w)
	} else {
		src = m.v[in.Reg[1]]
	}
	k = 0
	for i := range n {
		if active>>i&1 != 0 {
			out.set(w, i, src.get(w, k))
			k++
		}
	}
	m.merge(in, w, n, &out, &m.v[in.Reg[0]])
	m.put(in, w, n, ^uint64(0), &out)
}

func (t *ops) blends() {
	for op, w := range map[asm.Op]int{asm.VPBLENDMB: 1, asm.VPBLENDMW: 2, asm.VPBLENDMD: 4, asm.VPBLENDMQ: 8,
		asm.VBLENDMPS: 4, asm.VBLENDMPD: 8} {
		t[op] = func(m *Machine, in *inst) {
			n, active := in.lanes(w), m.active(in)
			out := m.source(in, 2, w, n, active)
			a := m.v[in.Reg[1]]
			m.merge(in, w, n, &out, &a)
			m.put(in, w, n, ^uint64(0), &out)
		}
	}
	for op, w := range map[asm.Op]int{asm.VBLENDVPS: 4, asm.VBLENDVPD: 8, asm.VPBLENDVB: 1} {
		t[op] = func(m *Machine, in *inst) {
			sel := m.v[in.Reg[3]]
			m.eachLane(in, w, w, func(l *lane) uint64 {
				if sel.get(w, l.i)>>(8*w-1) != 0 {
					return l.b
				}
				return l.a
			})
		}
	}
	for op, w := range map[asm.Op]int{asm.VBLENDPS: 4, asm.VBLENDPD: 8, asm.VPBLENDD: 4, asm.VPBLENDW: 2} {
		t.same(op, w, func(l *lane) uint64 {
			if l.imm>>(l.i&7)&1 != 0 {
				return l.b
			}
			return l.a
		})
	}
}
