package loop

import (
	"slices"
	"testing"
)

// polynomials computes so many of degree steps in one variable, one behind the other, and stores their sum.
func polynomials(count, steps int) *Nest {
	b := NewBuilder("polynomials")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4096})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4096, Write: true})
	b.Each(Spec{Extent: 1024, Parallel: true, Lanes: true}, func(i int) {
		v := b.Load(at(x, 0, Term{i, 1}), 0)
		var sum Value
		for p := range count {
			term := v
			for k := range steps {
				term = b.Op(Add, F32, b.Op(Mul, F32, term, v), b.Float(F32, float64(p*steps+k)))
			}
			if p == 0 {
				sum = term
			} else {
				sum = b.Op(Add, F32, sum, term)
			}
		}
		b.Store(at(y, 0, Term{i, 1}), sum, 0)
	})
	return b.Nest()
}

// lanesBody is the body of the only loop of n, as an interleaving.
func lanesBody(n *Nest, wide bool) *interleaving {
	return newInterleaving(n, n.Root[len(n.Root)-1].Loop.Body, wide)
}

func inOrder(x *interleaving) []int {
	order := make([]int, len(x.body))
	for k := range order {
		order[k] = k
	}
	return order
}

// TestInterleave: long polynomials are made by turns, so that they take less time and need no more registers than there
// are; short ones, one alone, and many, of which the machine sees several anyway, stay as they are.
func TestInterleave(t *testing.T) {
	for _, c := range []struct {
		count, steps int
		want         bool
	}{{2, 60, true}, {3, 50, true}, {2, 15, false}, {1, 100, false}, {40, 3, false}} {
		for _, wide := range []bool{false, true} {
			n := polynomials(c.count, c.steps)
			old := lanesBody(n, wide)
			before := old.time(inOrder(old))
			if got := Interleave(n, wide); got != c.want {
				t.Errorf("%+v, wide %v: expected %v, got %v", c, wide, c.want, got)
			}
			if err := n.Verify(); err != nil {
				t.Error(err)
			}
			x := lanesBody(n, wide)
			after, live := x.time(inOrder(x)), x.live(inOrder(x))
			if c.want && (after*100 > before*(100-gainInterleaved) || live > x.registers) {
				t.Errorf("%+v, wide %v: %d cycles, expected less than of %d; %d values at once", c, wide, after, before, live)
			}
		}
	}
}

// TestInterleaveStraight: bodies with places that are computed, selections that branch, or scans stay as they are, and
// what is read behind a store is read behind it.
func TestInterleaveStraight(t *testing.T) {
	kinds := map[string]func(b *Builder, x, y int, i int, v Value) Value{
		"plain": func(b *Builder, x, y, i int, v Value) Value { return v },
		"index": func(b *Builder, x, y, i int, v Value) Value {
			a := at(x, 0)
			a.Index = b.Index(I32, i)
			return b.Op(Add, F32, v, b.Load(a, 0))
		},
		"branch": func(b *Builder, x, y, i int, v Value) Value {
			return b.OpImm(Select, F32, Seldom, b.Cmp(LT, v, b.Float(F32, 3)), v, b.Op(Sqrt, F32, v))
		},
		"store": func(b *Builder, x, y, i int, v Value) Value {
			b.Store(at(y, 0, Term{i, 1}), v, 0)
			return b.Op(Add, F32, v, b.Load(at(y, 0, Term{i, 1}), 0))
		},
	}
	for name, f := range kinds {
		b := NewBuilder(name)
		x := b.Buffer(Buffer{Name: "x", Bytes: 4096})
		y := b.Buffer(Buffer{Name: "y", Bytes: 4096, Write: true})
		b.Each(Spec{Extent: 1024, Parallel: true, Lanes: true}, func(i int) {
			v := b.Load(at(x, 0, Term{i, 1}), 0)
			p, q := v, v
			for k := range 60 {
				p = b.Op(Add, F32, b.Op(Mul, F32, p, v), b.Float(F32, float64(k)))
			}
			p = f(b, x, y, i, p)
			for k := range 60 {
				q = b.Op(Add, F32, b.Op(Mul, F32, q, v), b.Float(F32, float64(-k)))
			}
			b.Store(at(y, 0, Term{i, 1}), b.Op(Add, F32, p, q), 0)
		})
		n := b.Nest()
		if got, want := Interleave(n, false), name == "plain" || name == "store"; got != want {
			t.Errorf("%s: expected %v, got %v", name, want, got)
		}
		if err := n.Verify(); err != nil {
			t.Error(err)
		}
		var order []Op
		for _, node := range n.Root[len(n.Root)-1].Loop.Body {
			if i := n.Inst(node.Value); i.Op == Store || i.Op == Load && n.Accesses[i.Access].Buffer == y {
				order = append(order, i.Op)
			}
		}
		if want := []Op{Store, Load, Store}; name == "store" && !slices.Equal(order, want) {
			t.Errorf("expected %v, got %v\n%v", want, order, n)
		}
	}
}
