package emit

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// dividing are the tiers, and AVX-512 where divisions are quick.
func dividing() map[string]Target {
	list := tiers()
	if t, ok := list["avx512"]; ok {
		t.QuickDivision = true
		list["avx512quick"] = t
	}
	return list
}

// TestDivideByConstant: divided by a constant, quotients have the bits of divisions.
func TestDivideByConstant(t *testing.T) {
	const n = 4096
	for name, target := range dividing() {
		for _, k := range []loop.Kind{loop.F32, loop.F64} {
			m := looptest.MemOf(k)
			for _, d := range []float64{3, 255, 0.9, 7, 10, 0.1, 6272, 1.5, 1.9999999, 0.2, 1e-5, 1e5, 49, 1 << 20, 2, 0.3} {
				b := loop.NewBuilder("divide")
				x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * m.Bytes()})
				y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
				b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
					at := loop.Access{Buffer: x, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}
					q := b.Op(loop.Div, k, b.Load(at, 0), b.Float(k, d))
					at.Buffer = y
					b.Store(at, q, 0)
				})
				in := aligned(n * int(m.Bytes()))
				quotients(k, d, in)
				sameQuotients(t, name, b.Nest(), target, k, d, in)
			}
		}
	}
}

// TestDivideBytes: quotients of bytes have the bits of divisions, and are corrected no oftener than they need.
func TestDivideBytes(t *testing.T) {
	const n = 300
	for name, target := range dividing() {
		for _, m := range []loop.Mem{loop.MemU8, loop.MemS8} {
			for _, c := range []struct {
				d        float64
				products int
			}{{255, 3}, {127.5, 3}, {2, 1}, {0.3, 0}, {1.9999999, 0}, {3, 0}, {100, 0}, {1e-5, 0}} {
				b := loop.NewBuilder("divide")
				x := b.Buffer(loop.Buffer{Name: "x", Bytes: n})
				y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
				b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
					v1 := b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}, 0)
					b.Store(unit(y, v), b.Op(loop.Div, loop.F32, b.Op(loop.SToF, loop.F32, v1), b.Float(loop.F32, c.d)), 0)
				})
				nest, in := b.Nest(), aligned(n)
				for k := range in {
					in[k] = byte(k)
				}
				got, want := aligned(4*n), aligned(4*n)
				portable(t, nest, [][]byte{in, want}, 0, n)
				native(t, nest, target, [][]byte{in, got}, 0, n)
				if d := looptest.Diff(loop.MemF32, got, want); d >= 0 {
					t.Errorf("%s: %v / %g: [%d]: expected %s, got %s", name, m, c.d, d, element(loop.MemF32, want, d),
						element(loop.MemF32, got, d))
				}
				g := newGen(new(Compiler), new(asm.Assembler), nest, target)
				for k := range nest.Insts {
					if i := &nest.Insts[k]; i.Op == loop.Div && c.products > 0 {
						if _, r, rounds := g.reciprocal(i); 1+2*g.fewerRounds(i, c.d, r, rounds) > c.products {
							t.Errorf("%s: %v / %g: more than %d products", name, m, c.d, c.products)
						}
					}
				}
			}
		}
	}
}

// TestFMA32 compares with sums of more digits.
func TestFMA32(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	for range 100000 {
		x, y := float32(rng.NormFloat64()), float32(rng.NormFloat64())
		z := -x * y
		if rng.IntN(2) == 0 {
			z = float32(rng.NormFloat64() * math.Exp2(float64(rng.IntN(60)-30)))
		}
		exact := new(big.Float).SetPrec(500).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
		want, _ := exact.Add(exact, big.NewFloat(float64(z))).Float32()
		if got := fma32(x, y, z); got != want {
			t.Fatalf("%g*%g + %g: expected %g, got %g", x, y, z, want, got)
		}
	}
}

