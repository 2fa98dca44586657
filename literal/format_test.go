package literal

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/shape"
)

// floatTypes lists every real floating-point type.
func floatTypes() (list []shape.ElementType) {
	for t := range shape.ElementType(shape.NumElementTypes) {
		if t.IsFloat() {
			list = append(list, t)
		}
	}
	return list
}

// smallFloatTypes lists the float types of at most 16 bits.
func smallFloatTypes() (list []shape.ElementType) {
	for _, t := range floatTypes() {
		if t.Bits() <= 16 {
			list = append(list, t)
		}
	}
	return list
}

func TestFormatConstants(t *testing.T) {
	tests := []struct {
		typ                    shape.ElementType
		max, normal, positive  float64
		nan                    uint64
		inf, hasNaN, negZero   bool
		exponent, mantissa, ba int
	}{
		{shape.F64, math.MaxFloat64, 0x1p-1022, 0x1p-1074, 0x7ff8 << 48, true, true, true, 11, 52, 1023},
		{shape.F32, math.MaxFloat32, 0x1p-126, 0x1p-149, 0x7fc00000, true, true, true, 8, 23, 127},
		{shape.BF16, 0x1.fep127, 0x1p-126, 0x1p-133, 0x7fc0, true, true, true, 8, 7, 127},
		{shape.F16, 65504, 0x1p-14, 0x1p-24, 0x7e00, true, true, true, 5, 10, 15},
		{shape.F8E5M2, 57344, 0x1p-14, 0x1p-16, 0x7e, true, true, true, 5, 2, 15},
		{shape.F8E4M3, 240, 0x1p-6, 0x1p-9, 0x7c, true, true, true, 4, 3, 7},
		{shape.F8E3M4, 15.5, 0x1p-2, 0x1p-6, 0x78, true, true, true, 3, 4, 3},
		{shape.F8E4M3FN, 448, 0x1p-6, 0x1p-9, 0x7f, false, true, true, 4, 3, 7},
		{shape.F8E5M2FNUZ, 57344, 0x1p-15, 0x1p-17, 0x80, false, true, false, 5, 2, 16},
		{shape.F8E4M3FNUZ, 240, 0x1p-7, 0x1p-10, 0x80, false, true, false, 4, 3, 8},
		{shape.F8E4M3B11FNUZ, 30, 0x1p-10, 0x1p-13, 0x80, false, true, false, 4, 3, 11},
		{shape.F8E8M0FNU, 0x1p127, 0x1p-127, 0x1p-127, 0xff, false, true, false, 8, 0, 127},
		{shape.F6E3M2FN, 28, 0.25, 0.0625, 0x20, false, false, true, 3, 2, 3},
		{shape.F6E2M3FN, 7.5, 1, 0.125, 0x20, false, false, true, 2, 3, 1},
		{shape.F4E2M1FN, 6, 1, 0.5, 0x8, false, false, true, 2, 1, 1},
	}
	if len(tests) != len(floatTypes()) {
		t.Errorf("%d formats tested, %d exist", len(tests), len(floatTypes()))
	}
	for _, tt := range tests {
		f, ok := FloatFormat(tt.typ)
		if !ok || f.MaxFinite != tt.max || f.MinNormal != tt.normal || f.MinPositive != tt.positive ||
			f.NaN != tt.nan || f.HasInf != tt.inf || f.HasNaN != tt.hasNaN || f.HasNegZero != tt.negZero ||
			f.ExponentBits != tt.exponent || f.MantissaBits != tt.mantissa || f.Bias != tt.ba {
			t.Errorf("%v: got %+v", tt.typ, f)
		}
	}
	if _, ok := FloatFormat(shape.S32); ok {
		t.Error("s32 has a float format")
	}
}

