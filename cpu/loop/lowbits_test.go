package loop

import (
	"math/rand/v2"
	"testing"
)

// wrapping is a chain of sums and products, each wrapped to a narrow integer.
type wrapping struct {
	*Builder
	bits   int64
	signed bool
}

func (w wrapping) wrap(v Value) Value {
	if w.signed {
		n := w.Int(I32, 32-w.bits)
		return w.Op(Sar, I32, w.Op(Shl, I32, v, n), n)
	}
	return w.Op(And, I32, v, w.Int(I32, 1<<w.bits-1))
}

// valueOf computes v, given those of loads in order.
func valueOf(n *Nest, v Value, loads map[Value]int32) int32 {
	i := n.Inst(v)
	if i.Op == Const {
		return int32(i.Imm)
	}
	if i.Op == Load {
		return loads[v]
	}
	x, y := valueOf(n, i.Args[0], loads), valueOf(n, i.Args[1], loads)
	switch i.Op {
	case Add:
		return x + y
	case Sub:
		return x - y
	case Mul:
		return x * y
	case And:
		return x & y
	case Shl:
		return x << uint32(y)
	case Sar:
		return x >> uint32(y)
	}
	panic("an operation that the test does not make")
}

// Wrapped sums of wrapped sums have the same values, and are wrapped once.
func TestUnwrapped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int64{4, 8, 16} {
		for _, signed := range []bool{true, false} {
			w := wrapping{NewBuilder("wrapped"), bits, signed}
			mem := w.Buffer(Buffer{Name: "x", Bytes: 64})
			loads := map[Value]int32{}
			sum, want := Value(0), int32(0)
			for k := range 6 {
				x := w.Load(Access{Buffer: mem, Offset: int64(k), Mem: MemI32}, 0)
				loads[x] = r.Int32() >> 8
				if k == 0 {
					sum, want = x, loads[x]
					continue
				}
				o := []Op{Add, Sub, Mul}[k%3]
				sum = w.wrap(w.Op(o, I32, sum, x))
				switch o {
				case Add:
					want += loads[x]
				case Sub:
					want -= loads[x]
				default:
					want *= loads[x]
				}
			}
			if want &= 1<<bits - 1; signed {
				want = want << (32 - bits) >> (32 - bits)
			}
			to := w.Buffer(Buffer{Name: "y", Bytes: 4, Write: true})
			w.Store(Access{Buffer: to, Mem: MemI32}, sum, 0)
			n := w.Nest()
			if got := valueOf(n, sum, loads); got != want {
				t.Errorf("%d bits, signed %v: expected %d, got %d", bits, signed, want, got)
			}
			DCE(n)
			wraps := 0
			n.Root.Walk(func(q Node, _ []*Loop) {
				if o := n.Inst(q.Value).Op; o == And || o == Sar {
					wraps++
				}
			})
			if wraps != 1 {
				t.Errorf("%d bits, signed %v: expected one wrapping, got %d", bits, signed, wraps)
			}
		}
	}
}

// What is narrower than the bits that count stays wrapped.
func TestStaysWrapped(t *testing.T) {
	w := wrapping{NewBuilder("wrapped"), 4, true}
	mem := w.Buffer(Buffer{Name: "x", Bytes: 64})
	x := w.Load(Access{Buffer: mem, Mem: MemI32}, 0)
	narrow := w.wrap(w.Op(Add, I32, x, x))
	w.bits = 8
	sum := w.wrap(w.Op(Add, I32, narrow, x))
	loads := map[Value]int32{x: 7}
	if got := valueOf(w.nest, sum, loads); got != 5 {
		t.Errorf("expected -2 + 7, got %d", got)
	}
}
