package interp

import (
	"math/cmplx"
	"slices"

	"github.com/goxla/xla/internal/angle"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// evalFft transforms the last one to three dimensions. A forward transform is
// unscaled, an inverse one divides by the number of elements. RFFT does the
// innermost dimension first and keeps its non-negative frequencies; IRFFT does it
// last and takes the others as their conjugates. The work is done in complex128 and
// rounded once. Spec: OPS.md section 6.
func evalFft(c *call) (literal.Literal, error) {
	a, x := attrs[*op.FftAttrs](c), c.args[0]
	s := spectrum{v: toComplex(x), dims: slices.Clone(x.Dims())}
	last := len(s.dims) - 1
	outer := len(a.Length) - 1 // transformed dimensions besides the innermost one
	switch a.Type {
	case op.RFFT:
		s.along(last, last+1, false)
		s.resize(last, c.shape.Dims[last], nil)
		s.along(last-outer, last, false)
	case op.IRFFT:
		s.along(last-outer, last, true)
		s.resize(last, a.Length[outer], hermitian)
		s.along(last, last+1, true)
	default:
		s.along(last-outer, last+1, a.Type == op.IFFT)
	}
	return c.complexes(s.v), nil
}

// spectrum is the array on its way through a transform.
type spectrum struct {
	v    []complex128
	dims []int
}

// along transforms dimensions from..to-1, the last one first.
func (s *spectrum) along(from, to int, inverse bool) {
	for d := to - 1; d >= from; d-- {
		n := s.dims[d]
		f, stride := newFourier(n, inverse), rowMajor(s.dims)[d]
		line := make([]complex128, n)
		for _, base := range lineStarts(s.dims, d) {
			for i := range line {
				line[i] = s.v[base+i*stride]
			}
			for i, x := range f.transform(line) {
				s.v[base+i*stride] = x
			}
		}
	}
}

// resize gives the innermost dimension size n. Lines are cut; an element that is
// new is what extend makes of the line.
func (s *spectrum) resize(d, n int, extend func(line []complex128, i, n int) complex128) {
	old, lines := s.dims[d], 0
	if old > 0 {
		lines = len(s.v) / old
	}
	v := make([]complex128, 0, lines*n)
	for k := range lines {
		line := s.v[k*old : (k+1)*old]
		for i := range n {
			if extend != nil {
				v = append(v, extend(line, i, n))
			} else {
				v = append(v, line[i])
			}
		}
	}
	s.v, s.dims[d] = v, n
}

// hermitian returns element i of the n frequencies of a real signal of which line
// holds the first n/2+1. Those that are their own conjugates are real.
func hermitian(line []complex128, i, n int) complex128 {
	switch {
	case 2*i > n:
		return cmplx.Conj(line[n-i])
	case i == 0 || 2*i == n:
		return complex(real(line[i]), 0)
	}
	return line[i]
}

// fourier transforms lines of n elements: by mixed radix where the prime factors of
// n are small, otherwise as a convolution (Bluestein).
type fourier struct {
	n       int
	inverse bool
	factors []int
	roots   []complex128 // e^(∓2πi k/n)
	chirp   *chirp
}

// maxRadix is the largest prime factor that is done by its definition.
const maxRadix = 64

func newFourier(n int, inverse bool) *fourier {
	f := &fourier{n: n, inverse: inverse, factors: primeFactors(n)}
	if k := len(f.factors); k > 0 && f.factors[k-1] > maxRadix {
		f.chirp = newChirp(n, inverse)
		return f
	}
	f.roots = make([]complex128, n)
	for k := range f.roots {
		f.roots[k] = direction(angle.Root(k, n), inverse)
	}
	return f
}

// transform returns the transform of x, scaled if inverse.
func (f *fourier) transform(x []complex128) []complex128 {
	var y []complex128
	if f.chirp != nil {
		y = f.chirp.transform(x)
	} else {
		y = make([]complex128, f.n)
		f.split(y, x, 1, f.factors)
	}
	if f.inverse {
		for i, v := range y {
			y[i] = complex(real(v)/float64(f.n), imag(v)/float64(f.n))
		}
	}
	return y
}

// split sets y to the transform of every step-th element of x: p transforms of a
// p-th of the elements each, p being the first factor, put together by one of p points.
func (f *fourier) split(y, x []complex128, step int, factors []int) {
	if len(y) <= 1 {
		copy(y, x)
		return
	}
	p, m := factors[0], len(y)/factors[0]
	for q := range p {
		f.split(y[q*m:(q+1)*m], x[min(q*step, len(x)):], step*p, factors[1:])
	}
	t := make([]complex128, p)
	for k := range m {
		for q := range p {
			t[q] = times(y[q*m+k], f.roots[q*k*step%f.n])
		}
		for r, v := range f.points(t, m*step) {
			y[r*m+k] = v
		}
	}
}

// points returns the transform of the elements of t; root w of the line, and its powers, are those for it. Elements
// that lie mirrored are added and subtracted first: what roots do with their sums and differences is real.
func (f *fourier) points(t []complex128, w int) []complex128 {
	p := len(t)
	y := make([]complex128, p)
	if p == 2 {
		return append(y[:0], t[0]+t[1], t[0]-t[1])
	}
	for k := range p/2 + 1 {
		mid, side := t[0], complex128(0)
		for j := 1; j <= p/2; j++ {
			root := f.roots[j*k*w%f.n]
			sum, diff := t[j]+t[p-j], t[j]-t[p-j]
			mid += complex(real(root)*real(sum), real(root)*imag(sum))
			side += complex(-(imag(root) * imag(diff)), imag(root)*real(diff))
		}
		y[k] = mid + side
		y[(p-k)%p] = mid - side
	}
	return y
}

// chirp is a transform of any length n as a convolution with e^(±πi k²/n), done by
// transforms of a power of two.
type chirp struct {
	n                 int
	w                 []complex128 // e^(∓πi k²/n)
	kernel            []complex128 // the transform of the conjugate of w, both ways round
	forward, backward *fourier
}

func newChirp(n int, inverse bool) *chirp {
	size := 1
	for size < 2*n-1 {
		size *= 2
	}
	c := &chirp{n: n, w: make([]complex128, n), forward: newFourier(size, false), backward: newFourier(size, true)}
	b := make([]complex128, size)
	for k := range n {
		c.w[k] = direction(angle.Root(int(int64(k)*int64(k)%int64(2*n)), 2*n), inverse)
		b[k] = cmplx.Conj(c.w[k])
		b[(size-k)%size] = b[k]
	}
	c.kernel = c.forward.transform(b)
	return c
}

// transform returns the unscaled transform of x.
func (c *chirp) transform(x []complex128) []complex128 {
	a := make([]complex128, len(c.kernel))
	for k, v := range x {
		a[k] = times(v, c.w[k])
	}
	a = c.forward.transform(a)
	for k, v := range c.kernel {
		a[k] = times(a[k], v)
	}
	y := c.backward.transform(a)[:c.n]
	for k, w := range c.w {
		y[k] = times(y[k], w)
	}
	return y
}

// direction returns the root as an inverse transform uses it, or its conjugate.
func direction(root complex128, inverse bool) complex128 {
	if inverse {
		return root
	}
	return cmplx.Conj(root)
}

// primeFactors returns the prime factors of n in ascending order.
func primeFactors(n int) []int {
	var factors []int
	for p := 2; p*p <= n; p++ {
		for ; n%p == 0; n /= p {
			factors = append(factors, p)
		}
	}
	if n > 1 {
		factors = append(factors, n)
	}
	return factors
}
