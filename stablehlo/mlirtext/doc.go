// Package mlirtext reads and prints StableHLO programs as MLIR text.
//
// [Parse] takes the generic form, which shows every operation alike,
//
//	%0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, ...}> : (tensor<4xf32>) -> tensor<2xf32>
//
// and the short form of the operations of the table (package stablehlo),
//
//	%0 = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
//
// [Print] writes either. What the short form of an operation is stands in its row, in
// this notation, whose words are separated by spaces:
//
//	, : = ( ) [ ] { } ->  themselves
//	'word'                the word
//	$name                 the operands of that name with commas between them, or the
//	                      attribute without its type, as its kind is written
//	operands              all operands with commas between them
//	attrs                 {name = value, ...}: the attributes that the form does not show;
//	                      nothing if there are none
//	fn                    (operand types) -> result types
//	type($name)           the types of the operands or results of that name
//	?{ ... }              nothing if the attribute or the operands in it are absent
//	Name, Name($x)        a form of its own: one of the table in directives.go
//
// The reader takes text from any source: nesting is limited, memory stays in proportion
// to the text, and a large constant is never expanded.
package mlirtext
