package native

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/goxla/xla/cpu/loop"
)

// vectorPrimes are the prime factors of lengths that are stages of their own. Larger ones hold more numbers than there
// is room for, and take as long as a convolution.
var vectorPrimes = [...]int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}

// radicesOf returns the radices of n: eights, at most two fours or a two, then odd ones; nil where there is a prime
// factor too large.
func radicesOf(n int) []int { return radicesIn(n, vectorPrimes[:]) }

// radicesIn is radicesOf for given primes.
func radicesIn(n int, primes []int) []int {
	radices := []int{}
	twos := bits.TrailingZeros(uint(n))
	for ; twos >= 3 && twos != 4; twos -= 3 {
		radices, n = append(radices, 8), n/8
	}
	for n%4 == 0 {
		radices, n = append(radices, 4), n/4
	}
	for _, p := range primes {
		for n%p == 0 {
			radices, n = append(radices, p), n/p
		}
	}
	if n > 1 {
		return nil
	}
	return radices
}

// place is what a step of lines reads or writes: arrays of the caller, or planes of the worker.
type place int

const (
	outside place = iota // the source in the first step, the destination in the last
	planesA
	planesB
	numbersB // the memory of planesB as lines of numbers side by side; see turnIn
)

// step runs a kernel.
type step struct {
	kernel   int
	extent   int64 // of the kernel's outermost loop
	from, to place
	tables   [][]byte
	extra    bool // the kernel is also given a table of the bundle's own
}

// lineFFT is the transform of a number of lines side by side.
type lineFFT struct {
	*vectorFFT
	n, lanes int // elements and number of lines
	room     int // elements of a plane for each lane
	steps    []step
}

// planes is the side of planes of l, as the number of lanes says.
func (l *lineFFT) planes() side { return side{planes: true, pitch: int64(l.lanes), lane: 1} }

// turning changes the result number at of lines, lane by lane.
type turning struct {
	tables func(n *fftNest, l *lineFFT) [2]int
	apply  func(n *fftNest, tables [2]int, at spot, v int, x pair) pair
	data   [][]byte
}

// newLineFFT plans the transform of lines of n elements from one place to another. last, if not nil, is applied to the
// results.
func (f *vectorFFT) newLineFFT(n, lanes int, from, to side, last *turning) *lineFFT {
	l := &lineFFT{vectorFFT: f, n: n, lanes: lanes, room: n}
	l.transform(outside, from, to, last)
	return l
}

// transform adds the steps of a transform, and returns where the result is. Where lanes are adjacent outside, the first
// and the last stage go there directly.
func (l *lineFFT) transform(at place, from, to side, last *turning) place {
	radices := radicesOf(l.n)
	if radices == nil {
		if s := smooth(l.n); s > 1 && last == nil {
			return l.mixed(s, at, from, to)
		}
		return l.chirp(at, from, to, last)
	}
	switch {
	case len(radices) > 0 && from.adjacent():
		from, at = l.turnIn(l.n, from, at)
	case from.lane != 1 || len(radices) == 0:
		at = l.move(l.n, from, l.planes(), at, l.other(at))
		from = l.planes()
	}
	if to.lane == 1 && len(radices) > 0 {
		return l.stages(l.n, radices, at, from, to, last)
	}
	return l.moveOut(to, l.stages(l.n, radices, at, from, l.planes(), last))
}

// smooth is the largest divisor of n of small prime factors.
func smooth(n int) int {
	rest := n
	for _, p := range vectorPrimes {
		for rest%p == 0 {
			rest /= p
		}
	}
	return n / rest
}

// mixed adds the steps of a transform whose length has s as a factor: those of s, behind which s lines of the rest lie
// side by side for each.
func (l *lineFFT) mixed(s int, at place, from, to side) place {
	if from.adjacent() {
		from, at = l.turnIn(l.n, from, at)
	} else if from.lane != 1 {
		at = l.move(l.n, from, l.planes(), at, l.other(at))
		from = l.planes()
	}
	at = l.stages(l.n, radicesOf(s), at, from, l.planes(), nil)
	rest := *l
	rest.n, rest.lanes, rest.room = l.n/s, l.lanes*s, 0
	at = rest.chirp(at, rest.planes(), rest.planes(), nil)
	l.steps, l.room = rest.steps, max(l.room, rest.room*s)
	return l.moveOut(to, at)
}

