package fuse

import (
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// affine is an index of variables -1, -2, ... of some extents, made from the constant and the stride of each.
type affine struct {
	constant         int64
	strides, extents []int64
}

// index returns a generator that knows the variables, and the index.
func (a affine) index() (*gen, Expr) {
	g := &gen{kind: loop.I32}
	e := constant(a.constant)
	for k, n := range a.extents {
		e = g.add(e, g.times(g.later(int(n)), a.strides[k]))
	}
	return g, e
}

// positions calls f with every choice of iteration numbers.
func positions(extents []int64, f func(at []int64)) {
	at := make([]int64, len(extents))
	for {
		f(at)
		d := len(at) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < extents[d] {
				break
			}
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// evaluate is e at iteration at[k] of variable -1-k.
func (g *gen) evaluate(e Expr, at []int64) int64 {
	sum := e.Const
	for _, t := range e.Terms {
		sum += t.Stride * g.variableAt(t.Var, at)
	}
	return sum
}

// variableAt is the value of variable v there.
func (g *gen) variableAt(v int, at []int64) int64 {
	if v < firstAtom {
		return at[-1-v]
	}
	a := g.atoms[v-firstAtom]
	if a.rest {
		return g.evaluate(a.of, at) % a.by
	}
	return g.evaluate(a.of, at) / a.by
}

func TestBounds(t *testing.T) {
	for _, a := range []affine{
		{3, nil, nil}, {0, []int64{1}, []int64{5}}, {2, []int64{-3}, []int64{4}}, {-1, []int64{4, -1}, []int64{3, 7}},
		{0, []int64{2, 0}, []int64{1, 9}},
	} {
		g, e := a.index()
		low, high := int64(1<<40), int64(-1<<40)
		positions(a.extents, func(at []int64) { low, high = min(low, g.evaluate(e, at)), max(high, g.evaluate(e, at)) })
		if lo, hi := g.bounds(e); lo != low || hi != high {
			t.Errorf("%v: expected %d to %d, got %d to %d", a, low, high, lo, hi)
		}
		if !g.inside(e.plus(-low), int(high-low+1)) || g.inside(e.plus(-low), int(high-low)) {
			t.Errorf("%v: inside does not agree with the bounds", a)
		}
	}
	g := &gen{}
	e := g.add(g.later(4), g.dynamic(1, -2, 5))
	if lo, hi := g.bounds(e.plus(1)); lo != -1 || hi != 9 {
		t.Errorf("with a dynamic part: expected -1 to 9, got %d to %d", lo, hi)
	}
}

// TestSplitAffine: where an index is divided without an instruction, quotient and rest are right everywhere.
func TestSplitAffine(t *testing.T) {
	for _, test := range []struct {
		name string
		affine
		by int64
		ok bool
	}{
		{"rows_and_columns", affine{0, []int64{6, 1}, []int64{4, 6}}, 6, true},
		{"rest_too_long", affine{0, []int64{6, 1}, []int64{4, 7}}, 6, false},
		{"by_one", affine{5, []int64{7}, []int64{3}}, 1, true},
		{"coarser_stride", affine{0, []int64{12, 1}, []int64{2, 6}}, 6, true},
		{"stride_in_between", affine{0, []int64{4, 1}, []int64{3, 4}}, 6, false},
		{"offset_in_a_row", affine{2, []int64{6, 1}, []int64{4, 4}}, 6, true},
		{"offset_across_rows", affine{3, []int64{6, 1}, []int64{4, 4}}, 6, false},
		{"offset_of_rows", affine{13, []int64{6, 1}, []int64{4, 5}}, 6, true},
		{"negative_offset", affine{-12, []int64{6, 1}, []int64{4, 6}}, 6, true},
		{"columns_backwards", affine{5, []int64{6, -1}, []int64{4, 6}}, 6, true},
		{"rows_backwards", affine{18, []int64{-6, 1}, []int64{4, 6}}, 6, true},
		{"every_second", affine{1, []int64{6, 2}, []int64{4, 3}}, 6, true},
		{"all_in_the_rest", affine{0, []int64{1}, []int64{6}}, 8, true},
		{"constant", affine{-7, nil, nil}, 3, true},
	} {
		g, e := test.index()
		q, r, ok := g.splitAffine(e, test.by)
		if ok != test.ok {
			t.Errorf("%s: expected %v, got %v", test.name, test.ok, ok)
		}
		if !ok {
			continue
		}
		positions(test.extents, func(at []int64) {
			whole, quotient, rest := g.evaluate(e, at), g.evaluate(q, at), g.evaluate(r, at)
			if quotient*test.by+rest != whole || rest < 0 || rest >= test.by {
				t.Errorf("%s: at %v: %d = %d*%d + %d", test.name, at, whole, quotient, test.by, rest)
			}
		})
	}
}

func TestSplitAffineDynamic(t *testing.T) {
	g := &gen{}
	q, r, ok := g.splitAffine(g.dynamic(7, 0, 5), 6)
	if !ok || len(q.Terms) != 0 || q.Const != 0 || !slices.Equal(r.Terms, g.dynamic(7, 0, 5).Terms) {
		t.Errorf("a value below 6 divided by 6: got %v, %v, %v", q, r, ok)
	}
	for _, e := range []Expr{g.dynamic(8, 0, 6), g.dynamic(9, -1, 5), g.dynamic(7, 0, 5).plus(1)} {
		if _, _, ok := g.splitAffine(e, 6); ok {
			t.Errorf("%v is divided by 6", e)
		}
	}
}

// TestSplitReach: the quotient of what may be negative where it does not count, divided as an unsigned number,
// may be anything that such a number divided can give.
func TestSplitReach(t *testing.T) {
	for _, test := range []struct {
		kind loop.Kind
		low  int64
		want int64
	}{{loop.I32, -1, (1<<32 - 1) / 21}, {loop.I64, -1, int64((1<<64 - 1) / uint64(21))}, {loop.I32, 0, 100 / 21}} {
		g := &gen{b: loop.NewBuilder("k"), kind: test.kind}
		v := g.b.Int(test.kind, 5)
		q, r := g.split(g.dynamic(v, test.low, 100), 21)
		qLo, qHi := g.bounds(q)
		rLo, rHi := g.bounds(r)
		if qLo != 0 || qHi != test.want || rLo != 0 || rHi != 20 {
			t.Errorf("%v from %d: got %d to %d and %d to %d", test.kind, test.low, qLo, qHi, rLo, rHi)
		}
	}
}

// TestReshapeMap: the map of a reshape gives each element the place with the same number; whole is false only where
// that takes a division. Shaped back, none does.
func TestReshapeMap(t *testing.T) {
	for _, test := range []struct {
		from, to []int
		whole    bool
	}{
		{[]int{4, 6}, []int{24}, false}, // the variable of 24 is divided
		{[]int{24}, []int{4, 6}, true},
		{[]int{4, 6}, []int{4, 6}, true},
		{[]int{1, 4, 1, 6}, []int{4, 6, 1}, true},
		{[]int{4, 6}, []int{1, 1, 4, 6, 1}, true},
		{[]int{}, []int{1, 1}, true},
		{[]int{1, 1}, []int{}, true},
		{[]int{2, 3, 4}, []int{6, 4}, false},
		{[]int{6, 4}, []int{2, 3, 4}, true},
		{[]int{6, 4}, []int{2, 3, 2, 2}, true},
		{[]int{4, 3}, []int{2, 6}, false},
		{[]int{2, 2, 3}, []int{2, 6}, false},
		{[]int{5, 4, 1}, []int{5, 2, 2}, true},
		{[]int{12, 2}, []int{3, 4, 2}, true},
		{[]int{8, 1, 3}, []int{1, 2, 4, 3}, true},
	} {
		g := &gen{kind: loop.I32}
		idx, extents := []Expr{}, []int64{}
		for _, n := range test.to {
			idx = append(idx, g.later(n))
			extents = append(extents, int64(n))
		}
		source := g.reshape(test.from, test.to, idx)
		if whole := len(g.atoms) == 0; whole != test.whole {
			t.Errorf("%v to %v: expected %v, got %v", test.from, test.to, test.whole, whole)
		}
		for d, e := range g.reshape(test.to, test.from, source) {
			if e.loops() < len(e.Terms) {
				t.Errorf("%v to %v and back: dimension %d: expected %v, got %v", test.from, test.to, d, idx[d], e)
			}
		}
		positions(extents, func(at []int64) {
			place := make([]int64, len(source))
			for d, e := range source {
				place[d] = g.evaluate(e, at)
				if place[d] < 0 || place[d] >= int64(test.from[d]) {
					t.Errorf("%v to %v: at %v: %d in dimension %d", test.from, test.to, at, place[d], d)
				}
			}
			if a, b := number(test.from, place), number(test.to, at); a != b {
				t.Errorf("%v to %v: element %d at %v comes from element %d", test.from, test.to, b, at, a)
			}
		})
	}
}

// number is the place in row-major order of the element at an index.
func number(dims []int, at []int64) int64 {
	n := int64(0)
	for d, size := range dims {
		n = n*int64(size) + at[d]
	}
	return n
}

// TestJoin: which kernels a value may become a part of, by its space alone.
func TestJoin(t *testing.T) {
	all := func(dims ...int) Space { return Space{dims, make([]bool, len(dims))} }
	over := func(inner int, dims ...int) Space {
		s := all(dims...)
		s.Inner[inner] = true
		return s
	}
	for _, test := range []struct {
		name      string
		kernel    Space
		value     Space
		reduction bool
		want      Space
		ok        bool
	}{
		{"same", all(4, 6), all(4, 6), false, all(4, 6), true},
		{"other_dimensions", all(4, 6), all(6, 4), false, Space{}, false},
		{"reduction_of_it", all(4, 6), over(1, 4, 6), true, over(1, 4, 6), true},
		{"reduction_the_same_way", over(1, 4, 6), over(1, 4, 6), true, over(1, 4, 6), true},
		{"reduction_another_way", over(1, 4, 6), over(0, 4, 6), true, Space{}, false},
		{"reduction_of_another_array", over(1, 4, 6), over(1, 4, 5), true, Space{}, false},
		{"value_of_a_row", over(1, 4, 6), all(4), false, over(1, 4, 6), true},
		{"value_of_a_column", over(1, 4, 6), all(6), false, Space{}, false},
		{"all_behind_a_reduction", over(1, 4, 6), all(4, 6), false, over(1, 4, 6), true},
		{"row_without_a_reduction", all(4, 6), all(4), false, Space{}, false},
		{"scalar_behind_all", Space{[]int{6}, []bool{true}}, all(), false, Space{[]int{6}, []bool{true}}, true},
	} {
		got, ok := test.kernel.Join(test.value, test.reduction)
		same := slices.Equal(got.Dims, test.want.Dims) && slices.Equal(got.Inner, test.want.Inner)
		if ok != test.ok || ok && !same {
			t.Errorf("%s: expected %v, %v, got %v, %v", test.name, test.want, test.ok, got, ok)
		}
	}
}
