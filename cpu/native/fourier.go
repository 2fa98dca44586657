package native

import (
	"math"
	"math/cmplx"
	"sync"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/angle"
)

// transform is the Fourier transform of lines of one length.
type transform interface {
	// forward transforms x without scaling. The result is in x or in y, which is as long; the other has
	// lost its content. The inverse is the
	// same with real and imaginary parts swapped on both sides.
	forward(h crew, x, y []complex128) []complex128
}

// crew is who transforms: the threads of the pool help, unless it is nil, until done is closed. Then what is left is
// not transformed.
type crew struct {
	pool *exec.Pool
	done <-chan struct{}
}

// alone is this thread only.
func (h crew) alone() crew { return crew{done: h.done} }

// longLine is the length from which on a transform is cut in two, so that its parts fit the cache.
const longLine = 1 << 14

// newTransform returns the transform of n elements: by mixed radix where the prime factors of n are small, otherwise
// as a convolution.
func newTransform(n int) transform {
	factors := factorsOf(n)
	if factors == nil {
		return newChirp(n)
	}
	if n >= longLine {
		if n1 := balanced(n); n1 > 1 {
			return newSplit(n1, n/n1)
		}
	}
	return newMixedRadix(n, factors)
}

// largestRadix is the largest prime factor that is a stage of its own.
const largestRadix = 31

// factorsOf returns the radices of n, fours first; nil if there is a prime factor too large.
func factorsOf(n int) []int {
	factors := []int{}
	for n%4 == 0 {
		factors, n = append(factors, 4), n/4
	}
	for p := 2; p <= largestRadix && n > 1; p++ {
		for n%p == 0 {
			factors, n = append(factors, p), n/p
		}
	}
	if n > 1 {
		return nil
	}
	return factors
}

// balanced returns the divisor of n nearest to its root from below; 1 if that is far from it.
func balanced(n int) int {
	best := 1
	for p := 1; p*p <= n; p++ {
		if n%p == 0 {
			best = p
		}
	}
	if best*best*16 < n {
		return 1
	}
	return best
}

// mixedRadix is Stockham's algorithm: each stage does transforms of radix points and puts the results in order.
type mixedRadix struct{ stages []stage }

// stage does the first step of transforms of length radix*m whose elements lie stride apart: it makes radix ones of
// length m of each, stride*radix apart.
type stage struct {
	radix, m, stride int
	// twiddles holds e^(-2πi pk/(radix*m)) for p < m and 0 < k < radix.
	twiddles []complex128
	roots    []complex128 // e^(-2πi k/radix), for a radix without a function of its own
}

func newMixedRadix(n int, factors []int) *mixedRadix {
	f, stride := &mixedRadix{}, 1
	for _, r := range factors {
		s := stage{radix: r, m: n / r, stride: stride, twiddles: twiddles(r, n/r)}
		if butterflies[min(r, len(butterflies)-1)] == nil {
			for k := range r {
				s.roots = append(s.roots, root(k, r))
			}
		}
		f.stages = append(f.stages, s)
		n, stride = n/r, stride*r
	}
	return f
}

func (f *mixedRadix) forward(_ crew, x, y []complex128) []complex128 {
	for i := range f.stages {
		s := &f.stages[i]
		if do := butterflies[min(s.radix, len(butterflies)-1)]; do != nil {
			do(s, x, y)
		} else {
			s.odd(x, y)
		}
		x, y = y, x
	}
	return x
}

// root returns e^(-2πi k/n), 0 <= k.
func root(k, n int) complex128 { return cmplx.Conj(angle.Root(k%n, n)) }

// twiddles are e^(-2πi pk/(radix*m)) for 0 <= p < m and 0 < k < radix.
func twiddles(radix, m int) []complex128 {
	w := make([]complex128, 0, m*(radix-1))
	eachTwiddle(radix, m, func(x complex128) { w = append(w, x) })
	return w
}

// eachTwiddle calls f for the twiddles in turn.
func eachTwiddle(radix, m int, f func(w complex128)) {
	roots := angle.NewRoots(radix * m)
	for p := range m {
		for k := 1; k < radix; k++ {
			f(cmplx.Conj(roots.At(p * k)))
		}
	}
}

// chirp is a transform of any length n as a convolution with e^(πi k²/n) (Bluestein), done by transforms of a length
// that is easy.
type chirp struct {
	w      []complex128 // e^(-πi k²/n)
	kernel []complex128 // the transform of the conjugate of w, both ways round, with what scales the inverse
	inner  transform
	memory lineMemory
}

func newChirp(n int) *chirp {
	size := easyLength(2*n - 1)
	c := &chirp{w: make([]complex128, n), inner: newTransform(size)}
	b := make([]complex128, size)
	for k := range n {
		c.w[k] = root(int(int64(k)*int64(k)%int64(2*n)), 2*n)
		b[k] = cmplx.Conj(c.w[k]) / complex(float64(size), 0)
		b[(size-k)%size] = b[k]
	}
	c.kernel = c.inner.forward(crew{}, b, make([]complex128, size))
	return c
}

// easyLength returns the least length from n on that is a power of two, or three or five times one.
func easyLength(n int) int {
	best := math.MaxInt
	for _, m := range []int{1, 3, 5} {
		for m < n {
			m *= 2
		}
		best = min(best, m)
	}
	return best
}

func (c *chirp) forward(h crew, x, y []complex128) []complex128 {
	size := len(c.kernel)
	memory := c.memory.get(2 * size)
	defer c.memory.put(memory)
	a, b := (*memory)[:size], (*memory)[size:2*size]
	for k, w := range c.w {
		a[k] = x[k] * w
	}
	clear(a[len(c.w):])
	spectrum := c.inner.forward(h, a, b)
	other := a
	if &spectrum[0] == &a[0] {
		other = b
	}
	for k, v := range c.kernel {
		spectrum[k] = swap(spectrum[k] * v)
	}
	for k, v := range c.inner.forward(h, spectrum, other)[:len(c.w)] {
		y[k] = swap(v) * c.w[k]
	}
	return y
}

// swap exchanges the real and the imaginary part.
func swap(x complex128) complex128 { return complex(imag(x), real(x)) }

// lineMemory lends slices.
type lineMemory struct{ pool sync.Pool }

func (m *lineMemory) get(n int) *[]complex128 {
	s, _ := m.pool.Get().(*[]complex128)
	if s == nil {
		s = new([]complex128)
	}
	*s = resized(*s, n)
	return s
}

func (m *lineMemory) put(s *[]complex128) { m.pool.Put(s) }
