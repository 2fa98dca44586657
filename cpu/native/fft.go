package native

import (
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// fft transforms the last dimensions of arrays. All is computed with float64 and rounded once. The elements
// that are transformed together are a unit: the dimensions of its complex array are dims.
type fft struct {
	kind    op.FftType
	form    *complexForm
	batch   int
	dims    []int
	in, out int         // numbers of a unit, real and imaginary parts counted each
	outer   []transform // of dims but the last one
	inner   transform   // of the last one; half of it where that is enough for real numbers
	n       int         // elements of the last dimension, before or after they are real
	roots   []complex128
	scale   float64
	memory  lineMemory
}

// newFFT makes the function of a Fourier transform. A forward one is unscaled, an inverse one divides by the number of
// elements. Spec: OPS.md section 6, Fft.
func newFFT(i *hlo.Instruction) Interruptible {
	a, x, y := i.Attrs().(*op.FftAttrs), i.Operand(0).Shape(), i.Shape()
	first := x.Rank() - len(a.Length)
	f := &fft{kind: a.Type, form: complexForms[x.Type], batch: 1, n: a.Length[len(a.Length)-1], scale: 1}
	for _, d := range x.Dims[:first] {
		f.batch *= d
	}
	whole := x // whose last dimension is that of the complex array
	if a.Type == op.RFFT {
		whole = y
	}
	f.dims = whole.Dims[first:]
	f.in, f.out = numbersOf(x)/f.batch, numbersOf(y)/f.batch
	for _, d := range f.dims[:len(f.dims)-1] {
		f.outer = append(f.outer, newTransform(d))
	}
	length := f.n
	if f.isReal() && f.n%2 == 0 {
		length = f.n / 2
		for k := range length + 1 {
			f.roots = append(f.roots, root(k, f.n))
		}
	}
	f.inner = newTransform(length)
	if f.inverse() {
		for _, d := range a.Length {
			f.scale /= float64(d)
		}
	}
	return f.run
}

func (f *fft) isReal() bool  { return f.kind == op.RFFT || f.kind == op.IRFFT }
func (f *fft) inverse() bool { return f.kind == op.IFFT || f.kind == op.IRFFT }

// numbersOf is how many numbers s has.
func numbersOf(s shape.Shape) int {
	n := 1
	for _, d := range s.Dims {
		n *= d
	}
	if s.Type.IsComplex() {
		n *= 2
	}
	return n
}

// run does many small units at once, or one large one after the other.
func (f *fft) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	size := f.in * f.form.size
	unit := func(h crew, b int) {
		f.unit(h, in[0][b*size:(b+1)*size], out[0][b*f.out*f.form.size:][:f.out*f.form.size])
	}
	if f.batch == 1 || f.in >= 2*parallelLength {
		for b := 0; b < f.batch && !interrupted(done); b++ {
			unit(crew{pool, done}, b)
		}
		return nil
	}
	grain := min(max(1, parallelLength/4/f.in), (f.batch-1)/pool.Threads()+1)
	pool.Run(f.batch, grain, exec.JobFunc(func(_, lo, hi int) {
		for b := lo; b < hi && !interrupted(done); b++ {
			unit(crew{done: done}, b)
		}
	}))
	return nil
}

// unit transforms one unit.
func (f *fft) unit(h crew, in, out []byte) {
	size := 1
	for _, d := range f.dims {
		size *= d
	}
	if size < parallelLength/8 {
		h = h.alone()
	}
	memory := f.memory.get(2 * max(size, f.n))
	defer f.memory.put(memory)
	x, y := (*memory)[:size], (*memory)[len(*memory)/2:]
	if f.kind == op.RFFT {
		f.realRows(h, x, in)
	} else {
		f.form.load(h.pool, x, in, f.inverse())
	}
	if !f.isReal() && len(f.dims) == 1 { // no need to have the result in x
		f.form.store(h.pool, out, f.inner.forward(h, x, y[:size]), f.inverse(), f.scale)
		return
	}
	if !f.isReal() {
		alongRows(h, f.inner, x, f.n)
	}
	for d := len(f.outer) - 1; d >= 0; d-- {
		alongColumns(h, f.outer[d], x, linesOf(f.dims, d))
	}
	if f.kind == op.IRFFT {
		f.realResults(h, x, out)
		return
	}
	f.form.store(h.pool, out, x, f.inverse(), f.scale)
}

// alongRows transforms the rows of n elements of x.
func alongRows(h crew, t transform, x []complex128, n int) {
	bundles(h, len(x)/n, func(lo, hi int) {
		spare := make([]complex128, n)
		for k := lo; k < hi; k++ {
			row := x[k*n:][:n]
			if result := t.forward(crew{}, row, spare); &result[0] != &row[0] {
				copy(row, result)
			}
		}
	})
}

// alongColumns transforms lines of x whose elements do not lie side by side.
func alongColumns(h crew, t transform, x []complex128, l lines) {
	block := l.inner * l.n
	for base := 0; base < len(x); base += block {
		bundles(h, l.inner, func(lo, hi int) {
			memory := make([]complex128, (hi-lo+1)*l.n)
			spare := memory[(hi-lo)*l.n:]
			for i := range l.n {
				for c, v := range x[base+i*l.inner+lo : base+i*l.inner+hi] {
					memory[c*l.n+i] = v
				}
			}
			var results [bundle][]complex128
			for c := range hi - lo {
				line := memory[c*l.n:][:l.n]
				if results[c] = t.forward(crew{}, line, spare); &results[c][0] != &line[0] {
					copy(line, results[c])
					results[c] = line
				}
			}
			for i := range l.n {
				to := x[base+i*l.inner+lo : base+i*l.inner+hi]
				for c := range to {
					to[c] = results[c][i]
				}
			}
		})
	}
}
