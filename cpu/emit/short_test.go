package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// shortMems are the types of elements that lanes of 16 bits are made of.
var shortMems = []loop.Mem{loop.MemS8, loop.MemU8, loop.MemS16, loop.MemU16, loop.MemPred}

// shortCase is a lane loop that computes of narrow integers, mostly with 16 bits.
type shortCase struct {
	*loop.Builder
	r     *rand.Rand
	ints  []loop.Value
	masks []loop.Value
}

func (c *shortCase) int() loop.Value  { return c.ints[c.r.IntN(len(c.ints))] }
func (c *shortCase) mask() loop.Value { return c.masks[c.r.IntN(len(c.masks))] }

// constant is small, or at an edge of what is narrow.
func (c *shortCase) constant() loop.Value {
	edges := []int64{0, 1, -1, 127, -128, 255, 256, 32767, -32768, 65535, 65536, 1<<31 - 1, -1 << 31}
	if c.r.IntN(3) == 0 {
		return c.Int(loop.I32, edges[c.r.IntN(len(edges))])
	}
	return c.Int(loop.I32, int64(c.r.IntN(600)-300))
}

// step adds a random operation.
func (c *shortCase) step() {
	arithmetic := []loop.Op{loop.Add, loop.Sub, loop.Mul, loop.And, loop.Or, loop.Xor, loop.AndNot}
	order := []loop.Op{loop.Min, loop.Max, loop.UMin, loop.UMax}
	shifts := []loop.Op{loop.Sar, loop.Shr, loop.Sar, loop.Shl}
	divisions := []loop.Op{loop.SDiv, loop.SRem, loop.UDiv, loop.URem}
	pick := func(list []loop.Op) loop.Op { return list[c.r.IntN(len(list))] }
	other := c.int
	if c.r.IntN(2) == 0 {
		other = c.constant
	}
	op := func(o loop.Op, args ...loop.Value) { c.ints = append(c.ints, c.Op(o, loop.I32, args...)) }
	switch c.r.IntN(14) {
	case 0, 1, 2, 3:
		op(pick(arithmetic), c.int(), other())
	case 4, 5:
		op(pick(order), c.int(), other())
	case 6, 7:
		op(pick(shifts), c.int(), c.Int(loop.I32, int64(c.r.IntN(33))))
	case 8:
		by := c.Int(loop.I32, int64(1+c.r.IntN(31)))
		op(loop.Sar, c.Op(loop.Shl, loop.I32, c.int(), by), by)
	case 9:
		op(pick(divisions), c.int(), c.Int(loop.I32, int64(2+c.r.IntN(300))))
	case 10:
		op([]loop.Op{loop.Neg, loop.Abs, loop.Not}[c.r.IntN(3)], c.int())
	case 11:
		x := c.int()
		op(loop.Select, c.mask(), c.Op(pick([]loop.Op{loop.Add, loop.Sub}), loop.I32, x, c.Int(loop.I32, 1)), x)
	case 12:
		few := c.Op(loop.And, loop.I32, c.int(), c.Int(loop.I32, 65535))
		op(pick([]loop.Op{loop.Popcnt, loop.Clz}), []loop.Value{few, c.int()}[c.r.IntN(2)])
	default:
		c.masks = append(c.masks, c.Cmp(loop.Pred(c.r.IntN(int(loop.Unordered))), c.int(), other()))
		if c.r.IntN(2) == 0 {
			c.masks = append(c.masks, c.Op(pick([]loop.Op{loop.And, loop.Or, loop.Xor}), loop.Mask, c.mask(), c.mask()))
		}
		op(loop.Select, c.mask(), c.int(), other())
	}
}

// shortNest is a random loop of n iterations on three buffers, and the types of their elements. The first stores are of
// what was computed last.
func shortNest(seed uint64, n int64) (*loop.Nest, []loop.Mem) {
	r := rand.New(rand.NewPCG(seed, 77))
	var mems []loop.Mem
	for range 3 {
		mems = append(mems, shortMems[r.IntN(4)])
	}
	mems = append(mems, loop.MemPred, shortMems[r.IntN(4)], shortMems[r.IntN(5)])
	b := loop.NewBuilder(fmt.Sprintf("short %d", seed))
	for k, m := range mems {
		b.Buffer(loop.Buffer{Name: fmt.Sprint("b", k), Bytes: n * m.Bytes(), Write: k >= 4})
	}
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		at := func(k int) loop.Access {
			return loop.Access{Buffer: k, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: mems[k]}
		}
		c := &shortCase{Builder: b, r: r}
		first := at(0)
		first.Terms = nil // the same in all lanes
		c.ints = []loop.Value{b.Load(at(0), 0), b.Load(at(1), 0), b.Load(at(2), 0), b.Load(first, 0)}
		if r.IntN(4) == 0 { // one in usual lanes
			third := b.Op(loop.UDiv, loop.I32, b.Index(loop.I32, i), b.Int(loop.I32, 3))
			near := loop.Access{Buffer: 1, Index: third, Mem: mems[1]}
			c.ints = append(c.ints, b.Load(near, 0))
		}
		c.masks = []loop.Value{b.Load(at(3), 0)}
		for range 2 + r.IntN(10) {
			c.step()
		}
		b.Store(at(4), c.ints[len(c.ints)-1], 0)
		if mems[5] == loop.MemPred {
			b.Store(at(5), c.masks[len(c.masks)-1], 0)
		} else {
			b.Store(at(5), c.int(), 0)
		}
	})
	return b.Nest(), mems
}

