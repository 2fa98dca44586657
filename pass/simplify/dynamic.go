package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// dynamicSlices is about dynamic-slice and dynamic-update-slice. Both clamp their start
// indices so that the slice lies inside.
var dynamicSlices = Family{Name: "dynamic-slice", Doc: "Dynamic-slice, dynamic-update-slice.", Rules: []Rule{
	rule("dynamic-slice-full", "dynamic-slice of all of x -> x", same, op.DynamicSlice),
	rule("dynamic-slice-constant", "dynamic-slice at constant indices -> slice",
		dynamicSliceConstant, op.DynamicSlice),
	rule("dynamic-slice-broadcast", "dynamic-slice(broadcast(x)) -> broadcast(dynamic-slice(x))",
		dynamicSliceBroadcast, op.DynamicSlice),
	rule("dynamic-slice-update", "dynamic-slice(dynamic-update-slice(x, y, i), i) -> y",
		dynamicSliceUpdate, op.DynamicSlice),
	rule("update-full", "dynamic-update-slice of all of x with y -> y", updateFull, op.DynamicUpdateSlice),
	rule("update-empty", "dynamic-update-slice with nothing -> x", updateEmpty, op.DynamicUpdateSlice),
	rule("update-update", "dynamic-update-slice(dynamic-update-slice(x, y, i), z, i) -> dynamic-update-slice(x, z, i)",
		updateUpdate, op.DynamicUpdateSlice),
	rule("update-own-slice", "dynamic-update-slice(x, dynamic-slice(x, i), i) -> x",
		updateOwnSlice, op.DynamicUpdateSlice),
	rule("update-pad", "dynamic-update-slice(broadcast(c), y) at constant indices -> pad(y, c)",
		updatePad, op.DynamicUpdateSlice),
	rule("select-update", "select(p, dynamic-update-slice(x, y, i), x) -> dynamic-update-slice(x, select(p, y, x), i) "+
		"with the slices of p and x at i, also the other way round, and for several updates of x", selectUpdate, op.Select),
	rule("select-updates", "select(p, dynamic-update-slice(x, y, i), dynamic-update-slice(x, z, i)) -> "+
		"dynamic-update-slice(x, select(p, y, z), i) with the slice of p at i", selectUpdates, op.Select),
}}

// constantStarts returns the start indices of i, its operands from number first on, where
// they are constants, clamped for slices of the given sizes of operand 0.
func constantStarts(i *hlo.Instruction, first int, sizes []int) ([]int, bool) {
	indices := i.Operands()[first:]
	if len(indices) != len(sizes) {
		return nil, false
	}
	starts := make([]int, len(sizes))
	for d, x := range indices {
		c, ok := splat(x)
		if !ok {
			return nil, false
		}
		v, positive := nonNegativeInt(c)
		if positive {
			starts[d] = int(min(v, int64(i.Operand(0).Dims()[d]-sizes[d])))
		}
	}
	return starts, true
}

func dynamicSliceConstant(i *hlo.Instruction) *hlo.Instruction {
	starts, ok := constantStarts(i, 1, i.Dims())
	if !ok {
		return nil
	}
	ranges := make([]op.SliceRange, len(starts))
	for d, start := range starts {
		ranges[d] = op.SliceRange{Start: start, Limit: start + i.Dims()[d], Stride: 1}
	}
	return sliceLike(i, i.Operand(0), ranges)
}

func dynamicSliceBroadcast(i *hlo.Instruction) *hlo.Instruction {
	b := i.Operand(0)
	if !is(b, op.Broadcast) || len(i.Operands()) != 1+i.Rank() {
		return nil
	}
	x, operands, sizes := b.Operand(0), []*hlo.Instruction{b.Operand(0)}, []int{}
	for k, d := range broadcastDims(b) {
		if x.Dims()[k] != b.Dims()[d] {
			return nil
		}
		operands, sizes = append(operands, i.Operand(1+d)), append(sizes, i.Dims()[d])
	}
	if !slices.Equal(sizes, x.Dims()) {
		s := shape.Make(x.Type(), sizes...)
		x = emit(i, op.DynamicSlice, s, &op.DynamicSliceAttrs{SliceSizes: sizes}, operands...)
	}
	return emit(i, op.Broadcast, i.Shape(), b.Attrs(), x)
}

// sameStarts reports whether the operands of x from a on are those of y from b on.
func sameStarts(x *hlo.Instruction, a int, y *hlo.Instruction, b int) bool {
	return slices.EqualFunc(x.Operands()[a:], y.Operands()[b:], sameScalar)
}

func dynamicSliceUpdate(i *hlo.Instruction) *hlo.Instruction {
	u := i.Operand(0)
	if !is(u, op.DynamicUpdateSlice) || !sameStarts(i, 1, u, 2) {
		return nil
	}
	return u.Operand(1)
}

