package interp

import (
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// evalCollectivePermute hands values on from the sources to the targets of the
// pairs. A device that is no target gets zeros or, in the in-place form, keeps its
// buffer. Spec: OPS.md section 8.
func evalCollectivePermute(c *call) (literal.Literal, error) {
	a := attrs[*op.CollectivePermuteAttrs](c)
	// All devices that the numbers in the pairs may mean meet.
	m, err := c.meet(a.ChannelID, op.ReplicaGroups{}, op.Unset)
	if err != nil {
		return literal.Literal{}, err
	}
	given, err := c.exchange(m, c.args)
	if err != nil {
		return literal.Literal{}, err
	}
	if len(a.SliceSizes) > 0 {
		return permuteSlices(a, m.Self, given), nil
	}
	for _, pair := range a.SourceTargetPairs {
		if pair[1] == m.Self {
			return tupleIfMany(given[pair[0]]), nil
		}
	}
	return tupleIfMany(zerosLike(c.args)), nil
}

// permuteSlices is the in-place form: operands input, output, input offsets, output
// offsets, each of the four a tuple where there are several buffers. The k-th pair
// with a source takes slice k of its input, the k-th pair with a target sets slice k
// of its output.
func permuteSlices(a *op.CollectivePermuteAttrs, self int, given [][]literal.Literal) literal.Literal {
	mine := given[self]
	outputs := leaves(mine[1])
	results := make([]literal.Literal, len(outputs))
	for b, out := range outputs {
		results[b] = out.Clone()
	}
	taken, set := map[int]int{}, 0
	for _, pair := range a.SourceTargetPairs {
		slice := taken[pair[0]]
		taken[pair[0]]++
		if pair[1] != self {
			continue
		}
		from := given[pair[0]]
		for b, dst := range results {
			src := leaves(from[0])[b]
			sizes := sliceSizes(a, b, slice, len(outputs))
			starts := offsetsOf(from[2], b, slice, mine[1].Shape().IsTuple())
			targets := offsetsOf(mine[3], b, set, mine[1].Shape().IsTuple())
			move(all(dst).at(startIndices(targets, dst.Dims(), sizes)),
				all(src).at(startIndices(starts, src.Dims(), sizes)), sizes)
		}
		set++
	}
	if mine[1].Shape().IsTuple() {
		return literal.MakeTuple(results...)
	}
	return results[0]
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
