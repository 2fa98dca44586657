package loop

import "slices"

// time is about how many cycles an iteration takes in this order, with as many vectors side by side as there are
// registers for, for each of them.
func (x *interleaving) time(order []int) int {
	copies := x.copies(x.live(order))
	return x.cycles(order, copies) / copies
}

// copies is how many vectors that need so many registers are done side by side.
func (x *interleaving) copies(live int) int {
	fit := x.registers / max(live, 1)
	return max(1, min((2*x.chain*x.units+x.work-1)/x.work, fit, 4))
}

// Times are counted in parts of a cycle, of which an instruction takes one of a unit.
const cycleParts = 6

// cycles is how long the second of two iterations takes behind the first, if an instruction is not begun before the one
// that is seenAhead places in front of it is done.
func (x *interleaving) cycles(order []int, copies int) int {
	done := make([]int, len(order)) // by place
	left := make([]int, 0, 2*len(order))
	clock, most, first := 0, 0, 0
	for round := range 2 {
		for _, k := range order {
			start := clock
			for _, p := range x.needs[k] {
				start = max(start, done[p])
			}
			if x.takesUnit(k) {
				if behind := len(left) - seenAhead/copies; behind >= 0 {
					start, clock = max(start, left[behind]), max(clock, left[behind])
				}
				clock += cycleParts * copies / x.units
				most = max(most, start+cycleParts*x.latency[k], clock)
				left = append(left, most)
			}
			done[k] = start + cycleParts*x.latency[k]
		}
		if round == 0 {
			first = most
		}
		clear(done)
	}
	return (most - first) / cycleParts
}

// live is the most values that are needed at once, without those that are read or constant.
func (x *interleaving) live(order []int) int {
	uses, live, most := slices.Clone(x.uses), 0, 0
	for _, k := range order {
		for _, p := range x.args[k] {
			if uses[p]--; uses[p] == 0 {
				live--
			}
		}
		if x.takesUnit(k) && uses[k] > 0 {
			live++
		}
		most = max(most, live)
	}
	return most
}

// ordering makes an order by choosing what can begin first, as long as there are registers.
type ordering struct {
	*interleaving
	most, live int
	clock      int
	done       []int // by place: when its value is there
	missing    []int // by place: how many it needs are not chosen
	left       []int // by place: how often it is still computed with
	placed     []bool
	ready      []int // what may be chosen, and takes a unit
	order      []int
}

// order returns an order in which at most so many values are needed at once, or a few more where that cannot be.
func (x *interleaving) order(most int) []int {
	n := len(x.body)
	o := &ordering{interleaving: x, most: most, done: make([]int, n), missing: make([]int, n), left: slices.Clone(x.uses),
		placed: make([]bool, n), order: make([]int, 0, n)}
	for k := range n {
		o.missing[k] = len(x.needs[k])
	}
	for k := range n {
		if len(x.needs[k]) == 0 {
			o.free(k)
		}
	}
	for len(o.ready) > 0 {
		at := o.choose()
		k := o.ready[at]
		o.ready = slices.Delete(o.ready, at, at+1)
		o.begin(k)
	}
	for k := range n {
		o.place(k)
	}
	return o.order
}

// free says that all that k needs is chosen: what takes no unit is chosen then itself, but has its place where it is
// used.
func (o *ordering) free(k int) {
	if o.takesUnit(k) {
		o.ready = append(o.ready, k)
		return
	}
	o.chosen(k, o.start(k))
}

// chosen says when the value of k is there, and frees what needed no other.
func (o *ordering) chosen(k, done int) {
	o.done[k] = done
	for _, w := range o.wanted[k] {
		if o.missing[w]--; o.missing[w] == 0 {
			o.free(w)
		}
	}
}

// start is when all that k needs is there.
func (o *ordering) start(k int) (at int) {
	for _, p := range o.needs[k] {
		at = max(at, o.done[p])
	}
	return at
}

// choose returns the place in ready of what begins next: of those that need not wait the first one of the old order, or
// the one that waits least; where registers are few, of those that need no other.
func (o *ordering) choose() int {
	best, bestStart, bestOpens := -1, 0, false
	for at, k := range o.ready {
		start, opens := max(o.start(k), o.clock), o.live >= o.most && o.opens(k)
		better := best < 0 || bestOpens && !opens
		if best >= 0 && opens == bestOpens {
			better = start < bestStart || start == bestStart && k < o.ready[best]
		}
		if better {
			best, bestStart, bestOpens = at, start, opens
		}
	}
	return best
}

// opens reports whether k needs a register beside those of its operands.
func (o *ordering) opens(k int) bool {
	if o.uses[k] == 0 {
		return false
	}
	for _, p := range o.args[k] {
		if o.left[p] == 1 {
			return false
		}
	}
	return true
}

func (o *ordering) begin(k int) {
	for _, p := range o.args[k] {
		if o.left[p]--; o.left[p] == 0 {
			o.live--
		}
	}
	if o.uses[k] > 0 {
		o.live++
	}
	o.place(k)
	start := max(o.start(k), o.clock)
	o.clock = start + cycleParts/o.units
	o.chosen(k, start+cycleParts*o.latency[k])
}

// place puts k next, behind what it needs that has no place yet.
func (o *ordering) place(k int) {
	if o.placed[k] {
		return
	}
	o.placed[k] = true
	for _, p := range o.needs[k] {
		o.place(p)
	}
	o.order = append(o.order, k)
}
