package stablehlo

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// StructField is a named part of a struct attribute.
type StructField struct {
	Name      string
	OmitEmpty bool // text leaves the field out where it has its zero value
	index     int
}

// StructInfo describes the fields of one struct attribute in the order of text.
type StructInfo struct {
	Name   string // dialect and name
	Fields []StructField
	typ    reflect.Type
}

// structs holds the struct attributes by name.
var structs = sync.OnceValue(func() map[string]*StructInfo {
	all := map[string]*StructInfo{}
	for _, s := range []StructAttr{
		&DotDims{}, &RaggedDotDims{}, &GatherDims{}, &ScatterDims{}, &ConvDims{}, &ChannelHandle{},
		&OutputOperandAlias{}, &TypeExtensions{}, &DotAlgorithm{}, &ResultAccuracy{}, &AxisRef{},
		&ReplicaGroupMeshAxes{}, &MeshAxis{}, &Mesh{},
	} {
		all[s.StructName()] = describe(s)
	}
	return all
})

// StructOf returns the description of the struct attribute of that dialect and name,
// "stablehlo.dot"; nil if there is none.
func StructOf(name string) *StructInfo { return structs()[name] }

// describe reads the tags of a struct attribute.
func describe(s StructAttr) *StructInfo {
	info := &StructInfo{Name: s.StructName(), typ: reflect.TypeOf(s).Elem()}
	for i := range info.typ.NumField() {
		tag, ok := info.typ.Field(i).Tag.Lookup("mlir")
		if !ok {
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		info.Fields = append(info.Fields, StructField{Name: name, OmitEmpty: rest == "omitempty", index: i})
	}
	return info
}

// New returns an attribute with zero fields, to be filled through Field before use.
func (i *StructInfo) New() StructAttr {
	return reflect.New(i.typ).Interface().(StructAttr)
}

// Find returns the place of the field called name among Fields, -1 if there is none.
func (i *StructInfo) Find(name string) int {
	return slices.IndexFunc(i.Fields, func(f StructField) bool { return f.Name == name })
}

// Field returns a pointer to the k-th field of a: *[]int64, *int64, *bool, *float64,
// *string, *Type, *EnumAttr, **SubAxisInfo, **ArrayAttr or *Attribute.
func (i *StructInfo) Field(a StructAttr, k int) any {
	return reflect.ValueOf(a).Elem().Field(i.Fields[k].index).Addr().Interface()
}

// isZero reports whether the k-th field has its zero value.
func (i *StructInfo) isZero(a StructAttr, k int) bool {
	v := reflect.ValueOf(a).Elem().Field(i.Fields[k].index)
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.IsZero()
}

// appendStruct appends #dialect.name<fields>.
func appendStruct(dst []byte, a StructAttr) []byte {
	dst = append(append(append(dst, '#'), a.StructName()...), '<')
	return append(AppendFields(dst, a), '>')
}

// AppendFields appends "name = value, ...", what stands between the angle brackets.
func AppendFields(dst []byte, a StructAttr) []byte {
	info := StructOf(a.StructName())
	first := true
	for k, f := range info.Fields {
		if f.OmitEmpty && info.isZero(a, k) {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(append(dst, f.Name...), " = "...)
		dst = appendField(dst, info.Field(a, k))
	}
	return dst
}

// appendField appends the value of a field.
func appendField(dst []byte, p any) []byte {
	switch v := p.(type) {
	case *[]int64:
		return AppendDims(dst, *v)
	case *int64:
		return strconv.AppendInt(dst, *v, 10)
	case *bool:
		return strconv.AppendBool(dst, *v)
	case *float64:
		return appendF64(dst, *v)
	case *string:
		return AppendQuoted(dst, *v)
	case *Type:
		return (*v).AppendText(dst)
	case *EnumAttr:
		return v.AppendText(dst)
	case **SubAxisInfo:
		dst = strconv.AppendInt(append(dst, '('), (*v).PreSize, 10)
		return strconv.AppendInt(append(dst, ')'), (*v).Size, 10)
	case **ArrayAttr:
		return (*v).AppendText(dst)
	case *Attribute:
		return (*v).AppendText(dst)
	}
	return dst
}

// AppendDims appends [1, 2, ?], with ? for [Dynamic].
func AppendDims(dst []byte, dims []int64) []byte {
	dst = append(dst, '[')
	for i, d := range dims {
		dst = appendDim(appendComma(dst, i), d)
	}
	return append(dst, ']')
}
