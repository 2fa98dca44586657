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
	results := slices.Clone(leaves(c.args[1]))
	for b := range results {
		results[b] = results[b].Clone()
	}
	if len(p.members) > 0 {
		g, err := c.groupOf(p.members, a.ChannelID)
		if err != nil {
			return literal.Literal{}, err
		}
		if err := c.exchangeSlices(a, g, p.pairs, results); err != nil {
			return literal.Literal{}, err
		}
	}
	if c.args[1].Shape().IsTuple() {
		return literal.MakeTuple(results...), nil
	}
	return results[0], nil
}

// exchangeSlices sends slices of the inputs, and puts those that come into results.
func (c *call) exchangeSlices(a *op.CollectivePermuteAttrs, g group, pairs [][2]int, results []literal.Literal) error {
	many, inputs := c.args[1].Shape().IsTuple(), leaves(c.args[0])
	send, recv := make([][]literal.Literal, g.size()), make([][]literal.Literal, g.size())
	taken, set := make([]int, g.size()), 0 // slices used so far, of each source and of this target
	var put []func()                       // puts a slice that came where it belongs
	for _, pair := range pairs {
		source, target, k := pair[0], pair[1], taken[pair[0]]
		taken[source]++
		for b, dst := range results {
			sizes := sliceSizes(a, b, k, len(results))
			slice := literal.New(shape.Make(dst.Type(), sizes...))
			if source == g.self {
				from := all(inputs[b]).at(startIndices(offsetsOf(c.args[2], b, k, many), inputs[b].Dims(), sizes))
				move(all(slice), from, sizes)
				send[target] = append(send[target], slice)
			}
			if target == g.self {
				to := all(dst).at(startIndices(offsetsOf(c.args[3], b, set, many), dst.Dims(), sizes))
				came := literal.New(slice.Shape())
				put = append(put, func() { move(to, all(came), sizes) })
				recv[source] = append(recv[source], came)
			}
		}
		if target == g.self {
			set++
		}
	}
	if err := g.comm.AllToAll(c.in.ctx, g.Meeting, recv, send); err != nil {
		return err
	}
	for _, f := range put {
		f()
	}
	return nil
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
