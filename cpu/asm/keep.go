package asm

import "slices"

// Keep makes a what b holds, which was not finished, in memory of its own: of just the size, unless a has enough from
// before. Only Append, AppendCached and GrowFor may be given a then.
func (a *Assembler) Keep(b *Assembler) {
	a.Reset()
	a.VEXOnly, a.Notes, a.err = b.VEXOnly, b.Notes, b.err
	a.code, a.labels, a.fixes = kept(a.code, b.code), kept(a.labels, b.labels), kept(a.fixes, b.fixes)
	a.past, a.pool = kept(a.past, b.past), kept(a.pool, b.pool)
	a.data, a.notes = kept(a.data, b.data), kept(a.notes, b.notes)
}

// kept returns what is in s, in the memory of room if that is enough.
func kept[T any](room, s []T) []T {
	if cap(room) < len(s) {
		return slices.Clone(s)
	}
	return append(room[:0], s...)
}
