package hlotext

// Options choose the form of printed text. The zero Options is XLA's default form:
// layouts, metadata, "%" in front of names, headers with the signature, comments at
// every fifth operand, and constants of more than ten elements left out.
type Options struct {
	// LargeConstants prints every constant in full; otherwise those of more than ten elements, and
	// all tuples, are printed as {...}. A constant that the text left out already stays {...} where
	// it has more than ten elements.
	LargeConstants bool
	// EssentialConstants prints 0 and 1 for constants that are all zero or one, the elements of
	// integer constants, and {...} for the rest. It is stronger than LargeConstants.
	EssentialConstants bool
	// OperandShapes prints the shape in front of each operand.
	OperandShapes bool
	// CanonicalNames calls the instructions of each computation tmp_0, tmp_1, ... .
	CanonicalNames bool
	// InlineComputations prints called computations in place of their names.
	InlineComputations bool
	// CompactTupleElements prints x#0 in place of an operand that is a plain get-tuple-element of x.
	CompactTupleElements bool
	// CompactOperands prints the first four operands only. The text does not parse.
	CompactOperands bool
	// InlineStackFrames prints file and line in place of stack_frame_id.
	InlineStackFrames bool
	// SortBackendConfig sorts the keys of a backend config that is a JSON object.
	SortBackendConfig bool
	// FullReplicaGroups prints replica groups as lists, whatever their form.
	FullReplicaGroups bool
	// PlainAsync prints async-start and its computation where the default form has custom-call-start.
	PlainAsync bool

	// The following leave something out.

	OmitPercent             bool // "%" in front of names
	OmitIDs                 bool // what follows the first dot of a name, and computation names
	OmitProgramShape        bool // the signature in the header of a computation
	OmitLayouts             bool // layouts in the shapes of instructions and operands
	OmitResultShape         bool
	OmitOperandNames        bool
	OmitIndexComments       bool // /*index=5*/
	OmitParameterNumbers    bool
	OmitAttributes          bool // the operation's own attributes
	OmitInfeedOutfeedConfig bool
	OmitCalledComputations  bool
	OmitControlDependencies bool
	OmitOrigin              bool
	OmitMetadata            bool // the debug tables too
	OmitMetadataButOpName   bool
	OmitBackendConfig       bool
}

// Default returns the options of XLA's default form, the zero Options.
func Default() Options { return Options{} }

// Full returns the default form with all constants.
func Full() Options { return Options{LargeConstants: true} }

// Long returns the default form with all constants and with operand shapes.
func Long() Options { return Options{LargeConstants: true, OperandShapes: true} }

// ShortParsable returns the options of the shortest form that can be read back:
// all constants, but no "%", signatures, metadata, control dependencies or comments.
func ShortParsable() Options {
	return Options{
		LargeConstants:          true,
		OmitPercent:             true,
		OmitProgramShape:        true,
		OmitMetadata:            true,
		OmitControlDependencies: true,
		OmitIndexComments:       true,
	}
}

// Canonical returns the options of a form that is the same for modules which differ
// only in the names of instructions.
func Canonical() Options {
	return Options{
		OperandShapes:           true,
		CanonicalNames:          true,
		InlineComputations:      true,
		OmitPercent:             true,
		OmitProgramShape:        true,
		OmitOperandNames:        true,
		OmitIndexComments:       true,
		OmitMetadata:            true,
		OmitBackendConfig:       true,
		OmitControlDependencies: true,
	}
}

// Fingerprint returns the options of Canonical without what does not matter to
// optimisations: names of module and computations, floating-point constants, infeed
// configurations, the form of replica groups.
func Fingerprint() Options {
	o := Canonical()
	o.EssentialConstants = true
	o.FullReplicaGroups = true
	o.OmitIDs = true
	o.OmitInfeedOutfeedConfig = true
	return o
}
