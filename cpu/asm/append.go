package asm

import "slices"

// Append adds what b holds, which was not finished, behind the code of a: instructions, labels and constants, of which
// those that a has already are shared. Both must begin at a multiple of the alignments that b asked for. The labels of
// b are not those of a; b is not changed.
func (a *Assembler) Append(b *Assembler) {
	if a.err == nil {
		a.err = b.err
	}
	start, first := int32(len(a.code)), Label(len(a.labels))
	for _, at := range b.labels {
		if at >= 0 {
			at += start
		}
		a.labels = append(a.labels, at)
	}
	shared := make([]Label, len(b.labels)+1) // by label of b; 0: none
	for i := range b.pool {
		c := &b.pool[i]
		shared[c.label] = a.Const(c.bytes[:c.n]).Label
	}
	for _, d := range b.data {
		shared[d.label] = a.Data(d.bytes).Label
	}
	for _, f := range b.fixes {
		label := shared[f.label]
		if label == 0 {
			label = f.label + first
		}
		a.fixes = append(a.fixes, fix{at: f.at + start, end: f.end + start, disp: f.disp, label: label})
	}
	for _, at := range b.past {
		a.past = append(a.past, at+start)
	}
	a.code = append(a.code, b.code...)
	for _, n := range b.notes {
		a.notes = append(a.notes, note{n.at + start, n.text})
	}
}

// GrowFor makes room for kernels that are to be appended, each at a multiple of align; those with stores that go past
// the caches also by AppendCached.
func (a *Assembler) GrowFor(kernels []Assembler, align int) {
	bytes, labels, fixes := 0, 0, 0
	for i := range kernels {
		k := &kernels[i]
		times := 1
		if k.Streams() {
			times = 2
		}
		bytes += times*(len(k.code)+align) + k.constLen()
		labels += times * len(k.labels)
		fixes += times * len(k.fixes)
	}
	a.Grow(bytes)
	a.labels, a.fixes = slices.Grow(a.labels, labels), slices.Grow(a.fixes, fixes)
}

// constLen returns the bytes of the constants so far.
func (a *Assembler) constLen() (n int) {
	for k := range a.pool {
		n += int(a.pool[k].n)
	}
	for _, d := range a.data {
		n += len(d.bytes)
	}
	return n
}

// opcodeStore is the opcode of VMOVUPS and VMOVUPD. All else of such a store is as in VMOVNTPS and VMOVNTPD.
const opcodeStore = 0x11

// notePast notes the place of the opcode that was appended last, if that is of a store that goes past the caches.
func (a *Assembler) notePast(op Op) {
	if pastCaches(op) {
		a.past = append(a.past, int32(len(a.code)-1))
	}
}

func pastCaches(op Op) bool { return op == VMOVNTPS || op == VMOVNTPD }

// Streams reports whether there are stores of floats that go past the caches.
func (a *Assembler) Streams() bool { return len(a.past) > 0 }

// AppendCached is Append with stores to anywhere, through the caches, in place of those of b that go past them and
// need aligned memory.
func (a *Assembler) AppendCached(b *Assembler) {
	first := len(a.past)
	a.Append(b)
	for _, at := range a.past[first:] {
		a.code[at] = opcodeStore
	}
	a.past = a.past[:first]
}
