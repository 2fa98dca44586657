package native

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
)

// denseCholesky factors on machine code, in the type itself. What it factors is the upper triangle of a; a lower one is
// read, and its factor written, across the diagonal.
type denseCholesky[E dense.Float] struct {
	*denseMemory[E]
	n, batch         int
	lower, isComplex bool
}

func newDenseCholesky[E dense.Float](set *dense.Set, n, batch int, lower, isComplex bool) (Interruptible, error) {
	memory, err := newDenseMemory[E](set)
	if err != nil {
		return nil, err
	}
	c := &denseCholesky[E]{memory, n, batch, lower, isComplex}
	return c.run, nil
}

func (c *denseCholesky[E]) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	n, size := c.n, c.n*c.n
	if c.isComplex {
		n, size = 2*n, 2*size
	}
	layout := c.Layout(n, n)
	eachMatrix(done, pool, c.batch, choleskyWork(n), func(pool *exec.Pool, b int) {
		from, to := view[E](in[0])[b*size:][:size], view[E](out[0])[b*size:][:size]
		if !c.isComplex && n <= smallRows {
			choleskySmall(n, c.lower, from, to)
			return
		}
		memory := c.borrow(layout.Size() + layout.Rows)
		defer c.lend(memory)
		all := dense.Aligned(*memory, layout.Size()+layout.Rows)
		m := dense.Matrix[E]{Layout: layout, At: all[:layout.Size()]}
		each := eachPart(done, pool)
		each(layout.Panels(), func(p int) { c.read(m, from, p) })
		failed := c.Cholesky(m, n, all[layout.Size():], each)
		each(layout.Panels(), func(p int) { c.write(to, m, p, failed > 0) })
	})
	return nil
}

// choleskyWork is how much n real rows are to do on machine code.
func choleskyWork(n int) int { return n * n * n / 6 / denseSpeed }

// read fills panel p down to the diagonal.
func (c *denseCholesky[E]) read(m dense.Matrix[E], from []E, p int) {
	at, ld := m.Panel(p)
	first := p * m.Width
	switch {
	case c.isComplex:
		c.readComplex(m, from, p)
	case c.lower:
		c.readAcross(m.At[at:], ld, from, first, min(c.n-first, ld))
	default:
		for i := range min(c.n, first+ld) {
			row := m.Row(p, i)
			clear(row[copy(row, from[i*c.n+first:(i+1)*c.n]):])
		}
	}
}

// readAcross sets columns of a panel to rows of from, as many as there are, and zeros.
func (c *denseCholesky[E]) readAcross(panel []E, ld int, from []E, first, cols int) {
	k := 0
	for ; k+4 <= cols; k += 4 {
		rows := first + k + 4
		f, g := from[(first+k)*c.n:][:rows], from[(first+k+1)*c.n:][:rows]
		h, l := from[(first+k+2)*c.n:][:rows], from[(first+k+3)*c.n:][:rows]
		for i, x := range f {
			to := panel[i*ld+k:][:4]
			to[0], to[1], to[2], to[3] = x, g[i], h[i], l[i]
		}
	}
	for ; k < ld; k++ {
		for i := range min(c.n, first+ld) {
			var x E
			if k < cols && i <= first+k {
				x = from[(first+k)*c.n+i]
			}
			panel[i*ld+k] = x
		}
	}
}

// readComplex is read for complex numbers.
func (c *denseCholesky[E]) readComplex(m dense.Matrix[E], from []E, p int) {
	first := p * m.Width
	_, ld := m.Panel(p)
	for i := range min(c.n, (first+ld)/2) {
		re, im := m.Row(p, 2*i), m.Row(p, 2*i+1)
		clear(re)
		clear(im)
		for j := max(first/2, i); j < min(c.n, (first+ld)/2); j++ {
			at, sign := 2*(i*c.n+j), E(1)
			if c.lower {
				at, sign = 2*(j*c.n+i), -1
			}
			x, y := from[at], sign*from[at+1]
			if i == j {
				y = 0
			}
			k := 2*j - first
			re[k], re[k+1], im[k], im[k+1] = x, -y, y, x
		}
	}
}

// write writes the columns of panel p, or NaN if there is no factor.
func (c *denseCholesky[E]) write(to []E, m dense.Matrix[E], p int, failed bool) {
	width, first := c.n, p*m.Width
	at, ld := m.Panel(p)
	last := min(first+ld, c.n)
	if c.isComplex {
		width, last = 2*c.n, min(first+ld, 2*c.n)
	}
	switch {
	case failed && c.isComplex:
		fillNaN(to[first*c.n : last*c.n])
	case failed:
		fillNaN(to[first*width : last*width])
	case c.isComplex:
		c.writeComplex(to, m, p)
	case c.lower:
		c.writeAcross(to, m.At[at:], ld, first, last)
	default:
		for i := range c.n {
			row := to[i*c.n+first : i*c.n+last]
			if zeros := min(max(0, i-first), len(row)); i < last {
				copy(row, m.Row(p, i))
				clear(row[:zeros])
			} else {
				clear(row)
			}
		}
	}
}

func fillNaN[E dense.Float](to []E) {
	for i := range to {
		to[i] = E(math.NaN())
	}
}

// writeAcross sets rows first..last-1 of the result to columns of a panel.
func (c *denseCholesky[E]) writeAcross(to, panel []E, ld, first, last int) {
	k := 0
	for ; first+k+4 <= last; k += 4 {
		rows := first + k + 1
		f, g := to[(first+k)*c.n:][:c.n], to[(first+k+1)*c.n:][:c.n]
		h, l := to[(first+k+2)*c.n:][:c.n], to[(first+k+3)*c.n:][:c.n]
		clear(f[rows:])
		clear(g[rows:])
		clear(h[rows:])
		clear(l[rows:])
		f, g, h, l = f[:rows], g[:rows], h[:rows], l[:rows]
		for i := range f {
			from := panel[i*ld+k:][:4]
			f[i], g[i], h[i], l[i] = from[0], from[1], from[2], from[3]
		}
		g, h, l = to[(first+k+1)*c.n:], to[(first+k+2)*c.n:], to[(first+k+3)*c.n:]
		g[rows] = panel[rows*ld+k+1]
		h[rows], h[rows+1] = panel[rows*ld+k+2], panel[(rows+1)*ld+k+2]
		l[rows], l[rows+1], l[rows+2] = panel[rows*ld+k+3], panel[(rows+1)*ld+k+3], panel[(rows+2)*ld+k+3]
	}
	for ; first+k < last; k++ {
		row := to[(first+k)*c.n:][:c.n]
		for i := range row {
			if row[i] = 0; i <= first+k {
				row[i] = panel[i*ld+k]
			}
		}
	}
}

func (c *denseCholesky[E]) writeComplex(to []E, m dense.Matrix[E], p int) {
	first := p * m.Width
	_, ld := m.Panel(p)
	for j := first / 2; j < min(c.n, (first+ld)/2); j++ {
		for i := range c.n {
			at, sign := 2*(i*c.n+j), E(1)
			if c.lower {
				at, sign = 2*(j*c.n+i), -1
			}
			if to[at], to[at+1] = 0, 0; i <= j {
				to[at], to[at+1] = m.Row(p, 2*i)[2*j-first], sign*m.Row(p, 2*i+1)[2*j-first]
			}
		}
	}
}
