package exec

import "unsafe"

// leastAhead is from how many bytes on a copy has its lines asked for; what is shorter is in the second cache, or is
// soon done.
const leastAhead = 256 << 10

// mostAhead is how much of a copy one call does: the garbage collector does not wait longer for it.
const mostAhead = 512 << 10

// Copy copies from, which is as long, to to. Where the last cache is far, what comes next is asked for early: Go's copy
// does not ask for it, and moves 1 MB and more past the caches, in three times as long.
func Copy(to, from []byte) {
	n := min(len(to), len(from))
	if n < leastAhead || !Host().FarL3() || overlap(to[:n], from[:n]) {
		copy(to, from)
		return
	}
	copyInParts(to[:n], from[:n])
}

// copyInParts copies from to to, which is as long and elsewhere, and begins each vector that it writes at a multiple of
// its size.
func copyInParts(to, from []byte) {
	skew := min(-int(uintptr(unsafe.Pointer(unsafe.SliceData(to)))&(copyBlock-1))&(copyBlock-1), len(to))
	copy(to[:skew], from)
	to, from = to[skew:], from[skew:]
	for len(to) >= copyBlock {
		n := min(len(to), mostAhead) &^ (copyBlock - 1)
		copyAhead(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), n)
		to, from = to[n:], from[n:]
	}
	copy(to, from)
}

// overlap reports whether two pieces of memory of the same size, which is not 0, have a byte in common.
func overlap(a, b []byte) bool {
	p, q := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return p < q+uintptr(len(b)) && q < p+uintptr(len(a))
}
