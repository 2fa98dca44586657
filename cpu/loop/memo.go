package loop

// memo finds instructions among those that were added to it: a table with open addressing of a power of two of places,
// at most half of them in use. Instructions that are in it do not change.
type memo struct {
	places []Value // 0: free
	count  int
}

// memoPlaces is how many places a memo has at first.
const memoPlaces = 16

// find returns the value that is i, 0 if there is none.
func (m *memo) find(insts []Inst, i *Inst) Value {
	if m.count == 0 {
		return 0
	}
	return m.places[m.place(insts, i)]
}

// place returns where i is, or the free place where it belongs.
func (m *memo) place(insts []Inst, i *Inst) uint64 {
	last := uint64(len(m.places) - 1)
	for at := i.hash() & last; ; at = (at + 1) & last {
		if v := m.places[at]; v == 0 || insts[v] == *i {
			return at
		}
	}
}

// add adds v, which is not in m.
func (m *memo) add(insts []Inst, v Value) {
	if 2*m.count >= len(m.places) {
		old := m.places
		m.places = make([]Value, max(2*len(old), memoPlaces))
		for _, v := range old {
			if v != 0 {
				m.places[m.place(insts, &insts[v])] = v
			}
		}
	}
	m.places[m.place(insts, &insts[v])] = v
	m.count++
}

// hash mixes what instructions differ in.
func (i *Inst) hash() uint64 {
	const odd = 0x9E3779B97F4A7C15 // a fraction of 2^64 without a pattern
	h := uint64(i.Op)<<40 ^ uint64(i.Kind)<<32 ^ uint64(uint32(i.Args[0]))
	h = h*odd ^ uint64(uint32(i.Args[1]))<<32 ^ uint64(uint32(i.Args[2]))
	h = h*odd ^ i.Imm
	h *= odd
	return h ^ h>>32
}
