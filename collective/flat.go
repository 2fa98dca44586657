package collective

import "github.com/goxla/xla/literal"

// Flat returns the elements [first, end) of the array l, in row-major order, as an
// array of rank 1 that shares its memory.
func Flat(l literal.Literal, first, end int) literal.Literal { return l.Part(first, end) }