// edgesIn sets some elements to the least and largest there are.
func edgesIn(r *rand.Rand, m loop.Mem, x []byte) {
	for k := range x {
		if m != loop.MemPred && r.IntN(3) == 0 {
			x[k] = []byte{0, 0x7F, 0x80, 0xFF}[r.IntN(4)]
		}
	}
}

// runShort runs a random loop on a target and compares with package tile.
func runShort(t *testing.T, seed uint64, name string, target Target, run runner) {
	t.Helper()
	n := int64(1 + seed%9*37 + seed%5)
	nest, mems := shortNest(seed, n)
	r := rand.New(rand.NewPCG(seed, 3))
	var got, want [][]byte
	for k, b := range nest.Buffers {
		x := aligned(int(b.Bytes))
		looptest.Fill(r, mems[k], x)
		edgesIn(r, mems[k], x)
		y := guard.After(t, len(x))
		copy(y, x)
		got, want = append(got, y), append(want, x)
	}
	portable(t, nest, want, 0, n)
	run(t, nest, target, got, 0, n)
	for k := range mems {
		if d := looptest.Diff(mems[k], got[k], want[k]); d >= 0 {
			t.Fatalf("%s: b%d[%d]: expected %s, got %s\n%v", name, k, d, element(mems[k], want[k], d),
				element(mems[k], got[k], d), nest)
		}
	}
}

// TestShorts computes with narrow integers by random operations, next to pages that cannot be accessed.
func TestShorts(t *testing.T) {
	for name, target := range tiers() {
		for seed := range uint64(1000) {
			t.Run(fmt.Sprintf("%d/%s", seed, name), func(t *testing.T) { runShort(t, seed, name, target, native) })
		}
	}
}

// TestShortsEmulated is TestShorts in the emulator.
func TestShortsEmulated(t *testing.T) {
	for _, tier := range emulatedTiers[:2] {
		for seed := range uint64(200) {
			t.Run(fmt.Sprintf("%d/%s", seed, tier.name), func(t *testing.T) {
				runShort(t, seed, tier.name, tier.target, emulate)
			})
		}
	}
}

// scaledNest is y = clamp(x*77 + 64 >> 7), or another sum, quotient or blend of narrow integers.
func scaledNest(m, to loop.Mem, f func(b *loop.Builder, x, y loop.Value) loop.Value) *loop.Nest {
	const n = 300
	b := loop.NewBuilder(fmt.Sprintf("scaled %v", m))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes()})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: n * to.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		at := func(buf int, m loop.Mem) loop.Access {
			return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: m}
		}
		b.Store(at(z, to), f(b, b.Load(at(x, m), 0), b.Load(at(y, m), 0)), 0)
	})
	return b.Nest()
}

// floorDivide is x/5, rounded down.
func floorDivide(b *loop.Builder, x, _ loop.Value) loop.Value {
	five, zero, one := b.Int(loop.I32, 5), b.Int(loop.I32, 0), b.Int(loop.I32, 1)
	q := b.Op(loop.SDiv, loop.I32, x, five)
	rest := b.Cmp(loop.NE, b.Op(loop.SRem, loop.I32, x, five), zero)
	lower := b.Op(loop.And, loop.Mask, b.Cmp(loop.LT, x, zero), rest)
	return b.Op(loop.Select, loop.I32, lower, b.Op(loop.Sub, loop.I32, q, one), q)
}

// TestFloorDivide: on AVX2 a quotient that is rounded down takes no blend, that of bytes a conjunction which turns a
// mask around, and bytes that fit are not cut.
func TestFloorDivide(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemS8, loop.MemI32} {
		turned := false
		for in := range decoded(assemble(t, scaledNest(m, m, floorDivide), emulatedTiers[0].target)) {
			turned = turned || in.Op == asm.VPANDND
			cuts := in.Op == asm.VPANDD && m == loop.MemS8
			if cuts || in.Op == asm.VPBLENDVB || in.Op == asm.VBLENDVPS {
				t.Errorf("%v: %v is there", m, in.Op)
			}
		}
		if turned != (m == loop.MemS8) { // 32 bits have a way without
			t.Errorf("%v: one, or no, conjunction turns a mask around", m)
		}
	}
}

