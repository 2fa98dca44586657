// Package verify checks StableHLO programs against the constraints of the
// specification and infers the types of results.
//
// [Module] walks a module, an operation before those in its regions, and stops at the
// first fault. For each operation it looks, in this order, at
//
//   - where its operands come from: operations before it;
//   - its form: how many operands, results, regions and which attributes, after the
//     table of package stablehlo;
//   - the types it takes and gives, and what they have in common, after rules.txt,
//     which explains its own form;
//   - the types that follow from operands and attributes, see [ResultTypes]: the types
//     written must be compatible with them;
//   - all other constraints, in functions of this package.
//
// A fault is a [stablehlo.Error]; its Rule is the label of the constraint in the
// specification, such as "gather_c7". Sizes that are not known are compatible with any.
package verify
