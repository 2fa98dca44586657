package loop

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