// TestEncodeDecode checks that every code of every small type is its value's code.
func TestEncodeDecode(t *testing.T) {
	for _, typ := range smallFloatTypes() {
		f := formats[typ]
		for code := range uint64(1) << typ.Bits() {
			v := DecodeFloat(typ, code)
			if back := EncodeFloat(typ, v); back != code && !(f.HasInf && f.IsNaN(code)) {
				t.Fatalf("%v: code %#x is %v, whose code is %#x", typ, code, v, back)
			}
			if math.IsNaN(v) != f.IsNaN(code) {
				t.Fatalf("%v: code %#x is %v but IsNaN is %v", typ, code, v, f.IsNaN(code))
			}
			if v != math.Trunc(v) || v == 0 {
				continue
			}
			if up := DecodeFloat(typ, code|^uint64(0)<<typ.Bits()); up != v && v == v {
				t.Fatalf("%v: higher bits change code %#x to %v", typ, code, up)
			}
		}
	}
}

// nearestCode finds the code of v by exact comparison with all values of the type.
func nearestCode(f *Format, v float64) uint64 {
	want := new(big.Float).SetPrec(2000).SetFloat64(math.Abs(v))
	best, bestDistance := uint64(0), (*big.Float)(nil)
	for code := uint64(0); code <= f.maxCode; code++ {
		value := new(big.Float).SetPrec(2000).SetFloat64(f.Decode(code))
		d := value.Sub(value, want)
		d.Abs(d)
		c := 1
		if bestDistance != nil {
			c = bestDistance.Cmp(d)
		}
		// A tie goes to the even significand; f8e8m0fnu's leading bit is odd, so it goes up.
		if c > 0 || c == 0 && (code&1 == 0 || f.MantissaBits == 0) {
			best, bestDistance = code, d
		}
	}
	return best
}

// TestEncodeNearest compares Encode with a search over all values.
func TestEncodeNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range smallFloatTypes() {
		f := &formats[typ]
		if typ.Bits() > 8 {
			continue
		}
		for range 2000 {
			v := math.Ldexp(1+r.Float64(), r.IntN(2*f.Bias+6)-f.Bias-4)
			switch r.IntN(3) {
			case 0: // half way between two values, or a hair beside it
				code := r.Uint64N(f.maxCode)
				v = (f.Decode(code) + f.Decode(code+1)) / 2
				v = []float64{v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1))}[r.IntN(3)]
			}
			last := f.Decode(f.maxCode) - f.Decode(f.maxCode-1)
			if f.MantissaBits == 0 {
				last = f.MaxFinite
			}
			want := f.overCode
			limit := f.MaxFinite + last/2
			if v < limit || v == limit && f.maxCode&1 == 0 && f.MantissaBits > 0 {
				want = nearestCode(f, v)
			}
			if got := f.Encode(v); got != want {
				t.Fatalf("%v: code of %v (%x) is %#x, want %#x", typ, v, v, got, want)
			}
		}
	}
}

// TestEncodeHalfWay checks the 16-bit types between neighbouring codes.
func TestEncodeHalfWay(t *testing.T) {
	for _, typ := range []shape.ElementType{shape.F16, shape.BF16} {
		f := &formats[typ]
		for code := uint64(0); code < f.maxCode; code++ {
			low, high := f.Decode(code), f.Decode(code+1)
			middle := (low + high) / 2
			checks := map[float64]uint64{
				middle:                               code + code&1,
				math.Nextafter(middle, 0):            code,
				math.Nextafter(middle, math.Inf(+1)): code + 1,
			}
			for v, want := range checks {
				if got := f.Encode(v); got != want {
					t.Fatalf("%v: code of %x is %#x, want %#x", typ, v, got, want)
				}
				if got := f.Encode(-v); got != want|0x8000 {
					t.Fatalf("%v: code of %x is %#x, want %#x", typ, -v, got, want|0x8000)
				}
			}
		}
	}
}

