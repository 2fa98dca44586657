package native

import (
	"math"
	"math/cmplx"
	"sync"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// This file holds what cholesky and triangular-solve in Go have in common. Both compute with float64 or complex128 and
// round once. Each sum is added up in the same order however rows are put together, so the result is the same for any
// number of threads.

// field is what the algorithms are written in.
type field interface{ float64 | complex128 }

// blockSize is how many columns are worked out together.
const blockSize = 32

// rowGrain is the least number of rows that are given to a thread.
const rowGrain = 16

// eliminate sets elements lo..hi-1 of rows, each ld long, to what solves x·l^T = row, where elements in front of
// lo are solved. l has the rows lo..hi-1 of the lower triangular matrix, each ldl long; unit: its diagonal is one.
func eliminate[T field](rows []T, count, ld int, l []T, ldl, lo, hi int, unit bool) {
	k := 0
	for ; k+4 <= count; k += 4 {
		subtractFour(rows[k*ld:], ld, l, ldl, lo, hi)
	}
	for ; k < count; k++ {
		subtractOne(rows[k*ld:][:ld], l, ldl, lo, hi)
	}
	for k := range count {
		row := rows[k*ld:][:ld]
		for i := lo; i < hi; i++ {
			sum, with := row[i], l[(i-lo)*ldl:][:i+1]
			for j := lo; j < i; j++ {
				sum -= T(row[j] * with[j])
			}
			if !unit {
				sum /= with[i]
			}
			row[i] = sum
		}
	}
}

// subtractFour subtracts from elements lo..hi-1 of four rows the products of what is in front of them with rows of l.
func subtractFour[T field](rows []T, ld int, l []T, ldl, lo, hi int) {
	a, b, c, d := rows[:hi], rows[ld:][:hi], rows[2*ld:][:hi], rows[3*ld:][:hi]
	i := lo
	for ; i+2 <= hi; i += 2 {
		u, v := l[(i-lo)*ldl:][:lo], l[(i+1-lo)*ldl:][:lo]
		a, b, c, d := a[:len(u)], b[:len(u)], c[:len(u)], d[:len(u)]
		v = v[:len(u)]
		var a0, a1, b0, b1, c0, c1, d0, d1 T
		for k, x := range u {
			y, p, q := v[k], a[k], b[k]
			a0, a1 = a0+T(p*x), a1+T(p*y)
			b0, b1 = b0+T(q*x), b1+T(q*y)
			p, q = c[k], d[k]
			c0, c1 = c0+T(p*x), c1+T(p*y)
			d0, d1 = d0+T(q*x), d1+T(q*y)
		}
		for r, s := range [4][2]T{{a0, a1}, {b0, b1}, {c0, c1}, {d0, d1}} {
			rows[r*ld+i] -= s[0]
			rows[r*ld+i+1] -= s[1]
		}
	}
	for ; i < hi; i++ {
		u := l[(i-lo)*ldl:][:lo]
		a[i], b[i], c[i], d[i] = a[i]-dot(a, u), b[i]-dot(b, u), c[i]-dot(c, u), d[i]-dot(d, u)
	}
}

func subtractOne[T field](row, l []T, ldl, lo, hi int) {
	for i := lo; i < hi; i++ {
		row[i] -= dot(row, l[(i-lo)*ldl:][:lo])
	}
}

// dot is the sum of products of b and as much of a.
func dot[T field](a, b []T) (sum T) {
	a = a[:len(b)]
	for k, x := range b {
		sum += T(a[k] * x)
	}
	return sum
}

// rowsOf does f on parts of count rows, on the threads of the pool unless it is nil.
func rowsOf(pool *exec.Pool, count int, f func(lo, hi int)) {
	if pool == nil || count <= rowGrain {
		f(0, count)
		return
	}
	pool.Run(count, max(rowGrain, count/(8*pool.Threads())), exec.JobFunc(func(_, lo, hi int) { f(lo, hi) }))
}

// together reports whether all threads work on one matrix, each of which is so much work.
func together(threads, batch, work int) bool { return threads > 1 && (batch == 1 || work >= 1<<24) }

// eachMatrix does f for each matrix of a batch: many at once, or one after the other with the pool where they are
// large or few. It stops when done is closed.
func eachMatrix(done <-chan struct{}, pool *exec.Pool, batch, work int, f func(pool *exec.Pool, b int)) {
	if together(pool.Threads(), batch, work) {
		for b := 0; b < batch && !interrupted(done); b++ {
			f(pool, b)
		}
		return
	}
	grain := min(max(1, parallelLength/max(work, 1)), (batch-1)/pool.Threads()+1)
	pool.Run(batch, grain, exec.JobFunc(func(_, lo, hi int) {
		for b := lo; b < hi && !interrupted(done); b++ {
			f(nil, b)
		}
	}))
}

// numeric is how the elements of a type are read and written, as numbers of a field.
type numeric[T field] struct {
	size  int
	load  func(src []byte, at int) T
	store func(dst []byte, at int, x T)
	conj  func(T) T
	// root returns the square root of a pivot; ok is false unless it is positive.
	root   func(T) (root T, ok bool)
	nan    T
	memory *sync.Pool // of []T
}

// borrow returns n elements of unknown content; give them back with lend.
func (f *numeric[T]) borrow(n int) *[]T {
	s, _ := f.memory.Get().(*[]T)
	if s == nil {
		s = new([]T)
	}
	*s = resized(*s, n)
	return s
}

func (f *numeric[T]) lend(s *[]T) { f.memory.Put(s) }

// realNumeric is that of a real type.
func realNumeric[E float32 | float64](size int) *numeric[float64] {
	return &numeric[float64]{
		size:   size,
		load:   func(src []byte, at int) float64 { return float64(view[E](src)[at]) },
		store:  func(dst []byte, at int, x float64) { view[E](dst)[at] = E(x) },
		conj:   func(x float64) float64 { return x },
		root:   func(x float64) (float64, bool) { return math.Sqrt(x), x > 0 },
		nan:    math.NaN(),
		memory: new(sync.Pool),
	}
}

// complexNumeric is that of a complex type. The diagonal of a Hermitian matrix is real.
func complexNumeric[E complex64 | complex128](size int) *numeric[complex128] {
	return &numeric[complex128]{
		size:   size,
		load:   func(src []byte, at int) complex128 { return complex128(view[E](src)[at]) },
		store:  func(dst []byte, at int, x complex128) { view[E](dst)[at] = E(x) },
		conj:   cmplx.Conj,
		root:   func(x complex128) (complex128, bool) { return complex(math.Sqrt(real(x)), 0), real(x) > 0 },
		nan:    cmplx.NaN(),
		memory: new(sync.Pool),
	}
}

// byField calls the function for the field of t.
func byField[F any](t shape.ElementType, real func(*numeric[float64]) F, complex func(*numeric[complex128]) F) (f F) {
	switch t {
	case shape.F32:
		return real(realNumeric[float32](4))
	case shape.F64:
		return real(realNumeric[float64](8))
	case shape.C64:
		return complex(complexNumeric[complex64](8))
	case shape.C128:
		return complex(complexNumeric[complex128](16))
	}
	return f
}

// isDouble reports whether numbers of type t are made of float64.
func isDouble(t shape.ElementType) bool { return t == shape.F64 || t == shape.C128 }
