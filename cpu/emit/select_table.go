package emit

import (
	"bytes"
	"encoding/binary"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

func tableRows(t *table) {
	for _, k := range [2]loop.Kind{loop.I32, loop.F32} {
		t.conv(loop.Table, k, loop.I32, lookUp)
	}
	for _, k := range [2]loop.Kind{loop.I64, loop.F64} {
		t.conv(loop.Table, k, loop.I64, lookUp)
	}
}

// lookUp reads a table of constants: from one or two registers if it fits them, else by a gather,
// or as one element where all lanes are the same.
func lookUp(g *gen, i *loop.Inst, x [3]reg) reg {
	size := i.Kind.Bits() / 8
	table := tableBytes(g.nest.Tables[i.Imm], size)
	full := int(g.c.vl) / 8
	switch {
	case len(table) <= full && (size == 4 || g.c.target.AVX512):
		index := x[0]
		if v := g.lowBits(i.Args[0], len(table)/size); v != 0 {
			index, table = g.value(v), bytes.Repeat(table, full/len(table))
		}
		return g.c.v(by64(i.Kind, asm.VPERMD, asm.VPERMQ), g.c.vl, index, g.tablePart(table, 0))
	case len(table) <= 2*full && g.c.target.AVX512:
		index := x[0]
		if v := g.lowBits(i.Args[0], 2*full/size); v != 0 {
			index = g.value(v)
		}
		in := ins{in: inst(by64(i.Kind, asm.VPERMI2D, asm.VPERMI2Q), g.c.vl, 3), tie: index, late: true}
		in.r[1], in.r[2] = g.tablePart(table, 0), g.tablePart(table, 1)
		return g.c.define(in)
	}
	at := g.c.asm.Data(table)
	base := g.c.gload(asm.LEA, asm.W64, mem{label: at.Label})
	if g.laneCount() == 0 {
		one := mem{base: base, index: g.toGeneral(x[0], g.nest.Kind(i.Args[0])), scale: uint8(size)}
		return g.c.vm(by64(i.Kind, asm.VBROADCASTSS, asm.VBROADCASTSD), g.c.vl, one)
	}
	m, of := loop.MemI32, loop.I32
	if size == 8 {
		m, of = loop.MemI64, loop.I64
	}
	return g.t.gather(m, mem{base: base}, x[0], of, g.tailMask())
}

// lowBits returns v if index is v modulo n, a power of two: where that is how many elements the registers have, the
// instruction looks at no more of the index. Else it returns 0.
func (g *gen) lowBits(index loop.Value, n int) loop.Value {
	i := g.nest.Inst(index)
	if i.Op != loop.And || n&(n-1) != 0 {
		return 0
	}
	for k, a := range i.Args[:2] {
		if c := g.nest.Inst(a); c.Op == loop.Const && c.Imm == uint64(n-1) {
			return i.Args[1-k]
		}
	}
	return 0
}

// tableBytes is a table as memory has it.
func tableBytes(elements []uint64, size int) []byte {
	b := make([]byte, 0, size*len(elements))
	for _, e := range elements {
		if size == 4 {
			b = binary.LittleEndian.AppendUint32(b, uint32(e))
		} else {
			b = binary.LittleEndian.AppendUint64(b, e)
		}
	}
	return b
}

// tablePart is a vector of a table's bytes, padded by zeros.
func (g *gen) tablePart(table []byte, n int) reg {
	full := int(g.c.vl) / 8
	part := make([]byte, full)
	copy(part, table[min(n*full, len(table)):])
	return g.c.vector(part)
}
