package emit

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/cpu/asm"
)

// Linear scan. A register lives from its first to its last occurrence, and through the whole of
// each loop that it is live into. Places are counted two an instruction: sources are read at the first, the
// result is written at the second, so that a result may take the place of a source that ends there.

// interval is where a register lives.
type interval struct {
	r          reg
	start, end int32
	hints      [3]reg // registers whose place it would like to have
	cost       float64
}

// maxRounds bounds how often allocation starts anew after spills.
const maxRounds = 40

// allocate gives every register a place, inserting loads and stores where there are too few.
func (c *code) allocate() error {
	if c.err != nil {
		return c.err
	}
	c.enter()
	uses := c.sweep()
	c.foldNots(uses)
	c.changeInMemory(uses)
	c.foldLoads(uses)
	c.mergeBlends(uses)
	c.sweep()
	for range maxRounds {
		live := c.intervals()
		if live.unset != 0 {
			return fmt.Errorf("register %d is read and never written before", live.unset)
		}
		spilled, again, err := c.scan(live, c.noteRereads)
		if again {
			spilled, _, err = c.scan(live, nil)
		}
		if err != nil {
			return err
		}
		if len(spilled) == 0 {
			return c.placeSlots()
		}
		c.spill(spilled)
	}
	return fmt.Errorf("%w: no allocation found", ErrRegisters)
}

// enter puts the entry in front of the list, into the room for it.
func (c *code) enter() {
	n := len(c.entry)
	c.memory.room = c.list
	c.list = c.list[entryRoom:]
	front := c.keepFront(n)
	c.list = c.memory.room[front-n : front+len(c.list)]
	copy(c.list, c.entry)
}

// keepFront sees to it that at least n places are free in front of the list, in its memory, and returns how many are.
func (c *code) keepFront(n int) int {
	m := c.memory
	front := cap(m.room) - cap(c.list)
	if front >= n {
		return front
	}
	end := n + len(c.list)
	m.room = slices.Grow(m.room[:0], end)[:end]
	copy(m.room[n:], c.list)
	c.list = m.room[n:]
	return n
}

// operands calls f for every register of i, with a pointer to it.
func (i *ins) operands(f func(r *reg)) {
	for k := range i.r {
		if i.r[k] > 0 {
			f(&i.r[k])
		}
	}
	for _, p := range [...]*reg{&i.base, &i.index, &i.mask, &i.tie} {
		if *p > 0 {
			f(p)
		}
	}
}

// sweep drops instructions whose result is not used, and counters that are only counted. It returns how often each
// vector and mask is used then.
func (c *code) sweep() (uses []int32) {
	uses = zeroed(c.memory, &c.memory.uses, len(c.regs))
	counters := c.memory.counters[:0] // where those stand that count, ascending
	for k := range c.list {
		if c.counts(k) {
			counters = append(counters, int32(k))
		} else {
			c.list[k].countReads(uses)
		}
	}
	c.memory.counters = counters
	next := len(counters) - 1
	for k := len(c.list) - 1; k >= 0; k-- {
		i := &c.list[k]
		counts := next >= 0 && int(counters[next]) == k
		if counts {
			next--
		}
		if i.def < 0 || i.r[i.def] <= 0 || uses[i.r[i.def]] > 0 { // as in most
			continue
		}
		if i.kind == dead || i.kind == bind || i.kind >= loopStart || i.in.Place == asm.InStore {
			continue
		}
		if i.in.Op.General() && i.tie != 0 && !counts {
			continue
		}
		if !counts {
			i.reads(func(r reg) { uses[r]-- })
		}
		i.kind = dead
	}
	for _, k := range counters { // what looked at the counter in front of where it counts may have gone after that
		if i := &c.list[k]; uses[i.r[0]] == 0 {
			i.kind = dead
		}
	}
	c.dropDead()
	return uses
}

// dropDead takes the dead out of the list.
func (c *code) dropDead() {
	n := 0
	for n < len(c.list) && c.list[n].kind != dead {
		n++
	}
	for k := n; k < len(c.list); {
		if c.list[k].kind == dead {
			k++
			continue
		}
		end := k + 1
		for end < len(c.list) && c.list[end].kind != dead {
			end++
		}
		n += copy(c.list[n:], c.list[k:end])
		k = end
	}
	c.list = c.list[:n]
}

// counts reports whether instruction k adds a constant to a register, and nothing looks at the flags.
func (c *code) counts(k int) bool {
	i := &c.list[k]
	return i.in.Op == asm.ADD && i.kind == plain && i.in.HasImm && i.in.Place == asm.InReg && i.def == 0 &&
		i.tie > 0 && i.tie == i.r[0] && (k+1 == len(c.list) || c.list[k+1].in.Op != asm.JCC)
}

// reads calls f for every register whose value i reads.
func (i *ins) reads(f func(r reg)) {
	for k, r := range i.r {
		if r > 0 && k != int(i.def) {
			f(r)
		}
	}
	if i.base|i.index|i.mask|i.tie == 0 { // as in most
		return
	}
	for _, r := range [...]reg{i.base, i.index, i.mask, i.tie} {
		if r > 0 {
			f(r)
		}
	}
}

// countReads adds to uses, by register, how often i reads each.
func (i *ins) countReads(uses []int32) {
	for k := range i.r {
		uses[max(i.r[k], 0)]++ // whatever that makes of register 0, which is none
	}
	if i.def >= 0 {
		uses[max(i.r[i.def], 0)]--
	}
	if i.base|i.index|i.mask|i.tie == 0 { // as in most
		return
	}
	for _, r := range [...]reg{i.base, i.index, i.mask, i.tie} {
		uses[max(r, 0)]++
	}
}

// span is a loop in places.
type span struct{ start, end int32 }

