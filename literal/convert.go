package literal

import (
	"fmt"

	"github.com/goxla/xla/shape"
)

// Convert returns an array of type t with the dimensions and the order of l and its
// elements converted. An integer keeps its low bits in a narrower integer type and
// is rounded once, to nearest even, in a float type. A float is rounded to nearest
// even in a narrower one, as EncodeFloat does, and truncated and saturated in an
// integer type, where NaN is 0. To pred goes whether the element is other than
// zero. Of a complex number only the real part goes to a type that is not complex.
// Convert fails if l is not an array or t is not an array type.
// Spec: OPS.md, ConvertElementType.
func Convert(l Literal, t shape.ElementType) (Literal, error) {
	if !l.shape.IsArray() || !t.IsArray() {
		return Literal{}, fmt.Errorf("literal: convert %v to %v: want array types", l.shape, t)
	}
	s := l.shape.WithType(t)
	if s.Layout != nil && s.Layout.ElementBits != 0 && t != l.Type() {
		s.Layout = s.Layout.Clone()
		s.Layout.ElementBits = 0
	}
	if err := CheckSize(s); err != nil {
		return Literal{}, err
	}
	out := New(s)
	convert(out, l)
	return out, nil
}

// convert sets dst to src converted; both have the same order of elements. There is
// a direct loop where one side is an integer or both are f32 or f64; the rest goes
// in blocks through the type that is named.
func convert(dst, src Literal) {
	to, from := dst.Type(), src.Type()
	switch {
	case to == from:
		copy(dst.Bytes(), src.Bytes())
	case from.IsComplex() && to.IsComplex():
		convertComplex(dst, src)
	case from.IsComplex():
		convertReal(dst, src)
	case to.IsComplex():
		convertToComplex(dst, src)
	case from.IsFloat() && to.IsFloat():
		convertFloats(dst, src)
	case !from.IsFloat() && to == shape.Pred:
		intKernels[from].toPred(dst, src)
	case !from.IsFloat() && to.IsFloat():
		intKernels[from].toFloat(dst, src)
	case !from.IsFloat():
		intKernels[from].toInt(dst, src)
	case from == shape.F32:
		fromFloats(dst, Values[float32](src))
	case from == shape.F64:
		fromFloats(dst, Values[float64](src))
	default:
		convertThrough(shape.F32, dst, src)
	}
}

// convertFloats converts between different float types.
func convertFloats(dst, src Literal) {
	switch {
	case src.Type() == shape.F64:
		FromFloat64s(dst, Values[float64](src))
	case src.Type() == shape.F32:
		FromFloat32s(dst, Values[float32](src))
	case dst.Type() == shape.F64:
		ToFloat64s(Values[float64](dst), src)
	case dst.Type() == shape.F32:
		ToFloat32s(Values[float32](dst), src)
	default: // both are narrow, and every value is exact in an f32
		convertThrough(shape.F32, dst, src)
	}
}

// fromFloats converts to an integer type or pred.
func fromFloats[S float](dst Literal, src []S) {
	if dst.Type() == shape.Pred {
		for i, out := 0, Values[bool](dst); i < len(src); i++ {
			out[i] = src[i] != 0
		}
		return
	}
	switch v := any(src).(type) {
	case []float32:
		intKernels[dst.Type()].fromFloat32(dst, v)
	case []float64:
		intKernels[dst.Type()].fromFloat64(dst, v)
	}
}

// convertComplex converts between c64 and c128.
func convertComplex(dst, src Literal) {
	if src.Type() == shape.C64 {
		out := Values[complex128](dst)
		for i, v := range Values[complex64](src) {
			out[i] = complex128(v)
		}
		return
	}
	out := Values[complex64](dst)
	for i, v := range Values[complex128](src) {
		out[i] = complex64(v)
	}
}

// convertReal converts the real parts of src to a type that is not complex.
func convertReal(dst, src Literal) {
	switch component := src.Type().Component(); {
	case dst.Type() != component:
		convertThrough(component, dst, src)
	case component == shape.F32:
		out := Values[float32](dst)
		for i, v := range Values[complex64](src) {
			out[i] = real(v)
		}
	default:
		out := Values[float64](dst)
		for i, v := range Values[complex128](src) {
			out[i] = real(v)
		}
	}
}

// convertToComplex converts src, which is not complex, to the real parts of dst.
func convertToComplex(dst, src Literal) {
	switch component := dst.Type().Component(); {
	case src.Type() != component:
		convertThrough(component, dst, src)
	case component == shape.F32:
		out := Values[complex64](dst)
		for i, v := range Values[float32](src) {
			out[i] = complex(v, 0)
		}
	default:
		out := Values[complex128](dst)
		for i, v := range Values[float64](src) {
			out[i] = complex(v, 0)
		}
	}
}

// blockLen is the number of elements converted at a time where a conversion takes
// two steps: few enough for the block to stay in the cache, and enough for the
// tables of encode32s.
const blockLen = worthTable

// convertThrough converts src to type t and that to the type of dst.
func convertThrough(t shape.ElementType, dst, src Literal) {
	n := src.Len()
	block := New(shape.Make(t, min(n, blockLen)))
	for i := 0; i < n; i += blockLen {
		j := min(i+blockLen, n)
		step := block.Part(0, j-i)
		convert(step, src.Part(i, j))
		convert(dst.Part(i, j), step)
	}
}
