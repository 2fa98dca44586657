package loop

import "slices"

// memo finds instructions among those that were added to it: a table with open addressing of a power of two of places,
// at most half of them in use. Instructions that are in it do not change. Loads are the same where what they read is.
type memo struct {
	places []Value // 0: free
	count  int
}

// memoPlaces is how many places a memo has at first.
const memoPlaces = 64

// reset empties m.
func (m *memo) reset() {
	clear(m.places)
	m.count = 0
}

// find returns the value that is i, 0 if there is none.
func (m *memo) find(n *Nest, i *Inst) Value {
	if m.count == 0 {
		return 0
	}
	return m.places[m.place(n, i)]
}

// place returns where i is, or the free place where it belongs.
func (m *memo) place(n *Nest, i *Inst) uint64 {
	last := uint64(len(m.places) - 1)
	for at := n.hash(i) & last; ; at = (at + 1) & last {
		if v := m.places[at]; v == 0 || n.same(&n.Insts[v], i) {
			return at
		}
	}
}

// add adds v, which is not in m.
func (m *memo) add(n *Nest, v Value) {
	if 2*m.count >= len(m.places) {
		old := m.places
		m.places, m.count = make([]Value, max(2*len(old), memoPlaces)), 0
		m.addAll(n, old)
	}
	m.places[m.place(n, &n.Insts[v])] = v
	m.count++
}

// addAll adds the values of places, for which there is room.
func (m *memo) addAll(n *Nest, places []Value) {
	for _, v := range places {
		if v != 0 {
			m.places[m.place(n, &n.Insts[v])] = v
			m.count++
		}
	}
}

// drop takes out the values for which gone is true.
func (m *memo) drop(n *Nest, gone func(v Value) bool) {
	isGone := func(v Value) bool { return v != 0 && gone(v) }
	if !slices.ContainsFunc(m.places, isGone) {
		return
	}
	old := slices.DeleteFunc(slices.Clone(m.places), isGone)
	m.reset()
	m.addAll(n, old)
}

// odd is a fraction of 2^64 without a pattern.
const odd = 0x9E3779B97F4A7C15

// hash mixes what instructions differ in.
func (n *Nest) hash(i *Inst) uint64 {
	h := uint64(i.Op)<<40 ^ uint64(i.Kind)<<32 ^ uint64(uint32(i.Args[0]))
	h = h*odd ^ uint64(uint32(i.Args[1]))<<32 ^ uint64(uint32(i.Args[2]))
	h = h*odd ^ i.Imm
	if i.Op == Load {
		a := &n.Accesses[i.Access]
		h = (h^uint64(a.Buffer)<<40^uint64(a.Mem)<<32^uint64(uint32(a.Index)))*odd ^ uint64(a.Offset)
		for _, t := range a.Terms {
			h = (h^uint64(t.Var)<<48)*odd ^ uint64(t.Stride)
		}
	}
	h *= odd
	return h ^ h>>32
}

// same reports whether two instructions have the same value.
func (n *Nest) same(i, o *Inst) bool {
	if i.Op != Load || o.Op != Load {
		return *i == *o
	}
	a, b := &n.Accesses[i.Access], &n.Accesses[o.Access]
	return i.Kind == o.Kind && i.Args == o.Args && a.Buffer == b.Buffer && a.Mem == b.Mem && a.Offset == b.Offset &&
		a.Index == b.Index && slices.Equal(a.Terms, b.Terms)
}
