// Package hlopb reads and writes the binary form of a program: XLA's HloModuleProto
// in the wire format of protocol buffers.
//
// What lies where is said in tables, which serve both directions: [message] has a
// row for each field of a proto message and the place in a Go struct that holds it,
// and attributeRows a row for each attribute of package op. Conversions stand
// between where the proto has another structure than package hlo. The functions that make
// rows are not inlined: of hundreds of rows, that is a hundredth of the default binary.
//
// Fields that have no place in package hlo are kept in the Unknown strings of modules,
// computations and instructions, and written back. Not part of the binary form, and
// so lost by it, are the numbers of replicas and partitions and the flags of
// sharding propagation.
//
// The reader does not verify the program. It takes memory and time in proportion to
// its input, and no input makes it panic.
package hlopb
