package loop

import "testing"

// chainNest makes z[i] of x[i, 0], x[i, 1] .., each step of as many values as it carries from that before.
func chainNest(rows, n int64, values int, parallel bool) *Nest {
	b := NewBuilder("chains")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * rows * n})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * rows * int64(values), Write: true})
	b.Each(Spec{Extent: rows, Parallel: parallel}, func(i int) {
		var carried []Reduction
		for range values {
			carried = append(carried, Reduction{Init: b.Float(F32, 1)})
		}
		out := b.For(Spec{Extent: n}, carried, func(j int, phis []Value) []Value {
			v, next := b.Load(Access{Buffer: x, Mem: MemF32, Terms: []Term{{i, n}, {j, 1}}}, 0), make([]Value, values)
			for k, phi := range phis {
				next[k] = b.Op(FMA, F32, phi, v, phis[(k+1)%values])
			}
			return next
		})
		for k, v := range out {
			b.Store(Access{Buffer: z, Offset: int64(k), Terms: []Term{{i, int64(values)}}, Mem: MemF32}, v, 0)
		}
	})
	return b.Nest()
}

// TestChains: rows whose steps wait for one another go side by side, as long as threads have their share.
func TestChains(t *testing.T) {
	for _, c := range []struct {
		rows     int64
		values   int
		parallel bool
		factor   int
	}{{300, 1, true, 4}, {300, 2, true, 4}, {300, 4, true, 2}, {300, 8, true, 0}, {301, 1, true, 7}, {35, 2, true, 0},
		{11, 1, true, 0}, {8, 1, true, 2}, {300, 1, false, 0}} {
		n := chainNest(c.rows, 50, c.values, c.parallel)
		l, factor := chainsBeside(n)
		if factor != c.factor || (l == nil) != (c.factor == 0) {
			t.Errorf("%+v: got %d", c, factor)
		}
		if err := Jam(n, true).Verify(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
