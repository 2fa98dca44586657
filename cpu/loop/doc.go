// Package loop is the middle of the CPU compiler: loop nests whose bodies are vector SSA.
//
// A [Nest] is one kernel: buffers, and a tree of loops with instructions between them.
// Loops have constant extents. One loop on each path from the root may be a lane loop: its
// iterations run many at a time, so every value inside it is a vector with a lane an
// iteration; outside of it the lanes of a value are all the same. How many lanes there
// are is the executor's business: 4 to 16 in machine code, hundreds in package tile.
//
// Values are of five register kinds ([Kind]); what memory holds is a [Mem], and loads and
// stores convert. Narrow integers live in I32 and narrow floats in F32: who builds the
// nest wraps or rounds after each operation that could leave the type. Complex numbers are
// two values.
//
// An address is affine in the loop variables ([Access]), plus, where the program says so, an
// index value: then it is a gather, or with an index that is the same in all lanes a
// dynamic base.
//
// A value that a loop carries is a [Carry]: phi, next, out. On a lane loop a carry is a
// reduction by an associative and commutative operation; on other loops it is anything.
//
// A while loop may stand in a lane loop if it only counts up to a number that is known before ([Builder.Times]).
//
// Package tile runs nests in Go; package emit turns them into machine code. Both give
// the same bits but for the order of float reductions over lanes.
package loop
