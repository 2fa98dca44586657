package loop

import (
	"strings"
	"testing"
)

// twice has two selections by one mask, the first used in front of the second; both seldom want the root of a product.
func twice(t *testing.T, seldom uint64) string {
	b := NewBuilder("twice")
	x := b.Buffer(Buffer{Name: "x", Bytes: 64})
	y := b.Buffer(Buffer{Name: "y", Bytes: 64, Write: true})
	b.Each(Spec{Extent: 8, Parallel: true, Lanes: true}, func(i int) {
		p, q := b.Load(at(x, 0, Term{i, 1}), 0), b.Load(at(x, 8, Term{i, 1}), 0)
		mask := b.Cmp(LT, p, q)
		root := b.Op(Sqrt, F32, b.Op(Mul, F32, p, q))
		first := b.OpImm(Select, F32, seldom, mask, p, root)
		used := b.Op(Add, F32, first, q)
		second := b.OpImm(Select, F32, seldom, mask, b.Op(Sub, F32, p, q), root)
		b.Store(at(y, 0, Term{i, 1}), used, 0)
		b.Store(at(y, 8, Term{i, 1}), second, 0)
	})
	n := b.Nest()
	Together(n)
	if err := n.Verify(); err != nil {
		t.Error(err)
	}
	return n.String()
}

// TestTogether: the second selection, and what it is computed from, come in front of the use of the first, if they are
// seldom needed, and stay where they are otherwise.
func TestTogether(t *testing.T) {
	for seldom, order := range [][]string{{"select", "add", "sub", "select"}, {"select", "sub", "select", "add"}} {
		text := twice(t, uint64(seldom))
		rest := text
		for _, op := range order {
			_, after, found := strings.Cut(rest, "= "+op)
			if !found {
				t.Errorf("Imm %d: expected the order %v:\n%s", seldom, order, text)
				break
			}
			rest = after
		}
	}
}
