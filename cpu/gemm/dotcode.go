package gemm

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// dot emits a kernel. Its vector registers are, from 0: the sums, as many sets of them as hide the latency, the rows of
// A, a column of B.
type dot struct {
	loader
	dotKey
	ins  numeric
	sets int
}

func emitDot(a *asm.Assembler, k dotKey) {
	d := &dot{loader: newLoader(a, k.kind, k.vector), dotKey: k, ins: numerics[k.kind]}
	if k.vnni {
		d.ins.fma = asm.VPDPWSSD
	}
	d.mask = 15
	d.sets = max(1, 8/(k.rows*k.cols))
	d.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, dotB))
	d.RM(asm.MOV, asm.W64, regC, asm.M(asm.RDI, dotC))
	d.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, dotSteps))
	next := d.Here()
	d.columns()
	if down := d.ldc; d.turned {
		d.RI(asm.ADD, asm.W64, regC, int64(d.cols*down))
	} else {
		d.RI(asm.ADD, asm.W64, regC, int64(d.cols*d.loader.kind.size()))
	}
	d.RI(asm.ADD, asm.W64, regB, int64(d.cols*d.ldb))
	d.RI(asm.SUB, asm.W64, regSteps, 1)
	d.Jcc(asm.NE, next)
	d.Zero0(asm.VZEROUPPER)
	d.Ret()
}

// sum is the register of row i and column j: neighbours in C have neighbours.
func (d *dot) sum(set, i, j int) asm.Vec {
	if d.turned {
		return asm.Vec((set*d.cols+j)*d.rows + i)
	}
	return asm.Vec((set*d.rows+i)*d.cols + j)
}

// columns multiplies one group of columns with all rows. RAX walks along A, R10 along B.
func (d *dot) columns() {
	d.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, dotVectors))
	d.RM(asm.MOV, asm.W64, regA, asm.M(asm.RDI, dotA))
	d.RR(asm.MOV, asm.W64, asm.R10, regB)
	for v := range d.sets * d.rows * d.cols {
		d.V3(asm.VPXORD, d.vl, asm.Vec(v), asm.Vec(v), asm.Vec(v))
	}
	turn, rest, one, tail := d.NewLabel(), d.NewLabel(), d.NewLabel(), d.NewLabel()
	if n := d.turn(); n > 1 {
		d.RI(asm.SUB, asm.W64, regDepth, int64(n))
		d.Jcc(asm.L, rest)
		d.Bind(turn)
		d.vectors(n)
		d.RI(asm.SUB, asm.W64, regDepth, int64(n))
		d.Jcc(asm.GE, turn)
		d.Bind(rest)
		d.RI(asm.ADD, asm.W64, regDepth, int64(n))
	}
	d.RR(asm.TEST, asm.W64, regDepth, regDepth)
	d.Jcc(asm.E, tail)
	d.Bind(one)
	d.vectors(1)
	d.RI(asm.SUB, asm.W64, regDepth, 1)
	d.Jcc(asm.NE, one)
	d.Bind(tail)
	d.rest()
	d.finish()
}

// turn is how many vectors of the depth go together: one for each set, or as many as a line of B has if each line is
// asked for. Vectors of half a line each ask for theirs, which is more of a gain.
func (d *dot) turn() int {
	if d.ask > 0 && d.wide && d.sets == 1 {
		return max(1, line/d.widthB())
	}
	return d.sets
}

// widthB is how many bytes of B become a vector, widthA how many of A.
func (d *dot) widthB() int { return d.lanes() * d.loader.kind.wide() * d.typeB.ByteSize() }
func (d *dot) widthA() int { return d.lanes() * d.loader.kind.wide() * d.typeA.ByteSize() }

func (d *dot) lanes() int { return d.vector / d.loader.kind.size() }

// vectors adds the products of n vectors of the depth, each to a set of its own if there are several, and goes on.
func (d *dot) vectors(n int) {
	for s := range n {
		d.multiply(s%d.sets, s*d.widthA(), s*d.widthB(), false)
	}
	d.RI(asm.ADD, asm.W64, regA, int64(n*d.widthA()))
	d.RI(asm.ADD, asm.W64, asm.R10, int64(n*d.widthB()))
}

// multiply adds the products of a vector of each, atA and atB bytes behind where they are, or of a part of one.
func (d *dot) multiply(set, atA, atB int, part bool) {
	rowA := asm.Vec(d.sets * d.rows * d.cols)
	b := rowA + asm.Vec(d.rows)
	for i := range d.rows {
		d.loadPart(d.typeA, rowA+asm.Vec(i), asm.M(regA, int32(i*d.lda+atA)), part)
	}
	for j := range d.cols {
		from := asm.M(asm.R10, int32(j*d.ldb+atB))
		if d.ask > 0 && !part && (!d.wide || atB%line == 0) {
			d.Prefetch(asm.PREFETCHT1, from.Add(int32(d.ask)))
		}
		d.loadPart(d.typeB, b, from, part)
		for i := range d.rows {
			if d.ins.fma != 0 {
				d.V3(d.ins.fma, d.vl, d.sum(set, i, j), rowA+asm.Vec(i), b)
				continue
			}
			d.V3(d.ins.mul, d.vl, b+1, rowA+asm.Vec(i), b)
			d.V3(d.ins.add, d.vl, d.sum(set, i, j), d.sum(set, i, j), b+1)
		}
	}
}

