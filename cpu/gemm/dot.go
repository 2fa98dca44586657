package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// Few rows of A times columns of B that lie along the depth: each element of C is a sum of products of vectors, whose
// lanes are added at the end.

// dotKey is a kernel: columns of B, so many at once, times all rows of A.
type dotKey struct {
	kind         kind
	vector       int
	rows, cols   int
	typeA, typeB shape.ElementType
	tail         int // lanes of the last vector of the depth
	lda, ldb     int // bytes between rows of A, and between columns of B
	ldc          int
	ask          int // not 0: so many bytes behind what is read of B is asked for
}

// dotArgs is the argument block.
type dotArgs struct {
	vectors int // whole ones, of the depth
	a, b, c unsafe.Pointer
	steps   int // groups of columns
	tail    int // not 0: a part of a vector follows
	add     int // not 0: to what C holds
}

// Offsets of its fields.
const (
	dotVectors = 8 * iota
	dotA
	dotB
	dotC
	dotSteps
	dotTail
	dotAdd
)

const (
	// maxDotRows is the most rows of A: for more, B is worth packing.
	maxDotRows = 4
	// dotDepth is the depth of one call, in vectors.
	dotDepth = 1 << 11
	// dotBytes is what an item reads of B at least.
	dotBytes = 128 << 10
)

// dotColumns is how many columns go together, for a number of rows.
func (r registers) dotColumns(rows int) int {
	if r.wide() {
		return [maxDotRows + 1]int{0, 8, 8, 4, 4}[rows]
	}
	return [maxDotRows + 1]int{0, 8, 4, 2, 2}[rows]
}

// canDot reports whether the product can go along the depth.
func (p *Product) canDot(colB, stepB int) bool {
	a, b := &p.spec.A, &p.spec.B
	rowA, flat := a.Free.Stride()
	stepA, flatK := a.Depth.Stride()
	return p.native() && !p.spec.placed() && p.m <= maxDotRows && p.k >= p.lanes && stepB == 1 &&
		flat && flatK && stepA == 1 && fits(rowA*a.Type.ByteSize()) && fits(colB*b.Type.ByteSize()) &&
		p.regs.loads(p.kind, a.Type, p.k%p.lanes) && p.regs.loads(p.kind, b.Type, p.k%p.lanes)
}

// halveVectors goes over to vectors of half a line where whole ones would lie in two lines in every other column, that
// many bytes after the one before, and B is near: what comes from far waits for memory, the less the more is asked for
// at once.
func (p *Product) halveVectors(column int) {
	half, size := line/2, p.kind.size()
	if p.regs.wide() && p.nearB() && column%line == half && p.k*size%half == 0 && p.spec.B.Type.ByteSize() == size {
		p.regs, p.lanes = narrowRegisters, p.lanes/2
		p.panels = panels(p.n, p.lanes, p.widest())
	}
}

// chooseDots cuts the columns into panels and finds the kernels: for groups of columns and for what is left.
func (p *Product) chooseDots() {
	cols := p.regs.dotColumns(p.m)
	a, b := &p.spec.A, &p.spec.B
	rowA, _ := a.Free.Stride()
	colB, _ := b.Free.Stride()
	k := dotKey{kind: p.kind, vector: p.regs.vector, rows: p.m, cols: cols, typeA: a.Type, typeB: b.Type,
		tail: p.k % p.lanes, lda: rowA * a.Type.ByteSize(), ldb: colB * b.Type.ByteSize(), ldc: p.n * p.kind.size()}
	p.rowA, p.rowB = k.lda, k.ldb
	k.ask = p.askB(cols*k.ldb, cols*p.k*b.Type.ByteSize())
	p.dotKeys[0], p.dotKeys[1] = k, dotKey{}
	if k.cols = p.n % cols; k.cols > 0 {
		p.dotKeys[1] = k
	}
	groups := max(1, dotBytes/(cols*p.k*b.Type.ByteSize()))
	p.panels = p.panels[:0]
	for col := 0; col < p.n; col += groups * cols {
		p.panels = append(p.panels, panel{col: col, cols: min(groups*cols, p.n-col)})
	}
	p.nc, p.group, p.mc = len(p.panels), 1, p.m
	if !p.direct {
		for i := range p.dotKeys {
			if p.dotKeys[i].cols > 0 {
				p.dotKeys[i].ldc = p.sumsWidth() * p.kind.size()
			}
		}
	}
}

