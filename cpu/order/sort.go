package order

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
)

// most is the most elements that are sorted in registers; so many make two blocks of a partition too.
func (c *Code) most(size int) int { return mostRegs(c.wide) * c.lanes(size) }

// sortRows sorts rows of n elements, which lie one behind the other.
func sortRows[T Word](c *Code, a []T, n int) {
	size := sizeOf[T]()
	for len(a) > 0 {
		rows := min(len(a)/n, max(1, callElements/4/n))
		c.call(networkKernel, size, size, &args{a: unsafe.Pointer(&a[0]), n: n, count: rows, at: n * size})
		a = a[rows*n:]
	}
}

// Rows sorts each of the rows of n elements that a consists of, as far as elements u of it need that.
func Rows[T Word](c *Code, a []T, n int, u Span) {
	switch {
	case n > c.most(sizeOf[T]()):
		for ; len(a) > 0; a = a[n:] {
			quick(c, a[:n], u, depthOf(n))
		}
	case n > 1:
		sortRows(c, a, n)
	}
}

// depthOf is how many partitions of n elements may lie in one another.
func depthOf(n int) int { return 2 * bits.Len(uint(n)) }

// Span is elements Lo..Hi-1 of an array: those that it is sorted for. What belongs in front of them and behind them is
// there, in any order.
type Span struct{ Lo, Hi int }

// All is the span of n elements.
func All(n int) Span { return Span{0, n} }

// in returns what of u is in elements lo..hi-1, counted from lo.
func (u Span) in(lo, hi int) Span { return Span{max(u.Lo, lo) - lo, min(u.Hi, hi) - lo} }

// none reports whether u has no elements.
func (u Span) none() bool { return u.Lo >= u.Hi }

// quick sorts a for u by partitions, at most so many one in the other: then it is another way's turn.
func quick[T Word](c *Code, a []T, u Span, depth int) {
	most := c.most(sizeOf[T]())
	for len(a) > most && !u.none() {
		if depth--; depth < 0 {
			slices.Sort(a)
			return
		}
		lo, hi := cut[T](c, nil, a, u)
		less, more := u.in(0, lo), u.in(hi, len(a))
		if lo < len(a)-hi {
			quick(c, a[:lo], less, depth)
			a, u = a[hi:], more
		} else {
			quick(c, a[hi:], more, depth)
			a, u = a[:lo], less
		}
	}
	if len(a) > 1 && !u.none() {
		sortRows(c, a, len(a))
	}
}

// cut parts a, of more than [Code.most] elements: those from lo to hi are in their places.
func cut[T Word](c *Code, s *splitter[T], a []T, u Span) (lo, hi int) {
	pivot, often := choosePivot(c, a, u)
	lo = split(c, s, a, pivot)
	switch {
	case !often && lo > 0 || len(a)-lo <= c.most(sizeOf[T]()):
		return lo, lo
	case pivot+1 < pivot: // it is the largest number
		return lo, len(a)
	}
	return lo, lo + split(c, s, a[lo:], pivot+1)
}

// samples is how many elements a pivot is chosen of, a power of two.
func samples(n, most int) int {
	switch {
	case n >= 1<<15:
		return min(128, most)
	case n >= 1<<11:
		return min(32, most)
	}
	return min(16, most)
}

// choosePivot returns the median of some elements, or one close to u, and whether several of them are equal to it.
func choosePivot[T Word](c *Code, a []T, u Span) (pivot T, often bool) {
	var list [128]T
	some := list[:samples(len(a), c.most(sizeOf[T]()))]
	step, seed := len(a)>>bits.TrailingZeros(uint(len(some))), uint32(len(a))
	for i := range some {
		seed = seed*1664525 + 1013904223
		some[i] = a[i*step+int(uint64(seed)*uint64(step)>>32)]
	}
	sortRows(c, some, len(some))
	at := u.sample(len(a), len(some))
	return some[at], some[at-1] == some[at] || some[at+1] == some[at]
}

// sample returns which one of so many elements, taken of n and sorted, parts these so that u, on one side of it most
// probably, is in the least of them: never the first one or the last. It is the one in the middle if u is much of all.
func (u Span) sample(n, samples int) int {
	off, mid := samples/16+2, samples/2
	if u == All(n) {
		return mid
	}
	up, down := u.Hi*samples/n+off, u.Lo*samples/n-off
	switch most := mid + mid/2; {
	case up <= most && up <= samples-down:
		return up
	case down >= samples-most:
		return down
	}
	return mid
}

// splitter splits arrays, one after the other: it is the memory of that.
type splitter[T Word] struct {
	code  *Code
	pool  *exec.Pool // whose threads help, if there is one
	a     []T
	pivot T
	// bounds are those of the parts of a, less how many small elements each has in front then.
	bounds, less []int
	large, small [][]T // elements on the wrong side
	swaps        []swap[T]
	swapping     bool // the second half: swaps are done
}

// split moves the elements of a that are less than pivot to its front and returns how many these are. Long arrays are
// split in parts, by the threads of the pool of s if there is one, and then the parts are put together. s may be nil.
func split[T Word](c *Code, s *splitter[T], a []T, pivot T) int {
	chunk := callElements
	if s != nil && s.pool != nil {
		chunk = min(chunk, max(len(a)/s.pool.Threads(), c.most(sizeOf[T]())))
	}
	chunks := max(1, len(a)/chunk)
	if chunks == 1 {
		return splitPart(c, a, pivot)
	}
	if s == nil {
		s = new(splitter[T])
	}
	s.code, s.a, s.pivot, s.swapping = c, a, pivot, false
	s.bounds, s.less = s.bounds[:0], append(s.less[:0], make([]int, chunks)...)
	for k := range chunks {
		s.bounds = append(s.bounds, len(a)/chunks*k)
	}
	s.bounds = append(s.bounds, len(a))
	s.each(chunks)
	total := 0
	for _, n := range s.less {
		total += n
	}
	s.pair(total)
	s.swapping = true
	s.each(len(s.swaps))
	return total
}

