package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// tensor returns a tensor type. bounds belong to the sizes, nil for none; where no size
// has one, the type has no encoding.
func tensor(dims []int64, elem stablehlo.Type, bounds []int64) *stablehlo.TensorType {
	t := &stablehlo.TensorType{Dims: dims, Elem: elem}
	for _, b := range bounds {
		if b != stablehlo.Dynamic {
			t.Encoding = &stablehlo.TypeExtensions{Bounds: bounds}
			break
		}
	}
	return t
}

// like returns the type of a tensor of the shape of t with other elements.
func like(t stablehlo.Type, elem stablehlo.Type) stablehlo.Type {
	if t, ok := t.(*stablehlo.TensorType); ok {
		return &stablehlo.TensorType{Dims: t.Dims, Elem: elem, Encoding: t.Encoding}
	}
	return &stablehlo.UnrankedTensorType{Elem: elem}
}

// boundsOf returns the bounds of the sizes of t, [stablehlo.Dynamic] where there is none.
func boundsOf(t *stablehlo.TensorType) []int64 {
	if b := t.Bounds(); len(b) == t.Rank() && b != nil {
		return b
	}
	return unknown(t.Rank())
}

// unknown returns n sizes that are not known.
func unknown(n int) []int64 { return slices.Repeat([]int64{stablehlo.Dynamic}, n) }

// extent is what is known of a dimension: its size, or a bound of a size that is not known.
type extent struct{ size, bound int64 }

// known returns the size or else the bound.
func (e extent) known() (int64, bool) {
	if e.size != stablehlo.Dynamic {
		return e.size, true
	}
	return e.bound, e.bound != stablehlo.Dynamic
}

func extents(t *stablehlo.TensorType) []extent {
	bounds := boundsOf(t)
	list := make([]extent, t.Rank())
	for i, d := range t.Dims {
		list[i] = extent{size: d, bound: bounds[i]}
	}
	return list
}

// ofExtents returns a tensor type.
func ofExtents(list []extent, elem stablehlo.Type) *stablehlo.TensorType {
	dims, bounds := make([]int64, len(list)), make([]int64, len(list))
	for i, e := range list {
		dims[i], bounds[i] = e.size, e.bound
	}
	return tensor(dims, elem, bounds)
}

// narrow returns what is known of a dimension that both a and b describe; ok is false
// if they contradict each other.
func narrow(a, b extent) (e extent, ok bool) {
	if a.size == stablehlo.Dynamic {
		a, b = b, a
	}
	switch {
	case a.size == stablehlo.Dynamic && a.bound == stablehlo.Dynamic:
		return b, true
	case a.size == stablehlo.Dynamic:
		if b.bound != stablehlo.Dynamic {
			a.bound = min(a.bound, b.bound)
		}
		return a, true
	case b.size != stablehlo.Dynamic:
		return a, a.size == b.size
	}
	return a, b.bound == stablehlo.Dynamic || a.size <= b.bound
}

// widen returns what is known of a dimension that either a or b describes; ok is false
// if their sizes differ.
func widen(a, b extent) (e extent, ok bool) {
	if a.size != stablehlo.Dynamic && b.size != stablehlo.Dynamic {
		return a, a.size == b.size
	}
	e = extent{size: stablehlo.Dynamic, bound: stablehlo.Dynamic}
	x, ok1 := a.known()
	y, ok2 := b.known()
	if ok1 && ok2 {
		e.bound = max(x, y)
	}
	return e, true
}

// join returns what is known of a dimension that is a followed by b.
func join(a, b extent) extent {
	x, ok1 := a.known()
	y, ok2 := b.known()
	e := extent{size: stablehlo.Dynamic, bound: stablehlo.Dynamic}
	switch {
	case a.size != stablehlo.Dynamic && b.size != stablehlo.Dynamic:
		e.size = x + y
	case ok1 && ok2:
		e.bound = x + y
	}
	return e
}

// mergeFunc is narrow or widen.
type mergeFunc func(a, b extent) (extent, bool)

// merge returns the type of a value that has all the types (narrow) or one of them
// (widen), which differ only in what is known of sizes; ok is false if they contradict
// each other. As in StableHLO itself, bounds are lost if the first type has none.
func merge(types []stablehlo.Type, f mergeFunc) (t stablehlo.Type, ok bool) {
	switch first := types[0].(type) {
	case *stablehlo.TupleType:
		return mergeTuples(first, types, f)
	case *stablehlo.TensorType:
		return mergeTensors(first, types, f)
	}
	return types[0], true
}

func mergeTensors(first *stablehlo.TensorType, types []stablehlo.Type, f mergeFunc) (stablehlo.Type, bool) {
	list := extents(first)
	for _, t := range types[1:] {
		next, ok := t.(*stablehlo.TensorType)
		if !ok {
			return t, true
		}
		if next.Rank() != first.Rank() {
			return nil, false
		}
		for i, e := range extents(next) {
			if list[i], ok = f(list[i], e); !ok {
				return nil, false
			}
		}
	}
	merged := ofExtents(list, first.Elem)
	if first.Bounds() == nil {
		merged.Encoding = first.Encoding
	}
	return merged, true
}

func mergeTuples(first *stablehlo.TupleType, types []stablehlo.Type, f mergeFunc) (stablehlo.Type, bool) {
	merged := &stablehlo.TupleType{Types: make([]stablehlo.Type, len(first.Types))}
	for i := range first.Types {
		var parts []stablehlo.Type
		for _, t := range types {
			tuple, ok := t.(*stablehlo.TupleType)
			if !ok || len(tuple.Types) != len(first.Types) {
				return nil, false
			}
			parts = append(parts, tuple.Types[i])
		}
		part, ok := merge(parts, f)
		if !ok {
			return nil, false
		}
		merged.Types[i] = part
	}
	return merged, true
}
