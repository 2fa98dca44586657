package lapack

import (
	"unsafe"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// array is an operand or a result in row-major order: n elements in memory that is aligned for them.
type array struct {
	elem shape.ElementType
	n    int
	data []byte
}

// valuesOf are the elements of a, which are of type E.
func valuesOf[E any](a *array) []E {
	if a.n == 0 {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(a.data))), a.n)
}

// isAligned reports whether data may be the memory of elements of 8 bytes.
func isAligned(data []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 == 0 }

// alignedBytes returns n bytes that are.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// aligned returns data where elements of 8 bytes may be: itself, or a copy.
//
//go:noinline
func aligned(data []byte) []byte {
	if isAligned(data) {
		return data
	}
	to := alignedBytes(len(data))
	copy(to, data)
	return to
}

// literal is a, of a type that has no faster way.
func (a *array) literal() literal.Literal {
	l, err := literal.FromBytes(shape.Make(a.elem, a.n), a.data)
	if err != nil {
		panic(err) // it was checked that there are so many
	}
	return l
}

// elements returns those of a as numbers, which are lent if they are the memory of a.
func elements[T field](p *problem[T], a *array) (all []T, lent bool) {
	switch a.elem {
	case shape.F32:
		if v, ok := any(valuesOf[float32](a)).([]T); ok {
			return v, true
		}
	case shape.F64:
		if v, ok := any(valuesOf[float64](a)).([]T); ok {
			return v, true
		}
	case shape.C128:
		if v, ok := any(valuesOf[complex128](a)).([]T); ok {
			return v, true
		}
	}
	all = p.numbers(a.n)
	switch to := any(all).(type) {
	case []float64:
		floats(to, a)
	case []float32:
		literal.ToFloat32s(to, a.literal())
	case []complex128:
		complexes(to, a)
	}
	return all, false
}

// floats sets to the elements of a.
func floats(to []float64, a *array) {
	switch {
	case a.elem == shape.F32:
		for i, x := range valuesOf[float32](a) {
			to[i] = float64(x)
		}
	case a.elem.IsFloat():
		literal.ToFloat64s(to, a.literal())
	default:
		l := a.literal()
		for i := range to {
			to[i] = float64(l.IntAt(i))
		}
	}
}

// complexes sets to the elements of a.
func complexes(to []complex128, a *array) {
	if a.elem == shape.C64 {
		for i, x := range valuesOf[complex64](a) {
			to[i] = complex128(x)
		}
		return
	}
	l := a.literal()
	for i := range to {
		to[i] = load(l, i)
	}
}

func load(x literal.Literal, i int) complex128 {
	switch t := x.Type(); {
	case t.IsComplex():
		return x.ComplexAt(i)
	case t.IsFloat():
		return complex(x.FloatAt(i), 0)
	}
	return complex(float64(x.IntAt(i)), 0)
}

// resultFor is the result for a: its own memory, if that has such numbers.
func (p *problem[T]) resultFor(a *array) result {
	switch {
	case a.elem == shape.C128:
		return result{z: valuesOf[complex128](a)}
	case a.elem.IsComplex():
		if z, ok := any(p.numbers(a.n)).([]complex128); ok {
			return result{z: z}
		}
		return result{z: make([]complex128, a.n)}
	case a.elem == shape.F64:
		return result{re: valuesOf[float64](a)}
	case a.elem == shape.F32 && isSingle[T]():
		return result{single: valuesOf[float32](a)}
	default:
		return result{re: p.reals(a.n)}
	}
}

// store sets the elements of a to those of r, which may be there already.
func store(a *array, r result) {
	switch a.elem {
	case shape.C128:
		copy(valuesOf[complex128](a), r.z)
	case shape.C64:
		to := valuesOf[complex64](a)
		for i, z := range r.z {
			to[i] = complex64(z)
		}
	case shape.F64:
		copy(valuesOf[float64](a), r.re)
	case shape.F32:
		to := valuesOf[float32](a) // where it is if it is single
		for i, x := range r.re {
			to[i] = float32(x)
		}
	case shape.S32:
		to := valuesOf[int32](a)
		for i, x := range r.re {
			to[i] = int32(x)
		}
	default:
		storeOther(a, r)
	}
}

func storeOther(a *array, r result) {
	l := a.literal()
	if a.elem.IsFloat() {
		literal.FromFloat64s(l, r.re)
		return
	}
	for i, x := range r.re {
		l.SetInt(i, int64(x))
	}
}
