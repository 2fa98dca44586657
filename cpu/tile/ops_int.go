package tile

import (
	"math/bits"

	"github.com/goxla/xla/cpu/loop"
)

// Integer lanes are unsigned; what depends on the sign converts.

type unsigned interface{ uint32 | uint64 }

type signed interface{ int32 | int64 }

func intRows(t *table) {
	intKind[uint32, int32](t, loop.I32)
	intKind[uint64, int64](t, loop.I64)
	*t.at(key{op: loop.MulHiU, kind: loop.I32}) = binary(func(x, y uint32) uint32 {
		return uint32(uint64(x) * uint64(y) >> 32)
	})
	*t.at(key{op: loop.MulHiU, kind: loop.I64}) = binary(func(x, y uint64) uint64 { hi, _ := bits.Mul64(x, y); return hi })
	*t.at(key{op: loop.MulU32, kind: loop.I64}) = binary(func(x, y uint64) uint64 {
		return uint64(uint32(x)) * uint64(uint32(y))
	})
	*t.at(key{op: loop.MulHiS, kind: loop.I32}) = binary(func(x, y uint32) uint32 {
		return uint32(uint64(int64(int32(x))*int64(int32(y))) >> 32)
	})
	*t.at(key{op: loop.MulHiS, kind: loop.I64}) = binary(mulHiS64)
	*t.at(key{op: loop.Clz, kind: loop.I32}) = unary(func(x uint32) uint32 { return uint32(bits.LeadingZeros32(x)) })
	*t.at(key{op: loop.Clz, kind: loop.I64}) = unary(func(x uint64) uint64 { return uint64(bits.LeadingZeros64(x)) })
	*t.at(key{op: loop.Popcnt, kind: loop.I32}) = unary(func(x uint32) uint32 { return uint32(bits.OnesCount32(x)) })
	*t.at(key{op: loop.Popcnt, kind: loop.I64}) = unary(func(x uint64) uint64 { return uint64(bits.OnesCount64(x)) })
}

func mulHiS64(x, y uint64) uint64 {
	hi, _ := bits.Mul64(x, y)
	if int64(x) < 0 {
		hi -= y
	}
	if int64(y) < 0 {
		hi -= x
	}
	return hi
}

func intKind[U interface {
	unsigned
	number
}, S signed](t *table, k loop.Kind) {
	set := func(o loop.Op, m maker) { *t.at(key{op: o, kind: k}) = m }
	set(loop.Add, whole(func(d, a, b []U) {
		for i, x := range a {
			d[i] = x + b[i]
		}
	}))
	set(loop.Sub, whole(func(d, a, b []U) {
		for i, x := range a {
			d[i] = x - b[i]
		}
	}))
	set(loop.Mul, whole(func(d, a, b []U) {
		for i, x := range a {
			d[i] = x * b[i]
		}
	}))
	set(loop.Min, binary(func(x, y U) U { return U(min(S(x), S(y))) }))
	set(loop.Max, binary(func(x, y U) U { return U(max(S(x), S(y))) }))
	set(loop.UMin, binary(func(x, y U) U { return min(x, y) }))
	set(loop.UMax, binary(func(x, y U) U { return max(x, y) }))
	set(loop.Neg, unary(func(x U) U { return -x }))
	set(loop.Abs, unary(func(x U) U {
		if S(x) < 0 {
			return -x
		}
		return x
	}))
	width := U(k.Bits())
	set(loop.Shl, binary(func(x, y U) U { return x << y }))
	set(loop.Shr, binary(func(x, y U) U { return x >> y }))
	set(loop.Sar, binary(func(x, y U) U { return U(S(x) >> min(y, width-1)) }))
	divisions[U, S](set)
}

// divisions follow HLO: by zero all bits set, the dividend remains; no trap for the least integer by -1.
func divisions[U interface {
	unsigned
	number
}, S signed](set func(loop.Op, maker)) {
	minusOne := ^U(0)
	set(loop.UDiv, binary(func(x, y U) U {
		if y == 0 {
			return minusOne
		}
		return x / y
	}))
	set(loop.URem, binary(func(x, y U) U {
		if y == 0 {
			return x
		}
		return x % y
	}))
	set(loop.SDiv, binary(func(x, y U) U {
		switch y {
		case 0:
			return minusOne
		case minusOne:
			return -x
		}
		return U(S(x) / S(y))
	}))
	set(loop.SRem, binary(func(x, y U) U {
		switch y {
		case 0:
			return x
		case minusOne:
			return 0
		}
		return U(S(x) % S(y))
	}))
}

func maskRows(t *table) {
	set := func(o loop.Op, m maker) { *t.at(key{op: o, kind: loop.Mask}) = m }
	set(loop.And, binary(func(x, y bool) bool { return x && y }))
	set(loop.Or, binary(func(x, y bool) bool { return x || y }))
	set(loop.Xor, binary(func(x, y bool) bool { return x != y }))
	set(loop.AndNot, binary(func(x, y bool) bool { return !x && y }))
	set(loop.Not, unary(func(x bool) bool { return !x }))
	set(loop.Select, selector[bool]())
	*t.at(key{op: loop.Select, kind: loop.I32}) = selector[uint32]()
	*t.at(key{op: loop.Select, kind: loop.I64}) = selector[uint64]()
	*t.at(key{op: loop.Select, kind: loop.F32}) = selector[float32]()
	*t.at(key{op: loop.Select, kind: loop.F64}) = selector[float64]()
}
