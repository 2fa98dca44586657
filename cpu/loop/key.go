package loop

import "encoding/binary"

// AppendKey appends bytes that are equal for nests that differ in their names alone, of which one piece of machine
// code will do.
func (n *Nest) AppendKey(b []byte) []byte {
	k := keyWriter{nest: n, out: b}
	k.numbers(uint64(len(n.Buffers)), uint64(len(n.Tables)), uint64(n.Vars))
	for _, buf := range n.Buffers {
		k.numbers(uint64(buf.Bytes))
		k.flags(buf.Write, buf.Scratch, buf.Stream, buf.Far)
	}
	for _, t := range n.Tables {
		k.numbers(uint64(len(t)))
		k.numbers(t...)
	}
	k.flags(n.Divided)
	k.block(n.Root)
	return k.out
}

// Outline returns a number that nests of the same key have, and few others: it tells of buffers, loops, and how many
// instructions are where.
func (n *Nest) Outline() uint64 {
	h := uint64(n.Vars)
	for i := range n.Buffers {
		h = (h ^ uint64(n.Buffers[i].Bytes)) * odd
	}
	h = (h ^ uint64(len(n.Root))) * odd
	n.Root.EachLoop(func(l *Loop) {
		h = (h ^ uint64(l.Extent)) * odd
		h = (h ^ uint64(len(l.Body))<<32 ^ uint64(len(l.CondBody))<<16 ^ uint64(len(l.Carries))) * odd
	})
	return h
}

// keyWriter writes the parts of a nest, each so that its end is known.
type keyWriter struct {
	nest *Nest
	out  []byte
}

func (k *keyWriter) numbers(list ...uint64) {
	for _, x := range list {
		k.out = binary.AppendUvarint(k.out, x)
	}
}

func (k *keyWriter) values(list ...Value) {
	for _, v := range list {
		k.out = binary.AppendUvarint(k.out, uint64(v))
	}
}

func (k *keyWriter) flags(list ...bool) {
	for _, f := range list {
		n := byte(0)
		if f {
			n = 1
		}
		k.out = append(k.out, n)
	}
}

func (k *keyWriter) block(b Block) {
	k.numbers(uint64(len(b)))
	for _, n := range b {
		if k.flags(n.Loop != nil); n.Loop != nil {
			k.loop(n.Loop)
			continue
		}
		k.inst(n.Value)
	}
}

func (k *keyWriter) loop(l *Loop) {
	k.numbers(uint64(l.Var), uint64(l.Extent), uint64(len(l.Carries)))
	k.flags(l.Lanes, l.Parallel, l.When != nil)
	if w := l.When; w != nil {
		k.numbers(uint64(w.Var), uint64(w.Lo), uint64(w.Hi))
		k.flags(w.Outside)
	}
	k.values(l.Cond)
	for _, c := range l.Carries {
		k.values(c.Init, c.Phi, c.Next, c.Out)
		k.numbers(uint64(c.Reduce), uint64(k.nest.Kind(c.Out)))
	}
	k.block(l.CondBody)
	k.block(l.Body)
}

func (k *keyWriter) inst(v Value) {
	i := k.nest.Inst(v)
	k.values(v)
	k.numbers(uint64(i.Op), uint64(i.Kind), i.Imm)
	k.values(i.Args[:]...)
	if i.Op == Load || i.Op == Store {
		k.access(&k.nest.Accesses[i.Access])
	}
}

func (k *keyWriter) access(a *Access) {
	k.numbers(uint64(a.Buffer), uint64(a.Offset), uint64(a.Mem), uint64(len(a.Terms)))
	k.values(a.Index)
	for _, t := range a.Terms {
		k.numbers(uint64(t.Var), uint64(t.Stride))
	}
}
