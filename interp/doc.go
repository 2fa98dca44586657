// Package interp is the reference evaluator: it runs an HLO module on host arrays,
// an instruction at a time. It defines what every operation means; all compiled
// code is compared with it.
//
// There is one short function an operation, in the table evals. Values are
// literals in default (row-major) layout; a layout in the program matters only to
// bitcast and at the edge of the program. A value of a bounded dynamic shape is a
// literal of the size that it has in this run, so no evaluator sees padding.
//
// Computations that work on scalars (reducers, comparators, combiners) run as a
// [scalarProgram]: a list of closures over one-element arrays.
//
// A value is dropped after its last use, and an update of part of an array is made in the array
// itself if nobody else holds that; own.go says when. Arguments and constants never change.
//
// Every product that feeds a sum is written T(x*y) + z, so that the Go compiler
// never fuses the two: results are the same on every machine.
//
// Semantics: XLA's HloEvaluator; OPS.md.
package interp
