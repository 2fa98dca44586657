package native

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// vectorFFT is a Fourier transform as passes over arrays. A pass transforms all lines of one dimension, bundles of
// adjacent lines on several threads. It computes in the type of the numbers.
type vectorFFT struct {
	kind   loop.Kind
	size   int64 // bytes of a number
	wide   bool  // vectors have 64 bytes
	nests  []*loop.Nest
	passes []*pass
	// builder is the memory for the next nest, if there is some.
	builder *loop.Builder
	made    map[stageKey]step // stages, and their tables by radix and number of butterflies
	tables  map[[2]int][]byte
	spaces  sync.Pool // of *lineSpace
	// temps are the bytes of arrays between passes, and arrays lends these.
	temps  [2]int
	arrays sync.Pool // of *[2][]uint64
}

// array is what a pass reads or writes.
type array int

const (
	operand array = iota
	result
	temp0
	temp1
)

// pass does lines: outer times inner ones, lanes at a time.
type pass struct {
	lines        *lineFFT
	from, to     array
	outer, inner int
	// Distances in numbers: between lines of inner, and from one of outer to the next; and the numbers of a bundle.
	fromLane, fromOuter, toLane, toOuter int
	// turn, if not nil, gives the table of the bundle that starts with line lo.
	turn func(table []byte, lo int)
	// whole, if not nil, is done instead of lines.
	whole wholePass
}

// inPlace reports whether s may write over what it reads: each bundle writes its lines when it has read them all, and
// none is done twice.
func (s *pass) inPlace() bool {
	return s.whole == nil && s.fromLane == s.toLane && s.fromOuter == s.toOuter && len(s.lines.steps) > 1 &&
		s.inner%s.lines.lanes == 0 && s.turn == nil
}

// wholePass does something to a whole array.
type wholePass func(pool *exec.Pool, kernels []Kernel, from, to []byte) error

// nest adds a nest.
func (f *vectorFFT) nest(n *fftNest) int {
	nest := n.end()
	n.Fit(nest)
	f.nests, f.builder = append(f.nests, nest), n.Builder
	return len(f.nests) - 1
}

// bind returns the function that runs the passes.
func (f *vectorFFT) bind(kernels []Kernel) Interruptible {
	return func(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
		memory, _ := f.arrays.Get().(*[2][]uint64)
		if memory == nil {
			memory = new([2][]uint64)
		}
		defer f.arrays.Put(memory)
		arrays := [4][]byte{operand: in[0], result: out[0]}
		for k, n := range f.temps {
			memory[k] = resized(memory[k], (n+7)/8)
			arrays[int(temp0)+k] = part[byte](memory[k], n)
		}
		for _, p := range f.passes {
			if interrupted(done) {
				break
			}
			if err := p.run(f, done, pool, kernels, arrays[p.from], arrays[p.to]); err != nil {
				return err
			}
		}
		return nil
	}
}

// run does all bundles of p. Where the last one of a row is not full it is moved, so that it does some lines of the one
// before again: the two are done one after the other, since roots that are products differ in the last bits.
func (p *pass) run(f *vectorFFT, done <-chan struct{}, pool *exec.Pool, kernels []Kernel, from, to []byte) error {
	if p.whole != nil {
		return p.whole(pool, kernels, from, to)
	}
	lanes := p.lines.lanes
	perRow := p.inner / lanes
	var failure atomic.Pointer[error]
	work := func(_, first, last int) {
		s, _ := f.spaces.Get().(*lineSpace)
		if s == nil {
			s = new(lineSpace)
		}
		defer func() {
			clear(s.list[:])
			f.spaces.Put(s)
		}()
		p.lines.space(s)
		for b := first; b < last && !interrupted(done); b++ {
			o, lo := b/perRow, b%perRow*lanes
			err := p.bundle(f, kernels, s, from, to, o, lo)
			if lo+2*lanes > p.inner && lo+lanes < p.inner && err == nil {
				err = p.bundle(f, kernels, s, from, to, o, p.inner-lanes)
			}
			if err != nil {
				first := err
				failure.CompareAndSwap(nil, &first)
			}
		}
	}
	pool.Run(p.outer*perRow, max(1, bundleWork/(p.lines.n*lanes)), exec.JobFunc(work))
	if err := failure.Load(); err != nil {
		return *err
	}
	return nil
}

// bundle does the lines of row o from lo on.
func (p *pass) bundle(f *vectorFFT, kernels []Kernel, s *lineSpace, from, to []byte, o, lo int) error {
	if p.turn != nil {
		p.turn(s.table, lo)
	}
	size := int(f.size)
	src, dst := from[(o*p.fromOuter+lo*p.fromLane)*size:], to[(o*p.toOuter+lo*p.toLane)*size:]
	return p.lines.run(kernels, s, src, dst)
}

// bundleWork is the least number of elements that a thread takes at a time.
const bundleWork = 1 << 12

// numbers converts complex numbers to numbers of the type, parts side by side.
func (f *vectorFFT) numbers(w []complex128) []byte {
	if f.kind == loop.F64 {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 16*len(w))
	}
	return f.numbersOf(len(w), func(add func(complex128)) {
		for _, v := range w {
			add(v)
		}
	})
}

// numbersOf is numbers of the n that each adds, one after the other.
func (f *vectorFFT) numbersOf(n int, each func(add func(w complex128))) []byte {
	if f.kind == loop.F64 {
		out := make([]complex128, 0, n)
		each(func(w complex128) { out = append(out, w) })
		return f.numbers(out)
	}
	out := make([]complex64, 0, n)
	each(func(w complex128) { out = append(out, complex64(w)) })
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(out))), 8*len(out))
}

// complexKinds are the numbers that the elements of each type are made of.
var complexKinds = [shape.NumElementTypes]loop.Kind{
	shape.F32: loop.F32, shape.C64: loop.F32, shape.F64: loop.F64, shape.C128: loop.F64}

// newVectorFFT returns how a Fourier transform is computed: by machine code, and where there is none by type fft.
func newVectorFFT(i *hlo.Instruction, wide bool) *Algorithm {
	if !fitsFFT(i) {
		return nil
	}
	f := &vectorFFT{kind: complexKinds[i.Operand(0).Type()], size: 4, wide: wide,
		made: map[stageKey]step{}, tables: map[[2]int][]byte{}}
	if f.kind == loop.F64 {
		f.size = 8
	}
	planned := f.plan(i)
	f.builder = nil // which the program would keep
	passes := func(kernels []Kernel) Interruptible {
		if !planned || kernels == nil {
			return newFFT(i)
		}
		return f.bind(kernels)
	}
	a := &Algorithm{Passes: passes, Bind: func(kernels []Kernel) Func {
		run := passes(kernels)
		return func(pool *exec.Pool, in, out [][]byte) error { return run(nil, pool, in, out) }
	}}
	if planned {
		a.Nests = f.nests
	}
	return a
}

// fitsFFT reports whether i is a transform of elements, of as many as it says.
func fitsFFT(i *hlo.Instruction) bool {
	a, x, y := i.Attrs().(*op.FftAttrs), i.Operand(0).Shape(), i.Shape()
	first := x.Rank() - len(a.Length)
	if first < 0 || len(a.Length) == 0 || x.Size() == 0 || y.Size() == 0 {
		return false
	}
	dims, want := x.Dims[first:], slices.Clone(a.Length)
	if a.Type == op.RFFT {
		dims = y.Dims[first:]
	}
	if a.Type == op.RFFT || a.Type == op.IRFFT {
		want[len(want)-1] = want[len(want)-1]/2 + 1
	}
	return slices.Equal(dims, want)
}
