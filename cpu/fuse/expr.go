package fuse

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// Expr is an index into one dimension: Const + the sum of Terms + Dyn. Terms of
// negative variables stand for loops that are not open yet; see discover.
type Expr struct {
	Const int64
	Terms []loop.Term
	// Dyn is an integer value of the generator's index kind, or 0; it is from Lo to Hi.
	Dyn    loop.Value
	Lo, Hi int64
}

// constant is the index c.
func constant(c int64) Expr { return Expr{Const: c} }

// variable is the iteration number of loop v.
func variable(v int) Expr { return Expr{Terms: []loop.Term{{Var: v, Stride: 1}}} }

func (e Expr) plus(c int64) Expr {
	e.Const += c
	return e
}

// place numbers the indices that occur: equal ones have the same number.
type place int32

// nowhere is the place of an index that is not known.
const nowhere place = -1

// places gives indices their numbers.
type places struct {
	numbers map[string]place
	text    []byte // of the index that is looked for
}

// of returns the number of idx.
func (p *places) of(idx []Expr) place {
	p.text = p.text[:0]
	for _, e := range idx {
		p.text = e.appendTo(p.text)
	}
	if n, ok := p.numbers[string(p.text)]; ok {
		return n
	}
	if p.numbers == nil {
		p.numbers = map[string]place{}
	}
	n := place(len(p.numbers))
	p.numbers[string(p.text)] = n
	return n
}

// appendTo appends bytes that tell e from every other index.
func (e Expr) appendTo(b []byte) []byte {
	b = binary.AppendVarint(b, e.Const)
	b = binary.AppendVarint(b, int64(e.Dyn))
	b = binary.AppendUvarint(b, uint64(len(e.Terms)))
	for _, t := range e.Terms {
		b = binary.AppendVarint(b, int64(t.Var))
		b = binary.AppendVarint(b, t.Stride)
	}
	return b
}

// uses reports whether a term of e is of a variable for which f is true.
func (e Expr) uses(f func(v int) bool) bool {
	return slices.ContainsFunc(e.Terms, func(t loop.Term) bool { return f(t.Var) })
}

// addTerms merges two sorted lists of terms.
func addTerms(a, b []loop.Term) []loop.Term {
	out := slices.Concat(a, b)
	slices.SortFunc(out, func(x, y loop.Term) int { return cmp.Compare(x.Var, y.Var) })
	n := 0
	for _, t := range out {
		if n > 0 && out[n-1].Var == t.Var {
			out[n-1].Stride += t.Stride
			continue
		}
		out[n] = t
		n++
	}
	return slices.DeleteFunc(out[:n], func(t loop.Term) bool { return t.Stride == 0 })
}

// bounds returns the least and the greatest value of e.
func (g *gen) bounds(e Expr) (lo, hi int64) {
	lo, hi = e.Const, e.Const
	for _, t := range e.Terms {
		if reach := t.Stride * (g.extent(t.Var) - 1); reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	if e.Dyn != 0 {
		lo, hi = lo+e.Lo, hi+e.Hi
	}
	return lo, hi
}

// inside reports whether e is sure to be in [0, n).
func (g *gen) inside(e Expr, n int) bool {
	lo, hi := g.bounds(e)
	return lo >= 0 && hi < int64(n)
}

// add returns the sum of two indices.
func (g *gen) add(a, b Expr) Expr {
	out := Expr{Const: a.Const + b.Const, Terms: addTerms(a.Terms, b.Terms), Dyn: a.Dyn, Lo: a.Lo + b.Lo, Hi: a.Hi + b.Hi}
	switch {
	case a.Dyn == 0:
		out.Dyn = b.Dyn
	case b.Dyn != 0:
		out.Dyn = g.b.Op(loop.Add, g.kind, a.Dyn, b.Dyn)
	}
	return out
}

// times returns k*e.
func (g *gen) times(e Expr, k int64) Expr {
	if k == 0 {
		return Expr{}
	}
	out := Expr{Const: e.Const * k, Terms: make([]loop.Term, len(e.Terms)), Dyn: e.Dyn}
	for i, t := range e.Terms {
		out.Terms[i] = loop.Term{Var: t.Var, Stride: t.Stride * k}
	}
	if e.Dyn != 0 {
		out.Lo, out.Hi = min(e.Lo*k, e.Hi*k), max(e.Lo*k, e.Hi*k)
		if k != 1 {
			out.Dyn = g.b.Op(loop.Mul, g.kind, e.Dyn, g.b.Int(g.kind, k))
		}
	}
	return out
}

// value computes e.
func (g *gen) value(e Expr) loop.Value {
	sum := e.Dyn
	plus := func(v loop.Value) {
		if sum == 0 {
			sum = v
			return
		}
		sum = g.b.Op(loop.Add, g.kind, sum, v)
	}
	for _, t := range e.Terms {
		v := g.b.Index(g.kind, t.Var)
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

// dynamic returns the index that is value v, known to be from lo to hi.
func dynamic(v loop.Value, lo, hi int64) Expr { return Expr{Dyn: v, Lo: lo, Hi: hi} }

// splitAffine divides e by n without an instruction: e = q*n + r with r in [0, n), where the terms allow it.
func (g *gen) splitAffine(e Expr, n int64) (q, r Expr, ok bool) {
	if n == 1 {
		return e, Expr{}, true
	}
	if e.Dyn != 0 {
		if lo, hi := g.bounds(e); lo >= 0 && hi < n {
			return Expr{}, e, true
		}
		return q, r, false
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
	v, by := g.value(e), g.b.Int(g.kind, n)
	lo, hi := g.bounds(e)
	reach := uint64(hi)
	if lo < 0 { // where it does not count, it is divided as the unsigned number of the same bits
		reach = math.MaxUint64 >> (64 - g.kind.Bits())
	}
	quotient := g.b.Op(loop.UDiv, g.kind, v, by)
	rest := g.b.Op(loop.Sub, g.kind, v, g.b.Op(loop.Mul, g.kind, quotient, by))
	return dynamic(quotient, 0, int64(reach/uint64(n))), dynamic(rest, 0, n-1)
}
