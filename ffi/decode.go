package ffi

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Get returns attribute name of d as a T: bool, string, a sized integer or float of
// exactly the attribute's type, int for any integer, a slice of those, a
// literal.Literal, a Dict, a struct as Decode takes it, or one of the types that Dict
// lists. A JSON number goes into any type that holds it. Get fails if there is no such
// attribute or it has another type.
func Get[T any](d Dict, name string) (T, error) {
	var v T
	value, ok := d.Lookup(name)
	if !ok {
		return v, fmt.Errorf("expects an attribute %q, got %v", name, d.names())
	}
	if err := assign(reflect.ValueOf(&v).Elem(), value); err != nil {
		return v, fmt.Errorf("attribute %q: %w", name, err)
	}
	return v, nil
}

func (d Dict) names() []string {
	names := make([]string, len(d))
	for i, a := range d {
		names[i] = a.Name
	}
	return names
}

// Decode sets the fields of a struct from the attributes that their tags name,
// `ffi:"axis"`; `ffi:"axis,optional"` may be missing. Fields without a tag are left
// alone. It fails if an attribute is missing, has another type than the field (see
// Get), or is in no field.
func Decode(d Dict, dst any) error {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("ffi.Decode: expects a pointer to a struct, got %T", dst)
	}
	return decodeStruct(v.Elem(), d)
}

func decodeStruct(v reflect.Value, d Dict) error {
	used := map[string]bool{}
	for i := range v.NumField() {
		tag, ok := v.Type().Field(i).Tag.Lookup("ffi")
		if !ok {
			continue
		}
		name, flag, _ := strings.Cut(tag, ",")
		value, found := d.Lookup(name)
		if !found {
			if flag == "optional" {
				continue
			}
			return fmt.Errorf("expects an attribute %q, got %v", name, d.names())
		}
		used[name] = true
		if err := assign(v.Field(i), value); err != nil {
			return fmt.Errorf("attribute %q: %w", name, err)
		}
	}
	for _, a := range d {
		if !used[a.Name] {
			return fmt.Errorf("attribute %q: expects no such attribute", a.Name)
		}
	}
	return nil
}

// assign sets dst to an attribute's value.
func assign(dst reflect.Value, value any) error {
	if v := reflect.ValueOf(value); v.Type().AssignableTo(dst.Type()) {
		dst.Set(v)
		return nil
	}
	switch v := value.(type) {
	case Number:
		return assignNumber(dst, string(v))
	case literal.Literal:
		return assignLiteral(dst, v)
	case List:
		return assignList(dst, v)
	case Dict:
		if dst.Kind() == reflect.Struct {
			return decodeStruct(dst, v)
		}
	}
	return mismatch(dst, value)
}

func mismatch(dst reflect.Value, value any) error {
	if l, ok := value.(literal.Literal); ok {
		return fmt.Errorf("expects a %v, got %s", dst.Type(), l.AppendGolden(nil))
	}
	return fmt.Errorf("expects a %v, got %v of type %T", dst.Type(), value, value)
}

// assignNumber sets dst to a number without a type.
func assignNumber(dst reflect.Value, text string) error {
	switch {
	case dst.CanInt():
		if v, err := strconv.ParseInt(text, 10, dst.Type().Bits()); err == nil {
			dst.SetInt(v)
			return nil
		}
	case dst.CanUint():
		if v, err := strconv.ParseUint(text, 10, dst.Type().Bits()); err == nil {
			dst.SetUint(v)
			return nil
		}
	case dst.CanFloat():
		if v, err := strconv.ParseFloat(text, dst.Type().Bits()); err == nil {
			dst.SetFloat(v)
			return nil
		}
	}
	return mismatch(dst, Number(text))
}

// assignLiteral sets dst to a typed number or array.
func assignLiteral(dst reflect.Value, l literal.Literal) error {
	switch {
	case l.Shape().IsScalar():
		return assignElement(dst, l, 0)
	case l.Shape().Rank() == 1 && dst.Kind() == reflect.Slice:
		s := reflect.MakeSlice(dst.Type(), l.Len(), l.Len())
		for i := range l.Len() {
			if err := assignElement(s.Index(i), l, i); err != nil {
				return err
			}
		}
		dst.Set(s)
		return nil
	}
	return mismatch(dst, l)
}

// assignElement sets dst to element i of l. But for int, which takes any integer, dst
// has the type that stands for the element type.
func assignElement(dst reflect.Value, l literal.Literal, i int) error {
	t, anyInt := l.Type(), dst.Kind() == reflect.Int && l.Type().IsInteger()
	if !anyInt && goTypes[t] != dst.Type() {
		return mismatch(dst, l)
	}
	switch {
	case t == shape.Pred:
		dst.SetBool(l.BoolAt(i))
	case dst.CanInt():
		v := l.IntAt(i)
		if dst.OverflowInt(v) || t == shape.U64 && v < 0 {
			return mismatch(dst, l)
		}
		dst.SetInt(v)
	case dst.CanUint():
		dst.SetUint(l.BitsAt(i))
	case dst.CanFloat():
		dst.SetFloat(l.FloatAt(i))
	default:
		dst.SetComplex(l.ComplexAt(i))
	}
	return nil
}

// goTypes are the Go types that stand for one element type, as package literal has them.
var goTypes = map[shape.ElementType]reflect.Type{
	shape.Pred: reflect.TypeFor[bool](),
	shape.S8:   reflect.TypeFor[int8](),
	shape.S16:  reflect.TypeFor[int16](),
	shape.S32:  reflect.TypeFor[int32](),
	shape.S64:  reflect.TypeFor[int64](),
	shape.U8:   reflect.TypeFor[uint8](),
	shape.U16:  reflect.TypeFor[uint16](),
	shape.U32:  reflect.TypeFor[uint32](),
	shape.U64:  reflect.TypeFor[uint64](),
	shape.F16:  reflect.TypeFor[literal.F16](),
	shape.BF16: reflect.TypeFor[literal.BF16](),
	shape.F32:  reflect.TypeFor[float32](),
	shape.F64:  reflect.TypeFor[float64](),
	shape.C64:  reflect.TypeFor[complex64](),
	shape.C128: reflect.TypeFor[complex128](),
}

// assignList sets a slice to the values of a list.
func assignList(dst reflect.Value, list List) error {
	if dst.Kind() != reflect.Slice {
		return mismatch(dst, list)
	}
	s := reflect.MakeSlice(dst.Type(), len(list), len(list))
	for i, v := range list {
		if err := assign(s.Index(i), v); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	dst.Set(s)
	return nil
}
