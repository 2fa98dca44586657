package op

import (
	"fmt"
	"math"

	"github.com/goxla/xla/shape"
)

var allToAllGroups = groupRules{groupLabels{"_c5", "_c6", "_c7", ""}, true}

// inferAllToAll is the rule of all-to-all. With dimensions={d} the one operand is
// split along d in one part a participant, and the parts come back in its shape. The
// tuple form has one operand a participant, all of one shape, and returns a tuple of them.
func inferAllToAll(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*AllToAllAttrs)
	n, err := groupSize(in, &a.ReplicaGroups, a.ChannelID, Unset, allToAllGroups)
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantSomeArrays(in, "_i1"); err != nil {
		return shape.Shape{}, err
	}
	if a.Dimensions == nil {
		return allToAllTuple(in, n)
	}
	if err := wantOperandCount(in, 1, "_i1"); err != nil {
		return shape.Shape{}, err
	}
	s := in.Operands[0]
	d, err := wantOneDim("dimensions", a.Dimensions, s.Rank(), "_c1")
	if err != nil {
		return shape.Shape{}, err
	}
	if n > 0 && !divides(n, s.Dims[d]) {
		return shape.Shape{}, attrErr("dimensions", "_c2",
			"expected a size divisible by the group size %d in dimension %d, got %d",
			n, d, s.Dims[d])
	}
	return in.agree(s, "_c9")
}

func allToAllTuple(in *Inputs, groupSize int) (shape.Shape, error) {
	if groupSize > 0 {
		if err := wantOperandCount(in, groupSize, "_c8"); err != nil {
			return shape.Shape{}, err
		}
	}
	for i, s := range in.Operands {
		if !s.EqualExceptLayout(in.Operands[0]) {
			return s, operandErr(i, "_c9", "expected %v as operand 0, got %v", in.Operands[0], s)
		}
	}
	return in.agree(shape.MakeTuple(in.Operands...), "_c9")
}

var raggedAllToAllGroups = groupRules{groupLabels{"_o1", "_o1", "_o1", ""}, true}

// inferRaggedAllToAll is the rule of ragged-all-to-all: operands input, output, input
// offsets, send sizes, output offsets and receive sizes; the result is the output
// with pieces of rows put in. Offsets and sizes are [devices] or [devices, updates].
func inferRaggedAllToAll(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*RaggedAllToAllAttrs)
	n, err := groupSize(in, &a.ReplicaGroups, a.ChannelID, Unset, raggedAllToAllGroups)
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantRows(in); err != nil {
		return shape.Shape{}, err
	}
	first := in.Operands[2]
	for i := 2; i < len(in.Operands); i++ {
		if err := wantType(in, i, integerTypes, fmt.Sprintf("_i%d", i+1)); err != nil {
			return shape.Shape{}, err
		}
		if s := in.Operands[i]; !s.EqualExceptLayout(first) {
			return s, operandErr(i, "_o3", "expected %v as operand 2, got %v", first, s)
		}
	}
	if r := first.Rank(); r != 1 && r != 2 {
		return first, operandErr(2, "_o4", "expected rank 1 or 2, got %v", first)
	}
	if n > 0 && !divides(n, first.Dims[0]) {
		return first, operandErr(2, "_o4", "expected a size divisible by the group size %d in dimension 0, got %v", n,
			first)
	}
	return in.agree(in.Operands[1], "_o5")
}

// wantRows checks that operands 0 and 1 are arrays with rows of one shape.
func wantRows(in *Inputs) error {
	if err := firstError(wantArray(in, 0, "_i1"), wantArray(in, 1, "_i2")); err != nil {
		return err
	}
	a, b := in.Operands[0], in.Operands[1]
	if a.Rank() == 0 || b.Rank() == 0 || a.Type != b.Type || !rowOf(a).SameDims(rowOf(b)) {
		return operandErr(1, "_o2", "expected rows like those of operand 0, %v, got %v", a, b)
	}
	return nil
}

// rowOf returns s without its first dimension and without a layout.
func rowOf(s shape.Shape) shape.Shape {
	var b dimsBuilder
	for i := 1; i < s.Rank(); i++ {
		b.add(s, i)
	}
	return b.shape(s.Type)
}

// inferCollectiveBroadcast is the rule of collective-broadcast: the shape of the
// operands. With has_dynamic_root the last operand is an integer that says who sends.
func inferCollectiveBroadcast(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*CollectiveBroadcastAttrs)
	labels := groupLabels{"_c1", "_c2", "_c2", ""}
	mode, err := CollectiveGroupMode(a.ChannelID.Present, Unset)
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantSomeArrays(in, "_i1"); err != nil {
		return shape.Shape{}, err
	}
	if a.ReplicaGroups.Groups != nil {
		limit := pick(in.participants(mode) > 0, in.participants(mode), math.MaxInt)
		if err := wantDistinct(a.ReplicaGroups.Groups, limit, labels); err != nil {
			return shape.Shape{}, err
		}
	}
	data := in.Operands
	if last := len(data) - 1; a.HasDynamicRoot {
		if err := wantScalar(in, last, integerTypes, "_o1"); err != nil {
			return shape.Shape{}, err
		}
		if data = data[:last]; len(data) == 0 {
			return shape.Shape{}, labelErr("_o1", "expected an operand before the root, got none")
		}
	}
	return in.agree(tupleOf(data), "_c3")
}