func TestEncodeSpecial(t *testing.T) {
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		typ  shape.ElementType
		v    float64
		want uint64
	}{
		{shape.F16, inf, 0x7c00}, {shape.F16, -inf, 0xfc00}, {shape.F16, nan, 0x7e00}, {shape.F16, 65520, 0x7c00},
		{shape.F16, 65519.99, 0x7bff}, {shape.F16, math.Copysign(nan, -1), 0xfe00}, {shape.F16, negZero, 0x8000},
		{shape.BF16, 3.4e38, 0x7f80}, {shape.BF16, -1e300, 0xff80}, {shape.BF16, 1e-300, 0},
		{shape.F8E5M2, 61440, 0x7c}, {shape.F8E5M2, 61439, 0x7b}, {shape.F8E5M2, -inf, 0xfc},
		{shape.F8E4M3, 248, 0x78}, {shape.F8E4M3, 247.9, 0x77}, {shape.F8E3M4, 15.75, 0x70},
		{shape.F8E4M3FN, 464, 0x7e}, {shape.F8E4M3FN, 464.1, 0x7f}, {shape.F8E4M3FN, -inf, 0xff},
		{shape.F8E4M3FN, nan, 0x7f}, {shape.F8E4M3FN, negZero, 0x80},
		{shape.F8E4M3FNUZ, 247, 0x7f}, {shape.F8E4M3FNUZ, 248, 0x80}, {shape.F8E4M3FNUZ, -300, 0x80},
		{shape.F8E4M3FNUZ, negZero, 0}, {shape.F8E4M3FNUZ, -1e-9, 0}, {shape.F8E5M2FNUZ, nan, 0x80},
		{shape.F8E4M3B11FNUZ, 31, 0x80}, {shape.F8E4M3B11FNUZ, -30.5, 0xff},
		{shape.F8E8M0FNU, 0, 0xff}, {shape.F8E8M0FNU, -1, 0xff}, {shape.F8E8M0FNU, inf, 0xff},
		{shape.F8E8M0FNU, 1e-300, 0}, {shape.F8E8M0FNU, 1.5, 128}, {shape.F8E8M0FNU, 2.5, 128},
		{shape.F8E8M0FNU, 3, 129}, {shape.F8E8M0FNU, 0x1.7fp127, 254}, {shape.F8E8M0FNU, 0x1.8p127, 255},
		{shape.F4E2M1FN, inf, 7}, {shape.F4E2M1FN, -1e9, 15}, {shape.F4E2M1FN, nan, 8}, {shape.F4E2M1FN, negZero, 8},
		{shape.F6E2M3FN, -100, 0x3f}, {shape.F6E3M2FN, 100, 0x1f}, {shape.F6E3M2FN, nan, 0x20},
	}
	for _, tt := range tests {
		if got := EncodeFloat(tt.typ, tt.v); got != tt.want {
			t.Errorf("%v: code of %v is %#x, want %#x", tt.typ, tt.v, got, tt.want)
		}
	}
}

// TestFastPaths compares the 16-bit and 8-bit fast paths with the general codec.
func TestFastPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 65504, 65520, 0x1p-24, 0x1p-25}
	for range 200_000 {
		values = append(values, math.Float64frombits(r.Uint64()), float64(math.Float32frombits(r.Uint32())),
			math.Ldexp(r.Float64()-0.5, r.IntN(60)-30))
	}
	for _, v := range values {
		single := float32(v)
		for _, c := range []struct {
			name      string
			got, want uint64
		}{
			{"F16From64", uint64(F16From64(v)), EncodeFloat(shape.F16, v)},
			{"BF16From64", uint64(BF16From64(v)), EncodeFloat(shape.BF16, v)},
			{"F16From32", uint64(F16From32(single)), EncodeFloat(shape.F16, float64(single))},
			{"BF16From32", uint64(BF16From32(single)), EncodeFloat(shape.BF16, float64(single))},
		} {
			if c.got != c.want {
				t.Fatalf("%s(%x) = %#x, want %#x", c.name, v, c.got, c.want)
			}
		}
	}
	singles, codes := make([]float32, len(values)), make([]uint8, len(values))
	for i, v := range values {
		singles[i] = float32(v)
	}
	for _, typ := range smallFloatTypes() {
		if typ.Bits() > 8 {
			continue
		}
		formats[typ].encode32s(codes, singles)
		for i, v := range singles {
			if want := EncodeFloat(typ, float64(v)); uint64(codes[i]) != want {
				t.Fatalf("%v: encode32s of %x gives %#x, want %#x", typ, v, codes[i], want)
			}
		}
	}
}

