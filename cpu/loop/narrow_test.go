package loop

import (
	"math/rand/v2"
	"testing"
)

// term is an integer of a nest, and the value that it ought to have for numbers of iterations i, j and a loaded x.
type term struct {
	v    Value
	want func(i, j int64, x int32) int64
}

// terms makes random integers of 64 bits from a few simple ones.
type terms struct {
	*testing.T
	*Builder
	rng  *rand.Rand
	list []term
}

func (t *terms) pick() term { return t.list[t.rng.IntN(len(t.list))] }

func (t *terms) add(v Value, want func(i, j int64, x int32) int64) {
	t.list = append(t.list, term{v, want})
}

func (t *terms) constant(c int64) {
	t.add(t.Int(I64, c), func(int64, int64, int32) int64 { return c })
}

func (t *terms) grow() {
	x, y := t.pick(), t.pick()
	d := []int64{1, 2, 3, 7, 32, 1000, 1 << 33, -1, -3}[t.rng.IntN(9)]
	by := []int64{0, 1, 5, 31, 32, 40, 63}[t.rng.IntN(7)]
	binary := func(o Op, f func(a, b int64) int64) {
		t.add(t.Op(o, I64, x.v, y.v), func(i, j int64, l int32) int64 { return f(x.want(i, j, l), y.want(i, j, l)) })
	}
	unary := func(o Op, c int64, f func(a int64) int64) {
		t.add(t.Op(o, I64, x.v, t.Int(I64, c)), func(i, j int64, l int32) int64 { return f(x.want(i, j, l)) })
	}
	switch t.rng.IntN(9) {
	case 0, 1:
		binary(Add, func(a, b int64) int64 { return a + b })
	case 2:
		binary(Sub, func(a, b int64) int64 { return a - b })
	case 3:
		binary(Mul, func(a, b int64) int64 { return a * b })
	case 4:
		binary(And, func(a, b int64) int64 { return a & b })
	case 5:
		unary(Shr, by, func(a int64) int64 { return int64(uint64(a) >> by) })
	case 6:
		unary(SDiv, d, func(a int64) int64 { return a / d })
	case 7:
		unary(URem, d, func(a int64) int64 { return int64(uint64(a) % uint64(d)) })
	case 8:
		binary(Xor, func(a, b int64) int64 { return a ^ b })
	}
}

// value computes v of a nest of integers without loads but of buffer 0.
func value(n *Nest, v Value, i, j int64, x int32) uint64 {
	if v == 0 {
		return 0
	}
	in := n.Inst(v)
	arg := func(k int) uint64 { return value(n, in.Args[k], i, j, x) }
	switch in.Op {
	case Const:
		if in.Kind == Mask {
			return in.Imm
		}
		return in.Imm & mask(in.Kind)
	case Index:
		return uint64([]int64{i, j}[in.Imm]) & mask(in.Kind)
	case Load:
		return uint64(uint32(x))
	case SExt:
		return uint64(int64(int32(arg(0))))
	case ZExt, Trunc:
		return arg(0) & mask(I32)
	case Or:
		return arg(0) | arg(1)
	case Xor:
		return arg(0) ^ arg(1)
	case Cmp:
		return compared(in.Imm, n.Kind(in.Args[0]), arg(0), arg(1))
	}
	b := NewBuilder("one")
	p := b.define(Inst{Op: Phi, Kind: in.Kind}, 0)
	one := b.define(Inst{Op: in.Op, Kind: in.Kind, Args: [3]Value{p, b.Const(in.Kind, arg(1))}}, 0)
	return compute(b.nest, in.Kind, one, p, arg(0))
}

func compared(p Pred, k Kind, a, b uint64) uint64 {
	w := 64 - k.Bits()
	holds := map[Pred]bool{EQ: a == b, NE: a != b, LT: int64(a<<w) < int64(b<<w), GT: int64(a<<w) > int64(b<<w),
		ULT: a < b, ULE: a <= b, UGT: a > b}[p]
	if holds {
		return 1
	}
	return 0
}

