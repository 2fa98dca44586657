package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// mostHalves is the largest magnitude, in halves, of the constant exponents that are made of products.
const mostHalves = 8

// powConstant is x^y for a constant y that is a whole number of halves, and small: products, square roots and
// reciprocals in two parts, the lower one dropped where it is no number. ok is false for other y.
func powConstant(c calc, x, y value) (z value, ok bool) {
	bits, isConst := c.b.ConstBits(y)
	if !isConst {
		return 0, false
	}
	halves := 2 * math.Float64frombits(bits)
	if c.kind == loop.F32 {
		halves = 2 * float64(math.Float32frombits(uint32(bits)))
	}
	if n := math.Abs(halves); n != math.Trunc(n) || n < 1 || n > mostHalves {
		return 0, false
	}
	n := int(math.Abs(halves))
	var h, l value
	switch {
	case n%2 != 0:
		h, l = c.powHalves(c.withoutSigns(x), n, halves < 0)
	case halves < 0:
		v := c.div(c.num(1), x)
		h, l = c.powWhole(v, c.mul(c.fnma(x, v, c.num(1)), v), n/2)
	default:
		if n == 2 {
			return x, true
		}
		h, l = c.powWhole(x, c.num(0), n/2)
	}
	z = c.add(h, l)
	return c.pick(c.b.Cmp(loop.Unordered, z, z), h, z), true
}

// withoutSigns is x without the signs of -0 and -Inf, whose powers of halves are those of 0 and +Inf.
func (c calc) withoutSigns(x value) value {
	return c.pick(c.equal(x, math.Inf(-1)), c.inf(), c.add(x, c.num(0)))
}

// powHalves is x^(n/2), or its inverse, for an odd n.
func (c calc) powHalves(x value, n int, inverse bool) (h, l value) {
	s := c.sqrt(x)
	r := c.div(c.num(1), s)
	half := c.times(r, 0.5)
	if !inverse {
		sl := c.mul(c.fnma(s, s, x), half)
		if n == 1 {
			return s, c.num(0)
		}
		p, pl := c.powWhole(x, c.num(0), n/2)
		return c.mulPair(p, pl, s, sl)
	}
	q := c.mul(x, r)
	ql := c.fms(x, r, q)
	return c.powWhole(r, c.mul(half, c.fnma(ql, r, c.fnma(q, r, c.num(1)))), n)
}

// powWhole is (x+xl)^n, n > 0.
func (c calc) powWhole(x, xl value, n int) (h, l value) {
	if n == 1 {
		return x, xl
	}
	h, l = c.powWhole(x, xl, n/2)
	h, l = c.mulPair(h, l, h, l)
	if n%2 != 0 {
		h, l = c.mulPair(h, l, x, xl)
	}
	return h, l
}
