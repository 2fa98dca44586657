package op

import (
	"math"

	"github.com/goxla/xla/shape"
)

// inferCollectivePermute is the rule of collective-permute: the shape of the operands,
// or, in place, of the buffer that is written.
func inferCollectivePermute(in *Inputs) (shape.Shape, error) {
	if err := wantPermutation(in); err != nil {
		return shape.Shape{}, err
	}
	_, result := permuted(in)
	return in.agree(result, "_c5")
}

// inferCollectivePermuteStart is the rule of collective-permute-start: (source, result, contexts...).
func inferCollectivePermuteStart(in *Inputs) (shape.Shape, error) {
	if err := wantPermutation(in); err != nil {
		return shape.Shape{}, err
	}
	source, result := permuted(in)
	elems := []shape.Shape{source, result}
	if in.Declared.IsTuple() && len(in.Declared.Elems) > 2 {
		elems = append(elems, in.Declared.Elems[2:]...)
	}
	return in.agree(shape.MakeTuple(elems...), "_o1")
}

// inferCollectivePermuteDone is the rule of collective-permute-done: the second part of the start.
func inferCollectivePermuteDone(in *Inputs) (shape.Shape, error) { return doneOf(in, "_o1") }

// permuted returns the shapes of what is sent and of the result.
func permuted(in *Inputs) (source, result shape.Shape) {
	if isInPlace(in) {
		return in.Operands[0], in.Operands[1]
	}
	s := tupleOf(in.Operands)
	return s, s
}

// isInPlace reports whether slices of one buffer are sent into another one: operands
// input, output, input offsets and output offsets.
func isInPlace(in *Inputs) bool { return len(in.Attrs.(*CollectivePermuteAttrs).SliceSizes) > 0 }

// wantPermutation checks the operands and the pairs.
func wantPermutation(in *Inputs) error {
	slices := 1
	if isInPlace(in) {
		if err := wantOperandCount(in, 4, "_o2"); err != nil {
			return err
		}
		input, output := in.Operands[0], in.Operands[1]
		if input.IsTuple() != output.IsTuple() || len(input.Elems) != len(output.Elems) {
			return operandErr(1, "_o3", "expected as many buffers as in operand 0, %v, got %v", input, output)
		}
		for i := range 2 {
			if err := wantOffsets(in, in.Operands[i], i+2, in.Operands[i+2]); err != nil {
				return err
			}
		}
		slices = sliceCount(in.Operands[0], in.Operands[2])
	} else if err := wantSomeArrays(in, "_i1"); err != nil {
		return err
	}
	return wantPairs(in, slices)
}

// wantOffsets checks the offsets of the slices in a buffer: a scalar for each
// dimension, or a tuple of such tuples; and for a tuple of buffers a tuple of all that.
func wantOffsets(in *Inputs, buffer shape.Shape, i int, offsets shape.Shape) error {
	if buffer.IsTuple() {
		if !offsets.IsTuple() || len(offsets.Elems) != len(buffer.Elems) {
			return operandErr(i, "_o3", "expected offsets for each of the %d buffers, got %v", len(buffer.Elems),
				offsets)
		}
		for k, b := range buffer.Elems {
			if err := wantOffsets(in, b, i, offsets.Elems[k]); err != nil {
				return err
			}
		}
		return nil
	}
	for _, index := range slicesOf(offsets) {
		if !isIndex(index, buffer.Rank()) {
			return operandErr(i, "_o3", "expected a tuple of %d integers as index in %v, got %v", buffer.Rank(), buffer,
				index)
		}
	}
	return nil
}

// slicesOf returns the indices that the offsets of one buffer consist of.
func slicesOf(offsets shape.Shape) []shape.Shape {
	if offsets.IsTuple() && len(offsets.Elems) > 0 && offsets.Elems[0].IsTuple() {
		return offsets.Elems
	}
	return []shape.Shape{offsets}
}

func isIndex(s shape.Shape, rank int) bool {
	if !s.IsTuple() || len(s.Elems) != rank {
		return false
	}
	for _, e := range s.Elems {
		if !e.Type.IsInteger() {
			return false
		}
	}
	return true
}

// sliceCount returns how many slices of a buffer are sent.
func sliceCount(buffer, offsets shape.Shape) int {
	if buffer.IsTuple() && len(offsets.Elems) > 0 {
		return len(slicesOf(offsets.Elems[0]))
	}
	return len(slicesOf(offsets))
}

// wantPairs checks source_target_pairs: no source and no target more than limit times.
func wantPairs(in *Inputs, limit int) error {
	const attr = "source_target_pairs"
	a := in.Attrs.(*CollectivePermuteAttrs)
	mode, err := CollectiveGroupMode(a.ChannelID.Present, Unset)
	if err != nil {
		return err
	}
	devices := in.participants(mode)
	if devices == 0 {
		devices = math.MaxInt
	}
	sources, targets := make(map[int]int), make(map[int]int)
	for i, pair := range a.SourceTargetPairs {
		if err := wantLen(at(attr, i), len(pair), 2, "_c1"); err != nil {
			return err
		}
		for _, n := range pair {
			if err := wantDim(at(attr, i), n, devices, "_c4"); err != nil {
				return err
			}
		}
		source, target := pair[0], pair[1]
		if sources[source]++; sources[source] > limit {
			return attrErr(at(attr, i), "_c2", "expected %d as source %d times at most", source, limit)
		}
		if targets[target]++; targets[target] > limit {
			return attrErr(at(attr, i), "_c3", "expected %d as target %d times at most", target, limit)
		}
	}
	return nil
}