func updateFull(i *hlo.Instruction) *hlo.Instruction { return i.Operand(1) }

func updateEmpty(i *hlo.Instruction) *hlo.Instruction {
	if elements(i.Operand(1)) != 0 {
		return nil
	}
	return i.Operand(0)
}

func updateUpdate(i *hlo.Instruction) *hlo.Instruction {
	u := i.Operand(0)
	if !is(u, op.DynamicUpdateSlice) || !slices.Equal(u.Operand(1).Dims(), i.Operand(1).Dims()) ||
		!sameStarts(i, 2, u, 2) {
		return nil
	}
	return like(i, op.DynamicUpdateSlice, append([]*hlo.Instruction{u.Operand(0)}, i.Operands()[1:]...)...)
}

func updateOwnSlice(i *hlo.Instruction) *hlo.Instruction {
	s := i.Operand(1)
	if !is(s, op.DynamicSlice) || s.Operand(0) != i.Operand(0) || !sameStarts(i, 2, s, 1) {
		return nil
	}
	return i.Operand(0)
}

func updatePad(i *hlo.Instruction) *hlo.Instruction {
	x, y := i.Operand(0), i.Operand(1)
	c, ok := scalarOf(x)
	if !ok || x.IsScalar() || c.Type() != y.Type() {
		return nil
	}
	starts, ok := constantStarts(i, 2, y.Dims())
	if !ok {
		return nil
	}
	padding := make(op.Padding, len(starts))
	for d, start := range starts {
		padding[d] = op.PadDim{Low: start, High: x.Dims()[d] - start - y.Dims()[d]}
	}
	return emit(i, op.Pad, i.Shape(), &op.PadAttrs{Padding: padding}, y, c)
}

// isUpdated reports whether x is y with slices written into it, for nothing else to use.
func isUpdated(x, y *hlo.Instruction) bool {
	for x != y {
		if !is(x, op.DynamicUpdateSlice) || !oneUser(x) || !x.Shape().Equal(y.Shape()) {
			return false
		}
		x = x.Operand(0)
	}
	return true
}

// selectUpdate makes the choice where something is written only: the rest is the same on both sides.
func selectUpdate(i *hlo.Instruction) *hlo.Instruction {
	u, x, swapped := i.Operand(1), i.Operand(2), false
	if u == x || !u.Shape().Equal(i.Shape()) || !x.Shape().Equal(i.Shape()) {
		return nil
	}
	if !isUpdated(u, x) {
		if u, x, swapped = x, u, true; !isUpdated(u, x) {
			return nil
		}
	}
	choose := func(p, new, old *hlo.Instruction) *hlo.Instruction {
		if swapped {
			new, old = old, new
		}
		return emit(i, op.Select, new.Shape(), nil, p, new, old)
	}
	rest := u.Operand(0)
	if rest != x {
		rest = choose(i.Operand(0), rest, x)
	}
	return updateWith(u, rest, choose(sliceAt(u, i.Operand(0)), u.Operand(1), sliceAt(u, x)))
}

func selectUpdates(i *hlo.Instruction) *hlo.Instruction {
	u, v := i.Operand(1), i.Operand(2)
	if !is(u, op.DynamicUpdateSlice) || !is(v, op.DynamicUpdateSlice) || u == v || !oneUser(u) || !oneUser(v) ||
		u.Operand(0) != v.Operand(0) || !u.Operand(1).Shape().Equal(v.Operand(1).Shape()) || !sameStarts(u, 2, v, 2) ||
		!u.Shape().Equal(i.Shape()) {
		return nil
	}
	y := u.Operand(1)
	return updateWith(u, u.Operand(0), emit(i, op.Select, y.Shape(), nil, sliceAt(u, i.Operand(0)), y, v.Operand(1)))
}

// sliceAt is what x has where u, a dynamic-update-slice, writes; a scalar has the same everywhere.
func sliceAt(u, x *hlo.Instruction) *hlo.Instruction {
	sizes := u.Operand(1).Dims()
	s := shape.Make(x.Type(), sizes...)
	if x.Rank() != len(sizes) {
		return spread(u, s, x)
	}
	return emit(u, op.DynamicSlice, s, &op.DynamicSliceAttrs{SliceSizes: slices.Clone(sizes)},
		append([]*hlo.Instruction{x}, u.Operands()[2:]...)...)
}

// updateWith is u with other operands in front of the start indices.
func updateWith(u, x, y *hlo.Instruction) *hlo.Instruction {
	return like(u, op.DynamicUpdateSlice, append([]*hlo.Instruction{x, y}, u.Operands()[2:]...)...)
}
