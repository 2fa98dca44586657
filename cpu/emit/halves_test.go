package emit

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// halvesCase is a loop over n elements of bf16.
type halvesCase struct {
	name string
	// f gives what is stored. at is the access of a buffer, shifted by some elements.
	f func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value
	// pairs: it goes by pairs of vectors.
	pairs bool
}

// halvesCases read b0 and b1 and write b2, and b3 if there are two values.
var halvesCases = []halvesCase{
	{"products", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		var sum loop.Value = b.Float(loop.F32, 0.5)
		for by := range 5 {
			sum = b.Op(loop.FMA, loop.F32, b.Load(at(0, by), 0), b.Load(at(1, 4-by), 0), sum)
		}
		return []loop.Value{b.Op(loop.RoundBF16, loop.F32, sum)}
	}, true},
	{"two", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		x, y := b.Load(at(0, 1), 0), b.Load(at(1, 2), 0)
		sum := b.Op(loop.RoundBF16, loop.F32, b.Op(loop.Add, loop.F32, x, y))
		return []loop.Value{b.Op(loop.RoundBF16, loop.F32, b.Op(loop.Mul, loop.F32, sum, x)), sum}
	}, true},
	{"moved", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		x := b.Load(at(0, 0), 0)
		return []loop.Value{b.Op(loop.Neg, loop.F32, x), x}
	}, true},
	{"unrounded", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		x := b.Op(loop.Bitcast, loop.F32, b.Op(loop.Add, loop.I32,
			b.Op(loop.Bitcast, loop.I32, b.Load(at(0, 0), 0)), b.Int(loop.I32, 0x8001)))
		return []loop.Value{x, b.Op(loop.RoundBF16, loop.F32, x)}
	}, true},
	{"of one element", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		one, half := at(1, 3), at(1, 7)
		one.Terms, half.Terms, half.Mem = nil, nil, loop.MemF32
		return []loop.Value{b.Op(loop.RoundBF16, loop.F32,
			b.Op(loop.FMA, loop.F32, b.Load(at(0, 1), 0), b.Load(one, 0), b.Load(half, 0)))}
	}, true},
	{"chosen", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		x, y := b.Load(at(0, 0), 0), b.Load(at(1, 0), 0)
		return []loop.Value{b.Op(loop.RoundBF16, loop.F32,
			b.Op(loop.Select, loop.F32, b.Cmp(loop.LT, x, y), b.Op(loop.Sqrt, loop.F32, y), x))}
	}, true},
	{"of f32", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		wide := at(1, 0)
		wide.Mem = loop.MemF32
		sum := b.Op(loop.Add, loop.F32, b.Load(at(0, 0), 0), b.Load(wide, 0))
		return []loop.Value{b.Op(loop.RoundBF16, loop.F32, sum)}
	}, false},
	{"of every second", func(b *loop.Builder, at func(buffer, by int) loop.Access) []loop.Value {
		apart := at(1, 0)
		apart.Terms = []loop.Term{{Var: apart.Terms[0].Var, Stride: 2}}
		sum := b.Op(loop.Add, loop.F32, b.Load(at(0, 0), 0), b.Load(apart, 0))
		return []loop.Value{b.Op(loop.RoundBF16, loop.F32, sum)}
	}, false},
}

// nest is the loop of c over n elements. Buffers hold some more.
func (c *halvesCase) nest(n int64) *loop.Nest {
	b := loop.NewBuilder(c.name)
	for k, bytes := range []int64{2*n + 16, 4*n + 64, 2 * n, 2 * n} {
		b.Buffer(loop.Buffer{Name: fmt.Sprint("b", k), Bytes: bytes, Write: k >= 2})
	}
	b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
			at := func(buffer, by int) loop.Access {
				return loop.Access{Buffer: buffer, Terms: []loop.Term{{Var: i, Stride: 1}}, Offset: int64(by),
					Mem: loop.MemBF16}
			}
			for k, v := range c.f(b, at) {
				b.Store(at(2+k, 0), v, 0)
			}
		})
	})
	return b.Nest()
}

// run compares c, of n elements of any bits, with package tile.
func (c *halvesCase) run(t *testing.T, n int64, name string, target Target, run runner) {
	t.Helper()
	nest, r := c.nest(n), rand.New(rand.NewPCG(uint64(n), 5))
	var got, want [][]byte
	for _, b := range nest.Buffers {
		x, y := aligned(int(b.Bytes)), guard.After(t, int(b.Bytes))
		for k := range len(x) / 2 {
			binary.LittleEndian.PutUint16(x[2*k:], uint16(r.Uint32()))
		}
		copy(y, x)
		got, want = append(got, y), append(want, x)
	}
	portable(t, nest, want, 0, 1)
	run(t, nest, target, got, 0, 1)
	for k := range got {
		if d := looptest.Diff(loop.MemBF16, got[k], want[k]); d >= 0 {
			t.Fatalf("%s: %d elements: b%d[%d]: expected %s, got %s", name, n, k, d, element(loop.MemBF16, want[k], d),
				element(loop.MemBF16, got[k], d))
		}
	}
}