func TestFloat16Decode(t *testing.T) {
	for code := range uint64(1 << 16) {
		for typ, got := range map[shape.ElementType]float32{
			shape.F16: F16(code).Float32(), shape.BF16: BF16(code).Float32(),
		} {
			want := DecodeFloat(typ, code)
			if math.Float32bits(got) != math.Float32bits(float32(want)) && !(got != got && want != want) {
				t.Fatalf("%v: %#x is %x, want %x", typ, code, got, want)
			}
		}
	}
}

// TestBulkFloats sends every code through the bulk functions and back.
func TestBulkFloats(t *testing.T) {
	for _, typ := range smallFloatTypes() {
		n := 1 << typ.Bits()
		l, back := New(shape.Make(typ, n)), New(shape.Make(typ, n))
		for i := range n {
			putCode(l, i, uint16(i))
		}
		singles, doubles := make([]float32, n), make([]float64, n)
		ToFloat32s(singles, l)
		ToFloat64s(doubles, l)
		for i := range n {
			want := DecodeFloat(typ, uint64(i))
			if doubles[i] != want && want == want || float64(singles[i]) != want && want == want {
				t.Fatalf("%v: code %#x is %v and %v, want %v", typ, i, singles[i], doubles[i], want)
			}
		}
		for _, fill := range []func(){func() { FromFloat32s(back, singles) }, func() { FromFloat64s(back, doubles) }} {
			fill()
			for i := range n {
				if code := getCode(back, i); code != uint16(i) && !(formats[typ].HasInf && formats[typ].IsNaN(uint64(i))) {
					t.Fatalf("%v: code %#x came back as %#x", typ, i, code)
				}
			}
		}
	}
}

func putCode(l Literal, i int, code uint16) {
	if l.Type().ByteSize() == 1 {
		Values[uint8](l)[i] = uint8(code)
		return
	}
	Values[uint16](l)[i] = code
}

func getCode(l Literal, i int) uint16 {
	if l.Type().ByteSize() == 1 {
		return uint16(Values[uint8](l)[i])
	}
	return Values[uint16](l)[i]
}

func BenchmarkBulkFloats(b *testing.B) {
	const n = 1 << 14
	r := rand.New(rand.NewPCG(5, 6))
	singles := make([]float32, n)
	for i := range singles {
		singles[i] = float32(r.NormFloat64())
	}
	for _, typ := range []shape.ElementType{shape.F16, shape.BF16, shape.F8E5M2, shape.F8E4M3FN, shape.F4E2M1FN} {
		l := New(shape.Make(typ, n))
		b.Run("from32/"+typ.String(), func(b *testing.B) {
			b.SetBytes(4 * n)
			for b.Loop() {
				FromFloat32s(l, singles)
			}
		})
		b.Run("to32/"+typ.String(), func(b *testing.B) {
			b.SetBytes(4 * n)
			for b.Loop() {
				ToFloat32s(singles, l)
			}
		})
	}
}

func BenchmarkEncodeFloat(b *testing.B) {
	v := 0.1
	for b.Loop() {
		EncodeFloat(shape.F8E4M3FN, v)
		v += 0.01
	}
}

func TestBulkFloatsAllocateNothing(t *testing.T) {
	singles := make([]float32, 2*worthTable)
	for _, typ := range floatTypes() {
		l := New(shape.Make(typ, len(singles)))
		run := func() {
			FromFloat32s(l, singles)
			ToFloat32s(singles, l)
		}
		run() // computes the tables
		if n := testing.AllocsPerRun(3, run); n != 0 {
			t.Errorf("%v: %v allocations", typ, n)
		}
	}
}
