package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A pad of what is transposed, as the input of a convolution whose places are neighbours, reads lanes that are far
// apart, and their neighbours in the loop around them. Where no mask is in the way, squares are turned in registers: so
// loops over dimensions with padding are cut, too, into what is beyond the operand and what is inside.

// mostTurnedBytes is the size of elements up to which that is faster than gathering them.
const mostTurnedBytes = 4

// mostShortLanes is the lanes of a loop that becomes one with that around it: then the masks come again with each of
// its iterations.
const mostShortLanes = 8

// padCutsOf returns how the dimensions of s are cut for such a pad, nil if it has none, or if many lanes are padded:
// they keep their masks.
func padCutsOf(s Spec, lanes int) []cut {
	for _, r := range s.Roots {
		if !s.isFull(r) || r.Spread || r.Inst.IsTuple() || r.Shape().Size() < leastCut {
			continue
		}
		i := turnedPad(s, r.Inst, lanes)
		if i == nil {
			i = shortPad(s, r.Inst)
		}
		if i == nil {
			continue
		}
		cuts := make([]cut, len(s.Dims))
		for d, p := range i.Attrs().(*op.PadAttrs).Padding {
			n := int64(s.Dims[d])
			c := cutPhase{count: n, lo: max(0, int64(p.Low)), hi: min(n, n-int64(p.High)), outside: true}
			switch {
			case c.lo == 0 && c.hi == n:
			case d == lanes && s.Dims[d] <= mostShortLanes:
			case d == lanes || c.lo >= c.hi:
				return nil
			default:
				cuts[d].phases = []cutPhase{c}
			}
		}
		return cuts
	}
	return nil
}

// turnedPad returns the pad, without holes, that is computed for i at its own place, of a transpose by which neighbours
// come to be in the loop around the lanes, if that is not the outermost; nil if there is none.
func turnedPad(s Spec, i *hlo.Instruction, lanes int) *hlo.Instruction {
	pad := unaryOf(i, func(o *hlo.Instruction) bool { return s.InMemory(o) && !isRoot(s, o) })
	around := lastDim(s, func(d int) bool { return d != lanes && s.Dims[d] > 1 })
	if pad == nil || pad.Code() != op.Pad || len(pad.Dims()) != len(s.Dims) || around < 0 ||
		!slices.ContainsFunc(s.Dims[:around], func(n int) bool { return n > 1 }) ||
		slices.ContainsFunc(pad.Attrs().(*op.PadAttrs).Padding, func(p op.PadDim) bool { return p.Interior > 0 }) {
		return nil
	}
	t := unaryOf(pad.Operand(0), s.InMemory)
	if t == nil || t.Code() != op.Transpose || t.Type().ByteSize() > mostTurnedBytes {
		return nil
	}
	from := t.Attrs().(*op.TransposeAttrs).Dimensions[around]
	for _, n := range t.Operand(0).Dims()[from+1:] {
		if n > 1 {
			return nil
		}
	}
	return pad
}

// mostShortBytes is the most bytes behind the last padded dimension for which masks are dear.
const mostShortBytes = 1 << 10

// shortPad returns the pad, without holes, that is computed for i at its own place, of what is in memory, in any order
// of its dimensions, if what is behind its padded dimensions is short: a few vectors for each mask; nil if there is
// none.
func shortPad(s Spec, i *hlo.Instruction) *hlo.Instruction {
	pad := unaryOf(i, func(o *hlo.Instruction) bool { return s.InMemory(o) && !isRoot(s, o) })
	if pad == nil || pad.Code() != op.Pad || len(pad.Dims()) != len(s.Dims) {
		return nil
	}
	row := pad.Type().ByteSize()
	list := pad.Attrs().(*op.PadAttrs).Padding
	for d := len(list) - 1; d >= 0 && list[d] == (op.PadDim{}); d-- {
		row *= pad.Dims()[d]
	}
	holes := slices.ContainsFunc(list, func(p op.PadDim) bool { return p.Interior > 0 })
	if holes || row > mostShortBytes {
		return nil
	}
	o := pad.Operand(0)
	for o = unaryOf(o, s.InMemory); o != nil; o = unaryOf(o.Operand(0), s.InMemory) {
		if o.Code() != op.Transpose && o.Code() != op.Reshape {
			return nil
		}
	}
	return pad
}

// unaryOf returns what elementwise operations of one operand make i of, nil if some of it is in memory.
func unaryOf(i *hlo.Instruction, inMemory func(*hlo.Instruction) bool) *hlo.Instruction {
	for !inMemory(i) {
		if !isElementwise(i) || len(i.Operands()) != 1 {
			return i
		}
		i = i.Operand(0)
	}
	return nil
}
