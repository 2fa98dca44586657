package loop

import "math/bits"

// divided finds another way for a division by a constant other than 0 and the least integer: a shift, or a product
// with a rounded reciprocal of which the upper half is kept ("Division by invariant integers using multiplication",
// Granlund and Montgomery, PLDI 1994). Dividing vectors of integers takes ten times as long.
func (b *Builder) divided(i Inst) (Value, bool) {
	signed := i.Op == SDiv || i.Op == SRem
	if !signed && i.Op != UDiv && i.Op != URem {
		return 0, false
	}
	d, ok := b.ConstBits(i.Args[1])
	w := i.Kind.Bits()
	if w == 32 {
		d = uint64(uint32(d))
	}
	if !ok || d == 0 || signed && d == 1<<(w-1) {
		return 0, false
	}
	n := &reciprocal{b, i.Kind, i.Args[0], d, w}
	remains := i.Op == URem || i.Op == SRem
	if q, ok := n.short(signed); ok {
		if remains {
			return n.left(q, rest{signed: signed, short: true}), true
		}
		return q, true
	}
	signed = signed && (d>>(w-1) == 1 || n.span(n.x).lo < 0) // else it makes no difference
	switch {
	case !signed && !remains:
		return n.unsigned(), true
	case !signed && d&(d-1) == 0:
		return b.Op(And, i.Kind, n.x, n.integer(d-1)), true
	case !signed:
		return n.left(n.unsigned(), rest{}), true
	case !remains:
		return n.signed(), true
	}
	return n.left(n.signed(), rest{signed: true}), true
}

// reciprocal divides x by d, integers of w bits.
type reciprocal struct {
	*Builder
	kind Kind
	x    Value
	d    uint64
	w    int
}

func (n *reciprocal) integer(v uint64) Value { return n.Int(n.kind, int64(v)) }

// shift shifts by a constant.
func (n *reciprocal) shift(o Op, x Value, by int) Value {
	if by == 0 {
		return x
	}
	return n.Op(o, n.kind, x, n.integer(uint64(by)))
}

// rest is what quotient q leaves.
func (n *reciprocal) rest(q Value) Value {
	return n.Op(Sub, n.kind, n.x, n.Op(Mul, n.kind, q, n.integer(n.d)))
}

// magic is 2^(w+s)/d, cut, and what the division leaves.
func (n *reciprocal) magic(d uint64, s int) (q, r uint64) {
	if n.w == 64 {
		return bits.Div64(1<<s, 0, d)
	}
	return (1 << (32 + s)) / d, (1 << (32 + s)) % d
}

// unsigned multiplies by the reciprocal, rounded up, of w bits; where an error could show, of one bit more, the first
// of which stands for x itself.
func (n *reciprocal) unsigned() Value {
	s := bits.Len64(n.d) - 1
	if n.d&(n.d-1) == 0 {
		return n.shift(Shr, n.x, s)
	}
	m, r := n.magic(n.d, s)
	if n.d-r < 1<<s {
		return n.shift(Shr, n.Op(MulHiU, n.kind, n.x, n.integer(m+1)), s)
	}
	m *= 2
	if 2*r >= n.d || 2*r < r {
		m++
	}
	t := n.Op(MulHiU, n.kind, n.x, n.integer(m+1))
	half := n.shift(Shr, n.Op(Sub, n.kind, n.x, t), 1)
	return n.shift(Shr, n.Op(Add, n.kind, half, t), s)
}

// signed divides by the absolute value of d, rounded down, and adds 1 to what is negative: cut towards 0 is that.
func (n *reciprocal) signed() Value {
	d := n.d
	negative := d>>(n.w-1) == 1
	if negative {
		d = -d & (1<<n.w - 1)
	}
	s := bits.Len64(d) - 1
	var q Value
	if d&(d-1) == 0 {
		q = n.x
		if s > 0 {
			up := n.shift(Shr, n.shift(Sar, n.x, s-1), n.w-s) // d-1 where x is negative
			q = n.shift(Sar, n.Op(Add, n.kind, n.x, up), s)
		}
	} else {
		q = n.cut(d, s)
	}
	if negative {
		return n.Op(Sub, n.kind, n.integer(0), q)
	}
	return q
}

// cut is signed for a d that is no power of 2.
func (n *reciprocal) cut(d uint64, s int) Value {
	m, r := n.magic(d, s-1)
	if d-r < 1<<s {
		return n.towardsZero(n.shift(Sar, n.Op(MulHiS, n.kind, n.x, n.integer(m+1)), s-1))
	}
	m *= 2
	if 2*r >= d || 2*r < r {
		m++
	}
	high := n.Op(MulHiS, n.kind, n.x, n.integer(m+1)) // m+1 has the sign bit set, and counts as that less 2^w
	return n.towardsZero(n.shift(Sar, n.Op(Add, n.kind, high, n.x), s))
}

// towardsZero adds 1 to q where it is negative.
func (n *reciprocal) towardsZero(q Value) Value {
	return n.Op(Add, n.kind, q, n.shift(Shr, q, n.w-1))
}
