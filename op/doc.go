// Package op says what every HLO operation is, without any data: its name in
// text, operand count, traits, attributes, called computations and shape rule.
//
// The heart is one table with a row for each opcode ([Code.Info]). Attributes are
// structs whose tagged fields drive printing, parsing, equality and hashing, so
// that none of those needs code per operation. Shape rules work on pure shapes
// ([Inputs]); builder, parser, importer and verifier all call the same one.
//
// What needs data (evaluators, emitters) lives in tables of the packages that have
// it, indexed by [Code].
//
// Spec: OPS.md.
package op
