package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// A lane loop that only moves elements may read them in an order that comes again after a few of them: pixels with
// their colors turned around, pixels of a row from the last to the first, planes of colors that become pixels, pixels
// that get one color more, which is a constant. What of that order fits a vector is a block: its elements are read by
// whole vectors, from as few places as may be, and one shuffle of each puts them where they are wanted. Blocks are
// written as whole vectors, too: what is behind their elements is overwritten by the next block. Only the last one
// writes no more than it has.

// source is where an element of a row comes from.
type source struct {
	load int   // its number among the loads, or -1: a constant
	at   int64 // elements from the first place of the load, or the constant, as memory has it
}

// movedRow is what a store of the loop writes.
type movedRow struct {
	to   *loop.Access
	from []source // by iteration
}

// movePattern is how a lane loop moves its elements.
type movePattern struct {
	g      *gen
	bytes  int64 // of an element
	fit    int   // so many fit a vector
	wide   bool  // vectors are 512 bits, and have masks; else 128
	extent int
	loads  []*loop.Access
	// same holds, by load, what is added to its index that is the same in all iterations.
	same [][]loop.Value
	// lo and hi are the least and the greatest place of the loads in their buffers, in elements; size is how many
	// there are. hi < lo: that is not known.
	lo, hi, size []int64
	rows         []movedRow
	block        int     // elements of a block
	shift        []int64 // elements that loads go on by from block to block
	whole        int     // blocks that the loop makes
	loop, rest   []moved
}

// moved is a block, or what is left of one, of a row.
type moved struct {
	row, first, n int
	windows       []window
	constant      []int64 // by element, where from is -1 in all windows; nil if there is none
	exact         bool    // no more is written than n elements
}

// window is a vector that is read, and which of its elements are where in the block.
type window struct {
	load   int
	start  int64 // the place of its first element
	pick   []int // by element of the block: the one of the window, or -1
	masked bool  // there are no elements but those that are wanted
}

const (
	// mostWindows is the most vectors that one block is made of, mostRest the most blocks that stand one by one.
	mostWindows = 8
	mostRest    = 8
	// mostPatterned is the most iterations that are looked at one by one.
	mostPatterned = 1 << 16
)

// patternOf returns how l moves elements, nil if that is not all it does, or takes another way.
func (g *gen) patternOf(l *loop.Loop) *movePattern {
	if g.isRanged(l) || len(l.Carries) > 0 || l.Extent > mostPatterned || g.loopsUnder[l] != 0 || l.When != nil {
		return nil
	}
	p := &movePattern{g: g, extent: int(l.Extent)}
	if !p.typed(l) || !p.follow(l) || p.inPlace() {
		return nil
	}
	p.ranges(l)
	if !p.cut() {
		return nil
	}
	return p
}

// typed finds the accesses of l, and reports whether all elements are of one type that there is a form for, and some
// are chosen by the number of the iteration.
func (p *movePattern) typed(l *loop.Loop) bool {
	g, chosen := p.g, false
	var m loop.Mem
	for _, n := range l.Body {
		if n.Loop != nil {
			return false
		}
		i := g.nest.Inst(n.Value)
		chosen = chosen || i.Op == loop.Select && p.bytes < wordBytes // rows of words have other forms
		if i.Op != loop.Load && i.Op != loop.Store {
			continue
		}
		a := &g.nest.Accesses[i.Access]
		if p.bytes == 0 {
			m, p.bytes = a.Mem, a.Mem.Bytes()
		}
		varies := a.Index != 0 && g.inBody(l, a.Index)
		chosen = chosen || varies
		if a.Mem != m || i.Op == loop.Store && (varies || i.Args[1] != 0 || stride(a, l.Var) != p.bytes) {
			return false
		}
	}
	p.wide = g.c.target.AVX512 && (p.bytes > 1 || g.c.target.VBMI)
	p.fit = partBytes
	if p.wide {
		p.fit = 4 * partBytes
	}
	if p.bytes == 0 || p.bytes > 4 || p.bytes == 4 && !p.wide || !chosen {
		return false
	}
	p.fit /= int(p.bytes)
	return true
}

// inPlace reports whether a load may read the very memory that a store writes, in the same iteration: what a block
// writes behind its elements would be read by the next one.
func (p *movePattern) inPlace() bool {
	return slices.ContainsFunc(p.rows, func(r movedRow) bool {
		return slices.ContainsFunc(p.loads, func(a *loop.Access) bool {
			same := a.Offset == r.to.Offset && a.Index == r.to.Index && slices.Equal(a.Terms, r.to.Terms)
			return same || a.Buffer == r.to.Buffer
		})
	})
}

// ranges finds where in their buffers the loads are, as the loops around l tell.
func (p *movePattern) ranges(l *loop.Loop) {
	for k, a := range p.loads {
		lo, hi, known := a.Offset, a.Offset, a.Index == 0 || p.g.inBody(l, a.Index)
		for _, v := range p.same[k] {
			least, most, ok := p.g.extremes(v)
			lo, hi, known = lo+least, hi+most, known && ok
		}
		for _, t := range a.Terms {
			if t.Var == l.Var {
				continue
			}
			far := int64(0)
			for _, o := range p.g.loops {
				if o.loop.Var == t.Var {
					far = t.Stride * (o.loop.Extent - 1)
					known = known && o.loop.Cond == 0
				}
			}
			lo, hi = lo+min(far, 0), hi+max(far, 0)
		}
		if !known {
			lo, hi = 1, 0
		}
		p.lo, p.hi = append(p.lo, lo), append(p.hi, hi)
		p.size = append(p.size, p.g.nest.Buffers[a.Buffer].Bytes/p.bytes)
	}
}

