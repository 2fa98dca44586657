package tile

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// bitKind adds the operations on the bits of kind k.
func bitKind[T number, U unsigned](t *table, k loop.Kind, to func(T) U, from func(U) T) {
	set := func(o loop.Op, f func(x, y U) U) {
		*t.at(key{op: o, kind: k}) = binary(func(x, y T) T { return from(f(to(x), to(y))) })
	}
	set(loop.And, func(x, y U) U { return x & y })
	set(loop.Or, func(x, y U) U { return x | y })
	set(loop.Xor, func(x, y U) U { return x ^ y })
	set(loop.AndNot, func(x, y U) U { return ^x & y })
	*t.at(key{op: loop.Not, kind: k}) = unary(func(x T) T { return from(^to(x)) })
}

func bitRows(t *table) {
	bitKind(t, loop.I32, func(x uint32) uint32 { return x }, func(x uint32) uint32 { return x })
	bitKind(t, loop.I64, func(x uint64) uint64 { return x }, func(x uint64) uint64 { return x })
	bitKind(t, loop.F32, math.Float32bits, math.Float32frombits)
	bitKind(t, loop.F64, math.Float64bits, math.Float64frombits)
	const sign32, sign64 = 1 << 31, 1 << 63
	b32 := func(f func(uint32) uint32) maker {
		return unary(func(x float32) float32 { return math.Float32frombits(f(math.Float32bits(x))) })
	}
	b64 := func(f func(uint64) uint64) maker {
		return unary(func(x float64) float64 { return math.Float64frombits(f(math.Float64bits(x))) })
	}
	*t.at(key{op: loop.Neg, kind: loop.F32}) = b32(func(x uint32) uint32 { return x ^ sign32 })
	*t.at(key{op: loop.Neg, kind: loop.F64}) = b64(func(x uint64) uint64 { return x ^ sign64 })
	*t.at(key{op: loop.Abs, kind: loop.F32}) = b32(func(x uint32) uint32 { return x &^ sign32 })
	*t.at(key{op: loop.Abs, kind: loop.F64}) = b64(func(x uint64) uint64 { return x &^ sign64 })
}

func convertRows(t *table) {
	set := func(o loop.Op, to, from loop.Kind, m maker) { *t.at(key{o, to, from}) = m }
	set(loop.Bitcast, loop.F32, loop.I32, unary(math.Float32frombits))
	set(loop.Bitcast, loop.I32, loop.F32, unary(math.Float32bits))
	set(loop.Bitcast, loop.F64, loop.I64, unary(math.Float64frombits))
	set(loop.Bitcast, loop.I64, loop.F64, unary(math.Float64bits))
	set(loop.SExt, loop.I64, loop.I32, unary(func(x uint32) uint64 { return uint64(int64(int32(x))) }))
	set(loop.ZExt, loop.I64, loop.I32, unary(func(x uint32) uint64 { return uint64(x) }))
	set(loop.Trunc, loop.I32, loop.I64, unary(func(x uint64) uint32 { return uint32(x) }))
	set(loop.Widen, loop.F64, loop.F32, unary(func(x float32) float64 { return float64(x) }))
	set(loop.Narrow, loop.F32, loop.F64, unary(func(x float64) float32 { return float32(x) }))
	set(loop.SToF, loop.F32, loop.I32, unary(func(x uint32) float32 { return float32(int32(x)) }))
	set(loop.SToF, loop.F64, loop.I32, unary(func(x uint32) float64 { return float64(int32(x)) }))
	set(loop.SToF, loop.F32, loop.I64, unary(func(x uint64) float32 { return float32(int64(x)) }))
	set(loop.SToF, loop.F64, loop.I64, unary(func(x uint64) float64 { return float64(int64(x)) }))
	set(loop.UToF, loop.F32, loop.I32, unary(func(x uint32) float32 { return float32(x) }))
	set(loop.UToF, loop.F64, loop.I32, unary(func(x uint32) float64 { return float64(x) }))
	set(loop.UToF, loop.F32, loop.I64, unary(func(x uint64) float32 { return float32(x) }))
	set(loop.UToF, loop.F64, loop.I64, unary(func(x uint64) float64 { return float64(x) }))
	set(loop.FToS, loop.I32, loop.F32, unary(func(x float32) uint32 { return toInt32(float64(x)) }))
	set(loop.FToS, loop.I32, loop.F64, unary(toInt32))
	set(loop.FToS, loop.I64, loop.F32, unary(func(x float32) uint64 { return toInt64(float64(x)) }))
	set(loop.FToS, loop.I64, loop.F64, unary(toInt64))
}

// toInt32 cuts toward zero; what does not fit gives the least integer.
func toInt32(x float64) uint32 {
	if !(x > -(1<<31)-1 && x < 1<<31) {
		return 1 << 31
	}
	return uint32(int32(x))
}

func toInt64(x float64) uint64 {
	if !(x >= -(1<<63) && x < 1<<63) {
		return 1 << 63
	}
	return uint64(int64(x))
}

func compareRows(t *table) {
	*t.at(key{loop.Cmp, loop.Mask, loop.I32}) = intPredicates[uint32, int32]()
	*t.at(key{loop.Cmp, loop.Mask, loop.I64}) = intPredicates[uint64, int64]()
	*t.at(key{loop.Cmp, loop.Mask, loop.F32}) = floatPredicates[float32]()
	*t.at(key{loop.Cmp, loop.Mask, loop.F64}) = floatPredicates[float64]()
}

// intPredicates and floatPredicates are in the order of loop.Pred.
func intPredicates[U interface {
	unsigned
	number
}, S signed]() maker {
	return byImm(
		binary(func(x, y U) bool { return x == y }), binary(func(x, y U) bool { return x != y }),
		binary(func(x, y U) bool { return S(x) < S(y) }), binary(func(x, y U) bool { return S(x) <= S(y) }),
		binary(func(x, y U) bool { return S(x) > S(y) }), binary(func(x, y U) bool { return S(x) >= S(y) }),
		binary(func(x, y U) bool { return x < y }), binary(func(x, y U) bool { return x <= y }),
		binary(func(x, y U) bool { return x > y }), binary(func(x, y U) bool { return x >= y }))
}

func floatPredicates[T float]() maker {
	never := binary(func(x, y T) bool { return false })
	return byImm(
		binary(func(x, y T) bool { return x == y }), binary(func(x, y T) bool { return x != y }),
		binary(func(x, y T) bool { return x < y }), binary(func(x, y T) bool { return x <= y }),
		binary(func(x, y T) bool { return x > y }), binary(func(x, y T) bool { return x >= y }),
		never, never, never, never, binary(func(x, y T) bool { return x != x || y != y }))
}
