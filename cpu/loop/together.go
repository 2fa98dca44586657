package loop

import "slices"

// Together moves selections whose third operand is seldom wanted, and what they are computed from, to others by the
// same mask in front of them: what both need of it then is seldom computed, too.
func Together(n *Nest) {
	if !slices.ContainsFunc(n.Insts, func(i Inst) bool { return i.Op == Select && i.Imm == Seldom }) {
		return
	}
	places := make([]int32, 2*len(n.Insts))
	t := &together{nest: n, place: places[:len(n.Insts)], first: places[len(n.Insts):]}
	t.block(n.Root)
}

// together has the list that is looked at, without loops, and by value the place in it, from 1 on, and by mask that of
// the first selection by it, as it was before others were moved.
type together struct {
	nest         *Nest
	list         Block
	place, first []int32
}

func (t *together) block(b Block) {
	for from := 0; from < len(b); from++ {
		if l := b[from].Loop; l != nil {
			t.block(l.CondBody)
			t.block(l.Body)
			continue
		}
		to := from + 1
		for to < len(b) && b[to].Loop == nil {
			to++
		}
		t.list = b[from:to]
		t.number()
		for k := range t.list {
			if t.seldom(k, 0) {
				t.join(k)
			}
		}
		for _, node := range t.list {
			t.place[node.Value], t.first[node.Value] = 0, 0
		}
		from = to - 1
	}
}

func (t *together) number() {
	for k, node := range t.list {
		t.place[node.Value] = int32(k + 1)
	}
}

// seldom reports whether the instruction at a place is such a selection, by this mask if it is not 0.
func (t *together) seldom(k int, mask Value) bool {
	i := t.nest.Inst(t.list[k].Value)
	return i.Op == Select && i.Imm == Seldom && (mask == 0 || i.Args[0] == mask)
}

// join moves the selection at place k in front of the first use of one by its mask, if it can.
func (t *together) join(k int) {
	mask := t.nest.Inst(t.list[k].Value).Args[0]
	if t.place[mask] == 0 { // of another list
		return
	}
	if t.first[mask] == 0 {
		t.first[mask] = int32(k + 1)
		return
	}
	to := t.firstUse(k, mask)
	if to == k {
		return
	}
	needed := make([]bool, k+1-to) // of what is between
	needed[k-to] = true
	for at := k; at >= to; at-- {
		if !needed[at-to] {
			continue
		}
		i := t.nest.Inst(t.list[at].Value)
		if !i.Op.Info().Pure || i.Op == Load {
			return
		}
		for _, a := range i.Operands() {
			switch p := int(t.place[a]) - 1; {
			case p >= to:
				needed[p-to] = true
			case p >= 0 && at < k && t.seldom(p, mask):
				return
			}
		}
	}
	part := t.list[to : k+1]
	moved, rest := make(Block, 0, len(part)), make(Block, 0, len(part))
	for at, node := range part {
		if needed[at] {
			moved = append(moved, node)
		} else {
			rest = append(rest, node)
		}
	}
	copy(part, append(moved, rest...))
	t.number()
}

// firstUse is the place of the first instruction in front of k that uses a selection by the mask, or k.
func (t *together) firstUse(k int, mask Value) int {
	for at := int(t.first[mask]); at < k; at++ {
		for _, a := range t.nest.Inst(t.list[at].Value).Operands() {
			if p := int(t.place[a]) - 1; p >= 0 && a != mask && t.seldom(p, mask) {
				return at
			}
		}
	}
	return k
}
