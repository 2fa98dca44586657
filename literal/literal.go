package literal

import (
	"fmt"

	"github.com/goxla/xla/shape"
)

// Literal is a host array, a tuple of literals, or a token. Copying a Literal
// copies the description, not the elements. The zero Literal is invalid.
type Literal struct {
	shape  shape.Shape
	data   []byte
	elems  []Literal
	elided *elision
}

// New returns a literal of shape s with all elements zero, tuples included. It
// panics if s has no element count; outside data is checked before (CheckSize).
func New(s shape.Shape) Literal {
	if s.IsTuple() {
		elems := make([]Literal, len(s.Elems))
		for i, e := range s.Elems {
			elems[i] = New(e)
		}
		return Literal{shape: s, elems: elems}
	}
	n, err := s.Elements()
	if err != nil {
		panic(fmt.Sprintf("literal.New: %v", err))
	}
	return Literal{shape: s, data: alignedBytes(n * s.Type.ByteSize())}
}

// Shape returns the shape, layout included.
func (l Literal) Shape() shape.Shape { return l.shape }

// Type returns the element type.
func (l Literal) Type() shape.ElementType { return l.shape.Type }

// Dims returns the dimension sizes; the slice is not to be changed.
func (l Literal) Dims() []int { return l.shape.Dims }

// Len returns the number of elements of an array.
func (l Literal) Len() int { return l.shape.Size() }

// IsValid reports whether l was made by this package; the zero Literal is not.
func (l Literal) IsValid() bool { return l.shape.Type != shape.Invalid }

// MakeTuple returns the tuple of elems.
func MakeTuple(elems ...Literal) Literal {
	shapes := make([]shape.Shape, len(elems))
	for i, e := range elems {
		shapes[i] = e.shape
	}
	return Literal{shape: shape.MakeTuple(shapes...), elems: elems}
}

// Elems returns the elements of a tuple; the slice is not to be changed.
func (l Literal) Elems() []Literal { return l.elems }

// Bytes returns the elements as bytes in physical order, without a copy. An
// elided literal is filled first.
func (l Literal) Bytes() []byte {
	if l.elided != nil {
		return l.elided.fill()
	}
	return l.data
}
