package native

import (
	"sort"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/order"
)

// This file sorts elements of 1 and 2 bytes by counting them: those with the same bits are the same.

// counting says from how many elements on those of 1 and of 2 bytes are counted: there must be enough of them for each
// of the numbers that they may be.
var counting = [3]int{1: 64, 2: 1 << 14}

// counted reports whether rows of n elements are sorted by counting.
func (c ordered[U]) counted(n int) bool {
	size := sizeOf[U]()
	return int(size) < len(counting) && n >= counting[size]
}

// tablesOf is how many tables bytes are counted in by turns, so that equal neighbours do not wait for each other.
const tablesOf = 4

// sortCounted sets dst to the elements of src in order; false, and dst as it was, if one is looked for and there.
func (c ordered[U]) sortCounted(r *radixRun, dst, src []byte, survey bool) bool {
	to, counts := view[U](dst), r.count(src, sizeOf[U]())
	if survey {
		if nan, zero := c.surveyCounts(counts); nan || zero {
			return false
		}
	}
	sum := uint32(0)
	ends := resized(r.next, len(counts)) // by key
	r.next = ends
	for k := range ends {
		sum += counts[c.restore(U(k))]
		ends[k] = sum
	}
	ranges(r.crew.Pool, len(to), func(lo, hi int) {
		k := sort.Search(len(ends), func(k int) bool { return int(ends[k]) > lo })
		for ; lo < hi; k++ {
			if end := min(int(ends[k]), hi); end > lo {
				fill(to[lo:end], c.restore(U(k)))
				lo = end
			}
		}
	})
	return true
}

// surveyCounts tells which of the values that an order may not tell apart are there.
func (c ordered[U]) surveyCounts(counts []uint32) (nan, negativeZero bool) {
	for x, n := range counts[:int(c.magnitude)+1] {
		if U(x) > c.infinity {
			nan = nan || n+counts[x|1<<c.shift] > 0
		}
	}
	return nan, counts[1<<c.shift] > 0
}

// count returns how many elements of size bytes have each of the bits that there are, in the memory of r.
func (r *radixRun) count(src []byte, size uint) []uint32 {
	if size == 1 {
		return r.count8(src)
	}
	return r.count16(view[uint16](src))
}

func (r *radixRun) count8(a []uint8) []uint32 {
	return r.tables(len(a), 1<<8, func(table []uint32, lo, hi int) {
		var t [tablesOf][1 << 8]uint32
		a := a[lo:hi]
		for ; len(a) >= 4; a = a[4:] {
			t[0][a[0]]++
			t[1][a[1]]++
			t[2][a[2]]++
			t[3][a[3]]++
		}
		for _, x := range a {
			t[0][x]++
		}
		for x := range table {
			table[x] = t[0][x] + t[1][x] + t[2][x] + t[3][x]
		}
	})
}

func (r *radixRun) count16(a []uint16) []uint32 {
	return r.tables(len(a), 1<<16, func(table []uint32, lo, hi int) {
		t := (*[1 << 16]uint32)(table)
		for _, x := range a[lo:hi] {
			t[x]++
		}
	})
}

// tables has n elements counted in tables of the given size, one a thread, and returns their sum.
func (r *radixRun) tables(n, size int, count func(table []uint32, lo, hi int)) []uint32 {
	parts := 1
	if r.crew.Pool != nil && n >= parallelLength {
		parts = r.crew.Pool.Threads()
	}
	r.order = resized(r.order, parts*size)
	clear(r.order)
	all, step := r.order, (n+parts-1)/parts
	each := func(_, first, last int) {
		for p := first; p < last; p++ {
			count(all[p*size:(p+1)*size], min(p*step, n), min((p+1)*step, n))
		}
	}
	if parts == 1 {
		each(0, 0, 1)
		return all
	}
	r.crew.Pool.Run(parts, 1, exec.JobFunc(each))
	for p := 1; p < parts; p++ {
		for k, c := range all[p*size : (p+1)*size] {
			all[k] += c
		}
	}
	return all[:size]
}

// fill sets all elements of a.
func fill[U unsigned](a []U, x U) {
	for i := range a[:min(len(a), 16)] {
		a[i] = x
	}
	for n := 16; n < len(a); n *= 2 {
		copy(a[n:], a[:n])
	}
}

// sortWidened is sortRows by machine code, which sorts the keys as numbers of 4 bytes.
func (c ordered[U]) sortWidened(code *order.Code, r *radixRun, dst, src []byte, n int, u order.Span,
	survey bool) bool {
	if survey {
		if nan, zero := c.survey(src); nan || zero {
			return false
		}
	}
	to, from := view[U](dst), view[U](src)
	r.words = resized(r.words, len(from)/2+1)
	wide := part[int32](r.words, len(from))
	for i, x := range from {
		wide[i] = int32(c.key(x))
	}
	order.Rows(code, wide, n, u)
	for i, k := range wide {
		to[i] = c.restore(U(k))
	}
	return true
}

func (c ordered[U]) scratchOf(n, g, threads int) int {
	if c.counted(n) {
		return 4 << c.bits() * (1 + threads) // tables, and their sums
	}
	return 4 * n * g
}
