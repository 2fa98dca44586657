package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferDeviceID is the rule of replica-id and partition-id.
func inferDeviceID(*Inputs) (shape.Shape, error) { return shape.Make(shape.U32), nil }

var allGatherGroups = groupRules{groupLabels{"_c2", "_c3", "_c4", "_c5"}, true}

// inferAllGather is the rule of all-gather: one dimension grows by the number of
// participants in a group. Several operands make a tuple.
func inferAllGather(in *Inputs) (shape.Shape, error) {
	want, err := gathered(in, in.Declared)
	if err != nil {
		return want, err
	}
	return in.agree(want, "_c6")
}

// inferAllGatherStart is the rule of all-gather-start: (operands, result of all-gather).
func inferAllGatherStart(in *Inputs) (shape.Shape, error) {
	var declared shape.Shape
	if in.hasDeclared() {
		if !in.Declared.IsTuple() || len(in.Declared.Elems) != 2 {
			return declared, labelErr("_o1", "expected a result (operands, gathered), got %v", in.Declared)
		}
		declared = in.Declared.Elems[1]
	}
	want, err := gathered(in, declared)
	if err != nil {
		return want, err
	}
	return in.agree(shape.MakeTuple(tupleOf(in.Operands), want), "_o1")
}

// inferAllGatherDone is the rule of all-gather-done: the second part of the start.
func inferAllGatherDone(in *Inputs) (shape.Shape, error) { return doneOf(in, "_o1") }

// doneOf is the rule of an operation that returns the second part of its operand, a tuple.
func doneOf(in *Inputs, label string) (shape.Shape, error) {
	s := in.Operands[0]
	if !s.IsTuple() || len(s.Elems) < 2 {
		return s, operandErr(0, label, "expected (operands, result, ...), got %v", s)
	}
	return in.agree(s.Elems[1], label)
}

// gathered returns the result of an all-gather. Where the size of a group is not
// known it is taken from the declared result.
func gathered(in *Inputs, declared shape.Shape) (shape.Shape, error) {
	a := in.Attrs.(*AllGatherAttrs)
	n, err := groupSize(in, &a.ReplicaGroups, a.ChannelID, triState(a.UseGlobalDeviceIDs), allGatherGroups)
	if err != nil {
		return shape.Shape{}, err
	}
	d, err := wantSharedDim(in, a.Dimensions, "_c1")
	if err != nil {
		return shape.Shape{}, err
	}
	if n == 0 {
		part, ok := firstPart(declared, in.Operands[0].Rank())
		if !ok {
			return shape.Shape{}, labelErr("_c6",
				"expected a result like the operands %v where the group size is not known, got %v",
				tupleOf(in.Operands), declared)
		}
		n = ceilRatio(part.Dims[d], in.Operands[0].Dims[d])
	}
	return resized(in.Operands, d, func(size int) (int, error) {
		m, ok := mulInt(size, n)
		if !ok {
			return 0, attrErr("dimensions", "_c6", "expected a size below 2^63, got %d in groups of %d", size, n)
		}
		return m, nil
	})
}

var reduceScatterGroups = groupRules{groupLabels{"_c3", "_c4", "_c5", "_c6"}, true}

// inferReduceScatter is the rule of reduce-scatter: one dimension is divided among
// the participants in a group. Several operands make a tuple.
func inferReduceScatter(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*ReduceScatterAttrs)
	n, err := groupSize(in, &a.ReplicaGroups, a.ChannelID, triState(a.UseGlobalDeviceIDs), reduceScatterGroups)
	if err != nil {
		return shape.Shape{}, err
	}
	d, err := wantSharedDim(in, a.Dimensions, "_c2")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantSharedReducer(in, "_c7"); err != nil {
		return shape.Shape{}, err
	}
	if n == 0 {
		part, ok := firstPart(in.Declared, in.Operands[0].Rank())
		if !ok {
			return shape.Shape{}, labelErr("_c8",
				"expected a result like the operands %v where the group size is not known, got %v",
				tupleOf(in.Operands), in.Declared)
		}
		n = ceilRatio(in.Operands[0].Dims[d], part.Dims[d])
	}
	want, err := resized(in.Operands, d, func(size int) (int, error) {
		if size%n != 0 {
			return 0, attrErr("dimensions", "_c1",
				"expected a size divisible by the group size %d in dimension %d, got %d", n, d, size)
		}
		return size / n, nil
	})
	if err != nil {
		return want, err
	}
	return in.agree(want, "_c8")
}

