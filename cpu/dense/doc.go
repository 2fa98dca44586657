// Package dense factors matrices whose sizes are known at run time only, on machine code for two steps: a product that
// is subtracted from a block, and that followed by the solution of a small triangle. Both keep a block of Rows rows and
// up to MostVectors vectors in registers. Without machine code the same steps are done in Go.
//
// Matrices are reduced to few diagonals by steps on their rows ([Sheet]): sums of rows, updates together with products,
// and rotations of neighbours.
//
// Matrices lie in panels ([Layout]): as many columns as a block of registers has, row by row. A row of a panel is read
// as vectors; the elements beside each other in a row are also what a step broadcasts, if the panel is the transposed
// left side. Sizes are rounded up to whole blocks, so there are no ends to care for: what is added is zero.
//
// Numbers keep their type. Complex matrices are written as real ones of twice the size: each number is [re -im; im re].
// Complex triangular systems are solved as they are ([Triangles]): vectors are pairs of parts, and numbers of matrices
// are read where they lie, whatever the order is.
package dense
