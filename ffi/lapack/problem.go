package lapack

import (
	"fmt"
	"sync"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
)

// problem is one of the problems of a batch.
type problem[T field] struct {
	in   []matrix[T]
	out  []result // row-major
	attr options
	info int // 0: solved; otherwise as LAPACK has it
	err  error
	// alone: this is all there is, so results may lie anywhere.
	alone bool
	// steps are those of machine code that blocks of matrices are computed by; nil: there are none. each does such
	// work side by side, and reports whether the context has not ended.
	steps   *dense.Kernels[float64]
	steps32 *dense.Kernels[float32] // for problems in float32, which have only these
	inGo    *dense.Kernels[float64] // the same for small matrices
	inGo32  *dense.Kernels[float32]
	each    dense.Parallel
	// memory is where panels are made, again and again.
	memory *sync.Pool
	workspace[T]
	// batch is the work of the call that began with this problem, if it did; inTurn and sideBySide do parts of it.
	batch              work[T]
	inTurn, sideBySide dense.Parallel
}

// result is the elements of a result: numbers, or complex numbers.
type result struct {
	re     []float64
	single []float32
	z      []complex128
}

func (r result) len() int { return len(r.re) + len(r.single) + len(r.z) }

// part is n elements from at on.
func (r result) part(at, n int) result {
	switch {
	case r.z != nil:
		return result{z: r.z[at:][:n]}
	case r.single != nil:
		return result{single: r.single[at:][:n]}
	}
	return result{re: r.re[at:][:n]}
}

// put sets element k, which is real if the result is.
func (r result) put(k int, v complex128) {
	switch {
	case r.z != nil:
		r.z[k] = v
	case r.single != nil:
		r.single[k] = float32(real(v))
	default:
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
	if to := numbersIn[T](r); to != nil {
		if v, ok := any(m.at).([]float64); ok && p.alone && len(v) == len(r.re) {
			p.out[i].re = v
		} else if len(m.at) > 0 && &to[0] != &m.at[0] {
			copy(to, m.at)
		}
		return
	}
	for k := range min(r.len(), len(m.at)) {
		r.put(k, toComplex(m.at[k]))
	}
}

// numbersIn are the elements of r, nil if those are of another type.
func numbersIn[T field](r result) (v []T) {
	switch to := any(&v).(type) {
	case *[]float64:
		*to = r.re
	case *[]float32:
		*to = r.single
	case *[]complex128:
		*to = r.z
	}
	return v
}

// place returns a matrix of anything that is to become result i: its memory, if that is of the same numbers.
func (p *problem[T]) place(i, rows, cols int) matrix[T] {
	if v := numbersIn[T](p.out[i]); len(v) == rows*cols {
		return matrix[T]{rows, cols, v}
	}
	return p.matrix(rows, cols)
}

// copyOf returns a copy of operand k that is to become result i.
func (p *problem[T]) copyOf(k, i int) matrix[T] {
	m := p.place(i, p.in[k].rows, p.in[k].cols)
	copy(m.at, p.in[k].at)
	return m
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
