package lapack

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// problem is one of the problems of a batch.
type problem[T field] struct {
	in   []matrix[T]
	out  []result // row-major
	attr options
	info int // 0: solved; otherwise as LAPACK has it
	err  error
	// single: this is all there is, so results may lie anywhere.
	single bool
	// steps are those of machine code that blocks of matrices are computed by; nil: there are none. each does such
	// work side by side, and reports whether the context has not ended.
	steps *dense.Kernels[float64]
	inGo  *dense.Kernels[float64] // the same for small matrices
	each  dense.Parallel
	// memory is where panels are made, again and again.
	memory *sync.Pool
	workspace[T]
}

// result is the elements of a result: numbers, or complex numbers.
type result struct {
	re []float64
	z  []complex128
}

// newResult is the result for y: its own memory, if that has such numbers one after the other.
func newResult(y literal.Literal, from func(n int) []float64) result {
	switch n := y.Len(); {
	case y.Type().IsComplex():
		return result{z: make([]complex128, n)}
	case y.Type() == shape.F64 && y.Shape().HasDefaultLayout():
		return result{re: literal.Values[float64](y)}
	default:
		return result{re: from(n)}
	}
}

func (r result) len() int { return len(r.re) + len(r.z) }

// part is n elements from at on.
func (r result) part(at, n int) result {
	if r.z != nil {
		return result{z: r.z[at:][:n]}
	}
	return result{re: r.re[at:][:n]}
}

// put sets element k, which is real if the result is.
func (r result) put(k int, v complex128) {
	if r.z != nil {
		r.z[k] = v
	} else {
		r.re[k] = real(v)
	}
}

// expect reports whether two sizes agree; if not that is an error.
func (p *problem[T]) expect(what string, got, want int) bool {
	if got != want && p.err == nil {
		p.err = fmt.Errorf("expects %s %d, got %d", what, want, got)
	}
	return got == want
}

// set makes result i the matrix or vector m, which may be its memory from now on; the result may be shorter.
func (p *problem[T]) set(i int, m matrix[T]) {
	r := p.out[i]
	if v, ok := any(m.at).([]float64); ok && r.re != nil {
		if p.single && len(v) == len(r.re) {
			p.out[i].re = v
			return
		}
		copy(r.re, v)
		return
	}
	for k := range min(r.len(), len(m.at)) {
		r.put(k, toComplex(m.at[k]))
	}
}

func (p *problem[T]) setReals(i int, v []float64) {
	for k, x := range v[:min(len(v), p.out[i].len())] {
		p.out[i].put(k, complex(x, 0))
	}
}

func (p *problem[T]) setInts(i int, v []int) {
	for k, x := range v[:min(len(v), p.out[i].len())] {
		p.out[i].put(k, complex(float64(x), 0))
	}
}

// options are the attributes of a call: letters as numbers, integers.
type options []option

type option struct {
	name  string
	value int64
}

// get returns the value of a name, 0 if there is none.
func (o options) get(name string) int64 {
	v, _ := o.find(name)
	return v
}

func (o options) find(name string) (v int64, ok bool) {
	for _, x := range o {
		if x.name == name {
			return x.value, true
		}
	}
	return 0, false
}

// routine is a routine of LAPACK for one problem.
type routine struct {
	in   string // kinds of operands: m a matrix, q a square one, v a vector, s a scalar
	out  string // kinds of results
	real func(p *problem[float64])
	cplx func(p *problem[complex128])
	info int      // which result is info, -1 for none
	need []string // attributes
	// wide marks routines which have one result less for complex numbers: number drop.
	wide bool
	drop int
}

// job is a call of a routine with what it reads and sets.
type job struct {
	operands, results []literal.Literal
	in, out           string // kinds
	info              int
	attr              options
	scale             complex128 // of result 0
}

