package emit

import (
	"fmt"
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// maxCopies is the most vectors of a lane loop that run side by side.
const maxCopies = 16

// gen makes the virtual code of a nest.
type gen struct {
	spans *loop.Spans // nil until asked for; see span
	nest  *loop.Nest
	c     *code
	t     tier
	// vals holds the register of each value, of the copies of a lane loop's body in turn.
	vals [maxCopies][]reg
	// inLanes tells the values that are defined in a lane loop, and so differ between lanes and copies.
	inLanes []bool
	// alike tells those of them that are the same in all lanes and copies of the open lane loop.
	alike []bool
	// index holds, of values that addresses use and that are the same in all lanes, the value in a
	// general register.
	index []reg
	// forAddress tells the values that addresses use.
	forAddress []bool
	// onlyPlaces tells the values that only addresses use, sames those of them that the body of the open lane loop has
	// made once.
	onlyPlaces []bool
	sames      []loop.Value
	nears      map[loop.Value]*near
	families   map[*loop.Access]family
	seconds    map[second]reg // of the body of which code is being made
	fews       map[*loop.Access]*few
	records    map[*loop.Access]*recorded
	folded     map[loop.Value]foldedLane // values that are lanes of a vector
	foldedOps  map[foldedOp]reg
	runs       map[*loop.Access]*runs
	loops      []*openLoop
	lanes      *laneState // of the open lane loop, or nil
	copy       int        // the copy that code is made for
	// ranged are the loops that the argument block has the ranges of: the outermost one, and the second of a nest that
	// is Divided.
	ranged [2]*loop.Loop
	width  int   // lanes, where fewer than usual: while the lanes of a carry are combined
	bases  []reg // by buffer: its address
	asides map[loop.Value]*aside
	// scans holds, by the phi of a scan of the open lane loop, what the lanes so far come to.
	scans map[loop.Value]reg
	// wordOf holds, by masks that lanes were combined to, the general registers that say the same.
	wordOf map[reg]reg
	// inverses holds the reciprocals of what lane loops divide by.
	inverses map[loop.Value]reg
	// rounds holds how often quotients of few integers are corrected.
	rounds map[*loop.Inst]int
	// quotients is how many have been divided by one or could have been.
	quotients int
	// rounded holds, of numbers that were rounded to bf16, the bits in the low half of each lane.
	rounded map[reg]reg
	// What was found out about values so far; see remembered. nans and the sets beside it are of nansOf, ranges and
	// affines of masks and numbers by the loop that has them.
	nans                            map[loop.Value]nans
	signs, highHalves, shortNumbers map[loop.Value]bool
	noisy                           map[loop.Value]bool        // those of which nothing is supposed again
	carries                         map[loop.Value]*loop.Carry // by their phis and outs
	ranges                          map[valueIn]iterations
	affines                         map[valueIn]affine
	// kept holds the carries of lane loops that go on through a loop around them.
	kept map[*loop.Loop][][]reg
	// ahead holds how far behind loads, which go over rows for the second time, the next row is.
	ahead map[*loop.Access]int64
	// along holds how far behind the lines are that accesses ask for.
	along map[*loop.Access]int64
	// far holds how far behind the lines are that loads from memory ask for; of rows all lines are asked for.
	far  map[*loop.Access]int64
	rows map[*loop.Access]bool
	// busy are the buffers from memory of which a lane loop computes much.
	busy map[*loop.Buffer]bool
	scalars
	// under holds, by the first of them, the instructions that are made behind one jump, loopsUnder the masks of loops
	// that are, sure the accesses of both.
	under      map[loop.Value]spanUnder
	loopsUnder map[*loop.Loop]loop.Value
	sure       map[int32]bool
	key        []byte         // memory of prefixKey
	users      [][]loop.Value // of values, once they were asked for
	singly     loop.Value     // what the present lane loop moves element by element, or 0
	err        error
}

// span returns the least and the most that v can be.
func (g *gen) span(v loop.Value) (lo, hi int64) { return g.allSpans().Of(v) }

func (g *gen) allSpans() *loop.Spans {
	if g.spans == nil {
		g.spans = loop.NewSpans(g.nest)
	}
	return g.spans
}

// laneState is what is known inside of a lane loop.
type laneState struct {
	loop   *loop.Loop
	lanes  int // of a vector
	copies int
	tail   *tail
	// lastRest: the tail is that of the last copy alone.
	lastRest bool
	// across, if not nil, is the loop around it whose iterations the copies are, from its counter on.
	across *loop.Loop
	// toLines is the access whose vectors begin with a line, as the loop began with a part of a vector; or nil.
	toLines *loop.Access
	// moves: the lanes are elements as memory has them, which are only moved.
	moves bool
	// short, if not nil, tells what pairs of vectors have in lanes of 16 bits.
	short *shorts
	// half, if not nil, is of the pair of vectors of bf16 of which every second element is in each lane.
	half *halves
	// clear, if not nil, is the part of the loop that is being made, in which some masks are on.
	clear *clearPart
	// single: the code runs once in each row, from iteration first on.
	single bool
	first  int64
}

func newGen(m *Compiler, a *asm.Assembler, n *loop.Nest, t Target) *gen {
	g := &gen{nest: n, c: newCode(m, a, n, t), inLanes: make([]bool, len(n.Insts)), alike: make([]bool, len(n.Insts)),
		index: make([]reg, len(n.Insts)), forAddress: make([]bool, len(n.Insts)), nears: map[loop.Value]*near{},
		bases: make([]reg, len(n.Buffers))}
	all := zeroed(m, &m.vals, maxCopies*len(n.Insts))
	for u := range g.vals {
		g.vals[u], all = all[:len(n.Insts)], all[len(n.Insts):]
	}
	if !hasLanes(n) || movesWords(n) { // 512 bits of equal lanes would only keep units busy
		g.c.vl = asm.VL256
	}
	g.t = tier(avx2{g})
	if t.AVX512 {
		g.t = avx512{g}
	}
	if g.ranged[0] = n.Outermost(); n.Divided {
		g.ranged[1] = n.Second()
	}
	g.findUnder()
	g.findScalars()
	g.findSame()
	for _, acc := range n.Accesses {
		if acc.Index != 0 {
			g.forAddress[acc.Index] = true
		}
	}
	return g
}

// hasLanes reports whether n has a lane loop.
func hasLanes(n *loop.Nest) bool {
	found := false
	n.Root.EachLoop(func(l *loop.Loop) { found = found || l.Lanes })
	return found
}

func (g *gen) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(format, args...)
	}
}

