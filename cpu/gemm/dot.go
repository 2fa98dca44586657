package gemm

import (
	"unsafe"

	"github.com/goxla/xla/shape"
)

// Few rows of A times columns of B that lie along the depth: each element of C is a sum of products of vectors, whose
// lanes are added at the end. A that lies the other way is turned first (turnfew.go), and few columns are rows of a
// product that is turned (turned.go).

// dotKey is a kernel: columns of B, so many at once, times all rows of A.
type dotKey struct {
	kind         kind
	vector       int
	rows, cols   int
	typeA, typeB shape.ElementType
	tail         int // lanes of the last vector of the depth
	lda, ldb     int // bytes between rows of A, and between columns of B
	ldc          int
	ask          int  // not 0: so many bytes behind what is read of B is asked for
	vnni         bool // pairs are added in one instruction
	turned       bool // neighbours in C are rows of A
	// back: the last vector of the depth is read whole, with lanes that were added before and count as zeros.
	back bool
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
	// maxDotRows is the most rows of A that go at once, mostDotRows the most there may be, since each few read all of B;
	// farDotRows is that where processors make two products of vectors of 64 bytes at a time.
	maxDotRows  = 4
	mostDotRows = 24
	farDotRows  = 16
	// mostDotRowsMore is that of narrow vectors, of which there are deepDotsMore at least along the depth.
	mostDotRowsMore, deepDotsMore = 32, 32
	// dotDepth is the depth of one call, in vectors.
	dotDepth = 1 << 11
	// dotBytes is what an item reads of B at least.
	dotBytes = 128 << 10
	// deepDots is the least depth, in vectors, and dotWork the least multiply-adds, of products that would go other ways.
	deepDots, dotWork = 8, 1 << 13
)

// dotColumns is how many columns go together, for a number of rows.
func (r registers) dotColumns(rows int) int {
	if r.wide() {
		return [maxDotRows + 1]int{0, 8, 8, 4, 4}[rows]
	}
	return [maxDotRows + 1]int{0, 8, 4, 3, 2}[rows]
}

// canDot reports whether the product can go along the depth.
func (p *Product) canDot(colB, stepB int) bool {
	a, b := &p.spec.A, &p.spec.B
	rowA, flat := a.Free.Stride()
	stepA, flatK := a.Depth.Stride()
	if !p.native() || p.spec.placed() || p.k < p.lanes || stepB != 1 || !flat || !flatK || !fits(colB*b.Type.ByteSize()) {
		return false
	}
	turns := stepA != 1 && p.turnsFew(a)
	if stepA != 1 && !turns || !turns && !fits(rowA*a.Type.ByteSize()) || p.m > p.dotRows() {
		return false
	}
	if (turns || p.m > maxDotRows) && !p.worthDots() {
		return false
	}
	_, ok := loadings[p.kind][a.Type]
	_, okB := loadings[p.kind][b.Type]
	return ok && okB
}

// dotRows is the most rows of A. What code multiplies faster in other ways is left to those, and so is what is packed
// once.
func (p *Product) dotRows() int {
	words := p.config.BF16 && p.regs.wide() && p.spec.A.Type == shape.BF16 && p.spec.B.Type == shape.BF16
	switch {
	case words || p.spec.Constant || p.kind == kindS32 && !p.pairsDots():
		return maxDotRows
	case p.regs.wide() && !p.config.Halves:
		return farDotRows
	case !p.regs.wide() && p.k >= deepDotsMore*p.lanes:
		return mostDotRowsMore
	}
	return mostDotRows
}

// worthDots reports whether adding the lanes of sums is little beside multiplying.
func (p *Product) worthDots() bool { return p.k >= deepDots*p.lanes && p.m*p.n*p.k >= dotWork }

