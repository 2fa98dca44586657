package emu

import "github.com/goxla/xla/cpu/asm"

// shuffles work within 128-bit lanes, or change the width of elements.
func (t *ops) shuffles() {
	t.extends()
	t.truncates()
	t.packs()
	t.interleaves()
	t.inLane()
}

func (t *ops) extends() {
	type row struct {
		dw, sw int
	}
	for i, r := range []row{{2, 1}, {4, 1}, {8, 1}, {4, 2}, {8, 2}, {8, 4}} {
		t.lane(asm.VPMOVSXBW+asm.Op(i), r.dw, r.sw, func(l *lane) uint64 { return uint64(signed(l.a, r.sw)) })
		t.lane(asm.VPMOVZXBW+asm.Op(i), r.dw, r.sw, func(l *lane) uint64 { return l.a })
	}
}

func (t *ops) truncates() {
	for i, r := range [][2]int{{1, 2}, {1, 4}, {1, 8}, {2, 4}, {2, 8}, {4, 8}} {
		dw, sw := r[0], r[1]
		t.lane(asm.VPMOVWB+asm.Op(i), dw, sw, func(l *lane) uint64 { return l.a })
		t.lane(asm.VPMOVSWB+asm.Op(i), dw, sw, func(l *lane) uint64 { return clampSigned(signed(l.a, sw), dw) })
		t.lane(asm.VPMOVUSWB+asm.Op(i), dw, sw, func(l *lane) uint64 { return min(l.a, ones(dw)) })
	}
}

// byLane sets an instruction that computes each 128-bit lane from the same lane of its sources; masks and broadcasts
// have elements of w bytes. fn gets the lane as registers whose low 128 bits count.
func (t *ops) byLane(op asm.Op, w int, fn func(a, b vec, imm uint8) vec) {
	t.whole(op, w, func(f *full) (r vec) {
		for i := 0; i < f.n/8; i += 2 {
			x := fn(vec{f.a[i], f.a[i+1]}, vec{f.b[i], f.b[i+1]}, f.imm)
			r[i], r[i+1] = x[0], x[1]
		}
		return r
	})
}

func (t *ops) packs() {
	for _, k := range []struct {
		op       asm.Op
		sw       int
		unsigned bool
	}{{asm.VPACKSSWB, 2, false}, {asm.VPACKSSDW, 4, false}, {asm.VPACKUSWB, 2, true}, {asm.VPACKUSDW, 4, true}} {
		clamp := clampSigned
		if k.unsigned {
			clamp = clampUnsigned
		}
		dw, n := k.sw/2, 16/k.sw
		pack := func(a, b vec, _ uint8) (r vec) {
			for i := range n {
				r.set(dw, i, clamp(signed(a.get(k.sw, i), k.sw), dw))
				r.set(dw, n+i, clamp(signed(b.get(k.sw, i), k.sw), dw))
			}
			return r
		}
		// The mask counts results, a broadcast counts sources.
		t[k.op] = func(m *Machine, in *inst) { m.pack(in, k.sw, dw, pack) }
	}
}

func (m *Machine) pack(in *inst, sw, dw int, fn func(a, b vec, imm uint8) vec) {
	a, b := m.operand(in, 1, sw), m.operand(in, 2, sw)
	if m.err != nil {
		return
	}
	n := int(in.Size) / 8
	var out vec
	for i := 0; i < n/8; i += 2 {
		x := fn(vec{a[i], a[i+1]}, vec{b[i], b[i+1]}, 0)
		out[i], out[i+1] = x[0], x[1]
	}
	m.merge(in, dw, n/dw, &out, &m.v[in.Reg[0]])
	m.put(in, dw, n/dw, ^uint64(0), &out)
}

func (t *ops) interleaves() {
	interleave := func(w, from int) func(a, b vec, _ uint8) vec {
		return func(a, b vec, _ uint8) (r vec) {
			n := 8 / w
			for i := range n {
				r.set(w, 2*i, a.get(w, from*n+i))
				r.set(w, 2*i+1, b.get(w, from*n+i))
			}
			return r
		}
	}
	for i := range 4 {
		w := 1 << i
		t.byLane(asm.VPUNPCKLBW+asm.Op(i), w, interleave(w, 0))
		t.byLane(asm.VPUNPCKHBW+asm.Op(i), w, interleave(w, 1))
	}
	t.byLane(asm.VUNPCKLPS, 4, interleave(4, 0))
	t.byLane(asm.VUNPCKLPD, 8, interleave(8, 0))
	t.byLane(asm.VUNPCKHPS, 4, interleave(4, 1))
	t.byLane(asm.VUNPCKHPD, 8, interleave(8, 1))
}

