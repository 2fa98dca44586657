package emit

import (
	"encoding/binary"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// blocksAtOnce is how many blocks of a pattern the code of its loop makes.
const blocksAtOnce = 4

// patternMaker makes the code of a pattern.
type patternMaker struct {
	*movePattern
	at, to []reg // the addresses of the loads and stores, in block done
	done   int
	masks  map[uint64]reg
}

// patternLoop makes l, which moves elements by p.
func (g *gen) patternLoop(l *loop.Loop, p *movePattern) {
	m := &patternMaker{movePattern: p, masks: map[uint64]reg{}}
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	for k, a := range p.loads {
		at := g.rowStart(a, l)
		for _, v := range p.same[k] {
			place := mem{base: at, index: g.toGeneral(g.value(v), g.nest.Kind(v)), scale: uint8(p.bytes)}
			at = g.c.gload(asm.LEA, asm.W64, place)
		}
		m.at = append(m.at, at)
	}
	for _, r := range p.rows {
		m.to = append(m.to, g.rowStart(r.to, l))
	}
	g.pop()
	if m.whole > blocksAtOnce {
		m.makeLoop(o.counter)
	}
	for ; m.whole > 0; m.whole-- {
		m.next(1)
	}
	for _, b := range p.rest {
		m.makeBlock(b, 0)
	}
}

// rowStart is the address of a, without what the number of the iteration of l adds.
func (g *gen) rowStart(a *loop.Access, l *loop.Loop) reg {
	own := func(t loop.Term) bool { return t.Var == l.Var }
	at := *a
	at.Terms = slices.DeleteFunc(slices.Clone(a.Terms), own)
	if at.Index != 0 && g.inBody(l, at.Index) {
		at.Index = 0
	}
	return g.c.gload(asm.LEA, asm.W64, g.address(&at))
}

// makeLoop makes the loop over whole blocks; what is left of them is whole then.
func (m *patternMaker) makeLoop(counter reg) {
	c := m.g.c
	m.prepareMasks()
	start := c.newLoop()
	m.next(blocksAtOnce)
	m.step(blocksAtOnce)
	m.done = 0
	trips := m.whole / blocksAtOnce
	c.gopi(asm.ADD, counter, 1)
	c.gcmpi(asm.CMP, counter, int64(trips))
	c.jcc(asm.L, start)
	c.endLoop()
	m.whole -= trips * blocksAtOnce
	for k := range m.rest {
		m.rest[k].first -= trips * blocksAtOnce * m.block
		for w := range m.rest[k].windows {
			in := &m.rest[k].windows[w]
			in.start -= m.shift[in.load] * int64(trips*blocksAtOnce)
		}
	}
}

// prepareMasks makes the masks of the loop's blocks in front of it.
func (m *patternMaker) prepareMasks() {
	for _, b := range m.loop {
		for k, w := range b.windows {
			if w.masked {
				m.mask(m.wanted(w))
			}
			if m.wide && k > 0 {
				m.mask(picked(w.pick))
			}
		}
		if m.wide && b.constant != nil && len(b.windows) > 0 {
			m.mask(m.constants(b))
		}
	}
}

// next makes n blocks of the loop, one behind the other.
func (m *patternMaker) next(n int) {
	for range n {
		for _, b := range m.loop {
			m.makeBlock(b, m.done)
		}
		m.done++
	}
}

// step moves the addresses on by n blocks.
func (m *patternMaker) step(n int64) {
	for k, at := range m.at {
		if m.shift[k] != 0 {
			m.g.c.gopi(asm.ADD, at, n*m.shift[k]*m.bytes)
		}
	}
	for _, to := range m.to {
		m.g.c.gopi(asm.ADD, to, n*int64(m.block)*m.bytes)
	}
}

// makeBlock makes b, so many blocks on.
func (m *patternMaker) makeBlock(b moved, on int) {
	var x reg
	if m.wide {
		x = m.joinWide(b, on)
	} else {
		x = m.joinParts(b, on)
	}
	to := mem{base: m.to[b.row], disp: int64(b.first+on*m.block) * m.bytes}
	c := m.g.c
	switch {
	case m.wide && b.exact && b.n < m.fit:
		on := m.mask(1<<b.n - 1)
		c.store(m.moves(), asm.VL512, to, -1, x)
		c.last().mask = on
	case m.wide:
		c.store(asm.VMOVUPS, asm.VL512, to, -1, x)
	case b.exact && b.n < m.fit:
		pieces(int64(b.n)*m.bytes, func(from, size int64) { c.storeElement(size, to.add(from), x, int(from/size)) })
	default:
		c.store(asm.VMOVUPS, asm.VL128, to, -1, x)
	}
}

// place is the place of a window, so many blocks on.
func (m *patternMaker) place(w window, on int) mem {
	return mem{base: m.at[w.load], disp: (w.start + m.shift[w.load]*int64(on)) * m.bytes}
}

// joinWide reads the windows of b and shuffles each as a whole.
func (m *patternMaker) joinWide(b moved, on int) reg {
	c, all := m.g.c, reg(0)
	permute := map[int64]asm.Op{1: asm.VPERMB, 2: asm.VPERMW, 4: asm.VPERMD}[m.bytes]
	for k, w := range b.windows {
		at, pick := m.place(w, on), m.elements(func(lane int) int64 { return int64(max(0, w.pick[lane])) }, b.n)
		var x, read, join reg
		if w.masked {
			read = m.mask(m.wanted(w))
		}
		if k > 0 {
			join = m.mask(picked(w.pick))
		}
		if w.masked {
			x = c.vm(m.moves(), asm.VL512, at)
			c.zeroing(read)
			x = c.v(permute, asm.VL512, pick, x)
		} else {
			x = c.vm(permute, asm.VL512, at, pick)
		}
		if k > 0 {
			c.merge(join, all)
		}
		all = x
	}
	if b.constant == nil {
		return all
	}
	fixed := m.elements(func(lane int) int64 { return b.constant[lane] }, b.n)
	if all == 0 {
		return fixed
	}
	join := m.mask(m.constants(b))
	x := c.v(m.moves(), asm.VL512, fixed)
	c.merge(join, all)
	return x
}

// joinParts does the same with 128 bits.
func (m *patternMaker) joinParts(b moved, on int) reg {
	c, all := m.g.c, reg(0)
	for _, w := range b.windows {
		var pick [partBytes]byte
		for k := range pick {
			if pick[k] = 0x80; k/int(m.bytes) < b.n && w.pick[k/int(m.bytes)] >= 0 {
				pick[k] = byte(w.pick[k/int(m.bytes)]*int(m.bytes) + k%int(m.bytes))
			}
		}
		x := c.v(asm.VPSHUFB, asm.VL128, c.vm(asm.VMOVUPS, asm.VL128, m.place(w, on)), c.repeat16(pick))
		if all != 0 {
			x = c.v(asm.VPORD, asm.VL128, all, x)
		}
		all = x
	}
	if b.constant == nil {
		return all
	}
	fixed := m.elements(func(lane int) int64 { return b.constant[lane] }, b.n)
	if all == 0 {
		return fixed
	}
	return c.v(asm.VPORD, asm.VL128, all, fixed)
}

// elements is a vector whose first n elements are of(element).
func (m *patternMaker) elements(of func(k int) int64, n int) reg {
	var b [64 + 8]byte
	for k := range n {
		binary.LittleEndian.PutUint64(b[k*int(m.bytes):], uint64(of(k)))
	}
	return m.g.c.vector(b[:int(m.g.c.vl)/8])
}

// moves is the instruction that moves elements under a mask.
func (m *patternMaker) moves() asm.Op {
	return map[int64]asm.Op{1: asm.VMOVDQU8, 2: asm.VMOVDQU16, 4: asm.VMOVDQU32}[m.bytes]
}

// mask is an opmask of elements.
func (m *patternMaker) mask(bits uint64) reg {
	if r, ok := m.masks[bits]; ok {
		return r
	}
	r := m.g.c.v(asm.KMOVQKR, 0, m.g.c.imm(int64(bits)))
	m.masks[bits] = r
	return r
}

// picked tells which elements of a block there are in a window, wanted which elements of the window these are, and
// constants which elements of the block are constants.
func picked(pick []int) (bits uint64) {
	for k, from := range pick {
		if from >= 0 {
			bits |= 1 << k
		}
	}
	return bits
}

func (m *patternMaker) wanted(w window) (bits uint64) {
	for _, from := range w.pick {
		if from >= 0 {
			bits |= 1 << from
		}
	}
	return bits
}

func (m *patternMaker) constants(b moved) (bits uint64) {
	for k := range b.constant {
		if !slices.ContainsFunc(b.windows, func(w window) bool { return w.pick[k] >= 0 }) {
			bits |= 1 << k
		}
	}
	return bits
}
