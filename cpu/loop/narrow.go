package loop

import "math"

// narrowed finds the value of an operation on 64-bit integers that 32 bits are enough for: the lower half of a sum
// depends on lower halves alone, and small numbers divide and compare alike. A lane loop without 64-bit values has
// twice as many lanes.
func (b *Builder) narrowed(i Inst) (Value, bool) {
	switch i.Op {
	case Trunc:
		return b.low(i.Args[0])
	case Cmp, SDiv, SRem, UDiv, URem, SToF, UToF:
	default:
		return 0, false
	}
	if b.Kind(i.Args[0]) != I64 || i.Op == UToF && !b.natural(i.Args[0]) {
		return 0, false
	}
	switch i.Op {
	case Cmp:
		return b.narrow(i, i.Kind)
	case SToF, UToF:
		i.Op = SToF
		return b.narrow(i, i.Kind)
	}
	d, ok := b.ConstBits(i.Args[1])
	unsigned := i.Op == UDiv || i.Op == URem
	if !ok || d == 0 || int64(d) == -1 || unsigned && !(b.natural(i.Args[0]) && b.natural(i.Args[1])) {
		return 0, false
	}
	q, ok := b.narrow(i, I32)
	if !ok {
		return 0, false
	}
	return b.Op(SExt, I64, q), true
}

// narrow makes i, with a result of kind k, of the lower halves of its operands, if they have the operands' values.
func (b *Builder) narrow(i Inst, k Kind) (Value, bool) {
	var halves [3]Value
	for n, v := range i.Operands() {
		low, ok := b.low(v)
		if r := b.span(v); !ok || !r.in(I32) {
			return 0, false
		}
		halves[n] = low
	}
	i.Kind, i.Args = k, halves
	return b.Inst(i), true
}

// low is the lower half of v, an I64, if no 64-bit value is needed for it.
func (b *Builder) low(v Value) (Value, bool) {
	if low, ok := b.lows[v]; ok {
		return low, low != 0
	}
	low, ok := b.makeLow(*b.nest.Inst(v))
	if b.lows == nil {
		b.lows = map[Value]Value{}
	}
	b.lows[v] = low
	return low, ok
}

func (b *Builder) makeLow(i Inst) (Value, bool) {
	switch i.Op {
	case Const:
		return b.Int(I32, int64(i.Imm)), true
	case SExt, ZExt: // an Index of 64 bits is of a nest that needs it
		return i.Args[0], true
	case Add, Sub, Mul, And, Or, Xor:
		x, ok := b.low(i.Args[0])
		if !ok {
			return 0, false
		}
		y, ok := b.low(i.Args[1])
		if !ok {
			return 0, false
		}
		return b.Op(i.Op, I32, x, y), true
	case Shr, Sar:
		return b.lowShift(i)
	}
	return 0, false
}

// lowShift is the lower half of a number of 31 bits that is shifted to the right.
func (b *Builder) lowShift(i Inst) (Value, bool) {
	by, ok := b.ConstBits(i.Args[1])
	if !ok || !b.natural(i.Args[0]) {
		return 0, false
	}
	x, ok := b.low(i.Args[0])
	if r := b.span(i.Args[0]); ok && (by > 31 || r.hi>>by == 0) {
		return b.Int(I32, 0), true
	}
	if !ok {
		return 0, false
	}
	return b.Op(Shr, I32, x, b.Int(I32, int64(by))), true
}

// natural reports whether v is a number of 31 bits.
func (b *Builder) natural(v Value) bool {
	r := b.span(v)
	return r.in(I32) && r.lo >= 0
}

// span is a range that holds the values of an integer, as a signed number: lo to hi.
type span struct{ lo, hi int64 }

func wholeSpan(k Kind) span {
	if k == I32 {
		return span{math.MinInt32, math.MaxInt32}
	}
	return span{math.MinInt64, math.MaxInt64}
}

func (r span) in(k Kind) bool { w := wholeSpan(k); return w.lo <= r.lo && r.hi <= w.hi }

// span finds the range of v. What it does not know, or might wrap, is any number of its kind.
func (b *Builder) span(v Value) span {
	if r, ok := b.spans[v]; ok {
		return r
	}
	r, ok := b.makeSpan(*b.nest.Inst(v))
	if k := b.Kind(v); !ok || !r.in(k) {
		r = wholeSpan(k)
	}
	if b.spans == nil {
		b.spans = map[Value]span{}
	}
	b.spans[v] = r
	return r
}

func (b *Builder) makeSpan(i Inst) (r span, ok bool) {
	switch i.Op {
	case Const:
		if i.Kind == I32 {
			return span{int64(int32(i.Imm)), int64(int32(i.Imm))}, true
		}
		return span{int64(i.Imm), int64(i.Imm)}, true
	case Index:
		n := b.extents[i.Imm]
		return span{0, n - 1}, n > 0
	case SExt:
		return b.span(i.Args[0]), true
	case ZExt:
		r = b.span(i.Args[0])
		return r, r.lo >= 0
	case Add, Sub, Mul:
		return arithmetic(i.Op, b.span(i.Args[0]), b.span(i.Args[1]))
	case And:
		x, y := b.span(i.Args[0]), b.span(i.Args[1])
		return span{0, min(x.hi, y.hi)}, x.lo >= 0 && y.lo >= 0
	case Shr, Sar:
		by, constant := b.ConstBits(i.Args[1])
		r = b.span(i.Args[0])
		return span{r.lo >> by, r.hi >> by}, constant && (r.lo >= 0 || i.Op == Sar)
	case Load:
		return loadSpan(b.nest.Accesses[i.Access].Mem)
	case Min, Max:
		x, y := b.span(i.Args[0]), b.span(i.Args[1])
		if i.Op == Min {
			return span{min(x.lo, y.lo), min(x.hi, y.hi)}, true
		}
		return span{max(x.lo, y.lo), max(x.hi, y.hi)}, true
	case Select:
		x, y := b.span(i.Args[1]), b.span(i.Args[2])
		return span{min(x.lo, y.lo), max(x.hi, y.hi)}, true
	}
	return r, false
}

// arithmetic is the range of sums, differences and products of numbers up to 2^31.
func arithmetic(o Op, x, y span) (span, bool) {
	const most = 1 << 31
	if min(x.lo, y.lo) < -most || max(x.hi, y.hi) > most {
		return span{}, false
	}
	switch o {
	case Add:
		return span{x.lo + y.lo, x.hi + y.hi}, true
	case Sub:
		return span{x.lo - y.hi, x.hi - y.lo}, true
	}
	p := [4]int64{x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi}
	return span{min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])}, true
}