// TestHalves computes with bf16 of any bits, next to pages that cannot be accessed, and tells what goes by pairs.
func TestHalves(t *testing.T) {
	for _, c := range halvesCases {
		t.Run(c.name, func(t *testing.T) {
			for name, target := range tiers() {
				for _, n := range []int64{1, 15, 16, 31, 32, 33, 64, 95, 1000} {
					c.run(t, n, name, target, native)
				}
			}
			for _, tier := range emulatedTiers[:2] {
				for _, n := range []int64{32, 77} {
					c.run(t, n, tier.name, tier.target, emulate)
				}
				if got := !widensWords(assemble(t, c.nest(128), tier.target)); got != c.pairs {
					t.Errorf("%s: by pairs of vectors: %t, want %t", tier.name, got, c.pairs)
				}
			}
		})
	}
}

// widensWords reports whether code moves words to lanes of 32 bits.
func widensWords(code []byte) bool {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Op == asm.VPMOVZXWD {
			return true
		}
		code = code[size:]
	}
	return false
}

// sumHalvesNest is z[i, r] = the sum of x[i, r] * y, or the largest or least of x[i, r], for rows r of n bf16.
func sumHalvesNest(rows, n int64, o loop.Op) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprint("sum ", rows, n, o))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 2 * 3 * rows * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 2 * n})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * 3 * rows, Write: true})
	b.Each(loop.Spec{Extent: 3, Parallel: true}, func(i int) {
		carries := slices.Repeat([]loop.Reduction{{Init: b.Float(loop.F32, 0), Reduce: o}}, int(rows))
		outs := b.For(loop.Spec{Extent: n, Lanes: true}, carries, func(j int, phis []loop.Value) []loop.Value {
			var next []loop.Value
			for r, phi := range phis {
				v := b.Load(loop.Access{Buffer: x, Offset: int64(r) * n, Mem: loop.MemBF16,
					Terms: []loop.Term{{Var: i, Stride: rows * n}, {Var: j, Stride: 1}}}, 0)
				if o == loop.Add {
					at := []loop.Term{{Var: j, Stride: 1}}
					w := b.Load(loop.Access{Buffer: y, Mem: loop.MemBF16, Terms: at}, 0)
					next = append(next, b.Op(loop.FMA, loop.F32, v, w, phi))
				} else {
					next = append(next, b.Op(o, loop.F32, phi, v))
				}
			}
			return next
		})
		for r, v := range outs {
			b.Store(loop.Access{Buffer: z, Offset: int64(r), Mem: loop.MemF32,
				Terms: []loop.Term{{Var: i, Stride: rows}}}, v, 0)
		}
	})
	return b.Nest()
}

// TestSumHalves: rows of bf16 are summed by pairs of vectors. Of small whole numbers the order does not show.
func TestSumHalves(t *testing.T) {
	for _, o := range []loop.Op{loop.Add, loop.Max, loop.Min} {
		for _, rows := range []int64{1, 2, 5} {
			for _, n := range []int64{15, 16, 31, 32, 33, 64, 95, 128, 300} {
				nest := sumHalvesNest(rows, n, o)
				for name, target := range tiers() {
					checkSumHalves(t, name, target, nest, native)
				}
				for _, tier := range emulatedTiers[:2] {
					checkSumHalves(t, tier.name, tier.target, nest, emulate)
					if n%64 == 0 && widensWords(assemble(t, nest, tier.target)) {
						t.Errorf("%s: %s: not by pairs of vectors", tier.name, nest.Name)
					}
				}
			}
		}
	}
}

// checkSumHalves compares nest, of small whole numbers next to pages that cannot be accessed, with package tile.
func checkSumHalves(t *testing.T, name string, target Target, nest *loop.Nest, run runner) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	var got, want [][]byte
	for _, b := range nest.Buffers {
		x, y := aligned(int(b.Bytes)), guard.After(t, int(b.Bytes))
		for k := 0; !b.Write && k < len(x); k += 2 {
			small := math.Float32bits(float32(r.IntN(17) - 8))
			binary.LittleEndian.PutUint16(x[k:], uint16(small>>16))
		}
		copy(y, x)
		got, want = append(got, y), append(want, x)
	}
	portable(t, nest, want, 0, 3)
	run(t, nest, target, got, 0, 3)
	if d := looptest.Diff(loop.MemF32, got[2], want[2]); d >= 0 {
		t.Fatalf("%s: %s: [%d]: expected %s, got %s", name, nest.Name, d, element(loop.MemF32, want[2], d),
			element(loop.MemF32, got[2], d))
	}
}
