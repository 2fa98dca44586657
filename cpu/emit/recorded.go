package emit

import (
	"encoding/binary"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Lanes may want narrow elements that are apart in a way that differs from vector to vector, but is the same in every
// row: every second pixel of three colors, say. A table has, for each vector of the row, where a window begins that has
// the elements of all lanes, which of them these are, and a mask of them.

// recorded is such a table: a record for each vector of lanes.
type recorded struct {
	table asm.Label
	from  loop.Access // without what differs between lanes
	// windows is how many there are in each record, on AVX2.
	windows int
}

// recordBytes is the size of a record for elements of so many bytes: their numbers in the window, then where that
// begins and the mask, of 8 bytes each. It is the number of lanes times the scale of an address.
func recordBytes(bytes int64) int64 { return 2 * bytes * recordedLanes }

const (
	recordedLanes = 16
	windowBytes   = 64
)

// recordedOf returns the table for the elements that the lane loop reads by a, nil if there is none.
func (g *gen) recordedOf(a *loop.Access) *recorded {
	l, bytes := g.lanes.loop, a.Mem.Bytes()
	narrow := bytes == 1 && g.c.target.VBMI || bytes == 2 && g.c.target.AVX512
	if !narrow || g.lanes.lanes != recordedLanes || l.Extent > mostFew || g.isRanged(l) {
		return nil
	}
	at := g.offsetsOf(a)
	if at == nil {
		return nil
	}
	var table []byte
	for lanes := range slices.Chunk(at, recordedLanes) {
		record := recordOf(lanes, bytes)
		if record == nil {
			return nil
		}
		table = append(table, record...)
	}
	behind := make([]byte, maxCopies*recordBytes(bytes)) // anything may stand there
	return &recorded{table: g.c.asm.Data(append(table, behind...)).Label, from: g.fixedOf(a)}
}

// recordOf is the record of lanes that want the elements at; nil if they are too far apart.
func recordOf(at []int64, bytes int64) []byte {
	first, mask := slices.Min(at), uint64(0)
	r := make([]byte, recordBytes(bytes))
	for lane, x := range at {
		if x -= first; x >= windowBytes/bytes {
			return nil
		}
		r[int64(lane)*bytes] = byte(x)
		mask |= 1 << x
	}
	binary.LittleEndian.PutUint64(r[recordedLanes*bytes:], uint64(first))
	binary.LittleEndian.PutUint64(r[recordedLanes*bytes+8:], mask)
	return r
}

// recordsOf is the table that find has for a.
func (g *gen) recordsOf(a *loop.Access, find func(*loop.Access) *recorded) *recorded {
	t, known := g.records[a]
	if !known {
		if g.records == nil {
			g.records = map[*loop.Access]*recorded{}
		}
		t = find(a)
		g.records[a] = t
	}
	return t
}

// loadRecorded is a load by such a table; 0 if it takes another way.
func (g *gen) loadRecorded(a *loop.Access) reg {
	s := g.lanes
	if a.Mem.Bytes() >= wordBytes {
		return g.loadWordRecord(a)
	}
	if s.across != nil || s.moves || s.toLines != nil {
		return 0
	}
	if !g.c.target.AVX512 && (s.clear != nil || s.lanes != partLanes || g.size(loop.I32) != asm.VL256) {
		return 0
	}
	find := g.partRecordsOf
	if g.c.target.AVX512 {
		find = g.recordedOf
	}
	t := g.recordsOf(a, find)
	switch {
	case t == nil:
		return 0
	case !g.c.target.AVX512:
		return g.loadPartRecord(a, t)
	}
	c, bytes := g.c, a.Mem.Bytes()
	record := mem{base: c.gload(asm.LEA, asm.W64, mem{label: t.table}), index: g.open(s.loop.Var).counter,
		scale: uint8(2 * bytes), disp: int64(g.copy) * recordBytes(bytes)}
	numbers := recordedLanes * bytes
	at := g.indexed(g.address(&t.from), c.gload(asm.MOV, asm.W64, record.add(numbers)), bytes)
	mask := c.vm(asm.KMOVQ, 0, record.add(numbers+8))
	load, permute := asm.VMOVDQU8, asm.VPERMB
	if bytes == 2 {
		load, permute = asm.VMOVDQU16, asm.VPERMW
	}
	x := c.vm(load, asm.VL512, at)
	c.zeroing(mask)
	return g.t.widen(a.Mem, c.v(permute, asm.VL512, c.vm(asm.VMOVUPS, asm.Size(8*numbers), record), x))
}
