package loop

// Integers narrower than their lanes are wrapped after each operation: shifted to the left and back, or masked. Where
// only low bits of a sum or product count, those of its operands do, and the wrapping of these is left out.

// unwrapped finds the value of an operation of which only low bits of operand 0 count, without wrapping before it.
func (b *Builder) unwrapped(i Inst) (Value, bool) {
	i = b.constantLast(i)
	by, ok := b.ConstBits(i.Args[1])
	if !ok || i.Kind != I32 {
		return 0, false
	}
	bits := uint64(0)
	switch {
	case i.Op == Shl && by < 32:
		bits = 32 - by
	case i.Op == And && by&(by+1) == 0:
		for ; by>>bits != 0; bits++ {
		}
	default:
		return 0, false
	}
	from := *b.nest.Inst(i.Args[0])
	if from.Op != Add && from.Op != Sub && from.Op != Mul {
		return 0, false
	}
	x, y := b.unwrap(from.Args[0], bits), b.unwrap(from.Args[1], bits)
	if x == from.Args[0] && y == from.Args[1] {
		return 0, false
	}
	i.Args[0] = b.Op(from.Op, I32, x, y)
	return b.Inst(i), true
}

// unwrap returns a value with the same low bits as v, what v is the wrapped value of if that keeps as many.
func (b *Builder) unwrap(v Value, bits uint64) Value {
	i := *b.nest.Inst(v)
	if i.Op != Sar && i.Op != And {
		return v
	}
	i = b.constantLast(i)
	by, ok := b.ConstBits(i.Args[1])
	from := i.Args[0]
	switch {
	case !ok:
	case i.Op == And && (by+1)&(1<<bits-1) == 0:
		return from
	case i.Op == Sar && by+bits <= 32:
		if s := b.nest.Inst(from); s.Op == Shl && s.Args[1] == i.Args[1] {
			return s.Args[0]
		}
	}
	return v
}

// constantLast returns i with a constant as operand 1 if it is an And with one.
func (b *Builder) constantLast(i Inst) Inst {
	if _, ok := b.ConstBits(i.Args[0]); ok && i.Op == And {
		i.Args[0], i.Args[1] = i.Args[1], i.Args[0]
	}
	return i
}
