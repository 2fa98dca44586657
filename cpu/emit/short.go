package emit

import (
	"github.com/goxla/xla/cpu/loop"
)

// Lanes are 32 bits wide at least. Where memory has integers of 1 or 2 bytes, and what is computed of them fits 16
// bits, or only its low 16 bits count, lanes of 16 bits do: there are twice as many in a vector, and a product takes
// half as long. Where 8 bits do for all of a loop, there are four times as many. Ranges of the values say where
// (loop.Spans). Such a lane loop goes by groups of two or four of the usual vectors, of which each value is in one
// register; what is left of the loop is done under a mask, or in usual lanes.

// shorts is what is known of such a lane loop.
type shorts struct {
	g     *gen
	loop  *loop.Loop
	width int // of a lane in bits: 16 or 8
	// clear, if not nil, is the part of the lane loop that loop is.
	clear  *clearPart
	inLoop map[loop.Value]bool
	// bits is how many low bits of a value its users ask for.
	bits map[loop.Value]int
	// wide are the values of which all 32 bits are needed somewhere, held those in short lanes: of these, the low
	// bits that are asked for are right. same: their low bits are those of another value.
	wide, held map[loop.Value]bool
	same       map[loop.Value]loop.Value
	// reduced are the carries, by number, of the values that they have next.
	reduced map[loop.Value]int
	// regs, by group of vectors, are the registers of values in short lanes, accs those of the carries.
	regs [maxCopies / 2]map[loop.Value]reg
	accs [maxCopies / 2][]reg
	// all: there is nothing in usual lanes.
	all bool
	// rows are the rows of bytes that loads are of, raw, by group, the bytes of them that were read.
	rows map[loop.Value]byteRow
	raw  [maxCopies / 2]map[loop.Value]reg
	// tables, by buffer, are the registers of tables that are looked up.
	tables map[int][]reg
	// off, in what is left of the loop, makes x zero in lanes that do not count; mask is that of the others, on
	// AVX-512.
	off  func(x reg) reg
	mask reg
}

// group is how many usual vectors go in one.
func (s *shorts) group() int { return 32 / s.width }

// iterations is how many are in one vector.
func (s *laneState) iterations() int64 {
	if s.short != nil {
		return int64(s.short.group() * s.lanes)
	}
	return int64(s.lanes)
}

// shortsOf is for the lane loop l of w lanes, or its clear part; nil if it takes lanes of 32 bits.
func (g *gen) shortsOf(l *loop.Loop, w int, c *clearPart) *shorts {
	if c != nil {
		l = c.of(l)
	}
	if w*32 != int(g.c.vl) || l.When != nil || len(l.Carries) > 0 && g.isRanged(l) || !g.storesNarrow(l, c) {
		return nil
	}
	for _, c := range l.Carries { // no others are made of short lanes
		if k := g.nest.Kind(c.Phi); k != loop.I32 && k != loop.Mask {
			return nil
		}
	}
	for _, width := range [...]int{8, 16} {
		if s := g.shortsIn(l, w, width, c); s != nil {
			return s
		}
	}
	return nil
}

// shortsIn is shortsOf with lanes of width bits.
func (g *gen) shortsIn(l *loop.Loop, w, width int, c *clearPart) *shorts {
	s := &shorts{g: g, loop: l, width: width, clear: c, inLoop: map[loop.Value]bool{},
		bits: map[loop.Value]int{}, wide: map[loop.Value]bool{}, reduced: map[loop.Value]int{}}
	for _, n := range l.Body {
		s.inLoop[n.Value] = true
	}
	for k, c := range l.Carries {
		s.reduced[c.Next], s.bits[c.Next] = k, 32
	}
	s.ask()
	s.findRows()
	for more := true; more; {
		s.hold()
		more = s.widen()
	}
	if least := int64(w * s.group()); !s.pays() || l.Extent < least && (!s.masks() || l.Extent <= int64(w)) {
		return nil
	}
	return s
}

// storesNarrow reports whether l stores only narrow integers, side by side, and has no parts behind jumps.
func (g *gen) storesNarrow(l *loop.Loop, c *clearPart) bool {
	for _, n := range l.Body {
		if n.Loop != nil || g.asides[n.Value] != nil || g.condition[n.Value] {
			return false
		}
		if _, ok := g.under[n.Value]; ok {
			return false
		}
		i := g.nest.Inst(n.Value)
		if i.Op == loop.Store && !g.shortAccess(i, l, c) || i.Op == loop.Select && i.Imm == loop.Seldom {
			return false
		}
	}
	return true
}

