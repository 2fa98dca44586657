package native

import (
	"math"
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// This file writes the loop nests of Fourier transforms that work on several lines side by side: lane l of a vector is
// an element of line l. Stages read and write planes, which hold the real or the imaginary parts of element j of line
// l at j*lanes + l; the first and the last one may also read and write arrays of complex numbers.

// pair is a complex number in registers.
type pair struct{ re, im loop.Value }

// spot is element first + sum of terms of a line; strides count elements.
type spot struct {
	first int64
	terms []loop.Term
}

// plus is s some elements further.
func (s spot) plus(n int64) spot { return spot{s.first + n, s.terms} }

// times is the spot of number n*s, with elements in between.
func (s spot) times(n int64) spot {
	terms := slices.Clone(s.terms)
	for k := range terms {
		terms[k].Stride *= n
	}
	return spot{s.first * n, terms}
}

// side is where the elements of lines are.
type side struct {
	planes bool
	// pitch and lane are how far elements and lanes are apart: in complex numbers, or in planes in numbers.
	pitch, lane int64
	// apart, if not 0, is how many numbers an imaginary part lies behind the real one: elements are two rows of
	// numbers, pitch is in numbers, and lanes are adjacent.
	apart   int64
	swapped bool // real and imaginary parts are exchanged
	pairs   bool // complex numbers are written as such even if lanes are apart: where these are no loop of lanes
	scale   float64
}

// adjacent reports whether s has lines of elements one behind the other.
func (s side) adjacent() bool { return !s.planes && s.pitch == 1 && s.lane > 1 }

// fftNest writes one nest.
type fftNest struct {
	*loop.Builder
	kind  loop.Kind
	mem   loop.Mem
	whole bool // its loops stay apart
}

// newNest begins a nest, in the memory of the last one that has ended.
func (f *vectorFFT) newNest(name string) *fftNest {
	n := &fftNest{Builder: f.builder, kind: f.kind, mem: loop.MemF32}
	if f.builder = nil; n.Builder == nil {
		n.Builder = loop.NewBuilder(name)
	} else {
		n.Again(name)
	}
	if f.kind == loop.F64 {
		n.mem = loop.MemF64
	}
	return n
}

// end returns the nest.
func (n *fftNest) end() *loop.Nest {
	nest := n.Nest()
	loop.DCE(nest)
	if !n.whole {
		loop.Collapse(nest)
	}
	return nest
}

// buffers adds what holds the lines of s: elements elements of lanes lines.
func (n *fftNest) buffers(name string, s side, elements, lanes int64, write bool) [2]int {
	span, bytes := (elements-1)*abs(s.pitch)+(lanes-1)*abs(s.lane)+1, n.mem.Bytes()
	if s.apart != 0 {
		b := n.Buffer(loop.Buffer{Name: name, Bytes: 2 * elements * lanes * bytes, Write: write})
		return [2]int{b, b}
	}
	if !s.planes {
		b := n.Buffer(loop.Buffer{Name: name, Bytes: 2 * span * bytes, Write: write})
		return [2]int{b, b}
	}
	re := n.Buffer(loop.Buffer{Name: name + ".re", Bytes: span * bytes, Write: write})
	return [2]int{re, n.Buffer(loop.Buffer{Name: name + ".im", Bytes: span * bytes, Write: write})}
}

func abs(n int64) int64 { return max(n, -n) }

// table adds a table of complex numbers.
func (n *fftNest) table(name string, count int64) int {
	return n.Buffer(loop.Buffer{Name: name, Bytes: 2 * count * n.mem.Bytes()})
}

// access is number of s at a spot, lane by lane; unit is how many numbers an element of mem has.
func (s side) access(buf int, mem loop.Mem, at spot, v int, unit, offset int64) loop.Access {
	a := loop.Access{Buffer: buf, Mem: mem, Offset: at.first*s.pitch*unit + offset}
	a.Terms = make([]loop.Term, 0, len(at.terms)+1)
	for _, t := range at.terms {
		if stride := t.Stride * s.pitch * unit; stride != 0 {
			a.Terms = append(a.Terms, loop.Term{Var: t.Var, Stride: stride})
		}
	}
	if s.lane != 0 && v >= 0 {
		a.Terms = append(a.Terms, loop.Term{Var: v, Stride: s.lane * unit})
	}
	slices.SortStableFunc(a.Terms, func(x, y loop.Term) int { return x.Var - y.Var })
	return a
}

// asWords reports whether complex numbers are read and written as words of 64 bits: where they do not lie side by side.
func (n *fftNest) asWords(s side) bool {
	return !s.planes && !s.pairs && n.kind == loop.F32 && s.lane != 0 && s.lane != 1
}

// load reads an element; v is the loop of the lanes, or -1.
func (n *fftNest) load(bufs [2]int, s side, at spot, v int) pair {
	var p pair
	switch {
	case s.planes:
		p.re = n.Load(s.access(bufs[0], n.mem, at, v, 1, 0), 0)
		p.im = n.Load(s.access(bufs[1], n.mem, at, v, 1, 0), 0)
	case s.apart != 0:
		p.re = n.Load(s.access(bufs[0], n.mem, at, v, 1, 0), 0)
		p.im = n.Load(s.access(bufs[0], n.mem, at, v, 1, s.apart), 0)
	case n.asWords(s):
		w := n.Load(s.access(bufs[0], loop.MemI64, at, v, 1, 0), 0)
		p.re = n.Op(loop.Bitcast, loop.F32, n.Op(loop.Trunc, loop.I32, w))
		w = n.Op(loop.Shr, loop.I64, w, n.Int(loop.I64, 32))
		p.im = n.Op(loop.Bitcast, loop.F32, n.Op(loop.Trunc, loop.I32, w))
	default:
		p.re = n.Load(s.access(bufs[0], n.mem, at, v, 2, 0), 0)
		p.im = n.Load(s.access(bufs[0], n.mem, at, v, 2, 1), 0)
	}
	if s.swapped {
		p.re, p.im = p.im, p.re
	}
	return p
}

// store writes an element.
func (n *fftNest) store(bufs [2]int, s side, at spot, v int, p pair) {
	if s.scale != 0 && s.scale != 1 {
		f := n.Float(n.kind, s.scale)
		p = pair{n.Op(loop.Mul, n.kind, p.re, f), n.Op(loop.Mul, n.kind, p.im, f)}
	}
	if s.swapped {
		p.re, p.im = p.im, p.re
	}
	switch {
	case s.planes:
		n.Store(s.access(bufs[0], n.mem, at, v, 1, 0), p.re, 0)
		n.Store(s.access(bufs[1], n.mem, at, v, 1, 0), p.im, 0)
	case n.asWords(s):
		wide := func(x loop.Value) loop.Value {
			return n.Op(loop.ZExt, loop.I64, n.Op(loop.Bitcast, loop.I32, x))
		}
		w := n.Op(loop.Or, loop.I64, wide(p.re), n.Op(loop.Shl, loop.I64, wide(p.im), n.Int(loop.I64, 32)))
		n.Store(s.access(bufs[0], loop.MemI64, at, v, 1, 0), w, 0)
	default:
		n.Store(s.access(bufs[0], n.mem, at, v, 2, 0), p.re, 0)
		n.Store(s.access(bufs[0], n.mem, at, v, 2, 1), p.im, 0)
	}
}

// root reads a number of a table, the same for all lanes.
func (n *fftNest) root(table int, at spot) pair {
	return n.load([2]int{table, table}, side{pitch: 1}, at, -1)
}

// manyRoots is the number of roots from which on they are read where they are used: registers do not hold them.
const manyRoots = 16

// roots returns numbers of a table from at on.
func (n *fftNest) roots(table int, at spot, count int) func(k int) pair {
	read := func(k int) pair { return n.root(table, at.plus(int64(k))) }
	if count >= manyRoots {
		return read
	}
	list := make([]pair, count)
	for k := range list {
		list[k] = read(k)
	}
	return func(k int) pair { return list[k] }
}

func (n *fftNest) add(a, b pair) pair {
	return pair{n.Op(loop.Add, n.kind, a.re, b.re), n.Op(loop.Add, n.kind, a.im, b.im)}
}

func (n *fftNest) sub(a, b pair) pair {
	return pair{n.Op(loop.Sub, n.kind, a.re, b.re), n.Op(loop.Sub, n.kind, a.im, b.im)}
}

// addI is a + i*b, subI a - i*b.
func (n *fftNest) addI(a, b pair) pair {
	return pair{n.Op(loop.Sub, n.kind, a.re, b.im), n.Op(loop.Add, n.kind, a.im, b.re)}
}

func (n *fftNest) subI(a, b pair) pair {
	return pair{n.Op(loop.Add, n.kind, a.re, b.im), n.Op(loop.Sub, n.kind, a.im, b.re)}
}

func (n *fftNest) mul(a, b pair) pair {
	re := n.Op(loop.FMS, n.kind, a.re, b.re, n.Op(loop.Mul, n.kind, a.im, b.im))
	return pair{re, n.Op(loop.FMA, n.kind, a.re, b.im, n.Op(loop.Mul, n.kind, a.im, b.re))}
}

// dft transforms a few elements by their number.
func (n *fftNest) dft(x []pair) []pair {
	switch len(x) {
	case 2:
		return []pair{n.add(x[0], x[1]), n.sub(x[0], x[1])}
	case 4:
		even, odd, sum, diff := n.add(x[0], x[2]), n.sub(x[0], x[2]), n.add(x[1], x[3]), n.sub(x[1], x[3])
		return []pair{n.add(even, sum), n.subI(odd, diff), n.sub(even, sum), n.addI(odd, diff)}
	case 8:
		return n.dft8(x)
	}
	out := make([]pair, len(x))
	n.dftOdd(len(x), func(k int) pair { return x[k] }, func(k int, y pair) { out[k] = y })
	return out
}

// dftEach is dft of r elements, each of which is read where it is wanted first, and has each result used as soon as it
// is there: registers do not hold many.
func (n *fftNest) dftEach(r int, read func(k int) pair, use func(k int, y pair)) {
	if r%2 == 1 {
		n.dftOdd(r, read, use)
		return
	}
	x := make([]pair, r)
	for k := range x {
		x[k] = read(k)
	}
	for k, y := range n.dft(x) {
		use(k, y)
	}
}

// dft8 is two transforms of 4, of sums and of differences times roots.
func (n *fftNest) dft8(x []pair) []pair {
	var sums, diffs [4]pair
	for k := range sums {
		sums[k], diffs[k] = n.add(x[k], x[k+4]), n.sub(x[k], x[k+4])
	}
	half := n.Float(n.kind, math.Sqrt2/2)
	scaled := func(x, y loop.Value, op loop.Op) loop.Value {
		return n.Op(loop.Mul, n.kind, n.Op(op, n.kind, x, y), half)
	}
	d := diffs[1]
	diffs[1] = pair{scaled(d.re, d.im, loop.Add), scaled(d.im, d.re, loop.Sub)}
	d = diffs[2]
	diffs[2] = pair{d.im, n.Op(loop.Neg, n.kind, d.re)}
	d = diffs[3]
	diffs[3] = pair{scaled(d.im, d.re, loop.Sub), n.Op(loop.Neg, n.kind, scaled(d.re, d.im, loop.Add))}
	even, odd := n.dft(sums[:]), n.dft(diffs[:])
	return []pair{even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]}
}