// liveScan is the state of a walk over the code that finds intervals.
type liveScan struct {
	all    []interval // by register
	order  []reg      // of those that occurred, by start
	open   []span     // the loops that are open, outermost first
	inner  int32      // where the last of them starts; 0: there is none
	weight float64    // of an occurrence here: more in loops, less in cold code
	unset  reg        // if not 0, one that is read where nothing has written it
}

// enter notes what kind of code starts or ends with i.
func (l *liveScan) enter(i *ins, loop span) {
	switch i.kind {
	case loopStart:
		l.open, l.inner = append(l.open, loop), loop.start
		l.weight *= 8
	case loopEnd:
		l.open, l.inner = l.open[:len(l.open)-1], 0
		if n := len(l.open); n > 0 {
			l.inner = l.open[n-1].start
		}
		l.weight /= 8
	case coldStart:
		l.weight /= 64
	case coldEnd:
		l.weight *= 64
	}
}

// write notes that r is written.
func (l *liveScan) write(r reg, place int32) {
	if v := &l.all[r]; v.start < 0 {
		v.start = place
		l.insert(r)
	}
	l.touch(r, place)
}

// touch notes an occurrence of r.
func (l *liveScan) touch(r reg, place int32) {
	v := &l.all[r]
	v.cost += l.weight
	if v.end = max(v.end, place); v.start < l.inner { // it is of no loop that is open, or not of the innermost
		l.touchFar(v)
	}
}

// touchFar is touch for what starts in front of the innermost loop, or did not start yet, and now ends here.
func (l *liveScan) touchFar(v *interval) {
	place := v.end
	if v.start < 0 {
		v.start, l.unset = place, v.r
		l.insert(v.r)
	}
	for _, s := range l.open {
		if v.start < s.start {
			v.end = max(v.end, s.end)
			return
		}
	}
}

// insert puts r, which starts where the walk is, behind those that start in front of it; of those that start together
// the lowest comes first. These are few.
func (l *liveScan) insert(r reg) {
	start, k := l.all[r].start, len(l.order)
	l.order = append(l.order, r)
	for ; k > 0; k-- {
		o := l.order[k-1]
		if s := l.all[o].start; s < start || s == start && o < r {
			break
		}
		l.order[k] = o
	}
	l.order[k] = r
}

// visit notes the occurrences in i.
func (l *liveScan) visit(i *ins, at int32) {
	read := at
	if i.late {
		read = at + 1
	}
	for n := range i.r {
		r := i.r[n]
		if r <= 0 || n == int(i.def) {
			continue
		}
		l.touch(r, read)
		if i.late && r == i.tie {
			l.touch(r, at)
		}
	}
	if i.base|i.index|i.mask|i.tie != 0 {
		for _, r := range [...]reg{i.base, i.index, i.mask} {
			switch {
			case r <= 0:
			case r == i.tie:
				l.touch(r, at)
			default:
				l.touch(r, read)
			}
		}
		if i.tie > 0 {
			l.touch(i.tie, at)
		}
	}
	if i.def >= 0 && i.r[i.def] > 0 {
		l.write(i.r[i.def], at+1)
		if i.kind == move || i.kind == fused || i.tie != 0 {
			i.hint(l.all)
		}
	}
}

// intervals computes where the registers live.
func (c *code) intervals() *liveScan {
	n := len(c.regs)
	m := c.memory
	l := &liveScan{all: roomFor(m, &m.intervals, n)[:n], order: roomFor(m, &m.order, n), weight: 1}
	for r := range l.all {
		l.all[r] = interval{r: reg(r), start: -1, end: -1}
	}
	ends := c.loopEnds()
	for k := range c.list {
		i, at := &c.list[k], int32(2*k)
		switch i.kind {
		case loopStart:
			l.enter(i, span{at, ends[0]})
			ends = ends[1:]
		case loopEnd, coldStart, coldEnd:
			l.enter(i, span{})
		}
		l.visit(i, at)
	}
	m.order = l.order
	return l
}

// hint notes whose place the result of i would save a move from or to.
func (i *ins) hint(all []interval) {
	d := &all[i.r[i.def]]
	switch {
	case i.kind == move:
		d.addHint(i.r[1])
		if i.r[1] > 0 {
			all[i.r[1]].addHint(i.r[0])
		}
	case i.kind == fused:
		for _, r := range i.r[1:] {
			d.addHint(r)
		}
	case i.tie != 0 && i.tie != i.r[i.def]:
		d.addHint(i.tie)
	}
}

func (v *interval) addHint(r reg) {
	for k, h := range v.hints {
		if h == 0 && r > 0 {
			v.hints[k] = r
			return
		}
	}
}

// loopEnds gives the places where loops end, in the order in which they start.
func (c *code) loopEnds() (ends []int32) {
	var open []int
	for k := range c.list {
		switch c.list[k].kind {
		case loopStart:
			open, ends = append(open, len(ends)), append(ends, 0)
		case loopEnd:
			ends[open[len(open)-1]] = int32(2*k + 1)
			open = open[:len(open)-1]
		}
	}
	return ends
}

// cheapShared is how much less a load for several instructions saves than its uses let expect.
const cheapShared = 16

// dearSum is how much more a sum costs in memory than its uses let expect.
const dearSum = 8

// price is what it costs to keep v in memory, for each place that it frees.
func (c *code) price(v *interval) float64 {
	in := &c.regs[v.r]
	if in.tmp {
		return 1e300
	}
	cost := v.cost
	if in.remake|in.reread != 0 {
		cost /= 2
	}
	if in.shared {
		cost /= cheapShared
	}
	if in.sum {
		cost *= dearSum
	}
	return cost / float64(v.end-v.start+1)
}
