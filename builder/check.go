package builder

import (
	"fmt"

	"github.com/goxla/xla/op"
)

// This file holds checks that must come before the shape rule, where a function looks at
// the dimensions of its operands.

// enterArray is enter for an operation on one array.
func enterArray(code op.Code, x Op) (b *Builder, ok bool) {
	if b, ok = enter(code, x); !ok {
		return b, false
	}
	return b, b.wantArray(code, 0, x)
}

// wantArray checks that x, operand i, is an array.
func (b *Builder) wantArray(code op.Code, i int, x Op) bool {
	if !x.Type().IsArray() {
		b.errorf(code, fmt.Sprintf("operand %d", i), "", "expected an array, got %v", x.Shape())
	}
	return b.s.err == nil
}

// wantDim checks that attr, d, is in [0, rank).
func (b *Builder) wantDim(code op.Code, attr string, d, rank int) bool {
	if d < 0 || d >= rank {
		b.errorf(code, attr, "", "%d is not in [0, %d)", d, rank)
	}
	return b.s.err == nil
}

// wantLen checks the number of entries of a list.
func (b *Builder) wantLen(code op.Code, attr string, got, want int) bool {
	if got != want {
		b.errorf(code, attr, "", "expected %d entries, got %d", want, got)
	}
	return b.s.err == nil
}

// ownsAll reports whether all operands are values of b, and records an error if not.
func (b *Builder) ownsAll(code op.Code, operands []Op) bool {
	for i, x := range operands {
		if !b.owns(code, i, x) {
			return false
		}
	}
	return true
}

// at names entry i of attribute attr.
func at(attr string, i int) string { return fmt.Sprintf("%s[%d]", attr, i) }

// wantSome checks that there is an operand.
func (b *Builder) wantSome(code op.Code, operands []Op) bool {
	if len(operands) == 0 {
		b.errorf(code, "", "", "expected at least one operand, got none")
	}
	return b.s.err == nil
}
