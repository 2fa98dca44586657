package collective

import (
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Flat returns the elements [first, end) of the array l, in row-major order, as an
// array of rank 1 that shares its memory.
func Flat(l literal.Literal, first, end int) literal.Literal {
	switch l.Type().ByteSize() {
	case 1:
		return stretch[uint8](l, first, end)
	case 2:
		return stretch[uint16](l, first, end)
	case 4:
		return stretch[uint32](l, first, end)
	case 8:
		return stretch[uint64](l, first, end)
	}
	return stretch[complex128](l, first, end)
}

func stretch[T literal.Native](l literal.Literal, first, end int) literal.Literal {
	v, err := literal.FromSlice(shape.Make(l.Type(), end-first), literal.Values[T](l)[first:end])
	if err != nil {
		panic("collective: " + err.Error()) // the width of T is that of l's elements
	}
	return v
}