// dftOdd does an odd number of elements. Those that lie mirrored are added and subtracted first: what the roots do
// with them is real, and two results need the same sums.
func (n *fftNest) dftOdd(r int, read func(k int) pair, use func(k int, y pair)) {
	half := r / 2
	sums, diffs, first := make([]pair, half), make([]pair, half), read(0)
	total := first
	for j := range half {
		x, y := read(j+1), read(r-1-j)
		sums[j], diffs[j] = n.add(x, y), n.sub(x, y)
		total = n.add(total, sums[j])
	}
	use(0, total)
	for k := 1; k <= half; k++ {
		mid, turned := first, pair{}
		for j := range half {
			w := root((j+1)*k, r) // cos - i sin
			cos, sin := n.Float(n.kind, real(w)), n.Float(n.kind, -imag(w))
			mid = pair{n.Op(loop.FMA, n.kind, cos, sums[j].re, mid.re), n.Op(loop.FMA, n.kind, cos, sums[j].im, mid.im)}
			if j == 0 {
				turned = pair{n.Op(loop.Mul, n.kind, sin, diffs[j].re), n.Op(loop.Mul, n.kind, sin, diffs[j].im)}
				continue
			}
			turned = pair{n.Op(loop.FMA, n.kind, sin, diffs[j].re, turned.re),
				n.Op(loop.FMA, n.kind, sin, diffs[j].im, turned.im)}
		}
		use(k, n.subI(mid, turned))
		use(r-k, n.addI(mid, turned))
	}
}
