package loop

import (
	"math/rand/v2"
	"testing"
)

// TestSpanOfRest makes x - d*(x*m>>n), for right and for random multipliers, of all x: none is outside of the range,
// and that of what divisions leave is narrow.
func TestSpanOfRest(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 16))
	for range 3000 {
		m := []Mem{MemS8, MemU8, MemS16, MemU16}[r.IntN(4)]
		d := int64(1 + r.IntN(1000)>>r.IntN(10))
		factor, by, right := int64(r.IntN(1<<20)>>r.IntN(20)), int64(r.IntN(32)), r.IntN(2) == 0
		if right {
			for by = 31; by > 8 && (1<<by/d+1)*65535 >= 1<<31; by-- {
			}
			factor = 1<<by/d + 1
		}
		shift, towardsZero := []Op{Sar, Shr}[r.IntN(2)], r.IntN(2) == 0
		b := NewBuilder("rest")
		x := b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 2}), Mem: m}, 0)
		q := b.Op(shift, I32, b.Op(Mul, I32, x, b.Int(I32, factor)), b.Int(I32, by))
		if towardsZero {
			q = b.Op(Add, I32, q, b.Op(Shr, I32, q, b.Int(I32, 31)))
		}
		lo, hi := NewSpans(b.nest).Of(b.Op(Sub, I32, x, b.Op(Mul, I32, q, b.Int(I32, d))))
		all, _ := loadSpan(m)
		for n := all.lo; n <= all.hi; n++ {
			product := int32(n) * int32(factor)
			q := product >> by
			if shift == Shr {
				q = int32(uint32(product) >> by)
			}
			if towardsZero {
				q += int32(uint32(q) >> 31)
			}
			if got := int64(int32(n) - q*int32(d)); got < lo || got > hi {
				t.Fatalf("%v %d - %d*(x*%d>>%d): %d is not in [%d, %d]", m, n, d, factor, by, got, lo, hi)
			}
		}
		if (m == MemS16 || m == MemU16) && right && shift == Sar && 1<<by > d*1000 && hi-lo > 4*d+16 {
			t.Errorf("%v - %d*(x*%d>>%d): in [%d, %d]", m, d, factor, by, lo, hi)
		}
	}
}

// TestSpanOfBits counts the bits of numbers that are between 0 and the largest of a type, and of any.
func TestSpanOfBits(t *testing.T) {
	type span = [2]int64
	cases := []struct {
		m           Mem
		ones, zeros span
	}{
		{MemU8, span{0, 8}, span{24, 32}},
		{MemU16, span{0, 16}, span{16, 32}},
		{MemS8, span{0, 32}, span{0, 32}},
		{MemI32, span{0, 32}, span{0, 32}},
		{MemI64, span{0, 64}, span{0, 64}},
	}
	for _, c := range cases {
		b := NewBuilder("bits")
		x := b.Load(Access{Buffer: b.Buffer(Buffer{Name: "x", Bytes: 8}), Mem: c.m}, 0)
		for o, want := range map[Op]span{Popcnt: c.ones, Clz: c.zeros} {
			if lo, hi := NewSpans(b.nest).Of(b.Op(o, c.m.Kind(), x)); (span{lo, hi}) != want {
				t.Errorf("%v of %v: expected %v, got [%d %d]", o, c.m, want, lo, hi)
			}
		}
	}
}
