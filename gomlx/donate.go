package gomlx

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"
)

// donors are, by result, the parameters in whose memory it may be, the best one first: that from which the fewest
// operations lead to the result, as from a weight to what a training step makes of it.
type donors [][]int

// donorsOf returns the donors for parameters and results of given shapes.
func donorsOf(f *Function, params, results []shapes.Shape) donors {
	d := make(donors, len(results))
	for k, s := range results {
		fits := func(n int) bool { return !isPacked(s.DType) && params[n].Equal(s) }
		add := func(n int) {
			if n >= 0 && fits(n) && !slices.Contains(d[k], n) {
				d[k] = append(d[k], n)
			}
		}
		for _, v := range nearby(f.results[k]) {
			add(slices.Index(f.params, v))
		}
		for n := range params {
			add(n)
		}
	}
	return d
}

// nearestValues is how many values nearby looks at.
const nearestValues = 64

// nearby returns v and what it is computed from, the nearest ones first.
func nearby(v *value) []*value {
	list := []*value{v}
	for i := 0; i < len(list) && len(list) < nearestValues; i++ {
		for _, in := range list[i].node.inputs {
			if !slices.Contains(list, in) {
				list = append(list, in)
			}
		}
	}
	return list
}

// take returns, by result, a buffer in the memory of an input that is donated; nil if there is none. Those inputs
// cannot be used any more. Memory that is an input twice is left alone.
func (d donors) take(inputs []*buffer, donate []bool) ([]*buffer, error) {
	if !slices.Contains(donate, true) {
		return nil, nil
	}
	uses := make(map[*buffer]int, len(inputs))
	for _, in := range inputs {
		uses[in]++
	}
	taken := make([]*buffer, len(d))
	for k, list := range d {
		for _, n := range list {
			in := inputs[n]
			if !donate[n] || uses[in] != 1 || in.array == nil {
				continue
			}
			if in.gone.Swap(true) {
				return nil, errors.Errorf("input %d was finalized or donated at the same time", n)
			}
			uses[in] = 0
			taken[k] = &buffer{backend: in.backend, shape: in.shape, data: in.data, flat: in.flat, array: in.array}
			in.data, in.flat, in.array = nil, nil, nil
			break
		}
	}
	return taken, nil
}
