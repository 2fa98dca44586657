package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A lane loop over several rows at a time ends with a vector for each, of which the lanes are to be combined: the upper
// half with the lower, then halves of these, down to one lane. Halves of two rows are a vector, so two rows are
// combined at once, then the quarters of four, and in the end each lane has one row: with a few operations for each of
// them, and the same ones for each of its lanes as alone.

// foldedLane is where the result of a carry is.
type foldedLane struct {
	vector reg
	lane   int
}

// combineTogether makes the outs of carries of l that are combined alike and whose vectors, of w lanes, are accs by
// carry; it reports for each carry whether it did.
func (g *gen) combineTogether(l *loop.Loop, accs []reg, w int) (done []bool) {
	done = make([]bool, len(l.Carries))
	for k, c := range l.Carries {
		kind := g.nest.Kind(c.Phi)
		if done[k] || c.Scan || kind == loop.Mask || asm.Size(w*kind.Bits()) != g.c.vl {
			continue
		}
		alike := []int{k}
		for n := k + 1; n < len(l.Carries) && len(alike) < w; n++ {
			o := &l.Carries[n]
			if !done[n] && !o.Scan && o.Reduce == c.Reduce && o.Init == c.Init && g.nest.Kind(o.Phi) == kind {
				alike = append(alike, n)
			}
		}
		if len(alike) > 1 {
			g.foldTogether(l, alike, accs, w)
			for _, n := range alike {
				done[n] = true
			}
		}
	}
	return done
}

// foldTogether makes the outs of carries, which are alike.
func (g *gen) foldTogether(l *loop.Loop, carries []int, accs []reg, w int) {
	first := l.Carries[carries[0]]
	kind := g.nest.Kind(first.Phi)
	i, s := g.combiner(first)
	g.width = w
	list := make([]foldVector, len(carries))
	for n, k := range carries {
		list[n] = foldVector{accs[k], slices.Repeat([]int{n}, w)}
	}
	for half, within := w/2, w; half > 0; half /= 2 {
		if half*kind.Bits() < 8*partBytes {
			within = 8 * partBytes / kind.Bits()
		}
		n := (len(list) + 1) / 2
		for p := range list[:n] {
			x, y := list[p], list[p]
			if p+n < len(list) {
				y = list[p+n]
			}
			low, high := g.foldHalves(x.x, y.x, half*kind.Bits())
			list[p] = foldVector{s(g, i, [3]reg{low, high}), foldedLanes(x.of, y.of, half, within)}
		}
		list = list[:n]
	}
	g.width = 0
	x := g.withInit(first, list[0].x)
	if g.folded == nil {
		g.folded = map[loop.Value]foldedLane{}
	}
	for n, k := range carries {
		f := foldedLane{x, slices.Index(list[0].of, n)}
		out := l.Carries[k].Out
		g.define(out, g.spreadLane(f, kind))
		g.folded[out] = f
	}
}

// foldVector is a vector, and which carry each of its lanes is of.
type foldVector struct {
	x  reg
	of []int
}

// foldHalves returns the vectors of the lower and of the upper halves, of so many bits, of all pieces of x that are
// twice as long, and of y.
func (g *gen) foldHalves(x, y reg, bits int) (low, high reg) {
	both := func(op asm.Op, low, high uint8) (reg, reg) {
		return g.c.vi(op, g.c.vl, low, x, y), g.c.vi(op, g.c.vl, high, x, y)
	}
	switch {
	case bits == 256:
		return both(asm.VSHUFF64X2, 0x44, 0xEE)
	case bits == 128 && g.c.vl == asm.VL512:
		return both(asm.VSHUFF64X2, 0x88, 0xDD)
	case bits == 128:
		return both(asm.VPERM2F128, 0x20, 0x31)
	case bits == 64:
		return g.c.v(asm.VPUNPCKLQDQ, g.c.vl, x, y), g.c.v(asm.VPUNPCKHQDQ, g.c.vl, x, y)
	}
	return both(asm.VSHUFPS, 0x88, 0xDD)
}

// foldedLanes are the carries of the lanes of foldHalves, from those of x and y: the halves are so many lanes, and
// first those of x, then those of y, within so many lanes.
func foldedLanes(x, y []int, half, within int) (of []int) {
	for from := 0; from < len(x); from += within {
		for _, z := range [2][]int{x, y} {
			for k := from; k < from+within; k += 2 * half {
				of = append(of, z[k:k+half]...)
			}
		}
	}
	return of
}

// spreadLane gives the lane f, of kind k, in all lanes of a whole vector.
func (g *gen) spreadLane(f foldedLane, k loop.Kind) reg {
	switch lane := uint64(f.lane); {
	case lane == 0:
		return g.spread(f.vector, k)
	case k.Bits() == 32:
		return g.c.v(asm.VPERMD, g.c.vl, g.c.splat32(uint32(lane)), f.vector)
	case g.c.vl == asm.VL512:
		return g.c.v(asm.VPERMQ, g.c.vl, g.c.splat64(lane), f.vector)
	default:
		return g.c.vi(asm.VPERMQI, g.c.vl, uint8(lane*0x55), f.vector)
	}
}

// foldedStores is how many stores of b from the k-th on write neighbouring elements, each of one lane of the same
// vector.
func (g *gen) foldedStores(b loop.Block, k int) (n int) {
	if g.lanes != nil || len(g.folded) == 0 {
		return 0
	}
	var first *loop.Access
	var from foldedLane
	for ; k+n < len(b) && b[k+n].Loop == nil; n++ {
		i := g.nest.Inst(b[k+n].Value)
		if i.Op != loop.Store || i.Args[1] != 0 {
			break
		}
		f, ok := g.folded[i.Args[0]]
		a := &g.nest.Accesses[i.Access]
		if n == 0 {
			first, from = a, f
		}
		if !ok || f.vector != from.vector || int(a.Mem.Bytes())*8 != g.nest.Kind(i.Args[0]).Bits() ||
			a.Mem != first.Mem || a.Buffer != first.Buffer || a.Index != first.Index || a.Offset != first.Offset+int64(n) ||
			termsKey(a.Terms) != termsKey(first.Terms) {
			break
		}
	}
	return n
}

// storeFolded makes such stores.
func (g *gen) storeFolded(stores loop.Block) {
	i := g.nest.Inst(stores[0].Value)
	a, k := &g.nest.Accesses[i.Access], g.nest.Kind(i.Args[0])
	lanes := make([]uint32, 64/wordBytes)
	for n, s := range stores {
		for half := range k.Bits() / 32 {
			lanes[n*k.Bits()/32+half] = uint32(g.folded[g.nest.Inst(s.Value).Args[0]].lane*k.Bits()/32 + half)
		}
	}
	x := g.c.v(asm.VPERMD, g.c.vl, g.c.lanes32(func(lane int) uint32 { return lanes[lane] }), g.folded[i.Args[0]].vector)
	g.storeFirst(g.address(a), x, g.c.vl, int64(len(stores))*a.Mem.Bytes())
}
