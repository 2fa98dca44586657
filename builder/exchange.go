package builder

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// AllToAll splits x into splitCount parts, the group size, along dimension splitDim, sends part
// i to device i of the group, and returns what came in one behind the other along dimension
// concatDim: one dimension is divided, the other grows. It fails if there are no such dimensions,
// if the split one is not divisible, or if splitCount is not the group size. Spec: OPS.md section 8.
func AllToAll(x Op, splitDim, concatDim, splitCount int, options ...CollectiveOptions) Op {
	const code = op.AllToAll
	b, ok := enterArray(code, x)
	if !ok {
		return b.invalid()
	}
	o, ok := option(b, code, options)
	if !ok || !b.wantDim(code, "concat_dimension", concatDim, x.Rank()) ||
		!b.wantGroupSize(code, "split_count", splitCount, o) || !b.divisible(code, []Op{x}, splitDim, splitCount) {
		return b.invalid()
	}
	o.Groups = orFirst(o, splitCount)
	if o.Layout != nil {
		return allToAllParts(x, splitDim, concatDim, splitCount, o)
	}
	s := x.Shape()
	y := b.add(code, []Op{x}, &op.AllToAllAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups,
		Dimensions: []int{splitDim}}, s)
	if splitDim == concatDim || !y.IsValid() {
		return y
	}
	// The parts lie one behind the other in the split dimension: give them a dimension of their
	// own, move it in front of the other one, and merge the two.
	part := s.Dims[splitDim] / splitCount
	y = Reshape(y, slices.Replace(slices.Clone(s.Dims), splitDim, splitDim+1, splitCount, part)...)
	var order []int
	for d := range s.Dims {
		if d == concatDim {
			order = append(order, splitDim)
		}
		if d < splitDim {
			order = append(order, d)
		} else {
			order = append(order, d+1)
		}
	}
	sizes := slices.Clone(s.Dims)
	sizes[splitDim], sizes[concatDim] = part, s.Dims[concatDim]*splitCount
	return Reshape(Transpose(y, order...), sizes...)
}

// orFirst returns the groups of o, the first n devices where it has none.
func orFirst(o CollectiveOptions, n int) op.ReplicaGroups {
	if len(o.Groups.Groups) == 0 && o.Groups.Tiles == nil && o.Groups.Mesh == nil {
		return Groups(sequence(n))
	}
	return o.Groups
}

// allToAllParts is AllToAll by its tuple form, which can have a layout.
func allToAllParts(x Op, splitDim, concatDim, splitCount int, o CollectiveOptions) Op {
	size := x.Dim(splitDim) / splitCount
	parts := make([]Op, splitCount)
	for i := range parts {
		parts[i] = SliceInDim(x, i*size, (i+1)*size, 1, splitDim)
	}
	return ConcatInDim(AllToAllTuple(parts, o), concatDim)
}

// AllToAllTuple sends parts[i] to device i of the group, and returns what came in from each; the
// parts are of one shape, one for each device. It fails if they are not. Spec: OPS.md section 8.
func AllToAllTuple(parts []Op, options ...CollectiveOptions) []Op {
	const code = op.AllToAll
	if len(parts) == 0 {
		return nil
	}
	b, ok := enter(code, parts...)
	if !ok {
		return b.invalids(len(parts))
	}
	o, ok := option(b, code, options)
	if !ok {
		return b.invalids(len(parts))
	}
	s := laidOut(shape.MakeTuple(shapesOf(parts)...), o.Layout)
	return elements(b.add(code, parts, &op.AllToAllAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups,
		ConstrainLayout: o.Layout != nil}, s), len(parts))
}

// RaggedAllToAll sends rows of input, sendSizes[i] from inputOffsets[i] on, to device i of the
// group, and returns output with the rows that came in: those of this device at outputOffsets[i]
// of device i, recvSizes[i] of them from there; in output's shape. Offsets and sizes are integer
// arrays of one shape, [devices] or [devices, updates]. It fails if they are not, or if the rows
// of input and output differ. Spec: OPS.md section 8.
func RaggedAllToAll(input, inputOffsets, sendSizes, output, outputOffsets, recvSizes Op,
	options ...CollectiveOptions) Op {
	const code = op.RaggedAllToAll
	operands := []Op{input, output, inputOffsets, sendSizes, outputOffsets, recvSizes}
	b, ok := enter(code, operands...)
	if !ok {
		return b.invalid()
	}
	o, ok := option(b, code, options)
	if !ok {
		return b.invalid()
	}
	return b.add(code, operands, &op.RaggedAllToAllAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups},
		laidOut(output.Shape(), o.Layout))
}