// shortAccess reports whether a load or store of l, in its clear part if c is not nil, goes by vectors of elements of
// 1 or 2 bytes.
func (g *gen) shortAccess(i *loop.Inst, l *loop.Loop, c *clearPart) bool {
	a := &g.nest.Accesses[i.Access]
	mask := i.Args[0]
	if i.Op == loop.Store {
		mask = i.Args[1]
	}
	if c != nil {
		mask = c.mask(mask)
	}
	return a.Mem <= loop.MemU16 && mask == 0 && stride(a, l.Var) == a.Mem.Bytes() &&
		(a.Index == 0 || !g.inBody(l, a.Index))
}

// ask finds the bits that users of values ask for, from the last to the first.
func (s *shorts) ask() {
	for k := len(s.loop.Body) - 1; k >= 0; k-- {
		v := s.loop.Body[k].Value
		i := s.g.nest.Inst(v)
		for n, a := range i.Operands() {
			s.bits[a] = max(s.bits[a], s.asked(v, i, n))
		}
		if i.Op == loop.Load || i.Op == loop.Store {
			s.bits[s.g.nest.Accesses[i.Access].Index] = 32
		}
	}
}

// asked is how many low bits of operand n v, made by i, depends on, as far as its own users ask for them.
func (s *shorts) asked(v loop.Value, i *loop.Inst, n int) int {
	switch i.Op {
	case loop.Store:
		return int(8 * s.g.nest.Accesses[i.Access].Mem.Bytes())
	case loop.Add, loop.Sub, loop.Mul, loop.And, loop.Or, loop.Xor, loop.AndNot, loop.Not, loop.Neg:
		return s.bits[v]
	case loop.Select:
		if n > 0 {
			return s.bits[v]
		}
	case loop.Shl:
		if by, ok := s.count(i); ok && n == 0 {
			return max(s.bits[v]-by, 0)
		}
	case loop.Sar:
		if _, by, ok := s.wrap(i); ok && n == 0 {
			return min(32, s.bits[v]+by)
		}
	}
	return 32
}

// count is the count of a shift by a constant.
func (s *shorts) count(i *loop.Inst) (by int, ok bool) {
	n, ok := s.g.shiftCount(i)
	return int(n), ok
}

// wrap reports whether i keeps the low bits of x with the sign that they have there, all but by of the 32.
func (s *shorts) wrap(i *loop.Inst) (x loop.Value, by int, ok bool) {
	up := s.g.nest.Inst(i.Args[0])
	by, ok = s.count(i)
	if i.Op != loop.Sar || up.Op != loop.Shl || !ok {
		return 0, 0, false
	}
	also, ok := s.count(up)
	return up.Args[0], by, ok && also == by && by < 32
}

// hold finds the values that short lanes can hold, except those in wide.
func (s *shorts) hold() {
	s.held, s.same = map[loop.Value]bool{}, map[loop.Value]loop.Value{}
	for _, n := range s.loop.Body {
		v := n.Value
		i := s.g.nest.Inst(v)
		if s.wide[v] || i.Op == loop.Const {
			continue
		}
		if _, ok := s.reduced[v]; ok {
			s.held[v] = s.reduces(v)
			continue
		}
		if x := s.sameLow(v, i); x != 0 {
			s.same[v], s.held[v] = x, true
			continue
		}
		s.held[v] = s.can(v, i)
	}
}

// widen adds the held values to wide that those ask for which are not, and reports whether there were any.
func (s *shorts) widen() bool {
	more := false
	need := func(v loop.Value) {
		if s.clear != nil {
			v = s.clear.mask(v)
		}
		if s.held[v] && !s.wide[v] {
			s.wide[v], more = true, true
		}
	}
	for _, n := range s.loop.Body {
		i := s.g.nest.Inst(n.Value)
		if (i.Op == loop.Load || i.Op == loop.Store) && !s.isLookup(i) {
			need(s.g.nest.Accesses[i.Access].Index)
		}
		if s.held[n.Value] {
			continue
		}
		for _, a := range i.Operands() {
			need(a)
		}
	}
	return more
}

// sameLow is the value whose low bits, those that are asked for of v, v has.
func (s *shorts) sameLow(v loop.Value, i *loop.Inst) loop.Value {
	if x := s.sameInClear(v, i); x != 0 && (s.g.nest.Kind(x) != loop.Mask || s.knownMask(x)) {
		return x
	}
	bits := min(s.bits[v], s.width)
	if i.Kind != loop.I32 {
		return 0
	}
	if i.Op == loop.And {
		for k, a := range i.Args[:2] {
			low := uint64(1)<<bits - 1
			if c := s.g.nest.Inst(a); c.Op == loop.Const && c.Imm&low == low {
				return i.Args[1-k]
			}
		}
	}
	if x, by, ok := s.wrap(i); ok && 32-by >= bits {
		return x
	}
	return 0
}

