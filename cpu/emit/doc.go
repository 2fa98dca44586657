// Package emit turns loop nests into x86-64 machine code, for AVX2 and for AVX-512.
//
// A nest is compiled in three steps. First every loop and instruction becomes virtual code: machine
// instructions on registers without number ([Compile], files gen to memory, select_*). What an operation is on a tier
// stands in a table by operation and kinds. Then registers are allocated by linear scan (alloc,
// spill): constants, and what does not fit, live in memory and are operands from there. Last the code is
// written out (final).
//
// A lane loop becomes a loop over whole vectors, of which several run side by side where the body is
// short, and one more copy of the body for what is left, under a mask or in pieces (part.go). Where masks are off
// at the ends of rows only, the rest has code without them (clear.go). Outside of lane loops a value is a vector
// whose lanes are all equal; in nests without lane loops most integers are in general registers. In a lane loop
// with 64-bit values a vector has as many lanes as 64-bit values fit, and 32-bit values use half of a register. Where
// ranges show that narrow integers need no more, lanes are 16 or 8 bits wide (short.go).
//
// A kernel obeys the rules of package exec, and never touches memory outside of its buffers: lanes that are
// off read and write nothing.
package emit
