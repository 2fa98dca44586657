package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

const (
	// shortDim is an extent that leaves most of a vector empty.
	shortDim = 4
	// shortBytes is one of bytes that does, and that fills two words, in which bytes are read together.
	shortBytes = 8
	// longDim is one that fills half of one, and so is worth steps and the fold of lanes.
	longDim = 8
	// farDim is one that is worth reads that are more than a few elements apart.
	farDim = 32
)

// laneDim is the dimension whose elements go side by side: the last of more than one element, which are neighbours in
// memory. Where that is short and there is a sum, it is a longer one that is read in steps: the last that is kept, if
// the sum is over the short one and not over a longer run of several, be it short itself where values are stacked;
// else, where nothing but sums is stored, one that is summed or lies beside that, or -1 if the reductions have that for
// themselves.
func laneDim(s Spec) int {
	last := lastDim(s, func(d int) bool { return s.Dims[d] > 1 })
	if last < 0 || s.Dims[last] > shortDim && !sumsWords(s, last) && !sumsPairs(s, last) {
		return last
	}
	summed := slices.Contains(s.Inner, true)
	if s.Inner[last] {
		kept := lastDim(s, func(d int) bool { return !s.Inner[d] && s.Dims[d] > 1 })
		if run := product(s.Dims[kept+1:]); run > s.Dims[last] && run >= longDim {
			return last
		}
		if kept >= 0 && (s.Dims[kept] >= leastLong(s, kept) || stacksIn(s)) && !narrowFull(s) {
			return kept
		}
		return last
	}
	if summed && slices.ContainsFunc(s.Roots, s.isFull) {
		return last
	}
	if d := lastDim(s, func(d int) bool { return s.Inner[d] && s.Dims[d] > 1 }); d >= 0 && s.Dims[d] >= longDim {
		return laneBeside(s, d, last)
	}
	if !summed && sumsLong(s) {
		return -1
	}
	return last
}

// leastLong is how many elements dimension d has at least for lanes in it, that lie as far apart as those behind it
// take.
func leastLong(s Spec, d int) int {
	if product(s.Dims[d+1:]) > shortDim {
		return farDim
	}
	return longDim
}

// laneBeside is the dimension in lanes of sums over dimension d, where dimension last is short: d, if nothing is kept
// between both; else the lanes are of different sums. These are all of them, in the loop that the kept dimensions
// collapse to, where what is read lies in memory as they do.
func laneBeside(s Spec, d, last int) int {
	kept := lastDim(s, func(k int) bool { return k > d && k < last && s.Dims[k] >= longDim })
	apart := func(r Root) bool { return !liesBeside(s, r.Inst, &set{}) }
	switch {
	case product(s.Dims[d+1:]) == s.Dims[last]:
		return d
	case !slices.ContainsFunc(s.Roots, apart):
		return last
	case kept >= 0:
		return kept
	case s.Dims[d] >= farDim:
		return d
	}
	return last
}

// liesBeside reports whether all that is computed for i is read at the position itself, or is the same everywhere.
func liesBeside(s Spec, i *hlo.Instruction, seen *set) bool {
	if s.InMemory(i) && !isRoot(s, i) || !seen.add(i) {
		return true
	}
	switch c := i.Code(); {
	case c == op.Constant, c == op.Broadcast && i.Operand(0).Rank() == 0:
		return true
	case c != op.Reduce && !isElementwise(i):
		return false
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return !liesBeside(s, o, seen) })
}

// narrowFull reports whether elements of all dimensions are stored that are narrower than words.
func narrowFull(s Spec) bool {
	return slices.ContainsFunc(s.Roots, func(r Root) bool { return s.isFull(r) && r.Shape().Type.ByteSize() < 4 })
}

// sumsWords reports whether what is stored are sums over dimension d, of bytes, which fill words.
func sumsWords(s Spec, d int) bool {
	n := s.Dims[d]
	return s.Inner[d] && n <= shortBytes && n&(n-1) == 0 && !slices.ContainsFunc(s.Roots, func(r Root) bool {
		i := r.Inst
		if i.Code() == op.Convert {
			i = i.Operand(0)
		}
		if i.Code() != op.Reduce || s.InMemory(i) && i != r.Inst {
			return true
		}
		x := i.Operand(0)
		if x.Code() == op.Convert {
			x = x.Operand(0)
		}
		return x.Type().ByteSize() != 1
	})
}

// lastDim is the last dimension for which f is true, or -1.
func lastDim(s Spec, f func(d int) bool) int {
	for d := len(s.Dims) - 1; d >= 0; d-- {
		if f(d) {
			return d
		}
	}
	return -1
}

// sumsLong reports whether every root is made from a reduction whose last dimension is long, and which may be summed
// in any order.
func sumsLong(s Spec) bool {
	for _, r := range s.Roots {
		if !findsReduce(s, r.Inst, &set{}) {
			return false
		}
	}
	return len(s.Roots) > 0
}

// findsReduce looks for such a reduction in what is computed for i.
func findsReduce(s Spec, i *hlo.Instruction, seen *set) bool {
	if s.InMemory(i) && !isRoot(s, i) || !seen.add(i) {
		return false
	}
	if i.Code() == op.Reduce {
		dims := i.Attrs().(*op.ReduceAttrs).Dimensions
		long := len(dims) > 0 && i.Operand(0).Dims()[slices.Max(dims)] >= longDim
		return long && reducerOf(i.Called()[0], len(i.Operands())/2).lanes != nil
	}
	return slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return findsReduce(s, o, seen) })
}
