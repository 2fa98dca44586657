package gomlx

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"
)

// donors are the parameters in whose memory results may be.
type donors struct {
	// near are, by result, those from which few operations lead to it, as from a weight to what a training step makes
	// of it, the best one first.
	near [][]int
	// alike is, by result, the place in groups of the parameters of its shape; -1 if there are none.
	alike  []int
	groups [][]int
}

// donorsOf returns the donors for parameters and results of given shapes.
func donorsOf(f *Function, params, results []shapes.Shape) donors {
	var d donors
	for n, s := range params {
		if isPacked(s.DType) {
			continue
		}
		k := d.groupOf(params, s)
		if k < 0 {
			k, d.groups = len(d.groups), append(d.groups, nil)
		}
		d.groups[k] = append(d.groups[k], n)
	}
	numbers := make(map[*value]int, len(f.params))
	for n, p := range f.params {
		numbers[p] = n
	}
	for k, s := range results {
		var near []int
		for _, v := range nearby(f.results[k]) {
			if n, ok := numbers[v]; ok && !isPacked(s.DType) && params[n].Equal(s) {
				near = append(near, n)
			}
		}
		d.near, d.alike = append(d.near, near), append(d.alike, d.groupOf(params, s))
	}
	return d
}

// groupOf returns the place of the group of the parameters of shape s, -1 if there is none.
func (d *donors) groupOf(params []shapes.Shape, s shapes.Shape) int {
	return slices.IndexFunc(d.groups, func(group []int) bool { return params[group[0]].Equal(s) })
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

// usesOf counts how often buffers are inputs, of all devices.
func usesOf(inputs []*buffer) map[*buffer]int {
	uses := make(map[*buffer]int, len(inputs))
	for _, in := range inputs {
		uses[in]++
	}
	return uses
}

// choose returns, by result, the input of a device in whose memory it is to be; -1 if there is none. Memory that is
// several inputs is left alone; that of an input that is chosen is not used any more.
func (d *donors) choose(inputs []*buffer, donate []bool, uses map[*buffer]int) []int {
	free := func(n int) bool { return donate[n] && uses[inputs[n]] == 1 }
	rest := slices.Clone(d.groups) // without those that are not free, which they will not become again
	chosen := make([]int, len(d.near))
	for k, near := range d.near {
		chosen[k] = -1
		if i := slices.IndexFunc(near, free); i >= 0 {
			chosen[k] = near[i]
		} else if g := d.alike[k]; g >= 0 {
			for len(rest[g]) > 0 && !free(rest[g][0]) {
				rest[g] = rest[g][1:]
			}
			if len(rest[g]) > 0 {
				chosen[k] = rest[g][0]
			}
		}
		if chosen[k] >= 0 {
			uses[inputs[chosen[k]]] = 0
		}
	}
	return chosen
}

// gifts are, by result, the donated inputs in whose memory it is to be, with that memory; nothing for the others.
type gifts []gift

type gift struct {
	from *buffer
	mem  *memory
}

// take takes the memory of donated inputs of a device for its results. These inputs cannot be used any more, unless it
// is given back.
// After an error nothing is taken.
func (d *donors) take(inputs []*buffer, donate []bool, uses map[*buffer]int) (gifts, error) {
	if !slices.Contains(donate, true) {
		return nil, nil
	}
	g := make(gifts, len(d.near))
	for k, n := range d.choose(inputs, donate, uses) {
		if n < 0 {
			continue
		}
		mem := inputs[n].mem.Swap(nil)
		if mem == nil {
			g.giveBack()
			return nil, errors.Errorf("input %d was finalized or donated at the same time", n)
		}
		g[k] = gift{from: inputs[n], mem: mem}
	}
	return g, nil
}

// giveBack makes the inputs what they were; nothing was written to their memory.
func (g gifts) giveBack() {
	for _, x := range g {
		if x.from != nil {
			x.from.mem.Store(x.mem)
		}
	}
}
