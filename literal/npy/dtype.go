package npy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goxla/xla/shape"
)

// dtype is how NumPy names an element type: `<f4`.
type dtype struct {
	kind byte
	size int // bytes
	big  bool
}

// numpyTypes lists the element types that NumPy has, except pred.
var numpyTypes = []struct {
	kind byte
	t    shape.ElementType
}{
	{'i', shape.S8}, {'i', shape.S16}, {'i', shape.S32}, {'i', shape.S64},
	{'u', shape.U8}, {'u', shape.U16}, {'u', shape.U32}, {'u', shape.U64},
	{'f', shape.F16}, {'f', shape.F32}, {'f', shape.F64}, {'c', shape.C64}, {'c', shape.C128}, {'b', shape.Pred},
}

// kindNames says what the kinds of NumPy are that have no element type.
var kindNames = map[byte]string{
	'f': "floating-point numbers of this width", 'O': "Python objects", 'S': "byte strings", 'a': "byte strings",
	'U': "strings", 'M': "dates", 'm': "time differences", 'V': "raw data of this width",
}

// rawTypes are the element types of raw data, by width in bytes.
var rawTypes = map[int]shape.ElementType{1: shape.U8, 2: shape.U16, 4: shape.U32, 8: shape.U64}

// raw returns the unsigned integers that hold what np.save writes for the types of
// ml_dtypes, whose names it loses: raw data, or one-byte floats.
func (d dtype) raw() shape.ElementType {
	if d.kind == 'V' || d.kind == 'f' && d.size == 1 {
		return rawTypes[d.size]
	}
	return shape.Invalid
}

// parseDescr reads the descr of a header.
func parseDescr(descr string) (d dtype, err error) {
	rest := descr
	if rest != "" {
		switch rest[0] {
		case '>':
			d.big = true
			rest = rest[1:]
		case '<', '|', '=':
			rest = rest[1:]
		}
	}
	if _, ok := kindNames[firstByte(rest)]; ok && len(rest) == 1 {
		return dtype{kind: rest[0]}, nil // "|O" has no width
	}
	if len(rest) < 2 {
		return dtype{}, fmt.Errorf("descr %q is not the name of an element type", descr)
	}
	d.kind = rest[0]
	if d.kind == 'M' || d.kind == 'm' { // with its unit
		rest, _, _ = strings.Cut(rest, "[")
	}
	size, err := strconv.ParseUint(rest[1:], 10, 16)
	if err != nil {
		return dtype{}, fmt.Errorf("descr %q: %q is not a width in bytes", descr, rest[1:])
	}
	d.size = int(size)
	return d, nil
}

// firstByte returns the first byte of s, or 0.
func firstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// descrOf returns the descr for elements of type t, and for the unsigned integers
// that stand for them where NumPy lacks t.
func descrOf(t shape.ElementType) string {
	kind := byte('u')
	for _, n := range numpyTypes {
		if n.t == t {
			kind = n.kind
		}
	}
	order := "<"
	if t.ByteSize() == 1 {
		order = "|"
	}
	return order + string(kind) + strconv.Itoa(t.ByteSize())
}

func hasNumPy(t shape.ElementType) bool {
	for _, n := range numpyTypes {
		if n.t == t {
			return true
		}
	}
	return false
}

// elementType returns the type of the elements: that of d itself, or as, of which
// integers or raw data of its width hold the bits. as is shape.Invalid if nothing is
// known but d.
func (d dtype) elementType(as shape.ElementType) (shape.ElementType, error) {
	native := shape.Invalid
	for _, n := range numpyTypes {
		if n.kind == d.kind && n.t.ByteSize() == d.size {
			native = n.t
		}
	}
	switch {
	case as == shape.Invalid && native != shape.Invalid:
		return native, nil
	case as == shape.Invalid && d.raw() != shape.Invalid:
		return d.raw(), nil
	case as == shape.Invalid:
		name, ok := kindNames[d.kind]
		if !ok {
			name = "elements"
		}
		return shape.Invalid, fmt.Errorf("dtype %v: %s have no element type", d, name)
	case as == native:
		return as, nil
	}
	bits := d.kind == 'u' || d.kind == 'i' || d.kind == 'V' || d.kind == 'f' && native == shape.Invalid
	if !bits || d.size != as.ByteSize() || as.IsComplex() {
		return shape.Invalid, fmt.Errorf("dtype %v: its elements are not the bits of %v", d, as)
	}
	return as, nil
}

// String returns d as NumPy writes it.
func (d dtype) String() string {
	order := "<"
	switch {
	case d.size == 0:
		return "|" + string(rune(d.kind))
	case d.size == 1:
		order = "|"
	case d.big:
		order = ">"
	}
	return order + string(rune(d.kind)) + strconv.Itoa(d.size)
}

var errStructured = errors.New("descr: a structured dtype has no element type; save each field as an array")
