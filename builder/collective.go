package builder

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// CollectiveOptions are what the operations that exchange data between devices have besides
// their operands. The zero value is one group of all replicas.
type CollectiveOptions struct {
	// Groups says which devices exchange data, in the order in which their blocks stand; Groups
	// makes a list of them. The zero value is one group of all.
	Groups op.ReplicaGroups
	// Channel is a positive channel id; 0 means none. With one, the numbers in groups are partitions,
	// or for AllGather, AllReduce and ReduceScatter replicas with all of their partitions.
	Channel int
	// GlobalIDs: the numbers are replica * partitions + partition; it needs a channel.
	GlobalIDs bool
	// Layout is that of the result; nil: not told.
	Layout *shape.Layout
}

// Groups returns replica groups as lists of device numbers.
func Groups(groups ...[]int) op.ReplicaGroups {
	var g op.ReplicaGroups
	for _, group := range groups {
		g.Groups = append(g.Groups, slices.Clone(group))
	}
	return g
}

// channelID returns a channel as an attribute.
func channelID(id int) op.OptInt {
	if id == 0 {
		return op.OptInt{}
	}
	return op.Some(id)
}

// ReplicaId returns the number of the replica, u32[]. Spec: OPS.md section 8.
func (b *Builder) ReplicaId() Op { return b.deviceID(op.ReplicaId) }

// PartitionId returns the number of the partition, u32[]. Spec: OPS.md section 8.
func (b *Builder) PartitionId() Op { return b.deviceID(op.PartitionId) }

func (b *Builder) deviceID(code op.Code) Op {
	if !b.open(code) {
		return b.invalid()
	}
	return b.add(code, nil, nil, shape.Shape{})
}

// collective is the beginning of an operation on x, an array or a tuple of arrays, which it
// takes apart.
func collective(code op.Code, x Op, options []CollectiveOptions) (
	b *Builder, parts []Op, o CollectiveOptions, ok bool) {
	if b, ok = enter(code, x); !ok {
		return b, nil, o, false
	}
	if o, ok = option(b, code, options); !ok {
		return b, nil, o, false
	}
	if x.Type() != shape.Tuple {
		return b, []Op{x}, o, true
	}
	if len(x.Shape().Elems) == 0 {
		b.errorf(code, "operand 0", "", "expected an array or a tuple with elements, got the empty tuple")
		return b, nil, o, false
	}
	if x.code() == op.Tuple {
		for _, e := range x.instr.Operands() {
			parts = append(parts, Op{b, e})
		}
		return b, parts, o, true
	}
	parts = elements(x, len(x.Shape().Elems))
	return b, parts, o, b.s.err == nil
}

// collect is the end of an operation on x that returned y for its parts: a tuple for a tuple.
func collect(x, y Op) Op {
	if y.IsValid() && x.Type() == shape.Tuple && y.Type() != shape.Tuple {
		return Tuple(y)
	}
	return y
}

// laidOut returns the shape s, of an array or a tuple, with the layout l where it is given.
func laidOut(s shape.Shape, l *shape.Layout) shape.Shape {
	if l == nil {
		return s
	}
	if !s.IsTuple() {
		return s.WithLayout(l)
	}
	s.Elems = slices.Clone(s.Elems)
	for i := range s.Elems {
		s.Elems[i] = s.Elems[i].WithLayout(l)
	}
	return s
}

// oneOrTupleShape returns the only one of shapes, or the tuple of them.
func oneOrTupleShape(shapes []shape.Shape) shape.Shape {
	if len(shapes) == 1 {
		return shapes[0]
	}
	return shape.MakeTuple(shapes...)
}

// resized returns the shapes of parts with the size of dimension dim changed.
func (b *Builder) resized(code op.Code, parts []Op, dim int, size func(int) int) (shape.Shape, bool) {
	shapes := shapesOf(parts)
	for i, s := range shapes {
		if !b.wantArray(code, i, parts[i]) || !b.wantDim(code, "dimensions", dim, s.Rank()) {
			return shape.Shape{}, false
		}
		shapes[i].Dims = slices.Clone(s.Dims)
		if shapes[i].Dims[dim] != shape.Unbounded {
			shapes[i].Dims[dim] = size(s.Dims[dim])
		}
		shapes[i].Layout = nil
	}
	return oneOrTupleShape(shapes), true
}

// wantCount checks a number of devices or parts.
func (b *Builder) wantCount(code op.Code, attr string, n int) bool {
	if n < 1 {
		b.errorf(code, attr, "", "expected at least 1, got %d", n)
	}
	return b.s.err == nil
}

// wantGroupSize checks that the groups, where they are given as lists, have n members.
func (b *Builder) wantGroupSize(code op.Code, attr string, n int, o CollectiveOptions) bool {
	if b.wantCount(code, attr, n) && len(o.Groups.Groups) > 0 && o.Channel == 0 && len(o.Groups.Groups[0]) != n {
		b.errorf(code, attr, "", "expected the group size %d, got %d", len(o.Groups.Groups[0]), n)
	}
	return b.s.err == nil
}

// AllGather returns the operands x of all devices of a group one behind the other along
// dimension dim, which becomes shardCount times as large; shardCount is the group size. x may be
// a tuple, of which the result is one. It fails if there is no such dimension, if the groups do
// not fit each other or shardCount, or if it is below 1. Spec: OPS.md section 8.
func AllGather(x Op, dim, shardCount int, options ...CollectiveOptions) Op {
	const code = op.AllGather
	b, parts, s, a := allGather(code, x, dim, shardCount, options)
	if a == nil {
		return b.invalid()
	}
	return collect(x, b.add(code, parts, a, s))
}

