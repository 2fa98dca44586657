package literal

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/shape"
)

// corners returns an array of type t with the values that conversions trip over,
// and random bit patterns.
func corners(t shape.ElementType, r *rand.Rand) Literal {
	floats := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.99, 1.5, 2.5, 3.5, 126.5, 127.5, 128, -128.9, -129, 255.5, 256,
		32767.5, 65535.9, 0x1p31 - 0.5, 0x1p31, -0x1p31 - 0.5, 0x1p32, 0x1p53 + 2, 0x1p62, 0x1p63, -0x1p63, 0x1p64,
		1e300, -1e300, 1e-300, 448, 464, 465, 65504, 65520, 6, 7, 7.5, 28, 30, 31, 57344, 61440, 15.5, 240, 248,
		math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-24, 0x1.8p-25, 0x1p-133, 0x1p-149,
	}
	ints := []int64{
		math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32, 1<<24 + 1, 1<<53 + 1, 1<<62 + 1<<54 + 1,
		1<<62 + 1<<38 + 1, -(1<<62 + 1<<54 + 1), 7, 8, 9, -8, -9, 15, 16, 2049, 2051, 33554435, 1<<62 + 1<<61 - 1,
	}
	l := New(shape.Make(t, len(floats)+len(ints)+400))
	for i := range l.Len() {
		switch {
		case i < len(floats):
			l.SetComplex(i, complex(floats[i], 3))
		case i < len(floats)+len(ints):
			l.SetInt(i, ints[i-len(floats)])
		case t.IsComplex():
			l.SetComplex(i, complex(math.Ldexp(r.Float64()-0.5, r.IntN(140)-70), 1))
		default:
			l.SetBits(i, r.Uint64()>>r.IntN(64))
		}
	}
	return l
}

// convertElement is the plain definition of Convert: it goes through exact numbers.
func convertElement(dst, src Literal, i int) {
	from, to := src.Type(), dst.Type()
	isInt := !from.IsFloat() && !from.IsComplex()
	switch {
	case from.IsComplex() && to.IsComplex():
		dst.SetComplex(i, src.ComplexAt(i))
	case isInt && to.IsInteger():
		dst.SetBits(i, uint64(src.IntAt(i)))
	case isInt && to == shape.Pred:
		dst.SetBool(i, src.BoolAt(i))
	case isInt && (to == shape.F32 || to == shape.C64):
		v := exactInt(src, i)
		single, _ := v.Float32()
		dst.SetFloat(i, float64(single))
	case isInt && to.Bits() < 32:
		// Rounded to odd at 60 bits, and that to odd in a float64: exact for 16 bits.
		v := exactInt(src, i)
		double, accuracy := v.Float64()
		if accuracy != big.Exact && math.Float64bits(double)&1 == 0 {
			toward := math.Inf(1)
			if accuracy == big.Above {
				toward = math.Inf(-1)
			}
			double = math.Nextafter(double, toward)
		}
		dst.SetFloat(i, double)
	case isInt:
		dst.SetFloat(i, src.FloatAt(i))
	default:
		dst.SetFloat(i, src.FloatAt(i))
	}
}

// exactInt returns element i of an integer array.
func exactInt(l Literal, i int) *big.Float {
	v := new(big.Float).SetPrec(64).SetInt64(l.IntAt(i))
	if l.Type() == shape.U64 {
		v.SetUint64(l.BitsAt(i))
	}
	return v
}

// TestConvertAll compares every pair of types with the definition, element by element.
func TestConvertAll(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, from := range arrayTypes() {
		src := corners(from, r)
		for _, to := range arrayTypes() {
			got, err := Convert(src, to)
			if err != nil {
				t.Fatal(err)
			}
			want := New(got.Shape())
			for i := range src.Len() {
				if convertElement(want, src, i); from == to {
					copy(want.Bytes(), src.Bytes())
				}
			}
			if err := Compare(got, want, Tolerance{}); err != nil {
				t.Errorf("%v to %v: %v", from, to, err)
			}
		}
	}
}

// TestConvertLong checks arrays of several blocks, and that long ones, which take
// the tables, give what short ones give.
func TestConvertLong(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	sources := []shape.ElementType{shape.F16, shape.S32, shape.C64, shape.F64, shape.F8E5M2}
	targets := []shape.ElementType{
		shape.BF16, shape.F8E4M3FN, shape.S4, shape.C128, shape.Pred, shape.F8E8M0FNU,
	}
	for _, from := range sources {
		src := New(shape.Make(from, 3*blockLen+5))
		for i := range src.Len() {
			src.SetComplex(i, complex(math.Ldexp(r.Float64()-0.5, r.IntN(40)-20), 0))
		}
		for _, to := range targets {
			got, err := Convert(src, to)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < src.Len(); i += 1000 {
				n := min(1000, src.Len()-i)
				part, err := Convert(src.Part(i, i+n), to)
				if err == nil {
					err = Compare(got.Part(i, i+n), part, Tolerance{})
				}
				if err != nil {
					t.Fatalf("%v to %v from %d: %v", from, to, i, err)
				}
			}
		}
	}
}

