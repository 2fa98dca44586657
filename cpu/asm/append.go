package asm

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
		shared[c.label] = a.Const(c.key.bytes[:c.key.n]).Label
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
	a.code = append(a.code, b.code...)
	for _, n := range b.notes {
		a.notes = append(a.notes, note{n.at + start, n.text})
	}
}
