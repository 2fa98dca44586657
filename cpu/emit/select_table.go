package emit

import (
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

// lookUp reads a table of constants: from one or two registers if it fits them, else by a gather.
func lookUp(g *gen, i *loop.Inst, x [3]reg) reg {
	size := i.Kind.Bits() / 8
	table := tableBytes(g.nest.Tables[i.Imm], size)
	full := int(g.c.vl) / 8
	switch {
	case len(table) <= full && (size == 4 || g.c.target.AVX512):
		return g.c.v(by64(i.Kind, asm.VPERMD, asm.VPERMQ), g.c.vl, x[0], g.tablePart(table, 0))
	case len(table) <= 2*full && g.c.target.AVX512:
		in := ins{in: inst(by64(i.Kind, asm.VPERMI2D, asm.VPERMI2Q), g.c.vl, 3), tie: x[0], late: true}
		in.r[1], in.r[2] = g.tablePart(table, 0), g.tablePart(table, 1)
		return g.c.define(in)
	}
	at := g.c.asm.Data(table)
	base := g.c.gload(asm.LEA, asm.W64, mem{label: at.Label})
	m, of := loop.MemI32, loop.I32
	if size == 8 {
		m, of = loop.MemI64, loop.I64
	}
	return g.t.gather(m, mem{base: base}, x[0], of, g.tailMask())
}

// tableBytes is a table as memory has it.
func tableBytes(elements []uint64, size int) []byte {
	var b []byte
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
