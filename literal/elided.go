package literal

import (
	"sync"

	"github.com/goxla/xla/shape"
)

// elision is the value of an elided constant `{...}`: element i has the bit
// pattern start+i. It is filled when a value is first asked for.
type elision struct {
	start uint64
	once  sync.Once
	data  []byte
}

// Elided returns a literal of shape s that stands for an elided constant: element
// i (in logical order) has the bit pattern start+i, cut to its width. The elements
// take no memory until they are read.
func Elided(s shape.Shape, start uint64) Literal {
	return Literal{shape: s, elided: &elision{start: start}}
}

// IsElided reports whether l stands for an elided constant.
func (l Literal) IsElided() bool { return l.elided != nil }

func (e *elision) fill(s shape.Shape) []byte {
	e.once.Do(func() { e.data = alignedBytes(s.Size() * s.Type.ByteSize()) })
	return e.data
}
