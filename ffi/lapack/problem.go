package lapack

import (
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
	in       []matrix[T]
	borrowed []bool   // those that are the memory of operands
	out      []result // row-major
	attr     options
	info     int // 0: solved; otherwise as LAPACK has it
	err      error
	// single: this is all there is, so results may lie anywhere.
	single bool
	// steps are those of machine code that blocks of matrices are computed by; nil: there are none. each does such
	// work side by side, and reports whether the context has not ended.
	steps *dense.Kernels[float64]
	each  dense.Parallel
	// memory is where panels are made, again and again.
	memory *sync.Pool
}

// result is the elements of a result: numbers, or complex numbers.
type result struct {
	re []float64
	z  []complex128
}

// newResult is the result for y: its own memory, if that has such numbers one after the other.
func newResult(y literal.Literal) result {
	switch n := y.Len(); {
	case y.Type().IsComplex():
		return result{z: make([]complex128, n)}
	case y.Type() == shape.F64 && y.Shape().HasDefaultLayout():
		return result{re: literal.Values[float64](y)}
	default:
		return result{re: make([]float64, n)}
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
type options map[string]int64

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
		if _, ok := attr[name]; !ok {
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
	ins, sizes := make([][]matrix[T], len(j.operands)), make([]int, len(j.results))
	borrowed := make([]bool, len(j.operands))
	for k, x := range j.operands {
		var err error
		if ins[k], err = split[T](x.RowMajor(), j.in[k], batch, n); err != nil {
			return fmt.Errorf("operand %d: %w", k, err)
		}
		_, borrowed[k] = lent[T](x)
	}
	values := make([]result, len(j.results))
	for k, y := range j.results {
		if rank := len(batch) + kinds[j.out[k]]; len(y.Dims()) != rank {
			return fmt.Errorf("result %d: expects %d dimensions, got %v", k, rank, y.Shape())
		}
		values[k] = newResult(y)
		sizes[k] = y.Len() / max(n, 1)
	}
	problems := make([]problem[T], n)
	for b := range problems {
		p := &problems[b]
		p.attr, p.single, p.borrowed = j.attr, n == 1, borrowed
		for k := range ins {
			p.in = append(p.in, ins[k][b])
		}
		for k := range values {
			p.out = append(p.out, values[k].part(b*sizes[k], sizes[k]))
		}
	}
	if err := solveAll(ctx, on, problems, f); err != nil {
		return err
	}
	for b := range problems {
		if j.info >= 0 {
			problems[b].setInts(j.info, []int{problems[b].info})
		}
		if n == 1 {
			values = problems[b].out
		}
	}
	if j.scale != 1 {
		scaleResult(values[0], j.scale)
	}
	for k, y := range j.results {
		if err := store(y, values[k]); err != nil {
			return err
		}
	}
	return nil
}

// solveAll does f for all problems: side by side where they are many.
func solveAll[T field](ctx context.Context, on *machine, problems []problem[T], f func(*problem[T])) error {
	steps, err := on.kernels()
	if err != nil {
		return err
	}
	within, across := on.each(ctx), alone(ctx)
	if len(problems) > 1 {
		within, across = across, within
	}
	across(len(problems), func(b int) {
		problems[b].steps, problems[b].each, problems[b].memory = steps, within, &on.memory
		problems[b].ownInputs()
		f(&problems[b])
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for b := range problems {
		if problems[b].err != nil {
			return problems[b].err
		}
	}
	return nil
}

// ownInputs copies what is the memory of operands, so that the routine may change it.
func (p *problem[T]) ownInputs() {
	for k, yes := range p.borrowed {
		if yes {
			p.in[k] = p.in[k].clone()
		}
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

// split takes an operand apart into the matrices of the n problems, which may be its own memory: see ownInputs.
func split[T field](x literal.Literal, kind byte, batch []int, n int) ([]matrix[T], error) {
	dims := x.Dims()
	if len(dims) != len(batch)+kinds[kind] {
		return nil, fmt.Errorf("expects %d dimensions, got %v", len(batch)+kinds[kind], x.Shape())
	}
	rows, cols := 1, 1
	for i, d := range dims {
		switch {
		case i < len(batch) && d != batch[i]:
			return nil, fmt.Errorf("expects batch dimensions %v, got %v", batch, x.Shape())
		case i == len(batch):
			rows = d
		case i > len(batch):
			cols = d
		}
	}
	if kind == 'q' && rows != cols {
		return nil, fmt.Errorf("expects square matrices, got %v", x.Shape())
	}
	all := elements[T](x)
	list := make([]matrix[T], n)
	for b := range list {
		list[b] = matrix[T]{rows, cols, all[b*rows*cols:][: rows*cols : rows*cols]}
	}
	return list, nil
}

// elements returns those of x, which is in row-major order: its own memory, if that has such numbers.
func elements[T field](x literal.Literal) []T {
	if v, ok := lent[T](x); ok {
		return v
	}
	all := make([]T, x.Len())
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
	o := options{}
	for _, a := range d {
		switch v := a.Value.(type) {
		case bool:
			if o[a.Name] = 0; v {
				o[a.Name] = 1
			}
		case literal.Literal:
			if v.Len() != 1 || !v.Type().IsInteger() {
				return nil, fmt.Errorf("attribute %s: expects an integer, got %v", a.Name, v)
			}
			o[a.Name] = v.IntAt(0)
		}
	}
	return o, nil
}
