package fuse

import (
	"math"
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// firstAtom is the number of the first variable that is an atom.
const firstAtom = 1 << 30

// atom is a variable whose value is computed: what a program computes for a start index, or a quotient or rest of
// another index. Quotients are computed where they are wanted at last. Most are not: what is reshaped to one form and
// back comes to sums in which they cancel.
type atom struct {
	value  loop.Value // or 0
	of     Expr       // what is divided
	by     int64
	rest   bool // not the quotient
	exact  bool // the index that is divided is never negative
	lo, hi int64
}

// atomKey tells atoms apart.
type atomKey struct {
	value loop.Value
	of    place
	by    int64
	rest  bool
	// Bounds differ between parts of a loop.
	exact  bool
	lo, hi int64
}

// atom returns the index that is a.
func (g *gen) atom(a atom) Expr {
	key := atomKey{value: a.value, by: a.by, rest: a.rest, exact: a.exact, lo: a.lo, hi: a.hi}
	if a.value == 0 {
		key.of = g.places.of([]Expr{a.of})
	}
	n, ok := g.numbers[key]
	if !ok {
		if g.numbers == nil {
			g.numbers = map[atomKey]int{}
		}
		n = len(g.atoms)
		g.numbers[key] = n
		g.atoms = append(g.atoms, a)
	}
	return variable(firstAtom + n)
}

// dynamic returns the index that is value v, known to be from lo to hi.
func (g *gen) dynamic(v loop.Value, lo, hi int64) Expr { return g.atom(atom{value: v, lo: lo, hi: hi}) }

// variable computes the variable v.
func (g *gen) variable(v int) loop.Value {
	if v < firstAtom {
		return g.b.Index(g.kind, v)
	}
	a := g.atoms[v-firstAtom]
	if a.value != 0 {
		return a.value
	}
	of, by := g.value(a.of), g.b.Int(g.kind, a.by)
	quotient := g.b.Op(loop.UDiv, g.kind, of, by)
	if !a.rest {
		return quotient
	}
	return g.b.Op(loop.Sub, g.kind, of, g.b.Op(loop.Mul, g.kind, quotient, by))
}

// splitAffine divides e by n without an instruction: e = q*n + r with r in [0, n), where the terms allow it.
func (g *gen) splitAffine(e Expr, n int64) (q, r Expr, ok bool) {
	least, most := g.bounds(e)
	switch {
	case n == 1:
		return e, Expr{}, true
	case least >= 0 && most < n:
		return Expr{}, e, true
	}
	for _, t := range e.Terms {
		if t.Stride%n == 0 {
			q.Terms = append(q.Terms, loop.Term{Var: t.Var, Stride: t.Stride / n})
			continue
		}
		r.Terms = append(r.Terms, t)
	}
	lo, _ := g.bounds(r)
	q.Const = floorDiv(e.Const+lo, n)
	r.Const = e.Const - q.Const*n
	if e.known {
		q = q.within(floorDiv(least, n), floorDiv(most, n))
	}
	_, hi := g.bounds(r)
	return q, r, hi < n
}

func floorDiv(a, n int64) int64 {
	q := a / n
	if a%n < 0 {
		q--
	}
	return q
}

// split divides e, which is not negative wherever it counts, by n.
func (g *gen) split(e Expr, n int64) (q, r Expr) {
	if q, r, ok := g.splitAffine(e, n); ok {
		return q, r
	}
	if q, r, ok := g.splitCoarse(e, n); ok {
		return q, r
	}
	lo, hi := g.bounds(e)
	if most := int64(math.MaxInt64) >> (64 - g.kind.Bits()); lo < 0 || hi > most {
		// Where it does not count, it is divided as the unsigned number of the same bits: the rest is no sum.
		reach := uint64(math.MaxUint64) >> (64 - g.kind.Bits())
		return g.atom(atom{of: e, by: n, hi: int64(reach / uint64(n))}), g.atom(atom{of: e, by: n, rest: true, hi: n - 1})
	}
	of, by := e, n
	if a, ok := g.quotient(e); ok {
		of, by = a.of, a.by*n
		if q, _, ok := g.splitAffine(of, by); ok {
			return q, g.add(e, g.times(q, -n)).within(0, n-1)
		}
	}
	q = g.atom(atom{of: of, by: by, exact: true, hi: hi / n})
	return q, g.add(e, g.times(q, -n)).within(0, n-1)
}

// quotient returns the atom that e is, if that is the quotient of an index that is never negative.
func (g *gen) quotient(e Expr) (a atom, ok bool) {
	if e.Const != 0 || len(e.Terms) != 1 || e.Terms[0].Stride != 1 || e.Terms[0].Var < firstAtom {
		return a, false
	}
	a = g.atoms[e.Terms[0].Var-firstAtom]
	return a, a.exact
}

// splitCoarse divides by a factor of n first, as large as can be divided by without an instruction: the number of
// a row is divided then, not that of an element, and elements side by side have the same quotient.
func (g *gen) splitCoarse(e Expr, n int64) (q, r Expr, ok bool) {
	var factors []int64
	for _, t := range e.Terms {
		if f := gcd(max(t.Stride, -t.Stride), n); f > 1 && f < n {
			factors = append(factors, f)
		}
	}
	slices.Sort(factors)
	slices.Reverse(factors)
	for _, f := range slices.Compact(factors) {
		if row, inside, ok := g.splitAffine(e, f); ok {
			q, r := g.split(row, n/f)
			return q, g.add(g.times(r, f), inside), true
		}
	}
	return q, r, false
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// joined is e with what was divided in place of n quotients by n and a rest: where an index may be negative, and does
// not count, neither is a sum in which the other cancels.
func (g *gen) joined(e Expr) Expr {
	for _, t := range e.Terms[e.loops():] {
		r := g.atoms[t.Var-firstAtom]
		if !r.rest {
			continue
		}
		for _, u := range e.Terms[e.loops():] {
			q := g.atoms[u.Var-firstAtom]
			if q.value != 0 || q.rest || q.by != r.by || u.Stride != t.Stride*r.by || q.of.Const != r.of.Const ||
				!slices.Equal(q.of.Terms, r.of.Terms) {
				continue
			}
			parts := Expr{Terms: []loop.Term{{Var: t.Var, Stride: -t.Stride}}}
			parts = parts.sum(Expr{Terms: []loop.Term{{Var: u.Var, Stride: -u.Stride}}})
			return g.joined(e.sum(parts).sum(r.of.times(t.Stride)))
		}
	}
	return e
}
