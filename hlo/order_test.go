package hlo_test

import (
	"slices"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// TestOrderAfterEdits: the order follows every kind of edit.
func TestOrderAfterEdits(t *testing.T) {
	b := newBuilder()
	p, q := b.param("p"), b.param("q")
	x := b.add("x", p)
	y := b.add("y", q)
	r := b.add("r", x, y)
	b.c.SetRoot(r)
	var z *hlo.Instruction
	for _, step := range []struct {
		edit string
		do   func()
		want string
	}{
		{"none", func() {}, "p x q y r"},
		{"SetOperand", func() { r.SetOperand(0, y); r.SetOperand(1, x) }, "q y p x r"},
		{"Add", func() { z = b.add("z", x, x) }, "q y p x r z"},
		{"AddControlPredecessor", func() { y.AddControlPredecessor(x) }, "p x q y r z"},
		{"RemoveControlPredecessor", func() { y.RemoveControlPredecessor(x) }, "q y p x r z"},
		{"AppendOperand", func() { y.AppendOperand(z) }, "q p x z y r"},
		{"ReplaceAllUsesWith", func() { z.ReplaceAllUsesWith(q) }, "q y p x r z"},
		{"Remove", func() { b.c.Remove(z) }, "q y p x r"},
		{"SetOrder", func() {
			z = b.add("z", p)
			b.c.DataOrder()
			b.c.SetOrder([]*hlo.Instruction{p, z, q, y, x, r})
		}, "p z q y x r"},
		{"Prune", func() { b.c.Prune(func(i *hlo.Instruction) bool { return i != z }) }, "q y p x r"},
	} {
		step.do()
		if got := names(b.c.DataOrder()); got != step.want {
			t.Errorf("%s: expected %s, got %s", step.edit, step.want, got)
		}
	}
}

// TestPostOrderAfterEdits: the order of computations is that of the module as it is, whatever was asked before.
func TestPostOrderAfterEdits(t *testing.T) {
	m := hlo.NewModule("m")
	main, f, g := m.AddComputation("main"), m.AddComputation("f"), m.AddComputation("g")
	m.SetEntry(main)
	want := func(list ...*hlo.Computation) {
		t.Helper()
		if got := m.PostOrder(); !slices.Equal(got, list) || &got[0] != &m.PostOrder()[0] {
			t.Errorf("expected %v, got %v", list, got)
		}
	}
	want(main, f, g)
	p := main.Add("p", op.Parameter, f32x4, nil, &op.ParameterAttrs{})
	x := main.Add("x", op.Call, f32x4, []*hlo.Instruction{p}, nil, g)
	want(g, main, f)
	y := main.Add("y", op.Call, f32x4, []*hlo.Instruction{x}, nil, f)
	want(g, f, main)
	main.SetOrder([]*hlo.Instruction{p, y, x})
	want(f, g, main)
	y.SetCalled(0, g)
	want(g, main, f)
	h := m.AddComputation("h")
	want(g, main, f, h)
	m.RemoveComputation(h)
	want(g, main, f)
	m.RemoveUnused()
	want(g, main)
	main.Remove(y)
	main.Remove(x)
	want(main, g)
}