// dotPanel multiplies the rows of A with the columns of a panel.
func (w *task) dotPanel(n int, pn *panel) {
	p := w.p
	sizeA, sizeB, size := p.spec.A.Type.ByteSize(), p.spec.B.Type.ByteSize(), p.kind.size()
	baseA := (p.spec.A.Offset + p.batchA.at(n)) * sizeA
	baseB := (p.spec.B.Offset+p.batchB.at(n))*sizeB + pn.col*p.rowB
	var c unsafe.Pointer
	if p.direct {
		c = unsafe.Add(w.c, (n*p.m*p.n+pn.col)*size)
	} else {
		c = unsafe.Add(w.own, w.areas.block)
	}
	whole := pn.cols / p.dotKeys[0].cols
	for k := 0; k < p.k; k += dotDepth * p.lanes {
		depth := min(dotDepth*p.lanes, p.k-k)
		args := dotArgs{vectors: depth / p.lanes, tail: depth % p.lanes, add: k, a: unsafe.Add(w.a, baseA+k*sizeA)}
		most := max(1, callWork/8/(depth*p.dotKeys[0].cols))
		for at := 0; at < whole; at += most {
			args.steps = min(most, whole-at)
			args.b = unsafe.Add(w.b, baseB+k*sizeB+at*p.dotKeys[0].cols*p.rowB)
			args.c = unsafe.Add(c, at*p.dotKeys[0].cols*size)
			invoke(p, p.dots[0], &args)
		}
		if done := whole * p.dotKeys[0].cols; done < pn.cols {
			args.steps = 1
			args.b, args.c = unsafe.Add(w.b, baseB+k*sizeB+done*p.rowB), unsafe.Add(c, done*size)
			invoke(p, p.dots[1], &args)
		}
	}
	if !p.direct {
		w.store(c, p.dotKeys[0].ldc, n, 0, p.m, pn.col, pn.col+pn.cols)
	}
}

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
	d.mask = 15
	d.sets = max(1, 8/(k.rows*k.cols))
	d.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, dotB))
	d.RM(asm.MOV, asm.W64, regC, asm.M(asm.RDI, dotC))
	d.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, dotSteps))
	next := d.Here()
	d.columns()
	d.RI(asm.ADD, asm.W64, regC, int64(d.cols*d.loader.kind.size()))
	d.RI(asm.ADD, asm.W64, regB, int64(d.cols*d.ldb))
	d.RI(asm.SUB, asm.W64, regSteps, 1)
	d.Jcc(asm.NE, next)
	d.Zero0(asm.VZEROUPPER)
	d.Ret()
}

func (d *dot) sum(set, i, j int) asm.Vec { return asm.Vec((set*d.rows+i)*d.cols + j) }

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

// widthB is how many bytes of B become a vector.
func (d *dot) widthB() int { return d.vector / d.loader.kind.size() * d.typeB.ByteSize() }

// vectors adds the products of n vectors of the depth, each to a set of its own if there are several, and goes on.
func (d *dot) vectors(n int) {
	lanes := d.vector / d.loader.kind.size()
	for s := range n {
		d.multiply(s%d.sets, s*lanes, false)
	}
	d.RI(asm.ADD, asm.W64, regA, int64(n*lanes*d.typeA.ByteSize()))
	d.RI(asm.ADD, asm.W64, asm.R10, int64(n*lanes*d.typeB.ByteSize()))
}

func (d *dot) multiply(set, at int, part bool) {
	rowA := asm.Vec(d.sets * d.rows * d.cols)
	b := rowA + asm.Vec(d.rows)
	for i := range d.rows {
		d.load(d.typeA, rowA+asm.Vec(i), asm.M(regA, int32(i*d.lda+at*d.typeA.ByteSize())), part)
	}
	for j := range d.cols {
		from := asm.M(asm.R10, int32(j*d.ldb+at*d.typeB.ByteSize()))
		if d.ask > 0 && !part && (!d.wide || at*d.typeB.ByteSize()%line == 0) {
			d.Prefetch(asm.PREFETCHT1, from.Add(int32(d.ask)))
		}
		d.load(d.typeB, b, from, part)
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
	d.setMask(d.tail)
	d.multiply(0, 0, true)
	d.Bind(none)
}

// finish adds the sets and the lanes and stores the elements, as many at once as 16 bytes hold.
func (d *dot) finish() {
	for s := 1; s < d.sets; s++ {
		for v := range d.rows * d.cols {
			d.V3(d.ins.add, d.vl, asm.Vec(v), asm.Vec(v), asm.Vec(s*d.rows*d.cols+v))
		}
	}
	piece := 16 / d.loader.kind.size()
	for i := range d.rows {
		for j := 0; j < d.cols; j += piece {
			n := min(piece, d.cols-j)
			d.fold(i, j, n, piece)
			d.put(d.sum(0, i, j), asm.M(regC, int32(i*d.ldc+j*d.loader.kind.size())), n)
		}
	}
}

// fold leaves the sums of the lanes of n neighbours in the lanes of the first.
func (d *dot) fold(i, j, n, piece int) {
	first := d.sum(0, i, j)
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
