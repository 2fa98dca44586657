package gemm

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// Tile registers (AMX) hold 16 rows of 64 bytes. A row of A has 16 groups of neighbours along the depth, two bf16 or
// four bytes each; a row of B has the same group of 16 columns; one instruction adds all their products to a tile of C.
// What is one depth to the other kinds is a group here. bf16 are summed in f32, and what is denormal counts as zero.

const (
	tileRows  = 16
	tileDepth = 16 // groups
	tileBytes = 64 // of a row
	// leastTileRows is the number of rows from which on tiles are worth it: fewer are bound by reading B, which need
	// not be packed else. That is so for leastByteRows of bytes.
	leastTileRows = 8
	leastByteRows = 2
)

// tileRegisters: four tiles of sums, two of A and two of B.
var tileRegisters = registers{vector: 64, sums: 4 * tileRows, most: 2}

// canTile reports whether tiles can multiply: A lies along the depth, in runs of whole groups, or along the rows, B in
// one of the orders that kernels pack.
func (p *Product) canTile() bool {
	a, b := &p.spec.A, &p.spec.B
	switch {
	case p.kind == kindF32 && p.config.TileBF16 && a.Type == shape.BF16 && b.Type == shape.BF16:
	case p.kind == kindS32 && p.config.TileInt8 && isByte(a.Type) && isByte(b.Type):
	default:
		return false
	}
	wide := 4 / a.Type.ByteSize()
	least := leastTileRows
	if isByte(b.Type) {
		least = leastByteRows
	}
	if p.m < least || p.k%wide != 0 || p.k < tileDepth*wide {
		return false
	}
	run := a.Depth.run()
	along := run.Stride == 1 && run.Size%wide == 0 && fits(a.Free.run().Stride*a.Type.ByteSize())
	turns := p.turnsRows(wide)
	if _, flat := b.Free.Stride(); !flat && turns && p.batch == 1 && !p.spec.Constant {
		p.overlap = overlapOf(b, wide)
	}
	if _, ok := p.tileOrder(wide); ok && (along || turns) {
		return true
	}
	p.overlap = nil
	return false
}

// tileOrder is how B is packed in groups of wide depths.
func (p *Product) tileOrder(wide int) (order, bool) {
	if p.overlap != nil {
		return copied, fits(wide * p.spec.B.Depth.run().Stride * p.spec.B.Type.ByteSize())
	}
	return p.groupOrder(wide)
}

func isByte(t shape.ElementType) bool { return t == shape.S8 || t == shape.U8 }

// chooseTiles goes over to tiles.
func (p *Product) chooseTiles() {
	p.kind = kindWords
	if isByte(p.spec.B.Type) {
		p.kind = kindBytes
	}
	p.regs = tileRegisters
	p.panels = panels(p.n, p.lanes, p.regs.most)
	how, _ := p.tileOrder(p.kind.wide())
	p.groupDepths(how)
	if p.overlap != nil {
		p.chooseOverlap()
	}
}

// tilesInPlace reports whether tiles are loaded from A where it is: its rows should begin with lines of the cache, and
// what is evenly spaced fill tiles.
func (p *Product) tilesInPlace() bool {
	a := &p.spec.A
	row, depth := a.Free.run(), a.Depth.run()
	apart := row.Stride * a.Type.ByteSize()
	groups := depth.Size / p.kind.wide()
	if depth.Stride != 1 || p.n > 4*p.regs.most*p.lanes && apart%line != 0 || p.leavesRows(row.Size) {
		return false
	}
	if groups < p.k {
		deep := fullest(groups)
		if deep < leastDeep || deep < tileDepth && 2*groups > p.mostDepth() {
			return false
		}
		p.deep = deep
	}
	p.runRows, p.runDepth = row.Size, groups
	p.rowA, p.depthA = apart, p.kind.size()
	return true
}

// mostEmpty is how many columns take about as long to multiply with a row as packing it does, leastShort the least
// rows of a run for which that is known.
const (
	mostEmpty  = 88
	leastShort = 6
)

// leavesRows reports whether runs of so many rows leave so much of tiles empty that packing them together is better.
func (p *Product) leavesRows(run int) bool {
	return run < min(p.m, tileRows) && (run < leastShort || (tileRows-run)*p.n > mostEmpty*run)
}

// leastDeep is the least depth for which tiles that are not full are better than packing A.
const leastDeep = 6

// fullest is the most depth of tiles that a run of so many groups fills.
func fullest(groups int) int {
	for deep := tileDepth; deep > 1; deep-- {
		if groups%deep == 0 {
			return deep
		}
	}
	return 1
}

