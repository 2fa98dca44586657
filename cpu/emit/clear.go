package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A window that slides along a row reaches beyond it at the ends only. So a lane loop whose masks compare the number of
// the iteration with constants has a clear part, in which these are on, or off, in all lanes: the code for that is
// without them.

// clearPart is such a part: iterations lo to hi-1.
type clearPart struct {
	lo, hi int64
	on     map[loop.Value]bool // masks that are on in all of it
	off    map[loop.Value]bool // masks that are off in all of it
	// same holds, by masks that are so where others are on, the mask that they are then: that of a row, say.
	same map[loop.Value]loop.Value
	idle map[loop.Value]bool // values that nothing asks for then
}

// leastClear is how many vectors are worth the code, mostCleared how many instructions that is at most.
const (
	leastClear  = 2
	mostCleared = 400
)

// clearOf returns the clear part of l, in whole vectors of w lanes, nil if it is none or too short.
func (g *gen) clearOf(l *loop.Loop, w int64) *clearPart {
	if len(l.Carries) > 0 || l.When != nil || len(l.Body) > mostCleared {
		return nil
	}
	c := &clearPart{hi: l.Extent, on: map[loop.Value]bool{}, off: map[loop.Value]bool{},
		idle: map[loop.Value]bool{}, same: map[loop.Value]loop.Value{}}
	for _, n := range l.Body {
		if n.Loop != nil {
			return nil
		}
		i := g.nest.Inst(n.Value)
		if i.Op == loop.Select && i.Imm == loop.Seldom {
			return nil
		}
		c.add(g, n.Value, i, l, w)
	}
	if len(c.on)+len(c.off) == 0 {
		return nil
	}
	c.lo, c.hi = c.vectors(w, c.lo, c.hi)
	c.findIdle(g, l)
	return c
}

// vectors returns which of iterations lo to hi-1 are whole vectors.
func (c *clearPart) vectors(w, lo, hi int64) (from, to int64) {
	from = (lo + w - 1) / w * w
	return from, max(hi/w*w, from)
}

// add notes that v is on, or off, in part of l, if it is a mask of that kind and the part is long enough.
func (c *clearPart) add(g *gen, v loop.Value, i *loop.Inst, l *loop.Loop, w int64) {
	switch {
	case i.Op == loop.Cmp && g.nest.Kind(i.Args[0]) == loop.I32:
		c.addRange(g, v, i, l, w)
	case i.Op != loop.And || i.Kind != loop.Mask:
	case c.off[i.Args[0]] || c.off[i.Args[1]]:
		c.off[v] = true
	case c.on[i.Args[0]] && c.on[i.Args[1]]:
		c.on[v] = true
	case c.on[i.Args[1]]:
		c.same[v] = c.mask(i.Args[0])
	case c.on[i.Args[0]]:
		c.same[v] = c.mask(i.Args[1])
	}
}

// addRange notes that comparison v of the number of an iteration is on, or off, in part of l.
func (c *clearPart) addRange(g *gen, v loop.Value, i *loop.Inst, l *loop.Loop, w int64) {
	from, to := g.onIn(i, l)
	switch {
	case c.cut(from, to, l, w):
		c.on[v] = true
	case to < from:
	case from == 0 && c.cut(to, l.Extent, l, w), to == l.Extent && c.cut(0, from, l, w):
		c.off[v] = true
	}
}

// cut makes the part end where iterations from to to-1 do, if it is still long enough then.
func (c *clearPart) cut(from, to int64, l *loop.Loop, w int64) bool {
	lo, hi := max(c.lo, from), min(c.hi, to)
	if first, end := c.vectors(w, lo, hi); end-first < leastClear*w || 2*(end-first) < l.Extent {
		return false
	}
	c.lo, c.hi = lo, hi
	return true
}

// mask returns what mask v is in the part, 0 if it is on.
func (c *clearPart) mask(v loop.Value) loop.Value {
	switch same, ok := c.same[v]; {
	case c.on[v]:
		return 0
	case ok:
		return same
	}
	return v
}

