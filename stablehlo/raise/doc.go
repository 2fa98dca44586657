// Package raise turns HLO into StableHLO: the inverse of package lower.
//
// [Module] makes the function main of the entry computation, with an argument for each
// array of its parameters and a result for each array of its root: StableHLO programs
// have no tuples but those that custom calls take and return. A computation that a call
// or a fusion names becomes a private function, any other becomes the region of the
// operation that calls it.
//
// Most operations have the same name on both sides. Where they have not, the operation
// becomes one that computes the same: a copy is its operand, a bitcast the reshape that
// its layouts make of it, a pair of asynchronous operations the operation that they
// stand for, and functions that only the dialect chlo has are taken from there. Layouts
// of values inside the program, schedules and the kinds of fusions have no place in
// StableHLO and are dropped; layouts, shardings, aliases and donations of arguments and
// results become the attributes that JAX writes for them.
//
// What cannot be said in StableHLO is an error at the instruction.
package raise
