package interp

import (
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalCollectivePermute hands values on from the sources to the targets of the
// pairs. A device that is no target gets zeros or, in the in-place form, keeps its
// buffer. Only the devices in the pairs meet. Spec: OPS.md section 8.
func evalCollectivePermute(c *call) (literal.Literal, error) {
	a := attrs[*op.CollectivePermuteAttrs](c)
	p := c.permutation(a)
	if len(a.SliceSizes) > 0 {
		return c.permuteSlices(a, p)
	}
	results := zerosLike(c.args)
	if len(p.members) == 0 {
		return tupleIfMany(results), nil
	}
	g, err := c.groupOf(p.members, a.ChannelID)
	if err != nil {
		return literal.Literal{}, err
	}
	send, recv := make([][]literal.Literal, g.size()), make([][]literal.Literal, g.size())
	for _, pair := range p.pairs {
		if pair[0] == g.self {
			send[pair[1]] = c.args
		}
		if pair[1] == g.self {
			recv[pair[0]] = results
		}
	}
	return tupleIfMany(results), g.comm.AllToAll(c.in.ctx, g.Meeting, recv, send)
}

// permutation is the source_target_pairs of a collective-permute as this device sees them.
type permutation struct {
	members []int    // the devices in the pairs, in order; empty if this device is in none
	pairs   [][2]int // as places in members
}

// permutation returns the pairs among the devices that this one communicates with.
func (c *call) permutation(a *op.CollectivePermuteAttrs) permutation {
	d := &c.in.opts.Device
	number := func(n int) int { return n*max(1, d.Partitions) + d.Partition } // n is a replica
	if a.ChannelID.Present {
		number = func(n int) int { return d.Replica*max(1, d.Partitions) + n } // n is a partition
	}
	var p permutation
	for _, pair := range a.SourceTargetPairs {
		p.members = append(p.members, number(pair[0]), number(pair[1]))
	}
	slices.Sort(p.members)
	p.members = slices.Compact(p.members)
	if !slices.Contains(p.members, d.number()) {
		return permutation{}
	}
	for _, pair := range a.SourceTargetPairs {
		source, target := slices.Index(p.members, number(pair[0])), slices.Index(p.members, number(pair[1]))
		p.pairs = append(p.pairs, [2]int{source, target})
	}
	return p
}

// permuteSlices is the in-place form: operands input, output, input offsets, output
// offsets, each of the four a tuple where there are several buffers. The k-th pair
// with a source takes slice k of its input, the k-th pair with a target sets slice k
// of its output.
func (c *call) permuteSlices(a *op.CollectivePermuteAttrs, p permutation) (literal.Literal, error) {
	many := c.args[1].Shape().IsTuple()
	inputs, results := leaves(c.args[0]), slices.Clone(leaves(c.args[1]))
	for b := range results {
		results[b] = results[b].Clone()
	}
	if len(p.members) == 0 {
		return c.pack(results), nil
	}
	g, err := c.groupOf(p.members, a.ChannelID)
	if err != nil {
		return literal.Literal{}, err
	}
	send, recv := make([][]literal.Literal, g.size()), make([][]literal.Literal, g.size())
	taken, set := make([]int, g.size()), 0
	var put []func() // sets the slices that were received
	for _, pair := range p.pairs {
		k := taken[pair[0]]
		taken[pair[0]]++
		for b, dst := range results {
			sizes := sliceSizes(a, b, k, len(results))
			if pair[0] == g.self {
				slice := literal.New(shape.Make(inputs[b].Type(), sizes...))
				starts := startIndices(offsetsOf(c.args[2], b, k, many), inputs[b].Dims(), sizes)
				move(all(slice), all(inputs[b]).at(starts), sizes)
				send[pair[1]] = append(send[pair[1]], slice)
			}
			if pair[1] == g.self {
				slice := literal.New(shape.Make(dst.Type(), sizes...))
				starts := startIndices(offsetsOf(c.args[3], b, set, many), dst.Dims(), sizes)
				put = append(put, func() { move(all(dst).at(starts), all(slice), sizes) })
				recv[pair[0]] = append(recv[pair[0]], slice)
			}
		}
		if pair[1] == g.self {
			set++
		}
	}
	if err := g.comm.AllToAll(c.in.ctx, g.Meeting, recv, send); err != nil {
		return literal.Literal{}, err
	}
	for _, f := range put {
		f()
	}
	if many {
		return literal.MakeTuple(results...), nil
	}
	return results[0], nil
}

// sliceSizes returns the sizes of a slice of buffer b of count: there is an entry
// for each slice of each buffer, or for each slice, or one.
func sliceSizes(a *op.CollectivePermuteAttrs, b, slice, count int) []int {
	list := a.SliceSizes
	each := len(list) / count
	if i := b*each + slice; each > 0 && slice < each {
		return list[i]
	}
	return list[min(slice, len(list)-1)]
}

// offsetsOf returns the start indices of a slice of buffer b.
func offsetsOf(offsets literal.Literal, b, slice int, many bool) []literal.Literal {
	if many {
		offsets = offsets.Elems()[b]
	}
	list := offsets.Elems()
	if len(list) > 0 && list[0].Shape().IsTuple() {
		return list[min(slice, len(list)-1)].Elems()
	}
	return list
}
