package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Where a reshape joins dimensions that a transpose has brought together, as the heads of an attention, rows of the
// result are pieces of rows of the operand: neighbours within a piece. The loop of lanes is cut there, so that it reads
// neighbours, and no lane asks which piece it is in.

// leastPiece is how many elements a piece has at least.
const leastPiece = 32

// pieceOf is how many lanes of dimension lanes of s are a piece, 0 if they are not cut.
func pieceOf(s Spec, lanes int) int {
	if lanes < 0 || s.Dims[lanes] < 2*leastPiece || slices.Contains(s.Inner, true) {
		return 0
	}
	p := piecesWalk{g: &gen{inMemory: func(i *hlo.Instruction) bool {
		return s.InMemory(i) && !isRoot(s, i)
	}, kind: loop.I32}}
	idx := make([]Expr, len(s.Dims))
	for d := range s.Dims {
		idx[d] = p.g.later(s.Dims[d])
		if d == lanes {
			p.lane = -len(p.g.pending)
		}
	}
	for _, r := range s.Roots {
		if !s.isFull(r) || r.Spread || !p.fits(r.Inst, idx) {
			return 0
		}
	}
	if n := int(p.length); n >= leastPiece && n < s.Dims[lanes] && s.Dims[lanes]%n == 0 {
		return n
	}
	return 0
}

// piecesWalk looks at how values are read.
type piecesWalk struct {
	g      *gen
	lane   int   // the variable of lanes
	length int64 // of the pieces that all reads have in common, 0 before there is one
	walked int
}

// fits reports whether what is computed for i at idx reads nothing but pieces of rows.
func (p *piecesWalk) fits(i *hlo.Instruction, idx []Expr) bool {
	if p.walked++; p.walked > mostWalked {
		return false
	}
	if p.g.inMemory(i) {
		return !slices.ContainsFunc(p.g.linear(i.Shape(), idx).Terms, func(t loop.Term) bool { return !p.reads(t) })
	}
	switch c := i.Code(); {
	case c == op.Constant, c == op.Iota:
		return true
	case indexMaps[c] != nil:
		return p.fits(i.Operand(0), indexMaps[c](p.g, i, idx))
	case !isElementwise(i) || !i.IsArray():
		return false
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool {
		if o.Rank() == 0 {
			return !p.fits(o, nil)
		}
		return !p.fits(o, idx)
	})
}

// reads looks at a term of an index: if lanes differ in it, it is to be the number of a piece.
func (p *piecesWalk) reads(t loop.Term) bool {
	one := Expr{Terms: []loop.Term{t}}
	if t.Var < firstAtom || !p.g.uses(one, func(v int) bool { return v == p.lane }) {
		return true
	}
	a := p.g.atoms[t.Var-firstAtom]
	p.length = gcd(a.by, p.length)
	return a.exact && !a.rest && a.of.Const == 0 && slices.Equal(a.of.Terms, variable(p.lane).Terms)
}

// pieces makes the loops over n elements in pieces of g.piece, for body.
func (g *gen) pieces(n int, body func(e Expr)) {
	g.each(loop.Spec{Extent: int64(n / g.piece), Parallel: true}, func(q int) {
		g.each(loop.Spec{Extent: int64(g.piece), Lanes: true, Parallel: true}, func(r int) {
			body(g.add(g.times(variable(q), int64(g.piece)), variable(r)))
		})
	})
}