// TestDivideIntegers: integers divided by a constant have the bits of divisions, and need no other way.
func TestDivideIntegers(t *testing.T) {
	const n = 512
	for name, target := range dividing() {
		for _, d := range []float64{3, 255, 1 << 20, 0x1p-20, 0.3} {
			b := loop.NewBuilder("divide")
			x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
			y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
			b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
				at := unit(x, v)
				at.Mem = loop.MemI32
				whole := b.Op(loop.SToF, loop.F32, b.Load(at, 0))
				b.Store(unit(y, v), b.Op(loop.Div, loop.F32, whole, b.Float(loop.F32, d)), 0)
			})
			nest, in := b.Nest(), aligned(4*n)
			rng := rand.New(rand.NewPCG(4, 5))
			for j := range n {
				binary.LittleEndian.PutUint32(in[4*j:], uint32(int32(rng.Uint32())>>rng.IntN(32)))
			}
			sameQuotients(t, name, nest, target, loop.F32, d, in)
			code, divisions := assemble(t, nest, target), false
			for len(code) > 0 {
				i, size, err := asm.Decode(code)
				if err != nil {
					break // constants
				}
				divisions = divisions || i.Op == asm.VDIVPS
				code = code[size:]
			}
			if divisions {
				t.Errorf("%s: / %g: expected no division", name, d)
			}
		}
	}
}

// TestQuickDivision: where divisions are quick there is one for a vector and nothing else, if a constant divides. By a
// value of the row every second vector is divided in a loop that does little else, and products are beside it.
func TestQuickDivision(t *testing.T) {
	const n = 512
	for _, constant := range []bool{true, false} {
		for _, quick := range []bool{true, false} {
			b := loop.NewBuilder("divide")
			x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * (n + 1)})
			y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
			b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
				by := b.Float(loop.F32, 0.3)
				if !constant {
					by = b.Load(loop.Access{Buffer: x, Offset: n, Mem: loop.MemF32}, 0)
				}
				b.Each(loop.Spec{Extent: n, Lanes: true}, func(v int) {
					b.Store(unit(y, v), b.Op(loop.Div, loop.F32, b.Load(unit(x, v), 0), by), 0)
				})
			})
			corrects, divisions := false, 0
			for code := assemble(t, b.Nest(), Target{AVX512: true, QuickDivision: quick}); len(code) > 0; {
				i, size, err := asm.Decode(code)
				if err != nil {
					break // constants
				}
				corrects = corrects || i.Op == asm.VFPCLASSPS
				if i.Op == asm.VDIVPS && i.Size == asm.VL512 {
					divisions++
				}
				code = code[size:]
			}
			if corrects != (!quick || !constant) || divisions == 0 {
				t.Errorf("by a constant: %v; quick: %v: quotients are corrected: %v, %d divisions", constant, quick, corrects,
					divisions)
			}
		}
	}
}

// TestDivideByRow: divided by what a whole loop divides by, quotients have the bits of divisions.
func TestDivideByRow(t *testing.T) {
	const n = 4093
	ds := []float64{3, -255, 0.9, 1.9999999, 1e-5, 6e13, 1e30, -1e30, 1e-30, 1e-40, 0, math.Inf(1), math.NaN()}
	for name, target := range dividing() {
		for _, k := range []loop.Kind{loop.F32, loop.F64} {
			m := looptest.MemOf(k)
			for _, d := range ds {
				b := loop.NewBuilder("divide")
				x := b.Buffer(loop.Buffer{Name: "x", Bytes: (n + 1) * m.Bytes()})
				y := b.Buffer(loop.Buffer{Name: "y", Bytes: (n + 1) * m.Bytes(), Write: true})
				b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
					by := b.Load(loop.Access{Buffer: x, Offset: n, Mem: m}, 0)
					b.Each(loop.Spec{Extent: n, Lanes: true}, func(v int) {
						at := loop.Access{Buffer: x, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}
						q := b.Op(loop.Div, k, b.Load(at, 0), by)
						at.Buffer = y
						b.Store(at, q, 0)
					})
				})
				in := aligned((n + 1) * int(m.Bytes()))
				quotients(k, d, in)
				if at := in[n*int(m.Bytes()):]; k == loop.F32 {
					binary.LittleEndian.PutUint32(at, math.Float32bits(float32(d)))
				} else {
					binary.LittleEndian.PutUint64(at, math.Float64bits(d))
				}
				sameQuotients(t, name, b.Nest(), target, k, d, in)
			}
		}
	}
}

