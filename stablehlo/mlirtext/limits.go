package mlirtext

// MaxNesting is how deep regions, types, attributes and locations may nest.
const MaxNesting = 512

// MaxRank is the largest number of dimensions of a tensor or of a list of numbers.
const MaxRank = 1 << 12

// maxElementBytes is the largest size of an element of a constant: a complex number of
// two numbers of 128 bits.
const maxElementBytes = 32

// maxIntegerWidth is the largest width of an integer type, as in MLIR.
const maxIntegerWidth = 1<<24 - 1
