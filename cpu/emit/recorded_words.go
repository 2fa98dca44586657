package emit

import (
	"encoding/binary"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Words that lanes want from less than a vector of them are read as one, between the first and the last element of the
// row, all of which may be read, and an instruction puts them in their lanes.

// A record of words has a byte for each place of a permutation, then, in 8 bytes, where the window begins: it is the
// number of lanes times the scale of an address, which is wordRecordScale for a place a lane.
const wordRecordScale = 2

// placesOf is how many places a permutation has for a lane with an element of a, 0 if there is none: AVX2 moves the
// halves of elements of 8 bytes.
func (g *gen) placesOf(a *loop.Access) int64 {
	switch lanes, wide := g.lanes.lanes, g.c.target.AVX512; {
	case a.Mem.Bytes() == 8 && !wide:
		return 2
	case a.Mem.Bytes() >= wordBytes && lanes >= 8 && (wide || a.Mem.Bytes() == 4):
		return 1
	}
	return 0
}

// wordRecordsOf is recordedOf for elements of 4 and of 8 bytes.
func (g *gen) wordRecordsOf(a *loop.Access) *recorded {
	l, lanes, places := g.lanes.loop, int64(g.lanes.lanes), g.placesOf(a)
	if l.Extent > mostFew || g.isRanged(l) || places == 0 {
		return nil
	}
	at := g.offsetsOf(a)
	if at == nil {
		return nil
	}
	least, most := slices.Min(at), slices.Max(at)
	if most-least+1 < lanes {
		return nil
	}
	var table []byte
	for wanted := range slices.Chunk(at, int(lanes)) {
		first := min(slices.Min(wanted), most+1-lanes)
		if slices.Max(wanted)-first >= lanes {
			return nil
		}
		record := make([]byte, wordRecordScale*places*lanes)
		for lane, x := range wanted {
			for k := range places {
				record[int64(lane)*places+k] = byte((x-first)*places + k)
			}
		}
		binary.LittleEndian.PutUint64(record[places*lanes:], uint64(first))
		table = append(table, record...)
	}
	behind := make([]byte, maxCopies*wordRecordScale*places*lanes) // anything may stand there
	return &recorded{table: g.c.asm.Data(append(table, behind...)).Label, from: g.fixedOf(a)}
}

// loadWordRecord is a load of words by such a table; 0 if it takes another way.
func (g *gen) loadWordRecord(a *loop.Access) reg {
	s := g.lanes
	if a.Mem.Bytes() < wordBytes || s.across != nil || s.moves || s.toLines != nil || s.clear != nil {
		return 0
	}
	t := g.recordsOf(a, g.wordRecordsOf)
	if t == nil {
		return 0
	}
	c, scale, n := g.c, g.placesOf(a), g.placesOf(a)*int64(s.lanes)
	record := mem{base: c.gload(asm.LEA, asm.W64, mem{label: t.table}), index: g.open(s.loop.Var).counter,
		scale: uint8(wordRecordScale * scale), disp: int64(g.copy) * wordRecordScale * n}
	at := g.indexed(g.address(&t.from), c.gload(asm.MOV, asm.W64, record.add(n)), a.Mem.Bytes())
	widen, permute := asm.VPMOVZXBD, asm.VPERMD
	if a.Mem.Bytes() == 8 && scale == 1 {
		widen, permute = asm.VPMOVZXBQ, asm.VPERMQ
	}
	size := g.size(a.Mem.Kind())
	return c.v(permute, size, c.vm(widen, size, record), c.vm(asm.VMOVUPS, size, at))
}
