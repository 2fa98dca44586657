package stablehlo

import "testing"

// TestFloatText: numbers as MLIR writes them.
func TestFloatText(t *testing.T) {
	for _, c := range []struct {
		t    FloatType
		bits uint64
		want string
	}{
		{F32, 0x3f800000, "1.000000e+00"},
		{F32, 0x00000000, "0.000000e+00"},
		{F32, 0x80000000, "-0.000000e+00"},
		{F32, 0x3eaaaaab, "0.333333343"},
		{F32, 0x7f800000, "0x7F800000"},
		{F32, 0x7fc00000, "0x7FC00000"},
		{F32, 0x461c4001, "10000.001"},
		{F64, 0x3ff3c0ca428c59fb, "1.2345678901234567"},
		{F64, 0x4005bf0a8b145769, "2.7182818284590451"},
		{F64, 0x3f1a36e2eb1c432d, "1.000000e-04"},
		{F64, 0x3f1a36e2eb1c432e, "1.0000000000000002E-4"},
		{BF16, 0x3f80, "1.000000e+00"},
		{BF16, 0x3fb5, "1.414060e+00"},
		{F16, 0x3555, "3.332520e-01"},
		{F16, 0x7c00, "0x7C00"},
		{F8E4M3FN, 0x7f, "0x7F"},
		{F8E4M3FN, 0x38, "1.000000e+00"},
		{F8E8M0FNU, 0x7f, "1.000000e+00"},
		{F4E2M1FN, 0x7, "6.000000e+00"},
	} {
		if got := string(appendFloat(nil, c.bits, c.t)); got != c.want {
			t.Errorf("%v bits %#x: %s, want %s", c.t, c.bits, got, c.want)
		}
	}
}

// TestFloatRoundTrip: each number of the narrow formats comes back from its value.
func TestFloatRoundTrip(t *testing.T) {
	for f := F4E2M1FN; f <= F16; f++ {
		for bits := range uint64(1) << f.Bits() {
			v := f.Float64(bits)
			if v == v && f.FromFloat64(v) != bits {
				t.Errorf("%v: %#x is %v, which is %#x", f, bits, v, f.FromFloat64(v))
			}
		}
	}
}