// turnDepth is the depth of one turn of a micro-kernel's loop.
func (p *Product) turnDepth() int {
	switch {
	case p.kind.tiles() && p.runsOfA != nil:
		return p.deep
	case p.kind.tiles():
		return tileDepth
	case p.runsOfA != nil:
		return turnOfRun(p.runDepth)
	}
	return unroll
}

// turns is how many turns there are in so much of the depth.
func (p *Product) turns(depth int) int {
	if p.runsOfA != nil {
		return depth / p.runDepth * (p.runDepth / p.turnDepth())
	}
	return depth / p.turnDepth()
}

// tileProduct is the instruction for the types of the operands.
func (p *Product) tileProduct() asm.Op {
	if p.kind == kindWords {
		return asm.TDPBF16PS
	}
	return map[[2]shape.ElementType]asm.Op{{shape.S8, shape.S8}: asm.TDPBSSD, {shape.S8, shape.U8}: asm.TDPBSUD,
		{shape.U8, shape.S8}: asm.TDPBUSD, {shape.U8, shape.U8}: asm.TDPBUUD}[[2]shape.ElementType{p.spec.A.Type,
		p.spec.B.Type}]
}

// chooseLast finds the kernels for the depths that are left.
func (p *Product) chooseLast(f *form) {
	rest := p.k % tileDepth
	if rest == 0 || p.runsOfA != nil || p.overlap != nil {
		return
	}
	f.last = new(byRows)
	for mr, k := range f.micro {
		if k != nil {
			last := *k
			last.rest, last.ahead = rest, 0
			f.last.key[mr] = &last
		}
	}
}

// Tiles, by number: of C by rows, then of A and of B.
const (
	tileC = 0
	tileA = 4
	tileB = 6
)

// tiler emits a micro-kernel. Steps are of up to two tiles of rows, panels of up to two tiles of columns.
type tiler struct {
	*asm.Assembler
	microKey
}

// Registers of a kernel of tiles, beside those of others: distances between rows.
const (
	regLa = asm.R8
	regLb = asm.R12
	regLc = asm.R13
	// regPanel is where the panel of a step is, regTap where it is said where the next run of A, or of B, is.
	regPanel = asm.R14
	regTap   = asm.R15
)

func emitTiles(a *asm.Assembler, k microKey) {
	t := &tiler{a, k}
	t.TileConfig(t.Const(t.config()))
	t.RI(asm.MOV, asm.W64, regLa, int64(k.lda))
	t.RI(asm.MOV, asm.W64, regLb, int64(k.ldb))
	t.RI(asm.MOV, asm.W64, regLc, int64(k.ldc))
	t.RM(asm.MOV, asm.W64, regNextA, asm.M(asm.RDI, argA))
	t.RM(asm.MOV, asm.W64, regC, asm.M(asm.RDI, argC))
	t.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, argSteps))
	t.RM(asm.MOV, asm.W64, regPanel, asm.M(asm.RDI, argB))
	k.asking(a)
	next := t.Here()
	t.begin()
	t.depths()
	t.sums(func(tile asm.Tile, at asm.Mem) { t.MT(asm.TILESTORED, at, tile) })
	t.advance()
	t.RI(asm.SUB, asm.W64, regSteps, 1)
	t.Jcc(asm.NE, next)
	t.Zero0(asm.TILERELEASE)
	t.Ret()
}

// rowsOf is how many rows tile i of the rows has.
func (t *tiler) rowsOf(i int) int { return min(tileRows, t.mr-i*tileRows) }

// rowTiles is how many tiles the rows take.
func (t *tiler) rowTiles() int { return parts(t.mr, tileRows) }

// config is the shapes of the tiles, as LDTILECFG reads them.
func (t *tiler) config() []byte {
	b := make([]byte, 64)
	b[0] = 1
	set := func(tile, rows, bytes int) { b[16+2*tile], b[48+tile] = byte(bytes), byte(rows) }
	depth := t.deep
	if t.rest > 0 {
		depth = t.rest
	}
	for j := range t.nv {
		bytes := tileBytes
		if t.tail > 0 && j == t.nv-1 {
			bytes = 4 * t.tail
		}
		set(tileB+j, depth, bytes)
		for i := range t.rowTiles() {
			set(tileC+2*i+j, t.rowsOf(i), bytes)
		}
	}
	for i := range t.rowTiles() {
		set(tileA+i, t.rowsOf(i), 4*depth)
	}
	return b
}

