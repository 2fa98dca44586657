package gomlx

import (
	"reflect"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla/literal"
	"github.com/pkg/errors"
)

// A flat is a Go slice with the elements of an array in row-major order, as GoMLX hands them over. Types
// without a Go type of their own are []uint8: 8-bit floats by their codes, those below 8 bits packed, the
// first element in the lowest bits.

// flatKind says how the flats of some element types look.
type flatKind struct {
	view func(data []byte) any // data as a slice of the Go type
	typ  reflect.Type          // of an element
}

func kindOf[T any]() flatKind {
	return flatKind{typ: reflect.TypeFor[T](), view: func(data []byte) any {
		var zero T
		n := len(data) / int(unsafe.Sizeof(zero))
		if n == 0 {
			return []T{}
		}
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
	}}
}

// flatKinds are those by data type; []uint8 where there is none.
var flatKinds = [...]flatKind{
	dtypes.Bool: kindOf[bool](), dtypes.Int8: kindOf[int8](), dtypes.Int16: kindOf[int16](),
	dtypes.Int32: kindOf[int32](), dtypes.Int64: kindOf[int64](), dtypes.Uint16: kindOf[uint16](),
	dtypes.Uint32: kindOf[uint32](), dtypes.Uint64: kindOf[uint64](), dtypes.Float16: kindOf[float16.Float16](),
	dtypes.BFloat16: kindOf[bfloat16.BFloat16](), dtypes.Float32: kindOf[float32](), dtypes.Float64: kindOf[float64](),
	dtypes.Complex64: kindOf[complex64](), dtypes.Complex128: kindOf[complex128](),
}

var byteKind = kindOf[uint8]()
var boolKind = kindOf[bool]()

func flatKindOf(t dtypes.DType) flatKind {
	if int(t) < len(flatKinds) && flatKinds[t].typ != nil {
		return flatKinds[t]
	}
	return byteKind
}

// isPacked reports whether elements of type t share bytes in a flat.
func isPacked(t dtypes.DType) bool {
	bits := elementType(t).Bits()
	return bits < 8 && t != dtypes.Bool
}

// flatBytes is how many bytes the flat of an array of shape s has.
func flatBytes(s shapes.Shape) int {
	t := elementType(s.DType)
	if isPacked(s.DType) {
		return literal.PackedSize(t, s.Size())
	}
	return s.Size() * t.ByteSize()
}

// bytesOf returns the memory of a flat for an array of shape s.
func bytesOf(flat any, s shapes.Shape) ([]byte, error) {
	v := reflect.ValueOf(flat)
	want := flatKindOf(s.DType).typ
	if v.Kind() != reflect.Slice || v.Type().Elem() != want && !sameInt(v.Type().Elem(), want) {
		return nil, errors.Errorf("expected a []%s for an array of shape %s, got %T", want, s, flat)
	}
	n := v.Len() * int(v.Type().Elem().Size())
	if n != flatBytes(s) {
		return nil, errors.Errorf("expected a flat of %d bytes for an array of shape %s, got %d", flatBytes(s), s, n)
	}
	if n == 0 {
		return []byte{}, nil
	}
	return unsafe.Slice((*byte)(v.UnsafePointer()), n), nil
}

// sameInt reports whether got is the Go type int, of the width of want.
func sameInt(got, want reflect.Type) bool {
	return got.Kind() == reflect.Int && (want.Kind() == reflect.Int64 || want.Kind() == reflect.Int32) &&
		got.Size() == want.Size()
}

// literalOf returns the array of shape s whose flat has the given memory, which it shares where elements are
// not packed.
func literalOf(data []byte, s shapes.Shape) (literal.Literal, error) {
	if isPacked(s.DType) {
		return literal.FromPacked(hloShape(s), data)
	}
	return literal.FromBytes(hloShape(s), data)
}

// bytesOfLiteral returns the memory of the flat of array l, shared with it where elements are not packed.
func bytesOfLiteral(l literal.Literal) []byte {
	l = l.RowMajor()
	if isPacked(dtypeOf(l.Shape().Type)) {
		return l.AppendPacked(nil)
	}
	return l.Bytes()
}
