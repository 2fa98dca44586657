package native

import (
	"sync"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// longChirp transforms long rows of a length with a large prime factor, as type chirp does it.
func (p *fftPlanner) longChirp(count, n int, final bool) bool {
	size := easyLength(2*n - 1)
	bytes := 2 * size * count * int(p.size)
	from, to := p.source(1, 1), p.target(1, 1, final)
	inside := side{pitch: 1, lane: 1}
	swapped := side{pitch: 1, lane: 1, swapped: true}
	tables := sync.OnceValue(func() [2][]byte {
		w, kernel := chirpTables(n, n, n)
		return [2][]byte{p.numbers(w), p.numbers(kernel)}
	})
	p.add(p.longProduct(count, n, n, size, from, inside, func() []byte { return tables()[0] }), bytes)
	n1 := balanced(size)
	p.split(count, n1, size/n1, false)
	p.add(p.longProduct(count, size, size, size, inside, swapped, func() []byte { return tables()[1] }), bytes)
	p.split(count, n1, size/n1, false)
	p.add(p.longProduct(count, n, size, n, swapped, to, func() []byte { return tables()[0] }), bytes)
	return true
}

// longProduct is a pass that multiplies the first n elements of rows of fromRow by factors to rows of toRow, in which
// zeros follow.
func (p *fftPlanner) longProduct(count, n, fromRow, toRow int, from, to side, factors func() []byte) *pass {
	w := p.newNest("fft.product")
	x := w.buffers("x", from, int64(n), 1, false)
	y := w.buffers("y", to, int64(n), 1, true)
	table := w.table("factors", int64(n))
	w.Each(loop.Spec{Extent: int64(n), Lanes: true, Parallel: true}, func(v int) {
		f := w.load([2]int{table, table}, side{pitch: 1, lane: 1}, spot{}, v)
		w.store(y, to, spot{}, v, w.mul(w.load(x, from, spot{}, v), f))
	})
	k, unit := p.nest(w), 2*int(p.size)
	return &pass{whole: func(pool *exec.Pool, kernels []Kernel, src, dst []byte) error {
		for r := range count {
			row := dst[r*toRow*unit:][:toRow*unit]
			clear(row[n*unit:])
			if err := runParts(pool, kernels[k], n, [][]byte{src[r*fromRow*unit:], row, factors()}); err != nil {
				return err
			}
		}
		return nil
	}}
}
