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

// byteMems are the types of elements of one byte.
var byteMems = []loop.Mem{loop.MemS8, loop.MemU8, loop.MemPred}

// byteCase is a random nest of bytes and the types of its buffers.
type byteCase struct {
	nest *loop.Nest
	mems []loop.Mem
}

// byteBuffers begins a nest of three buffers to read, the last of them of MemPred, of bytes elements each.
func byteBuffers(r *rand.Rand, name string, bytes int64) (*loop.Builder, []loop.Mem) {
	mems := []loop.Mem{byteMems[r.IntN(2)], byteMems[r.IntN(2)], loop.MemPred}
	b := loop.NewBuilder(name)
	for k := range mems {
		b.Buffer(loop.Buffer{Name: fmt.Sprint("b", k), Bytes: bytes})
	}
	return b, mems
}

// byteStep adds a random operation whose values stay bytes: what does not is wrapped.
func byteStep(c *shortCase, m loop.Mem) {
	wrap := func(v loop.Value) loop.Value {
		if m == loop.MemU8 {
			return c.Op(loop.And, loop.I32, v, c.Int(loop.I32, 255))
		}
		by := c.Int(loop.I32, 24)
		return c.Op(loop.Sar, loop.I32, c.Op(loop.Shl, loop.I32, v, by), by)
	}
	pick := func(list ...loop.Op) loop.Op { return list[c.r.IntN(len(list))] }
	other := c.int
	if c.r.IntN(2) == 0 {
		other = func() loop.Value { return wrap(c.constant()) }
	}
	op := func(o loop.Op, args ...loop.Value) { c.ints = append(c.ints, wrap(c.Op(o, loop.I32, args...))) }
	switch c.r.IntN(7) {
	case 0:
		op(pick(loop.Add, loop.Sub, loop.And, loop.Or, loop.Xor, loop.AndNot), c.int(), other())
	case 1:
		op(pick(loop.Min, loop.Max, loop.UMin, loop.UMax), c.int(), other())
	case 2:
		op(pick(loop.Sar, loop.Shr, loop.Shl), c.int(), c.Int(loop.I32, int64(c.r.IntN(32))))
	case 3:
		op(pick(loop.Neg, loop.Abs, loop.Not), c.int())
	case 4:
		op(pick(loop.Popcnt, loop.Clz), c.Op(loop.And, loop.I32, c.int(), c.Int(loop.I32, 255)))
	default:
		c.masks = append(c.masks, c.Cmp(loop.Pred(c.r.IntN(int(loop.Unordered))), c.int(), other()))
		if c.r.IntN(2) == 0 {
			c.masks = append(c.masks, c.Op(pick(loop.And, loop.Or, loop.Xor), loop.Mask, c.mask(), c.mask()))
		}
		op(loop.Select, c.mask(), c.int(), other())
	}
}

// mapped is a loop that computes bytes of bytes.
func mapped(seed uint64, n int64) byteCase {
	r := rand.New(rand.NewPCG(seed, 8))
	b, mems := byteBuffers(r, fmt.Sprintf("mapped %d", seed), n)
	mems = append(mems, mems[0], loop.MemPred)
	for k := 3; k < 5; k++ {
		b.Buffer(loop.Buffer{Name: fmt.Sprint("b", k), Bytes: n, Write: true})
	}
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		at := func(k int) loop.Access {
			return loop.Access{Buffer: k, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: mems[k]}
		}
		c := &shortCase{Builder: b, r: r, ints: []loop.Value{b.Load(at(0), 0)}, masks: []loop.Value{b.Load(at(2), 0)}}
		for range 1 + r.IntN(6) {
			byteStep(c, mems[0])
		}
		b.Store(at(3), c.ints[len(c.ints)-1], 0)
		b.Store(at(4), c.masks[len(c.masks)-1], 0)
	})
	return byteCase{b.Nest(), mems}
}

