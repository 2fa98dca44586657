package loop

import "slices"

// Sink moves selections to right before their first use, if at most one of the values that they are computed from is
// needed longer for that: so fewer values wait in registers, such as coefficients that a mask has chosen for a long
// polynomial.
func Sink(n *Nest) {
	places := make([]int32, 3*len(n.Insts))
	size := len(n.Insts)
	s := &sinker{nest: n, made: places[:size], first: places[size : 2*size], last: places[2*size:], base: 1}
	s.block(n.Root)
}

// sinker moves the instructions of one list without loops after the other. A place is base and the number in the list,
// and the base of a list is beyond all places in earlier ones.
type sinker struct {
	nest *Nest
	base int32
	// made is, by value, the place where it is made, first and last are those of the uses that are known; what is below
	// base is of another list.
	made, first, last []int32
}

func (s *sinker) block(b Block) {
	for from := 0; from < len(b); from++ {
		if l := b[from].Loop; l != nil {
			s.block(l.CondBody)
			s.block(l.Body)
			continue
		}
		to := from + 1
		for to < len(b) && b[to].Loop == nil {
			to++
		}
		s.list(b[from:to])
		from = to - 1
	}
}

// list goes from the end to the front, so that the places of all uses are known. What is moved is in front of the
// instruction at its place, in the order of before.
func (s *sinker) list(list Block) {
	for k, node := range list {
		s.made[node.Value] = s.base + int32(k)
	}
	moved := false
	at := make([]int32, len(list))
	for k := len(list) - 1; k >= 0; k-- {
		v := list[k].Value
		at[k] = s.goal(v)
		moved = moved || at[k] != s.made[v]
		s.uses(v, at[k])
	}
	s.base += int32(len(list))
	if !moved {
		return
	}
	order := make([]int, len(list))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return int(at[x] - at[y]) })
	old := slices.Clone(list)
	for k, from := range order {
		list[k] = old[from]
	}
}

// goal is the place where v goes.
func (s *sinker) goal(v Value) int32 {
	i, first := s.nest.Inst(v), s.first[v]
	if first <= s.made[v]+1 || i.Op != Select || i.Imm == Seldom {
		return s.made[v]
	}
	longer := Value(0)
	for _, a := range i.Operands() {
		if s.made[a] < s.base || s.nest.Inst(a).Op == Const || s.last[a] >= first || a == longer {
			continue
		}
		if longer != 0 {
			return s.made[v]
		}
		longer = a
	}
	return first
}

// uses notes that what v is computed from is used at this place.
func (s *sinker) uses(v Value, place int32) {
	i := s.nest.Inst(v)
	for _, a := range i.Operands() {
		s.use(a, place)
	}
	if i.Op == Load || i.Op == Store {
		s.use(s.nest.Accesses[i.Access].Index, place)
	}
}

func (s *sinker) use(v Value, place int32) {
	if s.first[v] < s.base || place < s.first[v] {
		s.first[v] = place
	}
	s.last[v] = max(s.last[v], place)
}