// TestDivideInRange: a loop that divides as another does, which ran in some of the iterations only.
func TestDivideInRange(t *testing.T) {
	const n, rows = 80, 4
	for name, target := range tiers() {
		b := loop.NewBuilder("divide")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * rows * (n + 1)})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * rows * n, Write: true})
		z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * rows * n, Write: true})
		b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
			row := func(b int, length int64, more ...loop.Term) loop.Access {
				return loop.Access{Buffer: b, Terms: append([]loop.Term{{Var: i, Stride: length}}, more...), Mem: loop.MemF32}
			}
			at := row(x, n+1)
			at.Offset = n
			by := b.Load(at, 0)
			divide := func(to int) {
				b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
					q := b.Op(loop.Div, loop.F32, b.Load(row(x, n+1, loop.Term{Var: v, Stride: 1}), 0), by)
					b.Store(row(to, n, loop.Term{Var: v, Stride: 1}), q, 0)
				})
			}
			in := &loop.Range{Var: i, Lo: 1, Hi: 2}
			b.Each(loop.Spec{Extent: 1, Parallel: true, When: in}, func(int) { divide(y) })
			divide(z)
		})
		nest := b.Nest()
		if err := nest.Verify(); err != nil {
			t.Fatal(err)
		}
		in := aligned(4 * rows * (n + 1))
		for j := range len(in) / 4 {
			binary.LittleEndian.PutUint32(in[4*j:], math.Float32bits(float32(1+j%97)*1.3))
		}
		var got, want [2][]byte
		for k := range got {
			got[k], want[k] = aligned(4*rows*n), aligned(4*rows*n)
		}
		portable(t, nest, [][]byte{in, want[0], want[1]}, 0, rows)
		native(t, nest, target, [][]byte{in, got[0], got[1]}, 0, rows)
		for k, w := range want {
			if d := looptest.Diff(loop.MemF32, got[k], w); d >= 0 {
				t.Errorf("%s: result %d [%d]: expected %s, got %s", name, k, d, element(loop.MemF32, w, d),
					element(loop.MemF32, got[k], d))
			}
		}
	}
}

// sameQuotients compares what nest makes of in by machine code with what the portable executor makes of it.
func sameQuotients(t *testing.T, name string, nest *loop.Nest, target Target, k loop.Kind, d float64, in []byte) {
	t.Helper()
	m, got, want, n := looptest.MemOf(k), aligned(len(in)), aligned(len(in)), nest.Outermost().Extent
	portable(t, nest, [][]byte{in, want}, 0, n)
	native(t, nest, target, [][]byte{in, got}, 0, n)
	if i := looptest.Diff(m, got, want); i >= 0 {
		t.Errorf("%s: %v %s / %g: expected %s, got %s", name, k, element(m, in, i), d, element(m, want, i),
			element(m, got, i))
	}
}

// nearLimit is a dividend whose quotient by d is about the largest number, or, by turns, one that is tiny.
func nearLimit(k loop.Kind, d float64, j int, rng *rand.Rand) float64 {
	large, small := float64(math.MaxFloat32), 0x1p-149
	if k == loop.F64 {
		large, small = math.MaxFloat64, 0x1p-1074
	}
	if j%2 == 1 {
		return small * math.Round(math.Exp2(60*rng.Float64())) * d
	}
	x := large * d // may be infinite
	for range rng.IntN(4) {
		if k == loop.F32 {
			x = float64(math.Nextafter32(float32(x), 0))
		} else {
			x = math.Nextafter(x, 0)
		}
	}
	return x
}

// quotients fills b with dividends of d: numbers of all bits, those next to multiples of d and of halfway points,
// zeros, infinities and NaN.
func quotients(k loop.Kind, d float64, b []byte) {
	rng := rand.New(rand.NewPCG(2, 3))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, -math.MaxFloat32}
	for j := 0; j < len(b)/(k.Bits()/8); j++ {
		x := (1 + rng.Float64()) * math.Exp2(float64(rng.IntN(80)-40))
		switch {
		case j%97 == 0: // in vectors that have no other
			x = special[j/97%len(special)]
		case j%64 >= 56: // also where the quotient is next to infinity, or to nothing; most vectors have none of these
			x = nearLimit(k, d, j, rng)
		case j%3 == 1:
			x = math.Round(x) * d
		case j%3 == 2:
			x = (float64(float32(x)) + math.Exp2(float64(math.Ilogb(x)-24))) * d
		}
		if k == loop.F32 {
			binary.LittleEndian.PutUint32(b[4*j:], math.Float32bits(float32(x)))
			continue
		}
		binary.LittleEndian.PutUint64(b[8*j:], math.Float64bits(x))
	}
}
