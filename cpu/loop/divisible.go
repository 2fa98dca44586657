package loop

import "math/bits"

// rest is what v leaves of x by a constant, d without its sign.
type rest struct {
	v, x Value
	d    uint64
	q    Value // the quotient, if the constant was positive
	// signed: x may be negative. natural: v is not. short: the quotient is a short product.
	signed, natural, short bool
}

// left is what quotient q leaves, which is remembered.
func (n *reciprocal) left(q Value, r rest) Value {
	r.x, r.d, r.q, r.v = n.x, n.d, q, n.rest(q)
	r.natural = r.natural || !r.signed && r.d>>(n.w-1) == 0
	if r.signed && r.d>>(n.w-1) == 1 {
		r.d, r.q = -r.d&(1<<n.w-1), 0
	}
	n.rests = append(n.rests, r)
	return r.v
}

// restOf finds the rest that v is, or is said to tell of; there may be none.
func (b *Builder) restOf(v Value) *rest {
	for k := range b.rests {
		if r := &b.rests[k]; r.v == v {
			return r
		}
	}
	return nil
}

// ofRest finds another way for what is made of a rest: see divisible and floored.
func (b *Builder) ofRest(i Inst) (Value, bool) {
	if len(b.rests) == 0 || i.Op != Cmp && i.Op != Select {
		return 0, false
	}
	if i.Op == Select {
		return b.floored(&i)
	}
	zero, ok := b.ConstBits(i.Args[1])
	r := b.restOf(i.Args[0])
	switch {
	case r == nil || !ok || zero != 0:
	case i.Imm == LT && r.natural:
		return b.Bool(false), true
	case i.Imm <= NE && !r.short && r.d > 1:
		return b.divisible(&i, *r), true
	}
	return 0, false
}

// divisible is another way to compare with 0 what a division by a constant leaves.
//
// An odd d has an inverse modulo 2^w; its product with a multiple of d is the quotient, and no other number has such a
// small one. Twos of an even d are turned to the other end of the product, where what they leave is large.
func (b *Builder) divisible(i *Inst, r rest) Value {
	k := b.Kind(r.x)
	n := &reciprocal{b, k, r.x, r.d, k.Bits()}
	if r.d&(r.d-1) == 0 {
		return b.Cmp(i.Imm, b.Op(And, k, r.x, n.integer(r.d-1)), i.Args[1])
	}
	twos := bits.TrailingZeros64(r.d)
	odd := r.d >> twos
	inverse := odd // of three bits; each step doubles how many are right
	for range 5 {
		inverse *= 2 - odd*inverse
	}
	all := uint64(1)<<n.w - 1
	most := all / r.d
	q := b.Op(Mul, k, r.x, n.integer(inverse&all))
	if r.signed {
		half := all >> 1 / r.d
		q, most = b.Op(Add, k, q, n.integer(half<<twos)), 2*half
	}
	if twos > 0 {
		q = b.Op(Or, k, n.shift(Shr, q, twos), n.shift(Shl, q, n.w-twos))
	}
	r.v = b.Cmp(ULE+i.Imm-EQ, q, n.integer(most)) // for NE UGT
	if i.Imm == NE {
		b.rests = append(b.rests, r) // see floored
	}
	return r.v
}

// isOp reports whether v is o of x and constant c, or whether x is less than it.
func (b *Builder) isOp(v Value, o Op, x Value, c uint64) bool {
	i := b.nest.Inst(v)
	first, second := i.Args[0], i.Args[1]
	if o == Add && second == x {
		first, second = second, first
	}
	n, ok := b.ConstBits(second)
	return i.Op == o && first == x && ok && n == c && (o != Cmp || i.Imm == LT)
}

// floored finds another way to divide by a positive constant and round down, which is written as a quotient of which 1
// is taken where x is negative and something is left, and to what that leaves: x%d < 0 ? x%d+d : x%d.
func (b *Builder) floored(i *Inst) (Value, bool) {
	v := i.Args[2]
	if r := b.restOf(v); r != nil {
		if r.short || !r.signed || r.natural || r.d < 2 || !b.isOp(i.Args[0], Cmp, v, 0) || !b.isOp(i.Args[1], Add, v, r.d) {
			return 0, false
		}
		n := &reciprocal{b, i.Kind, r.x, r.d, i.Kind.Bits()}
		if r.d&(r.d-1) == 0 {
			return b.Op(And, i.Kind, r.x, n.integer(r.d-1)), true
		}
		return n.left(n.floor(), rest{signed: true, natural: true}), true
	}
	both := b.nest.Inst(i.Args[0])
	if both.Op != And || !b.isOp(i.Args[1], Sub, v, 1) {
		return 0, false
	}
	for k, m := range both.Args[:2] {
		if r := b.restOf(m); r != nil && r.signed && !r.natural && r.q == v && b.isOp(both.Args[1-k], Cmp, r.x, 0) {
			n := &reciprocal{b, i.Kind, r.x, r.d, i.Kind.Bits()}
			return n.floor(), true
		}
	}
	return 0, false
}

// floor is x divided by d > 1, rounded down: with all bits turned around a negative x is a natural number, and so is
// its quotient then, and a natural number of w-1 bits needs a reciprocal of w bits.
func (n *reciprocal) floor() Value {
	s := bits.Len64(n.d) - 1
	if n.d&(n.d-1) == 0 {
		return n.shift(Sar, n.x, s)
	}
	sign := n.shift(Sar, n.x, n.w-1)
	m, _ := n.magic(n.d, s)
	q := n.shift(Shr, n.Op(MulHiU, n.kind, n.Op(Xor, n.kind, n.x, sign), n.integer(m+1)), s)
	return n.Op(Xor, n.kind, q, sign)
}