// run makes the code of the whole nest.
func (g *gen) run() {
	for b := range g.nest.Buffers {
		g.bases[b] = g.c.newReg(genClass)
		i := ins{in: inst(asm.MOV, asm.W64, 2), r: [4]reg{g.bases[b]}}
		g.c.place(&i, mem{base: rdi, disp: argBufs + 8*int64(b)}, asm.InLoad)
		g.c.atEntry(i)
	}
	g.findAsides()
	g.findBusy()
	g.findAhead()
	g.findAlong()
	g.findFar()
	g.block(g.nest.Root)
}

func (g *gen) block(b loop.Block) {
	for k := 0; k < len(b); {
		if l := b[k].Loop; l != nil {
			g.loopUnder(l)
			k++
			continue
		}
		if g.shortNode(b[k].Value) {
			k++
			continue
		}
		if a := g.asides[b[k].Value]; a != nil {
			if b[k].Value == a.selects[len(a.selects)-1] {
				g.seldom(a)
			}
			k++
			continue
		}
		if s, ok := g.under[b[k].Value]; ok {
			g.underMask(s.mask, b[k:k+s.n])
			k += s.n
			continue
		}
		if n := g.foldedStores(b, k); n > 1 {
			g.storeFolded(b[k : k+n])
			k += n
			continue
		}
		if g.paired(b, k) {
			g.loadPair(b[k].Value, b[k+1].Value)
			k += 2
			continue
		}
		n := g.grouped(b, k)
		if n > 1 {
			g.storeGroup(b[k : k+n])
		} else {
			g.inst(b[k].Value)
		}
		k += n
	}
}

