package order

import (
	"encoding/binary"

	"github.com/goxla/xla/cpu/asm"
)

// blockVectors is how many vectors a partition takes from one side at a time.
func blockVectors(wide bool) int {
	if wide {
		return 8
	}
	return 4
}

// emitPartition emits the kernel that moves those of the n elements of array a that are less than x[0] to its front,
// the others to its end, and sets count to the bytes of the former. n is at least two blocks.
//
// A block of each end is put aside: so there is place to write on both sides. The next block then comes from where
// there is less of it, and each of its vectors is written to both sides. The blocks put aside come last.
func emitPartition(g gen) {
	p := partition{gen: g, block: blockVectors(g.wide), pivot: 31, scalar: asm.R13, table: asm.R14}
	if p.byTable() {
		p.pivot = 15
		table := p.splits()
		p.RM(asm.LEA, asm.W64, p.table, table)
	} else {
		p.RI(asm.MOV, asm.W32, p.table, int64(1)<<g.lanes-1)
	}
	p.prologue()
	p.loop(p.block)
	p.loop(1)
	p.rest()
	for at := range 2 * p.block {
		p.V2M(p.move(), p.vl, 0, asm.M(asm.RSI, int32(at*p.bytes())))
		p.spreadOut(0)
	}
	p.RM(asm.SUB, asm.W64, asm.RCX, p.arg(argA))
	p.MR(asm.MOV, asm.W64, p.arg(argCount), asm.RCX)
	p.end()
}

// partition emits a partition. RAX to RBX is what is not read yet, RCX to RDX where nothing is written yet.
type partition struct {
	gen
	block  int
	pivot  asm.Vec
	scalar asm.Reg // the pivot
	table  asm.Reg // of the orders of lanes; with AVX-512 all lanes
}

// byTable reports whether a table gives the order of lanes: there are few enough of them.
func (g *gen) byTable() bool { return g.lanes <= 8 }

// splits is a table, by the lanes that are less: the order in which these come first, as lanes in bytes, or as
// doublewords for AVX2.
func (g *gen) splits() asm.Mem {
	part := g.size / 4 // of lanes
	if g.wide {
		part = 1
	}
	var table []byte
	for less := range 1 << g.lanes {
		var order [8]byte
		k := 0
		for want := range 2 {
			for i := range g.lanes {
				if less>>i&1 == want {
					continue
				}
				for w := range part {
					order[k] = byte(i*part + w)
					k++
				}
			}
		}
		table = binary.LittleEndian.AppendUint64(table, binary.LittleEndian.Uint64(order[:]))
	}
	return g.Data(table)
}

func (p *partition) prologue() {
	p.load(asm.RAX, argA)
	p.load(asm.R8, argN)
	p.load(p.scalar, argX)
	p.spread(p.pivot, argX)
	p.RM(asm.LEA, asm.W64, asm.RBX, asm.MX(asm.RAX, asm.R8, uint8(p.size), 0))
	p.RR(asm.MOV, asm.W64, asm.RCX, asm.RAX)
	p.RR(asm.MOV, asm.W64, asm.RDX, asm.RBX)
	block := p.block * p.bytes()
	p.RI(asm.SUB, asm.W64, asm.RBX, int64(block))
	for i := range 2 * p.block {
		from := asm.M(asm.RAX, int32(i*p.bytes()))
		if i >= p.block {
			from = asm.M(asm.RBX, int32((i-p.block)*p.bytes()))
		}
		v := asm.Vec(i % 4)
		p.V2M(p.move(), p.vl, v, from)
		p.MV(p.move(), p.vl, asm.M(asm.RSI, int32(i*p.bytes())), v)
	}
	p.RI(asm.ADD, asm.W64, asm.RAX, int64(block))
}

// loop does blocks of some vectors as long as there are any.
func (p *partition) loop(vectors int) {
	next, done := p.NewLabel(), p.NewLabel()
	bytes := vectors * p.bytes()
	p.Align(aligned)
	p.Bind(next)
	p.RR(asm.MOV, asm.W64, asm.R9, asm.RBX)
	p.RR(asm.SUB, asm.W64, asm.R9, asm.RAX)
	p.RI(asm.CMP, asm.W64, asm.R9, int64(bytes))
	p.Jcc(asm.B, done)
	p.choose(bytes)
	for i := range vectors {
		p.V2M(p.move(), p.vl, asm.Vec(i), asm.M(asm.R10, int32(i*p.bytes())))
	}
	for i := range vectors {
		p.spreadOut(asm.Vec(i))
	}
	p.Jmp(next)
	p.Bind(done)
}

// choose takes the next bytes from the side with less place to write and sets R10 to where they are.
func (p *partition) choose(bytes int) {
	p.RR(asm.MOV, asm.W64, asm.R11, asm.RAX)
	p.RR(asm.SUB, asm.W64, asm.R11, asm.RCX)
	p.RR(asm.MOV, asm.W64, asm.R12, asm.RDX)
	p.RR(asm.SUB, asm.W64, asm.R12, asm.RBX)
	p.RM(asm.LEA, asm.W64, asm.R8, asm.M(asm.RBX, int32(-bytes)))
	p.RM(asm.LEA, asm.W64, asm.R9, asm.M(asm.RAX, int32(bytes)))
	p.RR(asm.MOV, asm.W64, asm.R10, asm.RAX)
	p.RR(asm.CMP, asm.W64, asm.R11, asm.R12)
	p.Cmov(asm.A, asm.W64, asm.R10, asm.R8)
	p.Cmov(asm.A, asm.W64, asm.RBX, asm.R8)
	p.Cmov(asm.BE, asm.W64, asm.RAX, asm.R9)
	if bytes > p.bytes() {
		p.RM(asm.LEA, asm.W64, asm.R15, asm.M(asm.R9, int32(1*bytes)))
		p.RM(asm.LEA, asm.W64, asm.R8, asm.M(asm.R8, int32(-2*bytes)))
		p.Cmov(asm.A, asm.W64, asm.R15, asm.R8)
		for at := 0; at < bytes; at += 64 {
			p.Prefetch(asm.PREFETCHT0, asm.M(asm.R15, int32(at)))
		}
	}
}