// each does parts 0..n-1.
func (s *splitter[T]) each(n int) {
	if s.pool == nil {
		s.Do(0, 0, n)
		return
	}
	s.pool.Run(n, 1, s)
}

// Do splits parts, or does swaps.
func (s *splitter[T]) Do(_, lo, hi int) {
	for k := lo; k < hi; k++ {
		if s.swapping {
			s.swaps[k].do()
		} else {
			s.less[k] = splitPart(s.code, s.a[s.bounds[k]:s.bounds[k+1]], s.pivot)
		}
	}
}

// splitPart is split in one call.
func splitPart[T Word](c *Code, a []T, pivot T) int {
	size := sizeOf[T]()
	r := args{a: unsafe.Pointer(&a[0]), n: len(a), x: [4]uint64{uint64(pivot)}}
	c.call(partitionKernel, size, size, &r)
	return r.count / size
}

// swap is elements to be exchanged.
type swap[T Word] struct{ x, y []T }

// swapLength bounds the elements of a swap.
const swapLength = 1 << 15

// pair finds the swaps that put all small elements, total ones, in front.
func (s *splitter[T]) pair(total int) {
	s.large, s.small, s.swaps = s.large[:0], s.small[:0], s.swaps[:0]
	for k, n := range s.less {
		from, middle, to := s.bounds[k], s.bounds[k]+n, s.bounds[k+1]
		if middle < total {
			s.large = append(s.large, s.a[middle:min(to, total)])
		}
		if middle > total {
			s.small = append(s.small, s.a[max(from, total):middle])
		}
	}
	for large, small := s.large, s.small; len(large) > 0 && len(small) > 0; {
		n := min(len(large[0]), len(small[0]), swapLength)
		if n > 0 {
			s.swaps = append(s.swaps, swap[T]{large[0][:n], small[0][:n]})
		}
		large, small = shortened(large, n), shortened(small, n)
	}
}

// shortened takes n elements off the first array of list.
func shortened[T any](list [][]T, n int) [][]T {
	if list[0] = list[0][n:]; len(list[0]) == 0 {
		return list[1:]
	}
	return list
}

func (s swap[T]) do() {
	var spare [512]T
	for at := 0; at < len(s.x); at += len(spare) {
		x := s.x[at:min(at+len(spare), len(s.x))]
		y := s.y[at:][:len(x)]
		copy(spare[:], x)
		copy(x, y)
		copy(y, spare[:])
	}
}

// cached is the bytes of what is finished in one go: sorted, and made elements again.
const cached = 1 << 18

// Crew is who sorts.
type Crew struct {
	Pool *exec.Pool      // the threads that help; nil: none
	Done <-chan struct{} // once it is closed the sort ends, and the elements are in any order; nil: never
}

// Ended reports whether Done is closed.
func (w Crew) Ended() bool {
	select {
	case <-w.Done:
		return true
	default:
		return false
	}
}

// Sort sorts a, images of elements, for those of u, and sets these to elements.
func Sort[T Word](c *Code, crew Crew, a []T, m Map, u Span) {
	limit := cached / sizeOf[T]()
	pool := crew.Pool
	all := piece[T]{a, u, depthOf(len(a))}
	if pool == nil {
		sortPieces(c, crew, all, limit, m)
		return
	}
	s := &splitter[T]{pool: pool}
	limit = max(limit/8, min(limit, len(a)/(4*pool.Threads())))
	var pieces []piece[T]
	list := []piece[T]{all}
	for len(list) > 0 && !crew.Ended() {
		p := list[len(list)-1]
		list = list[:len(list)-1]
		if p.whole(limit) {
			pieces = append(pieces, p)
			continue
		}
		less, same, more := p.cut(c, s)
		pieces, list = append(pieces, same), append(list, less, more)
	}
	pool.Run(len(pieces), 1, exec.JobFunc(func(_, lo, hi int) {
		for _, p := range pieces[lo:hi] {
			if !crew.Ended() {
				p.sort(c, m)
			}
		}
	}))
}

// piece is a part of an array with what belongs there.
type piece[T Word] struct {
	a     []T
	used  Span
	depth int // below zero: it is sorted
}

// whole reports whether p is not cut any more.
func (p piece[T]) whole(limit int) bool { return len(p.a) <= limit || p.depth <= 0 || p.used.none() }

// sort sorts p, and makes elements of what is used.
func (p piece[T]) sort(c *Code, m Map) {
	if p.used.none() {
		return
	}
	if p.depth >= 0 {
		quick(c, p.a, p.used, p.depth)
	}
	Elements(c, p.a[p.used.Lo:p.used.Hi], m)
}

func (p piece[T]) cut(c *Code, s *splitter[T]) (less, same, more piece[T]) {
	lo, hi := cut(c, s, p.a, p.used)
	return piece[T]{p.a[:lo], p.used.in(0, lo), p.depth - 1}, piece[T]{p.a[lo:hi], p.used.in(lo, hi), -1},
		piece[T]{p.a[hi:], p.used.in(hi, len(p.a)), p.depth - 1}
}

// sortPieces is Sort without a pool.
func sortPieces[T Word](c *Code, crew Crew, p piece[T], limit int, m Map) {
	if crew.Ended() {
		return
	}
	if p.whole(limit) {
		p.sort(c, m)
		return
	}
	less, same, more := p.cut(c, nil)
	same.sort(c, m)
	sortPieces(c, crew, less, limit, m)
	sortPieces(c, crew, more, limit, m)
}
