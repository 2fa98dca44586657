package interp

import (
	"cmp"
	"fmt"
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// kernelCompare compares in the order of the attribute: IEEE, total order, signed or unsigned.
func kernelCompare(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	a := n.Attrs().(*op.CompareAttrs)
	x, y := args[0], args[1]
	switch t := x.Type(); {
	case t == shape.Pred || t.IsUnsigned():
		return compareUnsigned(a.Direction, dst, x, y)
	case t.IsSigned():
		return compareSigned(a.Direction, dst, x, y)
	case t.IsFloat() && a.Type == op.ComparisonTotalOrder:
		return compareTotal(a.Direction, dst, x, y), nil
	case t.IsFloat():
		return compareFloat(a.Direction, dst, x, y)
	case t == shape.C64:
		return compareEqual[complex64](a.Direction, dst, x, y)
	case t == shape.C128:
		return compareEqual[complex128](a.Direction, dst, x, y)
	default:
		return nil, noKernel(t)
	}
}

// ordered returns the comparison of direction d for an ordered type.
func ordered[T cmp.Ordered](d op.Direction) func(x, y T) bool {
	return [...]func(x, y T) bool{
		op.EQ: func(x, y T) bool { return x == y },
		op.NE: func(x, y T) bool { return x != y },
		op.GE: func(x, y T) bool { return x >= y },
		op.GT: func(x, y T) bool { return x > y },
		op.LE: func(x, y T) bool { return x <= y },
		op.LT: func(x, y T) bool { return x < y },
	}[d]
}

func compareSigned(d op.Direction, dst, x, y literal.Literal) (func(), error) {
	switch x.Type().ByteSize() {
	case 1:
		return mapBinary(dst, x, y, ordered[int8](d)), nil
	case 2:
		return mapBinary(dst, x, y, ordered[int16](d)), nil
	case 4:
		return mapBinary(dst, x, y, ordered[int32](d)), nil
	default:
		return mapBinary(dst, x, y, ordered[int64](d)), nil
	}
}

func compareUnsigned(d op.Direction, dst, x, y literal.Literal) (func(), error) {
	switch x.Type().ByteSize() {
	case 1:
		return mapBinary(dst, x, y, ordered[uint8](d)), nil
	case 2:
		return mapBinary(dst, x, y, ordered[uint16](d)), nil
	case 4:
		return mapBinary(dst, x, y, ordered[uint32](d)), nil
	default:
		return mapBinary(dst, x, y, ordered[uint64](d)), nil
	}
}

func compareFloat(d op.Direction, dst, x, y literal.Literal) (func(), error) {
	switch x.Type() {
	case shape.F32:
		return mapBinary(dst, x, y, ordered[float32](d)), nil
	case shape.F64:
		return mapBinary(dst, x, y, ordered[float64](d)), nil
	}
	less, a, b, r := ordered[float32](d), newCodec(x), newCodec(y), literal.Values[bool](dst)
	return func() {
		for i := range r {
			r[i] = less(a.load(i), b.load(i))
		}
	}, nil
}

// compareTotal orders -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN, by the bit patterns.
func compareTotal(d op.Direction, dst, x, y literal.Literal) func() {
	less, r := ordered[int64](d), literal.Values[bool](dst)
	a, b := totalKeys(x), totalKeys(y)
	return func() {
		for i := range r {
			r[i] = less(a(i), b(i))
		}
	}
}

// totalKeys gives each element an integer that is ordered as the total order of floats.
func totalKeys(l literal.Literal) func(i int) int64 {
	switch l.Type() {
	case shape.F64:
		v := literal.Values[float64](l)
		return func(i int) int64 { k := int64(math.Float64bits(v[i])); return k ^ int64(uint64(k>>63)>>1) }
	case shape.F32:
		v := literal.Values[float32](l)
		return func(i int) int64 { k := int32(math.Float32bits(v[i])); return int64(k ^ int32(uint32(k>>31)>>1)) }
	case shape.F16, shape.BF16:
		v := literal.Values[uint16](l)
		return func(i int) int64 { k := int16(v[i]); return int64(k ^ int16(uint16(k>>15)>>1)) }
	}
	v, k := literal.View[int8](l), narrow(l.Type())
	switch l.Type() {
	case shape.F8E8M0FNU: // no sign
		return func(i int) int64 { return int64(uint8(v[i])) }
	case shape.F8E4M3B11FNUZ, shape.F8E4M3FNUZ, shape.F8E5M2FNUZ: // the one NaN has a sign; it is least
		return func(i int) int64 {
			if v[i] == math.MinInt8 {
				return math.MinInt8 - 1
			}
			return int64(v[i] ^ int8(uint8(v[i]>>7)>>1))
		}
	}
	return func(i int) int64 { s := v[i] << k; return int64(s ^ int8(uint8(s>>7)>>1)) }
}

func compareEqual[T complex64 | complex128](d op.Direction, dst, x, y literal.Literal) (func(), error) {
	switch d {
	case op.EQ:
		return mapBinary(dst, x, y, func(x, y T) bool { return x == y }), nil
	case op.NE:
		return mapBinary(dst, x, y, func(x, y T) bool { return x != y }), nil
	}
	return nil, fmt.Errorf("direction: expects EQ or NE for %v, got %v", x.Type(), d)
}