// firstPart returns the first array of a declared result, if it has the wanted rank.
func firstPart(declared shape.Shape, rank int) (shape.Shape, bool) {
	if declared.IsTuple() && len(declared.Elems) > 0 {
		declared = declared.Elems[0]
	}
	return declared, declared.IsArray() && declared.Rank() == rank
}

// ceilRatio returns a/b rounded up, at least 1; 1 where a size is 0 or unbounded.
func ceilRatio(a, b int) int {
	if a <= 0 || b <= 0 {
		return 1
	}
	return (a-1)/b + 1
}

// resized returns the shapes with dimension d of another size; unbounded ones stay as they are.
func resized(shapes []shape.Shape, d int, size func(int) (int, error)) (shape.Shape, error) {
	out := slices.Clone(shapes)
	for i, s := range out {
		if s.Dims[d] == shape.Unbounded {
			continue
		}
		n, err := size(s.Dims[d])
		if err != nil {
			return shape.Shape{}, err
		}
		out[i].Dims = slices.Clone(s.Dims)
		out[i].Dims[d] = n
	}
	return tupleOf(out), nil
}

// wantSharedDim checks that there are operands, all arrays, and that each has the one
// dimension that dims names.
func wantSharedDim(in *Inputs, dims []int, label string) (int, error) {
	if err := wantSomeArrays(in, "_i1"); err != nil {
		return 0, err
	}
	for _, s := range in.Operands {
		if _, err := wantOneDim("dimensions", dims, s.Rank(), label); err != nil {
			return 0, err
		}
	}
	return dims[0], nil
}

// wantSomeArrays checks that there is an operand at least and that all are arrays.
func wantSomeArrays(in *Inputs, label string) error {
	if len(in.Operands) == 0 {
		return labelErr(label, "expected at least 1 operand, got none")
	}
	return wantArrays(in, label)
}

// wantSharedReducer checks that the computation reduces two elements of each operand to one.
func wantSharedReducer(in *Inputs, label string) error {
	f, err := in.called(0, label)
	if err != nil {
		return err
	}
	for _, s := range in.Operands {
		if err := wantReducer(f, nil, []shape.ElementType{s.Type}, label); err != nil {
			return err
		}
	}
	return nil
}

// triState returns a flag that an operation has as a TriState.
func triState(b bool) TriState { return pick(b, True, False) }

var allReduceGroups = groupRules{groupLabels{"_c1", "_c2", "_c3", "_c4"}, false}

// inferAllReduce is the rule of all-reduce and all-reduce-start: the shape of the operands.
func inferAllReduce(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*AllReduceAttrs)
	_, err := groupSize(in, &a.ReplicaGroups, a.ChannelID, triState(a.UseGlobalDeviceIDs), allReduceGroups)
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantSomeArrays(in, "_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSharedReducer(in, "_c5"); err != nil {
		return shape.Shape{}, err
	}
	return in.agree(tupleOf(in.Operands), "_c6")
}

func inferAllReduceStart(in *Inputs) (shape.Shape, error) { return inferAllReduce(in) }

// inferAllReduceDone is the rule of all-reduce-done: what the start returned.
func inferAllReduceDone(in *Inputs) (shape.Shape, error) { return in.agree(in.Operands[0], "_o1") }
