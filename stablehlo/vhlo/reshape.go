package vhlo

import (
	"fmt"

	"github.com/goxla/xla/stablehlo"
)

// This file takes structured attributes of StableHLO apart and puts them together.

// part is one of the flat attributes that a struct attribute becomes: its name in VHLO
// and a pointer to the field.
type part struct {
	name  string
	field any // *int64, *[]int64, *bool or *stablehlo.Type
}

// isFlat reports whether VHLO spells the struct attribute of that name as flat ones.
func isFlat(structName string) bool {
	switch structName {
	case "stablehlo.dot", "stablehlo.gather", "stablehlo.scatter", "stablehlo.conv", "stablehlo.channel_handle",
		"stablehlo.dot_algorithm":
		return true
	}
	return false
}

// newStruct returns an empty struct attribute.
func newStruct(name string) stablehlo.StructAttr { return stablehlo.StructOf(name).New() }

// parts returns the flat attributes of a struct attribute.
func parts(a stablehlo.StructAttr) []part {
	switch a := a.(type) {
	case *stablehlo.ConvDims:
		return []part{
			{"input_batch_dimension", &a.InputBatch},
			{"input_feature_dimension", &a.InputFeature},
			{"input_spatial_dimensions", &a.InputSpatial},
			{"kernel_input_feature_dimension", &a.KernelInputFeature},
			{"kernel_output_feature_dimension", &a.KernelOutputFeature},
			{"kernel_spatial_dimensions", &a.KernelSpatial},
			{"output_batch_dimension", &a.OutputBatch},
			{"output_feature_dimension", &a.OutputFeature},
			{"output_spatial_dimensions", &a.OutputSpatial},
		}
	case *stablehlo.ChannelHandle:
		return []part{{"channel_id", &a.Handle}, {"channel_type", &a.Type}}
	}
	info := stablehlo.StructOf(a.StructName())
	list := make([]part, len(info.Fields))
	for i, f := range info.Fields {
		list[i] = part{f.Name, info.Field(a, i)}
	}
	return list
}

// set stores a flat attribute in the field.
func (p part) set(a stablehlo.Attribute) error {
	switch f := p.field.(type) {
	case *int64:
		v, ok := a.(stablehlo.IntegerAttr)
		if !ok || v.Type == stablehlo.I1 {
			return fmt.Errorf("%s: expected an integer, got %s", p.name, a)
		}
		*f = v.Value
	case *bool:
		v, ok := a.(stablehlo.IntegerAttr)
		if !ok || v.Type != stablehlo.I1 {
			return fmt.Errorf("%s: expected a truth value, got %s", p.name, a)
		}
		*f = v.Value != 0
	case *stablehlo.Type:
		v, ok := a.(stablehlo.TypeAttr)
		if !ok {
			return fmt.Errorf("%s: expected a type, got %s", p.name, a)
		}
		*f = v.Type
	case *[]int64:
		list, err := ints(a)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		*f = list
	}
	return nil
}

// get returns the field as a flat attribute.
func (p part) get() stablehlo.Attribute {
	switch f := p.field.(type) {
	case *int64:
		return stablehlo.Int64(*f)
	case *bool:
		return stablehlo.Bool(*f)
	case *stablehlo.Type:
		return stablehlo.TypeAttr{Type: *f}
	case *[]int64:
		return stablehlo.NewDenseInts(stablehlo.I64, []int64{int64(len(*f))}, *f)
	}
	return nil
}

// maxList is the number of elements up to which a list that is a splat is written out.
const maxList = 1 << 16

// ints returns the numbers of a list that stands as a tensor<nxi64>; nil for an empty one.
func ints(a stablehlo.Attribute) ([]int64, error) {
	t, ok := a.(*stablehlo.DenseElements)
	if !ok || t.Elem() != stablehlo.I64 || len(t.Dims()) != 1 {
		return nil, fmt.Errorf("expected a tensor of one dimension and type i64, got %s", brief(a))
	}
	if t.Splat && t.NumElements() > maxList {
		return nil, fmt.Errorf("expected at most %d numbers, got %d", maxList, t.NumElements())
	}
	list, _ := t.Ints()
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}

// bools returns the truth values of a list that stands as a tensor<nxi1>.
func bools(a stablehlo.Attribute) ([]bool, error) {
	t, ok := a.(*stablehlo.DenseElements)
	if !ok || t.Elem() != stablehlo.I1 || len(t.Dims()) != 1 {
		return nil, fmt.Errorf("expected a tensor of one dimension and type i1, got %s", brief(a))
	}
	if t.Splat && t.NumElements() > maxList {
		return nil, fmt.Errorf("expected at most %d truth values, got %d", maxList, t.NumElements())
	}
	list, _ := t.Ints()
	values := make([]bool, len(list))
	for i, v := range list {
		values[i] = v != 0
	}
	return values, nil
}

// brief describes an attribute in an error.
func brief(a stablehlo.Attribute) string {
	if a == nil {
		return "nothing"
	}
	if d, ok := a.(*stablehlo.DenseElements); ok {
		return "a constant of type " + d.Type.String()
	}
	return a.String()
}

