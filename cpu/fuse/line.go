package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// An array that is rolled as one line, whatever its dimensions, is two parts of the line, one behind the other. In a
// loop over rows a mask says of each vector which part it is of. In one loop over the line most vectors are of one part
// (package emit, clear.go).

// mostSeams is how many arrays of one dimension are put one behind the other in such a kernel, at most.
const mostSeams = 8

// line counts what is put one behind the other.
type line struct{ seams int }

// lineFrom is the first dimension of more than one element, if all are one loop of lanes because some of what is read
// is rows of a line, put one behind the other, and the rest lies side by side; else -1.
func lineFrom(s Spec, lanes int) int {
	from := slices.IndexFunc(s.Dims, func(n int) bool { return n > 1 })
	last := lastDim(s, func(d int) bool { return s.Dims[d] > 1 })
	short := last < 0 || lanes != last || from == last || product(s.Dims) < flatLanes
	if !s.Code || short || slices.Contains(s.Inner, true) || !s.Roots[0].Inst.Computation().Module().Has(op.Concatenate) ||
		slices.ContainsFunc(s.Roots, func(r Root) bool { return !s.isPlain(r) }) {
		return -1
	}
	l := &line{}
	f := flattening{g: &gen{inMemory: func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) },
		kind: loop.I32}, line: l, breaks: map[int]bool{}}
	idx := make([]Expr, len(s.Dims))
	for d := range s.Dims[:from] {
		idx[d] = constant(0)
	}
	f.lane = -1
	f.g.unflatten(s.Dims[from:], f.g.later(product(s.Dims)), idx[from:])
	misfit := func(r Root) bool { return !f.fits(r.Inst, idx) }
	if slices.ContainsFunc(s.Roots, misfit) || l.seams == 0 || l.seams > mostSeams || len(f.breaks) > 1 {
		return -1
	}
	return from
}

// joins notes that i puts parts of a line one behind the other, and reports whether it is so.
func (l *line) joins(i *hlo.Instruction, idx []Expr, lane int) bool {
	l.seams += len(i.Operands()) - 1
	return len(idx) == 1 && isLane(idx[0], lane)
}

// isLane reports whether e is the number of a lane, or one near it, or the same for all.
func isLane(e Expr, lane int) bool {
	return len(e.Terms) == 0 || len(e.Terms) == 1 && e.Terms[0] == loop.Term{Var: lane, Stride: 1}
}
