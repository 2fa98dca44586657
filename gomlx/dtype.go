package gomlx

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/goxla/xla/shape"
	"github.com/pkg/errors"
)

// elementTypes are the element types of package shape by the data types of GoMLX.
var elementTypes = [...]shape.ElementType{
	dtypes.Bool: shape.Pred,
	dtypes.Int1: shape.S1, dtypes.Int2: shape.S2, dtypes.Int4: shape.S4, dtypes.Int8: shape.S8,
	dtypes.Int16: shape.S16, dtypes.Int32: shape.S32, dtypes.Int64: shape.S64,
	dtypes.Uint1: shape.U1, dtypes.Uint2: shape.U2, dtypes.Uint4: shape.U4, dtypes.Uint8: shape.U8,
	dtypes.Uint16: shape.U16, dtypes.Uint32: shape.U32, dtypes.Uint64: shape.U64,
	dtypes.Float16: shape.F16, dtypes.BFloat16: shape.BF16, dtypes.Float32: shape.F32, dtypes.Float64: shape.F64,
	dtypes.Complex64: shape.C64, dtypes.Complex128: shape.C128,
	dtypes.F8E5M2: shape.F8E5M2, dtypes.F8E4M3FN: shape.F8E4M3FN, dtypes.F8E4M3B11FNUZ: shape.F8E4M3B11FNUZ,
	dtypes.F8E5M2FNUZ: shape.F8E5M2FNUZ, dtypes.F8E4M3FNUZ: shape.F8E4M3FNUZ, dtypes.F8E4M3: shape.F8E4M3,
	dtypes.F8E3M4: shape.F8E3M4, dtypes.F8E8M0FNU: shape.F8E8M0FNU, dtypes.F4E2M1FN: shape.F4E2M1FN,
}

// elementType returns the element type for t; Invalid if there is none.
func elementType(t dtypes.DType) shape.ElementType {
	if t < 0 || int(t) >= len(elementTypes) {
		return shape.Invalid
	}
	return elementTypes[t]
}

// dtypeOf returns the data type for t; InvalidDType if there is none.
func dtypeOf(t shape.ElementType) dtypes.DType {
	for d, e := range elementTypes {
		if e == t && e != shape.Invalid {
			return dtypes.DType(d)
		}
	}
	return dtypes.InvalidDType
}

// maxArrayBytes is the largest size of an array in bytes; a size that is a product stays far below the range of an int.
const maxArrayBytes = 1 << 46

// checkShape returns an error unless s is an array shape that the backend has.
func checkShape(s shapes.Shape) error {
	if elementType(s.DType) == shape.Invalid || len(s.TupleShapes) > 0 {
		return errors.Errorf("expected an array of a data type of backend %q, got %s", Name, s)
	}
	return checkSizes(s)
}

// checkSizes returns an error if a size of s is negative, a dynamic dimension has no name, or there are too many
// elements.
func checkSizes(s shapes.Shape) error {
	if len(s.AxisNames) != 0 && len(s.AxisNames) != s.Rank() {
		return errors.Errorf("expected a name for each of %d axes, got %q", s.Rank(), s.AxisNames)
	}
	left := maxArrayBytes / elementType(s.DType).ByteSize()
	for i, d := range s.Dimensions {
		if d < 0 && (d != shapes.DynamicDim || s.AxisName(i) == "") {
			return errors.Errorf("expected sizes of 0 or more, or names of those that are not known, got %v for axis %d of %v",
				d, i, s.Dimensions)
		}
		if left /= max(d, 1); left == 0 {
			return errors.Errorf("expected an array of at most %d bytes, got %s", int64(maxArrayBytes), s)
		}
	}
	return nil
}

// hloShape returns the shape of HLO for s, whose sizes are all known.
func hloShape(s shapes.Shape) shape.Shape { return shape.Make(elementType(s.DType), s.Dimensions...) }

// shapeOf returns the shape of GoMLX for an array of HLO.
func shapeOf(s shape.Shape) shapes.Shape {
	return shapes.Shape{DType: dtypeOf(s.Type), Dimensions: append([]int(nil), s.Dims...)}
}
