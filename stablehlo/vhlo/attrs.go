package vhlo

import (
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/bytecode"
)

// The codes of attributes.
const (
	attrArray                = 1
	attrBool                 = 2
	attrComparisonDirection  = 3
	attrComparisonType       = 4
	attrAPIVersion           = 5
	attrDict                 = 6
	attrFFTType              = 7
	attrFloat                = 8
	attrInteger              = 9
	attrAlias                = 10
	attrPrecision            = 11
	attrRNGAlgorithm         = 12
	attrRNGDistribution      = 13
	attrString               = 14
	attrTensor               = 15
	attrTranspose            = 16
	attrType                 = 17
	attrTypeExtensions       = 18
	attrResultAccuracyMode   = 19
	attrResultAccuracy       = 20
	attrSubAxisInfo          = 21
	attrAxisRef              = 22
	attrReplicaGroupMeshAxes = 23
	attrMeshAxis             = 24
	attrMesh                 = 25
	numAttrs                 = 26
)

// apiVersion is the closed list of which StableHLO writes the value as an integer.
var apiVersion = &stablehlo.EnumKind{Dialect: "vhlo", Name: "api_version_v1", Words: []string{
	"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
	"API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI",
}}

// enums are the closed lists by code.
var enums = map[int]*stablehlo.EnumKind{
	attrComparisonDirection: stablehlo.ComparisonDirection,
	attrComparisonType:      stablehlo.ComparisonType,
	attrAPIVersion:          apiVersion,
	attrFFTType:             stablehlo.FFTType,
	attrPrecision:           stablehlo.Precision,
	attrRNGAlgorithm:        stablehlo.RNGAlgorithm,
	attrRNGDistribution:     stablehlo.RNGDistribution,
	attrTranspose:           stablehlo.Transpose,
	attrResultAccuracyMode:  stablehlo.ResultAccuracyMode,
}

// Dialect is VHLO as package bytecode sees it. Attributes and types get those of
// package stablehlo.
var Dialect = &bytecode.Dialect{
	Name:       "vhlo",
	Attrs:      attrReaders(),
	Types:      typeReaders(),
	Props:      props,
	EncodeAttr: encodeAttr,
	EncodeType: encodeType,
}

// subAxis carries a part of a mesh axis to the axis that it belongs to.
type subAxis struct {
	stablehlo.UnitAttr
	info stablehlo.SubAxisInfo
}

// attrReaders returns the readers of attributes by code.
func attrReaders() []func(*bytecode.Decoder) stablehlo.Attribute {
	list := make([]func(*bytecode.Decoder) stablehlo.Attribute, numAttrs)
	for code, kind := range enums {
		list[code] = func(d *bytecode.Decoder) stablehlo.Attribute { return readEnum(d, kind) }
	}
	list[attrArray] = func(d *bytecode.Decoder) stablehlo.Attribute { return &stablehlo.ArrayAttr{Elems: d.Attrs()} }
	list[attrBool] = func(d *bytecode.Decoder) stablehlo.Attribute {
		return stablehlo.Bool(d.Small("truth value", 1) == 1)
	}
	list[attrDict] = readDict
	list[attrFloat] = func(d *bytecode.Decoder) stablehlo.Attribute { return d.FloatAttr(d.Type()) }
	list[attrInteger] = func(d *bytecode.Decoder) stablehlo.Attribute { return d.IntegerAttr(d.Type()) }
	list[attrAlias] = readAlias
	list[attrString] = func(d *bytecode.Decoder) stablehlo.Attribute { return stablehlo.StringAttr{Value: d.Text()} }
	list[attrTensor] = func(d *bytecode.Decoder) stablehlo.Attribute { return d.Dense(d.Type()) }
	list[attrType] = func(d *bytecode.Decoder) stablehlo.Attribute { return stablehlo.TypeAttr{Type: d.Type()} }
	list[attrTypeExtensions] = func(d *bytecode.Decoder) stablehlo.Attribute {
		return &stablehlo.TypeExtensions{Bounds: d.Int64s()}
	}
	list[attrResultAccuracy] = readAccuracy
	list[attrSubAxisInfo] = func(d *bytecode.Decoder) stablehlo.Attribute {
		return subAxis{info: stablehlo.SubAxisInfo{PreSize: d.Signed(), Size: d.Signed()}}
	}
	list[attrAxisRef] = readAxisRef
	list[attrReplicaGroupMeshAxes] = func(d *bytecode.Decoder) stablehlo.Attribute {
		return &stablehlo.ReplicaGroupMeshAxes{Mesh: d.Attr(), Axes: readAxes(d)}
	}
	list[attrMeshAxis] = func(d *bytecode.Decoder) stablehlo.Attribute {
		return &stablehlo.MeshAxis{Name: d.String(), Size: d.Signed()}
	}
	list[attrMesh] = func(d *bytecode.Decoder) stablehlo.Attribute {
		return &stablehlo.Mesh{Axes: readAxes(d), DeviceIDs: d.OptionalAttr()}
	}
	return list
}

func readEnum(d *bytecode.Decoder, kind *stablehlo.EnumKind) stablehlo.Attribute {
	v := d.Varint()
	a, ok := kind.Of(int(min(v, 1<<20)))
	if !ok && !d.Failed() {
		d.Fail("%s: unknown value %d", kind.Name, v)
	}
	return a
}

