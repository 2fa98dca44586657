package native

import (
	"math/bits"
	"math/cmplx"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/internal/angle"
)

// chirp adds the steps of the transform of lines of a length with a large prime factor, as type chirp does it.
func (l *lineFFT) chirp(at place, from, to side, last *turning) place {
	n := l.n
	w, kernel := chirpTables(n, n, n)
	roots, swapped := l.numbers(w), l.swapped()
	at = l.convolve(l.chirpIn(at, from, n, len(kernel), roots, anyNumber), kernel)
	if to.lane == 1 && !to.planes {
		return l.product("fft.chirp", n, at, outside, swapped, to, roots, last)
	}
	at = l.product("fft.chirp", n, at, l.other(at), swapped, l.planes(), roots, last)
	if to.planes {
		return at
	}
	return l.move(n, l.planes(), to, at, outside)
}

// swapped is planes with parts exchanged.
func (l *lineFFT) swapped() side {
	s := l.planes()
	s.swapped = true
	return s
}

// convolve adds the steps that convolve what is in planes with what kernel is the transform of, parts exchanged.
func (l *lineFFT) convolve(at place, kernel []complex128) place {
	l.room = max(l.room, len(kernel))
	radices := radicesOf(len(kernel))
	at = l.stages(len(kernel), radices, at, l.planes(), l.planes(), nil)
	at = l.product("fft.kernel", len(kernel), at, l.other(at), l.planes(), l.swapped(), l.numbers(kernel), nil)
	return l.stages(len(kernel), radices, at, l.planes(), l.planes(), nil)
}

// chirpTables returns e^(-πi k²/n) for k < n, and the transform of its conjugate, both ways round, with what scales
// the inverse: as far as results 0..out-1 of elements 0..in-1 need it.
func chirpTables(n, in, out int) (w, kernel []complex128) {
	size := easyLength(in + out - 1)
	w = make([]complex128, n)
	b := make([]complex128, size)
	roots := newRootTable(2 * n)
	for k, square := 0, 0; k < n; k++ { // k² mod 2n
		w[k] = roots.at(square)
		v := cmplx.Conj(w[k]) / complex(float64(size), 0)
		if k < out {
			b[k] = v
		}
		if 0 < k && k < in {
			b[size-k] = v
		}
		square = (square + 2*k + 1) % (2 * n)
	}
	return w, newTransform(size).forward(crew{}, b, make([]complex128, size))
}

// numbering says which elements of lines are real numbers.
type numbering int

const (
	anyNumber numbering = iota
	firstReal           // with its parts exchanged: the first part does not count
	allReal             // the second parts do not count
)

// chirpIn adds the step that multiplies count elements by roots and puts zeros behind them, size in all.
func (l *lineFFT) chirpIn(at place, from side, count, size int, roots []byte, which numbering) place {
	n := l.newNest("fft.chirp")
	src := n.buffers("x", from, int64(count), int64(l.lanes), false)
	dst := n.buffers("y", l.planes(), int64(size), int64(l.lanes), true)
	table, zero := n.table("roots", int64(count)), n.Float(n.kind, 0)
	l.each(n, count, func(j spot, v int) {
		x, w := n.load(src, from, j, v), n.root(table, j)
		if which == allReal {
			w = pair{n.Op(loop.Mul, n.kind, x.re, w.re), n.Op(loop.Mul, n.kind, x.re, w.im)}
		} else {
			w = n.mul(x, w)
		}
		n.store(dst, l.planes(), j, v, w)
	})
	if which == firstReal { // over what is there
		l.each(n, 1, func(j spot, v int) {
			n.store(dst, l.planes(), j, v, pair{zero, n.load(src, from, j, v).im})
		})
	}
	l.each(n, size-count, func(j spot, v int) {
		n.store(dst, l.planes(), j.plus(int64(count)), v, pair{zero, zero})
	})
	next := l.other(at)
	l.add(step{from: at, to: next, tables: [][]byte{roots}}, n)
	return next
}

// realChirpLines transforms lines of n real numbers to their non-negative frequencies, as chirp does it: as only half
// of the results are wanted, the convolution is shorter.
func (f *vectorFFT) realChirpLines(n, lanes int, to side) *lineFFT {
	l := &lineFFT{vectorFFT: f, n: n, lanes: lanes, room: n}
	at, half := l.turnNumbersIn(), n/2+1
	w, kernel := chirpTables(n, n, half)
	roots := l.numbers(w)
	at = l.convolve(l.chirpIn(at, l.planes(), n, len(kernel), roots, allReal), kernel)
	at = l.product("fft.chirp", half, at, l.other(at), l.swapped(), l.planes(), roots, nil)
	l.turnOut(half, to, at)
	return l
}

