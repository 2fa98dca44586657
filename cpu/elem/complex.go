package elem

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// pair is a complex number whose parts are F64.
type pair struct{ re, im loop.Value }

// inDouble makes a form of a function on parts of F64; those of c64 are widened, and the
// result is rounded once.
//
//go:noinline
func inDouble(f func(c calc, x ...pair) pair) form {
	return func(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
		args := make([]pair, len(x))
		for i, v := range x {
			args[i] = pair{floatToKind(b, v.Re, loop.F64), floatToKind(b, v.Im, loop.F64)}
		}
		r := f(calc{b, loop.F64}, args...)
		return Value{t, floatToKind(b, r.re, KindOf(t)), floatToKind(b, r.im, KindOf(t))}
	}
}

// pickPair is m ? x : y.
func (c calc) pickPair(m loop.Value, x, y pair) pair {
	return pair{c.pick(m, x.re, y.re), c.pick(m, x.im, y.im)}
}

// product: that of c64 rounds one of the two products of each sum, that of c128 both.
func product(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c, v, w := calcOf(b, t), x[0], x[1]
	if t == shape.C64 {
		return Value{t, c.op(loop.FMS, v.Re, w.Re, c.op(loop.Mul, v.Im, w.Im)),
			c.op(loop.FMA, v.Re, w.Im, c.op(loop.Mul, v.Im, w.Re))}
	}
	p := c.times(pair{v.Re, v.Im}, pair{w.Re, w.Im})
	return Value{t, p.re, p.im}
}

// times is the product of complex numbers, unfused.
func (c calc) times(x, y pair) pair {
	return pair{c.op(loop.Sub, c.op(loop.Mul, x.re, y.re), c.op(loop.Mul, x.im, y.im)),
		c.op(loop.Add, c.op(loop.Mul, x.re, y.im), c.op(loop.Mul, x.im, y.re))}
}

// quotient divides by Smith's method: by the part of the divisor that is larger, and their
// ratio. If both parts are NaN, C's Annex G (G.5.1) says what they are.
func quotient(c calc, x ...pair) pair {
	n, m := x[0], x[1]
	wide := c.Cmp(loop.GE, c.op(loop.Abs, m.re), c.op(loop.Abs, m.im))
	large, small := c.pick(wide, m.re, m.im), c.pick(wide, m.im, m.re)
	ratio := c.op(loop.Div, small, large)
	denominator := c.op(loop.Add, large, c.op(loop.Mul, ratio, small))
	// With a narrow divisor the parts of n change places, and the imaginary part its sign.
	a, b := c.pick(wide, n.re, n.im), c.pick(wide, n.im, n.re)
	re := c.op(loop.Add, a, c.op(loop.Mul, b, ratio))
	im := c.op(loop.Sub, b, c.op(loop.Mul, a, ratio))
	im = c.pick(wide, im, c.op(loop.Sub, c.op(loop.Mul, a, ratio), b))
	r := pair{c.op(loop.Div, re, denominator), c.op(loop.Div, im, denominator)}
	lost := c.both(c.isNaN(r.re), c.isNaN(r.im))
	return c.pickPair(lost, c.quotientSpecial(n, m, r), r)
}

// ratio is the quotient of c64 and c128. What f32 holds has squares and products that f64 holds, so that no part has to
// be divided by another before.
func ratio(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
	if t == shape.C64 {
		return inDouble(quotientOf32)(b, a, t, x)
	}
	return inDouble(quotient)(b, a, t, x)
}

// quotientOf32 is n times the conjugate of m, by the square of |m|. All three have the sign of the larger part of m, as
// have the divisors of quotient: zeros are signed so. Infinities, zeros and NaN are left to that one.
func quotientOf32(c calc, x ...pair) pair {
	n, m := x[0], x[1]
	wide := c.Cmp(loop.GE, c.op(loop.Abs, m.re), c.op(loop.Abs, m.im))
	sign := c.signOf(c.pick(wide, m.re, m.im))
	signed := func(x loop.Value) loop.Value { return c.op(loop.Xor, x, sign) }
	square := c.op(loop.FMA, m.re, m.re, c.mul(m.im, m.im))
	per := c.div(c.num(1), signed(square))
	re, im := signed(m.re), signed(m.im)
	r := pair{c.mul(c.op(loop.FMA, n.re, re, c.mul(n.im, im)), per),
		c.mul(c.op(loop.FMS, n.im, re, c.mul(n.re, im)), per)}
	found, other := c.not(c.both(c.isNaN(r.re), c.isNaN(r.im))), quotient(c, n, m)
	pick := func(x, y loop.Value) loop.Value { return c.OpImm(loop.Select, c.k, loop.Seldom, found, x, y) }
	return pair{pick(r.re, other.re), pick(r.im, other.im)}
}

