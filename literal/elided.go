package literal

import (
	"math"
	"sync"

	"github.com/goxla/xla/shape"
)

// elision is the value of an elided constant `{...}`: element i has the bit
// pattern start+i. It is filled when a value is first asked for. If first is set,
// it is instead that element followed by zeros, which is no elided constant.
type elision struct {
	start uint64
	first []byte
	shape shape.Shape // that of the data; a literal that shares it may be reshaped
	once  sync.Once
	data  []byte
}

// Elided returns a literal of shape s that stands for an elided constant: element
// i (in logical order) has the bit pattern start+i, cut to its width; of a complex
// number the real part has the lower half of the pattern. The elements take no
// memory until they are read. The elements of a tuple are elided one by one, with
// the count going on.
func Elided(s shape.Shape, start uint64) Literal {
	if s.IsTuple() {
		elems := make([]Literal, len(s.Elems))
		for i, e := range s.Elems {
			elems[i] = Elided(e, start)
			start += uint64(elems[i].ElidedCount())
		}
		return Literal{shape: s, elems: elems}
	}
	if !s.IsArray() {
		return New(s)
	}
	return Literal{shape: s, elided: &elision{start: start, shape: s}}
}

// bareScalar returns the array of shape s whose first element has the bytes first,
// and whose other elements are zero. They take no memory until they are read.
func bareScalar(s shape.Shape, first []byte) Literal {
	return Literal{shape: s, elided: &elision{first: first, shape: s}}
}

// IsElided reports whether l stands for an elided constant.
func (l Literal) IsElided() bool { return l.elided != nil && l.elided.first == nil }

// ElidedCount returns by how much the counter of elided elements advances over l:
// the number of elements of an elided array, the sum over a tuple, otherwise 0.
func (l Literal) ElidedCount() int {
	n := 0
	if l.IsElided() {
		n = l.Len()
	}
	for _, e := range l.elems {
		n += e.ElidedCount()
	}
	return n
}

// fill returns the elements, computed by the first call.
func (e *elision) fill() []byte {
	e.once.Do(func() {
		l := New(e.shape.WithLayout(nil))
		if e.first != nil {
			copy(l.data, e.first)
			e.data = l.data
			return
		}
		l.count(e.start)
		e.data = l.Relayout(e.shape.Layout).data
	})
	return e.data
}

// count sets the elements of a row-major array to the patterns start, start+1, ...
func (l Literal) count(start uint64) {
	switch t := l.Type(); {
	case t == shape.C128:
		for i, v := 0, Values[complex128](l); i < len(v); i++ {
			v[i] = complex(math.Float64frombits(start+uint64(i)), 0)
		}
	case t == shape.C64:
		for i, v := 0, Values[complex64](l); i < len(v); i++ {
			bits := start + uint64(i)
			v[i] = complex(math.Float32frombits(uint32(bits)), math.Float32frombits(uint32(bits>>32)))
		}
	case t.ByteSize() == 1:
		for i, v := 0, View[uint8](l); i < len(v); i++ {
			v[i] = narrow(t, uint8(start+uint64(i)))
		}
	case t.ByteSize() == 2:
		countUp(View[uint16](l), start)
	case t.ByteSize() == 4:
		countUp(View[uint32](l), start)
	case t.ByteSize() == 8:
		countUp(View[uint64](l), start)
	}
}

func countUp[T uint16 | uint32 | uint64](dst []T, start uint64) {
	for i := range dst {
		dst[i] = T(start + uint64(i))
	}
}
