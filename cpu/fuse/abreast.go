package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Sums that read the same arrays, each some rows further, as those of the taps of a window do, read in one row what
// others read in the next. So several rows go abreast: what they share is read once.

const (
	// leastAbreast to mostAbreast rows go abreast: two are too few to pay for the registers that they take.
	leastAbreast, mostAbreast = 3, 4
	// leastSharing is the fewest sums for which that is done.
	leastSharing = 3
)

// stretch is a part of a reduction: its extents, and what there is at each position.
type stretch struct {
	extents []int
	body    func(pos []Expr) step
	rows    int // at a position
}

// abreast cuts a reduction of the given operands into stretches, of which the first has several rows at a position.
// at gives the index into the operands.
func (g *gen) abreast(r reducer, operands []*hlo.Instruction, extents []int, at func(pos []Expr) []Expr,
	body func(pos []Expr) step) []stretch {
	all := []stretch{{extents, body, 1}}
	d := len(extents) - 2
	if d == -1 && g.lane {
		d = 0
	}
	if d < 0 || r.lanes == nil || len(operands) < leastSharing || extents[d] < 2*leastAbreast ||
		!g.shares(operands, extents, d, at) {
		return all
	}
	n := mostAbreast
	if extents[d]%n > 0 && extents[d]%leastAbreast == 0 {
		n = leastAbreast
	}
	whole, rest := slices.Clone(extents), slices.Clone(extents)
	whole[d], rest[d] = extents[d]/n, extents[d]%n
	shifted := func(pos []Expr, by int, e Expr) step {
		pos = slices.Clone(pos)
		pos[d] = e.plus(int64(by))
		return body(pos)
	}
	all = []stretch{{whole, func(pos []Expr) step {
		first := g.times(pos[d], int64(n))
		s := shifted(pos, n-1, first)
		for u := n - 2; u >= 0; u-- {
			next := s
			s = shifted(pos, u, first)
			s.next = &next
		}
		return s
	}, n}}
	if rest[d] > 0 {
		all = append(all, stretch{rest, func(pos []Expr) step { return shifted(pos, extents[d]-rest[d], pos[d]) }, 1})
	}
	return all
}

// shares reports whether most of what the operands read is read by another one row of dimension d before.
func (g *gen) shares(operands []*hlo.Instruction, extents []int, d int, at func(pos []Expr) []Expr) bool {
	pending := len(g.pending)
	defer func() { g.pending = g.pending[:pending] }()
	pos := make([]Expr, len(extents))
	for k, n := range extents {
		pos[k] = g.later(n)
	}
	var seen visits
	shared := 0
	for row := range 2 {
		for _, o := range operands {
			i, idx := g.moved(o, at(pos))
			factors := []*hlo.Instruction{i}
			if !g.stays(i) && i.Code() == op.Multiply {
				factors = i.Operands()
			}
			for _, i := range factors {
				v, ok := g.source(i, idx)
				switch {
				case !ok:
					return false
				case row == 0:
					seen.first(v)
				case seen.find(v) >= 0:
					shared++
				}
			}
		}
		pos[d] = pos[d].plus(1)
	}
	return 2*shared >= len(operands)
}

// moved returns what o takes its elements from, by operations that only move them, and where.
func (g *gen) moved(o *hlo.Instruction, idx []Expr) (i *hlo.Instruction, at []Expr) {
	for !g.stays(o) && indexMaps[o.Code()] != nil {
		o, idx = o.Operand(0), indexMaps[o.Code()](g, o, idx)
	}
	return o, idx
}

// source returns which element of memory element idx of i is, where it is inside; ok is false if it is none.
func (g *gen) source(i *hlo.Instruction, idx []Expr) (v visit, ok bool) {
	for {
		if i, idx = g.moved(i, idx); g.stays(i) {
			return visit{inst: i, at: g.places.of(idx)}, true
		}
		if i.Code() != op.Pad {
			return v, false
		}
		idx = slices.Clone(idx)
		for d, p := range i.Attrs().(*op.PadAttrs).Padding {
			if p.Interior > 0 {
				return v, false
			}
			idx[d] = idx[d].plus(int64(-p.Low))
		}
		i = i.Operand(0)
	}
}