// quotientSpecial is n/m where r, its parts as computed, are NaN: of a division by zero, of an infinity
// or by one.
func (c calc) quotientSpecial(n, m, r pair) pair {
	infinity, zero := c.num(math.Inf(1)), c.num(0)
	infinite := func(p pair) loop.Value { return c.either(c.isInf(p.re), c.isInf(p.im)) }
	isFinite := func(p pair) loop.Value { return c.both(c.isFinite(p.re), c.isFinite(p.im)) }
	units := func(p pair) pair { return pair{c.unitIfInf(p.re), c.unitIfInf(p.im)} }
	// cross is scale * n * conjugate(m).
	cross := func(scale loop.Value, n, m pair) pair {
		return pair{c.op(loop.Mul, scale, c.op(loop.Add, c.op(loop.Mul, n.re, m.re), c.op(loop.Mul, n.im, m.im))),
			c.op(loop.Mul, scale, c.op(loop.Sub, c.op(loop.Mul, n.im, m.re), c.op(loop.Mul, n.re, m.im)))}
	}
	r = c.pickPair(c.both(infinite(m), isFinite(n)), cross(zero, n, units(m)), r)
	r = c.pickPair(c.both(infinite(n), isFinite(m)), cross(infinity, units(n), m), r)
	byZero := c.both(c.Cmp(loop.EQ, m.re, zero), c.Cmp(loop.EQ, m.im, zero))
	nothing := c.both(c.isNaN(n.re), c.isNaN(n.im))
	signed := c.copySign(infinity, m.re)
	return c.pickPair(c.both(byZero, c.not(nothing)), pair{c.op(loop.Mul, signed, n.re), c.op(loop.Mul, signed, n.im)}, r)
}

// unitIfInf is 1 for an infinity and 0 for all else, with its sign.
func (c calc) unitIfInf(x loop.Value) loop.Value {
	return c.copySign(c.pick(c.isInf(x), c.num(1), c.num(0)), x)
}

// hypot is |x+yi| without overflow: an infinity if a part is one, else NaN if a part is.
func (c calc) hypot(x, y loop.Value) loop.Value {
	x, y = c.op(loop.Abs, x), c.op(loop.Abs, y)
	most, least := c.op(loop.Max, x, y), c.op(loop.Min, x, y)
	ratio := c.op(loop.Div, least, most)
	r := c.op(loop.Mul, most, c.op(loop.Sqrt, c.op(loop.Add, c.num(1), c.op(loop.Mul, ratio, ratio))))
	r = c.pick(c.Cmp(loop.EQ, most, c.num(0)), c.num(0), r)
	infinity := c.num(math.Inf(1))
	infinite := c.either(c.Cmp(loop.EQ, x, infinity), c.Cmp(loop.EQ, y, infinity))
	return c.pick(infinite, infinity, r)
}

// hypotOf32 is hypot of what f32 holds, whose squares f64 holds.
func (c calc) hypotOf32(x, y loop.Value) loop.Value {
	r := c.op(loop.Sqrt, c.op(loop.FMA, x, x, c.op(loop.Mul, y, y)))
	return c.pick(c.either(c.isInf(x), c.isInf(y)), c.num(math.Inf(1)), r)
}

// hypotNear is hypot by vectors of f32 alone, of which there are twice as many elements in a register as of f64: the
// root of the sum of squares, where the squares are neither too large nor so small that what they lose counts. It is up
// to 1.2 units of the last place off, hypot up to 2.
func (c calc) hypotNear(x, y loop.Value) loop.Value {
	const tiny, huge = 0x1p-100, 0x1p126
	s := c.op(loop.FMA, x, x, c.op(loop.Mul, y, y))
	ordinary := c.both(c.Cmp(loop.GE, s, c.num(tiny)), c.Cmp(loop.LE, s, c.num(huge)))
	return c.OpImm(loop.Select, c.k, loop.Seldom, ordinary, c.rootOf32(s), c.hypot(x, y))
}

