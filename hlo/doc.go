// Package hlo is the program: a [Module] of computations of instructions, with the
// edits, walks and checks that everything else is made of.
//
// An [Instruction] has an opcode, a result shape, operands, attributes (package op)
// and called computations. Names are unique over a module and deterministic:
// building the same module twice gives the same text. Instructions keep the order
// in which they were added; [Computation.PostOrder] gives the order in which they
// print and run. Users are kept up to date by every edit.
//
// [Verify] checks all that the rest of the project relies on. [Module.Clone] and
// [Computation.CloneWith] copy; [Diff] says where two modules differ. No walk uses
// recursion, so programs may be chains of any length.
//
// The package knows nothing of text, proto, evaluation or machine code.
package hlo
