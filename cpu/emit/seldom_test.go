package emit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// seldomNest selects between x and long chains of x and y, twice by the same mask x < limit, and sums the result in a
// loop inside, if there are rows. The kind of y makes lanes as few as its own.
func seldomNest(n, rows int64, x, y loop.Mem, limit float64) *loop.Nest {
	b := loop.NewBuilder("seldom")
	var in [2]int
	for k, m := range [2]loop.Mem{x, y} {
		in[k] = b.Buffer(loop.Buffer{Name: "in", Bytes: n * m.Bytes()})
	}
	out := b.Buffer(loop.Buffer{Name: "z", Bytes: n * y.Bytes(), Write: true})
	chain := func(k loop.Kind, v loop.Value, steps int) loop.Value {
		for s := range steps {
			v = b.Op(loop.FMA, k, v, b.Float(k, 1/float64(s+2)), b.Float(k, float64(s)))
		}
		return v
	}
	body := func(at func(buf int, m loop.Mem) loop.Access) {
		u, v := b.Load(at(in[0], x), 0), b.Load(at(in[1], y), 0)
		mask := b.Cmp(loop.LT, u, b.Float(x.Kind(), limit))
		long := chain(x.Kind(), u, 12)
		p := b.OpImm(loop.Select, x.Kind(), loop.Seldom, mask, u, long)
		q := b.OpImm(loop.Select, y.Kind(), loop.Seldom, mask, chain(y.Kind(), v, 2), chain(y.Kind(), v, 9))
		if p = b.Op(loop.Add, x.Kind(), p, long); x.Kind() != y.Kind() {
			p = b.Op(loop.Widen, y.Kind(), p)
		}
		b.Store(at(out, y), b.Op(loop.Add, y.Kind(), p, q), 0)
	}
	b.Each(loop.Spec{Extent: n / rows, Parallel: true, Lanes: rows == 1}, func(i int) {
		if rows == 1 {
			body(func(buf int, m loop.Mem) loop.Access {
				return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: m}
			})
			return
		}
		b.Each(loop.Spec{Extent: rows}, func(j int) { // without lanes
			body(func(buf int, m loop.Mem) loop.Access {
				return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: i, Stride: rows}, {Var: j, Stride: 1}}, Mem: m}
			})
		})
	})
	return b.Nest()
}

// TestSeldom: what is set aside is computed for the lanes that want it, be they all, some or none.
func TestSeldom(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	all := [][2]loop.Mem{{loop.MemF32, loop.MemF32}, {loop.MemF64, loop.MemF64}, {loop.MemF32, loop.MemF64}}
	for name, target := range tiers() {
		for _, kinds := range all {
			for _, limit := range []float64{-1, 0, 0.01, 0.5, 0.99, 1} {
				for _, shape := range [][2]int64{{1, 1}, {77, 1}, {256, 1}, {60, 20}} {
					n := seldomNest(shape[0], shape[1], kinds[0], kinds[1], limit)
					got, want := seldomData(r, n, kinds[0]), [][]byte(nil)
					for _, b := range got {
						want = append(want, append(aligned(0), b...))
					}
					native(t, n, target, got, 0, shape[0]/shape[1])
					portable(t, n, want, 0, shape[0]/shape[1])
					if d := looptest.Diff(kinds[1], got[2], want[2]); d >= 0 {
						t.Fatalf("%s, limit %v: [%d]: expected %s, got %s\n%v", name, limit, d, element(kinds[1], want[2], d),
							element(kinds[1], got[2], d), n)
					}
				}
			}
		}
	}
}

// seldomData is x from 0 to 1, y any, and z.
func seldomData(r *rand.Rand, n *loop.Nest, x loop.Mem) [][]byte {
	var bufs [][]byte
	for _, b := range n.Buffers {
		bufs = append(bufs, aligned(int(b.Bytes)))
	}
	for at := int64(0); at < n.Buffers[0].Bytes; at += x.Bytes() {
		if x == loop.MemF32 {
			binary.LittleEndian.PutUint32(bufs[0][at:], math.Float32bits(r.Float32()))
		} else {
			binary.LittleEndian.PutUint64(bufs[0][at:], math.Float64bits(r.Float64()))
		}
	}
	for k := range bufs[1] {
		bufs[1][k] = byte(r.IntN(60))
	}
	return bufs
}
