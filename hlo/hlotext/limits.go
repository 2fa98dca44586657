package hlotext

// Limits of what the parser reads. They bound what malformed or hostile text can
// cost in time and memory; no real program comes near them.
const (
	// maxTextBytes is the longest text; offsets fit 32 bits.
	maxTextBytes = 1<<31 - 1
	// maxTokenBytes is the longest name, number or string.
	maxTokenBytes = 1 << 28
	// maxDepth is how deep operands, computations and modules in strings may nest, all together.
	// XLA's parser stops at the same number.
	maxDepth = 8192
	// maxComputations is the largest number of computations of a module.
	maxComputations = 1 << 20
	// maxInstructions is the largest number of instructions of a module.
	maxInstructions = 1 << 24
	// maxInferredShapes bounds the parts of all shapes that the text leaves out. Tuples of tuples
	// can make them exponential in the length of the text.
	maxInferredShapes = 1 << 24
	// maxRepeatedShardings bounds the shardings made by repeating one for every leaf of a tuple.
	maxRepeatedShardings = 1 << 22
	// maxShownShape is the number of parts from which a shape is not spelled out in an error.
	maxShownShape = 64
	// maxRecoveryModules bounds the modules that may stand in strings of a header.
	maxRecoveryModules = 1 << 12
)
