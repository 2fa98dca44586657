package match

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Tie says which of two equal values gives the index.
type Tie uint8

// The ties. The first of two values is the one folded so far.
const (
	LowIndex Tie = iota
	FirstIndex
	SecondIndex
)

// ArgReduction is a reducer that keeps the largest or smallest value and its index.
type ArgReduction struct {
	// Max: the largest value wins; otherwise the smallest.
	Max bool
	// NaNWins: a NaN wins over every number, and a second one does not replace it unless
	// NaNLowIndex and its index is lower. Otherwise, where one of the two is NaN, the second value is taken.
	NaNWins, NaNLowIndex bool
	// Tie says whose index equal values give; 0 and -0 are equal.
	Tie Tie
	// TieValue is whose value equal values give (they differ in the sign of zero): FirstIndex,
	// SecondIndex, or, as LowIndex, that whose index is taken.
	TieValue Tie
}

// ArgReducer returns what c, a reducer of (value, index) pairs, keeps of two; ok is false
// if it is no argmax or argmin.
func ArgReducer(c *hlo.Computation) (r ArgReduction, ok bool) {
	f, ok := newFunction(c, maxFunction)
	if !ok || len(f.params) != 4 || len(f.roots) != 2 {
		return r, false
	}
	for k, p := range f.params {
		if p == nil || !sameScalar(p, f.params[k%2]) || !sameScalar(f.roots[k%2], p) {
			return r, false
		}
	}
	if t := f.params[1].Type(); !t.IsInteger() || f.params[0].Type() == shape.Pred {
		return r, false
	}
	if fit := f.fitting(argReductions()); len(fit) > 0 {
		return fit[0], true
	}
	return ArgReduction{}, false
}

// argReductions returns all there are.
func argReductions() []ArgReduction {
	const all = 2 * 2 * 2 * 3 * 3
	list := make([]ArgReduction, 0, all)
	for n := range all {
		r := ArgReduction{Max: n&1 == 0, NaNWins: n&2 == 0, NaNLowIndex: n&4 != 0, Tie: Tie(n / 8 % 3), TieValue: Tie(n / 24)}
		if !r.NaNLowIndex || r.NaNWins {
			list = append(list, r)
		}
	}
	return list
}

// fitting returns those of list that do what f does on all samples. Where values are compared with each other only, not
// with constants or indices, a few of them tell.
func (f *function) fitting(list []ArgReduction) []ArgReduction {
	converts := slices.ContainsFunc(f.order, func(i *hlo.Instruction) bool { return i.Code() == op.Convert })
	values := f.samples(f.params[0].Type(), len(f.constants) == 0 && !converts)
	indices := f.samples(f.params[1].Type(), false)
	for _, x := range values {
		for _, i := range indices {
			for _, y := range values {
				for _, j := range indices {
					got := f.run([]scalar{x, i, y, j})
					list = slices.DeleteFunc(list, func(r ArgReduction) bool {
						v, k := r.choose(x, i, y, j)
						return !got[0].same(v) || !got[1].same(k)
					})
					if len(list) == 0 {
						return nil
					}
				}
			}
		}
	}
	return list
}

// choose returns what r keeps of (x, i) and (y, j).
func (r ArgReduction) choose(x, i, y, j scalar) (value, index scalar) {
	switch {
	case r.NaNWins && x.isNaN() && y.isNaN():
		if r.NaNLowIndex && j.i < i.i {
			return y, j
		}
		return x, i
	case r.NaNWins && x.isNaN():
		return x, i
	case x.isNaN() || y.isNaN():
		return y, j
	case x.f != y.f || x.i != y.i:
		if less := x.f < y.f || x.i < y.i; less == r.Max {
			return y, j
		}
		return x, i
	}
	first := r.Tie == FirstIndex || r.Tie == LowIndex && i.i <= j.i
	if value, index = y, j; first {
		value, index = x, i
	}
	switch r.TieValue {
	case FirstIndex:
		value = x
	case SecondIndex:
		value = y
	}
	return value, index
}