// rootOf32 is the root of an f32 of common size: with vectors of 64 bytes from a near one, whose bits do for that.
func (c calc) rootOf32(s loop.Value) loop.Value {
	if !c.Wide {
		return c.op(loop.Sqrt, s)
	}
	near := c.op(loop.RsqrtNear, s)
	r := c.op(loop.Mul, s, near)
	return c.op(loop.FMA, c.op(loop.FNMA, r, r, s), c.op(loop.Mul, near, c.num(0.5)), r)
}

// modulus is the absolute value of a complex number, which is real.
func modulus(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	switch c := (calc{b, KindOf(t)}); {
	case c.k == loop.F64:
		return Value{Type: t, Re: c.hypot(x[0].Re, x[0].Im)}
	case b.Code:
		return Value{Type: t, Re: c.hypotNear(x[0].Re, x[0].Im)}
	}
	c := calc{b, loop.F64}
	r := c.hypotOf32(floatToKind(b, x[0].Re, loop.F64), floatToKind(b, x[0].Im, loop.F64))
	return Value{Type: t, Re: floatToKind(b, r, loop.F32)}
}

// complexSign is x/|x|, and zeros and NaN as they are.
func complexSign(c calc, x ...pair) pair {
	v := x[0]
	r := c.hypot(v.re, v.im)
	unit := pair{c.op(loop.Div, v.re, r), c.op(loop.Div, v.im, r)}
	stays := c.either(c.isNaN(r), c.Cmp(loop.EQ, r, c.num(0)))
	return c.pickPair(stays, v, unit)
}

// complexSqrt is the principal square root: of the two parts of the result the one that is sure not to
// cancel is sqrt((|x| + |re|) / 2), and the other follows from their product. It keeps the sign of the
// imaginary part.
func complexSqrt(c calc, x ...pair) pair {
	v, zero := x[0], c.num(0)
	large := c.either(c.Cmp(loop.GT, c.op(loop.Abs, v.re), c.num(4)), c.Cmp(loop.GT, c.op(loop.Abs, v.im), c.num(4)))
	in := c.pick(large, c.num(0.25), c.num(0x1p54))
	out := c.pick(large, c.num(2), c.num(0x1p-27))
	a, b := c.op(loop.Mul, v.re, in), c.op(loop.Mul, v.im, in)
	half := c.num(0.5)
	r := c.op(loop.Mul, half, c.hypot(a, b))
	first := c.op(loop.Sqrt, c.op(loop.Add, r, c.op(loop.Abs, c.op(loop.Mul, half, a))))
	second := c.op(loop.Mul, out, c.op(loop.Abs, c.op(loop.Div, c.op(loop.Mul, half, b), first)))
	first = c.op(loop.Mul, first, out)
	right := c.Cmp(loop.GT, a, zero)
	im := c.pick(right, second, first)
	im = c.pick(c.Cmp(loop.LT, b, zero), c.op(loop.Neg, im), im)
	return c.sqrtSpecial(v, pair{c.pick(right, first, second), im})
}

// sqrtSpecial replaces root, the square root of v as computed, on the axes and at infinity.
func (c calc) sqrtSpecial(v, root pair) pair {
	zero, half := c.num(0), c.num(0.5)
	diagonal := c.op(loop.Sqrt, c.op(loop.Mul, half, c.op(loop.Abs, v.im)))
	root = c.pickPair(c.Cmp(loop.EQ, v.re, zero), pair{diagonal, c.copySign(diagonal, v.im)}, root)
	infinity := c.num(math.Inf(1))
	root = c.pickPair(c.isInf(v.im), pair{infinity, v.im}, root)
	axis := c.op(loop.Sqrt, c.op(loop.Abs, v.re))
	left := c.Cmp(loop.LT, v.re, zero)
	onAxis := pair{c.pick(left, zero, axis), c.copySign(c.pick(left, axis, zero), v.im)}
	return c.pickPair(c.Cmp(loop.EQ, v.im, zero), onAxis, root)
}

func realPart(_ *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	return Value{Type: t, Re: x[0].Re}
}

func imaginaryPart(_ *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	return Value{Type: t, Re: x[0].Im}
}

// noImaginaryPart is that of a real number: the value whose bits are all zero.
func noImaginaryPart(b *loop.Builder, _ op.Attrs, t shape.ElementType, _ []Value) Value {
	return fromBits(b, t, bitsOf(b, KindOf(t)).num(0))
}

// joins: two parts give a complex number.
func joins(_ op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	return t.IsComplex() && oneType(t.Component(), from)
}

func join(_ *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	return Value{t, x[0].Re, x[1].Re}
}
