package interp

import (
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// DefaultMemoryLimit is the memory limit of a run for which Options give none.
const DefaultMemoryLimit int64 = 16 << 30

// memory counts the bytes of the values alive in a run. Values share their elements
// (a tuple has those of its operands), so it counts each storage once, known by its
// first byte. What an operation allocates for the time of its work is estimated; see workspace.go.
type memory struct {
	limit, live int64
	stores      map[*byte]store
}

// store is a storage: the values that hold it, and its size.
type store struct {
	holders int
	bytes   int64
	// fresh: the run itself made it, and nobody outside knows it; see own.go.
	fresh bool
}

func newMemory(limit int64) memory {
	if limit <= 0 {
		limit = DefaultMemoryLimit
	}
	return memory{limit: limit, stores: map[*byte]store{}}
}

// sharesElements marks the operations whose evaluators make no array: the result is
// made of operands, or is made by instructions of a called computation.
var sharesElements = [op.NumCodes]bool{
	op.AddDependency: true, op.AllGatherDone: true, op.AllReduceDone: true, op.AsyncDone: true, op.AsyncStart: true,
	op.AsyncUpdate: true, op.Call: true, op.CollectivePermuteDone: true, op.Conditional: true, op.Copy: true,
	op.CopyDone: true, op.CopyStart: true, op.Domain: true, op.Fusion: true, op.GetTupleElement: true,
	op.OptBarrier: true, op.Reshape: true, op.Tuple: true, op.While: true,
}

// reserve returns an error if a result of shape s for n cannot be made, or does not
// fit beside the values alive and the workspace, bytes that its evaluator needs for the
// time of its work. It is called before anything is allocated.
func (m *memory) reserve(n *hlo.Instruction, s shape.Shape, workspace int64) error {
	if sharesElements[n.Code()] {
		return nil
	}
	if err := literal.CheckSize(s); err != nil {
		return err
	}
	need := arrayBytes(s)
	switch room := m.limit - m.live; {
	case need > room:
		return fmt.Errorf("expects values of at most %d bytes alive at a time (the memory limit), "+
			"got %s of %d bytes beside %d", m.limit, s.StringNoLayout(), need, m.live)
	case workspace > room-need:
		return fmt.Errorf("expects values of at most %d bytes alive at a time (the memory limit), "+
			"got %s of %d bytes and about %d more to compute it, beside %d",
			m.limit, s.StringNoLayout(), need, workspace, m.live)
	}
	return nil
}

// arrayBytes returns the bytes of the arrays in s, for which CheckSize holds.
func arrayBytes(s shape.Shape) int64 {
	var n int64
	for _, e := range s.Elems {
		n += arrayBytes(e)
	}
	if s.IsArray() {
		n += int64(s.Size()) * int64(s.Type.ByteSize())
	}
	return n
}

// hold counts v's storages once more.
func (m *memory) hold(v literal.Literal) {
	for _, e := range v.Elems() {
		m.hold(e)
	}
	data := v.Bytes()
	if len(data) == 0 {
		return
	}
	s := m.stores[&data[0]]
	if s.holders++; s.holders == 1 {
		s.bytes = int64(len(data))
		m.live += s.bytes
	}
	m.stores[&data[0]] = s
}

// setFresh says whether the storages of v, which is held, are fresh.
func (m *memory) setFresh(v literal.Literal, fresh bool) {
	for _, e := range v.Elems() {
		m.setFresh(e, fresh)
	}
	data := v.Bytes()
	if len(data) == 0 {
		return
	}
	if s, held := m.stores[&data[0]]; held {
		s.fresh = fresh
		m.stores[&data[0]] = s
	}
}

// isOwn reports whether array v is fresh and has one holder.
func (m *memory) isOwn(v literal.Literal) bool {
	data := v.Bytes()
	if len(data) == 0 {
		return false
	}
	s := m.stores[&data[0]]
	return s.fresh && s.holders == 1 && s.bytes == int64(len(data))
}

// release is the inverse of hold.
func (m *memory) release(v literal.Literal) {
	for _, e := range v.Elems() {
		m.release(e)
	}
	data := v.Bytes()
	if len(data) == 0 {
		return
	}
	s := m.stores[&data[0]]
	if s.holders--; s.holders > 0 {
		m.stores[&data[0]] = s
		return
	}
	m.live -= s.bytes
	delete(m.stores, &data[0])
}
