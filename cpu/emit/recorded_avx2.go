package emit

import (
	"encoding/binary"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// AVX2 has no masks for narrow loads: there a window is 16 bytes between the first and the last element of the row, all
// of which may be read. Where lanes are too far apart for one, they are in two.

const (
	partLanes  = 8  // of a vector
	partWindow = 16 // bytes
	partWidest = 2  // bytes of an element
	mostParts  = 2  // windows
	// partRecord is, for each window, the places of the lanes' bytes in it, then where each begins in 8 bytes, then
	// nothing.
	partRecord = 64
	partStarts = mostParts * partWindow
)

// partRecordsOf is recordedOf for AVX2.
func (g *gen) partRecordsOf(a *loop.Access) *recorded {
	l := g.lanes.loop
	if a.Mem.Bytes() > partWidest || l.Extent > mostFew || g.isRanged(l) {
		return nil
	}
	at := g.offsetsOf(a)
	if at == nil {
		return nil
	}
	least, most := slices.Min(at), slices.Max(at)
	var table []byte
	windows := 0
	for lanes := range slices.Chunk(at, partLanes) {
		record, n := partRecordOf(lanes, a.Mem.Bytes(), least, most)
		if record == nil {
			return nil
		}
		table, windows = append(table, record...), max(windows, n)
	}
	behind := make([]byte, maxCopies*partRecord) // anything may stand there
	return &recorded{table: g.c.asm.Data(append(table, behind...)).Label, from: g.fixedOf(a), windows: windows}
}

// partRecordOf is the record of lanes that want the elements at, in a row that has elements from least to most, and how
// many windows have them; nil if none do.
func partRecordOf(at []int64, bytes, least, most int64) (record []byte, windows int) {
	n := partWindow / bytes
	if most-least+1 < n {
		return nil, 0
	}
	record = make([]byte, partRecord)
	for k := range partStarts {
		record[k] = 0x80 // zero
	}
	left := slices.Clone(at)
	for ; len(left) > 0; windows++ {
		if windows == mostParts {
			return nil, 0
		}
		first := min(slices.Min(left), most+1-n)
		binary.LittleEndian.PutUint64(record[partStarts+8*windows:], uint64(first))
		wanted := func(x int64) bool { return x < first+n && slices.Contains(left, x) }
		for lane, x := range at {
			for b := range bytes {
				if wanted(x) {
					record[partWindow*int64(windows)+int64(lane)*bytes+b] = byte((x-first)*bytes + b)
				}
			}
		}
		left = slices.DeleteFunc(left, func(x int64) bool { return x < first+n })
	}
	if windows == 1 { // as a second one it may be read, too
		copy(record[partStarts+8:], record[partStarts:partStarts+8])
	}
	return record, windows
}

// loadPartRecord is a load by such a table.
func (g *gen) loadPartRecord(a *loop.Access, t *recorded) reg {
	c := g.c
	record := mem{base: c.gload(asm.LEA, asm.W64, mem{label: t.table}), index: g.open(g.lanes.loop.Var).counter,
		scale: partRecord / partLanes, disp: int64(g.copy * partRecord)}
	from, all := g.address(&t.from), reg(0)
	for w := range int64(t.windows) {
		at := g.indexed(from, c.gload(asm.MOV, asm.W64, record.add(partStarts+8*w)), a.Mem.Bytes())
		x := c.v(asm.VPSHUFB, asm.VL128, c.vm(asm.VMOVUPS, asm.VL128, at),
			c.vm(asm.VMOVUPS, asm.VL128, record.add(partWindow*w)))
		if w > 0 {
			x = c.v(asm.VPORD, asm.VL128, all, x)
		}
		all = x
	}
	return g.t.widen(a.Mem, all)
}
