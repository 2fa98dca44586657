package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// Expr is an index into one dimension: Const + the sum of Terms. Terms of negative variables stand for loops that
// are not open yet, see discover; those of variables from firstAtom on for atoms.
type Expr struct {
	Const int64
	Terms []loop.Term
	// Lo and Hi are bounds that the terms do not show, if known is true.
	Lo, Hi int64
	known  bool
}

// constant is the index c.
func constant(c int64) Expr { return Expr{Const: c} }

// variable is the iteration number of loop v.
func variable(v int) Expr {
	if k := v + usualVariables; k >= 0 && k < len(variables) {
		return Expr{Terms: variables[k : k+1 : k+1]}
	}
	return Expr{Terms: []loop.Term{{Var: v, Stride: 1}}}
}

const usualVariables = 32

// variables are the terms of variables from -usualVariables on.
var variables = func() (terms [2 * usualVariables]loop.Term) {
	for k := range terms {
		terms[k] = loop.Term{Var: k - usualVariables, Stride: 1}
	}
	return terms
}()

func (e Expr) plus(c int64) Expr {
	e.Const, e.Lo, e.Hi = e.Const+c, e.Lo+c, e.Hi+c
	return e
}

// times is e, of which nothing but its terms is known, n times as large.
func (e Expr) times(n int64) Expr {
	out := Expr{Const: e.Const * n, Terms: slices.Clone(e.Terms)}
	for k := range out.Terms {
		out.Terms[k].Stride *= n
	}
	return out
}

// sum is e and f, of which nothing but their terms is known.
func (e Expr) sum(f Expr) Expr {
	return Expr{Const: e.Const + f.Const, Terms: addTerms(nil, e.Terms, f.Terms)}
}

// uses reports whether e is made from a variable of a loop for which f is true.
func (g *gen) uses(e Expr, f func(v int) bool) bool {
	return slices.ContainsFunc(e.Terms, func(t loop.Term) bool {
		if t.Var >= firstAtom {
			return g.uses(g.atoms[t.Var-firstAtom].of, f)
		}
		return f(t.Var)
	})
}

// addTerms merges two sorted lists of terms, in memory of a slab or, if that is nil, of their own.
func addTerms(room *slab[loop.Term], a, b []loop.Term) []loop.Term {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	if room == nil {
		room = &slab[loop.Term]{}
	}
	out := room.take(len(a) + len(b))[:0]
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.Var < y.Var:
			out, a = append(out, x), a[1:]
		case x.Var > y.Var:
			out, b = append(out, y), b[1:]
		default:
			if x.Stride += y.Stride; x.Stride != 0 {
				out = append(out, x)
			}
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// bounds returns the least and the greatest value of e, as far as that is known.
func (g *gen) bounds(e Expr) (lo, hi int64) {
	lo, hi = e.Const, e.Const
	for _, t := range e.Terms {
		least, most := g.rangeOf(t.Var)
		if t.Stride < 0 {
			least, most = most, least
		}
		lo, hi = lo+t.Stride*least, hi+t.Stride*most
	}
	if e.known {
		lo, hi = max(lo, e.Lo), min(hi, e.Hi)
	}
	return lo, hi
}

// rangeOf returns the least and the greatest value of a variable.
func (g *gen) rangeOf(v int) (lo, hi int64) {
	if v >= firstAtom {
		a := g.atoms[v-firstAtom]
		return a.lo, a.hi
	}
	s := g.span(v)
	return s.lo, s.hi - 1
}

// inside reports whether e is sure to be in [0, n).
func (g *gen) inside(e Expr, n int) bool {
	lo, hi := g.bounds(e)
	return lo >= 0 && hi < int64(n)
}

// add returns the sum of two indices.
func (g *gen) add(a, b Expr) Expr {
	out := Expr{Const: a.Const + b.Const, Terms: addTerms(&g.terms, a.Terms, b.Terms)}
	if a.known || b.known {
		aLo, aHi := g.bounds(a)
		bLo, bHi := g.bounds(b)
		return out.within(aLo+bLo, aHi+bHi)
	}
	return out
}

// times returns k*e.
func (g *gen) times(e Expr, k int64) Expr {
	if k == 0 {
		return Expr{}
	}
	if k == 1 {
		return e
	}
	out := Expr{Const: e.Const * k, Terms: g.terms.take(len(e.Terms))}
	for i, t := range e.Terms {
		out.Terms[i] = loop.Term{Var: t.Var, Stride: t.Stride * k}
	}
	if e.known {
		return out.within(min(e.Lo*k, e.Hi*k), max(e.Lo*k, e.Hi*k))
	}
	return out
}

// within is e, which is known to be from lo to hi.
func (e Expr) within(lo, hi int64) Expr {
	e.Lo, e.Hi, e.known = lo, hi, true
	return e
}

// value computes e: atoms first, for most of them are the same in inner loops.
func (g *gen) value(e Expr) loop.Value {
	sum := loop.Value(0)
	plus := func(v loop.Value) {
		if sum == 0 {
			sum = v
			return
		}
		sum = g.b.Op(loop.Add, g.kind, sum, v)
	}
	loops := e.loops()
	for _, t := range slices.Concat(e.Terms[loops:], e.Terms[:loops]) {
		v := g.variable(t.Var)
		if t.Stride != 1 {
			v = g.b.Op(loop.Mul, g.kind, v, g.b.Int(g.kind, t.Stride))
		}
		plus(v)
	}
	if e.Const != 0 || sum == 0 {
		plus(g.b.Int(g.kind, e.Const))
	}
	return sum
}

// loops is the number of the terms of e that are of loops; atoms come behind.
func (e Expr) loops() int {
	n := len(e.Terms)
	for n > 0 && e.Terms[n-1].Var >= firstAtom {
		n--
	}
	return n
}

// parts are e as an address has it: what is affine in the loops, and the value of the rest, or 0. Where that alone does
// not fit the kind of indices all of e is computed, since the sum fits: what is lost on the way does not show.
func (g *gen) parts(e Expr) (offset int64, terms []loop.Term, rest loop.Value) {
	n := e.loops()
	if n == len(e.Terms) {
		return e.Const, e.Terms, 0
	}
	atoms := Expr{Terms: e.Terms[n:]}
	if lo, hi := g.bounds(atoms); n > 0 && (lo < -1<<(g.kind.Bits()-1) || hi > 1<<(g.kind.Bits()-1)-1) {
		return 0, nil, g.value(e)
	}
	return e.Const, e.Terms[:n:n], g.value(atoms)
}
