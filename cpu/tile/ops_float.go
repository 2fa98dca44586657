package tile

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/literal"
)

func f32bits(b uint64) float32 { return math.Float32frombits(uint32(b)) }

func f64bits(b uint64) float64 { return math.Float64frombits(b) }

type float interface{ float32 | float64 }

func floatRows(t *table) {
	floatKind[float32](t, loop.F32)
	floatKind[float64](t, loop.F64)
	fused32 := func(f func(x, y, z float32) (a, b, c float32)) maker {
		return ternary(func(x, y, z float32) float32 { return fma32(f(x, y, z)) })
	}
	fused64 := func(f func(x, y, z float64) (a, b, c float64)) maker {
		return ternary(func(x, y, z float64) float64 { return math.FMA(f(x, y, z)) })
	}
	*t.at(key{op: loop.FMA, kind: loop.F32}) = fused32(func(x, y, z float32) (a, b, c float32) { return x, y, z })
	*t.at(key{op: loop.FMS, kind: loop.F32}) = fused32(func(x, y, z float32) (a, b, c float32) { return x, y, -z })
	*t.at(key{op: loop.FNMA, kind: loop.F32}) = fused32(func(x, y, z float32) (a, b, c float32) { return -x, y, z })
	*t.at(key{op: loop.FNMS, kind: loop.F32}) = fused32(func(x, y, z float32) (a, b, c float32) { return -x, y, -z })
	*t.at(key{op: loop.FMA, kind: loop.F64}) = fused64(func(x, y, z float64) (a, b, c float64) { return x, y, z })
	*t.at(key{op: loop.FMS, kind: loop.F64}) = fused64(func(x, y, z float64) (a, b, c float64) { return x, y, -z })
	*t.at(key{op: loop.FNMA, kind: loop.F64}) = fused64(func(x, y, z float64) (a, b, c float64) { return -x, y, z })
	*t.at(key{op: loop.FNMS, kind: loop.F64}) = fused64(func(x, y, z float64) (a, b, c float64) { return -x, y, -z })
	rounded := func(o loop.Op, f func(float32) float32) { *t.at(key{op: o, kind: loop.F32}) = unary(f) }
	rounded(loop.RoundF16, func(x float32) float32 { return literal.F16From32(x).Float32() })
	rounded(loop.RoundBF16, func(x float32) float32 { return literal.BF16From32(x).Float32() })
}

func floatKind[T float](t *table, k loop.Kind) {
	set := func(o loop.Op, m maker) { *t.at(key{op: o, kind: k}) = m }
	set(loop.Add, whole(func(d, a, b []T) {
		for i, x := range a {
			d[i] = x + b[i]
		}
	}))
	set(loop.Sub, whole(func(d, a, b []T) {
		for i, x := range a {
			d[i] = x - b[i]
		}
	}))
	set(loop.Mul, whole(func(d, a, b []T) {
		for i, x := range a {
			d[i] = x * b[i]
		}
	}))
	set(loop.Div, binary(func(x, y T) T { return x / y }))
	set(loop.Sqrt, unary(func(x T) T { return T(math.Sqrt(float64(x))) }))
	set(loop.RsqrtNear, unary(func(x T) T { return T(1 / math.Sqrt(float64(x))) }))
	set(loop.Min, binary(func(x, y T) T { return min(x, y) }))
	set(loop.Max, binary(func(x, y T) T { return max(x, y) }))
	set(loop.MinX, binary(func(x, y T) T {
		if x < y {
			return x
		}
		return y
	}))
	set(loop.MaxX, binary(func(x, y T) T {
		if x > y {
			return x
		}
		return y
	}))
	rounding := func(f func(float64) float64) maker { return unary(func(x T) T { return T(f(float64(x))) }) }
	set(loop.Round, byImm(rounding(math.RoundToEven), rounding(math.Floor), rounding(math.Ceil), rounding(math.Trunc)))
	set(loop.Scale, binary(func(x, n T) T { return scale(x, n) }))
}

// scale is x * 2^n, n rounded down. In steps that are exact but for the last.
func scale[T float](x, n T) T {
	if n != n || x != x {
		return x + n
	}
	e := int(math.Floor(max(-8000, min(8000, float64(n)))))
	return T(math.Ldexp(float64(x), e))
}

// fma32 is x*y + z rounded once. The product is exact in float64, and the sum is rounded
// there to odd, so that the second rounding is that of the exact value.
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if math.IsInf(s, 0) || math.IsNaN(s) {
		return float32(s)
	}
	high := s - p
	rest := (p - (s - high)) + (c - high)
	if rest != 0 {
		b := math.Float64bits(s)
		if b&1 == 0 {
			if (rest > 0) == (s > 0) {
				b++
			} else {
				b--
			}
			s = math.Float64frombits(b)
		}
	}
	return float32(s)
}
