package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A table of bytes that bytes choose from is looked up in registers. Where an instruction chooses among two vectors,
// two of them do, and the highest bit of an index chooses between these. Else an instruction chooses among 16 bytes, or
// gives zero where the highest bit of an index is on. So the first looks up an index in the first 16, the next one
// what it is above 16 in the next 16, and so on: as each has the differences to the bytes before, and what is below is
// negative, the sum of all is the byte looked for. The upper half of a table is looked up with that bit turned.

// mostBytes is how many bytes such a table has at most; leastLookups how many vectors of a loop are worth its setup.
const (
	mostBytes    = 256
	leastLookups = 8
)

// isLookup reports whether i is a load from such a table by an index in short lanes.
func (s *shorts) isLookup(i *loop.Inst) bool {
	a, g := &s.g.nest.Accesses[i.Access], s.g
	if s.width != 8 || i.Op != loop.Load || !s.inLoop[a.Index] || g.nest.Kind(a.Index) != loop.I32 {
		return false
	}
	b := &g.nest.Buffers[a.Buffer]
	_, unsigned := s.fits(a.Index)
	return unsigned && s.held[a.Index] && len(a.Terms) == 0 && a.Offset == 0 && i.Args[0] == 0 && !b.Write &&
		(a.Mem == loop.MemS8 || a.Mem == loop.MemU8) && b.Bytes <= mostBytes &&
		s.loop.Extent >= leastLookups*int64(g.c.vl)/8
}

// startTables makes the registers of the tables, in front of the loop.
func (s *shorts) startTables() {
	s.tables = map[int][]reg{}
	for _, n := range s.loop.Body {
		i := s.g.nest.Inst(n.Value)
		if i.Op != loop.Load || !s.isLookup(i) {
			continue
		}
		buffer := s.g.nest.Accesses[i.Access].Buffer
		if s.tables[buffer] != nil {
			continue
		}
		s.tables[buffer] = s.tableOf(buffer)
	}
}

// tableOf is the table that a buffer is: vectors, or differences of 16 bytes that are repeated.
func (s *shorts) tableOf(buffer int) (table []reg) {
	g, c := s.g, s.g.c
	a := &loop.Access{Buffer: buffer, Mem: loop.MemU8}
	if c.target.VBMI {
		t := &shortTable{g: g, in: a, n: g.nest.Buffers[buffer].Bytes, shuffle: tableShuffles[1],
			each: int64(c.vl) / 8, at: g.address(a)}
		for k := int64(0); k*t.each < t.n; k++ {
			table = append(table, t.vector(k))
		}
		return table
	}
	before, half := reg(0), 128/partBytes
	for from := int64(0); from < g.nest.Buffers[buffer].Bytes; from += partBytes {
		part := s.sixteen(g.address(a).add(from), g.nest.Buffers[buffer].Bytes-from)
		x := part
		if len(table)%half != 0 {
			x = c.v(asm.VPXORD, asm.VL128, part, before)
		}
		before = part
		table = append(table, c.parts(x))
	}
	return table
}

// sixteen is 16 bytes, or as many as are left.
func (s *shorts) sixteen(at mem, left int64) reg {
	if left >= partBytes {
		return s.g.c.vm(asm.VMOVUPS, asm.VL128, at)
	}
	x := s.g.c.zeroVec()
	pieces(left, func(from, size int64) { s.g.insertPiece(x, at.add(from), from, size) })
	return x
}

// parts has the low 128 bits of x in all parts of a vector.
func (c *code) parts(x reg) reg {
	if c.vl == asm.VL512 {
		return c.vi(asm.VSHUFI64X2, c.vl, 0, x, x)
	}
	return c.vi(asm.VPERMQI, c.vl, 0x44, x)
}

// lookUp is a load from a table.
func (s *shorts) lookUp(a *loop.Access) reg {
	c, table, x := s.g.c, s.tables[a.Buffer], s.value(a.Index)
	if c.target.VBMI {
		return s.lookUpVectors(table, x)
	}
	found, half := reg(0), 128/partBytes
	for k, part := range table {
		switch {
		case k == half:
			x = c.v(asm.VPXORD, c.vl, s.value(a.Index), s.constant(0x80))
		case k > 0:
			x = c.v(asm.VPSUBSB, c.vl, x, s.constant(partBytes))
		}
		y := c.v(asm.VPSHUFB, c.vl, part, x)
		if k > 0 {
			y = c.v(asm.VPXORD, c.vl, found, y)
		}
		found = y
	}
	return found
}

// lookUpVectors looks up x in up to four vectors.
func (s *shorts) lookUpVectors(table []reg, x reg) reg {
	c := s.g.c
	pair := func(t []reg) reg {
		if len(t) == 1 {
			return c.v(asm.VPERMB, c.vl, x, t[0])
		}
		i := ins{in: inst(asm.VPERMI2B, c.vl, 3), tie: x, late: true}
		i.r[1], i.r[2] = t[0], t[1]
		return c.define(i)
	}
	low := pair(table[:min(2, len(table))])
	if len(table) <= 2 {
		return low
	}
	high := c.v(asm.VPTESTMB, c.vl, x, s.constant(0x80))
	return s.pick(high, pair(table[2:]), low)
}