// onIn returns the iterations of l in which comparison i of their numbers with a constant is true; hi < lo if it is
// another one.
func (g *gen) onIn(i *loop.Inst, l *loop.Loop) (lo, hi int64) {
	by := g.nest.Inst(i.Args[1])
	a := g.affineIn(l, i.Args[0])
	if !a.ok || by.Op != loop.Const || a.each <= 0 {
		return 1, 0
	}
	bound := int64(int32(by.Imm))
	ceil := func(x int64) int64 { return -floorDiv(a.first-x, a.each) } // the first iteration that has x or more
	clamp := func(x int64) int64 { return max(0, min(x, l.Extent)) }
	switch i.Imm {
	case uint64(loop.GE):
		return clamp(ceil(bound)), l.Extent
	case uint64(loop.GT):
		return clamp(ceil(bound + 1)), l.Extent
	case uint64(loop.LT):
		return 0, clamp(ceil(bound))
	case uint64(loop.LE):
		return 0, clamp(ceil(bound + 1))
	}
	return 1, 0
}

func floorDiv(x, n int64) int64 {
	q := x / n
	if q*n > x {
		q--
	}
	return q
}

// affine is a number each*i + first, where i is the number of an iteration.
type affine struct {
	each, first int64
	ok          bool // it is known
}

// affineIn returns v as such a number of iterations of l.
func (g *gen) affineIn(l *loop.Loop, v loop.Value) affine {
	return remembered(&g.affines, valueIn{l, v}, func() affine { return g.findAffine(l, g.nest.Inst(v)) })
}

func (g *gen) findAffine(l *loop.Loop, i *loop.Inst) (f affine) {
	if i.Kind != loop.I32 {
		return f
	}
	switch i.Op {
	case loop.Const:
		return affine{0, int64(int32(i.Imm)), true}
	case loop.Index:
		return affine{1, 0, int(i.Imm) == l.Var}
	case loop.Add, loop.Mul:
		a, b := g.affineIn(l, i.Args[0]), g.affineIn(l, i.Args[1])
		f.ok = a.ok && b.ok
		if i.Op == loop.Add {
			f.each, f.first = a.each+b.each, a.first+b.first
		} else {
			f.each, f.first = a.each*b.first+a.first*b.each, a.first*b.first
			f.ok = f.ok && (a.each == 0 || b.each == 0)
		}
		f.ok = f.ok && small(f.each) && small(f.first) && small(f.each*l.Extent+f.first)
	}
	return f
}

// small reports whether x is far from what does not fit 32 bits.
func small(x int64) bool { return x > -1<<30 && x < 1<<30 }

// findIdle finds the values that nothing asks for in the clear part: masks, and what only they are made of.
func (c *clearPart) findIdle(g *gen, l *loop.Loop) {
	asked := map[loop.Value]bool{}
	for k := len(l.Body) - 1; k >= 0; k-- {
		v := l.Body[k].Value
		i := g.nest.Inst(v)
		if i.Op != loop.Store && !asked[v] {
			c.idle[v] = true
			continue
		}
		if same := c.same[v]; same != 0 {
			asked[same] = true
			continue
		}
		if x := c.chosen(i); x != 0 {
			asked[x] = true
			continue
		}
		for _, a := range i.Operands() {
			asked[c.mask(a)] = true
		}
		if i.Op == loop.Load || i.Op == loop.Store {
			asked[g.nest.Accesses[i.Access].Index] = true
		}
	}
}

// chosen is what select i chooses in all of the part, or 0.
func (c *clearPart) chosen(i *loop.Inst) loop.Value {
	switch {
	case i.Op != loop.Select:
	case c.on[i.Args[0]]:
		return i.Args[1]
	case c.off[i.Args[0]]:
		return i.Args[2]
	}
	return 0
}

// of returns what is left of l in the clear part.
func (c *clearPart) of(l *loop.Loop) *loop.Loop {
	rest := *l
	rest.Extent = c.hi - c.lo
	rest.Body = slices.DeleteFunc(slices.Clone(l.Body), func(n loop.Node) bool { return c.idle[n.Value] })
	return &rest
}

