package loop

import "testing"

// twoProducts is a loop of so many iterations, in lanes, whose sums each get two products in an iteration.
func twoProducts(iterations, lanes int64, sums int, twice bool) *Nest {
	b := NewBuilder("products")
	x := b.Buffer(Buffer{Name: "x", Bytes: 1 << 22})
	y := b.Buffer(Buffer{Name: "y", Bytes: 1 << 22, Write: true})
	b.Each(Spec{Extent: lanes, Parallel: true, Lanes: true}, func(i int) {
		carries := make([]Reduction, sums)
		for k := range carries {
			carries[k] = Reduction{Init: b.Float(F32, 0)}
		}
		out := b.For(Spec{Extent: iterations}, carries, func(j int, phis []Value) []Value {
			next := make([]Value, sums)
			for k := range next {
				p := b.Load(at(x, int64(4*k), Term{i, 64}, Term{j, 4096}), 0)
				q := b.Load(at(x, int64(4*k+1), Term{i, 64}, Term{j, 4096}), 0)
				next[k] = b.Op(FMA, F32, p, q, phis[k])
				if twice {
					next[k] = b.Op(FNMA, F32, p, p, next[k])
				}
			}
			return next
		})
		for k, v := range out {
			b.Store(at(y, int64(k), Term{i, 16}), v, 0)
		}
	})
	return b.Nest()
}

// TestUnchain: sums of two products each are added once where they are few, in few lanes, and many times.
func TestUnchain(t *testing.T) {
	for _, c := range []struct {
		iterations, lanes int64
		sums              int
		twice, wide, want bool
	}{
		{100, 4, 1, true, true, true}, {100, 4, 2, true, false, true}, {100, 4, 4, true, false, true},
		{100, 8, 4, true, true, true}, {100, 9, 4, true, true, false}, {100, 9, 2, true, true, true},
		{100, 31, 2, true, true, true}, {100, 32, 2, true, true, false}, {100, 16, 2, true, false, false},
		{100, 4, 5, true, true, false}, {15, 4, 1, true, true, false}, {100, 4, 1, false, true, false},
	} {
		n := twoProducts(c.iterations, c.lanes, c.sums, c.twice)
		Unchain(n, c.wide)
		if err := n.Verify(); err != nil {
			t.Fatalf("%+v: %v\n%v", c, err, n)
		}
		adds := 0
		n.Root.Each(func(node Node) {
			if node.Loop == nil && n.Inst(node.Value).Op == Add && n.Kind(node.Value) == F32 {
				adds++
			}
		})
		if want := map[bool]int{true: c.sums}[c.want]; adds != want {
			t.Errorf("%+v: expected %d additions, got %d\n%v", c, want, adds, n)
		}
	}
}

// TestUnchainUses: sums that an iteration uses otherwise, before or between its two products, stay as they are.
func TestUnchainUses(t *testing.T) {
	for _, between := range []bool{false, true} {
		b := NewBuilder("uses")
		x := b.Buffer(Buffer{Name: "x", Bytes: 1 << 12})
		y := b.Buffer(Buffer{Name: "y", Bytes: 1 << 12, Write: true})
		b.For(Spec{Extent: 100}, []Reduction{{Init: b.Float(F32, 0)}}, func(j int, phis []Value) []Value {
			p := b.Load(at(x, 0, Term{j, 2}), 0)
			q := b.Load(at(x, 1, Term{j, 2}), 0)
			first := b.Op(FMA, F32, p, q, phis[0])
			used := phis[0]
			if between {
				used = first
			}
			b.Store(at(y, 0, Term{j, 1}), b.Op(Neg, F32, used), 0)
			return []Value{b.Op(FMA, F32, p, p, first)}
		})
		n := b.Nest()
		before := n.String()
		Unchain(n, false)
		if after := n.String(); after != before {
			t.Errorf("used between: %v: expected no change of\n%sgot\n%s", between, before, after)
		}
	}
}
