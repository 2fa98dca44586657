package loop

// A loop inside of a lane loop that counts up to a number known at run time (Builder.Times) does a round of iterations
// for elements that are in registers. It carries all that there is of them from one iteration to the next, so each
// waits for the one before; what makes up for that are several vectors side by side.

// Rounds is what there is to know of such a loop.
type Rounds struct {
	Loop *Loop
	// Work is the number of instructions of an iteration that differ between vectors, Chain how many cycles pass from its
	// beginning to its end.
	Work, Chain int
	// Live is the most values that a vector needs at once in registers, Masks the most masks. Inputs are those of them
	// that stay the same, and Tables is how many bytes of tables all vectors share.
	Live, Masks, Inputs, Tables int
	// Held: an instruction needs what all vectors share in a register, as the first operand of a difference is.
	Held bool
}

// RoundsIn returns the round in l, a lane loop, if there is one.
func (n *Nest) RoundsIn(l *Loop) (r Rounds, ok bool) {
	for _, node := range l.Body {
		if node.Loop != nil && node.Loop.Cond != 0 {
			r.Loop = node.Loop
		}
	}
	if r.Loop == nil {
		return r, false
	}
	w := &roundWalk{nest: n, round: &r, own: make([]bool, len(n.Insts)), last: make([]int, len(n.Insts))}
	for _, node := range l.Body {
		if node.Loop == nil {
			w.own[node.Value] = n.Inst(node.Value).Op != Const
		}
	}
	for _, c := range r.Loop.Carries {
		w.own[c.Phi] = true
	}
	w.chain()
	w.live()
	seen := map[uint64]bool{}
	for _, node := range r.Loop.Body {
		if i := n.Inst(node.Value); i.Op == Table && !seen[i.Imm] {
			seen[i.Imm] = true
			r.Tables += len(n.Tables[i.Imm]) * i.Kind.Bits() / 8
		}
	}
	return r, true
}

// roundWalk goes through the instructions of a round.
type roundWalk struct {
	nest  *Nest
	round *Rounds
	own   []bool // by value: that differ between vectors
	last  []int  // by value: the place behind its last use in the body, 0 if there is none
}

// chain counts instructions and cycles.
func (w *roundWalk) chain() {
	at := make([]int, len(w.own)) // when a value is there
	for k, node := range w.round.Loop.Body {
		i, start := w.nest.Inst(node.Value), 0
		for _, a := range i.Operands() {
			w.own[node.Value] = w.own[node.Value] || w.own[a]
			w.last[a], start = k+1, max(start, at[a])
		}
		if !w.own[node.Value] {
			continue
		}
		w.round.Work++
		w.round.Held = w.round.Held || w.holds(i)
		at[node.Value] = start + i.Latency()
		w.round.Chain = max(w.round.Chain, at[node.Value])
	}
}

// holds reports whether i, some of whose operands are the vector's own, has one of the others where memory cannot be.
func (w *roundWalk) holds(i *Inst) bool {
	args := i.Operands()
	return len(args) == 2 && !w.own[args[0]] && !i.Op.Info().Commutes && i.Op != Cmp
}

// live counts values that are needed at once.
func (w *roundWalk) live() {
	r, body, always := w.round, w.round.Loop.Body, make([]bool, len(w.own))
	live := liveValues{nest: w.nest, is: make([]bool, len(w.own))}
	for v, last := range w.last { // what comes from outside is needed in all iterations
		always[v] = last > 0 && w.own[v]
	}
	for _, node := range body {
		always[node.Value] = false
	}
	for v, is := range always {
		live.set(Value(v), is)
	}
	r.Inputs = live.values + live.masks
	for _, c := range r.Loop.Carries {
		if always[c.Phi] {
			always[c.Phi] = false
			r.Inputs--
		}
		w.last[c.Next] = len(body) + 1
	}
	for k, node := range body {
		for _, a := range w.nest.Inst(node.Value).Operands() {
			if w.last[a] == k+1 && !always[a] { // its register is free for the value that is made
				live.set(a, false)
			}
		}
		if w.own[node.Value] && w.last[node.Value] > k+1 {
			live.set(node.Value, true)
		}
		r.Live, r.Masks = max(r.Live, live.values), max(r.Masks, live.masks)
	}
}

// liveValues are those that are needed at some place, and how many they are, apart from masks, and masks.
type liveValues struct {
	nest          *Nest
	is            []bool
	values, masks int
}

// set makes v one of them, or not.
func (l *liveValues) set(v Value, is bool) {
	if l.is[v] == is {
		return
	}
	l.is[v] = is
	count, by := &l.values, 1
	if l.nest.Kind(v) == Mask {
		count = &l.masks
	}
	if !is {
		by = -1
	}
	*count += by
}

const (
	// mostInRound is the most vectors side by side.
	mostInRound = 8
	// roundMasks is how many registers there are for masks where they are not vectors.
	roundMasks = 7
	// registerBytes is the size of a wide register.
	registerBytes = 64
)

// Copies is how many vectors run side by side in a round, on a machine with wide registers or without: there are fewer
// of these, and what stays the same may as well be in memory, but for one register to hold it in. A value of one vector
// that is in memory for a moment makes all of them wait.
func (r *Rounds) Copies(wide bool) int {
	registers, live := 16, r.Live-r.Inputs
	if wide {
		registers, live = max(1, 32-r.Tables/registerBytes), r.Live
	} else if r.Held {
		registers--
	}
	units := Units(wide)
	copies := min((2*r.Chain*units+r.Work-1)/max(r.Work, 1), registers/max(live, 1), mostInRound)
	if wide && r.Masks > 0 {
		copies = min(copies, roundMasks/r.Masks)
	}
	return max(1, copies)
}

// Units is how many vector instructions a machine does at a time.
func Units(wide bool) int {
	if wide {
		return 2
	}
	return 3
}

// Latency is about how many cycles what needs i waits for it once its operands are there.
func (i *Inst) Latency() int {
	switch i.Op {
	case Load, Store, Index:
		return 0
	case Div, Sqrt:
		return 12
	case Mul, MulHiU, MulHiS:
		if i.Kind.IsInt() {
			return 10
		}
	case Select, Bitcast, And, Or, Xor, AndNot, Not:
		return 1
	case MulU32:
		return 5
	}
	if i.Kind.IsInt() {
		return 1
	}
	return 4
}
