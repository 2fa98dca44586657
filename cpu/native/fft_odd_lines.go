package native

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// An odd number of real numbers is transformed in stages of which each makes transforms of length radix*m of radix ones
// of length m, m = 1 at first: of a transform of real numbers the frequencies 0..m/2 are enough, so this is half the
// work of complex numbers. Frequency k of transform j, of which there are stride after the stage, lies at k*stride + j.
// The inverse takes the stages back.

// oddStage is a stage that makes transforms of length radix*m, stride of them.
type oddStage struct{ radix, m, stride int }

// oddPrimes are the prime factors of lengths that are stages of real numbers. There are larger ones than in
// vectorPrimes: real numbers are half as many, and a convolution is one of complex numbers.
var oddPrimes = [...]int{3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61}

// oddRadices returns the radices of n real numbers; nil where there is a prime factor too large. The largest is first,
// as the first stage has real numbers only.
func oddRadices(n int) []int {
	radices := radicesIn(n, oddPrimes[:])
	slices.Reverse(radices)
	return radices
}

// oddStages returns the stages of n numbers, of the transform; nil if there is a prime factor too large.
func oddStages(n int) (list []oddStage) {
	m := 1
	for _, r := range oddRadices(n) {
		m *= r
		list = append(list, oddStage{r, m / r, n / m})
	}
	return list
}

// oddLines transforms lines of n real numbers to their non-negative frequencies.
func (f *vectorFFT) oddLines(n, lanes int, to side) *lineFFT {
	l := &lineFFT{vectorFFT: f, n: n, lanes: lanes, room: n}
	at := l.turnNumbersIn()
	for _, s := range oddStages(n) {
		at = l.oddStage(s, at)
	}
	l.turnOut(n/2+1, to, at)
	return l
}

// inverseOddLines transforms n/2+1 frequencies of lines to n real numbers.
func (f *vectorFFT) inverseOddLines(n, lanes int, from side, scale float64) *lineFFT {
	l := &lineFFT{vectorFFT: f, n: n, lanes: lanes, room: n}
	from, at := l.turnIn(n/2+1, from, outside)
	stages := oddStages(n)
	for k := len(stages) - 1; k >= 0; k-- {
		at = l.inverseOddStage(stages[k], at, from)
		from = l.planes()
	}
	l.turnNumbersOut(scale, at)
	return l
}

// numbers adds what holds the real numbers of lines, and returns which buffer has them: planes have more.
func (n *fftNest) numbers(name string, s side, elements, lanes int64, write bool) int {
	if s.planes {
		return n.buffers(name, s, elements, lanes, write)[0]
	}
	span := (elements-1)*abs(s.pitch) + (lanes-1)*abs(s.lane) + 1
	return n.Buffer(loop.Buffer{Name: name, Bytes: span * n.mem.Bytes(), Write: write})
}

// oddNest is the nest of a stage.
type oddNest struct {
	*fftNest
	oddStage
	l        *lineFFT
	src, dst [2]int
	twiddles int
	st       step
}

func (l *lineFFT) newOddNest(name string, s oddStage, at place, from side) *oddNest {
	n := &oddNest{fftNest: l.newNest(fmt.Sprintf("fft.%s%d", name, s.radix)), oddStage: s, l: l}
	n.src = n.buffers("x", from, int64(l.n), int64(l.lanes), false)
	n.dst = n.buffers("y", l.planes(), int64(l.n), int64(l.lanes), true)
	n.st = step{from: at, to: l.other(at)}
	if s.m > 1 {
		n.twiddles = n.table("twiddles", int64(s.m/2*(s.radix-1)))
		n.st.tables = append(n.st.tables, l.numbers(s.roots()))
	}
	return n
}

// roots are e^(-2πi sk/(radix*m)) for 0 < k <= m/2 and 0 < s < radix.
func (s oddStage) roots() (w []complex128) {
	for k := 1; k <= s.m/2; k++ {
		for j := 1; j < s.radix; j++ {
			w = append(w, root(j*k, s.radix*s.m))
		}
	}
	return w
}

// positions runs body for all transforms of all lanes.
func (n *oddNest) positions(body func(v int)) {
	n.Each(loop.Spec{Extent: int64(n.stride * n.l.lanes), Lanes: true}, body)
}

// frequencies runs body for k = 1..m/2, with the roots for 0 < s < radix: w has that of s+1.
func (n *oddNest) frequencies(body func(k spot, w func(s int) pair)) {
	if n.m == 1 {
		return
	}
	n.Each(loop.Spec{Extent: int64(n.m / 2)}, func(p int) {
		at := spot{terms: []loop.Term{{Var: p, Stride: 1}}}
		body(at.plus(1), n.fftNest.roots(n.twiddles, at.times(int64(n.radix-1)), n.radix-1))
	})
}

// short is where number j of the short transforms of a frequency k is, long where frequency k+m*q of the long ones is:
// beyond the middle that is the conjugate of another.
func (n *oddNest) short(k spot, j int) spot {
	return k.times(int64(n.radix * n.stride)).plus(int64(j * n.stride))
}