// form converts an attribute of one kind of the table of operations between StableHLO
// and VHLO.
type form struct {
	from, to conversion
}

// forms are the kinds whose attributes differ, by their name.
var forms = map[string]form{
	"i64s":  {fromI64s, toTensor},
	"bools": {fromBools, toTensor},
	"unit": {
		func(a stablehlo.Attribute) (stablehlo.Attribute, error) {
			if a == stablehlo.Attribute(stablehlo.Bool(true)) {
				return stablehlo.UnitAttr{}, nil
			}
			return nil, fmt.Errorf("expected true, got %s", brief(a))
		},
		func(stablehlo.Attribute) (stablehlo.Attribute, error) { return stablehlo.Bool(true), nil },
	},
	"symbol":  {fromSymbol, toSymbol},
	"symbols": {each(fromSymbol), each(toSymbol)},
	"api":     {fromAPIVersion, toAPIVersion},
	"version": {fromVersion, func(a stablehlo.Attribute) (stablehlo.Attribute, error) { return a, nil }},
	"groups":  {fromGroups, toGroups},
}

func fromI64s(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	list, err := ints(a)
	return stablehlo.Int64Array(list...), err
}

func fromBools(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	list, err := bools(a)
	return stablehlo.BoolArray(list...), err
}

// toTensor turns an array into a tensor.
func toTensor(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	list, ok := a.(*stablehlo.DenseArrayAttr)
	if !ok {
		return nil, fmt.Errorf("expected an array, got %s", brief(a))
	}
	elem, ok := list.Elem.(stablehlo.IntegerType)
	if !ok {
		return nil, fmt.Errorf("expected an array of integers, got %s", brief(a))
	}
	v, _ := list.Ints()
	return stablehlo.NewDenseInts(elem, []int64{int64(len(v))}, v), nil
}

func fromSymbol(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	s, ok := a.(stablehlo.StringAttr)
	if !ok {
		return nil, fmt.Errorf("expected the name of a function, got %s", brief(a))
	}
	return stablehlo.Symbol(s.Value), nil
}

func toSymbol(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	s, ok := a.(*stablehlo.SymbolRef)
	if !ok || len(s.Nested) > 0 {
		return nil, fmt.Errorf("expected a flat symbol, got %s", brief(a))
	}
	return stablehlo.StringAttr{Value: s.Root}, nil
}

// conversion makes one attribute of another.
type conversion func(stablehlo.Attribute) (stablehlo.Attribute, error)

// each converts the elements of an array.
func each(f conversion) conversion {
	return func(a stablehlo.Attribute) (stablehlo.Attribute, error) {
		list, ok := a.(*stablehlo.ArrayAttr)
		if !ok {
			return nil, fmt.Errorf("expected a list, got %s", brief(a))
		}
		out := &stablehlo.ArrayAttr{Elems: make([]stablehlo.Attribute, len(list.Elems))}
		for i, e := range list.Elems {
			var err error
			if out.Elems[i], err = f(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

func fromAPIVersion(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	e, ok := a.(stablehlo.EnumAttr)
	if !ok || e.Kind != apiVersion {
		return nil, fmt.Errorf("expected a version of the calling convention, got %s", brief(a))
	}
	return stablehlo.Int32(int32(e.Value)), nil
}

func toAPIVersion(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	v, ok := a.(stablehlo.IntegerAttr)
	e, known := apiVersion.Of(int(v.Value))
	if !ok || !known {
		return nil, fmt.Errorf("expected a number in [0, %d), got %s", len(apiVersion.Words), brief(a))
	}
	return e, nil
}

// fromVersion takes the version of a composite, which some versions wrote in 64 bits.
func fromVersion(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	v, ok := a.(stablehlo.IntegerAttr)
	if !ok || int64(int32(v.Value)) != v.Value {
		return nil, fmt.Errorf("expected a 32-bit integer, got %s", brief(a))
	}
	return stablehlo.Int32(int32(v.Value)), nil
}

// fromGroups turns the name of a mesh into a symbol.
func fromGroups(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	g, ok := a.(*stablehlo.ReplicaGroupMeshAxes)
	if !ok {
		return a, nil
	}
	name, ok := g.Mesh.(stablehlo.StringAttr)
	if !ok {
		return a, nil
	}
	return &stablehlo.ReplicaGroupMeshAxes{Mesh: stablehlo.Symbol(name.Value), Axes: g.Axes}, nil
}

// toGroups turns the symbol of a mesh into its name.
func toGroups(a stablehlo.Attribute) (stablehlo.Attribute, error) {
	g, ok := a.(*stablehlo.ReplicaGroupMeshAxes)
	if !ok {
		return a, nil
	}
	ref, ok := g.Mesh.(*stablehlo.SymbolRef)
	if !ok {
		return a, nil
	}
	return &stablehlo.ReplicaGroupMeshAxes{Mesh: stablehlo.StringAttr{Value: ref.Root}, Axes: g.Axes}, nil
}
