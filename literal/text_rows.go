package literal

import (
	"strconv"

	"github.com/goxla/xla/shape"
)

// rowFunc appends n elements of l, separated by commas, starting at element off in
// physical order and stride elements apart.
type rowFunc func(dst []byte, l Literal, off, stride, n int) []byte

// rowOf returns the function that prints a row whose elements are seen as T.
func rowOf[T Native](element func(dst []byte, v T) []byte) rowFunc {
	return func(dst []byte, l Literal, off, stride, n int) []byte {
		values := Values[T](l)
		for i := range n {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = element(dst, values[off+i*stride])
		}
		return dst
	}
}

// hloRows and goldenRows print the rows of each element type in HLO text and in the
// form of golden files.
var (
	hloRows    = makeRows(true)
	goldenRows = makeRows(false)
)

func makeRows(hlo bool) (rows [shape.NumElementTypes]rowFunc) {
	for i := range rows {
		if t := shape.ElementType(i); t.IsFloat() && t.Bits() <= 8 {
			rows[i] = rowOf(codeElement[uint8](t, hlo))
		}
	}
	for _, t := range []shape.ElementType{shape.S1, shape.S2, shape.S4, shape.S8} {
		rows[t] = rowOf(appendSigned[int8])
	}
	for _, t := range []shape.ElementType{shape.U1, shape.U2, shape.U4, shape.U8} {
		rows[t] = rowOf(appendUnsigned[uint8])
	}
	rows[shape.S16], rows[shape.U16] = rowOf(appendSigned[int16]), rowOf(appendUnsigned[uint16])
	rows[shape.S32], rows[shape.U32] = rowOf(appendSigned[int32]), rowOf(appendUnsigned[uint32])
	rows[shape.S64], rows[shape.U64] = rowOf(appendSigned[int64]), rowOf(appendUnsigned[uint64])
	rows[shape.F16] = rowOf(codeElement[F16](shape.F16, hlo))
	rows[shape.BF16] = rowOf(codeElement[BF16](shape.BF16, hlo))
	f32, f64 := appendFloat32, appendFloat64
	rows[shape.Pred] = rowOf(appendBit)
	if !hlo {
		f32, f64 = goldenFloat32, goldenFloat64
		rows[shape.Pred] = rowOf(appendBool)
	}
	rows[shape.F32], rows[shape.F64] = rowOf(f32), rowOf(f64)
	rows[shape.C64] = rowOf(func(dst []byte, v complex64) []byte {
		return appendPair(dst, real(v), imag(v), f32)
	})
	rows[shape.C128] = rowOf(func(dst []byte, v complex128) []byte {
		return appendPair(dst, real(v), imag(v), f64)
	})
	return rows
}

// codeElement returns the function that prints a float of 16 bits or fewer.
func codeElement[T uint8 | F16 | BF16](t shape.ElementType, hlo bool) func([]byte, T) []byte {
	f := &formats[t]
	if !hlo {
		return func(dst []byte, v T) []byte { return goldenSmallFloat(dst, f, uint64(v)) }
	}
	return func(dst []byte, v T) []byte { return appendSmallFloat(dst, f, uint64(v)) }
}

func appendSigned[T int8 | int16 | int32 | int64 | int](dst []byte, v T) []byte {
	return strconv.AppendInt(dst, int64(v), 10)
}

func appendUnsigned[T uint8 | uint16 | uint32 | uint64](dst []byte, v T) []byte {
	return strconv.AppendUint(dst, uint64(v), 10)
}

func appendBool(dst []byte, v bool) []byte { return strconv.AppendBool(dst, v) }

// appendBit appends a pred of an array, which HLO text writes shorter than a scalar.
func appendBit(dst []byte, v bool) []byte {
	if v {
		return append(dst, '1')
	}
	return append(dst, '0')
}

// appendPair appends a complex number whose parts are printed by part.
func appendPair[T float32 | float64](dst []byte, re, im T, part func([]byte, T) []byte) []byte {
	dst = part(append(dst, '('), re)
	dst = part(append(dst, ", "...), im)
	return append(dst, ')')
}
