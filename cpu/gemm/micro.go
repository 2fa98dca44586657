package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// microArgs is the argument block of a micro-kernel: steps blocks of mr rows, one below the other, times one panel.
type microArgs struct {
	depth int
	a, b  unsafe.Pointer
	c     unsafe.Pointer
	steps int
	add   int     // not 0: to what C holds
	next  uintptr // of what is needed after this panel: it is asked for meanwhile, never read
	// If the depth is runs: how many, and where A has them, a distance in bytes for each.
	runs int
	at   unsafe.Pointer
	list unsafe.Pointer // distances of the lines to ask for from next
	end  uintptr        // behind the last of the runs, an address that is not read
	// Tiles: how far apart the rows of steps are, in bytes, in A and in C.
	nextA, nextC int
	// places, if the steps are in a table: where the first of them is.
	places unsafe.Pointer
	start  unsafe.Pointer // of sums that do not begin with zero, a row of a panel
	lay    unsafe.Pointer // where B is laid down packed
	from   unsafe.Pointer // where A is that is laid down packed at a
}

// Offsets of its fields.
const (
	argDepth = 8 * iota
	argA
	argB
	argC
	argSteps
	argAdd
	argNext
	argRuns
	argAt
	argList
	argEnd
	argNextA
	argNextC
	argPlaces
	argStart
	argLay
	argFrom
)

// numeric is the instructions of a kind.
type numeric struct{ fma, mul, add, pairs, broadcast, masked asm.Op }

var numerics = [numKinds]numeric{
	kindF32: {fma: asm.VFMADD231PS, add: asm.VADDPS, pairs: asm.VHADDPS, broadcast: asm.VBROADCASTSS,
		masked: asm.VMASKMOVPS},
	kindF64: {fma: asm.VFMADD231PD, add: asm.VADDPD, pairs: asm.VHADDPD, broadcast: asm.VBROADCASTSD,
		masked: asm.VMASKMOVPD},
	kindS32:   {mul: asm.VPMULLD, add: asm.VPADDD, broadcast: asm.VPBROADCASTD, masked: asm.VPMASKMOVD},
	kindPairs: {mul: asm.VPMADDWD, add: asm.VPADDD, broadcast: asm.VPBROADCASTD, masked: asm.VPMASKMOVD},
	kindVNNI:  {fma: asm.VPDPBUSD, add: asm.VPADDD, broadcast: asm.VPBROADCASTD},
	kindBF16:  {fma: asm.VDPBF16PS, add: asm.VADDPS, broadcast: asm.VPBROADCASTD},
	// Tiles multiply in their own way (tiles.go).
	kindWords: {}, kindBytes: {},
	kindSplit:    {fma: asm.VFMADD231PS, add: asm.VADDPS, broadcast: asm.VBROADCASTSD, masked: asm.VMASKMOVPS},
	kindQuads:    {fma: asm.VFMADD231PS, add: asm.VADDPS, broadcast: asm.VBROADCASTF32X4},
	kindEights:   {fma: asm.VFMADD231PS, add: asm.VADDPS, broadcast: asm.VMOVUPS},
	kindSixteens: {fma: asm.VFMADD231PS, add: asm.VADDPS, broadcast: asm.VMOVUPS},
	kindSplit64:  {fma: asm.VFMADD231PD, add: asm.VADDPD, broadcast: asm.VBROADCASTF64X2, masked: asm.VMASKMOVPD},
	kindFours64:  {fma: asm.VFMADD231PD, add: asm.VADDPD, broadcast: asm.VMOVUPD},
	kindEights64: {fma: asm.VFMADD231PD, add: asm.VADDPD, broadcast: asm.VMOVUPD},
	// Those of diagonals broadcast nothing (diagonal.go).
	kindTwos: {fma: asm.VFMADD231PS, add: asm.VADDPS}, kindFours: {fma: asm.VFMADD231PS, add: asm.VADDPS},
	kindEightsOf: {fma: asm.VFMADD231PS, add: asm.VADDPS}, kindTwosOf64: {fma: asm.VFMADD231PD, add: asm.VADDPD},
	kindFoursOf64: {fma: asm.VFMADD231PD, add: asm.VADDPD},
}

