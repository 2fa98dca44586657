package literal

import (
	"fmt"
	"reflect"

	"github.com/goxla/xla/shape"
)

// Of returns an array with the elements of v, which is a Go value of a Native type,
// int (as s64) or uint (as u64), or a slice or array of those nested to any depth:
// [][]float32 gives an f32 of rank 2. The elements are copied; FromSlice shares
// them. A Literal is returned as it is. Of panics where FromAny fails.
func Of(v any) Literal {
	l, err := FromAny(v)
	if err != nil {
		panic(err)
	}
	return l
}

// FromAny is Of for values not known beforehand: it fails if v is of another Go
// type, or if slices of one dimension differ in length.
func FromAny(v any) (Literal, error) {
	if l, ok := v.(Literal); ok {
		return l, nil
	}
	rv := reflect.ValueOf(v)
	var dims []int
	elem := rv
	for elem.IsValid() && (elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array) {
		dims = append(dims, elem.Len())
		if elem.Len() == 0 {
			elem = reflect.Zero(elem.Type().Elem())
			continue
		}
		elem = elem.Index(0)
	}
	if !elem.IsValid() {
		return Literal{}, noArray(v)
	}
	kind, ok := leaves[elem.Type()]
	if !ok {
		return Literal{}, noArray(v)
	}
	s := shape.Make(kind.typ, dims...)
	if err := CheckSize(s); err != nil {
		return Literal{}, err
	}
	l := New(s)
	if _, err := fromNested(l, rv, kind, 0, 0); err != nil {
		return Literal{}, err
	}
	return l, nil
}

// noArray is the error for a value that is none.
func noArray(v any) error {
	return fmt.Errorf("literal: no array from %T: expects a number or bool of Go, or slices or arrays of them", v)
}

// leaf says how the elements of one Go type are stored.
type leaf struct {
	typ shape.ElementType
	// store copies the slice or the one value v to l at the index at.
	store func(l Literal, at int, v any)
}

var leaves = map[reflect.Type]leaf{
	reflect.TypeFor[bool]():       nativeLeaf[bool](shape.Pred),
	reflect.TypeFor[int8]():       nativeLeaf[int8](shape.S8),
	reflect.TypeFor[int16]():      nativeLeaf[int16](shape.S16),
	reflect.TypeFor[int32]():      nativeLeaf[int32](shape.S32),
	reflect.TypeFor[int64]():      nativeLeaf[int64](shape.S64),
	reflect.TypeFor[int]():        {shape.S64, storeInts[int64, int]},
	reflect.TypeFor[uint8]():      nativeLeaf[uint8](shape.U8),
	reflect.TypeFor[uint16]():     nativeLeaf[uint16](shape.U16),
	reflect.TypeFor[uint32]():     nativeLeaf[uint32](shape.U32),
	reflect.TypeFor[uint64]():     nativeLeaf[uint64](shape.U64),
	reflect.TypeFor[uint]():       {shape.U64, storeInts[uint64, uint]},
	reflect.TypeFor[F16]():        nativeLeaf[F16](shape.F16),
	reflect.TypeFor[BF16]():       nativeLeaf[BF16](shape.BF16),
	reflect.TypeFor[float32]():    nativeLeaf[float32](shape.F32),
	reflect.TypeFor[float64]():    nativeLeaf[float64](shape.F64),
	reflect.TypeFor[complex64]():  nativeLeaf[complex64](shape.C64),
	reflect.TypeFor[complex128](): nativeLeaf[complex128](shape.C128),
}

func nativeLeaf[T Native](t shape.ElementType) leaf {
	return leaf{t, func(l Literal, at int, v any) {
		dst := Values[T](l)[at:]
		if one, ok := v.(T); ok {
			dst[0] = one
			return
		}
		copy(dst, v.([]T))
	}}
}

func storeInts[D int64 | uint64, S int | uint](l Literal, at int, v any) {
	dst := Values[D](l)[at:]
	if one, ok := v.(S); ok {
		dst[0] = D(one)
		return
	}
	for i, x := range v.([]S) {
		dst[i] = D(x)
	}
}

// fromNested copies what v holds for dimension d and the ones inside it to l from
// the index at on, and returns the index after it.
func fromNested(l Literal, v reflect.Value, kind leaf, d, at int) (int, error) {
	if d == len(l.shape.Dims) {
		kind.store(l, at, v.Interface())
		return at + 1, nil
	}
	n := l.shape.Dims[d]
	if v.Len() != n {
		return 0, fmt.Errorf("literal: %d elements along dimension %d, want %d as in the first slice", v.Len(), d, n)
	}
	if d == len(l.shape.Dims)-1 && v.Type() == reflect.SliceOf(v.Type().Elem()) {
		kind.store(l, at, v.Interface())
		return at + n, nil
	}
	for i := range n {
		next, err := fromNested(l, v.Index(i), kind, d+1, at)
		if err != nil {
			return 0, err
		}
		at = next
	}
	return at, nil
}
