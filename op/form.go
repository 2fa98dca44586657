package op

import (
	"reflect"
	"strings"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// forms says how a value of each field type looks in text.
var forms = map[reflect.Type]string{
	reflect.TypeFor[int]():            "integer",
	reflect.TypeFor[OptInt]():         "integer",
	reflect.TypeFor[bool]():           "true",
	reflect.TypeFor[string]():         `"text"`,
	reflect.TypeFor[float32]():        "number",
	reflect.TypeFor[[]int]():          "{0,1}",
	reflect.TypeFor[[][]int]():        "{{0,1},{1,0}}",
	reflect.TypeFor[[]bool]():         "{true,false}",
	reflect.TypeFor[[]Precision]():    "{high,default} of " + oneOf(precisionNames),
	reflect.TypeFor[TriState]():       oneOf(triStateNames),
	reflect.TypeFor[Direction]():      oneOf(directionNames),
	reflect.TypeFor[ComparisonType](): oneOf(comparisonNames),
	reflect.TypeFor[TransposeKind]():  oneOf(transposeNames),
	reflect.TypeFor[FftType]():        oneOf(fftNames),
	reflect.TypeFor[Distribution]():   oneOf(distributionNames[RngUniform:]),
	reflect.TypeFor[RngAlgorithm]():   oneOf(rngAlgorithmNames),
	reflect.TypeFor[ResultAccuracy](): "{mode=highest} or {tolerance={atol=0,rtol=1e-05,ulps=2}}",
	reflect.TypeFor[Window](): "{size=3x3 stride=2x1 pad=0_0x1_2 " +
		"lhs_dilate=2x1 rhs_dilate=1x2 rhs_reversal=1x0}",
	reflect.TypeFor[Padding]():          "low_high x low_high or low_high_interior x ..., as 1_1_1x0_-1_0",
	reflect.TypeFor[SliceRanges]():      "{[start:limit:stride], [start:limit:stride]}",
	reflect.TypeFor[DimLabels]():        "b01f_01io->b01f",
	reflect.TypeFor[ReplicaGroups]():    "{{0,1},{2,3}} or [2,2]<=[4] or mesh['a'=2,'b'=2] {'b'}",
	reflect.TypeFor[[]OutputAliasing](): "{{output index}: (operand, {operand index}), ...}",
	reflect.TypeFor[*SparsityConfig]():  "{lhs={sparsity=2x4 dimension=1 stride=1 idx=2} rhs={...}}",
	reflect.TypeFor[*OperandLayouts]():  "{f32[2]{0}, ...}",
	reflect.TypeFor[DomainSpec]():       `{kind="sharding", entry={...}, exit={...}}`,
	reflect.TypeFor[shape.Shape]():      "f32[2]{0}",
	reflect.TypeFor[literal.Literal]():  "s32[2]{0} {1, 2}",
}

// Form says how the value of the attribute looks in HLO text, for documentation.
func (f Field) Form() string {
	if f.Type == reflect.TypeFor[Word]() {
		return oneOf(Words(f.Name))
	}
	return forms[f.Type]
}

// oneOf lists the names that are not empty.
func oneOf(names []string) string {
	list := make([]string, 0, len(names))
	for _, n := range names {
		if n != "" {
			list = append(list, n)
		}
	}
	return strings.Join(list, ", ")
}
