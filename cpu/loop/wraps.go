package loop

import "math/bits"

// inType finds the operand that i, which wraps it to a narrow type or clamps it, leaves as it is: it is of that type.
func (b *Builder) inType(i Inst) (Value, bool) {
	if i.Kind != I32 {
		return 0, false
	}
	switch i.Op {
	case Min, Max:
		return b.extreme(i)
	case And:
		for k, v := range i.Args[:2] {
			m, ok := b.ConstBits(v)
			if x := i.Args[1-k]; ok && m&(m+1) == 0 && m < 1<<31 && b.natural(x) && b.span(x).hi <= int64(m) {
				return x, true
			}
		}
	case Sar:
		by, ok := b.ConstBits(i.Args[1])
		up := b.nest.Inst(i.Args[0])
		if !ok || up.Op != Shl || by > 31 {
			return 0, false
		}
		if also, ok := b.ConstBits(up.Args[1]); !ok || also != by {
			return 0, false
		}
		r, most := b.span(up.Args[0]), int64(1)<<(31-by)
		return up.Args[0], -most <= r.lo && r.hi < most
	}
	return 0, false
}

// extreme finds the operand that minimum or maximum i always is, as their ranges tell.
func (b *Builder) extreme(i Inst) (Value, bool) {
	x, y := b.span(i.Args[0]), b.span(i.Args[1])
	if i.Op == Min {
		x, y = y, x
	}
	switch { // the operand with the range x is the one that is greater, that of Min the other one
	case x.lo >= y.hi:
		return i.Args[0], true
	case y.lo >= x.hi:
		return i.Args[1], true
	}
	return 0, false
}

// loadSpan is the range of what a load of m gives; lanes that are off give 0.
func loadSpan(m Mem) (r span, ok bool) {
	switch m {
	case MemS8, MemS16:
		most := int64(1) << (8*m.Bytes() - 1)
		return span{-most, most - 1}, true
	case MemU8, MemU16:
		return span{0, 1<<(8*m.Bytes()) - 1}, true
	}
	return span{}, false
}

// shortReciprocal is m and s such that x*m>>s is x/d, rounded down, for all x from 0 to most, if there are such
// numbers and x*m has w bits at most; d is no power of 2.
func shortReciprocal(d uint64, most int64, w int) (m uint64, s int, ok bool) {
	for s = bits.Len64(d); s < w; s++ {
		m = 1<<s/d + 1
		if uint64(most)*m>>w != 0 {
			return 0, 0, false
		}
		if (m*d-1<<s)*uint64(most) < 1<<s {
			return m, s, true
		}
	}
	return 0, 0, false
}

// short divides by a product that fits 32 bits, where the range of x, and of what has its sign, allows that.
func (n *reciprocal) short(signed bool) (Value, bool) {
	d := n.d
	r := n.span(n.x)
	if n.kind != I32 || d&(d-1) == 0 || signed && d>>31 == 1 || !signed && r.lo < 0 {
		return 0, false
	}
	if r.lo >= 0 {
		m, s, ok := shortReciprocal(d, r.hi, 32)
		if !ok {
			return 0, false
		}
		return n.shift(Shr, n.Op(Mul, I32, n.x, n.integer(m)), s), true
	}
	m, s, ok := shortReciprocal(d, max(-r.lo, r.hi), 31)
	if !ok {
		return 0, false
	}
	return n.towardsZero(n.shift(Sar, n.Op(Mul, I32, n.x, n.integer(m)), s)), true
}

// mostRounds is how far isRounded looks.
const mostRounds = 6

// isRounded reports whether x is known to be such a number as o rounds to, in a nest where not all are.
func (b *Builder) isRounded(o Op, x Value, depth int) bool {
	if !b.Excess || depth == 0 {
		return false
	}
	i, from := b.nest.Inst(x), 0
	switch i.Op {
	case o:
		return true
	case Const:
		return o == RoundBF16 && uint16(i.Imm) == 0
	case Load:
		m := b.nest.Accesses[i.Access].Mem
		return o == RoundBF16 && m == MemBF16 || o == RoundF16 && m == MemF16
	case Select:
		from = 1
	case Min, Max, Abs, Neg:
	default:
		return false
	}
	for _, a := range i.Operands()[from:] {
		if !b.isRounded(o, a, depth-1) {
			return false
		}
	}
	return true
}
