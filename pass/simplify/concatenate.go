package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// concatenations is about concatenate.
var concatenations = Family{Name: "concatenate", Doc: "Concatenate.", Rules: []Rule{
	rule("concatenate-one", "concatenate(x) -> x", concatenateOne, op.Concatenate),
	rule("concatenate-empty", "concatenate leaves out operands without elements", concatenateEmpty, op.Concatenate),
	rule("concatenate-nested", "concatenate(x, concatenate(y, z)) -> concatenate(x, y, z)",
		concatenateNested, op.Concatenate),
	rule("concatenate-slices", "concatenate(x[a:b], x[b:c]) -> x[a:c]", concatenateSlices, op.Concatenate),
	rule("concatenate-splats", "concatenate(broadcast(c), broadcast(c)) -> broadcast(c)",
		concatenateSplats, op.Concatenate),
	rule("concatenate-repeated", "concatenate(x, x, ...) along a dimension of size 1 -> broadcast(x)",
		concatenateRepeated, op.Concatenate),
	rule("concatenate-pad", "concatenate(x, broadcast(c)) -> pad(x, c), also in front", concatenatePad, op.Concatenate),
}}

func concatenated(i *hlo.Instruction) int { return attrsOf[*op.ConcatenateAttrs](i).Dimensions[0] }

// joined emits the concatenation of parts like i.
func joined(i *hlo.Instruction, parts []*hlo.Instruction) *hlo.Instruction {
	return emit(i, op.Concatenate, i.Shape(), i.Attrs(), parts...)
}

func concatenateOne(i *hlo.Instruction) *hlo.Instruction {
	if len(i.Operands()) != 1 {
		return nil
	}
	return i.Operand(0)
}

func concatenateEmpty(i *hlo.Instruction) *hlo.Instruction {
	d := concatenated(i)
	parts := slices.DeleteFunc(slices.Clone(i.Operands()), func(x *hlo.Instruction) bool { return x.Dims()[d] == 0 })
	if len(parts) == 0 || len(parts) == len(i.Operands()) {
		return nil
	}
	return joined(i, parts)
}

func concatenateNested(i *hlo.Instruction) *hlo.Instruction {
	var parts []*hlo.Instruction
	for _, x := range i.Operands() {
		if is(x, op.Concatenate) && concatenated(x) == concatenated(i) {
			parts = append(parts, x.Operands()...)
		} else {
			parts = append(parts, x)
		}
	}
	if len(parts) == len(i.Operands()) {
		return nil
	}
	return joined(i, parts)
}

// merge replaces neighbouring operands by one where pair tells for the two in front how to
// make it; it returns nil where it never does.
func merge(i *hlo.Instruction, pair func(x, y *hlo.Instruction) func() *hlo.Instruction) *hlo.Instruction {
	parts := []*hlo.Instruction{i.Operand(0)}
	for _, y := range i.Operands()[1:] {
		last := len(parts) - 1
		if make := pair(parts[last], y); make != nil {
			parts[last] = make()
		} else {
			parts = append(parts, y)
		}
	}
	if len(parts) == len(i.Operands()) {
		return nil
	}
	return joined(i, parts)
}

func concatenateSlices(i *hlo.Instruction) *hlo.Instruction {
	d := concatenated(i)
	return merge(i, func(x, y *hlo.Instruction) func() *hlo.Instruction {
		if !is(x, op.Slice) || !is(y, op.Slice) || x.Operand(0) != y.Operand(0) {
			return nil
		}
		ranges := slices.Clone(rangesOf(x))
		for k, r := range rangesOf(y) {
			if k != d && tidy(r) != tidy(ranges[k]) {
				return nil
			}
		}
		next := rangesOf(y)[d]
		if next.Stride != 1 || ranges[d].Stride != 1 || ranges[d].Limit != next.Start {
			return nil
		}
		ranges[d].Limit = next.Limit
		return func() *hlo.Instruction {
			s := resized(x, d, ranges[d].Limit-ranges[d].Start)
			return emit(i, op.Slice, s, &op.SliceAttrs{Slice: ranges}, x.Operand(0))
		}
	})
}

func concatenateSplats(i *hlo.Instruction) *hlo.Instruction {
	d := concatenated(i)
	return merge(i, func(x, y *hlo.Instruction) func() *hlo.Instruction {
		a, ok := scalarOf(x)
		b, also := scalarOf(y)
		if !ok || !also || !sameLiteral(a, b) {
			return nil
		}
		return func() *hlo.Instruction {
			return spread(i, resized(x, d, x.Dims()[d]+y.Dims()[d]), a)
		}
	})
}

func concatenateRepeated(i *hlo.Instruction) *hlo.Instruction {
	x, d := i.Operand(0), concatenated(i)
	if len(i.Operands()) < 2 || x.Dims()[d] != 1 {
		return nil
	}
	for _, y := range i.Operands() {
		if y != x {
			return nil
		}
	}
	kept := complement(i.Rank(), []int{d})
	s := x.Shape()
	s.Dims, s.Layout = gatherInts(s.Dims, kept), nil
	return emit(i, op.Broadcast, i.Shape(), &op.BroadcastAttrs{Dimensions: kept}, reshapeTo(i, s, x))
}

// concatenatePad: all operands but one are broadcasts of the same scalar.
func concatenatePad(i *hlo.Instruction) *hlo.Instruction {
	d := concatenated(i)
	var x, c *hlo.Instruction
	pad := make(op.Padding, i.Rank())
	for _, y := range i.Operands() {
		v, ok := scalarOf(y)
		switch {
		case !ok && x != nil:
			return nil
		case !ok:
			x = y
			continue
		case c != nil && !sameLiteral(c, v):
			return nil
		}
		c = v
		if x == nil {
			pad[d].Low += y.Dims()[d]
		} else {
			pad[d].High += y.Dims()[d]
		}
	}
	if x == nil || c == nil {
		return nil
	}
	return emit(i, op.Pad, i.Shape(), &op.PadAttrs{Padding: pad}, x, c)
}
