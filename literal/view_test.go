package literal

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla/shape"
)

// panicOf returns what f panics with as text, "" if it does not.
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// viewCase tries one Go type on an array of an element type.
type viewCase struct {
	name string
	// values and view are the panics of Values and View, slice the error of FromSlice.
	values, view func(l Literal) string
	slice        func(s shape.Shape) error
}

func tryAs[T Native]() viewCase {
	var zero T
	return viewCase{
		name:   fmt.Sprintf("%T", zero),
		values: func(l Literal) string { return panicOf(func() { Values[T](l) }) },
		view:   func(l Literal) string { return panicOf(func() { View[T](l) }) },
		slice:  func(s shape.Shape) error { _, err := FromSlice(s, make([]T, 2)); return err },
	}
}

// naturalTypes are the Go types of the elements, as the comment of Values has them.
func naturalTypes(t shape.ElementType) []string {
	switch bits := 8 * t.ByteSize(); {
	case t == shape.Pred:
		return []string{"bool"}
	case t == shape.F16:
		return []string{"literal.F16", "uint16"}
	case t == shape.BF16:
		return []string{"literal.BF16", "uint16"}
	case t.IsSigned():
		return []string{fmt.Sprint("int", bits)}
	case t.IsComplex():
		return []string{fmt.Sprint("complex", bits)}
	case t.IsFloat() && bits > 8:
		return []string{fmt.Sprint("float", bits)}
	default:
		return []string{fmt.Sprint("uint", bits)}
	}
}

// TestValuesTypes: Values and FromSlice take the natural Go types of each element type and no other, View those of
// its width.
func TestValuesTypes(t *testing.T) {
	all := []viewCase{tryAs[bool](), tryAs[int8](), tryAs[int16](), tryAs[int32](), tryAs[int64](), tryAs[uint8](),
		tryAs[uint16](), tryAs[uint32](), tryAs[uint64](), tryAs[float32](), tryAs[float64](), tryAs[complex64](),
		tryAs[complex128](), tryAs[F16](), tryAs[BF16]()}
	sizes := map[string]int{"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "literal.F16": 2,
		"literal.BF16": 2, "int32": 4, "uint32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8,
		"complex64": 8, "complex128": 16}
	for typ := range shape.NumElementTypes {
		typ := shape.ElementType(typ)
		if !typ.IsArray() {
			continue
		}
		s := shape.Make(typ, 2)
		l, want := New(s), naturalTypes(typ)
		for _, c := range all {
			natural := slices.Contains(want, c.name)
			if got := c.values(l); (got == "") != natural {
				t.Errorf("Values[%s] of %v: panic %q, natural types are %v", c.name, s, got, want)
			}
			if got := c.slice(s); (got == nil) != natural {
				t.Errorf("FromSlice of %s for %v: %v, natural types are %v", c.name, s, got, want)
			}
			if got := c.view(l); (got == "") != (sizes[c.name] == typ.ByteSize()) {
				t.Errorf("View[%s] of %v: panic %q", c.name, s, got)
			}
		}
	}
	const want = "literal: Values[int32] of f32[2]: expects float32"
	if got := panicOf(func() { Values[int32](Of([]float32{1, 2})) }); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l := Of([]float32{1, 2})
	c := Of([]complex128{1, 2})
	if n := testing.AllocsPerRun(100, func() { Values[float32](l)[0]++; Values[complex128](c)[0]++ }); n != 0 {
		t.Errorf("Values allocates %g times", n)
	}
}