// windows are rows computed of neighbours in rows of n bytes, where these are not outside of them.
func windows(seed uint64, rows, n int64) byteCase {
	r := rand.New(rand.NewPCG(seed, 10))
	b, mems := byteBuffers(r, fmt.Sprintf("windows %d", seed), rows*n)
	mems = append(mems, mems[0])
	b.Buffer(loop.Buffer{Name: "b3", Bytes: rows * n, Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(row int) {
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
			at := func(k int, by int64) loop.Access {
				terms := []loop.Term{{Var: row, Stride: n}, {Var: i, Stride: 1}}
				return loop.Access{Buffer: k, Offset: by, Terms: terms, Mem: mems[k]}
			}
			c := &shortCase{Builder: b, r: r, masks: []loop.Value{b.Load(at(2, 0), 0)}}
			for by := range int64(3) {
				x := b.Op(loop.Add, loop.I32, b.Index(loop.I32, i), b.Int(loop.I32, by-1))
				in := b.Op(loop.And, loop.Mask, b.Cmp(loop.GE, x, b.Int(loop.I32, 0)),
					b.Cmp(loop.LT, x, b.Int(loop.I32, n)))
				v, other := b.Load(at(0, by-1), in), b.Int(loop.I32, int64(r.IntN(100)))
				if r.IntN(2) == 0 { // of the other end
					out := [3]loop.Value{b.Cmp(loop.LT, x, b.Int(loop.I32, 0)), b.Bool(false),
						b.Cmp(loop.GE, x, b.Int(loop.I32, n))}[by]
					w := b.Load(at(0, (by-1)*(1-n)), out)
					c.ints = append(c.ints, b.Op(loop.Select, loop.I32, out, w, v))
					continue
				}
				c.ints = append(c.ints, b.Op(loop.Select, loop.I32, in, v, other))
			}
			for range 1 + r.IntN(6) {
				byteStep(c, mems[0])
			}
			b.Store(at(3, 0), b.Op(loop.Xor, loop.I32, c.ints[1], c.ints[len(c.ints)-1]), 0)
		})
	})
	return byteCase{b.Nest(), mems}
}

// shortRows are rows of 2, 4 or 8 bytes of which all are read, in any order, and combined.
func shortRows(seed uint64, n int64) byteCase {
	r := rand.New(rand.NewPCG(seed, 11))
	size := int64(2) << r.IntN(3)
	b, mems := byteBuffers(r, fmt.Sprintf("short rows %d", seed), n*size)
	mems = append(mems, mems[0], loop.MemPred)
	for k := 3; k < 5; k++ {
		b.Buffer(loop.Buffer{Name: fmt.Sprint("b", k), Bytes: n, Write: true})
	}
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		at := func(k int, by, stride int64) loop.Access {
			return loop.Access{Buffer: k, Offset: by, Terms: []loop.Term{{Var: i, Stride: stride}}, Mem: mems[k]}
		}
		c := &shortCase{Builder: b, r: r, masks: []loop.Value{b.Bool(r.IntN(2) == 0)}}
		for _, by := range r.Perm(int(size)) {
			c.ints = append(c.ints, b.Load(at(0, int64(by), size), 0))
			m := b.Load(at(2, int64(by), size), 0)
			other := c.masks[by%len(c.masks)]
			c.masks = append(c.masks, b.Op([]loop.Op{loop.And, loop.Or}[r.IntN(2)], loop.Mask, other, m))
		}
		for range size {
			byteStep(c, mems[0])
		}
		b.Store(at(3, 0, 1), c.ints[len(c.ints)-1], 0)
		b.Store(at(4, 0, 1), c.masks[len(c.masks)-1], 0)
	})
	return byteCase{b.Nest(), mems}
}

// byteReducers are the operations that reduce numbers with a sign and without.
var byteReducers = map[loop.Mem][]loop.Op{
	loop.MemS8: {loop.Add, loop.Mul, loop.Max, loop.Min, loop.And, loop.Or, loop.Xor},
	loop.MemU8: {loop.Add, loop.Mul, loop.Max, loop.UMin, loop.UMax, loop.And, loop.Or, loop.Xor},
}

// reducedRows are numbers and masks of rows of n bytes, computed and reduced.
func reducedRows(seed uint64, rows, n int64) byteCase {
	r := rand.New(rand.NewPCG(seed, 9))
	b, mems := byteBuffers(r, fmt.Sprintf("rows %d", seed), rows*n)
	mems = append(mems, loop.MemI32, loop.MemPred)
	list := byteReducers[mems[0]]
	reducers := [2]loop.Op{list[r.IntN(len(list))], []loop.Op{loop.And, loop.Or, loop.Xor}[r.IntN(3)]}
	var carries []loop.Reduction
	for k, m := range mems[3:] {
		b.Buffer(loop.Buffer{Name: fmt.Sprint("b", 3+k), Bytes: rows * m.Bytes(), Write: true})
		init := b.Const(m.Kind(), loop.Identity(reducers[k], m.Kind()))
		carries = append(carries, loop.Reduction{Init: init, Reduce: reducers[k]})
	}
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(row int) {
		outs := b.For(loop.Spec{Extent: n, Lanes: true}, carries, func(i int, phis []loop.Value) []loop.Value {
			at := func(k int) loop.Access {
				terms := []loop.Term{{Var: row, Stride: n}, {Var: i, Stride: 1}}
				return loop.Access{Buffer: k, Terms: terms, Mem: mems[k]}
			}
			c := &shortCase{Builder: b, r: r, ints: []loop.Value{b.Load(at(0), 0)},
				masks: []loop.Value{b.Load(at(2), 0)}}
			for range r.IntN(4) {
				byteStep(c, mems[0])
			}
			return []loop.Value{b.Op(reducers[0], loop.I32, phis[0], c.ints[len(c.ints)-1]),
				b.Op(reducers[1], loop.Mask, c.masks[len(c.masks)-1], phis[1])}
		})
		for k, v := range outs {
			to := loop.Access{Buffer: 3 + k, Terms: []loop.Term{{Var: row, Stride: 1}}, Mem: mems[3+k]}
			b.Store(to, v, 0)
		}
	})
	return byteCase{b.Nest(), mems}
}

