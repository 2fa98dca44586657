package jaxexport

import (
	"strings"

	"github.com/goxla/xla/shape"
)

// Aval is the type of an array: sizes that may be expressions, and the type of its
// elements.
type Aval struct {
	Dims        []Dim
	DType       string            // as JAX calls it: "float32"
	Elem        shape.ElementType // of the module's array; U32 for keys, Invalid for float0
	KeySize     int               // of a random key: the array in the module has a last dimension of that size
	MemorySpace string            // "device", "host", "any", or "" if nothing is said
}

// dtype is an element type of JAX.
type dtype struct {
	name    string
	elem    shape.ElementType
	keySize int
}

// dtypes are the element types by their number in a file.
var dtypes = []dtype{
	{"bool", shape.Pred, 0},
	{"int8", shape.S8, 0}, {"int16", shape.S16, 0}, {"int32", shape.S32, 0}, {"int64", shape.S64, 0},
	{"uint8", shape.U8, 0}, {"uint16", shape.U16, 0}, {"uint32", shape.U32, 0}, {"uint64", shape.U64, 0},
	{"float16", shape.F16, 0}, {"float32", shape.F32, 0}, {"float64", shape.F64, 0},
	{"complex64", shape.C64, 0}, {"complex128", shape.C128, 0}, {"bfloat16", shape.BF16, 0},
	{"int4", shape.S4, 0}, {"uint4", shape.U4, 0},
	{"float8_e4m3b11fnuz", shape.F8E4M3B11FNUZ, 0}, {"float8_e4m3fn", shape.F8E4M3FN, 0},
	{"float8_e4m3fnuz", shape.F8E4M3FNUZ, 0}, {"float8_e5m2", shape.F8E5M2, 0},
	{"float8_e5m2fnuz", shape.F8E5M2FNUZ, 0}, {"float0", shape.Invalid, 0},
	{"float8_e4m3", shape.F8E4M3, 0}, {"float8_e3m4", shape.F8E3M4, 0}, {"float8_e8m0fnu", shape.F8E8M0FNU, 0},
	{"float4_e2m1fn", shape.F4E2M1FN, 0},
	{"key<fry>", shape.U32, 2}, {"key<rbg>", shape.U32, 4}, {"key<urbg>", shape.U32, 4},
}

var memorySpaces = []string{"", "device", "host", "any"}

// readAval reads a type.
func readAval(t table) Aval {
	k, space := t.byte(2), t.byte(3)
	if t.w.err == nil && (k >= len(dtypes) || space >= len(memorySpaces)) {
		t.w.fail(t.pos, "unknown element type %d or memory space %d", k, space)
	}
	if t.w.err != nil {
		return Aval{}
	}
	a := Aval{DType: dtypes[k].name, Elem: dtypes[k].elem, KeySize: dtypes[k].keySize, MemorySpace: memorySpaces[space]}
	for _, text := range t.texts(1) {
		d, err := ParseDim(text)
		if err != nil {
			t.w.fail(t.pos, "size of a dimension: %v", err)
			return Aval{}
		}
		a.Dims = append(a.Dims, d)
	}
	return a
}

// String returns "float32[b,16]".
func (a Aval) String() string {
	var dims []string
	for _, d := range a.Dims {
		dims = append(dims, d.String())
	}
	return a.DType + "[" + strings.Join(dims, ",") + "]"
}

// uniques are the parts of a file that others refer to by number.
type uniques struct {
	avals     []Aval
	meshes    []*Mesh
	shardings []*Sharding
}

// avalList reads a list of types: numbers of unique ones, or before version 10 the
// types themselves.
func (u *uniques) avalList(t table, indices, direct int) []Aval {
	numbers := t.numbers(indices, 4)
	if len(numbers) == 0 {
		return each(t.vector(direct, 4), readAval)
	}
	list := make([]Aval, 0, len(numbers))
	for _, n := range numbers {
		if n >= len(u.avals) {
			t.w.fail(t.pos, "type: %d is not in [0, %d)", n, len(u.avals))
			return nil
		}
		list = append(list, u.avals[n])
	}
	return list
}