// moveOut adds a step that brings results from planes to another side, if it is one.
func (l *lineFFT) moveOut(to side, at place) place {
	if to.planes {
		return at
	}
	if to.adjacent() {
		return l.turnOut(l.n, to, at)
	}
	return l.move(l.n, l.planes(), to, at, outside)
}

// stages adds the stages of a transform of n elements, and returns where its result is.
func (l *lineFFT) stages(n int, radices []int, at place, from, to side, last *turning) place {
	stride, rest := 1, n
	for k, r := range radices {
		s := stage{radix: r, m: rest / r, stride: stride}
		next, dst, post := l.other(at), l.planes(), (*turning)(nil)
		if k == len(radices)-1 {
			dst, post = to, last
			if !to.planes {
				next = outside
			}
		}
		l.stage(s, at, next, from, dst, post)
		at, from = next, l.planes()
		rest, stride = rest/r, stride*r
	}
	return at
}

// other is where a step writes that reads from at.
func (l *lineFFT) other(at place) place {
	if at == planesA {
		return planesB
	}
	return planesA
}

// loops runs body for each position of a stride, lane by lane; where all are planes these are one loop.
func (l *lineFFT) loops(n *fftNest, stride int, merged bool, body func(q spot, v int)) {
	switch {
	case merged || stride == 1:
		n.Each(loop.Spec{Extent: int64(stride * l.lanes), Lanes: true}, func(v int) { body(spot{}, v) })
	default:
		n.Each(loop.Spec{Extent: int64(stride)}, func(q int) {
			n.Each(loop.Spec{Extent: int64(l.lanes), Lanes: true}, func(v int) {
				body(spot{terms: []loop.Term{{Var: q, Stride: 1}}}, v)
			})
		})
	}
}

// stageKey says what the kernel of a stage does, where nothing is done to the results.
type stageKey struct {
	radix, m, stride, lanes int
	from, to                side
}

// stage adds one stage. What it does is said at the type of stage. Stages that do the same share their kernel.
func (l *lineFFT) stage(s stage, at, next place, from, to side, post *turning) {
	key := stageKey{s.radix, s.m, s.stride, l.lanes, from, to}
	st, made := l.made[key]
	if !made || post != nil {
		st = l.newStage(s, from, to, post)
	}
	if post == nil {
		l.made[key] = st
	}
	st.from, st.to = at, next
	l.steps = append(l.steps, st)
}

// newStage makes the kernel of a stage.
func (l *lineFFT) newStage(s stage, from, to side, post *turning) step {
	n := l.newNest(fmt.Sprintf("fft.radix%d", s.radix))
	whole := int64(s.radix * s.m * s.stride)
	src, dst := n.buffers("x", from, whole, int64(l.lanes), false), n.buffers("y", to, whole, int64(l.lanes), true)
	var st step
	twiddles := 0
	if s.m > 1 {
		twiddles = n.table("twiddles", int64(s.m*(s.radix-1)))
		st.tables = append(st.tables, l.twiddles(s))
	}
	var more [2]int
	if post != nil {
		more, st.extra = post.tables(n, l), true
		st.tables = append(st.tables, post.data...)
	}
	butterfly := func(p spot, w func(k int) pair) {
		l.loops(n, s.stride, from.planes && to.planes && post == nil, func(q spot, v int) {
			n.dftEach(s.radix, func(k int) pair {
				in := p.times(int64(s.stride)).plus(int64(k * s.m * s.stride))
				return n.load(src, from, spot{in.first, append(in.terms, q.terms...)}, v)
			}, func(k int, y pair) {
				if k > 0 && w != nil {
					y = n.mul(y, w(k-1))
				}
				out := p.times(int64(s.radix * s.stride)).plus(int64(k * s.stride))
				out.terms = append(out.terms, q.terms...)
				if post != nil {
					y = post.apply(n, more, out, v, y)
				}
				n.store(dst, to, out, v, y)
			})
		})
	}
	if s.m == 1 {
		butterfly(spot{}, nil)
	} else {
		n.Each(loop.Spec{Extent: int64(s.m)}, func(p int) {
			at := spot{terms: []loop.Term{{Var: p, Stride: 1}}}
			butterfly(at, n.roots(twiddles, at.times(int64(s.radix-1)), s.radix-1))
		})
	}
	return l.runs(n, st)
}

