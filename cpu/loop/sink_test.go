package loop

import (
	"strings"
	"testing"
)

// chosen loads two values and a mask, chooses between constants early, and uses what is chosen late.
func chosen(choose func(b *Builder, x, y, mask Value) Value) string {
	b := NewBuilder("chosen")
	x := b.Buffer(Buffer{Name: "x", Bytes: 64})
	y := b.Buffer(Buffer{Name: "y", Bytes: 32, Write: true})
	b.Each(Spec{Extent: 8, Parallel: true, Lanes: true}, func(i int) {
		p, q := b.Load(at(x, 0, Term{i, 1}), 0), b.Load(at(x, 8, Term{i, 1}), 0)
		mask := b.Cmp(LT, p, q)
		c := choose(b, p, q, mask)
		s := b.Op(Sqrt, F32, p)
		s = b.Op(Mul, F32, s, s)
		b.Store(at(y, 0, Term{i, 1}), b.Op(Add, F32, s, c), 0)
	})
	n := b.Nest()
	Sink(n)
	if err := n.Verify(); err != nil {
		return err.Error()
	}
	return n.String()
}

// TestSink: a choice goes to its use where that keeps the mask, and stays where it would keep two values more; what
// takes long stays.
func TestSink(t *testing.T) {
	after := func(text, first, then string) bool { return strings.Index(text, first) < strings.Index(text, then) }
	constants := func(b *Builder, _, _, mask Value) Value {
		return b.Op(Select, F32, mask, b.Float(F32, 2), b.Float(F32, 3))
	}
	if text := chosen(constants); !after(text, "mul", "select") || !after(text, "select", "add") {
		t.Errorf("the choice of constants is not at its use:\n%s", text)
	}
	values := func(b *Builder, _, y, mask Value) Value { return b.Op(Select, F32, mask, y, b.Float(F32, 3)) }
	if text := chosen(values); !after(text, "select", "sqrt") {
		t.Errorf("two values are kept for one:\n%s", text)
	}
	dear := func(b *Builder, _, y, _ Value) Value { return b.Op(Div, F32, y, b.Float(F32, 3)) }
	if text := chosen(dear); !after(text, "div", "sqrt") {
		t.Errorf("a division waits:\n%s", text)
	}
}
