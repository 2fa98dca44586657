package bytecode

import (
	"math"

	"github.com/goxla/xla/stablehlo"
)

// StableHLO is the dialect stablehlo in files that are no portable artifacts: those that
// MLIR's own tools write, for readers of about the same version.
var StableHLO = &Dialect{
	Name:       "stablehlo",
	Attrs:      stableReaders(),
	Types:      []func(*Decoder) stablehlo.Type{stableToken: constType(stablehlo.TokenType{}), stableFuture: readFuture},
	EncodeAttr: encodeStableAttr,
	EncodeType: encodeStableType,
}

// CHLO is the dialect chlo.
var CHLO = &Dialect{
	Name: "chlo",
	Attrs: []func(*Decoder) stablehlo.Attribute{
		chloDirection:      enumReader(stablehlo.CHLOComparisonDirection),
		chloComparisonType: enumReader(stablehlo.CHLOComparisonType),
	},
	EncodeAttr: encodeCHLOAttr,
}

// The codes of attributes of stablehlo.
const (
	stableChannelHandle = 1 + iota
	stableDirection
	stableComparisonType
	stableConvDims
	stableDotDims
	stableFFTType
	stableGatherDims
	stablePrecision
	stableRNGAlgorithm
	stableRNGDistribution
	stableScatterDims
	stableTranspose
	stableTypeExtensions
	stableAlias
	stableDotAlgorithm
	stableAccuracyMode
	stableAccuracy
	stableMeshAxes
	stableSubAxis
	stableAxisRef
	stableMeshAxis
	stableMesh
	numStableAttrs
)

// The codes of types of stablehlo, and of attributes of chlo.
const (
	stableToken  = 0
	stableFuture = 1

	chloDirection      = 0
	chloComparisonType = 1
)

// stableEnums are the closed lists of stablehlo by code.
var stableEnums = [numStableAttrs]*stablehlo.EnumKind{
	stableDirection: stablehlo.ComparisonDirection, stableComparisonType: stablehlo.ComparisonType,
	stableFFTType: stablehlo.FFTType, stablePrecision: stablehlo.Precision, stableRNGAlgorithm: stablehlo.RNGAlgorithm,
	stableRNGDistribution: stablehlo.RNGDistribution, stableTranspose: stablehlo.Transpose,
	stableAccuracyMode: stablehlo.ResultAccuracyMode,
}

// stableStructs are the attributes whose parts are numbers, lists of numbers, types and
// truth values, stored in their order.
var stableStructs = [numStableAttrs]string{
	stableChannelHandle: "stablehlo.channel_handle", stableConvDims: "stablehlo.conv", stableDotDims: "stablehlo.dot",
	stableGatherDims: "stablehlo.gather", stableScatterDims: "stablehlo.scatter",
	stableTypeExtensions: "stablehlo.type_extensions", stableAlias: "stablehlo.output_operand_alias",
	stableDotAlgorithm: "stablehlo.dot_algorithm",
}

// stableReaders returns the readers of attributes by code.
func stableReaders() []func(*Decoder) stablehlo.Attribute {
	list := make([]func(*Decoder) stablehlo.Attribute, numStableAttrs)
	for code, kind := range stableEnums {
		if kind != nil {
			list[code] = enumReader(kind)
		}
	}
	for code, name := range stableStructs {
		if name != "" {
			list[code] = func(d *Decoder) stablehlo.Attribute { return readStruct(d, stablehlo.StructOf(name)) }
		}
	}
	list[stableAccuracy] = readAccuracy
	list[stableMeshAxes] = func(d *Decoder) stablehlo.Attribute {
		return &stablehlo.ReplicaGroupMeshAxes{Mesh: d.Attr(), Axes: &stablehlo.ArrayAttr{Elems: d.Attrs()}}
	}
	list[stableSubAxis] = func(d *Decoder) stablehlo.Attribute {
		return subAxis{info: stablehlo.SubAxisInfo{PreSize: d.Signed(), Size: d.Signed()}}
	}
	list[stableAxisRef] = readAxisRef
	list[stableMeshAxis] = func(d *Decoder) stablehlo.Attribute {
		return &stablehlo.MeshAxis{Name: d.Text(), Size: d.Signed()}
	}
	list[stableMesh] = readMesh
	return list
}

// subAxis carries a part of a mesh axis to the axis that it belongs to.
type subAxis struct {
	stablehlo.UnitAttr
	info stablehlo.SubAxisInfo
}

func enumReader(kind *stablehlo.EnumKind) func(*Decoder) stablehlo.Attribute {
	return func(d *Decoder) stablehlo.Attribute {
		at := d.pos
		v := d.Varint()
		a, ok := kind.Of(int(min(v, math.MaxInt16)))
		if !ok && !d.Failed() {
			d.failAt(at, "%s: unknown value %d", kind.Name, v)
		}
		return a
	}
}

// readStruct reads the parts of an attribute.
func readStruct(d *Decoder, info *stablehlo.StructInfo) stablehlo.Attribute {
	s := info.New()
	for k := range info.Fields {
		switch p := info.Field(s, k).(type) {
		case *int64:
			*p = d.Signed()
		case *[]int64:
			*p = d.Int64s()
		case *bool:
			*p = d.Bool()
		case *stablehlo.Type:
			*p = d.Type()
		}
	}
	return s
}

// float64 reads the bits of a number.
func (d *Decoder) float64() float64 { return math.Float64frombits(uint64(d.Integer(64))) }

func readAccuracy(d *Decoder) stablehlo.Attribute {
	a := &stablehlo.ResultAccuracy{Atol: d.float64(), Rtol: d.float64(), Ulps: d.Signed()}
	a.Mode, _ = d.Attr().(stablehlo.EnumAttr)
	if a.Mode.Kind != stablehlo.ResultAccuracyMode && !d.Failed() {
		d.Fail("result accuracy: expected a mode")
	}
	return a
}

func readAxisRef(d *Decoder) stablehlo.Attribute {
	a := &stablehlo.AxisRef{Name: d.Text()}
	if !d.Bool() {
		return a
	}
	part, ok := d.Attr().(subAxis)
	if !ok && !d.Failed() {
		d.Fail("axis: expected a part of an axis")
	}
	a.SubAxis = &part.info
	return a
}

func readMesh(d *Decoder) stablehlo.Attribute {
	axes, ok := d.Attr().(*stablehlo.ArrayAttr)
	if !ok && !d.Failed() {
		d.Fail("mesh: expected a list of axes")
	}
	m := &stablehlo.Mesh{Axes: axes}
	if d.Bool() {
		m.DeviceIDs = d.Attr()
	}
	return m
}

func readFuture(d *Decoder) stablehlo.Type { return &stablehlo.FutureType{Types: d.Types()} }
