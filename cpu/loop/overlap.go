package loop

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// The terms of a sum that are written out, as those of a window of few taps or of one of its rows, can be several
// iterations side by side if these read the same: what is the same for all of them, and windows that overlap.

// Iterations go side by side where that saves loads: at most mostOverlapped. Of what was brought near there may be more
// if fewer would not keep the units busy, as 7 do not, and wideRegisters hold their sums, as many elements, and what is
// made outside. Those become at most mostWideInsts instructions.
const (
	mostOverlapped = 8
	wideRegisters  = 32
	mostWideInsts  = 512
)

// busySums is how many sums keep two units busy that take 4 cycles for an addition.
const busySums = 8

// leastSums is how many products such a sum has at least.
const leastSums = 4

// mostShare is the share of the loads that may be left for it to be worth it.
const mostShare = 0.7

// overlapped finds the parallel loops around lane loops of such sums of which several iterations make the fewest loads,
// and how many. None is inside of another.
func overlapped(n *Nest, wide bool) map[*Loop]int {
	named := rangedVars(n)
	factors, within, depends := map[*Loop]int{}, map[*Loop]bool{}, dependence{}
	for _, s := range sumsOf(n) {
		lanes := slices.IndexFunc(s.around, func(l *Loop) bool { return l.Lanes })
		free := slices.DeleteFunc(slices.Clone(s.around[:lanes]), func(l *Loop) bool {
			return !l.Parallel || l.When != nil || named[l.Var] || within[l] || fillsScratch(n, l)
		})
		if slices.ContainsFunc(s.around, func(l *Loop) bool { return factors[l] > 0 }) {
			continue
		}
		if l, f := fewestLoads(n, free, s.around[lanes:], wide, depends); l != nil {
			factors[l] = f
			for _, o := range s.around[:slices.Index(s.around, l)] {
				within[o] = true
			}
		}
	}
	return factors
}

// rangedVars returns the variables of loops of which others run in a range of iterations only.
func rangedVars(n *Nest) map[int]bool {
	named := map[int]bool{}
	n.Root.EachLoop(func(l *Loop) {
		if l.When != nil {
			named[l.When.Var] = true
		}
	})
	return named
}

// writtenSum is a loop that adds products, the last of the loops around them, and how often its body runs.
type writtenSum struct {
	around []*Loop
	times  int64
}

// sumsOf returns the sums of n that are worth it, what runs most often first.
func sumsOf(n *Nest) []writtenSum {
	var list []writtenSum
	n.Root.Walk(func(node Node, around []*Loop) {
		if node.Loop == nil || node.Loop.Cond != 0 || !addsProducts(n, node.Loop) {
			return
		}
		s := writtenSum{around: append(around[:len(around):len(around)], node.Loop), times: 1}
		lanes, seldom := false, false
		for _, l := range s.around {
			s.times *= max(l.Extent, 1)
			lanes, seldom = lanes || l.Lanes, seldom || l.When != nil && l.When.Outside
		}
		if lanes && !seldom {
			list = append(list, s)
		}
	})
	sort.SliceStable(list, func(i, j int) bool { return list[i].times > list[j].times })
	return list
}

// fewestLoads chooses one of free for the sums in the last of inner, which begins with a lane loop: the innermost of
// those that are as good, whose iterations lie closer together.
func fewestLoads(n *Nest, free, inner []*Loop, wide bool, depends dependence) (best *Loop, factor int) {
	sums := inner[len(inner)-1]
	carries, size, products, least := 1, inner[0].Body.size(), countProducts(n, sums), math.Inf(1)
	for _, l := range inner {
		carries = max(carries, len(l.Carries))
	}
	most := min(mostOverlapped, maxJammedCarries/carries)
	if wide && readsScratch(n, sums.Body) {
		most = max(most, (wideRegisters-held(n, sums))/(2*carries))
	}
	if most < 2 {
		return nil, 0
	}
	for _, l := range slices.Backward(free) {
		r := readsOf(n, sums.Body, l, depends.on(n, l))
		all := max(r.all, 1)
		for _, f := range overlaps(most) {
			insts := maxJammedInsts
			if f > mostOverlapped {
				insts = mostWideInsts
			}
			left := r.left(f)
			if l.Extent%int64(f) > 0 || f*(size-all)+left > insts || float64(left) >= mostShare*float64(f*all) {
				continue
			}
			price := max(1, busySums/float64(f*carries), float64(left)/float64(f*products))
			if price < least {
				best, factor, least = l, f, price
			}
		}
	}
	return best, factor
}

// overlaps are how many iterations may go side by side, at most so many, the best first.
func overlaps(most int) (list []int) {
	for f := min(mostOverlapped, most); f > 1; f-- {
		list = append(list, f)
	}
	for f := mostOverlapped + 1; f <= most; f++ {
		list = append(list, f)
	}
	return list
}

// held is how many factors of the products that l adds are made outside of it.
func held(n *Nest, l *Loop) int {
	inside, outside := map[Value]bool{}, map[Value]bool{}
	for _, node := range l.Body {
		inside[node.Value] = true
		if i := n.Inst(node.Value); i.Op == FMA {
			for _, x := range i.Args[:2] {
				outside[x] = outside[x] || !inside[x]
			}
		}
	}
	count := 0
	for _, out := range outside {
		if out {
			count++
		}
	}
	return count
}

