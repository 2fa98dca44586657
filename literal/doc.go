// Package literal holds arrays in host memory: every element type of package
// shape, tuples, typed views without copies, conversion, comparison and text.
//
// A [Literal] keeps its elements in one block of bytes, in the physical order of
// its shape's minor-to-major layout (tiles and element packing are not applied to
// host arrays). Every element takes Type.ByteSize bytes, little-endian: a pred is
// a byte 0 or 1, and 1-, 2-, 4- and 6-bit elements take a byte each (sign-extended
// for s1, s2, s4; zero-extended otherwise).
//
// The package knows nothing of programs or operations.
package literal
