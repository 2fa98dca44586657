package verify

import (
	"math"

	"github.com/goxla/xla/stablehlo"
)

// kinds says for each letter of rules.txt which element types it stands for.
var kinds = map[rune]struct {
	name string
	is   func(stablehlo.Type) bool
}{
	'p': {"truth values", func(t stablehlo.Type) bool { return t == stablehlo.I1 }},
	'i': {"integers", func(t stablehlo.Type) bool { return isInteger(t, stablehlo.Signless, stablehlo.Unsigned) }},
	's': {"signed integers", func(t stablehlo.Type) bool { return isInteger(t, stablehlo.Signless) }},
	'x': {"index", func(t stablehlo.Type) bool { return t == stablehlo.IndexType{} }},
	'l': {"i32", func(t stablehlo.Type) bool { return t == stablehlo.I32 }},
	'u': {"ui32", func(t stablehlo.Type) bool { return t == stablehlo.UI32 }},
	'f': {"floating-point numbers", isFloat},
	't': {"f32 or f64", func(t stablehlo.Type) bool { return t == stablehlo.F32 || t == stablehlo.F64 }},
	'c': {"complex numbers", isComplex},
	'q': {"numbers quantized per tensor", func(t stablehlo.Type) bool { return isQuantized(t) && !isPerAxis(t) }},
	'a': {"numbers quantized per axis", func(t stablehlo.Type) bool { return isQuantized(t) && isPerAxis(t) }},
}

// isInteger reports whether t is an integer of the specification, not a truth value,
// of one of the signednesses.
func isInteger(t stablehlo.Type, signs ...stablehlo.Signedness) bool {
	i, ok := t.(stablehlo.IntegerType)
	if !ok || !isWidth(i.Width, 64) {
		return false
	}
	for _, s := range signs {
		if i.Sign == s {
			return true
		}
	}
	return false
}

// isWidth reports whether w is a power of two from 2 to most.
func isWidth(w, most int) bool { return w >= 2 && w <= most && w&(w-1) == 0 }

// isFloat reports whether t is a floating-point type of the specification.
func isFloat(t stablehlo.Type) bool {
	f, ok := t.(stablehlo.FloatType)
	return ok && f.Valid() && f != stablehlo.TF32 && f != stablehlo.F80 && f != stablehlo.F128
}

func isComplex(t stablehlo.Type) bool {
	c, ok := t.(*stablehlo.ComplexType)
	return ok && (c.Elem == stablehlo.F32 || c.Elem == stablehlo.F64)
}

// quantized returns t as a quantized type, nil if it is none.
func quantized(t stablehlo.Type) *stablehlo.QuantizedType {
	q, _ := t.(*stablehlo.QuantizedType)
	return q
}

// isPerAxis reports whether t is quantized per axis.
func isPerAxis(t stablehlo.Type) bool {
	q := quantized(t)
	return q != nil && q.IsPerAxis()
}

// isQuantized reports whether t is a quantized type of the specification, per tensor or
// per axis, see quantizedFault.
func isQuantized(t stablehlo.Type) bool {
	return quantized(t) != nil && quantizedFault(quantized(t)) == ""
}

// quantizedFault returns what is wrong with a quantized type after "Quantized types" of
// the specification, and the label, "" if nothing is.
func quantizedFault(q *stablehlo.QuantizedType) string {
	lo, hi := q.StorageRange()
	switch {
	case q.Storage.Sign == stablehlo.Signed || !isWidth(q.Storage.Width, 32):
		return "a signless or unsigned storage type of 2, 4, 8, 16 or 32 bits (quantized_type_c1)"
	case !isFloat(q.Expressed):
		return "a floating-point expressed type (quantized_type_c1)"
	case q.StorageMin < lo || q.StorageMin >= q.StorageMax || q.StorageMax > hi:
		return "a range inside that of the storage type (quantized_type_c2)"
	case len(q.Axes) > 0 && !q.IsPerAxis():
		return "quantization per tensor or per axis"
	case len(q.Scales) == 0 || len(q.Scales) != len(q.ZeroPoints) || !q.IsPerAxis() && len(q.Scales) != 1:
		return "as many scales as zero points (quantized_type_c11)"
	}
	for i, s := range q.Scales {
		if !(s > 0) || math.IsInf(s, 0) {
			return "positive scales (quantized_type_c5)"
		}
		if z := q.ZeroPoints[i]; z < q.StorageMin || z > q.StorageMax {
			return "zero points inside the range of the storage (quantized_type_c8)"
		}
	}
	if len(q.Axes) == 1 && q.Axes[0] < 0 {
		return "a quantization dimension of at least 0 (quantized_type_c10)"
	}
	return ""
}

// axisFault returns what is wrong with the quantization dimension of a tensor, "" if nothing is.
func axisFault(t *stablehlo.TensorType) string {
	q := quantized(t.Elem)
	if q == nil || !q.IsPerAxis() {
		return ""
	}
	axis := q.Axes[0]
	switch {
	case axis >= int64(t.Rank()):
		return "a quantization dimension smaller than the rank (quantized_type_c12)"
	case t.Dims[axis] != stablehlo.Dynamic && t.Dims[axis] != int64(len(q.Scales)):
		return "a scale for each index of the quantization dimension (quantized_type_c13)"
	}
	return ""
}

// bits returns the width of an element, that of the storage where it is quantized.
func bits(t stablehlo.Type) int {
	switch t := t.(type) {
	case stablehlo.IntegerType:
		return t.Width
	case stablehlo.FloatType:
		return t.Bits()
	case *stablehlo.ComplexType:
		return 2 * bits(t.Elem)
	case *stablehlo.QuantizedType:
		return t.Storage.Width
	}
	return 0
}
