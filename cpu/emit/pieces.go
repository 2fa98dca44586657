package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Where pixels change places, as in a transpose of a picture, a lane loop moves the few bytes of one only. They are
// moved at once, by a register that has room for them: what is read behind a pixel is written behind it, where the next
// one overwrites it. The first and the last pixel of a row are moved exactly: behind them there may be nothing.

// pieceMove is a loop over such pixels.
type pieceMove struct {
	lanes      *loop.Loop
	bytes      int64 // of a pixel
	word       int64 // of the register
	loads      []*loop.Access
	stores     []*loop.Access
	from       []int // by store: the number of the load
	overlapped bool
}

// piecesOf returns how l moves pixels, nil if it does anything else.
func (g *gen) piecesOf(l *loop.Loop) *pieceMove {
	if g.isRanged(l) || g.lanes != nil || len(l.Body) != 1 || len(l.Carries) > 0 || g.loopsUnder[l] != 0 {
		return nil
	}
	in := l.Body[0].Loop
	if in == nil || !in.Lanes || len(in.Carries) > 0 || g.loopsUnder[in] != 0 || l.Extent < fewestPieces {
		return nil
	}
	p := &pieceMove{lanes: in}
	if !p.accesses(g) || p.readsLater() || slices.ContainsFunc(slices.Concat(p.loads, p.stores), indexes) {
		return nil
	}
	p.bytes *= in.Extent
	for p.word = wordBytes; p.word < p.bytes; p.word *= 2 {
	}
	p.overlapped = p.word != p.bytes
	if p.bytes < 3 || p.word > partBytes || p.overlapped && !p.mayOverlap(g, l) {
		return nil
	}
	return p
}

// fewestPieces is how many pixels a row has at least.
const fewestPieces = 8

func indexes(a *loop.Access) bool { return a.Index != 0 }

// accesses finds the accesses of the lane loop, and reports whether all it does is to move neighbours.
func (p *pieceMove) accesses(g *gen) bool {
	loaded := map[loop.Value]int{}
	for _, n := range p.lanes.Body {
		if n.Loop != nil {
			return false
		}
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Load && i.Op != loop.Store {
			return false
		}
		a := &g.nest.Accesses[i.Access]
		if stride(a, p.lanes.Var) != a.Mem.Bytes() || g.maskOf(i) != 0 || a.Index != 0 && g.inBody(p.lanes, a.Index) {
			return false
		}
		if i.Op == loop.Load {
			loaded[n.Value] = len(p.loads)
			p.loads = append(p.loads, a)
			continue
		}
		from, ok := loaded[i.Args[0]]
		if !ok || p.loads[from].Mem != a.Mem || p.bytes != 0 && p.bytes != a.Mem.Bytes() {
			return false
		}
		p.bytes = a.Mem.Bytes()
		p.stores, p.from = append(p.stores, a), append(p.from, from)
	}
	return len(p.stores) > 0
}

// readsLater reports whether a pixel may be overwritten before another store reads it, as where pixels of one array
// change places: each is read just before it is written.
func (p *pieceMove) readsLater() bool {
	return len(p.stores) > 1 && slices.ContainsFunc(p.stores, func(to *loop.Access) bool {
		return slices.ContainsFunc(p.loads, func(a *loop.Access) bool { return a.Buffer == to.Buffer })
	})
}

// mayOverlap reports whether pixels are written one behind the other, and all but the first and the last may be read
// with what is behind them.
func (p *pieceMove) mayOverlap(g *gen, l *loop.Loop) bool {
	for k, to := range p.stores {
		a := p.loads[p.from[k]]
		same := to.Buffer == a.Buffer || to.Offset == a.Offset && slices.Equal(to.Terms, a.Terms)
		if same || stride(to, l.Var) != p.bytes {
			return false
		}
		last := a.Offset * a.Mem.Bytes()
		for _, o := range g.loops {
			if o.loop.Cond != 0 {
				return false
			}
			last += max(0, stride(a, o.loop.Var)*(o.loop.Extent-1))
		}
		step := stride(a, l.Var)
		if last+max(step, step*(l.Extent-2))+p.word > g.nest.Buffers[a.Buffer].Bytes {
			return false
		}
	}
	return true
}

// piecesAtOnce is how many pixels the code of the loop moves.
const piecesAtOnce = 4

// pieceLoop makes l, which moves pixels by p.
func (g *gen) pieceLoop(l *loop.Loop, p *pieceMove) {
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	var at, to []reg
	for _, a := range p.loads {
		at = append(at, g.pixelStart(a, l, p.lanes))
	}
	for _, a := range p.stores {
		to = append(to, g.pixelStart(a, l, p.lanes))
	}
	g.pop()
	move := func(k int64, exact bool) {
		for s, a := range p.stores {
			from := p.loads[p.from[s]]
			g.movePiece(p, mem{base: to[s], disp: k * stride(a, l.Var)},
				mem{base: at[p.from[s]], disp: k * stride(from, l.Var)}, exact)
		}
	}
	left, next := l.Extent, int64(0)
	if p.overlapped {
		move(0, true)
		left, next = left-2, 1
	}
	if trips := left / piecesAtOnce; trips > 1 {
		start := g.c.newLoop()
		for k := range int64(piecesAtOnce) {
			move(next+k, false)
		}
		for k, a := range p.loads {
			g.c.gopi(asm.ADD, at[k], piecesAtOnce*stride(a, l.Var))
		}
		for k, a := range p.stores {
			g.c.gopi(asm.ADD, to[k], piecesAtOnce*stride(a, l.Var))
		}
		g.c.gopi(asm.ADD, o.counter, 1)
		g.c.gcmpi(asm.CMP, o.counter, trips)
		g.c.jcc(asm.L, start)
		g.c.endLoop()
		left -= trips * piecesAtOnce
	}
	for ; left > 0; left-- {
		move(next, false)
		next++
	}
	if p.overlapped {
		move(next, true)
	}
}

// pixelStart is the address of a, without what the numbers of the iterations of l and lanes add.
func (g *gen) pixelStart(a *loop.Access, l, lanes *loop.Loop) reg {
	at := *a
	at.Terms = slices.DeleteFunc(slices.Clone(a.Terms), func(t loop.Term) bool {
		return t.Var == l.Var || t.Var == lanes.Var
	})
	return g.c.gload(asm.LEA, asm.W64, g.address(&at))
}

// movePiece moves one pixel: exact, or as the whole register.
func (g *gen) movePiece(p *pieceMove, to, from mem, exact bool) {
	if !exact {
		g.storeExact(to, g.loadExact(from, p.word), p.word)
		return
	}
	x := g.c.zeroVec()
	pieces(p.bytes, func(at, size int64) { g.insertPiece(x, from.add(at), at, size) })
	pieces(p.bytes, func(at, size int64) { g.c.storeElement(size, to.add(at), x, int(at/size)) })
}
