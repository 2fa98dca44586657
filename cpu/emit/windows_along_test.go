package emit

import (
	"bytes"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// imageNest sums windows of so many rows and places of an image, two places at a time.
type imageNest struct {
	mem                                  loop.Mem
	rows, wide, features, tall, taps, by int64
	stream                               bool
}

// image is how many elements the input has, result how many the result.
func (c imageNest) image() int64  { return (c.rows + c.tall - 1) * c.line() }
func (c imageNest) line() int64   { return (2*c.wide*c.by + c.taps) * c.features }
func (c imageNest) result() int64 { return c.rows * 2 * c.wide * c.features }

func (c imageNest) nest() *loop.Nest {
	b := loop.NewBuilder("windows")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: c.image() * c.mem.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: c.result() * c.mem.Bytes(), Write: true, Stream: c.stream})
	b.Each(loop.Spec{Extent: c.rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: c.wide, Parallel: true}, func(j int) {
			b.Each(loop.Spec{Extent: c.features, Lanes: true, Parallel: true}, func(f int) {
				at := func(buffer int, offset, row, place int64) loop.Access {
					return loop.Access{Buffer: buffer, Mem: c.mem, Offset: offset,
						Terms: []loop.Term{{Var: i, Stride: row}, {Var: j, Stride: place}, {Var: f, Stride: 1}}}
				}
				for p := range int64(2) {
					sum := b.Float(c.mem.Kind(), 0)
					for k := range c.tall * c.taps {
						offset := k/c.taps*c.line() + (p*c.by+k%c.taps)*c.features
						v := b.Load(at(x, offset, c.line(), 2*c.by*c.features), 0)
						sum = b.Op(loop.Add, c.mem.Kind(), sum, v)
					}
					b.Store(at(y, p*c.features, 2*c.wide*c.features, 2*c.features), sum, 0)
				}
			})
		})
	})
	return b.Nest()
}

// TestWindowsAlong: on AMD with narrow vectors what windows of several rows reach for the first time is asked for, and
// what is written, if these are not in the second cache.
func TestWindowsAlong(t *testing.T) {
	far := imageNest{mem: loop.MemF32, rows: 80, wide: 30, features: 64, tall: 3, taps: 3, by: 1}
	near, one, half, past, apart, small := far, far, far, far, far, far
	near.rows, one.tall, half.mem, past.stream, apart.by, small.mem = 6, 1, loop.MemBF16, true, 2, loop.MemF64
	half.rows, small.rows = 180, 34
	for _, c := range []struct {
		name          string
		nest          imageNest
		reads, writes int // lines asked for, of the places of an iteration
	}{
		{"far", far, 2, 2}, {"near", near, 0, 0}, {"one row", one, 0, 0}, {"half floats", half, 0, 0},
		{"past the caches", past, 2, 0}, {"two apart", apart, 4, 2}, {"f64", small, 2, 0},
	} {
		n := c.nest.nest()
		for _, e := range emulatedTiers {
			want := c.reads + c.writes
			if e.target.AVX512 {
				want = 0
			}
			amd := e.target
			amd.AsksRows = true
			if got := count(assemble(t, n, amd), asm.PREFETCHT0); got != want {
				t.Errorf("%s: %s: asks for %d lines, want %d", e.name, c.name, got, want)
			}
			if got := count(assemble(t, n, e.target), asm.PREFETCHT0); got != 0 {
				t.Errorf("%s: %s: asks for %d lines where the hardware follows them", e.name, c.name, got)
			}
		}
		checkWindows(t, c.nest)
	}
}

// checkWindows compares what code does that asks with the Go executor.
func checkWindows(t *testing.T, c imageNest) {
	t.Helper()
	x := make([]byte, c.image()*c.mem.Bytes())
	for k := range x {
		x[k] = byte(k*k%97) & 0x3F
	}
	n := c.nest()
	bufs := func() [][]byte { return [][]byte{x, aligned(int(c.result() * c.mem.Bytes()))} }
	want := bufs()
	portable(t, n, want, 0, c.rows)
	for name, target := range tiers() {
		target.AsksRows = true
		got := bufs()
		native(t, n, target, got, 0, c.rows)
		if !bytes.Equal(got[1], want[1]) {
			t.Errorf("%s: %+v: results differ", name, c)
		}
	}
}

// piecesNest brings rows of so many places of x near, 16 features of each at a time, and writes the sums of two
// neighbours to y.
func piecesNest(rows, places, pieces int64) *loop.Nest {
	b := loop.NewBuilder("pieces")
	bytes := rows * places * pieces * 16 * 4
	near := b.Buffer(loop.Buffer{Name: "near", Bytes: (places + 1) * 64, Write: true, Scratch: true})
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: bytes})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: bytes, Write: true})
	each := func(n int64, lanes bool, body func(v int)) {
		b.Each(loop.Spec{Extent: n, Lanes: lanes, Parallel: true}, body)
	}
	each(rows, false, func(i int) {
		each(pieces, false, func(p int) {
			at := func(buffer, place, f int) loop.Access {
				return loop.Access{Buffer: buffer, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: places * pieces * 16},
					{Var: p, Stride: 16}, {Var: place, Stride: pieces * 16}, {Var: f, Stride: 1}}}
			}
			by := func(place, f int) loop.Access {
				return loop.Access{Buffer: near, Mem: loop.MemF32,
					Terms: []loop.Term{{Var: place, Stride: 16}, {Var: f, Stride: 1}}}
			}
			each(16, true, func(f int) {
				zero := by(0, f)
				zero.Terms, zero.Offset = zero.Terms[1:], places*16
				b.Store(zero, b.Float(loop.F32, 0), 0)
			})
			each(places, false, func(j int) {
				each(16, true, func(f int) { b.Store(by(j, f), b.Load(at(x, j, f), 0), 0) })
			})
			each(places, false, func(j int) {
				each(16, true, func(f int) {
					sum := b.For(loop.Spec{Extent: 2}, []loop.Reduction{{Init: b.Float(loop.F32, 0)}},
						func(k int, phis []loop.Value) []loop.Value {
							a := by(j, f)
							a.Terms = append(a.Terms, loop.Term{Var: k, Stride: 16})
							return []loop.Value{b.Op(loop.Add, loop.F32, phis[0], b.Load(a, 0))}
						})
					b.Store(at(y, j, f), sum[0], 0)
				})
			})
		})
	})
	return b.Nest()
}

// TestPiecesAlong: what is brought near piece by piece asks for the next ones, and what is made of it for the places
// behind, unless places are one piece or all is in the second cache.
func TestPiecesAlong(t *testing.T) {
	for _, c := range []struct {
		rows, places, pieces int64
		asks                 bool
	}{{40, 64, 7, true}, {280, 64, 1, false}, {8, 64, 7, false}} {
		n := piecesNest(c.rows, c.places, c.pieces)
		code := assemble(t, n, Target{AsksRows: true})
		if got := count(code, asm.PREFETCHT0); got > 0 != c.asks {
			t.Errorf("%+v: asks %d times, want some: %t", c, got, c.asks)
		}
		if got := count(assemble(t, n, Target{AsksRows: true, AVX512: true}), asm.PREFETCHT0); got != 0 {
			t.Errorf("%+v: wide vectors ask %d times", c, got)
		}
	}
}