func (n *oddNest) long(k spot, q int) (at spot, conjugate bool) {
	if q <= n.radix/2 {
		return k.plus(int64(q * n.m)).times(int64(n.stride)), false
	}
	return k.times(-1).plus(int64((n.radix - q) * n.m)).times(int64(n.stride)), true
}

// conj is the conjugate of x if so told.
func (n *oddNest) conj(x pair, yes bool) pair {
	if yes {
		x.im = n.Op(loop.Neg, n.kind, x.im)
	}
	return x
}

// oddStage adds a stage of the transform, and returns where its result is.
func (l *lineFFT) oddStage(s oddStage, at place) place {
	n, p := l.newOddNest("odd", s, at, l.planes()), l.planes()
	n.positions(func(v int) {
		x := make([]loop.Value, s.radix)
		for j := range x {
			x[j] = n.load(n.src, p, n.short(spot{}, j), v).re
		}
		n.dftReal(x, func(q int, y pair) {
			to, _ := n.long(spot{}, q)
			n.store(n.dst, p, to, v, y)
		})
	})
	n.frequencies(func(k spot, w func(s int) pair) {
		n.positions(func(v int) {
			x := make([]pair, s.radix)
			for j := range x {
				if x[j] = n.load(n.src, p, n.short(k, j), v); j > 0 {
					x[j] = n.mul(x[j], w(j-1))
				}
			}
			n.dftEach(s.radix, func(j int) pair { return x[j] }, func(q int, y pair) {
				to, conjugate := n.long(k, q)
				n.store(n.dst, p, to, v, n.conj(y, conjugate))
			})
		})
	})
	l.add(n.st, n.fftNest)
	return n.st.to
}

// inverseOddStage adds what takes a stage back.
func (l *lineFFT) inverseOddStage(s oddStage, at place, source side) place {
	n, p := l.newOddNest("inverse", s, at, source), l.planes()
	n.positions(func(v int) {
		x := make([]pair, s.radix/2+1)
		for q := range x {
			from, _ := n.long(spot{}, q)
			x[q] = n.load(n.src, source, from, v)
		}
		n.inverseReal(x, func(j int, y loop.Value) {
			n.Store(p.access(n.dst[0], n.mem, n.short(spot{}, j), v, 1, 0), y, 0)
		})
	})
	n.frequencies(func(k spot, w func(s int) pair) {
		n.positions(func(v int) {
			n.dftEach(s.radix, func(q int) pair { // parts exchanged
				from, conjugate := n.long(k, q)
				z := n.conj(n.load(n.src, source, from, v), conjugate)
				return pair{z.im, z.re}
			}, func(j int, y pair) {
				if j > 0 {
					y = n.mul(y, w(j-1))
				}
				n.store(n.dst, p, n.short(k, j), v, pair{y.im, y.re})
			})
		})
	})
	l.add(n.st, n.fftNest)
	return n.st.to
}

// dftReal transforms an odd number of real numbers to their non-negative frequencies, and uses each.
func (n *fftNest) dftReal(x []loop.Value, use func(q int, y pair)) {
	r := len(x)
	sums, diffs, total := make([]loop.Value, r/2), make([]loop.Value, r/2), x[0]
	for j := range sums {
		sums[j], diffs[j] = n.Op(loop.Add, n.kind, x[j+1], x[r-1-j]), n.Op(loop.Sub, n.kind, x[j+1], x[r-1-j])
		total = n.Op(loop.Add, n.kind, total, sums[j])
	}
	use(0, pair{total, n.Float(n.kind, 0)})
	for q := 1; q <= r/2; q++ {
		re, im := x[0], loop.Value(0)
		for j := range sums {
			w := root((j+1)*q, r)
			re = n.Op(loop.FMA, n.kind, n.Float(n.kind, real(w)), sums[j], re)
			im = n.fma(j == 0, n.Float(n.kind, imag(w)), diffs[j], im)
		}
		use(q, pair{re, im})
	}
}

// fma is a*b + c, or a*b in the first turn.
func (n *fftNest) fma(first bool, a, b, c loop.Value) loop.Value {
	if first {
		return n.Op(loop.Mul, n.kind, a, b)
	}
	return n.Op(loop.FMA, n.kind, a, b, c)
}

// inverseReal is the inverse of dftReal, unscaled; the imaginary part of the first frequency is of no meaning.
func (n *fftNest) inverseReal(x []pair, use func(j int, y loop.Value)) {
	half := len(x) - 1
	r := 2*half + 1
	two, sum := n.Float(n.kind, 2), x[0].re
	for _, z := range x[1:] {
		sum = n.Op(loop.FMA, n.kind, two, z.re, sum)
	}
	use(0, sum)
	for j := 1; j <= half; j++ {
		even, odd := x[0].re, loop.Value(0)
		for q := 1; q <= half; q++ {
			w := 2 * root(j*q, r)
			even = n.Op(loop.FMA, n.kind, n.Float(n.kind, real(w)), x[q].re, even)
			odd = n.fma(q == 1, n.Float(n.kind, imag(w)), x[q].im, odd)
		}
		use(j, n.Op(loop.Add, n.kind, even, odd))
		use(r-j, n.Op(loop.Sub, n.kind, even, odd))
	}
}
