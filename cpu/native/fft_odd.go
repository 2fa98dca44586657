package native

import "github.com/goxla/xla/cpu/exec"

// asOddLines reports whether count lines of n real numbers are transformed side by side.
func asOddLines(count, n int) bool { return n <= longVector && count >= leastLanes/2 }

// oddRows transforms rows of n real numbers, n odd: as they are, or, where these are few or long, as complex ones, of
// whose frequencies the first half is kept.
func (p *fftPlanner) oddRows(count, n int) bool {
	bytes := 2 * (n/2 + 1) * count * int(p.size)
	if asOddLines(count, n) {
		s := &pass{outer: 1, inner: count, fromLane: n, toLane: 2 * (n/2 + 1)}
		lines := p.oddLines
		if oddRadices(n) == nil {
			lines = p.realChirpLines
		}
		s.lines = lines(n, p.bundle(n, count), p.target(1, n/2+1, false))
		p.add(s, bytes)
		return true
	}
	size := int(p.size)
	p.add(&pass{whole: eachRow(count, n, func(r int, from, to []byte) {
		widened(size/4, n, r, from, to)
	})}, 2*n*count*size)
	if !p.rows(count, n, false) {
		return false
	}
	kept := 2 * (n/2 + 1) * size
	p.add(&pass{whole: eachRow(count, n, func(r int, from, to []byte) {
		copy(to[r*kept:][:kept], from[2*r*n*size:])
	})}, bytes)
	return true
}

// inverseOddRows transforms rows of n/2+1 frequencies to n real numbers, n odd. The first frequency counts as real.
func (p *fftPlanner) inverseOddRows(count, n int) bool {
	if asOddLines(count, n) {
		s := &pass{outer: 1, inner: count, fromLane: 2 * (n/2 + 1), toLane: n}
		lines := p.inverseOddLines
		if oddRadices(n) == nil {
			lines = p.inverseChirpLines
		}
		s.lines = lines(n, p.bundle(n, count), p.frequencySide(n/2+1), p.scale)
		p.add(s, n*count*int(p.size))
	} else {
		words, size := int(p.size)/4, int(p.size)
		exchanged := !p.first
		p.add(&pass{whole: eachRow(count, n, func(r int, from, to []byte) {
			mirroredRow(words, n, r, exchanged, from, to)
		})}, 2*n*count*size)
		if !p.rows(count, n, true) {
			return false
		}
		p.add(&pass{whole: eachRow(count, n, func(r int, from, to []byte) { realParts(words, n, r, from, to) })},
			n*count*size)
	}
	p.passes[len(p.passes)-1].to = result
	return true
}

// widened makes complex numbers of row r of n real ones, of so many words each.
func widened(words, n, r int, from, to []byte) {
	x, z := view[uint32](from)[r*n*words:][:n*words], view[uint32](to)[2*r*n*words:][:2*n*words]
	clear(z)
	for k := range n {
		for w := range words {
			z[2*k*words+w] = x[k*words+w]
		}
	}
}

// realParts keeps the real parts of row r of n numbers.
func realParts(words, n, r int, from, to []byte) {
	z, x := view[uint32](from)[2*r*n*words:][:2*n*words], view[uint32](to)[r*n*words:][:n*words]
	for k := range n {
		for w := range words {
			x[k*words+w] = z[2*k*words+w]
		}
	}
}

// mirroredRow makes row r of n complex numbers, with parts exchanged, of its first half, in which they may be so. The
// second half is conjugates: the sign is in the last word.
func mirroredRow(words, n, r int, exchanged bool, from, to []byte) {
	re, im := 0, words
	if exchanged {
		re, im = im, re
	}
	half := 2 * (n/2 + 1) * words
	x, z := view[uint32](from)[r*half:][:half], view[uint32](to)[2*r*n*words:][:2*n*words]
	for k := range n/2 + 1 {
		first, last := z[2*k*words:][:2*words], z[2*((n-k)%n)*words:][:2*words]
		for w := range words {
			a, b := x[2*k*words+re+w], x[2*k*words+im+w]
			if k == 0 {
				b = 0
			}
			first[w], first[words+w] = b, a
			if w == words-1 {
				b ^= 1 << 31
			}
			if k > 0 {
				last[w], last[words+w] = b, a
			}
		}
	}
}

// eachRow does f for count rows of n numbers.
func eachRow(count, n int, f func(r int, from, to []byte)) wholePass {
	return func(pool *exec.Pool, _ []Kernel, from, to []byte) error {
		pool.Run(count, max(1, bundleWork/n), exec.JobFunc(func(_, lo, hi int) {
			for r := lo; r < hi; r++ {
				f(r, from, to)
			}
		}))
		return nil
	}
}