// run solves all problems of a batch. An operand more than the routine has is a factor of
// its result, results more are workspace of older versions and stay zero.
func (r routine) run(ctx context.Context, on *machine, operands, results []literal.Literal, attr options) error {
	for _, name := range r.need {
		if _, ok := attr.find(name); !ok {
			return fmt.Errorf("expects the attribute %s, got none", name)
		}
	}
	if len(operands) < len(r.in) {
		return fmt.Errorf("expects %d operands, got %d", len(r.in), len(operands))
	}
	t := operands[0].Type()
	if !t.IsFloat() && !t.IsComplex() {
		return fmt.Errorf("operand 0: expects real or complex numbers, got %v", operands[0].Shape())
	}
	j := job{operands[:len(r.in)], results, r.in, r.out, r.info, attr, 1}
	if r.wide && t.IsComplex() {
		j.out, j.info = j.out[:r.drop]+j.out[r.drop+1:], j.info-1
	}
	if len(results) < len(j.out) {
		return fmt.Errorf("expects %d results, got %d", len(j.out), len(results))
	}
	j.results = results[:len(j.out)]
	if len(operands) > len(r.in) && operands[len(r.in)].Len() == 1 {
		j.scale = load(operands[len(r.in)], 0)
	}
	if t.IsComplex() {
		return runJob(ctx, on, j, r.cplx)
	}
	return runJob(ctx, on, j, r.real)
}

func runJob[T field](ctx context.Context, on *machine, j job, f func(*problem[T])) error {
	batch, n := j.batch()
	p := take[T](on)
	defer give(on, p) // results may be its memory
	w := work[T]{operands: make([]operand[T], len(j.operands)), results: make([]result, len(j.results)),
		sizes: make([]int, len(j.results)), attr: j.attr, info: j.info, solve: f}
	for k, x := range j.operands {
		var err error
		if w.operands[k], err = operandOf(p, x.RowMajor(), j.in[k], batch); err != nil {
			return fmt.Errorf("operand %d: %w", k, err)
		}
	}
	for k, y := range j.results {
		if rank := len(batch) + kinds[j.out[k]]; len(y.Dims()) != rank {
			return fmt.Errorf("result %d: expects %d dimensions, got %v", k, rank, y.Shape())
		}
		w.results[k] = newResult(y, p.reals)
		w.sizes[k] = y.Len() / max(n, 1)
	}
	if err := w.all(ctx, on, n, p); err != nil {
		return err
	}
	if j.scale != 1 {
		scaleResult(w.results[0], j.scale)
	}
	for k, y := range j.results {
		if err := store(y, w.results[k]); err != nil {
			return err
		}
	}
	return nil
}

// work is the problems of a batch.
type work[T field] struct {
	operands []operand[T]
	results  []result
	sizes    []int // of the results of a problem
	attr     options
	info     int
	solve    func(*problem[T])

	failed sync.Mutex
	err    error
}

// smallProblem is how many numbers of problems are handed out at a time, at least.
const smallProblem = 512

// all solves all n problems: side by side where they are many. A single one is only, whose memory may be the results'.
func (w *work[T]) all(ctx context.Context, on *machine, n int, only *problem[T]) error {
	steps, err := on.kernels()
	if err != nil {
		return err
	}
	within, across := on.each(ctx), alone(ctx)
	if n == 1 {
		only.steps, only.each = steps, within
		w.one(only, 0, true)
		copy(w.results, only.out)
		return cmp.Or(ctx.Err(), w.err)
	}
	within, across = across, within
	// Small problems are handed out several at a time.
	chunk := max(1, smallProblem/max(1, w.operands[0].rows*w.operands[0].cols))
	across((n+chunk-1)/chunk, func(c int) {
		p := take[T](on)
		p.steps, p.each = steps, within
		for b := c * chunk; b < min(n, (c+1)*chunk); b++ {
			p.own.used, p.real.used = 0, 0
			w.one(p, b, false)
		}
		give(on, p)
	})
	return cmp.Or(ctx.Err(), w.err)
}

// one solves problem b.
func (w *work[T]) one(p *problem[T], b int, single bool) {
	p.attr, p.single, p.info, p.err = w.attr, single, 0, nil
	p.in, p.out = p.in[:0], p.out[:0]
	for _, x := range w.operands {
		m := matrix[T]{x.rows, x.cols, x.all[b*x.rows*x.cols:][: x.rows*x.cols : x.rows*x.cols]}
		if x.lent {
			m = p.cloned(m)
		}
		p.in = append(p.in, m)
	}
	for k, r := range w.results {
		p.out = append(p.out, r.part(b*w.sizes[k], w.sizes[k]))
	}
	w.solve(p)
	if w.info >= 0 && p.out[w.info].len() > 0 {
		p.out[w.info].put(0, complex(float64(p.info), 0))
	}
	if p.err != nil {
		w.failed.Lock()
		w.err = cmp.Or(w.err, p.err)
		w.failed.Unlock()
	}
}

