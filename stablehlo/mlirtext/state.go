package mlirtext

import "github.com/goxla/xla/stablehlo"

// opState is an operation while it is being read. States are used again: programs have
// many operations.
type opState struct {
	op    *stablehlo.Op
	info  *stablehlo.OpInfo
	names []resultName // on the left
	attrs []stablehlo.NamedAttribute

	// What the operation is made of in the end; nil until the text has given it whole.
	operands []operand
	types    []stablehlo.Type // of the operands
	results  []stablehlo.Type

	// A short form gives operands and types slot by slot.
	groups   [][]operand        // by operand slot
	gTypes   [][]stablehlo.Type // by operand slot
	gResults [][]stablehlo.Type // by result slot

	// Memory for the three lists above.
	operandBuf []operand
	typeBuf    []stablehlo.Type
	resultBuf  []stablehlo.Type

	// sharesLoc: the form made a region whose parts have the location of the operation.
	sharesLoc bool
}

// takeState returns a state for a new operation.
func (p *parser) takeState() *opState {
	st := &opState{}
	if n := len(p.states); n > 0 {
		st, p.states = p.states[n-1], p.states[:n-1]
	}
	st.op = &p.opSlab.take(1)[0]
	return st
}

// giveState takes a state back when its operation is done.
func (p *parser) giveState(st *opState) {
	st.names = st.names[:0]
	st.attrs, st.operands, st.types, st.results = nil, nil, nil, nil
	st.sharesLoc = false
	p.states = append(p.states, st)
}

// gather puts the groups of operands together, unless the operands were given whole.
func (st *opState) gather() {
	if st.operands == nil {
		st.operandBuf = join(st.operandBuf[:0], st.groups)
		st.operands = st.operandBuf
	}
}

// spread says that all n values of a list have one type.
func spread(buf []stablehlo.Type, t stablehlo.Type, n int) []stablehlo.Type {
	for range n {
		buf = append(buf, t)
	}
	return buf
}

// join appends the elements of lists.
func join[T any](dst []T, lists [][]T) []T {
	for _, l := range lists {
		dst = append(dst, l...)
	}
	return dst
}

// resize makes n empty lists of the memory of lists.
func resize[T any](lists [][]T, n int) [][]T {
	for len(lists) < n {
		lists = append(lists, nil)
	}
	lists = lists[:n]
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	return lists
}

// slab hands out memory that it takes in large pieces.
type slab[T any] struct{ free []T }

// slabSize is how many elements a piece has.
const slabSize = 256

// take returns n elements that are zero.
func (s *slab[T]) take(n int) []T {
	if n > slabSize/4 {
		return make([]T, n)
	}
	if n > len(s.free) {
		s.free = make([]T, slabSize)
	}
	taken := s.free[:n:n]
	s.free = s.free[n:]
	return taken
}