// copies is how many vectors run side by side here.
func (g *gen) copies() int {
	if g.lanes != nil {
		return g.lanes.copies
	}
	return 1
}

func (g *gen) inst(v loop.Value) {
	i := g.nest.Inst(v)
	if i.Op == loop.Const || g.condition[v] || g.lanes != nil && g.lanes.clear != nil && g.lanes.clear.idle[v] {
		return
	}
	if i.Op == loop.Store && g.general[i.Args[0]] {
		g.storeScalar(i)
		return
	}
	if g.lanes != nil && g.lanes.moves {
		g.move(v, i)
		return
	}
	if s := g.lanes; s != nil && s.across != nil && g.turns(i, s.across.Var, s.loop.Var) {
		g.turned(v, i)
		return
	}
	if g.sameHere(v, i) || g.onceInRound(i) {
		g.defineSame(v, g.compute(v, i))
		return
	}
	if g.sameLoad(v, i) || g.alikeHere(v, i) {
		g.defineAlike(v, g.compute(v, i))
		return
	}
	if g.ofFolded(v, i) {
		return
	}
	for u := range g.copies() {
		g.copy = u
		if i.Op == loop.Store {
			g.store(i)
			continue
		}
		g.define(v, g.compute(v, i))
	}
	g.copy = 0
}

// define makes r the register of v in the present copy.
func (g *gen) define(v loop.Value, r reg) {
	g.vals[g.copy][v] = r
	g.inLanes[v], g.alike[v] = g.lanes != nil, false
	if g.forAddress[v] && g.lanes == nil {
		g.index[v] = r
		if !g.hasSign(v) {
			g.index[v] = g.toGeneral(r, g.nest.Kind(v))
		}
	}
	if g.forAddress[v] && g.lanes != nil && g.nest.Kind(v) == loop.I32 {
		g.defineNear(v, r)
	}
}

// toGeneral gives lane 0 of an integer vector, with its sign, in a general register.
func (g *gen) toGeneral(r reg, k loop.Kind) reg {
	switch general := g.c.classOfReg(r) == genClass; {
	case general && k == loop.I64:
		return r
	case general:
		return g.c.grr(asm.MOVSXD, asm.W64, r)
	}
	if k == loop.I64 {
		return g.c.vecToGen(asm.VMOVQ, r)
	}
	return g.c.grr(asm.MOVSXD, asm.W64, g.c.vecToGen(asm.VMOVD, r))
}

// vecToGen moves the lowest element of a vector to a general register.
func (c *code) vecToGen(op asm.Op, x reg) reg {
	i := ins{in: inst(op, asm.VL128, 2)}
	i.in.Place = toReg
	i.r[1] = x
	i.r[0] = c.newReg(genClass)
	c.add(i)
	return i.r[0]
}

// toReg is the place in an asm.Inst of VMOVD from a vector to a general register.
const toReg = asm.InStore + 1

func (g *gen) compute(v loop.Value, i *loop.Inst) reg {
	if g.general[v] {
		return g.scalarValue(v, i)
	}
	switch i.Op {
	case loop.Load:
		return g.load(i)
	case loop.Index:
		return g.indexValue(i)
	case loop.Scan:
		return g.scan(i, g.value(i.Args[1]))
	case loop.Cmp, loop.And:
		if r := g.knownMask(v); r != 0 && i.Kind == loop.Mask {
			return r
		}
	case loop.Select:
		if g.isOn(i.Args[0]) {
			return g.value(i.Args[1])
		}
		if g.lanes != nil && g.lanes.clear != nil && g.lanes.clear.off[i.Args[0]] {
			return g.value(i.Args[2])
		}
		if g.zeroBeside(i) {
			return g.value(i.Args[1])
		}
	}
	if x, n := g.rotation(i); x != 0 {
		if r := g.t.rotate(i.Kind, g.value(x), n); r != 0 {
			return r
		}
	}
	if r := g.addUnder(i); r != 0 {
		return r
	}
	if r := g.ternary(i); r != 0 {
		return r
	}
	if r := g.testBits(i); r != 0 {
		return r
	}
	s := g.t.table().find(i.Op, i.Kind, g.operandKind(i))
	if s == nil {
		g.fail("%v of %v: no code", i.Op, i.Kind)
		return g.zeroOf(i.Kind)
	}
	var x [3]reg
	for k, a := range i.Operands() {
		x[k] = g.value(a)
	}
	return s(g, i, x)
}

