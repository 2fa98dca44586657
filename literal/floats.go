package literal

import (
	"fmt"
	"sync"

	"github.com/goxla/xla/shape"
)

// float is the pair of Go types that small floats are computed in.
type float interface{ float32 | float64 }

// decodeTables holds, for every float type of at most 8 bits, its values by code.
// A table is computed when it is first used.
var decodeTables = func() (all [shape.NumElementTypes]func() *[256]float32) {
	for i := range formats {
		if f := &formats[i]; f.MaxFinite > 0 && f.mask <= 0xff {
			all[i] = sync.OnceValue(f.decodeTable)
		}
	}
	return all
}()

func (f *Format) decodeTable() *[256]float32 {
	t := new([256]float32)
	for code := range t {
		t[code] = float32(f.Decode(uint64(code)))
	}
	return t
}

// ToFloat32s writes the elements of the floating-point array l to dst, in physical
// order, rounded to nearest even if l is f64. It panics if l is of another type or
// dst does not have l.Len() elements.
func ToFloat32s(dst []float32, l Literal) {
	checkFloats(l, len(dst))
	if l.Type() == shape.F64 {
		castSlice(dst, Values[float64](l))
		return
	}
	toFloats(dst, l)
}

// ToFloat64s writes the elements of the floating-point array l to dst, in physical
// order; every value is exact. It panics if l is of another type or dst does not
// have l.Len() elements.
func ToFloat64s(dst []float64, l Literal) {
	checkFloats(l, len(dst))
	if l.Type() == shape.F64 {
		copy(dst, Values[float64](l))
		return
	}
	toFloats(dst, l)
}

// FromFloat32s sets the elements of the floating-point array dst, in physical order,
// to the values of src rounded as EncodeFloat does. It panics if dst is of another
// type or src does not have dst.Len() elements.
func FromFloat32s(dst Literal, src []float32) {
	checkFloats(dst, len(src))
	switch t := dst.Type(); t {
	case shape.F64:
		castSlice(Values[float64](dst), src)
	case shape.F32:
		copy(Values[float32](dst), src)
	case shape.F16:
		for i, out := 0, Values[F16](dst); i < len(src); i++ {
			out[i] = F16From32(src[i])
		}
	case shape.BF16:
		for i, out := 0, Values[BF16](dst); i < len(src); i++ {
			out[i] = BF16From32(src[i])
		}
	default:
		formats[t].encode32s(Values[uint8](dst), src)
	}
}

// FromFloat64s sets the elements of the floating-point array dst, in physical order,
// to the values of src, each rounded once as EncodeFloat does. It panics if dst is
// of another type or src does not have dst.Len() elements.
func FromFloat64s(dst Literal, src []float64) {
	checkFloats(dst, len(src))
	switch t := dst.Type(); t {
	case shape.F64:
		copy(Values[float64](dst), src)
	case shape.F32:
		castSlice(Values[float32](dst), src)
	case shape.F16:
		for i, out := 0, Values[F16](dst); i < len(src); i++ {
			out[i] = F16From64(src[i])
		}
	case shape.BF16:
		for i, out := 0, Values[BF16](dst); i < len(src); i++ {
			out[i] = BF16From64(src[i])
		}
	default:
		for i, out := 0, Values[uint8](dst); i < len(src); i++ {
			out[i] = uint8(formats[t].Encode(src[i]))
		}
	}
}

func checkFloats(l Literal, n int) {
	if !l.Type().IsFloat() || l.Len() != n {
		panic(fmt.Sprintf("literal: %d floating-point values for %v", n, l.shape))
	}
}

// toFloats writes the values of l, which is any float type but f64, to dst.
func toFloats[T float](dst []T, l Literal) {
	switch t := l.Type(); t {
	case shape.F32:
		castSlice(dst, Values[float32](l))
	case shape.F16:
		for i, v := range Values[F16](l) {
			dst[i] = T(v.Float32())
		}
	case shape.BF16:
		for i, v := range Values[BF16](l) {
			dst[i] = T(v.Float32())
		}
	default:
		table := decodeTables[t]()
		for i, v := range Values[uint8](l) {
			dst[i] = T(table[v])
		}
	}
}

// castSlice converts src to the element type of dst, as Go does.
func castSlice[D, S float](dst []D, src []S) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = D(v)
	}
}
