package native

import (
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// oddRows transforms rows of n real numbers, which cannot be cut in two, as complex ones, of whose frequencies the
// first half is kept.
func (p *fftPlanner) oddRows(count, n int) bool {
	widen, keep := widened[float32], firsts[float32]
	if p.kind == loop.F64 {
		widen, keep = widened[float64], firsts[float64]
	}
	p.add(&pass{whole: widen(count, n)}, 2*n*count*int(p.size))
	if !p.rows(count, n, false) {
		return false
	}
	p.add(&pass{whole: keep(count, n)}, 2*(n/2+1)*count*int(p.size))
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
	return func(pool *exec.Pool, _ []Kernel, from, to []byte) error {
		x, y, kept := view[E](from), view[E](to), 2*(n/2+1)
		pool.Run(count, max(1, bundleWork/n), exec.JobFunc(func(_, lo, hi int) {
			for r := lo; r < hi; r++ {
				copy(y[r*kept:][:kept], x[2*r*n:])
			}
		}))
		return nil
	}
}
