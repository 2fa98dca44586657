package native

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// fftPlanner makes the passes of a transform, dimension by dimension.
type fftPlanner struct {
	*vectorFFT
	cur     array // what the next pass reads
	inverse bool
	scale   float64
	first   bool // the next pass reads the operand: an inverse exchanges real and imaginary parts there
}

// shortLine is the length up to which a few lines are not worth being cut in two if they fill lanes, leastSplit that
// from which on they are if they do not; longVector is the length from which on lines are cut however many there are,
// so that a bundle of them fits the cache.
const (
	shortLine  = 256
	leastSplit = 96
	longVector = 1 << 12
)

const (
	// leastLanes are those of a bundle: complex numbers of 64 bits fill a line of the cache. Those of wide vectors are
	// twice as many for lines up to wideLine.
	leastLanes = 8
	wideLine   = 1 << 10
	// shortBundle is how many elements a bundle of short lines has about: each step is a call.
	shortBundle = 1024
)

// plan makes the passes of i; false for lengths that they are not made for.
func (f *vectorFFT) plan(i *hlo.Instruction) bool {
	a, x, y := i.Attrs().(*op.FftAttrs), i.Operand(0).Shape(), i.Shape()
	p := &fftPlanner{vectorFFT: f, scale: 1, first: true, inverse: a.Type == op.IFFT || a.Type == op.IRFFT}
	if p.inverse {
		for _, d := range a.Length {
			p.scale /= float64(d)
		}
	}
	dims := x.Dims // of the complex array
	if a.Type == op.RFFT {
		dims = y.Dims
	}
	last, n := len(dims)-1, a.Length[len(a.Length)-1]
	isReal := a.Type == op.RFFT || a.Type == op.IRFFT
	if isReal && n < 2 {
		return false
	}
	var order []int
	for d := x.Rank() - len(a.Length); d < last; d++ {
		order = append(order, d)
	}
	rows := 1
	for _, d := range dims[:last] {
		rows *= d
	}
	ok := true
	switch {
	case a.Type == op.IRFFT:
		for _, d := range order {
			ok = ok && p.columns(linesOf(dims, d), false)
		}
		if n%2 == 1 {
			return ok && p.inverseOddRows(rows, n)
		}
		return ok && p.inverseRows(rows, n/2)
	case a.Type == op.RFFT && n%2 == 1:
		ok = p.oddRows(rows, n)
	case a.Type == op.RFFT:
		ok = p.realRows(rows, n/2)
	default: // the rows last: they write the result in its order
		for _, d := range order {
			ok = ok && p.columns(linesOf(dims, d), false)
		}
		ok, order = ok && p.rows(rows, n, true), nil
	}
	slices.Reverse(order)
	for k, d := range order {
		ok = ok && p.columns(linesOf(dims, d), k == len(order)-1)
	}
	if ok {
		f.passes[len(f.passes)-1].to = result
	}
	return ok
}

// add adds a pass whose result has a number of bytes.
func (p *fftPlanner) add(s *pass, bytes int) {
	s.from = p.cur
	s.to = temp0
	if p.cur == temp0 && !s.inPlace() {
		s.to = temp1
	}
	k := s.to - temp0
	p.temps[k] = max(p.temps[k], bytes)
	p.cur, p.first = s.to, false
	p.passes = append(p.passes, s)
}

// source is the side of what the next pass reads, and target that of what it writes, at the end of all if final.
func (p *fftPlanner) source(pitch, lane int) side {
	return side{pitch: int64(pitch), lane: int64(lane), swapped: p.inverse && p.first}
}

func (p *fftPlanner) target(pitch, lane int, final bool) side {
	s := side{pitch: int64(pitch), lane: int64(lane)}
	if final {
		s.swapped, s.scale = p.inverse, p.scale
	}
	return s
}

// bundle is how many lanes a bundle has of count lines of n elements.
func (p *fftPlanner) bundle(n, count int) int {
	lanes := leastLanes
	if p.wide && p.kind == loop.F32 && n <= wideLine {
		lanes *= 2
	}
	return min(count, lanes*max(1, shortBundle/(lanes*n)))
}

// canDo reports whether lines of n elements can be transformed as they are.
func canDo(n int) bool { return radicesOf(n) != nil || n <= longVector }

// columns transforms lines whose elements are apart; lines of one element stay as they are.
func (p *fftPlanner) columns(l lines, final bool) bool {
	if l.inner == 1 {
		return p.rows(l.count, l.n, final)
	}
	if !canDo(l.n) {
		return false
	}
	s := &pass{outer: l.count / l.inner, inner: l.inner, fromLane: 2, toLane: 2, fromOuter: 2 * l.n * l.inner,
		toOuter: 2 * l.n * l.inner}
	s.lines = p.newLineFFT(l.n, p.bundle(l.n, l.inner), p.source(l.inner, 1), p.target(l.inner, 1, final), nil)
	p.add(s, 2*l.n*l.count*int(p.size))
	return true
}

// rows transforms lines whose elements are adjacent.
func (p *fftPlanner) rows(count, n int, final bool) bool {
	n1, few := balanced(n), count < leastLanes/2 && count*n < 2*shortLine
	if few && n <= shortLine && (n < leastSplit || n1 == 1) {
		return false // Go is as fast
	}
	if n <= longVector && !few && (count >= leastLanes/2 || n <= shortLine) {
		s := &pass{outer: 1, inner: count, fromLane: 2 * n, toLane: 2 * n}
		s.lines = p.newLineFFT(n, p.bundle(n, count), p.source(1, n), p.target(1, n, final), nil)
		p.add(s, 2*n*count*int(p.size))
		return true
	}
	if n1 == 1 || !canDo(n1) || !canDo(n/n1) {
		return n > longVector && p.longChirp(count, n, final)
	}
	p.split(count, n1, n/n1, final)
	return true
}

// split transforms each row as type split does.
func (p *fftPlanner) split(count, n1, n2 int, final bool) {
	n := n1 * n2
	roots, lanes := newRootTable(n), p.bundle(n1, n2)
	one := &pass{outer: count, inner: n2, fromLane: 2, toLane: 2, fromOuter: 2 * n, toOuter: 2 * n}
	one.turn = func(table []byte, lo int) { p.turns(table, roots, lo) }
	one.lines = p.newLineFFT(n1, lanes, p.source(n2, 1), p.target(n2, 1, false), p.rotated(n1, lanes, roots))
	p.add(one, 2*n*count*int(p.size))
	two := &pass{outer: count, inner: n1, fromLane: 2 * n2, toLane: 2, fromOuter: 2 * n, toOuter: 2 * n}
	two.lines = p.newLineFFT(n2, p.bundle(n2, n1), p.source(1, n2), p.target(n1, 1, final), nil)
	p.add(two, 2*n*count*int(p.size))
}

// turns sets the table to roots 0, lo, 2*lo ..
func (f *vectorFFT) turns(table []byte, roots *rootTable, lo int) {
	at := 0
	step := func() complex128 {
		w := roots.at(at)
		if at += lo; at >= roots.n {
			at -= roots.n
		}
		return w
	}
	if f.kind == loop.F64 {
		for k := range view[complex128](table) {
			view[complex128](table)[k] = step()
		}
		return
	}
	for k := range view[complex64](table) {
		view[complex64](table)[k] = complex64(step())
	}
}
