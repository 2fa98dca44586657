package shape

import (
	"fmt"
	"slices"
)

// This file finds the strides of a tiled array, if it has any. The indices of the
// array go through the steps of its tiling as unknowns, so that the answer costs no
// more for a large array than for a small one. Every coordinate is then a digit of
// a weighted sum of indices; a tile cuts a digit in two. In the end the digits of
// each sum must lie in memory as the digits of a number do: one that counts in
// units of n must have n times the stride of the one that counts in units of 1.

// term is an index of the array, from 0 to most, times a weight.
type term struct{ dim, weight, most int }

// sum is a sum of terms; its values go from 0 to most.
type sum struct {
	terms []term
	most  int
}

func newSum(terms ...term) *sum {
	s := &sum{terms: terms}
	for _, t := range terms {
		s.most += t.weight * t.most
	}
	return s
}

// digit is a coordinate: floor(sum/unit) mod base, in a dimension of the given size.
type digit struct {
	sum  *sum
	unit int
	base int // 0 where the modulus would have no effect
	size int
}

// constant returns the coordinate of a dimension in which only index 0 occurs.
func constant(size int) digit { return digit{sum: newSum(), unit: 1, size: size} }

func (d digit) isZero() bool { return d.values() == 1 }

// values returns how many values d has: they are 0 and up.
func (d digit) values() int {
	n := d.sum.most/d.unit + 1
	if d.base != 0 {
		n = min(n, d.base)
	}
	return n
}

// tiledStrides returns the strides of the tiled array s.
func tiledStrides(s Shape, x *Indexing) ([]int, error) {
	if x.length == 0 {
		return Strides(s.Dims, x.order), nil
	}
	digits := make([]digit, 0, len(s.Dims))
	for _, dim := range slices.Backward(x.order) {
		digits = append(digits, digit{sum: newSum(term{dim, 1, s.Dims[dim] - 1}), unit: 1, size: s.Dims[dim]})
	}
	ok := true
	for i := range x.tiling.steps {
		if digits, ok = x.tiling.steps[i].digits(digits); !ok {
			break
		}
	}
	strides := make([]int, len(s.Dims))
	if !ok || !stridesOf(digits, strides) {
		return nil, fmt.Errorf("%v has no strides: its tiles put neighbours at differing distances", s)
	}
	return strides, nil
}

// digits does with unknown coordinates what forward does with numbers.
func (s *tileStep) digits(coords []digit) (result []digit, ok bool) {
	coords = append(slices.Repeat([]digit{constant(1)}, s.pad), coords...)
	head, tail := coords[:s.head:s.head], coords[s.head:]
	if s.combine != nil {
		if tail, ok = s.joined(tail); !ok {
			return nil, false
		}
	}
	var inner []digit
	for i, c := range tail {
		quotient, remainder, ok := c.cut(s.tile[i])
		if !ok {
			return nil, false
		}
		head, inner = append(head, quotient), append(inner, remainder)
	}
	return append(head, inner...), true
}

// joined merges the coordinates that the tile combines.
func (s *tileStep) joined(coords []digit) (result []digit, ok bool) {
	carried := constant(1)
	for i, c := range coords {
		if carried, ok = carried.join(c); !ok {
			return nil, false
		}
		if !s.combine[i] {
			result, carried = append(result, carried), constant(1)
		}
	}
	return result, true
}

// join returns the coordinate d*minor.size + minor; ok is false if that is no digit.
func (d digit) join(minor digit) (joined digit, ok bool) {
	size := d.size * minor.size
	switch {
	case d.isZero():
		minor.size = size
		return minor, true
	case minor.size == 1:
		return d, true
	case d.sum == minor.sum && minor.base == minor.size && d.unit == minor.unit*minor.base:
		return digit{minor.sum, minor.unit, d.base * minor.base, size}, true
	case d.base != 0 || minor.base != 0 || d.unit != 1 || minor.unit != 1:
		return digit{}, false
	}
	terms := slices.Clone(minor.sum.terms)
	for _, t := range d.sum.terms {
		terms = append(terms, term{t.dim, t.weight * minor.size, t.most})
	}
	return digit{sum: newSum(terms...), unit: 1, size: size}, true
}

// cut returns the quotient and the remainder of d by t; ok is false if they are
// not digits.
func (d digit) cut(t int) (quotient, remainder digit, ok bool) {
	count := ceilDiv(d.size, t)
	switch {
	case t >= d.values():
		return constant(count), digit{d.sum, d.unit, d.base, t}, true
	case t == 1:
		return d, constant(1), true
	case d.base%t != 0:
		return digit{}, digit{}, false
	case d.base == 0 && d.unit == 1:
		if q, r, ok := d.sum.divide(t); ok {
			return digit{sum: q, unit: 1, size: count}, digit{sum: r, unit: 1, size: t}, true
		}
	}
	return digit{d.sum, d.unit * t, d.base / t, count}, digit{d.sum, d.unit, t, t}, true
}

// divide returns q and r < t with s = q*t + r, if these are sums of s's terms.
func (s *sum) divide(t int) (q, r *sum, ok bool) {
	var multiples, rest []term
	for _, e := range s.terms {
		if e.weight%t == 0 {
			multiples = append(multiples, term{e.dim, e.weight / t, e.most})
		} else {
			rest = append(rest, e)
		}
	}
	q, r = newSum(multiples...), newSum(rest...)
	return q, r, r.most < t
}

// stridesOf sets the strides of the indices in digits, which lie in memory in
// row-major order; ok is false if the digits of a sum lie otherwise.
func stridesOf(digits []digit, strides []int) (ok bool) {
	sizes := make([]int, len(digits))
	for i, d := range digits {
		sizes[i] = d.size
	}
	steps := RowMajorStrides(sizes)
	for i, d := range digits {
		if d.unit != 1 {
			continue
		}
		for j, other := range digits {
			if other.sum == d.sum && !other.isZero() && steps[j] != other.unit*steps[i] {
				return false
			}
		}
		for _, t := range d.sum.terms {
			strides[t.dim] = t.weight * steps[i]
		}
	}
	return true
}