// move loads and stores whole vectors, of any kind; under an opmask the mask is one of lanes.
var move = [numKinds]asm.Op{kindF32: asm.VMOVUPS, kindF64: asm.VMOVUPD, kindS32: asm.VMOVDQU32,
	kindPairs: asm.VMOVDQU32, kindBF16: asm.VMOVDQU32, kindVNNI: asm.VMOVDQU32, kindWords: asm.VMOVDQU32,
	kindBytes: asm.VMOVDQU32,
	kindSplit: asm.VMOVUPS, kindQuads: asm.VMOVUPS, kindEights: asm.VMOVUPS, kindSixteens: asm.VMOVUPS,
	kindSplit64: asm.VMOVUPD, kindFours64: asm.VMOVUPD, kindEights64: asm.VMOVUPD,
	kindTwos: asm.VMOVUPS, kindFours: asm.VMOVUPS, kindEightsOf: asm.VMOVUPS, kindTwosOf64: asm.VMOVUPD,
	kindFoursOf64: asm.VMOVUPD}

// The vector registers, of tiers with vectors of 64 bytes and of 32.
const (
	wideTop   = 32
	narrowTop = 16
)

// unroll is the depths of one turn of the innermost loop.
const unroll = 4

// Registers of a micro-kernel.
const (
	regDepth = asm.RCX
	regA     = asm.RAX
	regB     = asm.RBX
	regC     = asm.RDX
	regSteps = asm.R9
	regNextA = asm.R11
	regNextB = asm.R11 // of windows
	regNext  = asm.R10
	regRuns  = asm.R12
	regLay   = asm.R12 // without runs
	regLaid  = asm.R13 // of the rows of a step, without runs
	regAt    = asm.R13
	regList  = asm.RSI
	regLine  = asm.R15
	regPlace = asm.R14
	// regNextLaid is regLaid of the next step, without a table
	regNextLaid = asm.R14
	regAsk      = asm.R8 // rows of C to ask for
)

// micro emits one micro-kernel. Its vector registers are, from 0: the sums, a row of B (rotating where there is one row
// of A only, so that each vector of B is used once), and what is broadcast of A. The last one holds the lane mask where
// there are no opmasks, the last but it the product where multiplying and adding are two instructions.
type micro struct {
	loader
	microKey
	ins     numeric
	firstB  int
	countB  int
	firstBc int
	countBc int
	product asm.Vec
	signs   asm.Vec
}

func emitMicro(a *asm.Assembler, k microKey) {
	if k.kind.tiles() {
		emitTiles(a, k)
		return
	}
	m := &micro{loader: newLoader(a, k.kind, k.vector), microKey: k, ins: k.instructions()}
	m.allocate()
	m.prologue()
	if m.windows {
		m.window()
		return
	}
	next := m.Here()
	m.place()
	m.begin()
	if m.run > 0 {
		m.runs()
	} else {
		m.loop()
	}
	m.end()
	m.advance()
	m.RI(asm.SUB, asm.W64, regSteps, 1)
	m.Jcc(asm.NE, next)
	if m.stream {
		m.Zero0(asm.SFENCE)
	}
	m.Zero0(asm.VZEROUPPER)
	m.Ret()
}

func (m *micro) sum(i, j int) asm.Vec { return asm.Vec(i*m.nv + j) }

func (m *micro) allocate() {
	top := wideTop
	if !m.wide {
		top = narrowTop
		if m.tail > 0 {
			m.mask = 15
		}
		if m.tail > 0 && !m.packedB {
			top--
		}
	}
	if m.ins.fma == 0 {
		top--
		m.product = asm.Vec(top)
	}
	if m.flip {
		top--
		m.signs = asm.Vec(top)
	}
	m.firstB, m.countB = m.mr*m.nv, m.nv
	if m.microKey.kind.diagonals() { // rows of A are last
		m.countB = min(m.nv, top-m.firstB-m.mr)
	} else if m.mr == 1 {
		m.countB = min(m.nv, top-m.firstB-1)
	}
	m.firstBc = m.firstB + m.countB
	m.countBc = min(top-m.firstBc, 4)
}

func (m *micro) prologue() {
	switch {
	case m.placed:
		m.RM(asm.MOV, asm.W64, regPlace, asm.M(asm.RDI, argPlaces))
	case m.windows:
		m.RM(asm.MOV, asm.W64, regNextB, asm.M(asm.RDI, argB))
	case m.laid > 0:
		m.RM(asm.MOV, asm.W64, regNextLaid, asm.M(asm.RDI, argA))
		m.RM(asm.MOV, asm.W64, regNextA, asm.M(asm.RDI, argFrom))
	default:
		m.RM(asm.MOV, asm.W64, regNextA, asm.M(asm.RDI, argA))
	}
	m.RM(asm.MOV, asm.W64, regC, asm.M(asm.RDI, argC))
	m.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, argSteps))
	m.asking(m.Assembler)
	if m.flip {
		m.V2M(asm.VMOVDQU32, m.vl, m.signs, m.Splat32(m.vl, signBits))
	}
	if m.tail > 0 && (m.wide || !m.packedB) {
		m.setMask(m.tail)
	}
}

