package op

// parseEnum returns the place of s in names; "" never matches.
func parseEnum[T ~uint8](names []string, s string) (T, bool) {
	for i, name := range names {
		if name == s && s != "" {
			return T(i), true
		}
	}
	return 0, false
}

func enumName[T ~uint8](names []string, e T) string {
	if int(e) < len(names) {
		return names[e]
	}
	return "invalid"
}

// The spellings in HLO text. An empty one is a value that text cannot say.
var (
	triStateNames       = []string{Unset: "", False: "false", True: "true"}
	precisionNames      = []string{"default", "high", "highest", "packed_nibble"}
	directionNames      = []string{"", "EQ", "NE", "GE", "GT", "LE", "LT"}
	comparisonNames     = []string{"", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}
	transposeNames      = []string{"", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}
	fftNames            = []string{"FFT", "IFFT", "RFFT", "IRFFT"}
	distributionNames   = []string{"rng_invalid", "rng_uniform", "rng_normal"}
	rngAlgorithmNames   = []string{"rng_default", "rng_three_fry", "rng_philox"}
	subgroupNames       = []string{"replicated", "manual", "unknown", "unreduced"}
	simpleShardingNames = []string{"replicated", "manual", "unknown", "unreduced"}
)

// String returns "true", "false" or, unset, "".
func (t TriState) String() string { return enumName(triStateNames, t) }

// ParseTriState is the inverse of String for True and False.
func ParseTriState(s string) (TriState, bool) { return parseEnum[TriState](triStateNames, s) }

// String returns the spelling in HLO text.
func (p Precision) String() string { return enumName(precisionNames, p) }

// ParsePrecision is the inverse of String.
func ParsePrecision(s string) (Precision, bool) { return parseEnum[Precision](precisionNames, s) }

// String returns the spelling in HLO text.
func (d Direction) String() string { return enumName(directionNames, d) }

// ParseDirection is the inverse of String.
func ParseDirection(s string) (Direction, bool) { return parseEnum[Direction](directionNames, s) }

// String returns the spelling in HLO text; "" for the default.
func (t ComparisonType) String() string { return enumName(comparisonNames, t) }

// ParseComparisonType is the inverse of String.
func ParseComparisonType(s string) (ComparisonType, bool) {
	return parseEnum[ComparisonType](comparisonNames, s)
}

// String returns the spelling in HLO text; "" if unset.
func (t TransposeKind) String() string { return enumName(transposeNames, t) }

// ParseTransposeKind is the inverse of String.
func ParseTransposeKind(s string) (TransposeKind, bool) {
	return parseEnum[TransposeKind](transposeNames, s)
}

// String returns the spelling in HLO text.
func (t FftType) String() string { return enumName(fftNames, t) }

// ParseFftType is the inverse of String.
func ParseFftType(s string) (FftType, bool) { return parseEnum[FftType](fftNames, s) }

// String returns the spelling in HLO text.
func (d Distribution) String() string { return enumName(distributionNames, d) }

// ParseDistribution is the inverse of String.
func ParseDistribution(s string) (Distribution, bool) {
	return parseEnum[Distribution](distributionNames, s)
}

// String returns the spelling in HLO text.
func (a RngAlgorithm) String() string { return enumName(rngAlgorithmNames, a) }

// ParseRngAlgorithm is the inverse of String.
func ParseRngAlgorithm(s string) (RngAlgorithm, bool) {
	return parseEnum[RngAlgorithm](rngAlgorithmNames, s)
}

// String returns the spelling in last_tile_dims.
func (k SubgroupKind) String() string { return enumName(subgroupNames, k) }

// ParseSubgroupKind is the inverse of String.
func ParseSubgroupKind(s string) (SubgroupKind, bool) {
	return parseEnum[SubgroupKind](subgroupNames, s)
}
