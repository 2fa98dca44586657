package native

import "github.com/goxla/xla/cpu/loop"

// Lines whose elements are adjacent are brought side by side, and back, in squares that machine code turns in
// registers: a loop of lanes, which reads elements far apart, stands in a parallel loop along their neighbours.

// around runs body in a loop of one iteration: the parallel loop in it is not one that is run in parts.
func (n *fftNest) around(body func()) {
	n.whole = true
	n.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) { body() })
}

// along is the element that loop v is at.
func along(v int) spot { return spot{terms: []loop.Term{{Var: v, Stride: 1}}} }

// turn adds a step that brings lines of count numbers, each apart numbers behind the one before, side by side.
func (l *lineFFT) turn(count int, apart int64, at, next place) {
	n := l.newNest("fft.turn")
	rows, columns := side{pitch: 1, lane: apart}, side{pitch: int64(l.lanes), lane: 1}
	src := n.numbers("x", rows, int64(count), int64(l.lanes), false)
	dst := n.numbers("y", columns, int64(count), int64(l.lanes), true)
	n.around(func() {
		n.Each(loop.Spec{Extent: int64(count), Parallel: true}, func(t int) {
			n.Each(loop.Spec{Extent: int64(l.lanes), Lanes: true, Parallel: true}, func(v int) {
				x := n.Load(rows.access(src, n.mem, along(t), v, 1, 0), 0)
				n.Store(columns.access(dst, n.mem, along(t), v, 1, 0), x, 0)
			})
		})
	})
	l.add(step{from: at, to: next}, n)
}

// turnIn adds a step that brings lines of count complex numbers side by side, number by number, and returns where they
// are.
func (l *lineFFT) turnIn(count int, from side, at place) (side, place) {
	l.turn(2*count, 2*from.lane, at, numbersB)
	return side{pitch: 2 * int64(l.lanes), lane: 1, apart: int64(l.lanes), swapped: from.swapped}, numbersB
}

// turnNumbersIn is turnIn for the n real numbers of lines, which then are real parts.
func (l *lineFFT) turnNumbersIn() place {
	l.turn(l.n, int64(l.n), outside, numbersB)
	return planesB
}

// turnOut adds a step that writes count elements of each line one behind the other, and returns where they are.
func (l *lineFFT) turnOut(count int, to side, at place) place {
	n := l.newNest("fft.turn")
	to.pairs = true
	src := n.buffers("x", l.planes(), int64(count), int64(l.lanes), false)
	dst := n.buffers("y", to, int64(count), int64(l.lanes), true)
	n.around(func() {
		n.Each(loop.Spec{Extent: int64(l.lanes), Parallel: true}, func(v int) {
			n.Each(loop.Spec{Extent: int64(count), Lanes: true, Parallel: true}, func(j int) {
				n.store(dst, to, along(j), v, n.load(src, l.planes(), along(j), v))
			})
		})
	})
	l.add(step{from: at, to: outside}, n)
	return outside
}

// turnNumbersOut adds a step that writes the real parts of lines one behind the other, times scale.
func (l *lineFFT) turnNumbersOut(scale float64, at place) {
	n := l.newNest("fft.turn")
	to := side{pitch: 1, lane: int64(l.n)}
	src := n.numbers("x", l.planes(), int64(l.n), int64(l.lanes), false)
	dst := n.numbers("y", to, int64(l.n), int64(l.lanes), true)
	n.around(func() {
		n.Each(loop.Spec{Extent: int64(l.lanes), Parallel: true}, func(v int) {
			n.Each(loop.Spec{Extent: int64(l.n), Lanes: true, Parallel: true}, func(j int) {
				x := n.Load(l.planes().access(src, n.mem, along(j), v, 1, 0), 0)
				if scale != 1 {
					x = n.Op(loop.Mul, n.kind, x, n.Float(n.kind, scale))
				}
				n.Store(to.access(dst, n.mem, along(j), v, 1, 0), x, 0)
			})
		})
	})
	l.add(step{from: at, to: outside}, n)
}