// place finds the next step in the table, if there is one.
func (m *micro) place() {
	if !m.placed {
		return
	}
	m.RM(asm.MOVSXD, asm.W64, regNextA, asm.M(regPlace, 0))
	m.RM(asm.MOVSXD, asm.W64, regC, asm.M(regPlace, 4))
	m.RM(asm.ADD, asm.W64, regNextA, asm.M(asm.RDI, argA))
	m.RM(asm.ADD, asm.W64, regC, asm.M(asm.RDI, argC))
	m.RI(asm.ADD, asm.W64, regPlace, int64(unsafe.Sizeof(place{})))
}

// begin starts a block of rows.
func (m *micro) begin() {
	zeros := m.mr * m.nv
	if m.flip {
		m.startSums()
		zeros = 0
	}
	m.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, argDepth))
	m.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, argB))
	m.RR(asm.MOV, asm.W64, regA, regNextA)
	if m.lays {
		m.RM(asm.MOV, asm.W64, regLay, asm.M(asm.RDI, argLay))
	}
	m.beginRows()
	m.askLaterRows()
	switch {
	case m.stream:
	case m.rowsAsked > 0:
		m.RR(asm.MOV, asm.W64, regAsk, regC)
	default:
		m.askC(regC, m.mr)
	}
	for i := range zeros {
		m.V3(asm.VPXORD, m.vl, asm.Vec(i), asm.Vec(i), asm.Vec(i))
	}
}

// askLaterRows asks for lines of rows of A that are needed some steps later.
func (m *micro) askLaterRows() {
	for i := range m.mr {
		for at := range m.rowLines {
			m.Prefetch(asm.PREFETCHT0, asm.M(regA, int32((laterSteps*m.mr+i)*m.lda+at*line)))
		}
	}
}

// askC asks for the lines of so many rows of C.
func (m *micro) askC(from asm.Reg, rows int) {
	width := m.nv * m.vector
	if m.microKey.kind.splits() {
		width /= m.microKey.kind.wide()
	}
	for i := range rows {
		for at := 0; at < width; at += max(line, m.vector) {
			m.Prefetch(asm.PREFETCHT0, asm.M(from, int32(i*m.ldc+at)))
		}
		if m.ldc%line != 0 {
			m.Prefetch(asm.PREFETCHT0, asm.M(from, int32(i*m.ldc+width-1)))
		}
	}
}

// loop walks along the depth.
func (m *micro) loop() {
	one, done := m.NewLabel(), m.NewLabel()
	if m.late > 0 {
		m.walk(m.late*unroll, 0)
	}
	m.walk(0, m.rowsAsked)
	m.Jcc(asm.E, done)
	m.Bind(one)
	m.depth(0)
	m.layRows(1)
	m.RI(asm.ADD, asm.W64, regA, int64(m.stepA))
	m.RI(asm.ADD, asm.W64, regB, int64(m.ldb))
	m.layNext(1)
	m.RI(asm.SUB, asm.W64, regDepth, 1)
	m.Jcc(asm.NE, one)
	m.Bind(done)
}

// walk goes on by turns while as many depths are left besides those of a turn, each of which asks for rows of C.
func (m *micro) walk(left, rows int) {
	turn, enough := m.NewLabel(), m.NewLabel()
	m.RI(asm.SUB, asm.W64, regDepth, int64(left+unroll))
	m.Jcc(asm.L, enough)
	m.Align(align)
	m.Bind(turn)
	m.turn(unroll)
	m.layRows(unroll)
	m.askRows(rows)
	m.RI(asm.ADD, asm.W64, regA, int64(unroll*m.stepA))
	m.RI(asm.SUB, asm.W64, regDepth, unroll)
	m.Jcc(asm.GE, turn)
	m.Bind(enough)
	m.RI(asm.ADD, asm.W64, regDepth, int64(left+unroll))
}