// operandKind is the kind by which, beside that of the result, the form of i is chosen.
func (g *gen) operandKind(i *loop.Inst) loop.Kind {
	if i.Op == loop.Cmp || i.Op == loop.Table || i.Op >= loop.Bitcast && i.Op <= loop.FToS {
		return g.nest.Kind(i.Args[0])
	}
	return i.Kind
}

func (g *gen) zeroOf(k loop.Kind) reg {
	if k == loop.Mask {
		return g.t.maskConst(false)
	}
	return g.c.splat32(0)
}

// value returns the register of v in the present copy.
func (g *gen) value(v loop.Value) reg {
	i := g.nest.Inst(v)
	if i.Op == loop.Const {
		return g.constant(i.Kind, i.Imm)
	}
	if i.Kind == loop.Mask {
		switch m := g.maskHere(v); m {
		case v:
		case 0:
			return g.t.maskConst(true)
		default:
			return g.value(m)
		}
	}
	if g.condition[v] {
		return g.maskOfCondition(v)
	}
	if !g.inLanes[v] {
		return g.vals[0][v]
	}
	return g.vals[g.copy][v]
}

// constant returns a register with the constant of kind k in all lanes.
func (g *gen) constant(k loop.Kind, bits uint64) reg {
	switch k {
	case loop.Mask:
		return g.t.maskConst(bits != 0)
	case loop.I32, loop.F32:
		return g.c.splat32(uint32(bits))
	}
	return g.c.splat64(bits)
}

// size is the size of a vector of kind k here, at least 128 bits.
//
//go:noinline
func (g *gen) size(k loop.Kind) asm.Size {
	if g.lanes == nil && g.width == 0 {
		return g.c.vl
	}
	return g.sizeOf(k.Bits())
}

// laneCount is the number of lanes here; 0 where all lanes are the same.
func (g *gen) laneCount() int {
	if g.width != 0 {
		return g.width
	}
	if g.lanes == nil {
		return 0
	}
	return g.lanes.lanes
}

// sizeOf is the size of a vector of elements of some bits here, at least 128.
//
//go:noinline
func (g *gen) sizeOf(bits int) asm.Size {
	n := g.laneCount()
	if n == 0 {
		return g.c.vl
	}
	return max(asm.VL128, asm.Size(n*bits))
}

// uniform reports whether v is the same in all lanes: defined outside of lane loops.
func (g *gen) uniform(v loop.Value) bool { return g.lanes == nil || !g.inLanes[v] }

// indexValue is the iteration number of a loop as a vector.
func (g *gen) indexValue(i *loop.Inst) reg {
	l := g.open(int(i.Imm))
	at := g.t.spreadGeneral(l.counter, i.Kind)
	first, step := 0, 0
	switch {
	case l.loop.Lanes && g.lanes.across != nil:
		step = 1
	case l.loop.Lanes:
		first, step = g.copy*g.lanes.lanes, 1
	case g.lanes != nil && g.lanes.across != nil && g.lanes.across.Var == l.loop.Var:
		first = g.copy
	}
	if first == 0 && step == 0 {
		return at
	}
	if i.Kind == loop.I64 {
		ramp := g.c.lanes64(func(lane int) uint64 { return uint64(first + step*lane) })
		return g.c.v(asm.VPADDQ, g.size(i.Kind), at, ramp)
	}
	ramp := g.c.lanes32(func(lane int) uint32 { return uint32(first + step*lane) })
	return g.c.v(asm.VPADDD, g.size(i.Kind), at, ramp)
}

// open returns the open loop with variable v.
func (g *gen) open(v int) *openLoop {
	for _, l := range g.loops {
		if l.loop.Var == v {
			return l
		}
	}
	g.fail("loop i%d is not open", v)
	return &openLoop{loop: &loop.Loop{}}
}
