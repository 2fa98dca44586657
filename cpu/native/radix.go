package native

import (
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/order"
)

// radixRun is the memory of sorts, and the threads that help with one until it is to end.
type radixRun struct {
	crew         order.Crew
	words, spare []uint64
	order, next  []uint32
	counts       [][digitCount]uint32
}

// A digit is what one pass of a radix sort looks at.
const (
	digitBits  = 8
	digitCount = 1 << digitBits
)

// insertionLength is the length up to which insertion is faster.
const insertionLength = 40

// lowBytes is the memory of elements up to which they are sorted from the last digit on: so much of them, and as much
// to write to, stays in the first cache. More of them are sorted by their first digit before that.
const lowBytes = 32 << 10

// radixSort sorts a by the bits from..to-1 of its elements and returns the result, in a or in b, which is as long.
// There are none set from bit to on. Elements that are equal in these bits keep their order. If the
// crew is to end, the result is of no meaning.
func radixSort[U unsigned](r *radixRun, a, b []U, from, to uint) []U {
	crew := r.crew
	if crew.Pool != nil && (crew.Pool.Threads() == 1 || len(a) < parallelLength) {
		crew.Pool = nil
	}
	radixInto(crew, a, b, from, to, false)
	return a
}

// radixInto sorts a as radixSort does, with b as memory, and leaves the result in a or, if so told, in b.
func radixInto[U unsigned](crew order.Crew, a, b []U, from, to uint, inB bool) {
	short := len(a)*int(sizeOf[U]()) <= lowBytes || to-from <= digitBits
	switch {
	case len(a) <= insertionLength:
		insertionSort(a, from)
	case sizeOf[U]() <= 2 || short && (crew.Pool == nil || to == from): // many of 1 or 2 bytes are counted
		if sorted := radixSerial(a, b, from, to); &sorted[0] == &b[0] {
			a, b, inB = b, a, !inB
		}
	default:
		radixBuckets(crew, a, b, from, to, inB)
		return
	}
	if inB {
		copy(b, a)
	}
}

// radixBuckets sorts by the first digit, and then what has the same one: large buckets on all threads one after the
// other, small ones side by side.
func radixBuckets[U unsigned](crew order.Crew, a, b []U, from, to uint, inB bool) {
	pool, part := crew.Pool, order.Crew{Done: crew.Done}
	var ends [digitCount]uint32
	shift := to - digitBits
	if !spread(pool, a, b, shift, &ends) {
		radixInto(crew, a, b, from, shift, inB)
		return
	}
	large := len(a)
	if pool != nil {
		large = max(parallelLength, len(a)/(2*pool.Threads()))
	}
	bucket := func(d int) (lo, hi int) {
		if d > 0 {
			lo = int(ends[d-1])
		}
		return lo, int(ends[d])
	}
	small := func(_, first, last int) {
		for d := first; d < last && !crew.Ended(); d++ {
			if lo, hi := bucket(d); hi > lo && hi-lo < large {
				radixInto(part, b[lo:hi], a[lo:hi], from, shift, !inB)
			}
		}
	}
	if pool == nil {
		large++
		small(0, 0, digitCount)
		return
	}
	for d := range digitCount {
		if lo, hi := bucket(d); hi-lo >= large && !crew.Ended() {
			radixInto(crew, b[lo:hi], a[lo:hi], from, shift, !inB)
		}
	}
	pool.Run(digitCount, 1, exec.JobFunc(small))
}

// spread moves the elements of a to b in the order of one digit, and sets where those of each digit end. It does
// nothing, and returns false, if there is one digit only.
func spread[U unsigned](pool *exec.Pool, a, b []U, shift uint, ends *[digitCount]uint32) bool {
	chunks, size := 1, len(a)
	if pool != nil {
		chunks = pool.Threads() * chunksPerThread
		size = (len(a) + chunks - 1) / chunks
	}
	counts := make([][digitCount]uint32, chunks)
	each := func(f func(at *[digitCount]uint32, a []U)) {
		do := func(_, lo, hi int) {
			for k := lo; k < hi; k++ {
				f(&counts[k], a[min(k*size, len(a)):min((k+1)*size, len(a))])
			}
		}
		if pool == nil {
			do(0, 0, 1)
			return
		}
		pool.Run(chunks, 1, exec.JobFunc(do))
	}
	each(func(at *[digitCount]uint32, a []U) {
		for _, x := range a {
			at[uint8(x>>(shift&(8*sizeOf[U]()-1)))]++
		}
	})
	if !places(counts, len(a)) {
		return false
	}
	each(func(at *[digitCount]uint32, a []U) {
		for _, x := range a {
			d := uint8(x >> (shift & (8*sizeOf[U]() - 1)))
			b[at[d]] = x
			at[d]++
		}
	})
	*ends = counts[chunks-1]
	return true
}

// insertionSort sorts by the bits from bit from on.
func insertionSort[U unsigned](a []U, from uint) {
	for i := 1; i < len(a); i++ {
		x, k := a[i], i
		for ; k > 0 && a[k-1]>>from > x>>from; k-- {
			a[k] = a[k-1]
		}
		a[k] = x
	}
}

// radixSerial counts all digits in one go.
func radixSerial[U unsigned](a, b []U, from, to uint) []U {
	var counts [8][digitCount]uint32
	passes := int(to-from) / digitBits
	for _, x := range a {
		x >>= from
		for p := range passes {
			counts[p&7][uint8(x)]++
			x = x >> 7 >> 1
		}
	}
	for p := range passes {
		shift := (from + digitBits*uint(p)) & (8*sizeOf[U]() - 1)
		at := &counts[p]
		if at[uint8(a[0]>>shift)] == uint32(len(a)) {
			continue // one digit everywhere
		}
		sum := uint32(0)
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		for _, x := range a {
			d := uint8(x >> (shift & (8*sizeOf[U]() - 1)))
			b[at[d]] = x
			at[d]++
		}
		a, b = b, a
	}
	return a
}

// chunksPerThread is how many chunks a thread gets of an array that several sort.
const chunksPerThread = 2

// places turns the counts of digits in chunks into where the elements with them go; false if all of the n elements
// have one digit.
func places(counts [][digitCount]uint32, n int) bool {
	sum := uint32(0)
	for d := range digitCount {
		before := sum
		for k := range counts {
			count := counts[k][d]
			counts[k][d] = sum
			sum += count
		}
		if int(sum-before) == n {
			return false
		}
	}
	return true
}