func readDict(d *bytecode.Decoder) stablehlo.Attribute {
	n := d.Count("entries")
	var entries []stablehlo.NamedAttribute
	for i := 0; i < n && !d.Failed(); i++ {
		entries = append(entries, stablehlo.NamedAttribute{Name: d.String(), Value: d.Attr()})
	}
	return d.Dict(entries)
}

func readAlias(d *bytecode.Decoder) stablehlo.Attribute {
	return &stablehlo.OutputOperandAlias{
		OutputTupleIndices: d.Int64s(), OperandIndex: d.Signed(), OperandTupleIndices: d.Int64s(),
	}
}

func readAccuracy(d *bytecode.Decoder) stablehlo.Attribute {
	a := &stablehlo.ResultAccuracy{Atol: readF64(d), Rtol: readF64(d), Ulps: d.Signed()}
	a.Mode, _ = d.Attr().(stablehlo.EnumAttr)
	if a.Mode.Kind != stablehlo.ResultAccuracyMode && !d.Failed() {
		d.Fail("result accuracy: expected a mode")
	}
	return a
}

func readAxisRef(d *bytecode.Decoder) stablehlo.Attribute {
	a := &stablehlo.AxisRef{Name: d.String()}
	if d.Small("flag", 1) == 0 {
		return a
	}
	part, ok := d.Attr().(subAxis)
	if !ok && !d.Failed() {
		d.Fail("axis: expected a part of an axis")
	}
	a.SubAxis = &part.info
	return a
}

func readAxes(d *bytecode.Decoder) *stablehlo.ArrayAttr {
	list, ok := d.Attr().(*stablehlo.ArrayAttr)
	if !ok && !d.Failed() {
		d.Fail("mesh: expected a list of axes")
	}
	return list
}

// encodeAttr writes an attribute.
func encodeAttr(e *bytecode.Encoder, a stablehlo.Attribute) bool {
	switch a := a.(type) {
	case *stablehlo.ArrayAttr:
		e.Varint(attrArray)
		e.Attrs(a.Elems)
	case *stablehlo.DictAttr:
		e.Varint(attrDict)
		e.Varint(uint64(len(a.Entries)))
		for _, entry := range a.Entries {
			e.Attr(stablehlo.StringAttr{Value: entry.Name})
			e.Attr(entry.Value)
		}
	case stablehlo.IntegerAttr:
		encodeInteger(e, a)
	case stablehlo.FloatAttr:
		e.Varint(attrFloat)
		e.Type(a.Type)
		e.FloatOf(a)
	case stablehlo.StringAttr:
		if a.Type != nil {
			return false
		}
		e.Varint(attrString)
		e.Text(a.Value)
	case stablehlo.TypeAttr:
		e.Varint(attrType)
		e.Type(a.Type)
	case stablehlo.EnumAttr:
		return encodeEnum(e, a)
	case *stablehlo.DenseElements:
		e.Varint(attrTensor)
		e.Type(a.Type)
		e.Dense(a)
	default:
		return encodeStruct(e, a)
	}
	return true
}

func encodeInteger(e *bytecode.Encoder, a stablehlo.IntegerAttr) {
	if a.Type == stablehlo.I1 {
		e.Varint(attrBool)
		e.Varint(uint64(a.Value & 1))
		return
	}
	e.Varint(attrInteger)
	e.Type(a.Type)
	e.IntegerOf(a)
}

func encodeEnum(e *bytecode.Encoder, a stablehlo.EnumAttr) bool {
	for code := range numAttrs {
		if k := enums[code]; k != nil && k == a.Kind {
			e.Varint(uint64(code))
			e.Varint(uint64(a.Value))
			return true
		}
	}
	return false
}

// encodeStruct writes the attributes with named parts that VHLO has too.
func encodeStruct(e *bytecode.Encoder, a stablehlo.Attribute) bool {
	switch a := a.(type) {
	case *stablehlo.OutputOperandAlias:
		e.Varint(attrAlias)
		e.Int64s(a.OutputTupleIndices)
		e.Signed(a.OperandIndex)
		e.Int64s(a.OperandTupleIndices)
	case *stablehlo.TypeExtensions:
		e.Varint(attrTypeExtensions)
		e.Int64s(a.Bounds)
	case *stablehlo.ResultAccuracy:
		e.Varint(attrResultAccuracy)
		writeF64(e, a.Atol)
		writeF64(e, a.Rtol)
		e.Signed(a.Ulps)
		e.Attr(a.Mode)
	case subAxis:
		e.Varint(attrSubAxisInfo)
		e.Signed(a.info.PreSize)
		e.Signed(a.info.Size)
	case *stablehlo.AxisRef:
		e.Varint(attrAxisRef)
		e.Attr(stablehlo.StringAttr{Value: a.Name})
		if a.SubAxis == nil {
			e.Varint(0)
			break
		}
		e.Varint(1)
		e.Attr(subAxis{info: *a.SubAxis})
	case *stablehlo.ReplicaGroupMeshAxes:
		e.Varint(attrReplicaGroupMeshAxes)
		e.Attr(a.Mesh)
		e.Attr(a.Axes)
	case *stablehlo.MeshAxis:
		e.Varint(attrMeshAxis)
		e.Attr(stablehlo.StringAttr{Value: a.Name})
		e.Signed(a.Size)
	case *stablehlo.Mesh:
		e.Varint(attrMesh)
		e.Attr(a.Axes)
		e.OptionalAttr(a.DeviceIDs)
	default:
		return false
	}
	return true
}