func TestConvertKeepsLayout(t *testing.T) {
	layout := shape.MakeLayout(0, 1)
	layout.ElementBits = 4
	src := Of([][]int8{{1, 2, 3}, {4, 5, 6}})
	four, err := Convert(src, shape.S4)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Convert(four.Relayout(layout), shape.F32)
	if err != nil || got.Shape().String() != "f32[2,3]{0,1}" || got.FloatAt(2) != 3 {
		t.Errorf("got %v, %v", got.Shape(), err)
	}
	if _, err := Convert(MakeTuple(src), shape.F32); err == nil {
		t.Error("a tuple was converted")
	}
	if _, err := Convert(src, shape.Token); err == nil {
		t.Error("converted to a token")
	}
}

func TestBitcastConvert(t *testing.T) {
	l := Of([][]uint16{{0x1234, 0x5678}, {0x9abc, 0xdef0}})
	tests := []struct {
		src  Literal
		to   shape.ElementType
		want string
		bits []uint64
	}{
		{l, shape.U32, "u32[2]{0}", []uint64{0x56781234, 0xdef09abc}},
		{l.Relayout(shape.MakeLayout(0, 1)), shape.U32, "u32[2]{0}", []uint64{0x56781234, 0xdef09abc}},
		{l, shape.U8, "u8[2,2,2]{2,1,0}", []uint64{0x34, 0x12, 0x78, 0x56, 0xbc, 0x9a, 0xf0, 0xde}},
		{l.Relayout(shape.MakeLayout(0, 1)), shape.F16, "f16[2,2]{0,1}", []uint64{0x1234, 0x5678, 0x9abc, 0xdef0}},
		{Of(uint8(0xe4)), shape.U2, "u2[4]{0}", []uint64{0, 1, 2, 3}},
		{Of(uint8(0xe4)), shape.S1, "s1[8]{0}", []uint64{0, 0, 1, 0, 0, 1, 1, 1}},
		{Of(uint8(0xf7)), shape.S4, "s4[2]{0}", []uint64{7, 15}},
		{Of(true), shape.U8, "u8[]", []uint64{1}},
		{New(shape.Make(shape.F32, 0, 4)), shape.F64, "", nil},
		{New(shape.Make(shape.F32, 0, 2)), shape.F64, "f64[0]{0}", nil},
		{New(shape.Make(shape.F6E2M3FN, 2)), shape.F6E3M2FN, "f6e3m2fn[2]{0}", []uint64{0, 0}},
		{New(shape.Make(shape.F6E2M3FN, 2)), shape.U8, "", nil},
		{New(shape.Make(shape.C64, 2)), shape.F32, "", nil},
		{New(shape.Make(shape.F32)), shape.F64, "", nil},
		{MakeTuple(l), shape.F64, "", nil},
	}
	for _, tt := range tests {
		got, err := BitcastConvert(tt.src, tt.to)
		if tt.want == "" {
			if err == nil {
				t.Errorf("%v to %v: no error", tt.src.Shape(), tt.to)
			}
			continue
		}
		if err != nil || got.Shape().String() != tt.want {
			t.Errorf("%v to %v: %v, %v; want %s", tt.src.Shape(), tt.to, got.Shape(), err, tt.want)
			continue
		}
		for i, want := range tt.bits {
			if got.BitsAt(i) != want {
				t.Errorf("%v to %v: element %d is %#x, want %#x", tt.src.Shape(), tt.to, i, got.BitsAt(i), want)
			}
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	pairs := [][2]shape.ElementType{
		{shape.F32, shape.F64}, {shape.F32, shape.S32}, {shape.S32, shape.F32}, {shape.S64, shape.S32}, {shape.U8, shape.F32},
		{shape.Pred, shape.F32}, {shape.F32, shape.BF16}, {shape.BF16, shape.F8E4M3FN}, {shape.S32, shape.BF16},
		{shape.S8, shape.F16}, {shape.F32, shape.S4}, {shape.S4, shape.S32}, {shape.F16, shape.S8},
	}
	for _, p := range pairs {
		l := New(shape.Make(p[0], 1<<16))
		for i := range l.Len() {
			l.SetInt(i, int64(i%100))
		}
		out := New(shape.Make(p[1], 1<<16))
		b.Run(p[0].String()+"-"+p[1].String(), func(b *testing.B) {
			for b.Loop() {
				convert(out, l)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<16), "ns/element")
		})
	}
}
