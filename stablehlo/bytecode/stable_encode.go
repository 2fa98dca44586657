package bytecode

import (
	"math"
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// encodeStableAttr writes an attribute of the dialect stablehlo.
func encodeStableAttr(e *Encoder, a stablehlo.Attribute) bool {
	switch a := a.(type) {
	case stablehlo.EnumAttr:
		code := slices.Index(stableEnums[:], a.Kind)
		if code < 0 {
			return false
		}
		e.Varint(uint64(code))
		e.Varint(uint64(a.Value))
		return true
	case stablehlo.StructAttr:
		if code := slices.Index(stableStructs[:], a.StructName()); code >= 0 {
			e.Varint(uint64(code))
			e.fields(a)
			return true
		}
	}
	return encodeAccuracy(e, a) || encodeMesh(e, a)
}

// fields writes the parts of an attribute.
func (e *Encoder) fields(s stablehlo.StructAttr) {
	info := stablehlo.StructOf(s.StructName())
	for k := range info.Fields {
		switch p := info.Field(s, k).(type) {
		case *int64:
			e.Signed(*p)
		case *[]int64:
			e.Int64s(*p)
		case *bool:
			e.Bool(*p)
		case *stablehlo.Type:
			e.Type(*p)
		}
	}
}

func encodeAccuracy(e *Encoder, a stablehlo.Attribute) bool {
	r, ok := a.(*stablehlo.ResultAccuracy)
	if !ok {
		return false
	}
	e.Varint(stableAccuracy)
	e.Integer(int64(math.Float64bits(r.Atol)), 64)
	e.Integer(int64(math.Float64bits(r.Rtol)), 64)
	e.Signed(r.Ulps)
	e.Attr(r.Mode)
	return true
}

// encodeMesh writes the attributes that are about meshes of devices.
func encodeMesh(e *Encoder, a stablehlo.Attribute) bool {
	switch a := a.(type) {
	case *stablehlo.ReplicaGroupMeshAxes:
		e.Varint(stableMeshAxes)
		e.Attr(a.Mesh)
		e.Attrs(a.Axes.Elems)
	case subAxis:
		e.Varint(stableSubAxis)
		e.Signed(a.info.PreSize)
		e.Signed(a.info.Size)
	case *stablehlo.AxisRef:
		e.Varint(stableAxisRef)
		e.Text(a.Name)
		e.Bool(a.SubAxis != nil)
		if a.SubAxis != nil {
			e.Attr(subAxis{info: *a.SubAxis})
		}
	case *stablehlo.MeshAxis:
		e.Varint(stableMeshAxis)
		e.Text(a.Name)
		e.Signed(a.Size)
	case *stablehlo.Mesh:
		e.Varint(stableMesh)
		e.Attr(a.Axes)
		e.Bool(a.DeviceIDs != nil)
		if a.DeviceIDs != nil {
			e.Attr(a.DeviceIDs)
		}
	default:
		return false
	}
	return true
}

// encodeStableType writes a type of the dialect stablehlo.
func encodeStableType(e *Encoder, t stablehlo.Type) bool {
	switch t := t.(type) {
	case stablehlo.TokenType:
		e.Varint(stableToken)
	case *stablehlo.FutureType:
		e.Varint(stableFuture)
		e.Types(t.Types)
	default:
		return false
	}
	return true
}

// encodeCHLOAttr writes an attribute of the dialect chlo.
func encodeCHLOAttr(e *Encoder, a stablehlo.Attribute) bool {
	enum, ok := a.(stablehlo.EnumAttr)
	code := slices.Index([]*stablehlo.EnumKind{stablehlo.CHLOComparisonDirection, stablehlo.CHLOComparisonType}, enum.Kind)
	if !ok || code < 0 {
		return false
	}
	e.Varint(uint64(code))
	e.Varint(uint64(enum.Value))
	return true
}
