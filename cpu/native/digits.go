package native

import "github.com/goxla/xla/cpu/exec"

// This file orders elements of 1 and 2 bytes by their digits, first the last one, by machine code or not: as there are
// one or two, that is less work than to sort words.

// placeBits is how many bits of a word of 32 the place of an element has behind the digit that is still to be done.
const placeBits = 32 - digitBits

// narrow reports whether n elements with keys of so many bits are ordered by digits.
func narrow(bits uint, n int) bool { return bits <= 16 && n >= digitCount && n <= 1<<placeBits }

// byDigits sorts r.in into r.out.
func (s *sorter) byDigits(r *sortRun) {
	key := &s.keys[0]
	key.digits(&r.radixRun, r.in[key.operand], r.canonical[0])
	if r.crew.Ended() {
		return
	}
	for k, size := range s.sizes {
		ranges(r.crew.Pool, s.n, func(lo, hi int) {
			if to := r.out[k][lo*size : hi*size]; s.index[k] {
				indexPutters[size](to, r.order[lo:hi])
			} else {
				movers[size].permute(to, r.in[k], r.order[lo:hi])
			}
		})
	}
}

func (c ordered[U]) digits(r *radixRun, src []byte, canonical bool) {
	from := view[U](src)
	if canonical {
		r.words = resized(r.words, len(src)/8+1)
		keys := part[U](r.words, len(from))
		for i, x := range from {
			keys[i] = c.canonical(x)
		}
		from = keys
	}
	r.order = resized(r.order, len(from))
	if c.bits() == 8 {
		c.onlyDigit(r, from)
		return
	}
	r.next = resized(r.next, len(from))
	c.lastDigit(r, from)
	digitPass(r, len(from), func(at *[digitCount]uint32, lo, hi int) {
		for _, w := range r.next[lo:hi] {
			at[w>>placeBits]++
		}
	}, func(at *[digitCount]uint32, lo, hi int) {
		to := r.order
		for _, w := range r.next[lo:hi] {
			d := w >> placeBits
			to[at[d]] = w & (1<<placeBits - 1)
			at[d]++
		}
	})
}

// onlyDigit sets r.order to the order of elements of 1 byte.
func (c ordered[U]) onlyDigit(r *radixRun, from []U) {
	var digit [digitCount]uint8
	for x := range digit {
		digit[x] = uint8(c.key(U(x)))
	}
	digitPass(r, len(from), func(at *[digitCount]uint32, lo, hi int) {
		for _, x := range from[lo:hi] {
			at[digit[uint8(x)]]++
		}
	}, func(at *[digitCount]uint32, lo, hi int) {
		to := r.order
		for i, x := range from[lo:hi] {
			d := digit[uint8(x)]
			to[at[d]] = uint32(lo + i)
			at[d]++
		}
	})
}

// lastDigit sets r.next to words in the order of the last digit of the keys: the digit before it, and the place.
func (c ordered[U]) lastDigit(r *radixRun, from []U) {
	negative, flip, shift := c.negative, c.flip, c.shift&(8*sizeOf[U]()-1)
	digitPass(r, len(from), func(at *[digitCount]uint32, lo, hi int) {
		for _, x := range from[lo:hi] {
			at[uint8(x^-(x>>shift)&negative^flip)]++
		}
	}, func(at *[digitCount]uint32, lo, hi int) {
		to := r.next
		for i, x := range from[lo:hi] {
			k := x ^ -(x>>shift)&negative ^ flip
			d := uint8(k)
			to[at[d]] = uint32(k)>>digitBits<<placeBits | uint32(lo+i)
			at[d]++
		}
	})
}

// digitPass does one pass over n elements: each part of them, one for each thread, is counted, and moved to the places
// that follow from all counts.
func digitPass(r *radixRun, n int, count, move func(at *[digitCount]uint32, lo, hi int)) {
	parts, step := 1, n
	if r.crew.Pool != nil && n >= parallelLength {
		parts = r.crew.Pool.Threads()
		step = (n + parts - 1) / parts
	}
	r.counts = resized(r.counts, parts)
	clear(r.counts)
	each := func(f func(at *[digitCount]uint32, lo, hi int)) {
		do := func(_, first, last int) {
			for p := first; p < last; p++ {
				f(&r.counts[p], min(p*step, n), min((p+1)*step, n))
			}
		}
		if parts == 1 {
			do(0, 0, 1)
			return
		}
		r.crew.Pool.Run(parts, 1, exec.JobFunc(do))
	}
	each(count)
	places(r.counts, n)
	each(move)
}