func (t *ops) inLane() {
	t.byLane(asm.VPSHUFB, 1, func(a, b vec, _ uint8) (r vec) {
		for i := range 16 {
			if c := b.get(1, i); c < 128 {
				r.set(1, i, a.get(1, int(c&15)))
			}
		}
		return r
	})
	quads := func(a, _ vec, imm uint8) (r vec) {
		for i := range 4 {
			r.set(4, i, a.get(4, int(imm>>(2*i)&3)))
		}
		return r
	}
	t.byLane(asm.VPSHUFD, 4, quads)
	t.byLane(asm.VPERMILPSI, 4, quads)
	t.shuffleWords()
	t.byLane(asm.VPERMILPS, 4, func(a, b vec, _ uint8) (r vec) {
		for i := range 4 {
			r.set(4, i, a.get(4, int(b.get(4, i)&3)))
		}
		return r
	})
	t.byLane(asm.VPERMILPD, 8, func(a, b vec, _ uint8) vec { return vec{a[b[0]>>1&1], a[b[1]>>1&1]} })
	t.byLane(asm.VPALIGNR, 1, func(a, b vec, imm uint8) (r vec) {
		for i := range 16 {
			switch s := i + int(imm); {
			case s < 16:
				r.set(1, i, b.get(1, s))
			case s < 32:
				r.set(1, i, a.get(1, s-16))
			}
		}
		return r
	})
	t.duplicates()
}

func (t *ops) shuffleWords() {
	words := func(half int) func(a, _ vec, imm uint8) vec {
		return func(a, _ vec, imm uint8) vec {
			r := a
			for i := range 4 {
				r.set(2, half*4+i, a.get(2, half*4+int(imm>>(2*i)&3)))
			}
			return r
		}
	}
	t.byLane(asm.VPSHUFLW, 2, words(0))
	t.byLane(asm.VPSHUFHW, 2, words(1))
	t.byLane(asm.VSHUFPS, 4, func(a, b vec, imm uint8) (r vec) {
		for i := range 4 {
			src := &a
			if i >= 2 {
				src = &b
			}
			r.set(4, i, src.get(4, int(imm>>(2*i)&3)))
		}
		return r
	})
	// In the forms for doubles each lane has its own bits of the immediate.
	pairs := func(op asm.Op, second func(f *full) *vec) {
		t.whole(op, 8, func(f *full) (r vec) {
			for i := range f.n / 8 {
				src := &f.a
				if i&1 == 1 {
					src = second(f)
				}
				r[i] = src[i&^1+int(f.imm>>i&1)]
			}
			return r
		})
	}
	pairs(asm.VSHUFPD, func(f *full) *vec { return &f.b })
	pairs(asm.VPERMILPDI, func(f *full) *vec { return &f.a })
}

func (t *ops) duplicates() {
	duplicate := func(odd int) func(a, _ vec, _ uint8) vec {
		return func(a, _ vec, _ uint8) (r vec) {
			for i := range 4 {
				r.set(4, i, a.get(4, i&^1+odd))
			}
			return r
		}
	}
	t.byLane(asm.VMOVSHDUP, 4, duplicate(1))
	t.byLane(asm.VMOVSLDUP, 4, duplicate(0))
	for i, f := range []*format{f32, f64} {
		w := f.w
		sum := f.flushing(func(l *lane) uint64 { return f.arith(add, l.a, l.b, asm.RN) })
		t.whole(asm.VHADDPS+asm.Op(i), w, func(x *full) (r vec) {
			n := 8 / w // sums of each source in a lane of 128 bits
			for j := range x.n / w {
				src, at := &x.a, j/(2*n)*2*n+j%n*2
				if j/n&1 == 1 {
					src = &x.b
				}
				r.set(w, j, sum(&lane{a: src.get(w, at), b: src.get(w, at+1), flush: x.flush}))
			}
			return r
		})
		t.same(asm.VADDSUBPS+asm.Op(i), w, f.flushing(func(l *lane) uint64 {
			return f.arith([2]kind{sub, add}[l.i&1], l.a, l.b, asm.RN)
		}))
	}
}
