package native

import (
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// cholesky factors matrices of n rows: l·l^H = a, or u^H·u = a.
type cholesky[T field] struct {
	*numeric[T]
	n, batch    int
	lower       bool
	isConjugate bool // conj does something
}

// newCholesky makes the function of cholesky. A matrix that is not positive definite gives NaN everywhere.
// Spec: OPS.md section 6, Cholesky.
func newCholesky(i *hlo.Instruction) *Algorithm {
	s, lower := i.Shape(), i.Attrs().(*op.CholeskyAttrs).Lower
	n := s.Dims[s.Rank()-1]
	if s.Size() == 0 {
		return nil
	}
	batch := int(s.Size()) / (n * n)
	f := byField(s.Type, func(f *numeric[float64]) Interruptible {
		return (&cholesky[float64]{f, n, batch, lower, false}).run
	}, func(f *numeric[complex128]) Interruptible {
		return (&cholesky[complex128]{f, n, batch, lower, true}).run
	})
	if f == nil {
		return nil
	}
	return newDense(choleskyScratch(s.Type, n, batch), func(set *dense.Set) (Interruptible, error) {
		switch {
		case set == nil:
			return f, nil
		case isDouble(s.Type):
			return newDenseCholesky[float64](set, n, batch, lower, s.Type.IsComplex())
		}
		return newDenseCholesky[float32](set, n, batch, lower, s.Type.IsComplex())
	})
}

func (c *cholesky[T]) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	size := c.n * c.n * c.size
	eachMatrix(done, pool, c.batch, c.n*c.n*c.n/6, func(pool *exec.Pool, b int) {
		memory := c.borrow(c.n * (c.n + blockSize))
		defer c.lend(memory)
		a, panel := (*memory)[:c.n*c.n], (*memory)[c.n*c.n:]
		from, to := in[0][b*size:(b+1)*size], out[0][b*size:(b+1)*size]
		down, right := c.n, 1
		if !c.lower {
			// The upper triangle, read across the diagonal, is the lower one of the conjugate
			// of a; its factor is the conjugate of l, and u^T is just that.
			down, right = 1, c.n
		}
		rowsOf(pool, c.n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for j := range i + 1 {
					a[i*c.n+j] = c.load(from, i*down+j*right)
				}
			}
		})
		ok := c.factor(done, pool, a, panel)
		rowsOf(pool, c.n, func(lo, hi int) {
			var zero T
			for i := lo; i < hi; i++ {
				for j := range c.n {
					x := zero
					if !ok {
						x = c.nan
					} else if j <= i {
						x = a[i*c.n+j]
					}
					c.store(to, i*down+j*right, x)
				}
			}
		})
	})
	return nil
}

// factor replaces the lower triangle of a by its factor, block by block: the columns of a block need those in front
// of it only. panel has room for the rows of a block.
func (c *cholesky[T]) factor(done <-chan struct{}, pool *exec.Pool, a, panel []T) bool {
	n := c.n
	for lo := 0; lo < n && !interrupted(done); lo += blockSize {
		hi := min(lo+blockSize, n)
		l := a[lo*n:]
		if c.isConjugate {
			l = panel
			c.conjugate(l, a, lo, hi, 0, lo)
		}
		if !c.diagonal(a, l, lo, hi) {
			return false
		}
		if c.isConjugate {
			c.conjugate(l, a, lo, hi, lo, hi)
		}
		rowsOf(pool, n-hi, func(first, last int) {
			eliminate(a[(hi+first)*n:], last-first, n, l, n, lo, hi, false)
		})
	}
	return true
}

// conjugate sets columns from..to-1 of l to those of the conjugate of rows lo..hi-1 of a.
func (c *cholesky[T]) conjugate(l, a []T, lo, hi, from, to int) {
	for i := lo; i < hi; i++ {
		row, dst := a[i*c.n:][:c.n], l[(i-lo)*c.n:][:c.n]
		for k := from; k < to; k++ {
			dst[k] = c.conj(row[k])
		}
	}
}

// diagonal factors the block of rows and columns lo..hi-1. l has the conjugate of its rows in front of it.
func (c *cholesky[T]) diagonal(a, l []T, lo, hi int) bool {
	n := c.n
	for i := lo; i < hi; i++ {
		subtractOne(a[i*n:][:n], l, n, lo, i+1)
	}
	for j := lo; j < hi; j++ {
		for i := j; i < hi; i++ {
			sum := a[i*n+j]
			for k := lo; k < j; k++ {
				sum -= T(a[i*n+k] * c.conj(a[j*n+k]))
			}
			a[i*n+j] = sum
		}
		pivot, ok := c.root(a[j*n+j])
		if !ok {
			return false
		}
		a[j*n+j] = pivot
		for i := j + 1; i < hi; i++ {
			a[i*n+j] /= pivot
		}
	}
	return true
}