// runByteCase runs a nest on a target, n iterations of its outermost loop, and compares with package tile.
func runByteCase(t *testing.T, c byteCase, seed uint64, target Target, n int64, run runner) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	var got, want [][]byte
	for k, b := range c.nest.Buffers {
		x := aligned(int(b.Bytes))
		looptest.Fill(r, c.mems[k], x)
		edgesIn(r, c.mems[k], x)
		y := guard.After(t, len(x))
		copy(y, x)
		got, want = append(got, y), append(want, x)
	}
	portable(t, c.nest, want, 0, n)
	run(t, c.nest, target, got, 0, n)
	for k := range got {
		if d := looptest.Diff(c.mems[k], got[k], want[k]); d >= 0 {
			t.Fatalf("b%d[%d]: expected %s, got %s\n%v", k, d, element(c.mems[k], want[k], d),
				element(c.mems[k], got[k], d), c.nest)
		}
	}
}

// byteSizes are numbers of elements that fill vectors of bytes, or miss that by a few.
var byteSizes = []int64{5, 9, 17, 31, 32, 33, 63, 64, 65, 95, 127, 128, 129, 200, 255, 256, 257, 300, 513}

// testBytes maps and reduces random bytes on a target, next to pages that cannot be accessed.
func testBytes(t *testing.T, seeds uint64, target Target, run runner) {
	for seed := range seeds {
		n := byteSizes[seed%uint64(len(byteSizes))]
		t.Run(fmt.Sprintf("mapped/%d", seed), func(t *testing.T) {
			runByteCase(t, mapped(seed, n), seed, target, n, run)
		})
		t.Run(fmt.Sprintf("short rows/%d", seed), func(t *testing.T) {
			runByteCase(t, shortRows(seed, n), seed, target, n, run)
		})
		t.Run(fmt.Sprintf("windows/%d", seed), func(t *testing.T) {
			runByteCase(t, windows(seed, 3, n), seed, target, 3, run)
		})
		t.Run(fmt.Sprintf("rows/%d", seed), func(t *testing.T) {
			runByteCase(t, reducedRows(seed, 3, n), seed, target, 3, run)
		})
	}
}

func TestBytes(t *testing.T) {
	for name, target := range tiers() {
		t.Run(name, func(t *testing.T) { testBytes(t, 1000, target, native) })
	}
}

// TestBytesEmulated is TestBytes in the emulator.
func TestBytesEmulated(t *testing.T) {
	for _, tier := range emulatedTiers[:2] {
		t.Run(tier.name, func(t *testing.T) { testBytes(t, 200, tier.target, emulate) })
	}
}

// TestBytesTaken: nests of bytes read or write whole vectors of them, on each tier.
func TestBytesTaken(t *testing.T) {
	cases := map[string]byteCase{
		"mapped": mapped(1, 300), "windows": windows(1, 3, 300), "rows": reducedRows(3, 3, 300),
		"short rows": shortRows(1, 300),
	}
	for name, c := range cases {
		for _, tier := range emulatedTiers[:2] {
			whole, got := asm.VL256, false
			if tier.target.AVX512 {
				whole = asm.VL512
			}
			for in := range decoded(assemble(t, c.nest, tier.target)) {
				of := in.Place != 0 && in.Mem.Base != asm.RIP && in.Size == whole
				got = got || of && (in.Op == asm.VMOVUPS || in.Op == asm.VMOVDQU8)
			}
			if !got {
				t.Errorf("%s: %s: no lanes of bytes:\n%v", tier.name, name, c.nest)
			}
		}
	}
}
