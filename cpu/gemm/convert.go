package gemm

import (
	"unsafe"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// number is a type of sums.
type number interface{ float32 | float64 | int32 }

// gather sets element i of dst, of n, to the element of src, an array, at base + i*step.
type gather func(dst, src unsafe.Pointer, base, step, n int)

// scatter stores n sums in row to elements of another type.
type scatter func(dst, row unsafe.Pointer, n int)

// reader returns how elements of type t are read as sums of kind k; nil: not at all.
func reader(k kind, t shape.ElementType) gather {
	switch same := k.sameBits(t); {
	case k.tiles() || k.grouped():
		return dwordsOf(t.ByteSize())
	case k == kindPairs && pairable(t):
		return pairReader(t, 1)
	case same && k == kindF64:
		return copyOf[float64]
	case same:
		return copyOf[float32]
	case k == kindF32:
		return floatReaders[float32](t)
	case k == kindF64:
		return floatReaders[float64](t)
	}
	return intReader(t)
}

func floatReaders[T float32 | float64](t shape.ElementType) gather {
	switch t {
	case shape.F32:
		return gatherOf[T](func(v float32) T { return T(v) })
	case shape.F64:
		return gatherOf[T](func(v float64) T { return T(v) })
	case shape.BF16:
		return gatherOf[T](func(v literal.BF16) T { return T(v.Float32()) })
	case shape.F16:
		return gatherOf[T](func(v literal.F16) T { return T(v.Float32()) })
	case shape.S8:
		return gatherOf[T](func(v int8) T { return T(v) })
	case shape.U8:
		return gatherOf[T](func(v uint8) T { return T(v) })
	case shape.S16:
		return gatherOf[T](func(v int16) T { return T(v) })
	case shape.U16:
		return gatherOf[T](func(v uint16) T { return T(v) })
	case shape.S32:
		return gatherOf[T](func(v int32) T { return T(v) })
	}
	return nil
}

func intReader(t shape.ElementType) gather {
	switch t {
	case shape.S8:
		return gatherOf[int32](func(v int8) int32 { return int32(v) })
	case shape.U8:
		return gatherOf[int32](func(v uint8) int32 { return int32(v) })
	case shape.S16:
		return gatherOf[int32](func(v int16) int32 { return int32(v) })
	case shape.U16:
		return gatherOf[int32](func(v uint16) int32 { return int32(v) })
	case shape.S32, shape.U32:
		return gatherOf[int32](func(v int32) int32 { return v })
	}
	return nil
}

// pairReader returns the gather of pairs of elements that are so many apart, as words.
func pairReader(t shape.ElementType, apart int) gather {
	switch t {
	case shape.S8:
		return pairsOf(apart, func(v int8) uint16 { return uint16(v) })
	case shape.U8:
		return pairsOf(apart, func(v uint8) uint16 { return uint16(v) })
	}
	return pairsOf(apart, func(v int16) uint16 { return uint16(v) })
}

func pairsOf[E int8 | uint8 | int16](apart int, word func(E) uint16) gather {
	return func(dst, src unsafe.Pointer, base, step, n int) {
		to := unsafe.Slice((*uint32)(dst), n)
		size := int(unsafe.Sizeof(E(0)))
		for i := range to {
			first := unsafe.Add(src, (base+i*step)*size)
			second := *(*E)(unsafe.Add(first, apart*size))
			to[i] = uint32(word(*(*E)(first))) | uint32(word(second))<<16
		}
	}
}

func gatherOf[T number, E any](convert func(E) T) gather {
	return func(dst, src unsafe.Pointer, base, step, n int) {
		to := unsafe.Slice((*T)(dst), n)
		var zero E
		for i := range to {
			to[i] = convert(*(*E)(unsafe.Add(src, (base+i*step)*int(unsafe.Sizeof(zero)))))
		}
	}
}

// dwordsOf is the gather of four bytes each, which are several elements of so many bytes.
func dwordsOf(size int) gather {
	return func(dst, src unsafe.Pointer, base, step, n int) {
		to := unsafe.Slice((*uint32)(dst), n)
		for i := range to {
			to[i] = *(*uint32)(unsafe.Add(src, (base+i*step)*size))
		}
	}
}

// copyOf is the gather of elements that are sums as they are, of the size of T.
func copyOf[T number](dst, src unsafe.Pointer, base, step, n int) {
	to := unsafe.Slice((*T)(dst), n)
	for i := range to {
		to[i] = *(*T)(unsafe.Add(src, (base+i*step)*int(unsafe.Sizeof(to[0]))))
	}
}

// writer returns how sums of kind k become elements of type t; nil: not at all.
func writer(k kind, t shape.ElementType) scatter {
	switch k.sums() {
	case kindF32:
		return floatWriter[float32](t)
	case kindF64:
		return floatWriter[float64](t)
	}
	return intWriter(t)
}

func floatWriter[T float32 | float64](t shape.ElementType) scatter {
	switch t {
	case shape.F32:
		return scatterOf(func(v T) float32 { return float32(v) })
	case shape.F64:
		return scatterOf(func(v T) float64 { return float64(v) })
	case shape.BF16:
		return scatterOf(func(v T) literal.BF16 { return literal.BF16From64(float64(v)) })
	case shape.F16:
		return scatterOf(func(v T) literal.F16 { return literal.F16From64(float64(v)) })
	}
	return nil
}

func intWriter(t shape.ElementType) scatter {
	switch t {
	case shape.S32, shape.U32:
		return scatterOf(func(v int32) int32 { return v })
	case shape.S16, shape.U16:
		return scatterOf(func(v int32) int16 { return int16(v) })
	case shape.S8, shape.U8:
		return scatterOf(func(v int32) int8 { return int8(v) })
	}
	return nil
}

func scatterOf[T number, E any](convert func(T) E) scatter {
	return func(dst, row unsafe.Pointer, n int) {
		from, to := unsafe.Slice((*T)(row), n), unsafe.Slice((*E)(dst), n)
		for i, v := range from {
			to[i] = convert(v)
		}
	}
}
