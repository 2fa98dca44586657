// Package bytecode reads and writes the MLIR bytecode container: a file of sections
// that hold strings, dialects, attributes, types and operations in compact form.
//
//	file      = "ML\xEFR" version:varint producer:zero-terminated section*
//	section   = id | aligned<<7: byte, length: varint, [alignment: varint, padding], data
//	varint    = one to nine bytes; the zero bits at the low end of the first byte
//	            count the bytes that follow, the value stands above them, little endian
//	svarint   = varint of the value with its sign moved to the low bit
//
// What an attribute or type looks like is the business of its dialect ([Dialect]); the
// builtin one is part of this package. Attributes and types stand in two tables and
// are read when something refers to them.
//
// [Read] takes nothing on trust: counts are checked against the bytes that are left,
// nesting and the size of attributes when written out have limits, and each error
// names a byte offset and a section. Constants are views of the file.
package bytecode
