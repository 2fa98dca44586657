package mlirtext

// MaxNesting is how deep regions, types, attributes and locations may nest.
const MaxNesting = 512

// MaxRank is the largest number of dimensions of a tensor or of a list of numbers.
const MaxRank = 1 << 12

// maxNumberBytes is the largest size of a number in a constant or a list; a complex
// number is two.
const maxNumberBytes = 8

// maxIntegerWidth is the largest width of an integer type, as in MLIR.
const maxIntegerWidth = 1<<24 - 1