// runs returns st as a step that runs the nest.
func (l *lineFFT) runs(n *fftNest, st step) step {
	st.kernel, st.extent = l.nest(n), 1
	if outer := l.nests[st.kernel].Outermost(); outer != nil {
		st.extent = outer.Extent
	}
	return st
}

// add adds a step that runs the nest.
func (l *lineFFT) add(st step, n *fftNest) { l.steps = append(l.steps, l.runs(n, st)) }

// move adds a step that copies elements from one side to another, and returns where they are then.
func (l *lineFFT) move(count int, from, to side, at, next place) place {
	n := l.newNest("fft.move")
	src := n.buffers("x", from, int64(count), int64(l.lanes), false)
	dst := n.buffers("y", to, int64(count), int64(l.lanes), true)
	l.each(n, count, func(j spot, v int) { n.store(dst, to, j, v, n.load(src, from, j, v)) })
	l.add(step{from: at, to: next}, n)
	return next
}

// each runs body for count elements, lane by lane.
func (l *lineFFT) each(n *fftNest, count int, body func(j spot, v int)) {
	n.Each(loop.Spec{Extent: int64(count)}, func(j int) {
		n.Each(loop.Spec{Extent: int64(l.lanes), Lanes: true}, func(v int) {
			body(spot{terms: []loop.Term{{Var: j, Stride: 1}}}, v)
		})
	})
}

// twiddles is the table of a stage.
func (l *lineFFT) twiddles(s stage) []byte {
	key := [2]int{s.radix, s.m}
	if l.tables[key] == nil {
		l.tables[key] = l.numbersOf(s.m*(s.radix-1), func(add func(complex128)) { eachTwiddle(s.radix, s.m, add) })
	}
	return l.tables[key]
}

// lineSpace is the memory of one worker: planes, and the table of a bundle.
type lineSpace struct {
	words  []uint64
	planes [4][2][]byte // by place
	table  []byte
	list   [12][]byte // what a kernel works on
}

// planeGap keeps planes from lying a multiple of a page apart, where their elements would compete for the same lines
// of the cache.
const planeGap = 17 * 64

// space makes room for l in s.
func (l *lineFFT) space(s *lineSpace) {
	plane := (l.room*l.lanes*int(l.size)+63)&^63 + planeGap
	s.words = resized(s.words, (4*plane+l.n*int(2*l.size))/8+8)
	b := part[byte](s.words, 8*len(s.words))
	b = b[-int(uintptr(unsafe.Pointer(&b[0]))&63)&63:]
	for k := range 4 {
		s.planes[planesA+place(k/2)][k%2] = b[k*plane : (k+1)*plane]
	}
	s.planes[numbersB] = [2][]byte{b[2*plane : 4*plane]}
	s.table = b[4*plane:][:l.n*int(2*l.size)]
}

// run transforms a bundle of lines.
func (l *lineFFT) run(kernels []Kernel, s *lineSpace, src, dst []byte) error {
	for _, st := range l.steps {
		bufs := s.list[:0]
		bufs = appendSide(bufs, s, st.from, src)
		bufs = appendSide(bufs, s, st.to, dst)
		bufs = append(bufs, st.tables...)
		if st.extra {
			bufs = append(bufs, s.table)
		}
		if err := kernels[st.kernel].Run(bufs, 0, st.extent); err != nil {
			return err
		}
	}
	return nil
}

func appendSide(bufs [][]byte, s *lineSpace, p place, array []byte) [][]byte {
	switch p {
	case outside:
		return append(bufs, array)
	case numbersB:
		return append(bufs, s.planes[p][0])
	}
	return append(bufs, s.planes[p][0], s.planes[p][1])
}