// CollectivePermute sends x from the first to the second device of each pair, and returns what
// came in, zeros where nothing did, in x's shape. It fails if a source or a target is named
// twice. Of the options only the channel counts. Spec: OPS.md section 8.
func CollectivePermute(x Op, pairs [][2]int, options ...CollectiveOptions) Op {
	b, parts, o, ok := collective(op.CollectivePermute, x, options)
	if !ok {
		return b.invalid()
	}
	return collect(x, b.add(op.CollectivePermute, parts, permuteAttrs(pairs, o), shape.Shape{}))
}

func permuteAttrs(pairs [][2]int, o CollectiveOptions) *op.CollectivePermuteAttrs {
	a := &op.CollectivePermuteAttrs{ChannelID: channelID(o.Channel), SourceTargetPairs: [][]int{}}
	for _, p := range pairs {
		a.SourceTargetPairs = append(a.SourceTargetPairs, []int{p[0], p[1]})
	}
	return a
}

// CollectivePermuteInPlace sends the slice of input of the given sizes that begins at
// inputOffsets, and returns output with what came in put at outputOffsets; offsets are tuples of
// a scalar for each dimension. It fails where CollectivePermute does and if offsets do not fit.
// Spec: HLO collective-permute.
func CollectivePermuteInPlace(input, output, inputOffsets, outputOffsets Op, pairs [][2]int, sizes []int,
	options ...CollectiveOptions) Op {
	const code = op.CollectivePermute
	operands := []Op{input, output, inputOffsets, outputOffsets}
	b, ok := enter(code, operands...)
	if !ok {
		return b.invalid()
	}
	o, ok := option(b, code, options)
	if !ok {
		return b.invalid()
	}
	a := permuteAttrs(pairs, o)
	a.SliceSizes = [][]int{slices.Clone(sizes)}
	return b.add(code, operands, a, shape.Shape{})
}

// AllGatherStart starts an AllGather of x; its result (x, gathered) is for AllGatherDone.
// Spec: HLO all-gather-start.
func AllGatherStart(x Op, dim, shardCount int, options ...CollectiveOptions) Op {
	const code = op.AllGatherStart
	b, parts, s, a := allGather(code, x, dim, shardCount, options)
	if a == nil {
		return b.invalid()
	}
	return b.add(code, parts, a, shape.MakeTuple(oneOrTupleShape(shapesOf(parts)), s))
}

// AllGatherDone waits for x, of AllGatherStart, and returns what it gathered.
// Spec: HLO all-gather-done.
func AllGatherDone(x Op) Op { return done(op.AllGatherDone, op.AllGatherStart, x) }

// AllReduceStart starts an AllReduce of x; its result is for AllReduceDone.
// Spec: HLO all-reduce-start.
func AllReduceStart[F BinaryFunc](x Op, f F, options ...CollectiveOptions) Op {
	b, ok := enter(op.AllReduceStart, x)
	if !ok {
		return b.invalid()
	}
	if s := x.Shape(); s.IsTuple() && len(s.Elems) == 1 {
		x = GetTupleElement(x, 0)
	}
	return allReduce(op.AllReduceStart, x, f, options)
}

// AllReduceDone waits for x, of AllReduceStart, and returns the reduced value.
// Spec: HLO all-reduce-done.
func AllReduceDone(x Op) Op { return done(op.AllReduceDone, op.AllReduceStart, x) }

// CollectivePermuteStart starts a CollectivePermute of x; its result (x, received) is for
// CollectivePermuteDone. Spec: HLO collective-permute-start.
func CollectivePermuteStart(x Op, pairs [][2]int, options ...CollectiveOptions) Op {
	const code = op.CollectivePermuteStart
	b, parts, o, ok := collective(code, x, options)
	if !ok {
		return b.invalid()
	}
	return b.add(code, parts, permuteAttrs(pairs, o), shape.Shape{})
}

// CollectivePermuteDone waits for x, of CollectivePermuteStart, and returns what came in.
// Spec: HLO collective-permute-done.
func CollectivePermuteDone(x Op) Op {
	return done(op.CollectivePermuteDone, op.CollectivePermuteStart, x)
}