func scaleResult(r result, a complex128) {
	scaleBy(r.z, a)
	scaleBy(r.re, real(a))
}

// batch returns the dimensions in front of those of one problem, and how many problems there are.
func (j job) batch() (dims []int, n int) {
	x := j.operands[0]
	dims, n = x.Dims()[:max(0, len(x.Dims())-kinds[j.in[0]])], 1
	for _, d := range dims {
		n *= d
	}
	return dims, n
}

// kinds are the numbers of dimensions besides those of the batch.
var kinds = map[byte]int{'m': 2, 'q': 2, 'v': 1, 's': 0}

// operand is the matrices of all problems, one behind the other.
type operand[T field] struct {
	rows, cols int
	all        []T
	lent       bool // all is the memory of an operand, which a routine may not change
}

// operandOf returns x as matrices, which may be memory of p.
func operandOf[T field](p *problem[T], x literal.Literal, kind byte, batch []int) (o operand[T], err error) {
	dims := x.Dims()
	if len(dims) != len(batch)+kinds[kind] {
		return o, fmt.Errorf("expects %d dimensions, got %v", len(batch)+kinds[kind], x.Shape())
	}
	o.rows, o.cols = 1, 1
	for i, d := range dims {
		switch {
		case i < len(batch) && d != batch[i]:
			return o, fmt.Errorf("expects batch dimensions %v, got %v", batch, x.Shape())
		case i == len(batch):
			o.rows = d
		case i > len(batch):
			o.cols = d
		}
	}
	if kind == 'q' && o.rows != o.cols {
		return o, fmt.Errorf("expects square matrices, got %v", x.Shape())
	}
	if o.all, o.lent = lent[T](x); !o.lent {
		o.all = elements(p, x)
	}
	return o, nil
}

// elements returns a copy of those of x, which is in row-major order.
func elements[T field](p *problem[T], x literal.Literal) []T {
	all := p.numbers(x.Len())
	if v, ok := any(all).([]float64); ok && x.Type().IsFloat() {
		literal.ToFloat64s(v, x)
		return all
	}
	for i := range all {
		all[i] = fromComplex[T](load(x, i))
	}
	return all
}

// lent returns the memory of x, if that has such numbers.
func lent[T field](x literal.Literal) (v []T, ok bool) {
	if x.Type() == shape.F64 {
		v, ok = any(literal.Values[float64](x)).([]T)
	}
	return v, ok
}

func load(x literal.Literal, i int) complex128 {
	switch t := x.Type(); {
	case t.IsComplex():
		return x.ComplexAt(i)
	case t.IsFloat():
		return complex(x.FloatAt(i), 0)
	}
	return complex(float64(x.IntAt(i)), 0)
}

// store sets the elements of y, which may have any layout, to those of r in row-major order.
func store(y literal.Literal, r result) error {
	row := y
	if !y.Shape().HasDefaultLayout() {
		row = literal.New(shape.Make(y.Type(), y.Dims()...))
	}
	switch t := y.Type(); {
	case t.IsComplex():
		for i, z := range r.z {
			row.SetComplex(i, z)
		}
	case t.IsFloat():
		literal.FromFloat64s(row, r.re) // of what is in place already, a copy to itself
	case t == shape.S32:
		ints := literal.Values[int32](row)
		for i, v := range r.re {
			ints[i] = int32(v)
		}
	default:
		for i, v := range r.re {
			row.SetInt(i, int64(v))
		}
	}
	if y.Shape().HasDefaultLayout() {
		return nil
	}
	return literal.Copy(y, row)
}

// optionsOf returns the attributes of a call that are numbers.
func optionsOf(d ffi.Dict) (options, error) {
	o := make(options, 0, len(d))
	for _, a := range d {
		switch v := a.Value.(type) {
		case bool:
			n := int64(0)
			if v {
				n = 1
			}
			o = append(o, option{a.Name, n})
		case literal.Literal:
			if v.Len() != 1 || !v.Type().IsInteger() {
				return nil, fmt.Errorf("attribute %s: expects an integer, got %v", a.Name, v)
			}
			o = append(o, option{a.Name, v.IntAt(0)})
		}
	}
	return o, nil
}
