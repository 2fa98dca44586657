package loop

import "slices"

// A loop over rows that are the columns of an array reads them in steps from line to line, and each line again for
// each row that it has elements of:
//
//	for i < 1024 { lanes j < 1024 { sum += x[i + j*1024] * y[i*1024 + j] } .. }
//
// So the columns that a line has are turned at once, in memory of the worker's own:
//
//	for I < 64 {
//	  for h < 128 { for i < 16 { lanes j < 8 { own[i*1024 + h*8 + j] = x[I*16 + i + h*8192 + j*1024] } } }
//	  for i < 16 { lanes j < 1024 { sum += own[i*1024 + j] * y[I*16384 + i*1024 + j] } .. }
//	}

const (
	// mostStrip is the most bytes of such columns, of mostThrough arrays at most: half of the second cache.
	mostStrip = 256 << 10
	// leastStrip is how many elements columns have at least.
	leastStrip = 64
)

// strips is a loop over rows, which is to do so many of them in a strip, and what lane loops in it read of columns.
type strips struct {
	nest  *Nest
	short *Loop
	width int64
	reads []columnRead
}

type columnRead struct {
	value Value
	lanes *Loop
}

// Strips does that where it is worth it, for vectors that are lines of the caches if they are wide. It reports whether
// the last buffer of n is new, as that memory.
func Strips(n *Nest, wide bool) bool {
	s := stripsOf(n)
	if s == nil {
		return false
	}
	inner, outer := *s.short, n.Vars
	n.Vars++
	for k := range n.Accesses {
		a := &n.Accesses[k]
		if step := a.Stride(inner.Var); step != 0 {
			a.Terms = append(slices.Clone(a.Terms), Term{outer, step * s.width})
		}
	}
	inner.Extent = s.width
	vector := int64(vectorBytes)
	if wide {
		vector = cacheLine
	}
	turns := newTurner(n, vector)
	var body Block
	for _, r := range s.reads {
		body = append(body, turns.load(r.value, inner.Var, r.lanes.Var, s.width, r.lanes.Extent)...)
	}
	*s.short = Loop{Var: outer, Extent: s.short.Extent / s.width, Parallel: true, Body: append(body, Node{Loop: &inner})}
	return true
}

// stripsOf finds the loop over rows, the innermost parallel one that is not of lanes, or returns nil.
func stripsOf(n *Nest) *strips {
	s := &strips{nest: n}
	for block := n.Root; len(block) > 0; block = s.short.Body {
		l := block[len(block)-1].Loop
		if l == nil || !l.Parallel || l.Lanes {
			break
		}
		if l.When != nil || len(l.Carries) > 0 {
			return nil
		}
		s.short = l
	}
	scratch := func(b Buffer) bool { return b.Scratch }
	if s.short == nil || slices.ContainsFunc(n.Buffers, scratch) || !s.find() {
		return nil
	}
	return s
}

// find looks for what lane loops read of columns, and reports whether rows are worth being in strips: lanes carry
// something, else blocks of both loops are better.
func (s *strips) find() bool {
	carries, size := false, int64(0)
	for _, node := range s.short.Body {
		l := node.Loop
		switch {
		case l == nil && s.nest.Inst(node.Value).Op == Index:
			return false
		case l == nil:
			continue
		case !l.Lanes || l.Cond != 0:
			return false
		}
		carries = carries || len(l.Carries) > 0
		for _, in := range l.Body {
			i := s.nest.Inst(in.Value)
			if in.Loop != nil || i.Op == Index && i.Imm == uint64(s.short.Var) {
				return false
			}
			if i.Op == Load && s.isColumn(i, l) {
				s.reads = append(s.reads, columnRead{in.Value, l})
				size = max(size, s.nest.Accesses[i.Access].Mem.Bytes())
			}
		}
	}
	if !carries || len(s.reads) == 0 || len(s.reads) > mostThrough {
		return false
	}
	for s.width = min(cacheLine/size, s.short.Extent/2); s.width > 1 && s.short.Extent%s.width != 0; s.width-- {
	}
	bytes := int64(0)
	for _, r := range s.reads {
		bytes += r.lanes.Extent * s.width * size
	}
	return 2*s.width*size >= cacheLine && bytes <= mostStrip
}

// isColumn reports whether i reads elements of a column in l, of an array that is in no first cache.
func (s *strips) isColumn(i *Inst, l *Loop) bool {
	a := &s.nest.Accesses[i.Access]
	b := &s.nest.Buffers[a.Buffer]
	return i.Args[0] == 0 && a.Index == 0 && a.Mem != MemPred && a.Stride(s.short.Var) == 1 && !b.changes() &&
		b.Bytes > firstCache && l.Extent >= leastStrip && abs(a.Stride(l.Var))*a.Mem.Bytes() >= cacheLine
}