// extremes returns the least and the greatest value of v, a number that is made of the number of the iteration of one
// open loop; ok is false if it is none, or the loop is long.
func (g *gen) extremes(v loop.Value) (lo, hi int64, ok bool) {
	for _, o := range g.loops {
		index := indexOf{nest: g.nest, loop: o.loop.Var, most: mostSteps / mostPatterned, numbers: map[loop.Value]int{}}
		if _, ok := index.follow(v); !ok || o.loop.Extent > mostPatterned || o.loop.Cond != 0 {
			continue
		}
		for i := range o.loop.Extent {
			x, ok := index.compute(i)
			if !ok {
				return 0, 0, false
			}
			if i == 0 {
				lo, hi = x, x
			}
			lo, hi = min(lo, x), max(hi, x)
		}
		return lo, hi, true
	}
	return 0, 0, false
}

// addends splits v, an index in l, into what it is the sum of: what differs between iterations, and what does not.
func (g *gen) addends(l *loop.Loop, v loop.Value) (varies, same []loop.Value) {
	i := g.nest.Inst(v)
	switch {
	case !g.inBody(l, v) && i.Op != loop.Const:
		return nil, []loop.Value{v}
	case i.Op != loop.Add || i.Kind != loop.I32:
		return []loop.Value{v}, nil
	}
	varies, same = g.addends(l, i.Args[0])
	more, also := g.addends(l, i.Args[1])
	return append(varies, more...), append(same, also...)
}

// follow finds the source of each element.
func (p *movePattern) follow(l *loop.Loop) bool {
	g := p.g
	f := &originFinder{p: p, l: l, loads: map[loop.Value]int{}, choices: map[loop.Value]bool{},
		index: indexOf{nest: g.nest, loop: l.Var, most: int(mostSteps / l.Extent), numbers: map[loop.Value]int{}}}
	var stored []loop.Value
	for _, n := range l.Body {
		if i := g.nest.Inst(n.Value); i.Op == loop.Store {
			p.rows = append(p.rows, movedRow{to: &g.nest.Accesses[i.Access]})
			if stored = append(stored, i.Args[0]); !f.prepare(i.Args[0]) {
				return false
			}
		}
	}
	for i := range l.Extent {
		if _, ok := f.index.compute(i); !ok {
			return false
		}
		for k, v := range stored {
			p.rows[k].from = append(p.rows[k].from, f.of(v, i))
		}
	}
	return len(p.rows) > 0 && len(p.loads) > 0
}

// originFinder finds where the elements of values come from.
type originFinder struct {
	p     *movePattern
	l     *loop.Loop
	index indexOf
	loads map[loop.Value]int
	// choices are those that were followed: they may use each other several times.
	choices map[loop.Value]bool
	// varies holds, by load, what the part of its index that differs between iterations is the sum of.
	varies [][]loop.Value
}

// prepare follows what v is made of, and reports whether that is elements, constants, and choices of these.
func (f *originFinder) prepare(v loop.Value) bool {
	g := f.p.g
	i := g.nest.Inst(v)
	switch i.Op {
	case loop.Const:
		_, ok := f.constant(i)
		return ok
	case loop.Select:
		if !f.choices[v] {
			_, ok := f.index.follow(i.Args[0])
			f.choices[v] = ok && f.prepare(i.Args[1]) && f.prepare(i.Args[2])
		}
		return f.choices[v]
	case loop.Load:
		if _, known := f.loads[v]; known {
			return true
		}
		if !g.inBody(f.l, v) {
			return false
		}
		a := &g.nest.Accesses[i.Access]
		varies, same := f.split(a)
		for _, v := range varies {
			if _, ok := f.index.follow(v); !ok {
				return false
			}
		}
		if on := g.maskOf(i); on != 0 {
			if _, ok := f.index.follow(on); !ok {
				return false
			}
		}
		f.loads[v] = len(f.p.loads)
		f.p.loads, f.p.same, f.varies = append(f.p.loads, a), append(f.p.same, same), append(f.varies, varies)
		return true
	}
	return false
}

// split splits the index of a, if it differs between iterations.
func (f *originFinder) split(a *loop.Access) (varies, same []loop.Value) {
	if a.Index == 0 || !f.p.g.inBody(f.l, a.Index) {
		return nil, nil
	}
	return f.p.g.addends(f.l, a.Index)
}

// of returns the source of v in iteration i, which the index was computed for.
func (f *originFinder) of(v loop.Value, i int64) source {
	in := f.p.g.nest.Inst(v)
	value := func(v loop.Value) int64 { return f.index.steps[f.index.numbers[v]].x }
	switch in.Op {
	case loop.Const:
		c, _ := f.constant(in)
		return source{-1, c}
	case loop.Select:
		if value(in.Args[0]) != 0 {
			return f.of(in.Args[1], i)
		}
		return f.of(in.Args[2], i)
	}
	if on := f.p.g.maskOf(in); on != 0 && value(on) == 0 {
		return source{-1, 0}
	}
	k := f.loads[v]
	a := f.p.loads[k]
	at := stride(a, f.l.Var) / f.p.bytes * i
	for _, x := range f.varies[k] {
		at += value(x)
	}
	return source{k, at}
}

// constant returns a constant as memory has it.
func (f *originFinder) constant(i *loop.Inst) (bits int64, ok bool) {
	switch f.p.rows[len(f.p.rows)-1].to.Mem {
	case loop.MemF16:
		return 0, i.Imm == 0
	case loop.MemBF16:
		return int64(i.Imm >> 16), i.Imm&0xFFFF == 0
	}
	return int64(i.Imm & (1<<(8*f.p.bytes) - 1)), true
}
