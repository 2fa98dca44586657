package loop_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
)

// straight makes a lane loop that computes, reads and writes at random, in two arrays that change and one that does
// not.
func straight(seed uint64) *loop.Nest {
	const n = 40
	r, b := rand.New(rand.NewPCG(seed, 3)), loop.NewBuilder("straight")
	var bufs []int
	for k := range 3 {
		bufs = append(bufs, b.Buffer(loop.Buffer{Name: string(rune('x' + k)), Bytes: 4 * (n + 8), Write: k > 0}))
	}
	at := func(buf, v int) loop.Access {
		return loop.Access{Buffer: buf, Offset: r.Int64N(2) * 4, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: loop.MemF32}
	}
	b.Each(loop.Spec{Extent: 4, Lanes: true}, func(v int) { // of which none reads what another writes
		values := []loop.Value{b.Load(at(bufs[0], v), 0), b.Float(loop.F32, 1.5)}
		some := func() loop.Value { return values[max(0, len(values)-1-r.IntN(12))] }
		for range 20 + r.IntN(100) {
			switch k := r.IntN(12); {
			case k == 0:
				b.Store(at(bufs[1+r.IntN(2)], v), some(), 0)
			case k <= 2:
				values = append(values, b.Load(at(bufs[r.IntN(3)], v), 0))
			default:
				op := []loop.Op{loop.Add, loop.Sub, loop.Mul, loop.Min}[r.IntN(4)]
				values = append(values, b.Op(op, loop.F32, some(), some()))
			}
		}
		b.Store(at(bufs[1], v), some(), 0)
	})
	return b.Nest()
}

// TestInterleaveRandom: another order of what random loops do computes the same.
func TestInterleaveRandom(t *testing.T) {
	const seeds = 500
	changed := 0
	for seed := range uint64(seeds) {
		n := straight(seed)
		changed += loop.OrderAll(n, seed%2 == 0, int(seed%17))
		if err := n.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, n)
		}
		for k, want := range ran(t, straight(seed)) {
			if got := ran(t, n)[k]; !bytes.Equal(got, want) {
				t.Fatalf("seed %d: buffer %d is % x, expected % x\n%v", seed, k, got, want, n)
			}
		}
	}
	if changed < seeds*9/10 {
		t.Errorf("only %d of %d loops have another order", changed, seeds)
	}
}

// ran runs n, and returns its buffers.
func ran(t *testing.T, n *loop.Nest) (bufs [][]byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 5))
	for _, b := range n.Buffers {
		buf := make([]byte, b.Bytes)
		for k := 3; k < len(buf); k += 4 {
			buf[k-1], buf[k] = byte(r.Uint32())&0x7f, 0x3f // from 0.5 to 2
		}
		bufs = append(bufs, buf)
	}
	p, err := tile.Compile(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(bufs, 0, p.Extent()); err != nil {
		t.Fatal(err)
	}
	return bufs
}
