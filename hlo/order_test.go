package hlo_test

import (
	"testing"

	"github.com/goxla/xla/hlo"
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