// spreadOut writes the lanes of v that are less to the front and the others to the end.
func (p *partition) spreadOut(v asm.Vec) {
	front, back := asm.M(asm.RCX, 0), asm.M(asm.RDX, 0)
	step := asm.MX(asm.RDX, asm.R9, uint8(p.size), int32(-p.bytes()))
	if !p.byTable() {
		p.KV2I(p.by(asm.VPCMPD, asm.VPCMPQ), p.vl, 1, v, p.pivot, asm.CmpLT)
		p.GK(asm.KMOVWRK, asm.R9, 1)
		p.K2(p.by(asm.KNOTW, asm.KNOTB), 2, 1)
		p.RR(asm.POPCNT, asm.W32, asm.R9, asm.R9)
		p.V2(p.by(asm.VPCOMPRESSD, asm.VPCOMPRESSQ), p.vl, 16, v, asm.MaskZ(1))
		p.V2(p.by(asm.VPCOMPRESSD, asm.VPCOMPRESSQ), p.vl, 17, v, asm.MaskZ(2))
		p.RRR(asm.SHRX, asm.W32, asm.R11, p.table, asm.R9)
		p.KG(asm.KMOVWKR, 3, asm.R11)
		p.RM(asm.LEA, asm.W64, asm.RDX, step)
		p.MV(p.move(), p.vl, front, 16)
		p.MV(p.move(), p.vl, back, 17, asm.Mask(3))
		p.RM(asm.LEA, asm.W64, asm.RCX, asm.MX(asm.RCX, asm.R9, uint8(p.size), 0))
		return
	}
	order := asm.MX(p.table, asm.R9, 8, 0)
	if p.wide {
		p.KV2I(asm.VPCMPQ, p.vl, 1, v, p.pivot, asm.CmpLT)
		p.GK(asm.KMOVWRK, asm.R9, 1)
		p.V2M(asm.VPMOVZXBQ, p.vl, 13, order)
		p.V3(asm.VPERMQ, p.vl, 14, 13, v)
	} else {
		p.V3(p.by(asm.VPCMPGTD, asm.VPCMPGTQ), p.vl, 12, p.pivot, v)
		p.GV(p.by(asm.VMOVMSKPS, asm.VMOVMSKPD), p.vl, asm.R9, 12)
		p.V2M(asm.VPMOVZXBD, p.vl, 13, order)
		p.V3(asm.VPERMD, p.vl, 14, 13, v)
	}
	p.RR(asm.POPCNT, asm.W32, asm.R9, asm.R9)
	p.MV(p.move(), p.vl, front, 14)
	p.MV(p.move(), p.vl, back.Add(int32(-p.bytes())), 14)
	p.RM(asm.LEA, asm.W64, asm.RCX, asm.MX(asm.RCX, asm.R9, uint8(p.size), 0))
	p.RM(asm.LEA, asm.W64, asm.RDX, step)
}

// rest does the elements that are less than a vector, one by one: both places get it, and one is kept.
func (p *partition) rest() {
	w := asm.W32
	if p.size == 8 {
		w = asm.W64
	}
	next, done := p.NewLabel(), p.NewLabel()
	aside := int32(2 * p.block * p.bytes())
	p.V2M(p.move(), p.vl, 0, asm.M(asm.RBX, int32(-p.bytes())))
	p.MV(p.move(), p.vl, asm.M(asm.RSI, aside), 0)
	p.RR(asm.SUB, asm.W64, asm.RBX, asm.RAX)
	p.Jcc(asm.E, done)
	p.RM(asm.LEA, asm.W64, asm.R8, asm.M(asm.RSI, aside+int32(p.bytes())))
	p.Bind(next)
	p.RR(asm.MOV, asm.W64, asm.R9, asm.R8)
	p.RR(asm.SUB, asm.W64, asm.R9, asm.RBX)
	p.RM(asm.MOV, w, asm.R10, asm.M(asm.R9, 0))
	p.RR(asm.XOR, asm.W32, asm.R11, asm.R11)
	p.RR(asm.CMP, w, asm.R10, p.scalar)
	p.Set(asm.L, asm.R11)
	p.MR(asm.MOV, w, asm.M(asm.RCX, 0), asm.R10)
	p.MR(asm.MOV, w, asm.M(asm.RDX, int32(-p.size)), asm.R10)
	p.RM(asm.LEA, asm.W64, asm.RCX, asm.MX(asm.RCX, asm.R11, uint8(p.size), 0))
	p.RM(asm.LEA, asm.W64, asm.RDX, asm.MX(asm.RDX, asm.R11, uint8(p.size), int32(-p.size)))
	p.RI(asm.SUB, asm.W64, asm.RBX, int64(p.size))
	p.Jcc(asm.NE, next)
	p.Bind(done)
}