// sameInClear is the value that v is in the clear part, 0 if it is one of its own.
func (s *shorts) sameInClear(v loop.Value, i *loop.Inst) loop.Value {
	if s.clear == nil {
		return 0
	}
	if x := s.clear.chosen(i); x != 0 {
		return x
	}
	return s.clear.same[v]
}

// knownMask reports whether m is a mask of short lanes, or the same in all.
func (s *shorts) knownMask(m loop.Value) bool { return s.held[m] || s.g.nest.Inst(m).Op == loop.Const }

// fits reports whether the lanes have the numbers of v with their sign, or without one.
func (s *shorts) fits(v loop.Value) (signed, unsigned bool) {
	lo, hi := s.g.span(v)
	most := int64(1) << (s.width - 1)
	return lo >= -most && hi < most, lo >= 0 && hi < 2*most
}

// fitBoth is fits of both.
func (s *shorts) fitBoth(v, w loop.Value) (signed, unsigned bool) {
	a, b := s.fits(v)
	c, d := s.fits(w)
	return a && c, b && d
}

// can reports whether short lanes can make v, which is i.
func (s *shorts) can(v loop.Value, i *loop.Inst) bool {
	switch i.Op {
	case loop.Load:
		return s.rows[v] != nil || s.isLookup(i) || s.g.shortAccess(i, s.loop, s.clear) && s.holds(i)
	case loop.Store:
		v := i.Args[0]
		return s.holds(i) && (s.held[v] || s.g.nest.Kind(v) == loop.I32)
	}
	if i.Kind == loop.Mask {
		return s.canMask(v, i)
	}
	if i.Kind != loop.I32 {
		return false
	}
	switch i.Op {
	case loop.Mul:
		return s.width == 16
	case loop.Add, loop.Sub, loop.And, loop.Or, loop.Xor, loop.AndNot, loop.Not, loop.Neg:
		return true
	case loop.Abs:
		signed, _ := s.fits(i.Args[0])
		return signed
	case loop.Popcnt, loop.Clz:
		_, unsigned := s.fits(i.Args[0])
		return unsigned
	case loop.Min, loop.Max, loop.UMin, loop.UMax:
		signed, unsigned := s.fitBoth(i.Args[0], i.Args[1])
		return signed || unsigned
	case loop.Select:
		return s.held[i.Args[0]]
	case loop.Shl:
		_, ok := s.count(i)
		return ok
	case loop.Sar, loop.Shr:
		if s.width == 8 {
			return s.canShiftBytes(i)
		}
		return s.shiftOf(i).ok
	}
	return false
}

// holds reports whether the elements that i loads or stores fit the lanes.
func (s *shorts) holds(i *loop.Inst) bool {
	return int(8*s.g.nest.Accesses[i.Access].Mem.Bytes()) <= s.width
}

func (s *shorts) canMask(v loop.Value, i *loop.Inst) bool {
	if s.clear != nil && (s.clear.on[v] || s.clear.off[v]) {
		return false
	}
	switch i.Op {
	case loop.Cmp:
		if s.g.nest.Kind(i.Args[0]) != loop.I32 {
			return false
		}
		signed, unsigned := s.fitBoth(i.Args[0], i.Args[1])
		return signed || unsigned
	case loop.And, loop.Or, loop.Xor:
		return s.knownMask(i.Args[0]) && s.knownMask(i.Args[1])
	case loop.Not:
		return s.held[i.Args[0]]
	}
	return false
}

// Costs, in instructions for two usual vectors: what a value in usual lanes takes to be packed, what a product saves,
// what counting bits does, and any other value. leastSaved is what is worth the code.
const (
	packCost    = 5
	savedByMul  = 3
	savedByBits = 6
	savedByMost = 1
	leastSaved  = 4
)

// pays reports whether all that l stores and carries is held, and enough of what it computes: with lanes of 8 bits all.
func (s *shorts) pays() bool {
	for next := range s.reduced {
		if !s.held[next] {
			return false
		}
	}
	s.all = true
	saved, packed := 0, map[loop.Value]bool{}
	for _, n := range s.loop.Body {
		i := s.g.nest.Inst(n.Value)
		if !s.held[n.Value] {
			s.all = s.all && i.Op == loop.Const
			if i.Op == loop.Store || s.width == 8 && !s.all {
				return false
			}
			continue
		}
		switch i.Op {
		case loop.Mul:
			saved += savedByMul
		case loop.Popcnt, loop.Clz:
			saved += savedByBits
		default:
			saved += savedByMost
		}
		for _, a := range i.Operands() {
			if s.inLoop[a] && !s.held[a] && s.g.nest.Inst(a).Op != loop.Const {
				packed[a] = true
			}
		}
	}
	return s.width == 8 || saved >= leastSaved+packCost*len(packed)
}
