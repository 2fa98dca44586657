package loop

import "slices"

// folded finds the value of an operation on integers, or of a choice, whose operands are constants: in copies of a
// loop's body numbers of iterations are.
func (b *Builder) folded(i Inst) (Value, bool) {
	switch i.Op {
	case Add, Sub, Mul, Cmp, And, Or, Xor, AndNot, Not, SExt, ZExt, Trunc:
	case Select:
		on, ok := b.ConstBits(i.Args[0])
		if !ok {
			return 0, false
		}
		return i.Args[2-on], true
	default:
		return 0, false
	}
	var x [3]uint64
	for n, v := range i.Operands() {
		k := b.Kind(v)
		bits, ok := b.ConstBits(v)
		if !ok || k == F32 || k == F64 {
			return 0, false
		}
		if x[n] = bits; k == I32 && i.Op != ZExt {
			x[n] = uint64(int32(bits))
		}
	}
	switch i.Op {
	case Cmp:
		return b.Bool(compare(i.Imm, int64(x[0]), int64(x[1]))), true
	case Not:
		x[0] = ^x[0]
	case SExt, ZExt, Trunc:
	default:
		x[0] = integer(i.Op, x[0], x[1])
	}
	if i.Kind == Mask {
		return b.Bool(x[0]&1 != 0), true
	}
	return b.Int(i.Kind, int64(x[0])), true
}

// compare compares integers, those of 32 bits with their sign in all of the upper ones.
func compare(p Pred, x, y int64) bool {
	less, equal := x < y, x == y
	if slices.Contains([]Pred{ULT, ULE, UGT, UGE}, p) {
		less = uint64(x) < uint64(y)
	}
	switch p {
	case EQ:
		return equal
	case NE:
		return !equal
	case LT, ULT:
		return less
	case LE, ULE:
		return less || equal
	case GT, UGT:
		return !less && !equal
	case GE, UGE:
		return !less
	}
	return false // no integers are unordered
}

// integer is an operation on 64 bits; the lower ones of its result depend on lower ones alone.
func integer(o Op, x, y uint64) uint64 {
	switch o {
	case Add:
		return x + y
	case Sub:
		return x - y
	case Mul:
		return x * y
	case And:
		return x & y
	case Or:
		return x | y
	case Xor:
		return x ^ y
	}
	return ^x & y // AndNot
}
