package native

import (
	"sync/atomic"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// Transforms of 2h real numbers are those of h complex ones, even elements + i·odd ones, and a step in front of or
// behind them: type fft has the formulas in Go.

// realRows transforms rows of 2h real numbers to their non-negative frequencies.
func (p *fftPlanner) realRows(count, h int) bool {
	bytes := 2 * (h + 1) * count * int(p.size)
	roots := newRootTable(2 * h)
	if h <= longVector && count >= leastLanes/2 {
		s := &pass{outer: 1, inner: count, fromLane: 2 * h, toLane: 2 * (h + 1)}
		s.lines = p.realLines(h, p.bundle(h, count), p.source(1, h), p.target(1, h+1, false), roots)
		p.add(s, bytes)
		return true
	}
	if !p.rows(count, h, false) {
		return false
	}
	p.add(&pass{whole: p.frequencies(count, h, roots)}, bytes)
	return true
}

// rootsOf are the roots 0..count-1.
func (f *vectorFFT) rootsOf(t *rootTable, count int) []byte {
	return f.numbersOf(count, func(add func(complex128)) {
		for k := range count {
			add(t.at(k))
		}
	})
}

// realLines is newLineFFT with the step behind it.
func (f *vectorFFT) realLines(h, lanes int, from, to side, roots *rootTable) *lineFFT {
	l := &lineFFT{vectorFFT: f, n: h, lanes: lanes, room: h + 1}
	at, p := l.transform(outside, from, l.planes(), nil), l.planes()
	n := l.newNest("fft.real")
	z := n.buffers("z", p, int64(h), int64(lanes), false)
	y := n.buffers("y", p, int64(h+1), int64(lanes), true)
	table := n.table("roots", int64(h))
	n.Each(loop.Spec{Extent: int64(lanes), Lanes: true}, func(v int) {
		u, zero := n.load(z, p, spot{}, v), n.Float(n.kind, 0)
		n.store(y, p, spot{}, v, pair{n.Op(loop.Add, n.kind, u.re, u.im), zero})
		n.store(y, p, spot{first: int64(h)}, v, pair{n.Op(loop.Sub, n.kind, u.re, u.im), zero})
	})
	if h > 1 {
		l.each(n, h-1, func(j spot, v int) {
			k := j.plus(1)
			u, w := n.load(z, p, k, v), n.load(z, p, j.times(-1).plus(int64(h-1)), v)
			n.store(y, p, k, v, n.frequency(u, w, n.root(table, k)))
		})
	}
	next := l.other(at)
	l.add(step{from: at, to: next, tables: [][]byte{f.rootsOf(roots, h)}}, n)
	l.turnOut(h+1, to, next)
	return l
}

// frequency is ((u + v) - i·w·(u - v)) / 2 of v, the conjugate of z.
func (n *fftNest) frequency(u, z, w pair) pair {
	v := pair{z.re, n.Op(loop.Neg, n.kind, z.im)}
	half := n.Float(n.kind, 0.5)
	x := n.subI(n.add(u, v), n.mul(w, n.sub(u, v)))
	return pair{n.Op(loop.Mul, n.kind, x.re, half), n.Op(loop.Mul, n.kind, x.im, half)}
}

// element is (u + v) + i·conj(w)·(u - v), of v, the conjugate of x.
func (n *fftNest) element(u, x, w pair) pair {
	v := pair{x.re, n.Op(loop.Neg, n.kind, x.im)}
	return n.addI(n.add(u, v), n.mul(pair{w.re, n.Op(loop.Neg, n.kind, w.im)}, n.sub(u, v)))
}

// frequencies returns the step behind the transform of rows that were cut in two.
func (p *fftPlanner) frequencies(count, h int, t *rootTable) wholePass {
	n := p.newNest("fft.real")
	k := p.mirrored(n, h, false, false, n.frequency)
	roots, row := p.rootsOf(t, h), 2*h*int(p.size)
	return func(pool *exec.Pool, kernels []Kernel, from, to []byte) error {
		for r := range count {
			z, y := from[r*row:(r+1)*row], to[r*(row+2*int(p.size)):][:row+2*int(p.size)]
			if p.kind == loop.F64 {
				ends(view[float64](z), view[float64](y))
			} else {
				ends(view[float32](z), view[float32](y))
			}
			if err := runParts(pool, kernels[k], h-1, [][]byte{z, y, roots}); err != nil {
				return err
			}
		}
		return nil
	}
}

// ends sets the first and the last frequency, which are real.
func ends[T float32 | float64](z, y []T) {
	last := len(y) - 2
	y[0], y[1], y[last], y[last+1] = z[0]+z[1], 0, z[0]-z[1], 0
}

// mirrored adds a nest that sets elements 1..h-1 to f of an element of the source, its mirror image and a root; parts
// are exchanged in the source, or in the result.
func (p *fftPlanner) mirrored(n *fftNest, h int, from, to bool, f func(u, v, w pair) pair) int {
	bytes := int64(h) * 2 * n.mem.Bytes()
	one, back := side{pitch: 1, lane: 1, swapped: from}, side{pitch: 1, lane: -1, swapped: from}
	z := n.Buffer(loop.Buffer{Name: "z", Bytes: bytes})
	y := n.Buffer(loop.Buffer{Name: "y", Bytes: bytes, Write: true})
	roots := n.Buffer(loop.Buffer{Name: "roots", Bytes: bytes})
	n.Each(loop.Spec{Extent: int64(h - 1), Lanes: true, Parallel: true}, func(v int) {
		same := func(b int) [2]int { return [2]int{b, b} }
		u, w := n.load(same(z), one, spot{first: 1}, v), n.load(same(z), back, spot{first: int64(h - 1)}, v)
		r := n.load(same(roots), side{pitch: 1, lane: 1}, spot{first: 1}, v)
		n.store(same(y), side{pitch: 1, lane: 1, swapped: to}, spot{first: 1}, v, f(u, w, r))
	})
	return p.nest(n)
}

// inverseRows transforms rows of h+1 frequencies to 2h real numbers. Frequencies that are their own conjugates count
// as real.
func (p *fftPlanner) inverseRows(count, h int) bool {
	bytes, roots := 2*h*count*int(p.size), newRootTable(2*h)
	if h <= longVector && count >= leastLanes/2 {
		s := &pass{outer: 1, inner: count, fromLane: 2 * (h + 1), toLane: 2 * h}
		s.lines = p.inverseLines(h, p.bundle(h, count), p.frequencySide(h+1), p.target(1, h, true), roots)
		p.add(s, bytes)
	} else {
		p.add(&pass{whole: p.elements(count, h, roots, p.frequencySide(1))}, bytes)
		if !p.rows(count, h, true) {
			return false
		}
	}
	p.passes[len(p.passes)-1].to = result
	return true
}

// frequencySide is the side of frequencies, whose parts earlier passes have exchanged.
func (p *fftPlanner) frequencySide(lane int) side {
	return side{pitch: 1, lane: int64(lane), swapped: !p.first}
}

// inverseLines is newLineFFT with the step in front of it.
func (f *vectorFFT) inverseLines(h, lanes int, from, to side, roots *rootTable) *lineFFT {
	l := &lineFFT{vectorFFT: f, n: h, lanes: lanes, room: h + 1}
	from, at := l.turnIn(h+1, from, outside)
	n := f.newNest("fft.real")
	x := n.buffers("x", from, int64(h+1), int64(lanes), false)
	z := n.buffers("z", l.planes(), int64(h), int64(lanes), true)
	table, out := n.table("roots", int64(h)), l.planes()
	out.swapped = true
	n.Each(loop.Spec{Extent: int64(lanes), Lanes: true}, func(v int) {
		a, b := n.load(x, from, spot{}, v).re, n.load(x, from, spot{first: int64(h)}, v).re
		n.store(z, out, spot{}, v, pair{n.Op(loop.Add, n.kind, a, b), n.Op(loop.Sub, n.kind, a, b)})
	})
	if h > 1 {
		l.each(n, h-1, func(j spot, v int) {
			k := j.plus(1)
			u, w := n.load(x, from, k, v), n.load(x, from, j.times(-1).plus(int64(h-1)), v)
			n.store(z, out, k, v, n.element(u, w, n.root(table, k)))
		})
	}
	l.add(step{from: at, to: planesA, tables: [][]byte{f.rootsOf(roots, h)}}, n)
	l.transform(planesA, l.planes(), to, nil)
	return l
}

// elements returns the step in front of the transform of rows that are cut in two. What it writes has its parts
// exchanged.
func (p *fftPlanner) elements(count, h int, t *rootTable, from side) wholePass {
	n := p.newNest("fft.real")
	k := p.mirrored(n, h, from.swapped, true, n.element)
	roots, row := p.rootsOf(t, h), 2*h*int(p.size)
	first := 0
	if from.swapped {
		first = 1
	}
	return func(pool *exec.Pool, kernels []Kernel, src, dst []byte) error {
		for r := range count {
			x, z := src[r*(row+2*int(p.size)):][:row+2*int(p.size)], dst[r*row:(r+1)*row]
			if p.kind == loop.F64 {
				constant(view[float64](x)[first:], view[float64](z))
			} else {
				constant(view[float32](x)[first:], view[float32](z))
			}
			if err := runParts(pool, kernels[k], h-1, [][]byte{x, z, roots}); err != nil {
				return err
			}
		}
		return nil
	}
}

// constant sets the first element, parts exchanged, from the first and the last frequency.
func constant[T float32 | float64](x, z []T) {
	a, b := x[0], x[len(z)]
	z[0], z[1] = a-b, a+b
}

// runParts runs a kernel with a parallel loop of n iterations.
func runParts(pool *exec.Pool, k Kernel, n int, bufs [][]byte) error {
	var failure atomic.Pointer[error]
	pool.Run(n, max(1<<12, int(wholeRange(n/(4*pool.Threads())))), exec.JobFunc(func(_, lo, hi int) {
		if err := k.Run(bufs, int64(lo), int64(hi)); err != nil {
			first := err
			failure.CompareAndSwap(nil, &first)
		}
	}))
	if err := failure.Load(); err != nil {
		return *err
	}
	return nil
}
