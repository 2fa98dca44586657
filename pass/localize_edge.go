package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds what stands at a boundary between whole arrays and parts of one device where neither is a parameter
// or a result.

// boundary is the rewriting of the custom calls at boundaries.
func (l *localizer) boundary(i *hlo.Instruction) (*hlo.Instruction, error) {
	switch target(i) {
	case markTarget:
		return l.mark(i)
	case enterTarget:
		return l.enter(i)
	case leaveTarget:
		return l.leave(i)
	}
	if splits(i) && i.Code() != op.Parameter && !i.IsRoot() {
		return nil, l.needsPartitioner(i, i.Sharding)
	}
	return nil, nil
}

// mark drops a mark that says nothing new, and keeps those that enter reads, which are dead after it.
func (l *localizer) mark(i *hlo.Instruction) (*hlo.Instruction, error) {
	if !i.IsArray() || i.Sharding == nil {
		return i.Operand(0), nil
	}
	if len(i.Users()) > 0 && !i.IsRoot() && !slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool {
		return target(u) != enterTarget
	}) {
		return nil, nil
	}
	if l.same(i.Sharding, &op.Sharding{}, i.Shape()) {
		return i.Operand(0), nil
	}
	return nil, l.needsPartitioner(i, i.Sharding)
}

// enter returns the part of an array that a device works on.
func (l *localizer) enter(i *hlo.Instruction) (*hlo.Instruction, error) {
	x, s := whole(i.Operand(0))
	if s == nil {
		s = &op.Sharding{}
	}
	local, err := l.part(i, s, x.Shape())
	if err != nil {
		return nil, err
	}
	if !local.EqualIgnoringLayout(i.Shape()) {
		return nil, l.needsPartitioner(i, s)
	}
	if local.EqualIgnoringLayout(x.Shape()) {
		return x, nil
	}
	return l.cut(i, x, s, local)
}

// cut reads the part of x at the place that the number of the partition says.
func (l *localizer) cut(i, x *hlo.Instruction, s *op.Sharding, local shape.Shape) (*hlo.Instruction, error) {
	b := newMaker(i)
	id := b.add(op.PartitionId, nil)
	operands := []*hlo.Instruction{x}
	for k, size := range local.Dims {
		if size == x.Dims()[k] {
			operands = append(operands, b.number(shape.S32, 0))
			continue
		}
		table := make([]int32, l.partitions)
		for d := range table {
			offset, _, err := s.Tile(x.Shape(), d)
			if err != nil {
				return nil, i.Errorf("sharding", "", "%w", err)
			}
			table[d] = int32(offset[k])
		}
		v, err := literal.FromSlice(shape.Make(shape.S32, len(table)), table)
		if err != nil {
			return nil, err
		}
		at := b.add(op.DynamicSlice, &op.DynamicSliceAttrs{SliceSizes: []int{1}}, b.constant(v), id)
		operands = append(operands, b.reshape(at))
	}
	return b.finish(b.add(op.DynamicSlice, &op.DynamicSliceAttrs{SliceSizes: slices.Clone(local.Dims)}, operands...))
}

// leave returns the whole array of which each device has a part.
func (l *localizer) leave(i *hlo.Instruction) (*hlo.Instruction, error) {
	y, s := inner(i), shardingOf(i)
	local, err := l.part(i, s, i.Shape())
	if err != nil {
		return nil, err
	}
	if !local.EqualIgnoringLayout(y.Shape()) {
		return nil, l.needsPartitioner(i, s)
	}
	if local.EqualIgnoringLayout(i.Shape()) {
		return y, nil
	}
	if i.Size() == 0 {
		return newMaker(i).constant(literal.New(i.Shape())), nil
	}
	return l.join(i, y, s)
}

// join gathers the parts y of all devices: [devices, part], of which it takes one a tile, in row-major order, and then
// interleaves tiles and their elements. No size is 0.
func (l *localizer) join(i, y *hlo.Instruction, s *op.Sharding) (*hlo.Instruction, error) {
	b := newMaker(i)
	part := y.Dims()
	one := b.reshape(y, append([]int{1}, part...)...)
	all := b.add(op.AllGather, &op.AllGatherAttrs{ChannelID: l.nextChannel(), ReplicaGroups: l.groups(),
		Dimensions: []int{0}, UseGlobalDeviceIDs: true}, one)
	order, err := l.firstOfTiles(i, s, part)
	if err != nil {
		return nil, err
	}
	if len(order) != l.partitions || !slices.IsSorted(order) {
		var slices []*hlo.Instruction
		for _, d := range order {
			ranges := op.SliceRanges{{Start: d, Limit: d + 1, Stride: 1}}
			for _, n := range part {
				ranges = append(ranges, op.SliceRange{Limit: n, Stride: 1})
			}
			slices = append(slices, b.add(op.Slice, &op.SliceAttrs{Slice: ranges}, all))
		}
		all = b.add(op.Concatenate, &op.ConcatenateAttrs{Dimensions: []int{0}}, slices...)
	}
	var dims, perm []int
	for k, n := range part {
		dims = append(dims, i.Dims()[k]/n)
		perm = append(perm, k, len(part)+k)
	}
	tiled := b.reshape(all, append(dims, part...)...)
	return b.finish(b.reshape(b.transpose(tiled, perm), i.Dims()...))
}

// firstOfTiles returns for each tile, in row-major order, the first device that has it.
func (l *localizer) firstOfTiles(i *hlo.Instruction, s *op.Sharding, part []int) ([]int, error) {
	n := 1
	for k, size := range part {
		n *= i.Dims()[k] / size
	}
	order := make([]int, n)
	for d := l.partitions - 1; d >= 0; d-- {
		offset, _, err := s.Tile(i.Shape(), d)
		if err != nil {
			return nil, i.Errorf("sharding", "", "%w", err)
		}
		tile := 0
		for k, size := range part {
			tile = tile*(i.Dims()[k]/size) + offset[k]/size
		}
		order[tile] = d
	}
	return order, nil
}

// nextChannel returns a channel that no other all-gather uses, which are all that could meet those made here.
func (l *localizer) nextChannel() op.OptInt {
	if l.channel == 0 {
		for _, c := range l.m.Computations() {
			for _, i := range c.Instructions() {
				if a, ok := i.Attrs().(*op.AllGatherAttrs); ok {
					l.channel = max(l.channel, a.ChannelID.Value)
				}
			}
		}
	}
	l.channel++
	return op.OptInt{Present: true, Value: l.channel}
}

// groups returns a group of all partitions for each replica.
func (l *localizer) groups() op.ReplicaGroups {
	groups := make([][]int, l.replicas)
	for r := range groups {
		for p := range l.partitions {
			groups[r] = append(groups[r], r*l.partitions+p)
		}
	}
	return op.ReplicaGroups{Groups: groups}
}
