package lower

import (
	"fmt"
	"math"

	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// shapeOf returns the HLO shape of values of type t. Sizes that are not known are
// bounded dynamic where the type gives bounds, shape.Unbounded otherwise. A quantized
// type has the element type of its storage. A future is the tuple of its values.
func shapeOf(t stablehlo.Type) (shape.Shape, error) {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		return tensorShape(t)
	case stablehlo.TokenType:
		return shape.MakeToken(), nil
	case *stablehlo.TupleType:
		return tupleShape(t.Types)
	case *stablehlo.FutureType:
		return tupleShape(t.Types)
	}
	if elem, ok := stablehlo.ElementType(t); ok {
		return shape.Make(elem), nil // a number, as other dialects have it
	}
	return shape.Shape{}, fmt.Errorf("expected a tensor, a token or a tuple, got a value of type %v", t)
}

func tupleShape(types []stablehlo.Type) (shape.Shape, error) {
	elems := make([]shape.Shape, len(types))
	for i, e := range types {
		var err error
		if elems[i], err = shapeOf(e); err != nil {
			return shape.Shape{}, err
		}
	}
	return shape.MakeTuple(elems...), nil
}

func tensorShape(t *stablehlo.TensorType) (shape.Shape, error) {
	elem, ok := stablehlo.ElementType(t.Elem)
	if !ok {
		return shape.Shape{}, fmt.Errorf("expected an element type that HLO has, got %v", t.Elem)
	}
	dims, dynamic := make([]int, len(t.Dims)), make([]bool, len(t.Dims))
	bounds := t.Bounds()
	for i, d := range t.Dims {
		switch {
		case d != stablehlo.Dynamic && (d < 0 || d > math.MaxInt32*1024):
			return shape.Shape{}, fmt.Errorf("expected sizes from 0 to 2^41, got %v", t)
		case d != stablehlo.Dynamic:
			dims[i] = int(d)
		case i < len(bounds) && bounds[i] != stablehlo.Dynamic:
			dims[i], dynamic[i] = int(bounds[i]), true
		default:
			dims[i], dynamic[i] = shape.Unbounded, true
		}
	}
	s := shape.MakeDynamic(elem, dims, dynamic)
	return s, s.Check()
}

// hasDynamic reports whether a size in t is not known.
func hasDynamic(t stablehlo.Type) bool {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		return !t.IsStatic()
	case *stablehlo.UnrankedTensorType:
		return true
	case *stablehlo.TupleType:
		for _, e := range t.Types {
			if hasDynamic(e) {
				return true
			}
		}
	}
	return false
}

// quantized returns the quantized element type of a tensor, nil if it has another one.
func quantized(t stablehlo.Type) *stablehlo.QuantizedType {
	if t, ok := t.(*stablehlo.TensorType); ok {
		q, _ := t.Elem.(*stablehlo.QuantizedType)
		return q
	}
	return nil
}

// expressed returns t with the numbers that quantized elements stand for.
func expressed(t stablehlo.Type) stablehlo.Type {
	q := quantized(t)
	if q == nil {
		return t
	}
	tensor := *t.(*stablehlo.TensorType)
	tensor.Elem = q.Expressed
	return &tensor
}
