package native

import (
	"math/cmplx"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// realRows sets the rows of x to the non-negative frequencies of the rows of real numbers in. An even number of them
// is transformed as half as many complex ones: z = even elements + i·odd ones.
func (f *fft) realRows(h crew, x []complex128, in []byte) {
	keep := f.dims[len(f.dims)-1]
	row := f.n * f.form.size
	f.eachRow(h, len(x)/keep, func(h crew, k int, a, b []complex128) {
		from, to := in[k*row:(k+1)*row], x[k*keep:(k+1)*keep]
		if f.roots == nil {
			f.form.loadReal(a[:f.n], from)
			copy(to, f.inner.forward(h, a[:f.n], b[:f.n]))
			return
		}
		half := f.n / 2
		f.form.load(h.pool, a[:half], from, false)
		z := f.inner.forward(h, a[:half], b[:half])
		for k := range to {
			u, v := z[k%half], cmplx.Conj(z[(half-k)%half])
			to[k] = ((u + v) + minusI(f.roots[k]*(u-v))) / 2
		}
	})
}

// realResults sets out to the rows of real numbers of which the rows of x, with parts swapped, have the
// non-negative frequencies. Frequencies that are their own conjugates count as real.
func (f *fft) realResults(h crew, x []complex128, out []byte) {
	keep := f.dims[len(f.dims)-1]
	row := f.n * f.form.size
	f.eachRow(h, len(x)/keep, func(h crew, k int, a, b []complex128) {
		from, to := x[k*keep:(k+1)*keep], out[k*row:(k+1)*row]
		from[0] = complex(0, imag(from[0]))
		if f.roots == nil {
			copy(a, from)
			for k := keep; k < f.n; k++ {
				a[k] = -cmplx.Conj(from[f.n-k])
			}
			f.form.storeReal(to, f.inner.forward(h, a[:f.n], b[:f.n]), f.scale)
			return
		}
		half := f.n / 2
		from[half] = complex(0, imag(from[half]))
		for k := range half {
			u, v := swap(from[k]), cmplx.Conj(swap(from[half-k]))
			a[k] = swap((u + v) - minusI(cmplx.Conj(f.roots[k])*(u-v)))
		}
		f.form.store(h.pool, to, f.inner.forward(h, a[:half], b[:half]), true, f.scale)
	})
}

// eachRow calls do for count rows with two pieces of memory of f.n elements: for one row with the pool, else for many
// at once.
func (f *fft) eachRow(h crew, count int, do func(h crew, k int, a, b []complex128)) {
	if count == 1 {
		memory := make([]complex128, 2*f.n)
		do(h, 0, memory[:f.n], memory[f.n:])
		return
	}
	bundles(h, count, func(lo, hi int) {
		memory := make([]complex128, 2*f.n)
		for k := lo; k < hi; k++ {
			do(h.alone(), k, memory[:f.n], memory[f.n:])
		}
	})
}

// complexForm is how numbers of a type are read and written.
type complexForm struct {
	size int // of a number
	// load and store convert complex numbers, with parts swapped if asked; what is stored is multiplied by scale.
	load  func(pool *exec.Pool, dst []complex128, src []byte, swapped bool)
	store func(pool *exec.Pool, dst []byte, src []complex128, swapped bool, scale float64)
	// loadReal reads real numbers; storeReal writes the imaginary parts of swapped ones.
	loadReal  func(dst []complex128, src []byte)
	storeReal func(dst []byte, src []complex128, scale float64)
}

var (
	singleForm = complexForm{4, loadComplex[float32], storeComplex[float32], loadReal[float32], storeReal[float32]}
	doubleForm = complexForm{8, loadComplex[float64], storeComplex[float64], loadReal[float64], storeReal[float64]}
)

// complexForms are those of the types that can be transformed.
var complexForms = [shape.NumElementTypes]*complexForm{
	shape.F32: &singleForm, shape.C64: &singleForm, shape.F64: &doubleForm, shape.C128: &doubleForm}

func loadComplex[T float32 | float64](pool *exec.Pool, dst []complex128, src []byte, swapped bool) {
	from := view[[2]T](src)
	ranges(pool, len(dst), func(lo, hi int) {
		to := dst[lo:hi]
		if swapped {
			for i, v := range from[lo:hi] {
				to[i] = complex(float64(v[1]), float64(v[0]))
			}
			return
		}
		for i, v := range from[lo:hi] {
			to[i] = complex(float64(v[0]), float64(v[1]))
		}
	})
}

func storeComplex[T float32 | float64](pool *exec.Pool, dst []byte, src []complex128, swapped bool, scale float64) {
	to := view[[2]T](dst)
	ranges(pool, len(src), func(lo, hi int) {
		to := to[lo:hi]
		for i, v := range src[lo:hi] {
			if swapped {
				v = swap(v)
			}
			to[i] = [2]T{T(real(v) * scale), T(imag(v) * scale)}
		}
	})
}

func loadReal[T float32 | float64](dst []complex128, src []byte) {
	for i, v := range view[T](src) {
		dst[i] = complex(float64(v), 0)
	}
}

func storeReal[T float32 | float64](dst []byte, src []complex128, scale float64) {
	to := view[T](dst)
	for i, v := range src {
		to[i] = T(imag(v) * scale)
	}
}
