// Package vhlo reads and writes portable artifacts of StableHLO: MLIR bytecode whose
// operations, types and attributes belong to VHLO, the dialect that fixes each version
// of StableHLO for good.
//
// Each operation of VHLO carries a version in its name (vhlo.add_v1), and none of its
// attributes is optional: what StableHLO leaves out stands there as an empty string, an
// empty list, false or the type none. Structured attributes of StableHLO (dimension
// numbers of gather) stand as several flat ones.
//
// The package knows all versions from [Minimum] to [Current]. Types and attributes of
// VHLO are those of StableHLO under other names, so that package bytecode gives them
// the types of package stablehlo at once ([Dialect]); what is left is to rename the
// operations and to reshape their attributes, by the tables of this package.
package vhlo
