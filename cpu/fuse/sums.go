package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
)

// A sum of very many numbers that are added to one another in a row is off by as many roundings. So long sums are sums
// of parts, each of which begins anew: then it is off by the roundings of a part, and of a sum of parts. Where the
// parts begin depends on the sizes only. Sums over lanes have as many parts already, and are cut later.
const (
	longChain, partOfChain = 512, 256
	longLanes, partOfLanes = 1 << 14, 1 << 12
	// manyParts is from how many parts on these are summed in parts, too.
	manyParts = 512
)

// sums makes the loops of one reduction.
type sums struct {
	*gen
	r          reducer
	like       []elem.Value // what the results are like
	extents    []int
	body       func(pos []Expr) step
	long, part int
}

// reduceLong is reduce, in parts if it adds up very many floats.
func (g *gen) reduceLong(r reducer, init []elem.Value, all stretch) []elem.Value {
	s := &sums{gen: g, r: r, like: init, extents: all.extents, body: all.body, long: longChain / all.rows,
		part: partOfChain / all.rows}
	adds := false
	for k, o := range r.lanes {
		adds = adds || o == loop.Add && g.b.Kind(init[k].Re).IsFloat()
	}
	if !g.lane {
		s.long, s.part = longLanes/all.rows, partOfLanes/all.rows
	}
	if !adds || product(s.extents) <= s.long {
		return g.reduce(r, init, s.extents, s.body)
	}
	return s.from(init, nil)
}

// from reduces all at pos of the outer dimensions, beginning with acc.
func (s *sums) from(acc []elem.Value, pos []Expr) []elem.Value {
	inner := product(s.extents[len(pos)+1:])
	extent := s.extents[len(pos)]
	if extent*inner <= s.long {
		return s.reduceFrom(s.r, acc, s.extents, pos, s.body)
	}
	rows := nearDivisor(extent, max(1, s.part/inner))
	acc = s.parts(acc, extent/rows, constant(0), func(k Expr) []elem.Value {
		return s.rows(pos, k.times(int64(rows)), rows)
	})
	if rest := extent % rows; rest > 0 {
		acc = s.add(acc, s.rows(pos, constant(int64(extent-rest)), rest))
	}
	return acc
}

// rows is what so many rows of the next dimension from first on amount to.
func (s *sums) rows(pos []Expr, first Expr, count int) []elem.Value {
	if count == 1 {
		next := append(pos[:len(pos):len(pos)], first)
		if len(next) == len(s.extents) {
			return s.reduceFrom(s.r, s.none(), s.extents, next, s.body)
		}
		return s.from(s.none(), next)
	}
	extents := append([]int{count}, s.extents[len(pos)+1:]...)
	return s.reduceFrom(s.r, s.none(), extents, nil, func(at []Expr) step {
		row := first.sum(at[0])
		return s.body(slices.Concat(pos, []Expr{row}, at[1:]))
	})
}

// parts adds part(first), and so on for count parts, to acc.
func (s *sums) parts(acc []elem.Value, count int, first Expr, part func(k Expr) []elem.Value) []elem.Value {
	if count > manyParts {
		size := nearDivisor(count, partOfChain)
		acc = s.parts(acc, count/size, constant(0), func(k Expr) []elem.Value {
			return s.parts(s.none(), size, first.sum(k.times(int64(size))), part)
		})
		rest := count % size
		return s.parts(acc, rest, first.plus(int64(count-rest)), part)
	}
	if count <= 1 {
		for k := range count {
			acc = s.add(acc, part(first.plus(int64(k))))
		}
		return acc
	}
	var carries []loop.Reduction
	for _, v := range acc {
		for _, p := range parts(v) {
			carries = append(carries, loop.Reduction{Init: p})
		}
	}
	outs := s.carry(loop.Spec{Extent: int64(count)}, carries, func(v int, phis []loop.Value) []loop.Value {
		var flat []loop.Value
		for _, e := range s.add(rebuild(acc, phis), part(first.sum(variable(v)))) {
			flat = append(flat, parts(e)...)
		}
		return flat
	})
	return rebuild(acc, outs)
}

// none is what a part begins with.
func (s *sums) none() []elem.Value {
	var out []elem.Value
	for k, v := range s.like {
		var flat []loop.Value
		for _, p := range parts(v) {
			flat = append(flat, s.identity(s.r.lanes[k], s.b.Kind(p)))
		}
		out = append(out, rebuild(s.like[k:k+1], flat)[0])
	}
	return out
}

// add combines two results.
func (s *sums) add(acc, part []elem.Value) []elem.Value {
	return s.combineSimple(s.r, acc, step{elems: part})
}

// nearDivisor returns a divisor of n that is at most twice as large as want, or half as large, else want.
func nearDivisor(n, want int) int {
	for d := range want + 1 {
		if n%(want+d) == 0 {
			return want + d
		}
		if d <= want/2 && n%(want-d) == 0 {
			return want - d
		}
	}
	return want
}