// TestHalfProducts: integers that fit 16 bits are multiplied as such where lanes have 32, but not if both may have a
// sign.
func TestHalfProducts(t *testing.T) {
	product := func(b *loop.Builder, x, y loop.Value) loop.Value { return b.Op(loop.Mul, loop.I32, x, y) }
	less := func(b *loop.Builder, x, y loop.Value) loop.Value {
		return b.Op(loop.Mul, loop.I32, x, b.Op(loop.And, loop.I32, y, b.Int(loop.I32, 0x7FFF)))
	}
	cases := []struct {
		m    loop.Mem
		f    func(b *loop.Builder, x, y loop.Value) loop.Value
		want asm.Op
	}{
		{loop.MemU8, product, asm.VPMADDWD}, {loop.MemS8, product, asm.VPMULLD},
		{loop.MemU16, product, asm.VPMULLD},
		{loop.MemS16, less, asm.VPMADDWD}, {loop.MemS16, product, asm.VPMULLD}, {loop.MemI32, less, asm.VPMULLD},
	}
	for _, c := range cases {
		for _, tier := range emulatedTiers[:2] {
			got := false
			for in := range decoded(assemble(t, scaledNest(c.m, loop.MemI32, c.f), tier.target)) {
				got = got || in.Op == c.want
			}
			if !got {
				t.Errorf("%s: %v: no %v", tier.name, c.m, c.want)
			}
			nest := scaledNest(c.m, loop.MemI32, c.f)
			var have, want [][]byte
			r := rand.New(rand.NewPCG(uint64(c.m), 5))
			for k, b := range nest.Buffers {
				x := aligned(int(b.Bytes))
				if k < 2 {
					fillBytes(r, x)
				}
				have, want = append(have, append(aligned(0), x...)), append(want, x)
			}
			portable(t, nest, want, 0, 300)
			emulate(t, nest, tier.target, have, 0, 300)
			if d := looptest.Diff(loop.MemI32, have[2], want[2]); d >= 0 {
				t.Errorf("%s: %v: [%d] differs", tier.name, c.m, d)
			}
		}
	}
}

// fillBytes fills x with random bytes.
func fillBytes(r *rand.Rand, x []byte) {
	for k := range x {
		x[k] = byte(r.Uint32())
	}
}

// TestShortsTaken: values that fit 16 bits are multiplied in lanes of these, and others are not.
func TestShortsTaken(t *testing.T) {
	by := func(o loop.Op, n int64) func(b *loop.Builder, x, y loop.Value) loop.Value {
		return func(b *loop.Builder, x, y loop.Value) loop.Value { return b.Op(o, loop.I32, x, b.Int(loop.I32, n)) }
	}
	shifted := func(n, s int64) func(b *loop.Builder, x, y loop.Value) loop.Value {
		return func(b *loop.Builder, x, y loop.Value) loop.Value {
			x = b.Op(loop.Max, loop.I32, b.Op(loop.Mul, loop.I32, x, b.Int(loop.I32, n)), y)
			return b.Op(loop.Sar, loop.I32, x, b.Int(loop.I32, s))
		}
	}
	cases := []struct {
		name  string
		m, to loop.Mem
		f     func(b *loop.Builder, x, y loop.Value) loop.Value
		want  bool
	}{
		{"scale s8", loop.MemS8, loop.MemS8, shifted(77, 7), true},
		{"scale s8 too far", loop.MemS8, loop.MemS8, shifted(777, 7), false},
		{"scale u8", loop.MemU8, loop.MemU8, shifted(257, 8), true},
		{"quotient u8", loop.MemU8, loop.MemU8, by(loop.UDiv, 3), true},
		{"remainder u8", loop.MemU8, loop.MemU8, by(loop.URem, 10), true},
		{"quotient s8", loop.MemS8, loop.MemS8, by(loop.SDiv, 5), true},
		{"remainder s16", loop.MemS16, loop.MemS16, by(loop.SRem, 7), true},
		{"quotient to s32", loop.MemS8, loop.MemI32, by(loop.SDiv, 5), false},
	}
	for _, c := range cases {
		for _, tier := range emulatedTiers[:2] {
			got := false
			for in := range decoded(assemble(t, scaledNest(c.m, c.to, c.f), tier.target)) {
				got = got || in.Op == asm.VPMULLW || in.Op == asm.VPMULHW || in.Op == asm.VPMULHUW
			}
			if got != c.want {
				t.Errorf("%s: %s: products of 16 bits: %t, want %t", tier.name, c.name, got, c.want)
			}
		}
	}
}