// addsProducts reports whether l holds only instructions, of which enough add products, and carries nothing from lane
// to lane.
func addsProducts(n *Nest, l *Loop) bool {
	if l.Lanes && len(l.Carries) > 0 {
		return false
	}
	if slices.ContainsFunc(l.Body, func(node Node) bool { return node.Loop != nil }) {
		return false
	}
	return countProducts(n, l) >= leastSums
}

// readsScratch reports whether b reads scratch memory.
func readsScratch(n *Nest, b Block) bool {
	return slices.ContainsFunc(b, func(node Node) bool {
		i := n.Inst(node.Value)
		return i.Op == Load && n.Buffers[n.Accesses[i.Access].Buffer].Scratch
	})
}

// countProducts is how many products the instructions of l add.
func countProducts(n *Nest, l *Loop) (count int) {
	for _, node := range l.Body {
		if node.Loop == nil && n.Inst(node.Value).Op == FMA {
			count++
		}
	}
	return count
}

// reads are the loads of a block, by what changes from one iteration of a loop to the next.
type reads struct {
	all, own int // all of them, and those of which no two are the same
	// until is, for each of the others, after how many iterations what it reads is what another one has read; 0: at
	// once.
	until []int64
}

// place is where a load reads, without its offset a number of its own, and how far it is to the next iteration's.
type place struct {
	what         int
	offset, step int64
}

// dependence holds, by loop, which values change with its iteration.
type dependence map[*Loop][]bool

// on is dependsOn, found once.
func (d dependence) on(n *Nest, l *Loop) []bool {
	if d[l] == nil {
		d[l] = dependsOn(n, l)
	}
	return d[l]
}

// readsOf returns the loads of b in a loop l, with whose iteration the values in depends change.
func readsOf(n *Nest, b Block, l *Loop, depends []bool) reads {
	numbers, r := numbering{numbers: map[uint64]int{}}, reads{}
	var known []place
	for _, node := range b {
		i := n.Inst(node.Value)
		if i.Op != Load {
			continue
		}
		r.all++
		a := &n.Accesses[i.Access]
		if depends[a.Index] || depends[i.Args[0]] || n.Buffers[a.Buffer].Write && !n.Buffers[a.Buffer].Scratch {
			r.own++
			continue
		}
		p := place{offset: a.Offset}
		if t := slices.IndexFunc(a.Terms, func(t Term) bool { return t.Var == l.Var }); t >= 0 {
			p.step = a.Terms[t].Stride
		}
		p.what = numbers.of(n, i)
		known = append(known, p)
	}
	r.until = untilAgain(known)
	return r
}

// numbering gives loads that differ in their offsets at most one number, from 0 on.
type numbering struct {
	numbers map[uint64]int // by a hash, or the next free one behind it
	loads   []*Inst        // the first of each
}

func (m *numbering) of(n *Nest, i *Inst) int {
	a := &n.Accesses[i.Access]
	h := uint64(a.Buffer)<<40 ^ uint64(a.Mem)<<32 ^ uint64(uint32(a.Index))
	h = h*odd ^ uint64(uint32(i.Args[0]))
	for _, t := range a.Terms {
		h = (h^uint64(t.Var)<<48)*odd ^ uint64(t.Stride)
	}
	for ; ; h++ {
		k, known := m.numbers[h]
		if !known {
			m.numbers[h] = len(m.loads)
			m.loads = append(m.loads, i)
			return len(m.loads) - 1
		}
		b := &n.Accesses[m.loads[k].Access]
		if m.loads[k].Args[0] == i.Args[0] && a.Buffer == b.Buffer && a.Mem == b.Mem && a.Index == b.Index &&
			slices.Equal(a.Terms, b.Terms) {
			return k
		}
	}
}

// untilAgain returns after how many iterations what is read at each of places was read at another one, 0 being at once.
// The steps are the same at all places of a number.
func untilAgain(places []place) []int64 {
	until := make([]int64, len(places))
	for k := range places { // as many to the one side as to the other
		places[k].step = max(places[k].step, -places[k].step)
	}
	row := func(p place) int64 { // of those that are whole steps apart
		if p.step == 0 {
			return p.offset
		}
		return (p.offset%p.step + p.step) % p.step
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(a.what-b.what, cmp.Compare(row(a), row(b)), cmp.Compare(a.offset, b.offset))
	})
	for k, p := range places {
		shared := k+1 < len(places) && places[k+1].what == p.what && row(places[k+1]) == row(p)
		switch {
		case shared && p.step != 0:
			until[k] = (places[k+1].offset - p.offset) / p.step
		case p.step != 0:
			until[k] = math.MaxInt64
		case !shared:
			until[k] = 1
		}
	}
	return until
}

// left returns how many loads f iterations side by side make.
func (r reads) left(f int) int {
	left := f * r.own
	for _, n := range r.until {
		left += int(min(n, int64(f)))
	}
	return left
}
