package match

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// Order is how the values of one operand of a sort are ordered.
type Order uint8

// The orders. Of integers and pred there are Less and Greater alone.
const (
	Less         Order = iota // x < y; with a NaN on a side, false
	Greater                   // x > y; with a NaN on a side, false
	TotalLess                 // -NaN < -inf < ... < -0 < 0 < ... < inf < NaN
	TotalGreater              // the other way round
	LooseLess                 // zeros are equal, all NaNs are equal and last
	LooseGreater              // zeros are equal, all NaNs are equal and first
)

var orderNames = [...]string{"less", "greater", "total-less", "total-greater", "loose-less", "loose-greater"}

// String returns the order in a word.
func (o Order) String() string { return orderNames[o] }

// Descending reports whether larger values come first.
func (o Order) Descending() bool { return o%2 == 1 }

// Key is one operand of a sort that its comparator looks at.
type Key struct {
	Operand int
	Order   Order
}

// maxKeys is how many operands a comparator may look at that is not written key by key.
const maxKeys = 3

// Comparator returns the operands of a sort that its comparator c orders by, the first key
// first: values that are equal by one key are ordered by the next. ok is false if c orders in another way.
func Comparator(c *hlo.Computation) (keys []Key, ok bool) { return comparator(c, true) }

// NumberComparator is Comparator of operands without a NaN: it leaves open how c orders those.
func NumberComparator(c *hlo.Computation) (keys []Key, ok bool) { return comparator(c, false) }

func comparator(c *hlo.Computation, nans bool) (keys []Key, ok bool) {
	f, ok := newFunction(c, maxChain)
	if !ok || len(f.roots) != 1 || f.roots[0].Type() != shape.Pred || len(f.params)%2 != 0 {
		return nil, false
	}
	used := f.usedPairs()
	if len(used) == 0 {
		return nil, false
	}
	if keys := f.chained(nans); keys != nil {
		return keys, true
	}
	if len(used) > maxKeys || len(f.order) > maxFunction {
		return nil, false
	}
	t := newOrderTable(f, used)
	if !nans {
		t.dropNaNs()
	}
	permutations(used, func(perm []int) bool {
		keys = t.orders(perm)
		return keys == nil
	})
	return keys, keys != nil
}

// usedPairs returns the operands of the sort of which the function reads an element.
func (f *function) usedPairs() (used []int) {
	for k := 0; k+1 < len(f.params); k += 2 {
		a, b := f.params[k], f.params[k+1]
		if a == nil || b == nil || !sameScalar(a, b) {
			return nil
		}
		if len(a.Users())+len(b.Users()) > 0 || a.IsRoot() || b.IsRoot() {
			used = append(used, k/2)
		}
	}
	return used
}

// orderTable holds arguments of a comparator and what it says of them.
type orderTable struct {
	types []shape.ElementType // of the operands
	args  [][]scalar
	less  []bool
}

// newOrderTable runs f on all combinations of samples of the used operands.
func newOrderTable(f *function, used []int) *orderTable {
	t := &orderTable{}
	base := make([]scalar, len(f.params))
	for k, p := range f.params {
		base[k] = scalar{t: p.Type()}
		if k%2 == 0 {
			t.types = append(t.types, p.Type())
		}
	}
	var fill func(rest []int)
	fill = func(rest []int) {
		if len(rest) == 0 {
			t.args, t.less = append(t.args, slices.Clone(base)), append(t.less, f.run(base)[0].i != 0)
			return
		}
		k := 2 * rest[0]
		values := f.samples(base[k].t, len(used) > 1)
		for _, x := range values {
			for _, y := range values {
				base[k], base[k+1] = x, y
				fill(rest[1:])
			}
		}
	}
	fill(used)
	return t
}

// dropNaNs leaves the rows without a NaN.
func (t *orderTable) dropNaNs() {
	n := 0
	for row, args := range t.args {
		if !slices.ContainsFunc(args, scalar.isNaN) {
			t.args[n], t.less[n] = args, t.less[row]
			n++
		}
	}
	t.args, t.less = t.args[:n], t.less[:n]
}

// orders returns the keys if the table is the order by the operands in the order of perm.
func (t *orderTable) orders(perm []int) []Key {
	keys := make([]Key, len(perm))
	var try func(k int) bool
	try = func(k int) bool {
		if k == len(perm) {
			return t.fits(keys)
		}
		last := Greater
		if t.types[perm[k]].IsFloat() {
			last = LooseGreater
		}
		for o := Less; o <= last; o++ {
			keys[k] = Key{perm[k], o}
			if try(k + 1) {
				return true
			}
		}
		return false
	}
	if try(0) {
		return keys
	}
	return nil
}

func (t *orderTable) fits(keys []Key) bool {
	for row, args := range t.args {
		if lexicographic(keys, args) != t.less[row] {
			return false
		}
	}
	return true
}

// lexicographic compares by the keys, one after the other.
func lexicographic(keys []Key, args []scalar) bool {
	for _, k := range keys {
		x, y := args[2*k.Operand], args[2*k.Operand+1]
		if k.Order.less(x, y) {
			return true
		}
		if k.Order.less(y, x) {
			return false
		}
	}
	return false
}

// less reports whether x comes in front of y.
func (o Order) less(x, y scalar) bool {
	if o.Descending() {
		x, y = y, x
	}
	if !x.t.IsFloat() {
		return x.i < y.i
	}
	switch o {
	case TotalLess, TotalGreater:
		return x.rank() < y.rank()
	case LooseLess, LooseGreater:
		if x.isNaN() || y.isNaN() {
			return !x.isNaN()
		}
	}
	return x.f < y.f
}

// permutations calls f with each order of list until f returns false.
func permutations(list []int, f func([]int) bool) {
	list = slices.Clone(list)
	var walk func(k int) bool
	walk = func(k int) bool {
		if k == len(list) {
			return f(list)
		}
		for i := k; i < len(list); i++ {
			list[k], list[i] = list[i], list[k]
			more := walk(k + 1)
			list[k], list[i] = list[i], list[k]
			if !more {
				return false
			}
		}
		return true
	}
	walk(0)
}
