package raise

import (
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// elementTypes are the element types of tensors; nil where there is none.
var elementTypes = [shape.NumElementTypes]stablehlo.Type{
	shape.Pred: stablehlo.I1,
	shape.S2:   stablehlo.IntegerType{Width: 2}, shape.U2: unsigned(2),
	shape.S4: stablehlo.IntegerType{Width: 4}, shape.U4: unsigned(4),
	shape.S8: stablehlo.I8, shape.U8: unsigned(8),
	shape.S16: stablehlo.IntegerType{Width: 16}, shape.U16: unsigned(16),
	shape.S32: stablehlo.I32, shape.U32: stablehlo.UI32,
	shape.S64: stablehlo.I64, shape.U64: stablehlo.UI64,
	shape.F4E2M1FN: stablehlo.F4E2M1FN, shape.F6E2M3FN: stablehlo.F6E2M3FN, shape.F6E3M2FN: stablehlo.F6E3M2FN,
	shape.F8E3M4: stablehlo.F8E3M4, shape.F8E4M3: stablehlo.F8E4M3, shape.F8E4M3FN: stablehlo.F8E4M3FN,
	shape.F8E4M3FNUZ: stablehlo.F8E4M3FNUZ, shape.F8E4M3B11FNUZ: stablehlo.F8E4M3B11FNUZ,
	shape.F8E5M2: stablehlo.F8E5M2, shape.F8E5M2FNUZ: stablehlo.F8E5M2FNUZ, shape.F8E8M0FNU: stablehlo.F8E8M0FNU,
	shape.BF16: stablehlo.BF16, shape.F16: stablehlo.F16, shape.F32: stablehlo.F32, shape.F64: stablehlo.F64,
	shape.C64: &stablehlo.ComplexType{Elem: stablehlo.F32}, shape.C128: &stablehlo.ComplexType{Elem: stablehlo.F64},
}

func unsigned(width int) stablehlo.Type {
	return stablehlo.IntegerType{Width: width, Sign: stablehlo.Unsigned}
}

// typeOf returns the type of values of shape s. The layout has no place in it.
func typeOf(s shape.Shape) (stablehlo.Type, error) {
	switch {
	case s.IsToken():
		return stablehlo.TokenType{}, nil
	case s.IsTuple():
		return tupleType(s)
	case s.Type == shape.Buffer && len(s.Elems) == 1:
		t, err := tensorType(s.Elems[0])
		if err != nil || t.Encoding != nil || !t.IsStatic() {
			return nil, errorf("there is no StableHLO type for %v", s)
		}
		return &stablehlo.MemRefType{Dims: t.Dims, Elem: t.Elem}, nil
	case s.IsArray():
		return tensorType(s)
	}
	return nil, errorf("there is no StableHLO type for %v", s)
}

func tupleType(s shape.Shape) (stablehlo.Type, error) {
	t := &stablehlo.TupleType{}
	for _, e := range s.Elems {
		x, err := typeOf(e)
		if err != nil {
			return nil, err
		}
		t.Types = append(t.Types, x)
	}
	return t, nil
}

// tensorType: a size that is not known has its bound in the encoding.
func tensorType(s shape.Shape) (*stablehlo.TensorType, error) {
	t := &stablehlo.TensorType{Dims: make([]int64, len(s.Dims)), Elem: elementTypes[s.Type]}
	if t.Elem == nil {
		return nil, errorf("there is no StableHLO type for %v", s)
	}
	bounds, bounded := make([]int64, len(s.Dims)), false
	for i, d := range s.Dims {
		t.Dims[i], bounds[i] = int64(d), stablehlo.Dynamic
		if !s.IsDynamicDim(i) && d != shape.Unbounded {
			continue
		}
		t.Dims[i] = stablehlo.Dynamic
		if d != shape.Unbounded {
			bounds[i], bounded = int64(d), true
		}
	}
	if bounded {
		t.Encoding = &stablehlo.TypeExtensions{Bounds: bounds}
	}
	return t, nil
}

// staticType returns tensor<dims x elem>.
func staticType(elem stablehlo.Type, dims ...int64) *stablehlo.TensorType {
	return &stablehlo.TensorType{Dims: dims, Elem: elem}
}

// withElem returns the tensor type t with another element type.
func withElem(t stablehlo.Type, elem stablehlo.Type) stablehlo.Type {
	tensor, ok := t.(*stablehlo.TensorType)
	if !ok {
		return t
	}
	other := *tensor
	other.Elem = elem
	return &other
}

// elemOf returns the element type of a tensor type, nil for another type.
func elemOf(t stablehlo.Type) stablehlo.Type {
	if tensor, ok := t.(*stablehlo.TensorType); ok {
		return tensor.Elem
	}
	return nil
}