// depth adds the products of one depth, so many behind that of the registers' places.
func (m *micro) depth(d int) {
	if m.microKey.kind.diagonals() {
		m.diagonal(d)
		return
	}
	if m.mr == 1 {
		bc := m.broadcast(0, d)
		for j := range m.nv {
			m.multiply(m.sum(0, j), m.loadB(j, d), bc)
		}
		return
	}
	for j := range m.nv {
		m.loadB(j, d)
	}
	for i := range m.mr {
		if m.broadcastsOnce() {
			m.V3M(m.ins.fma, m.vl, m.sum(i, 0), asm.Vec(m.firstB), asm.M(regA, int32(d*m.stepA+i*m.lda)), asm.Bcst)
			continue
		}
		bc := m.broadcast(i, d)
		for j := range m.nv {
			m.multiply(m.sum(i, j), asm.Vec(m.firstB+j), bc)
		}
	}
}

// broadcastsOnce reports whether each element of A is multiplied with one vector of B only, by an instruction that
// broadcasts it: of one more for each, there would be as many as a processor can take.
func (m *micro) broadcastsOnce() bool {
	k := m.microKey.kind
	return m.nv == 1 && m.wide && (k == kindF32 || k == kindF64)
}

func (m *micro) broadcast(i, d int) asm.Vec {
	bc := asm.Vec(m.firstBc + i%m.countBc)
	from := asm.M(regA, int32(d*m.stepA+i*m.lda))
	if m.flip {
		m.V3M(asm.VPXORD, m.vl, bc, m.signs, from, asm.Bcst)
		return bc
	}
	m.V2M(m.ins.broadcast, m.vl, bc, from)
	return bc
}

func (m *micro) loadB(j, d int) asm.Vec {
	atB := m.depthB(d)
	v := asm.Vec(m.firstB + j%m.countB)
	if m.packedB {
		m.V2M(move[m.microKey.kind], m.vl, v, asm.M(regB, int32(atB+j*m.vector)))
		return v
	}
	width := m.vector / m.microKey.kind.size() * m.typeB.ByteSize()
	m.load(m.typeB, v, asm.M(regB, int32(atB+j*width)), m.tail > 0 && j == m.nv-1)
	m.layDown(v, j, d)
	return v
}

// multiply adds the product of x, of B, and y, of A. Of bytes, the first factor has no signs.
func (m *micro) multiply(sum, x, y asm.Vec) {
	if m.microKey.kind == kindVNNI && m.signed {
		x, y = y, x
	}
	if m.ins.fma != 0 {
		m.V3(m.ins.fma, m.vl, sum, x, y)
		return
	}
	m.V3(m.ins.mul, m.vl, m.product, x, y)
	m.V3(m.ins.add, m.vl, sum, sum, m.product)
}

// end stores the sums, or adds them to C.
func (m *micro) end() {
	if m.tail > 0 && !m.wide {
		m.setMask(m.tail)
	}
	if m.stream {
		m.storePast()
		return
	}
	add, done := m.NewLabel(), m.NewLabel()
	m.MI(asm.CMP, asm.W64, asm.M(asm.RDI, argAdd), 0)
	m.Jcc(asm.NE, add)
	m.store(false)
	m.Jmp(done)
	m.Bind(add)
	m.store(true)
	m.Bind(done)
}

func (m *micro) store(add bool) {
	switch m.microKey.kind {
	case kindSplit, kindSplit64:
		m.storeSplit(add)
		return
	case kindQuads:
		m.storeQuads(add)
		return
	case kindTwos, kindFours, kindEightsOf, kindTwosOf64, kindFoursOf64:
		m.storeDiagonals(add)
		return
	case kindEights, kindSixteens, kindFours64, kindEights64:
		m.storeOnes(add)
		return
	}
	old := asm.Vec(m.firstB)
	for i := range m.mr {
		for j := range m.nv {
			v, at := m.sum(i, j), asm.M(regC, int32(i*m.ldc+j*m.vector))
			switch {
			case m.tail == 0 || j < m.nv-1:
				if add {
					m.V3M(m.ins.add, m.vl, v, v, at)
				}
				m.MV(move[m.microKey.kind], m.vl, at, v)
			case m.wide:
				if add {
					m.V3M(m.ins.add, m.vl, v, v, at, asm.Mask(1))
				}
				m.MV(move[m.microKey.kind], m.vl, at, v, asm.Mask(1))
			default:
				if add {
					m.V3M(m.ins.masked, m.vl, old, m.mask, at)
					m.V3(m.ins.add, m.vl, v, v, old)
				}
				m.MV2(m.ins.masked, m.vl, at, m.mask, v)
			}
		}
	}
}

// advance goes to the next block of rows.
func (m *micro) advance() {
	if m.placed {
		return
	}
	m.nextRows()
	m.RI(asm.ADD, asm.W64, regC, int64(m.mr*m.ldc))
}
