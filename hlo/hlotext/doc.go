// Package hlotext reads and writes HLO text.
//
// [Parse] reads what XLA's parser reads and refuses what it refuses, with the line and
// column. It does not verify; see [hlo.Module.Verify].
//
// [Append] and [String] print a module in any of XLA's forms, byte for byte as XLA
// prints it: the default form, [ShortParsable], [Canonical], [Fingerprint], [Full]
// and [Long], or any other set of [Options]. [AppendInstruction] and
// [InstructionText] print what an error message quotes.
//
// Text, parsed and printed, gives the same text; a module, printed in full and
// parsed, gives an equal module, apart from what HLO text cannot say: a negative
// zero that prints as -0 reads as 0, and a complex NaN keeps one payload.
//
// Where XLA's bytes depend on more than the module, this package's do not: a constant
// that the text elides is {...} in every form, while XLA prints the numbers that it made
// up, which differ from run to run.
//
// Spec: XLA's hlo_parser and the ToString methods of its IR.
package hlotext
