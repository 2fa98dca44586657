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
	digitPass(r, len(from), func(at *digits, p halves) {
		one, two := r.next[p.lo:p.mid], r.next[p.mid:p.hi]
		for i, v := range one {
			at[0][v>>placeBits]++
			if i < len(two) {
				at[1][two[i]>>placeBits]++
			}
		}
	}, func(at *digits, p halves) {
		to, one, two := r.order, r.next[p.lo:p.mid], r.next[p.mid:p.hi]
		for i, v := range one {
			d := v >> placeBits
			to[at[0][d]] = v & (1<<placeBits - 1)
			at[0][d]++
			if i < len(two) {
				w := two[i]
				d := w >> placeBits
				to[at[1][d]] = w & (1<<placeBits - 1)
				at[1][d]++
			}
		}
	})
}

// onlyDigit sets r.order to the order of elements of 1 byte.
func (c ordered[U]) onlyDigit(r *radixRun, from []U) {
	var digit [digitCount]uint8
	for x := range digit {
		digit[x] = uint8(c.key(U(x)))
	}
	digitPass(r, len(from), func(at *digits, p halves) {
		one, two := from[p.lo:p.mid], from[p.mid:p.hi]
		for i, x := range one {
			at[0][digit[uint8(x)]]++
			if i < len(two) {
				at[1][digit[uint8(two[i])]]++
			}
		}
	}, func(at *digits, p halves) {
		to, one, two := r.order, from[p.lo:p.mid], from[p.mid:p.hi]
		for i, x := range one {
			d := digit[uint8(x)]
			to[at[0][d]] = uint32(p.lo + i)
			at[0][d]++
			if i < len(two) {
				d := digit[uint8(two[i])]
				to[at[1][d]] = uint32(p.mid + i)
				at[1][d]++
			}
		}
	})
}

// lastDigit sets r.next to words in the order of the last digit of the keys: the digit before it, and the place.
func (c ordered[U]) lastDigit(r *radixRun, from []U) {
	negative, flip, shift := c.negative, c.flip, c.shift&(8*sizeOf[U]()-1)
	digitPass(r, len(from), func(at *digits, p halves) {
		one, two := from[p.lo:p.mid], from[p.mid:p.hi]
		for i, x := range one {
			at[0][uint8(x^-(x>>shift)&negative^flip)]++
			if i < len(two) {
				x := two[i]
				at[1][uint8(x^-(x>>shift)&negative^flip)]++
			}
		}
	}, func(at *digits, p halves) {
		to, one, two := r.next, from[p.lo:p.mid], from[p.mid:p.hi]
		for i, x := range one {
			k := x ^ -(x>>shift)&negative ^ flip
			d := uint8(k)
			to[at[0][d]] = uint32(k)>>digitBits<<placeBits | uint32(p.lo+i)
			at[0][d]++
			if i < len(two) {
				x := two[i]
				k := x ^ -(x>>shift)&negative ^ flip
				d := uint8(k)
				to[at[1][d]] = uint32(k)>>digitBits<<placeBits | uint32(p.mid+i)
				at[1][d]++
			}
		}
	})
}

// digits are the counts of digits, or where elements with them go, in both halves of a part.
type digits [2][digitCount]uint32

// halves are those of a part of an array, lo..mid-1 and mid..hi-1, the first of which may have one more. They are gone
// through by turns: an element that has the digit of the one in front of it waits for that.
type halves struct{ lo, mid, hi int }

// digitPass does one pass over n elements: each half of each part of them, one part a thread, is counted, and moved to
// the places that follow from all counts.
func digitPass(r *radixRun, n int, count, move func(at *digits, p halves)) {
	parts := 1
	if r.crew.Pool != nil && n >= parallelLength {
		parts = r.crew.Pool.Threads()
	}
	step := (n + parts - 1) / parts
	r.counts = resized(r.counts, 2*parts)
	clear(r.counts)
	each := func(f func(at *digits, p halves)) {
		do := func(_, first, last int) {
			for k := first; k < last; k++ {
				lo, hi := min(k*step, n), min((k+1)*step, n)
				f((*digits)(r.counts[2*k:]), halves{lo, (lo + hi + 1) / 2, hi})
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
