package loop

import (
	"strings"
	"testing"
)

// TestMoveBits: bf16 that are only loaded, chosen and stored are moved as integers; where a number, a type or a carry
// needs f32 they are not.
func TestMoveBits(t *testing.T) {
	bf16 := func(buffer int, terms ...Term) Access { return Access{Buffer: buffer, Terms: terms, Mem: MemBF16} }
	for name, test := range map[string]struct {
		moved bool
		value func(b *Builder, v, mask Value, x, i int) Value
		to    Mem
	}{
		"choice": {true, func(b *Builder, v, mask Value, _, _ int) Value {
			return b.Op(Select, F32, mask, v, b.Float(F32, 1.5))
		}, MemBF16},
		"copy": {true, func(_ *Builder, v, _ Value, _, _ int) Value { return v }, MemBF16},
		"sum": {false, func(b *Builder, v, _ Value, _, _ int) Value {
			return b.Op(Add, F32, v, b.Float(F32, 1.5))
		}, MemBF16},
		"compared": {false, func(b *Builder, v, _ Value, _, _ int) Value {
			return b.Op(Select, F32, b.Cmp(LT, v, b.Float(F32, 2)), v, b.Float(F32, 2))
		}, MemBF16},
		"number": {false, func(b *Builder, v, mask Value, _, _ int) Value {
			return b.Op(Select, F32, mask, v, b.Float(F32, 1.001))
		}, MemBF16},
		"type": {false, func(_ *Builder, v, _ Value, _, _ int) Value { return v }, MemF32},
		"other type": {false, func(b *Builder, v, mask Value, x, i int) Value {
			return b.Op(Select, F32, mask, v, b.Load(at(x, 0, Term{i, 1}), 0))
		}, MemBF16},
	} {
		b := NewBuilder("moved")
		x := b.Buffer(Buffer{Name: "x", Bytes: 64})
		y := b.Buffer(Buffer{Name: "y", Bytes: 32, Write: true})
		b.Each(Spec{Extent: 8, Parallel: true, Lanes: true}, func(i int) {
			mask := b.Cmp(LT, b.Index(I32, i), b.Int(I32, 5))
			a := bf16(y, Term{i, 1})
			a.Mem = test.to
			b.Store(a, test.value(b, b.Load(bf16(x, Term{i, 1}), 0), mask, x, i), 0)
		})
		n := b.Nest()
		if err := n.Verify(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := n.String()
		if got := strings.Contains(text, "u16"); got != test.moved || got == strings.Contains(text, "bf16") {
			t.Errorf("%s: moved as integers: expected %v, got\n%s", name, test.moved, text)
		}
	}
}

// TestMoveBitsOfCarries: what goes from one iteration to the next stays f32.
func TestMoveBitsOfCarries(t *testing.T) {
	b := NewBuilder("last")
	x := b.Buffer(Buffer{Name: "x", Bytes: 64})
	y := b.Buffer(Buffer{Name: "y", Bytes: 2, Write: true})
	out := b.For(Spec{Extent: 8}, []Reduction{{Init: b.Float(F32, 0)}}, func(i int, _ []Value) []Value {
		return []Value{b.Load(Access{Buffer: x, Terms: []Term{{i, 1}}, Mem: MemBF16}, 0)}
	})
	b.Store(Access{Buffer: y, Mem: MemBF16}, out[0], 0)
	n := b.Nest()
	if err := n.Verify(); err != nil || strings.Contains(n.String(), "u16") {
		t.Errorf("expected f32, got %v\n%s", err, n)
	}
}