// allGather checks an all-gather or its start and returns parts, result shape and attributes,
// nil after an error.
func allGather(code op.Code, x Op, dim, shardCount int, options []CollectiveOptions) (
	*Builder, []Op, shape.Shape, *op.AllGatherAttrs) {
	b, parts, o, ok := collective(code, x, options)
	if !ok || !b.wantGroupSize(code, "shard_count", shardCount, o) {
		return b, nil, shape.Shape{}, nil
	}
	s, ok := b.resized(code, parts, dim, func(n int) int { return n * shardCount })
	if !ok {
		return b, nil, s, nil
	}
	return b, parts, laidOut(s, o.Layout), &op.AllGatherAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups,
		ConstrainLayout: o.Layout != nil, Dimensions: []int{dim}, UseGlobalDeviceIDs: o.GlobalIDs}
}

// AllReduce returns the operands x of all devices of a group folded by f element by element, in
// x's shape. x may be a tuple with elements of one type. It fails if the tuple is empty, if f is
// not a reducer for the type, or if the groups do not fit each other. Spec: OPS.md section 8.
func AllReduce[F BinaryFunc](x Op, f F, options ...CollectiveOptions) Op {
	return allReduce(op.AllReduce, x, f, options)
}

func allReduce(code op.Code, x Op, f any, options []CollectiveOptions) Op {
	b, parts, o, ok := collective(code, x, options)
	if !ok || !b.wantArray(code, 0, parts[0]) {
		return b.invalid()
	}
	c, ok := b.callee(code, "reducer", f, scalarsOf(parts[0], parts[0])...)
	if !ok {
		return b.invalid()
	}
	a := &op.AllReduceAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups,
		ConstrainLayout: o.Layout != nil, UseGlobalDeviceIDs: o.GlobalIDs}
	return collect(x, b.add(code, parts, a, laidOut(oneOrTupleShape(shapesOf(parts)), o.Layout), c))
}

// CrossReplicaSum returns the sum of the operands x of all replicas of a group, all of them
// where no group is given; "or" for pred; in x's shape. It fails where AllReduce does.
// Spec: OPS.md section 8.
func CrossReplicaSum(x Op, groups ...[]int) Op {
	return AllReduce(x, Add, CollectiveOptions{Groups: Groups(groups...)})
}

// ReduceScatter returns this device's part of AllReduce(x, f): along dimension dim, which is
// divided by shardCount, the group size, into parts in the order of the group. x may be a tuple.
// It fails where AllReduce does, if there is no such dimension or it is not divisible, and if
// shardCount is not the group size. Spec: OPS.md section 8.
func ReduceScatter[F BinaryFunc](x Op, f F, dim, shardCount int, options ...CollectiveOptions) Op {
	const code = op.ReduceScatter
	b, parts, o, ok := collective(code, x, options)
	if !ok || !b.wantGroupSize(code, "shard_count", shardCount, o) || !b.divisible(code, parts, dim, shardCount) {
		return b.invalid()
	}
	s, ok := b.resized(code, parts, dim, func(n int) int { return n / shardCount })
	if !ok {
		return b.invalid()
	}
	c, ok := b.callee(code, "reducer", f, scalarsOf(parts[0], parts[0])...)
	if !ok {
		return b.invalid()
	}
	a := &op.ReduceScatterAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups,
		ConstrainLayout: o.Layout != nil, UseGlobalDeviceIDs: o.GlobalIDs, Dimensions: []int{dim}}
	return collect(x, b.add(code, parts, a, laidOut(s, o.Layout), c))
}

// divisible checks that dimension dim of all parts is divisible by n.
func (b *Builder) divisible(code op.Code, parts []Op, dim, n int) bool {
	for i, x := range parts {
		if !b.wantArray(code, i, x) || !b.wantDim(code, "dimensions", dim, x.Rank()) {
			return false
		}
		if size := x.Shape().Dims[dim]; size != shape.Unbounded && size%n != 0 {
			b.errorf(code, "dimensions", "", "expected a size divisible by %d in dimension %d, got %d", n, dim, size)
			return false
		}
	}
	return true
}

// CollectiveBroadcast returns on each device of a group the x of the first one; zeros on
// devices of no group; in x's shape. It fails if a device is named twice. Spec: OPS.md section 8.
func CollectiveBroadcast(x Op, options ...CollectiveOptions) Op {
	const code = op.CollectiveBroadcast
	b, parts, o, ok := collective(code, x, options)
	if !ok {
		return b.invalid()
	}
	a := &op.CollectiveBroadcastAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups}
	return collect(x, b.add(code, parts, a, laidOut(oneOrTupleShape(shapesOf(parts)), o.Layout)))
}

// CollectiveBroadcastFrom is CollectiveBroadcast from the device of each group that root says:
// its place in the group, an integer scalar. It fails where CollectiveBroadcast does and if root
// is something else. Spec: OPS.md section 8.
func CollectiveBroadcastFrom(x, root Op, options ...CollectiveOptions) Op {
	const code = op.CollectiveBroadcast
	b, parts, o, ok := collective(code, x, options)
	if !ok || !b.owns(code, len(parts), root) {
		return b.invalid()
	}
	a := &op.CollectiveBroadcastAttrs{ChannelID: channelID(o.Channel), ReplicaGroups: o.Groups, HasDynamicRoot: true}
	result := laidOut(oneOrTupleShape(shapesOf(parts)), o.Layout)
	return collect(x, b.add(code, append(parts[:len(parts):len(parts)], root), a, result))
}