// sums calls do for each tile of C and its place.
func (t *tiler) sums(do func(tile asm.Tile, at asm.Mem)) {
	for i := range t.rowTiles() {
		for j := range t.nv {
			do(asm.Tile(tileC+2*i+j), asm.MX(regC, regLc, 1, int32(i*tileRows*t.ldc+j*tileBytes)))
		}
	}
}

// begin starts a step: sums from zero, or from what C holds.
func (t *tiler) begin() {
	t.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, argDepth))
	t.RR(asm.MOV, asm.W64, regB, regPanel)
	t.RR(asm.MOV, asm.W64, regA, regNextA)
	zero, done := t.NewLabel(), t.NewLabel()
	t.MI(asm.CMP, asm.W64, asm.M(asm.RDI, argAdd), 0)
	t.Jcc(asm.E, zero)
	t.sums(func(tile asm.Tile, at asm.Mem) { t.TM(asm.TILELOADD, tile, at) })
	t.Jmp(done)
	t.Bind(zero)
	t.sums(func(tile asm.Tile, _ asm.Mem) { t.T1(asm.TILEZERO, tile) })
	t.Bind(done)
}

// depths walks along the depth, which may be runs.
func (t *tiler) depths() {
	if t.run == 0 {
		t.loop()
		return
	}
	t.RM(asm.MOV, asm.W64, regTap, asm.M(asm.RDI, argAt))
	next := t.Here()
	from, base := regA, regNextA
	if t.runsB {
		from, base = regB, regPanel
	}
	t.RM(asm.MOV, asm.W64, from, asm.M(regTap, 0))
	t.RR(asm.ADD, asm.W64, from, base)
	t.RI(asm.ADD, asm.W64, regTap, 8)
	t.RI(asm.MOV, asm.W64, regDepth, int64(t.run))
	t.loop()
	t.RM(asm.CMP, asm.W64, regTap, asm.M(asm.RDI, argEnd))
	t.Jcc(asm.NE, next)
}

// loop walks along the depth, tile by tile. All tiles of a turn are loaded before they are multiplied: what comes from
// the second-level cache is on its way together.
func (t *tiler) loop() {
	t.Align(align)
	turn := t.Here()
	for j := range t.nv {
		t.TM(t.loadPanel(), asm.Tile(tileB+j), asm.MX(regB, regLb, 1, int32(j*tileBytes)))
	}
	for i := range t.rowTiles() {
		t.TM(asm.TILELOADD, asm.Tile(tileA+i), asm.MX(regA, regLa, 1, int32(i*tileRows*t.lda)))
	}
	for i := range t.rowTiles() {
		for j := range t.nv {
			t.T3(t.product, asm.Tile(tileC+2*i+j), asm.Tile(tileA+i), asm.Tile(tileB+j))
		}
	}
	if t.rest > 0 {
		return
	}
	for i := range t.ahead {
		t.ask(t.Assembler, i)
	}
	t.asked(t.Assembler)
	t.RI(asm.ADD, asm.W64, regA, int64(4*t.deep))
	t.RI(asm.ADD, asm.W64, regB, int64(t.deep*t.ldb))
	t.RI(asm.SUB, asm.W64, regDepth, int64(t.deep))
	t.Jcc(asm.NE, turn)
}

// loadPanel is the instruction that loads tiles of B. Panels that pass by a strip of A stay out of the first-level
// cache, for the strip to stay in.
func (t *tiler) loadPanel() asm.Op {
	if t.across > 0 {
		return asm.TILELOADDT1
	}
	return asm.TILELOADD
}

// copyQuads packs rows of bytes that are neighbours, four and four.
func (e *packer) copyQuads() {
	bytes := e.loader
	bytes.kind = kindS32
	if e.tail > 0 {
		bytes.setMask(e.tail)
	}
	width := e.width() / 4
	e.count(1, e.ld, e.to, func(int) {
		for j := range e.nv {
			sum, v := asm.Vec(2*j), asm.Vec(2*j+1)
			for i := range 4 {
				to := v
				if i == 0 {
					to = sum
				}
				bytes.load(shape.U8, to, asm.M(regB, int32(i*e.ld/4+j*width)), e.tail > 0 && j == e.nv-1)
				if i > 0 {
					e.V2I(asm.VPSLLDI, e.vl, v, v, uint8(8*i))
					e.V3(asm.VPORD, e.vl, sum, sum, v)
				}
			}
			e.store(j*e.vector, sum)
		}
	})
}
