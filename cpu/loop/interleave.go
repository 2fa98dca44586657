package loop

import "slices"

// What a lane loop computes comes one value after the other, each behind all that it needs. Where these are long chains
// of operations, of which each waits for the one before, as the polynomials of special functions are, a machine sees
// one of them at a time, for it looks only so many instructions ahead:
//
//	a = a*x + c0; a = a*x + c1; .. a = a*x + c9; b = b*x + d0; b = b*x + d1; .. b = b*x + d9
//
// So they are made by turns, as far as there are registers for what all of them need:
//
//	a = a*x + c0; b = b*x + d0; a = a*x + c1; b = b*x + d1; ..

const (
	// leastInterleaved and mostInterleaved is how many instructions a body has that is looked at: the machine sees
	// several iterations of a shorter one.
	leastInterleaved, mostInterleaved = 80, 1000
	// seenAhead is how many instructions behind one that waits are begun.
	seenAhead = 160
	// gainInterleaved is how much less time, in percent, pays for what an estimate does not see.
	gainInterleaved = 12
)

// Interleave does that in lane loops of straight code. Wide says that there are 32 registers, not 16. It reports
// whether it changed n.
func Interleave(n *Nest, wide bool) (changed bool) {
	n.Root.EachLoop(func(l *Loop) {
		size := len(l.Body)
		if !l.Lanes || size < leastInterleaved || size > mostInterleaved || !n.straight(l) {
			return
		}
		if x := newInterleaving(n, l.Body, wide); x.waits() && x.run() {
			changed = true
		}
	})
	return changed
}

// straight reports whether l has no loops, branches, places that are computed or scans: nothing that may depend on what
// is beside it.
func (n *Nest) straight(l *Loop) bool {
	return !slices.ContainsFunc(l.Carries, func(c Carry) bool { return c.Scan }) &&
		!slices.ContainsFunc(l.Body, func(node Node) bool {
			if node.Loop != nil {
				return true
			}
			switch i := n.Inst(node.Value); i.Op {
			case Select:
				return i.Imm == Seldom
			case Load, Store:
				return n.Accesses[i.Access].Index != 0
			}
			return false
		})
}

// interleaving is of a body of a loop, whose instructions go by their places in it.
type interleaving struct {
	nest      *Nest
	body      Block
	registers int
	units     int
	needs     [][]int // those that must be in front of an instruction
	wanted    [][]int // those that must be behind it
	args      [][]int // what it computes with of what the body computes
	uses      []int   // how often what it makes is computed with
	latency   []int   // cycles
	chain     int     // how long the longest one takes
	work      int     // instructions that take a unit
}

func newInterleaving(n *Nest, body Block, wide bool) *interleaving {
	x := &interleaving{nest: n, body: body, registers: 16, units: Units(wide), needs: make([][]int, len(body)),
		wanted: make([][]int, len(body)), args: make([][]int, len(body)), uses: make([]int, len(body)),
		latency: make([]int, len(body))}
	if wide {
		x.registers = 32
	}
	place := make(map[Value]int, len(body))
	stored, read := -1, []int(nil)
	for k, node := range body {
		i := n.Inst(node.Value)
		for _, a := range i.Operands() {
			if p, ok := place[a]; ok {
				x.need(k, p)
				if x.takesUnit(p) {
					x.args[k] = append(x.args[k], p)
					x.uses[p]++
				}
			}
		}
		place[node.Value] = k
		x.latency[k] = i.Latency()
		switch {
		case i.Op == Load:
			x.need(k, stored)
			read = append(read, k)
		case !i.Op.Info().Pure:
			x.need(k, stored)
			for _, p := range read {
				x.need(k, p)
			}
			stored, read = k, nil
		}
	}
	x.measure()
	return x
}

// need says that k must be behind p, if there is one.
func (x *interleaving) need(k, p int) {
	if p >= 0 && !slices.Contains(x.needs[k], p) {
		x.needs[k], x.wanted[p] = append(x.needs[k], p), append(x.wanted[p], k)
	}
}

// measure finds the longest chain, and counts what takes a unit.
func (x *interleaving) measure() {
	at := make([]int, len(x.body))
	for k := range x.body {
		if x.takesUnit(k) {
			x.work++
		}
		at[k] = x.latency[k]
		for _, p := range x.needs[k] {
			at[k] = max(at[k], at[p]+x.latency[k])
		}
		x.chain = max(x.chain, at[k])
	}
}

// op is the operation at place k.
func (x *interleaving) op(k int) Op { return x.nest.Inst(x.body[k].Value).Op }

// takesUnit reports whether place k computes: constants and most of what is read are operands in memory.
func (x *interleaving) takesUnit(k int) bool { return x.op(k) != Const && x.op(k) != Load }

// waits reports whether the units have less to do than they wait, at least for a while.
func (x *interleaving) waits() bool { return x.work >= leastInterleaved && x.chain*x.units > x.work }

// run changes the order if that takes less time, and reports it.
func (x *interleaving) run() bool {
	old := make([]int, len(x.body))
	for k := range old {
		old[k] = k
	}
	order, best := []int(nil), x.time(old)*(100-gainInterleaved)/100
	for _, most := range []int{x.registers/2 - 1, x.registers - 3} {
		o := x.order(most)
		if t := x.time(o); t < best {
			order, best = o, t
		}
	}

	if order == nil {
		return false
	}
	body := make(Block, len(order))
	for k, p := range order {
		body[k] = x.body[p]
	}
	copy(x.body, body)
	return true
}
