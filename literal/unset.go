package literal

import (
	"strings"
	"unsafe"

	"github.com/goxla/xla/internal/huge"
	"github.com/goxla/xla/shape"
)

// NewUnset is New of an array for one who writes every element: before that they have any content. A large array comes
// sooner, as its memory need not be cleared first.
func NewUnset(s shape.Shape) Literal {
	if n := s.Size() * s.Type.ByteSize(); s.IsArray() && n >= fewestUnset {
		return Literal{shape: s, data: unsetBytes(n)}
	}
	return New(s)
}

// fewestUnset is from where on clearing memory costs more than asking for memory that is not.
const fewestUnset = 64 << 10

// unsetBytes returns n bytes of any content, n >= fewestUnset, on a page of the heap. A strings.Builder is who has such
// memory: what it holds behind its text is not cleared.
func unsetBytes(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	mem := unsafe.Slice(unsafe.StringData(b.String()), n)
	huge.Advise(mem)
	return mem
}
