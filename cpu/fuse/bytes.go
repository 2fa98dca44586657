package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// isShortRow reports whether machine code reads rows of n bytes whole and turns them.
func isShortRow(n int) bool { return n == 2 || n == 4 || n == 8 }

// onlyBytes reports whether all that s computes, and is made of, has one byte, or is an integer of which one counts.
func onlyBytes(s Spec) bool {
	w := byteWalk{s: s}
	return !slices.ContainsFunc(s.Roots, func(r Root) bool { return !w.isByte(r.Inst) })
}

// byteWalk looks through what is computed.
type byteWalk struct {
	s      Spec
	walked int
}

// isByte reports whether i, and all that it is made of, has one byte.
func (w *byteWalk) isByte(i *hlo.Instruction) bool {
	if w.walked++; w.walked > mostWalked || !i.IsArray() || i.Type().ByteSize() != 1 {
		return false
	}
	if w.s.InMemory(i) && !isRoot(w.s, i) {
		return true
	}
	of := w.isByte
	if i.Code() == op.Convert && i.Type().IsInteger() {
		of = w.isLow
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return !of(o) })
}

// isLow reports whether the lowest byte of integer i is that of a sum, a product and the like of bytes.
func (w *byteWalk) isLow(i *hlo.Instruction) bool {
	t := i.Type()
	if t.ByteSize() == 1 {
		return w.isByte(i)
	}
	if w.walked++; w.walked > mostWalked || !t.IsInteger() || w.s.InMemory(i) && i.Code() != op.Constant {
		return false
	}
	switch i.Code() {
	case op.Constant:
		return true
	case op.Reduce:
		if len(i.Operands()) > 2 || !keepsLow(i.Called()[0].Root().Code()) {
			return false
		}
	case op.Convert:
		if !i.Operand(0).Type().IsInteger() && i.Operand(0).Type() != shape.Pred {
			return false
		}
	default:
		if !keepsLow(i.Code()) {
			return false
		}
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return !w.isLow(o) })
}

// keepsLow reports whether the low bits of what c makes of integers are made of low bits alone.
func keepsLow(c op.Code) bool {
	switch c {
	case op.Add, op.Subtract, op.Multiply, op.And, op.Or, op.Xor, op.Broadcast:
		return true
	}
	return false
}
