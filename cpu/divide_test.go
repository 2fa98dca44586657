package cpu

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestStoresAgain: blocks of a loop that overlap store some elements twice; those that do not, and turned ones, do not,
// nor does scratch memory, which is of one thread.
func TestStoresAgain(t *testing.T) {
	for _, c := range []struct {
		step, lane int64
		scratch    bool
		want       bool
	}{{16, 1, false, false}, {15, 1, false, true}, {1, 20, false, false}, {0, 1, false, true}, {1, 1, false, true},
		{0, 1, true, false}} {
		b := loop.NewBuilder("stores")
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: 1 << 12, Write: true, Scratch: c.scratch})
		b.Each(loop.Spec{Extent: 10, Parallel: true}, func(i int) {
			b.Each(loop.Spec{Extent: 16, Lanes: true, Parallel: true}, func(j int) {
				b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: c.step}, {Var: j, Stride: c.lane}},
					Mem: loop.MemF32}, b.Float(loop.F32, 1), 0)
			})
		})
		n := b.Nest()
		if got := storesAgain(n, n.Outermost()); got != c.want {
			t.Errorf("%+v: expected %v, got %v\n%v", c, c.want, got, n)
		}
	}
}

// TestPieces: the pieces of iterations are done once each, in as few calls as can be.
func TestPieces(t *testing.T) {
	for _, p := range []pieces{{1, 1, false}, {4, 11, false}, {3, 1000, true}, {7, 7, false}, {5, 333, true}} {
		const outer = 6
		for lo := range outer * p.count {
			for hi := lo + 1; hi <= outer*p.count; hi++ {
				seen, calls := map[[2]int64]int{}, 0
				err := p.each(lo, hi, func(a, b, from, to int64) error {
					if calls++; from > 0 && p.lanes && from%wholeVectors > 0 {
						t.Fatalf("%v: from iteration %d on", p, from)
					}
					for ; a < b; a++ {
						for at := from; at < to; at++ {
							seen[[2]int64{a, at}]++
						}
					}
					return nil
				})
				want := 0
				for i := lo; i < hi; i++ {
					want += p.begin(i%p.count+1) - p.begin(i%p.count)
					for at := p.begin(i % p.count); at < p.begin(i%p.count+1); at++ {
						if n := seen[[2]int64{int64(i / p.count), int64(at)}]; n != 1 {
							t.Fatalf("%v, pieces %d to %d: iteration %d, %d is done %d times", p, lo, hi, i/p.count, at, n)
						}
					}
				}
				if err != nil || len(seen) != want || calls > 3 {
					t.Fatalf("%v, pieces %d to %d: expected %d iterations in 3 calls at most, got %d in %d, error %v",
						p, lo, hi, want, len(seen), calls, err)
				}
			}
		}
	}
}
