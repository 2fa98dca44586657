package native

import "github.com/goxla/xla/cpu/exec"

// radixRun is the memory of sorts, and the threads that help with one.
type radixRun struct {
	pool         *exec.Pool // nil: none
	words, spare []uint64
	order, next  []uint32
}

// A digit is what one pass of a radix sort looks at.
const (
	digitBits  = 8
	digitCount = 1 << digitBits
)

// insertionLength is the length up to which insertion is faster.
const insertionLength = 40

// radixSort sorts a by the bits from..to-1 of its elements and returns the result, in a or in b, which is as long.
// There are none set from bit to on. Elements that are equal in these bits keep their order.
func radixSort[U unsigned](r *radixRun, a, b []U, from, to uint) []U {
	switch {
	case len(a) <= insertionLength:
		insertionSort(a, from)
		return a
	case r.pool == nil || r.pool.Threads() == 1 || len(a) < parallelLength:
		return radixSerial(a, b, from, to)
	}
	return radixParallel(r.pool, a, b, from, to)
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
		shift := from + digitBits*uint(p)
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
			d := uint8(x >> shift)
			b[at[d]] = x
			at[d]++
		}
		a, b = b, a
	}
	return a
}

// chunksPerThread is how many chunks a thread gets of an array that several sort.
const chunksPerThread = 2

// radixParallel cuts the array into chunks, each of which has places of its own for each digit.
func radixParallel[U unsigned](pool *exec.Pool, a, b []U, from, to uint) []U {
	chunks := pool.Threads() * chunksPerThread
	size := (len(a) + chunks - 1) / chunks
	counts := make([][digitCount]uint32, chunks)
	each := func(a []U, f func(at *[digitCount]uint32, a []U)) {
		pool.Run(chunks, 1, exec.JobFunc(func(_, lo, hi int) {
			for k := lo; k < hi; k++ {
				f(&counts[k], a[min(k*size, len(a)):min((k+1)*size, len(a))])
			}
		}))
	}
	for shift := from; shift < to; shift += digitBits {
		each(a, func(at *[digitCount]uint32, a []U) {
			clear(at[:])
			for _, x := range a {
				at[uint8(x>>shift)]++
			}
		})
		if !places(counts, len(a)) {
			continue
		}
		each(a, func(at *[digitCount]uint32, a []U) {
			for _, x := range a {
				d := uint8(x >> shift)
				b[at[d]] = x
				at[d]++
			}
		})
		a, b = b, a
	}
	return a
}

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