// pairsDots reports whether integers are multiplied in pairs.
func (p *Product) pairsDots() bool {
	return p.kind == kindS32 && pairable(p.spec.A.Type) && pairable(p.spec.B.Type) && p.k%2 == 0 && p.k >= 2*p.lanes
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

// planDots goes over to products along the depth: of pairs where they are as exact.
func (p *Product) planDots() {
	b := &p.spec.B
	colB, _ := b.Free.Stride()
	p.routeB = dotted
	p.halveVectors(colB * b.Type.ByteSize())
	if p.pairsDots() {
		p.kind, p.k = kindPairs, p.k/2
	}
	p.runRows, p.runDepth = p.m, p.k
	p.kc = dotDepth * p.lanes
	if p.m > maxDotRows { // what several blocks of rows read stays in the first-level cache
		p.kc = max(deepDots*p.lanes, min(p.kc, p.config.l1()/8/p.kind.size()/(2*p.lanes)*2*p.lanes))
	}
	p.planTurning()
}

// dotBlock is how many rows of A go at once: a few, as equal as can be.
func (p *Product) dotBlock() int { return parts(p.m, parts(p.m, maxDotRows)) }

// chooseDots cuts the columns into panels and finds the kernels: for groups of columns and for what is left, of blocks
// of rows and of the last one.
func (p *Product) chooseDots() {
	rows := p.dotBlock()
	cols, wide := p.regs.dotColumns(rows), p.kind.wide()
	a, b := &p.spec.A, &p.spec.B
	rowA, _ := a.Free.Stride()
	colB, _ := b.Free.Stride()
	k := dotKey{kind: p.kind, vector: p.regs.vector, cols: cols, typeA: a.Type, typeB: b.Type, turned: p.turned,
		tail: p.k % p.lanes, lda: rowA * a.Type.ByteSize(), ldb: colB * b.Type.ByteSize(), ldc: p.n * p.kind.size(),
		vnni: p.kind == kindPairs && p.config.VNNI}
	if p.few.rows > 0 {
		k.typeA, k.lda = p.kind.loaded(), p.few.to
	}
	k.back = k.tail > 0 && !(p.regs.loads(p.kind, k.typeA, k.tail) && p.regs.loads(p.kind, k.typeB, k.tail) && wide == 1)
	p.rowA, p.rowB = k.lda, k.ldb
	k.ask = p.askB(cols*k.ldb, cols*p.k*wide*b.Type.ByteSize())
	if k.ask == 0 && p.m > 1 && p.asksNext() { // one row has columns enough at once
		k.ask = cols * k.ldb
	}
	groups := max(1, dotBytes/(cols*p.k*wide*b.Type.ByteSize()))
	if p.few.rows > 0 { // A is turned for each item
		groups = max(groups, parts(min(turnedFor, parts(p.n, max(1, p.config.Threads/p.batch))), cols))
	}
	p.panels = p.panels[:0]
	for col := 0; col < p.n; col += groups * cols {
		p.panels = append(p.panels, panel{col: col, cols: min(groups*cols, p.n-col)})
	}
	p.nc, p.group, p.mc = len(p.panels), 1, p.m
	switch {
	case p.turned:
		k.ldc = p.m * p.kind.size()
	case !p.direct:
		k.ldc = p.sumsWidth() * p.kind.size()
	}
	for i := range p.dotKeys {
		if k.rows, k.cols = rows, cols; i >= 2 {
			k.rows = (p.m-1)%rows + 1
		}
		if i%2 == 1 {
			k.cols = p.n % cols
		}
		p.dotKeys[i] = dotKey{}
		if k.cols > 0 && (i < 2 || k.rows < rows) {
			p.dotKeys[i] = k
		}
	}
}

// dotPart is how much of the depth, from k on, goes at once. No vector that is read whole begins in the part before.
func (p *Product) dotPart(k int) int {
	n := min(p.kc, p.k-k)
	if rest := p.k - k - n; p.dotKeys[0].back && rest < p.lanes {
		n += rest
	}
	return n
}

// dotPanel multiplies the rows of A with the columns of a panel.
func (w *task) dotPanel(n int, pn *panel) {
	p := w.p
	sizeB, size, cols, wide := p.spec.B.Type.ByteSize(), p.kind.size(), p.dotKeys[0].cols, p.kind.wide()
	baseB := (p.spec.B.Offset+p.batchB.at(n))*sizeB + pn.col*p.rowB
	var c unsafe.Pointer
	switch {
	case !p.direct:
		c = unsafe.Add(w.own, w.areas.block)
	case p.turned:
		c = unsafe.Add(w.c, (n*p.n+pn.col)*p.m*size)
	default:
		c = unsafe.Add(w.c, (n*p.m*p.n+pn.col)*size)
	}
	whole, width := pn.cols/cols, size
	if p.turned {
		width = p.m * size
	}
	for k := 0; k < p.k; {
		depth := p.dotPart(k)
		args := dotArgs{vectors: depth / p.lanes, tail: depth % p.lanes, add: k}
		a := w.dotRows(n, k, depth)
		most := max(1, callWork/8/(depth*cols))
		if p.m > maxDotRows {
			most = max(1, min(most, p.config.l2()/4/(depth*cols*size)))
		}
		b := unsafe.Add(w.b, baseB+k*wide*sizeB)
		for at := 0; at < whole; at += most {
			args.steps = min(most, whole-at)
			args.b = unsafe.Add(b, at*cols*p.rowB)
			w.dotBlocks(0, a, unsafe.Add(c, at*cols*width), &args)
		}
		if done := whole * cols; done < pn.cols {
			args.steps, args.b = 1, unsafe.Add(b, done*p.rowB)
			w.dotBlocks(1, a, unsafe.Add(c, done*width), &args)
		}
		k += depth
	}
	switch {
	case !p.direct && p.turned:
		w.store(c, p.dotKeys[0].ldc, n, pn.col, pn.cols, 0, p.m)
	case !p.direct:
		w.store(c, p.dotKeys[0].ldc, n, 0, p.m, pn.col, pn.col+pn.cols)
	}
}

// dotRows returns where the rows of A are, from depth k on.
func (w *task) dotRows(n, k, depth int) unsafe.Pointer {
	p := w.p
	if p.few.rows > 0 {
		p.turnFew(w.own, w.a, n, k, depth)
		return w.own
	}
	return unsafe.Add(w.a, (p.spec.A.Offset+p.batchA.at(n)+k*p.kind.wide())*p.spec.A.Type.ByteSize())
}

// dotBlocks multiplies all rows of A, at a, with some columns, whose sums are at c: groups of them, or, if rest is 1,
// what is left.
func (w *task) dotBlocks(rest int, a, c unsafe.Pointer, args *dotArgs) {
	p := w.p
	if p.m <= maxDotRows {
		args.a, args.c = a, c
		invoke(p, p.dots[rest], args)
		return
	}
	rows, down := p.dotKeys[0].rows, p.dotKeys[0].ldc
	if p.turned {
		down = p.kind.size()
	}
	for row := 0; row < p.m; row += rows {
		fn := p.dots[rest]
		if p.m-row < rows {
			fn = p.dots[2+rest]
		}
		args.a, args.c = unsafe.Add(a, row*p.rowA), unsafe.Add(c, row*down)
		invoke(p, fn, args)
	}
}