// inverseChirpLines transforms n/2+1 frequencies of lines to n real numbers: each but the first counts twice, and the
// real parts of results, which are exchanged, are what the other frequencies would make of them.
func (f *vectorFFT) inverseChirpLines(n, lanes int, from side, scale float64) *lineFFT {
	l, half := &lineFFT{vectorFFT: f, n: n, lanes: lanes, room: n}, n/2+1
	from, at := l.turnIn(half, from, outside)
	from.swapped = !from.swapped
	w, kernel := chirpTables(n, half, n)
	twice := make([]complex128, half)
	for k := range twice {
		twice[k] = 2 * w[k]
	}
	at = l.convolve(l.chirpIn(at, from, half, len(kernel), l.numbers(twice), firstReal), kernel)
	at = l.product("fft.chirp", n, at, l.other(at), l.swapped(), l.swapped(), l.numbers(w), nil)
	l.turnNumbersOut(scale, at)
	return l
}

// product adds a step that multiplies elements by those of a table, and returns where they are then.
func (l *lineFFT) product(name string, count int, at, next place, from, to side, factors []byte, last *turning) place {
	n := l.newNest(name)
	src := n.buffers("x", from, int64(count), int64(l.lanes), false)
	dst := n.buffers("y", to, int64(count), int64(l.lanes), true)
	table, st := n.table("factors", int64(count)), step{from: at, to: next, tables: [][]byte{factors}}
	var more [2]int
	if last != nil {
		more, st.extra = last.tables(n, l), true
		st.tables = append(st.tables, last.data...)
	}
	l.each(n, count, func(j spot, v int) {
		y := n.mul(n.load(src, from, j, v), n.root(table, j))
		if last != nil {
			y = last.apply(n, more, j, v, y)
		}
		n.store(dst, to, j, v, y)
	})
	l.add(st, n)
	return next
}

// rootTable gives every root e^(-2πi k/n) as a product of two of few: every 1<<shift-th, and those in between.
type rootTable struct {
	n, shift     int
	coarse, fine []complex128
}

func newRootTable(n int) *rootTable {
	shift := (bits.Len(uint(n-1)) + 1) / 2
	t := &rootTable{n: n, shift: shift, fine: make([]complex128, 1<<shift), coarse: make([]complex128, (n-1)>>shift+1)}
	for k := range t.fine {
		t.fine[k] = root(k, n)
	}
	if n&(1<<shift-1) == 0 {
		all := angle.NewRoots(n >> shift)
		for k := range t.coarse {
			t.coarse[k] = cmplx.Conj(all.At(k))
		}
		return t
	}
	for k := range t.coarse {
		t.coarse[k] = root(k<<shift, n)
	}
	return t
}

// at is root k, 0 <= k < n.
func (t *rootTable) at(k int) complex128 { return t.coarse[k>>t.shift] * t.fine[k&(1<<t.shift-1)] }

// laneRoots gives row j of re and im, of so many lanes, roots j*lane.
func laneRoots[T float32 | float64](re, im []T, lanes int, roots *rootTable) {
	for j := 0; len(re) >= lanes; j++ {
		for c, k := 0, 0; c < lanes; c++ {
			w := roots.at(k)
			re[c], im[c] = T(real(w)), T(imag(w))
			if k += j; k >= roots.n {
				k -= roots.n
			}
		}
		re, im = re[lanes:], im[lanes:]
	}
}

// rotated multiplies results by the roots of a matrix of lines: result j of column lo+lane by root j*(lo+lane) of n. A
// table has those of the lanes; what lo adds is in the bundle's own.
func (f *vectorFFT) rotated(n1, lanes int, roots *rootTable) *turning {
	re, im := make([]byte, n1*lanes*int(f.size)), make([]byte, n1*lanes*int(f.size))
	if f.kind == loop.F64 {
		laneRoots(view[float64](re), view[float64](im), lanes, roots)
	} else {
		laneRoots(view[float32](re), view[float32](im), lanes, roots)
	}
	return &turning{
		data: [][]byte{re, im},
		tables: func(n *fftNest, l *lineFFT) [2]int {
			bytes := int64(n1*lanes) * n.mem.Bytes()
			first := n.Buffer(loop.Buffer{Name: "turns.re", Bytes: bytes})
			n.Buffer(loop.Buffer{Name: "turns.im", Bytes: bytes})
			return [2]int{first, n.table("turn", int64(n1))}
		},
		apply: func(n *fftNest, tables [2]int, at spot, v int, x pair) pair {
			planes := side{planes: true, pitch: int64(lanes), lane: 1}
			turn := n.load([2]int{tables[0], tables[0] + 1}, planes, at, v)
			return n.mul(x, n.mul(turn, n.root(tables[1], at)))
		},
	}
}