// maskHere returns what mask v is in the part of a lane loop that is being made: 0 if it is on in all lanes.
func (g *gen) maskHere(v loop.Value) loop.Value {
	if g.lanes == nil || g.lanes.clear == nil {
		return v
	}
	return g.lanes.clear.mask(v)
}

// isOn reports whether mask v is on in all lanes there.
func (g *gen) isOn(v loop.Value) bool { return v != 0 && g.maskHere(v) == 0 }

// knownMask is mask v of a single vector of a lane loop, of iterations that are known, as a constant; 0 if it is
// another one.
func (g *gen) knownMask(v loop.Value) reg {
	s := g.lanes
	if g.c.target.AVX512 || s == nil || !s.single || s.across != nil {
		return 0
	}
	first := s.first + int64(g.copy*s.lanes)
	in := g.rangeOf(v)
	if in.lo > in.hi {
		return 0
	}
	on := func(lane int) bool { return in.lo <= first+int64(lane) && first+int64(lane) < in.hi }
	if s.lanes == 4 {
		return g.c.lanes64(func(lane int) uint64 { return -uint64(bit(on(lane & 3))) })
	}
	return g.c.lanes32(func(lane int) uint32 { return -uint32(bit(on(lane & 7))) })
}

func bit(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}

// iterations are lo to hi-1 of a loop; hi < lo if they are not known.
type iterations struct{ lo, hi int64 }

// rangeOf returns the iterations of the open lane loop that mask v is on in.
func (g *gen) rangeOf(v loop.Value) iterations {
	return remembered(&g.ranges, valueIn{g.lanes.loop, v}, func() iterations { return g.findRange(g.nest.Inst(v)) })
}

func (g *gen) findRange(i *loop.Inst) iterations {
	switch {
	case i.Op == loop.Cmp && g.nest.Kind(i.Args[0]) == loop.I32:
		lo, hi := g.onIn(i, g.lanes.loop)
		return iterations{lo, hi}
	case i.Op == loop.And && i.Kind == loop.Mask:
		a, b := g.rangeOf(i.Args[0]), g.rangeOf(i.Args[1])
		if a.lo > a.hi || b.lo > b.hi {
			return iterations{1, 0}
		}
		lo := max(a.lo, b.lo)
		return iterations{lo, max(min(a.hi, b.hi), lo)}
	}
	return iterations{1, 0}
}

// clear makes the iterations of c, if s is not nil in short lanes, and those in front of it.
func (b *laneBuilder) clear(c *clearPart, copies int, s *shorts) {
	b.part(c.lo, 1)
	b.s.clear, b.accs = c, make([][]reg, copies)
	if s != nil {
		b.shorts(s, c.hi)
	} else {
		b.part(c.hi, copies)
	}
	b.part(c.hi, 1)
	b.s.clear = nil
}

// clearInRange is clear of a loop with a range: of c, and of what is in front of it, the whole vectors that are in it.
func (b *laneBuilder) clearInRange(c *clearPart, copies int) {
	hi := b.hi
	if c.lo > 0 {
		b.hi = b.least(hi, c.lo)
		b.vectors(1)
	}
	b.hi = b.least(hi, c.hi)
	b.s.clear, b.accs = c, make([][]reg, copies)
	b.vectors(copies)
	b.s.clear, b.hi = nil, hi
}

// least is the lesser one of x and n.
func (b *laneBuilder) least(x reg, n int64) reg {
	c := b.g.c
	limit := c.imm(n)
	c.gcmpi(asm.CMP, x, n)
	return b.g.chosen(asm.L, x, limit)
}

// part makes iterations up to end, copies vectors at a time.
func (b *laneBuilder) part(end int64, copies int) {
	b.behind = b.s.loop.Extent - end
	b.left -= b.behind
	b.vectors(copies)
	b.left += b.behind
	b.behind = 0
}
