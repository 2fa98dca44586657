package stablehlo

import "slices"

// EnumAttr is a word of a closed list: #stablehlo<precision HIGHEST>.
type EnumAttr struct {
	Kind  *EnumKind
	Value int // the place of the word in Kind.Words, which is the value in bytecode
}

func (EnumAttr) isAttribute() {}

// EnumKind is a closed list of words. Its values are the variables of this package.
type EnumKind struct {
	Dialect string
	Name    string
	Words   []string // by value; "" for a value that is none
	// Dotted: text writes #stablehlo.name<WORD>, not #stablehlo<name WORD>.
	Dotted bool
}

// The closed lists of the stablehlo and chlo dialects.
var (
	ComparisonDirection = &EnumKind{Dialect: "stablehlo", Name: "comparison_direction",
		Words: []string{"EQ", "NE", "GE", "GT", "LE", "LT"}}
	ComparisonType = &EnumKind{Dialect: "stablehlo", Name: "comparison_type",
		Words: []string{"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}}
	FFTType = &EnumKind{Dialect: "stablehlo", Name: "fft_type",
		Words: []string{"FFT", "IFFT", "RFFT", "IRFFT"}}
	Precision = &EnumKind{Dialect: "stablehlo", Name: "precision",
		Words: []string{"DEFAULT", "HIGH", "HIGHEST"}}
	RNGAlgorithm = &EnumKind{Dialect: "stablehlo", Name: "rng_algorithm",
		Words: []string{"DEFAULT", "THREE_FRY", "PHILOX"}}
	RNGDistribution = &EnumKind{Dialect: "stablehlo", Name: "rng_distribution",
		Words: []string{"", "UNIFORM", "NORMAL"}}
	Transpose = &EnumKind{Dialect: "stablehlo", Name: "transpose",
		Words: []string{"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}}
	ResultAccuracyMode = &EnumKind{Dialect: "stablehlo", Name: "result_accuracy_mode",
		Words: []string{"DEFAULT", "HIGHEST", "TOLERANCE"}, Dotted: true}

	CHLOComparisonDirection = &EnumKind{Dialect: "chlo", Name: "comparison_direction",
		Words: ComparisonDirection.Words}
	CHLOComparisonType = &EnumKind{Dialect: "chlo", Name: "comparison_type",
		Words: ComparisonType.Words}
	CHLOPrecision = &EnumKind{Dialect: "chlo", Name: "precision", Words: Precision.Words}
)

// enumKinds is every closed list.
var enumKinds = []*EnumKind{
	ComparisonDirection, ComparisonType, FFTType, Precision, RNGAlgorithm, RNGDistribution, Transpose,
	ResultAccuracyMode, CHLOComparisonDirection, CHLOComparisonType, CHLOPrecision,
}

// FindEnum returns the closed list of a dialect with that name, nil if there is none.
func FindEnum(dialect, name string) *EnumKind {
	for _, k := range enumKinds {
		if k.Dialect == dialect && k.Name == name {
			return k
		}
	}
	return nil
}

// Parse returns the attribute for a word of the list.
func (k *EnumKind) Parse(word string) (a EnumAttr, ok bool) {
	i := slices.Index(k.Words, word)
	return EnumAttr{Kind: k, Value: i}, i >= 0 && word != ""
}

// Of returns the attribute for a value; ok is false if the list has no such value.
func (k *EnumKind) Of(value int) (a EnumAttr, ok bool) {
	ok = value >= 0 && value < len(k.Words) && k.Words[value] != ""
	return EnumAttr{Kind: k, Value: value}, ok
}

// Word returns the word.
func (a EnumAttr) Word() string {
	if a.Kind == nil || a.Value < 0 || a.Value >= len(a.Kind.Words) {
		return ""
	}
	return a.Kind.Words[a.Value]
}
