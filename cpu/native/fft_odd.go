package native

import (
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

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
	widen, keep := widened[float32], firsts[float32]
	if p.kind == loop.F64 {
		widen, keep = widened[float64], firsts[float64]
	}
	p.add(&pass{whole: widen(count, n)}, 2*n*count*int(p.size))
	if !p.rows(count, n, false) {
		return false
	}
	p.add(&pass{whole: keep(count, n)}, bytes)
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
		mirror, keep := mirroredRows[float32], seconds[float32]
		if p.kind == loop.F64 {
			mirror, keep = mirroredRows[float64], seconds[float64]
		}
		p.add(&pass{whole: mirror(count, n, !p.first)}, 2*n*count*int(p.size))
		if !p.rows(count, n, false) {
			return false
		}
		p.add(&pass{whole: keep(count, n, p.scale)}, n*count*int(p.size))
	}
	p.passes[len(p.passes)-1].to = result
	return true
}

// widened makes complex numbers of real ones.
func widened[E float32 | float64](count, n int) wholePass {
	return func(pool *exec.Pool, _ []Kernel, from, to []byte) error {
		x, z := view[E](from), view[E](to)
		ranges(pool, count*n, func(lo, hi int) {
			out := z[2*lo : 2*hi]
			for k, v := range x[lo:hi] {
				out[2*k], out[2*k+1] = v, 0
			}
		})
		return nil
	}
}

// firsts keeps the first half of each of the rows of n complex numbers, and the one in the middle.
func firsts[E float32 | float64](count, n int) wholePass {
	kept := 2 * (n/2 + 1)
	return eachRow(count, n, func(r int, from, to []byte) {
		copy(view[E](to)[r*kept:][:kept], view[E](from)[2*r*n:])
	})
}

// mirroredRows makes rows of n complex numbers, with parts exchanged, of their first halves, in which they may be so.
func mirroredRows[E float32 | float64](count, n int, exchanged bool) wholePass {
	re, im := 0, 1
	if exchanged {
		re, im = 1, 0
	}
	return eachRow(count, n, func(r int, from, to []byte) {
		x, z := view[E](from)[2*r*(n/2+1):][:2*(n/2+1)], view[E](to)[2*r*n:][:2*n]
		z[0], z[1] = 0, x[re]
		for k := 1; k <= n/2; k++ {
			a, b := x[2*k+re], x[2*k+im]
			z[2*k], z[2*k+1] = b, a
			z[2*(n-k)], z[2*(n-k)+1] = -b, a
		}
	})
}

// seconds keeps the second part of each number, scaled.
func seconds[E float32 | float64](count, n int, scale float64) wholePass {
	return eachRow(count, n, func(r int, from, to []byte) {
		x, y := view[E](from)[2*r*n:][:2*n], view[E](to)[r*n:][:n]
		for k := range y {
			y[k] = x[2*k+1] * E(scale)
		}
	})
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
