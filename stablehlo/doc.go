// Package stablehlo holds StableHLO programs: a small intermediate representation of
// operations, regions, types and attributes in the manner of MLIR, with the rows of
// the dialects that such programs are made of (builtin, func, stablehlo, chlo, check,
// interpreter).
//
// A [Module] is one builtin.module operation. An [Op] has operands and results, which
// are [Value]s, attributes, regions and a location; a [Region] is a list of [Block]s, a
// Block a list of Ops. What an operation of the table must look like stands in its row
// ([OpInfo], found with [Lookup]): the names of its operands, results, regions and
// attributes and the short form in which text shows it.
//
// Readers and printers of the forms in which programs come live in packages below this
// one: mlirtext for text. Lowering to HLO is a separate step.
//
// Everything that a program refers to is data: large constants are raw bytes
// ([DenseElements.Data]) that may be a view of the file they were read from and must
// not be written to. Types and attributes are immutable once made and may be shared.
package stablehlo
