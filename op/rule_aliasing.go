package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// This file holds the rules of output_to_operand_aliasing, and of the buffers that
// custom calls pass on by it.

const aliasingAttr = "output_to_operand_aliasing"

// wantAliasing checks that each alias names a part of the result and a part of an
// operand, and that both have one shape.
func wantAliasing(aliases []OutputAliasing, result shape.Shape, operands []shape.Shape, label string) error {
	for i, a := range aliases {
		if err := a.check(at(aliasingAttr, i), result, operands, label); err != nil {
			return err
		}
	}
	return nil
}

// check is wantAliasing of one alias, the entry of an attribute called attr.
func (a OutputAliasing) check(attr string, result shape.Shape, operands []shape.Shape, label string) error {
	if err := wantDim(attr, a.Operand, len(operands), label); err != nil {
		return err
	}
	operand := operands[a.Operand]
	out, ok := partOf(result, a.OutputIndex)
	if !ok {
		return attrErr(attr, label, "expected a part of the result %v, got index %v", result, a.OutputIndex)
	}
	from, ok := partOf(operand, a.OperandIndex)
	if !ok {
		return attrErr(attr, label, "expected a part of operand %d, %v, got index %v", a.Operand, operand,
			a.OperandIndex)
	}
	if !out.EqualIgnoringLayout(from) {
		return attrErr(attr, label, "expected the result's %v to be as the part of operand %d, got %v", out, a.Operand,
			from)
	}
	return nil
}

// partOf returns the part of s at a tuple index.
func partOf(s shape.Shape, index []int) (part shape.Shape, ok bool) {
	for _, i := range index {
		if !s.IsTuple() || i < 0 || i >= len(s.Elems) {
			return s, false
		}
		s = s.Elems[i]
	}
	return s, true
}

// The custom calls that turn arrays into buffers and back, and that make a buffer.
const (
	pinTarget          = "Pin"
	unpinTarget        = "Unpin"
	createBufferTarget = "CreateBuffer"
)

// wantPinning checks a custom call to Pin (array to buffer) or Unpin (buffer to
// array): one operand, which is the result.
func wantPinning(in *Inputs, a *CustomCallAttrs) error {
	const label = "custom_call_o4"
	if err := wantOperandCount(in, 1, label); err != nil {
		return err
	}
	array, buffer := in.Operands[0], in.Declared
	if a.Target == unpinTarget {
		array, buffer = buffer, array
	}
	if buffer.Type != shape.Buffer || len(buffer.Elems) != 1 || !buffer.Elems[0].EqualIgnoringLayout(array) {
		return labelErr(label, "expected %s between an array and the buffer of it, got %v to %v", a.Target,
			in.Operands[0], in.Declared)
	}
	if len(a.Aliasing) != 1 {
		return attrErr(aliasingAttr, label, "expected 1 entry for %s, got %d", a.Target, len(a.Aliasing))
	}
	if e := a.Aliasing[0]; e.Operand != 0 || len(e.OutputIndex) > 0 || len(e.OperandIndex) > 0 {
		return attrErr(aliasingAttr, label, "expected {}: (0, {}) for %s, got %+v", a.Target, e)
	}
	return nil
}

// wantBuffersPassed checks that each buffer in the result is the alias of a buffer
// in the operands, and each of those of one in the result at most.
func wantBuffersPassed(aliases []OutputAliasing, result shape.Shape) error {
	const label = "custom_call_o5"
	for i, a := range aliases {
		for _, b := range aliases[:i] {
			if out, _ := partOf(result, a.OutputIndex); out.Type == shape.Buffer && b.sameOperandPart(a) {
				return attrErr(at(aliasingAttr, i), label,
					"expected each buffer once in the result, got operand %d %v twice",
					a.Operand, a.OperandIndex)
			}
		}
	}
	return eachBuffer(result, nil, func(index []int) error {
		for _, a := range aliases {
			if slices.Equal(a.OutputIndex, index) {
				return nil
			}
		}
		return attrErr(aliasingAttr, label, "expected an operand for the buffer %v of the result, got none", index)
	})
}

func (a OutputAliasing) sameOperandPart(b OutputAliasing) bool {
	return a.Operand == b.Operand && slices.Equal(a.OperandIndex, b.OperandIndex)
}

// eachBuffer calls f with the index of each buffer in s until it fails.
func eachBuffer(s shape.Shape, index []int, f func(index []int) error) error {
	if s.Type == shape.Buffer {
		return f(index)
	}
	if !s.IsTuple() {
		return nil
	}
	for i, e := range s.Elems {
		if err := eachBuffer(e, append(index[:len(index):len(index)], i), f); err != nil {
			return err
		}
	}
	return nil
}