// TestNarrowed: whatever is computed with 32 bits has the value that 64 bits give, and what small numbers of
// iterations make is.
func TestNarrowed(t *testing.T) {
	for seed := range uint64(400) {
		b := NewBuilder("narrow")
		x := b.Buffer(Buffer{Name: "x", Bytes: 4})
		b.Each(Spec{Extent: 300}, func(i int) {
			b.Each(Spec{Extent: 1000}, func(j int) {
				s := &terms{T: t, Builder: b, rng: rand.New(rand.NewPCG(seed, 1))}
				load := b.Load(Access{Buffer: x, Mem: MemI32}, 0)
				s.add(b.Op(SExt, I64, b.Index(I32, i)), func(i, _ int64, _ int32) int64 { return i })
				s.add(b.Index(I64, j), func(_, j int64, _ int32) int64 { return j })
				s.add(b.Op(SExt, I64, load), func(_, _ int64, x int32) int64 { return int64(x) })
				s.add(b.Op(ZExt, I64, load), func(_, _ int64, x int32) int64 { return int64(uint32(x)) })
				for _, c := range []int64{0, 1, -1, 1000, 1 << 20, 1 << 31, -1 << 31, 1<<40 + 3} {
					s.constant(c)
				}
				for range 12 {
					s.grow()
				}
				s.check()
			})
		})
	}
}

func (t *terms) check() {
	for range 20 {
		p, q := t.pick(), t.pick()
		low := t.Op(Trunc, I32, p.v)
		for _, at := range [][3]int64{{0, 0, 0}, {299, 999, -1}, {7, 500, 1<<31 - 1}, {1, 2, -1 << 31}, {250, 3, 123456789}} {
			i, j, x := at[0], at[1], int32(at[2])
			a, b := uint64(p.want(i, j, x)), uint64(q.want(i, j, x))
			if got := value(t.nest, p.v, i, j, x); got != a {
				t.Fatalf("v%d at %v: expected %#x, got %#x in\n%v", p.v, at, a, got, t.nest.Insts)
			}
			if got := value(t.nest, low, i, j, x); got != a&mask(I32) {
				t.Fatalf("lower half of v%d at %v: expected %#x, got %#x", p.v, at, a&mask(I32), got)
			}
			for _, pred := range []Pred{EQ, LT, ULT} {
				if got, want := value(t.nest, t.Cmp(pred, p.v, q.v), i, j, x), compared(pred, I64, a, b); got != want {
					t.Fatalf("v%d, v%d, predicate %d at %v: expected %d, got %d", p.v, q.v, pred, at, want, got)
				}
			}
		}
	}
}

// TestNarrowedCounter: the number of an element of an array, and its upper half, take no 64-bit values in lanes.
func TestNarrowedCounter(t *testing.T) {
	b := NewBuilder("counter")
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * 300 * 1000, Write: true})
	b.Each(Spec{Extent: 300, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: 1000, Parallel: true, Lanes: true}, func(j int) {
			row := b.Op(Mul, I64, b.Op(SExt, I64, b.Index(I32, i)), b.Int(I64, 1000))
			at := b.Op(Add, I64, row, b.Op(SExt, I64, b.Index(I32, j)))
			high, low := b.Op(Trunc, I32, b.Op(Shr, I64, at, b.Int(I64, 32))), b.Op(Trunc, I32, at)
			b.Store(Access{Buffer: y, Terms: []Term{{i, 1000}, {j, 1}}, Mem: MemI32}, b.Op(Xor, I32, high, low), 0)
		})
	})
	n := b.Nest()
	DCE(n)
	n.Root.Walk(func(node Node, _ []*Loop) {
		if node.Loop == nil && n.Inst(node.Value).Op != Store && n.Kind(node.Value) == I64 {
			t.Errorf("v%d has 64 bits in\n%v", node.Value, n)
		}
	})
}