// rest adds the products of the part of a vector at the end, if there is one.
func (d *dot) rest() {
	if d.tail == 0 {
		return
	}
	none := d.NewLabel()
	d.MI(asm.CMP, asm.W64, asm.M(asm.RDI, dotTail), 0)
	d.Jcc(asm.E, none)
	if d.back {
		d.setBackMask()
		lanes := d.tail - d.lanes()
		d.multiply(0, lanes*d.widthA()/d.lanes(), lanes*d.widthB()/d.lanes(), true)
	} else {
		d.setMask(d.tail)
		d.multiply(0, 0, 0, true)
	}
	d.Bind(none)
}

// setBackMask makes the mask of the last lanes.
func (d *dot) setBackMask() {
	if d.wide {
		d.RI(asm.MOV, asm.W32, asm.R8, (1<<d.tail-1)<<(d.lanes()-d.tail))
		d.KG(asm.KMOVWKR, 1, asm.R8)
		return
	}
	mask := make([]byte, d.vector)
	for i := (d.lanes() - d.tail) * d.loader.kind.size(); i < d.vector; i++ {
		mask[i] = 0xFF
	}
	d.V2M(asm.VMOVUPS, d.vl, d.mask, d.Const(mask))
}

// loadPart loads a vector, or a part of one.
func (d *dot) loadPart(t shape.ElementType, v asm.Vec, from asm.Mem, part bool) {
	switch d.load(t, v, from, part && !d.back); {
	case !part || !d.back:
	case d.wide:
		d.V2(asm.VMOVDQU32, d.vl, v, v, asm.MaskZ(1))
	default:
		d.V3(asm.VPANDD, d.vl, v, v, d.mask)
	}
}

// finish adds the sets and the lanes and stores the elements, as many at once as 16 bytes hold.
func (d *dot) finish() {
	for s := 1; s < d.sets; s++ {
		for v := range d.rows * d.cols {
			d.V3(d.ins.add, d.vl, asm.Vec(v), asm.Vec(v), asm.Vec(s*d.rows*d.cols+v))
		}
	}
	piece := 16 / d.loader.kind.size()
	outer, inner := d.rows, d.cols
	if d.turned {
		outer, inner = inner, outer
	}
	for i := range outer {
		for j := 0; j < inner; j += piece {
			n, first := min(piece, inner-j), asm.Vec(i*inner+j)
			d.fold(first, n, piece)
			d.put(first, asm.M(regC, int32(i*d.ldc+j*d.loader.kind.size())), n)
		}
	}
}

// fold leaves the sums of the lanes of n neighbours in the lanes of the first.
func (d *dot) fold(first asm.Vec, n, piece int) {
	other := asm.Vec(d.sets * d.rows * d.cols) // A is not needed any more
	at := func(k int) asm.Vec { return first + asm.Vec(min(k, n-1)) }
	if d.wide {
		for k := range n {
			d.V2I(asm.VEXTRACTF64X4, asm.VL512, other, at(k), 1)
			d.V3(d.ins.add, asm.VL256, at(k), at(k), other)
		}
	}
	// Sums are in registers below 16: horizontal additions have no other form.
	d.pairs(first, at(1))
	if piece == 4 {
		if n > 2 {
			d.pairs(at(2), at(3))
		}
		d.pairs(first, at(2))
	}
	d.V2I(asm.VEXTRACTF32X4, asm.VL256, other, first, 1)
	d.V3(d.ins.add, asm.VL128, first, first, other)
}

// pairs leaves in x, for each 16 bytes, the sums of the neighbours in x, then of those in y.
func (d *dot) pairs(x, y asm.Vec) {
	if d.ins.pairs != 0 {
		d.V3(d.ins.pairs, asm.VL256, x, x, y)
		return
	}
	odd := asm.Vec(d.sets * d.rows * d.cols)
	d.V3I(asm.VSHUFPS, asm.VL256, odd, x, y, 0xDD)
	d.V3I(asm.VSHUFPS, asm.VL256, x, x, y, 0x88)
	d.V3(d.ins.add, asm.VL256, x, x, odd)
}

// put stores n elements, or adds them to what is there.
func (d *dot) put(v asm.Vec, to asm.Mem, n int) {
	old := asm.Vec(d.sets * d.rows * d.cols)
	store := d.NewLabel()
	d.MI(asm.CMP, asm.W64, asm.M(asm.RDI, dotAdd), 0)
	d.Jcc(asm.E, store)
	bytes := n * d.loader.kind.size()
	switch bytes {
	case 16:
		d.V2M(asm.VMOVUPS, asm.VL128, old, to)
	case 12:
		d.V2M(asm.VMOVSD, asm.VL128, old, to)
		d.V3MI(asm.VPINSRD, asm.VL128, old, old, to.Add(8), 2)
	case 8:
		d.V2M(asm.VMOVSD, asm.VL128, old, to)
	default:
		d.V2M(asm.VMOVSS, asm.VL128, old, to)
	}
	d.V3(d.ins.add, asm.VL128, v, v, old)
	d.Bind(store)
	switch bytes {
	case 16:
		d.MV(asm.VMOVUPS, asm.VL128, to, v)
	case 12:
		d.MV(asm.VMOVSD, asm.VL128, to, v)
		d.MVI(asm.VPEXTRD, asm.VL128, to.Add(8), v, 2)
	case 8:
		d.MV(asm.VMOVSD, asm.VL128, to, v)
	default:
		d.MV(asm.VMOVSS, asm.VL128, to, v)
	}
}
