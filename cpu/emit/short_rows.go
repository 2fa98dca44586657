package emit

import (
	"math/bits"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Lanes of bytes that are the rows of an array, each of a few bytes of which all are read: whole vectors of these are
// turned in registers. Parts are zipped as often as it takes to bring the number of the row in them, which their bytes
// are sorted by, behind that of the byte in its row.

// byteRow is a row: the loads of its bytes, the first one first.
type byteRow []loop.Value

// mostRow is how many bytes a row has at most.
const mostRow = 8

// findRows finds the loads of rows of which all bytes are read.
func (s *shorts) findRows() {
	s.rows = map[loop.Value]byteRow{}
	if s.width != 8 {
		return
	}
	var loads []loop.Value
	for _, n := range s.loop.Body {
		if i := s.g.nest.Inst(n.Value); i.Op == loop.Load && s.rowStride(i) > 0 {
			loads = append(loads, n.Value)
		}
	}
	for _, first := range loads {
		row := s.rowFrom(first, loads)
		for _, v := range row {
			s.rows[v] = row
		}
	}
}

// rowStride is the number of bytes of the rows of which i loads one byte each, 0 if it is another load.
func (s *shorts) rowStride(i *loop.Inst) int64 {
	a := &s.g.nest.Accesses[i.Access]
	n := stride(a, s.loop.Var)
	if a.Mem.Bytes() != 1 || i.Args[0] != 0 || a.Index != 0 || n < 2 || n > mostRow || n&(n-1) != 0 {
		return 0
	}
	return n
}

// rowFrom is the row that begins with what first loads, nil if not all of it is among loads.
func (s *shorts) rowFrom(first loop.Value, loads []loop.Value) byteRow {
	i := s.g.nest.Inst(first)
	a, n := &s.g.nest.Accesses[i.Access], s.rowStride(i)
	row := make(byteRow, n)
	for _, v := range loads {
		b := &s.g.nest.Accesses[s.g.nest.Inst(v).Access]
		at := b.Offset - a.Offset
		if at < 0 || at >= n || b.Buffer != a.Buffer || b.Mem != a.Mem || !slices.Equal(b.Terms, a.Terms) {
			continue
		}
		row[at] = v
	}
	if slices.Contains(row, 0) {
		return nil
	}
	return row
}

// loadRow is the bytes that v loads, of each row one: those of the whole row are read with the first of them.
func (s *shorts) loadRow(v loop.Value) reg {
	raw := s.raw[s.g.copy/s.group()]
	if r := raw[v]; r != 0 {
		return r
	}
	row := s.rows[v]
	for k, x := range s.turned8(row) {
		raw[row[k]] = x
	}
	return raw[v]
}

// turned8 reads rows, as many as there are lanes, and gives each of their bytes.
func (s *shorts) turned8(row byteRow) []reg {
	g, n := s.g, len(row)
	at := g.address(&g.nest.Accesses[g.nest.Inst(row[0]).Access])
	x := make([]reg, n)
	for k := range x {
		x[k] = g.parts(g.c.vl, func(p int) mem { return at.add(int64(partBytes * (n*p + k))) })
	}
	for range bits.Len(partBytes - 1) {
		x = g.zip(x, n/2, asm.VPUNPCKLBW, asm.VPUNPCKHBW, g.c.vl)
	}
	return x
}
