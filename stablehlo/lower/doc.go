// Package lower turns StableHLO programs into HLO modules.
//
// Each operation has a short function in the table of rules, which makes its
// instructions through package builder; files are by family. Functions become
// computations that are called, regions the computations that HLO operations have; a
// value from outside that a region uses comes in as one more argument, a constant is
// made anew inside.
//
// A program with dynamic sizes is lowered for given shapes of its parameters: functions
// with dynamic types are inlined where they are called, and operands that say shapes
// are computed on the spot by the evaluator that [Options] give. So is every size
// known when an operation is made.
//
// Values of a quantized type are kept as their integers. Operations that move
// elements work on those; all others work on the numbers that they stand for and
// quantize their results. Spec: "Quantization in StableHLO".
package lower
