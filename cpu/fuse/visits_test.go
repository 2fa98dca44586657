package fuse

import (
	"testing"

	"github.com/goxla/xla/hlo"
)

// TestVisits: each visit is the first once, beyond those that are looked through one by one too.
func TestVisits(t *testing.T) {
	u := &visits{}
	var list []visit
	for n := range 2 * fewVisits {
		i := &hlo.Instruction{}
		list = append(list, visit{inst: i, at: place(n)}, visit{inst: i, at: place(n + 1)})
	}
	for _, want := range [2]bool{true, false} {
		for k, v := range list {
			if got := u.first(v); got != want {
				t.Errorf("visit %d: first is %v, expected %v", k, got, want)
			}
		}
	}
}

// TestVisitsCut: what is cut off is not found any more, what is in front of it is, before and behind the first tables.
func TestVisitsCut(t *testing.T) {
	var v visits
	i := &hlo.Instruction{}
	for n := range 5 * fewVisits {
		v.note(visit{inst: i, at: place(n)})
	}
	for _, left := range []int{3 * fewVisits, fewVisits, 2} {
		v.cut(left)
		for n := range 5 * fewVisits {
			if got, want := v.find(visit{inst: i, at: place(n)}), n; got != want && (n < left || got != -1) {
				t.Errorf("%d of %d: got %d", n, left, got)
			}
		}
	}
	masked := visit{inst: i, at: 1, guard: 5}
	if got := v.find(masked); got != 1 {
		t.Errorf("masked: expected what is everywhere, 1, got %d", got)
	}
	v.cut(1)
	v.note(masked)
	if got := v.find(visit{inst: i, at: 1}); got != -1 {
		t.Errorf("what is known under a mask only is found without one: %d", got)
	}
}

// TestPlaces: indices that differ in a constant, a variable or a stride have numbers of their own, however many.
func TestPlaces(t *testing.T) {
	var p places
	index := func(n int) []Expr {
		return []Expr{constant(int64(n % 3)), variable(n % 5).times(int64(1 + n/7)), variable(-1 - n).plus(2)}
	}
	for range 2 {
		for n := range 6 * fewVisits {
			if got := p.of(index(n)); got != place(n) {
				t.Errorf("index %d: got number %d", n, got)
			}
		}
	}
	if p.of(nil) == p.of([]Expr{{}}) {
		t.Error("an index without and one with a dimension have the same number")
	}
	p.forget()
	if got := p.of(index(3)); got != 0 {
		t.Errorf("the first index has number %d", got)
	}
}
