package stablehlo

import "github.com/goxla/xla/shape"

// The floating-point formats. The zero FloatType is none of them.
const (
	F4E2M1FN FloatType = 1 + iota
	F6E2M3FN
	F6E3M2FN
	F8E3M4
	F8E4M3
	F8E4M3FN
	F8E4M3FNUZ
	F8E4M3B11FNUZ
	F8E5M2
	F8E5M2FNUZ
	F8E8M0FNU
	BF16
	F16
	TF32
	F32
	F64
	F80
	F128
	numFloatTypes
)

// floatRow is what is known of a format: its spelling, its width in bits and the
// HLO element type of the same format, if there is one.
type floatRow struct {
	name string
	bits int
	hlo  shape.ElementType
}

var floatRows = [numFloatTypes]floatRow{
	F4E2M1FN:      {"f4E2M1FN", 4, shape.F4E2M1FN},
	F6E2M3FN:      {"f6E2M3FN", 6, shape.F6E2M3FN},
	F6E3M2FN:      {"f6E3M2FN", 6, shape.F6E3M2FN},
	F8E3M4:        {"f8E3M4", 8, shape.F8E3M4},
	F8E4M3:        {"f8E4M3", 8, shape.F8E4M3},
	F8E4M3FN:      {"f8E4M3FN", 8, shape.F8E4M3FN},
	F8E4M3FNUZ:    {"f8E4M3FNUZ", 8, shape.F8E4M3FNUZ},
	F8E4M3B11FNUZ: {"f8E4M3B11FNUZ", 8, shape.F8E4M3B11FNUZ},
	F8E5M2:        {"f8E5M2", 8, shape.F8E5M2},
	F8E5M2FNUZ:    {"f8E5M2FNUZ", 8, shape.F8E5M2FNUZ},
	F8E8M0FNU:     {"f8E8M0FNU", 8, shape.F8E8M0FNU},
	BF16:          {"bf16", 16, shape.BF16},
	F16:           {"f16", 16, shape.F16},
	TF32:          {"tf32", 19, shape.Invalid},
	F32:           {"f32", 32, shape.F32},
	F64:           {"f64", 64, shape.F64},
	F80:           {"f80", 80, shape.Invalid},
	F128:          {"f128", 128, shape.Invalid},
}

// ParseFloatType returns the format that MLIR spells name.
func ParseFloatType(name string) (t FloatType, ok bool) {
	for t := range numFloatTypes {
		if t != 0 && floatRows[t].name == name {
			return t, true
		}
	}
	return 0, false
}

// Valid reports whether t is one of the formats.
func (t FloatType) Valid() bool { return t > 0 && t < numFloatTypes }

// Bits returns the width of the format, 0 for a value that is no format.
func (t FloatType) Bits() int { return t.row().bits }

// Name returns the spelling in MLIR.
func (t FloatType) Name() string { return t.row().name }

func (t FloatType) row() floatRow {
	if !t.Valid() {
		return floatRow{name: "invalid"}
	}
	return floatRows[t]
}
