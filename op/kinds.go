package op

import "github.com/goxla/xla/shape"

// Word is an attribute value that is one bare identifier, such as a fusion kind or
// a dot algorithm. Which words are legal depends on the attribute.
type Word string

// OptInt is an integer that may be absent, where zero is a value.
type OptInt struct {
	Value   int
	Present bool
}

// Some returns v as a present OptInt.
func Some(v int) OptInt { return OptInt{v, true} }

// TriState is a bool that may be unset.
type TriState uint8

// The values of TriState.
const (
	Unset TriState = iota
	False
	True
)

// Precision is an entry of operand_precision.
type Precision uint8

// The precisions.
const (
	PrecisionDefault Precision = iota
	PrecisionHigh
	PrecisionHighest
	PrecisionPackedNibble
)

// Direction is that of a comparison.
type Direction uint8

// The directions; the zero Direction is none.
const (
	NoDirection Direction = iota
	EQ
	NE
	GE
	GT
	LE
	LT
)

// ComparisonType says which order compare uses.
type ComparisonType uint8

// The comparison types. The default is FLOAT for floating-point and complex
// operands, SIGNED for signed integers, UNSIGNED for unsigned integers and pred.
const (
	ComparisonDefault ComparisonType = iota
	ComparisonFloat
	ComparisonTotalOrder
	ComparisonSigned
	ComparisonUnsigned
)

// TransposeKind says which form of a matrix triangular-solve uses.
type TransposeKind uint8

// The forms; the zero value is unset and means NO_TRANSPOSE.
const (
	TransposeUnset TransposeKind = iota
	NoTranspose
	TransposeA
	Adjoint
)

// FftType is the kind of a Fourier transform.
type FftType uint8

// The kinds.
const (
	FFT FftType = iota
	IFFT
	RFFT
	IRFFT
)

// Distribution is that of rng.
type Distribution uint8

// The distributions.
const (
	RngInvalid Distribution = iota
	RngUniform
	RngNormal
)

// RngAlgorithm is that of rng-bit-generator.
type RngAlgorithm uint8

// The algorithms.
const (
	RngDefault RngAlgorithm = iota
	RngThreeFry
	RngPhilox
)

// ResultAccuracy is the accuracy wanted of an elementary function. The zero value
// is the default mode. Mode is "" or "highest"; a tolerance stands where HasTolerance is set.
type ResultAccuracy struct {
	Mode         Word
	HasTolerance bool
	ATol, RTol   float64
	ULPs         int
}

// Window describes a sliding window, one entry a dimension. The zero Window is none; that of a
// custom-call may also be there without dimensions, which is a Dims that is empty but not nil.
type Window struct{ Dims []WindowDim }

// WindowDim is one dimension of a window. In a made Window Size, Stride and the
// dilations are 1 or more as given; padding may be negative.
type WindowDim struct {
	Size, Stride            int
	PaddingLow, PaddingHigh int
	BaseDilation            int // lhs_dilate: holes between elements of the operand
	WindowDilation          int // rhs_dilate: holes between elements of the window
	Reversal                bool
}

// Padding is that of pad, one entry a dimension.
type Padding []PadDim

// PadDim pads one dimension: Interior elements between two neighbours, then Low
// in front and High behind; Low and High may be negative.
type PadDim struct{ Low, High, Interior int }

// SliceRanges is the attribute of slice, one entry a dimension.
type SliceRanges []SliceRange

// SliceRange takes indices Start, Start+Stride, ... below Limit.
type SliceRange struct{ Start, Limit, Stride int }

// DimLabels says which dimension of a convolution's operands and result is what;
// text form b01f_01io->b01f. A dimension that has no label is unknown, '?' in text.
type DimLabels struct {
	InputBatch, InputFeature                int
	InputSpatial                            []int
	KernelInputFeature, KernelOutputFeature int
	KernelSpatial                           []int
	OutputBatch, OutputFeature              int
	OutputSpatial                           []int
	// Given tells a DimLabels from the zero value, which is none.
	Given bool
}

// OperandLayouts is operand_layout_constraints: a shape with layout for each operand.
type OperandLayouts struct{ Shapes []shape.Shape }

// OutputAliasing says that the part OutputIndex of the result shares its buffer
// with the part OperandIndex of operand Operand.
type OutputAliasing struct {
	OutputIndex  []int
	Operand      int
	OperandIndex []int
}

// DomainSpec is the attribute of domain: the kind and the sharding on both sides.
type DomainSpec struct {
	Kind        string
	Entry, Exit *Sharding
}

// SparsityConfig is sparsity_config; LHS or RHS is nil where that side is dense.
type SparsityConfig struct{ LHS, RHS *Sparsity }

// Sparsity says that of every B elements along Dimension A are kept.
type Sparsity struct {
	A, B      int
	Dimension int
	Stride    int
	Idx       int
}
