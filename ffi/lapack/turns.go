package lapack

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
)

// turns are rotations of neighbouring rows of a matrix that are to be done: many at a time, so that few vectors of its
// rows stay in the cache for all of them. Those of nil are of no matrix.
type turns struct {
	k      *dense.Kernels[float64]
	each   dense.Parallel
	m      dense.Sheet[float64]
	sweeps []dense.Sweep[float64]
	memory []float64
}

// mostTurns is how many rotations are kept.
const mostTurns = 4096

// turnsOf returns no rotations of the identity of n rows: the first or the second ones of a problem.
func turnsOf[T field](p *problem[T], which, n int) *turns {
	t := &p.turns[which]
	*t = turns{k: p.rows(n), each: p.parallel(), memory: p.reals(2 * (min(mostTurns, n*n) + n))[:0], sweeps: t.sweeps[:0]}
	t.m = t.k.Sheet(p.reals, n, n)
	for i := range n {
		t.m.Row(i)[i] = 1
	}
	return t
}

// sweep begins a sweep of at most n rotations.
func (t *turns) sweep(first, n int, falling bool) {
	if t == nil {
		return
	}
	if len(t.memory)+2*n > cap(t.memory) {
		t.flush()
	}
	t.sweeps = append(t.sweeps, dense.Sweep[float64]{First: first, Falling: falling})
}

// add is the next rotation of the sweep.
func (t *turns) add(c, s float64) {
	if t == nil {
		return
	}
	own := &t.sweeps[len(t.sweeps)-1]
	t.memory = append(t.memory, c, s)
	own.Turns = t.memory[len(t.memory)-len(own.Turns)-2:]
}

// flush does the rotations.
func (t *turns) flush() {
	if t == nil {
		return
	}
	t.k.Rotate(t.m, t.sweeps, t.each)
	t.sweeps, t.memory = t.sweeps[:0], t.memory[:0]
}

// row returns row i of the matrix.
func (t *turns) row(i int) []float64 { return t.m.Row(i) }

// columns returns the rows in an order, as columns of a matrix of at least so many rows and columns. Behind them it is
// the identity.
func (p *problem[T]) columns(t *turns, order []int, rows, cols int) matrix[T] {
	m := p.matrix(rows, cols)
	for k, i := range order {
		for r, x := range t.row(i)[:len(order)] {
			m.at[r*cols+k] = toField[T](x)
		}
	}
	for i := len(order); i < min(rows, cols); i++ {
		m.at[i*cols+i] = 1
	}
	return m
}

// rotation returns c, s and r so that c f + s g = r and c g - s f = 0.
func rotation(f, g float64) (c, s, r float64) {
	if r = math.Sqrt(float64(f*f) + float64(g*g)); !(r > 0x1p-450 && r < 0x1p450) {
		return extremeRotation(f, g)
	}
	return f / r, g / r, r
}

// extremeRotation is rotation for numbers whose squares may be none.
func extremeRotation(f, g float64) (c, s, r float64) {
	if g == 0 {
		return 1, 0, f
	}
	r = math.Hypot(f, g)
	return f / r, g / r, r
}

// reflections are a product of reflectors.
type reflections[T field] struct {
	// at has number i of the vector of reflector j at i*row + j*col, behind the 1, which is number j + below.
	at              []T
	row, col, below int
	taus            []T
}

// reflected replaces c by the product of the reflectors times c.
func (p *problem[T]) reflected(c matrix[T], r reflections[T]) matrix[T] {
	if q, ok := inBlocks(p, c.rows, c.cols); ok {
		m := panels(q, real64(c))
		taus := p.reals(r.below + len(r.taus)) // vectors further below are those of columns further to the right
		copy(taus[r.below:], realsOf(r.taus))
		v := dense.Vectors[float64]{At: realsOf(r.at), Row: r.row, Col: r.col, Skip: r.below}
		q.steps.Reflect(m, v, c.rows, taus, true, p.reals, p.each)
		fromPanels(q, real64(c), m)
		return c
	}
	v := p.buffer(forVector, c.rows)
	for j := len(r.taus) - 1; j >= 0; j-- {
		first := j + r.below
		v[first] = 1
		for i := first + 1; i < c.rows; i++ {
			v[i] = r.at[i*r.row+j*r.col]
		}
		p.reflectRows(c, first, 0, v[first:], r.taus[j])
	}
	return c
}

// leastRows is from how many columns on machine code is faster on rows.
const leastRows = 12

// rows returns steps on rows of n numbers, in Go where there is no machine code, or they are short.
func (p *problem[T]) rows(n int) *dense.Kernels[float64] {
	if p.steps != nil && n >= leastRows {
		return p.steps
	}
	if p.inGo == nil {
		p.inGo = dense.InGo[float64]()
	}
	return p.inGo
}

// parallel returns what does work side by side.
func (p *problem[T]) parallel() dense.Parallel {
	if p.each != nil {
		return p.each
	}
	return func(n int, f func(k int)) bool {
		for k := range n {
			f(k)
		}
		return true
	}
}

// sheet returns m as the rows of a sheet.
func (p *problem[T]) sheet(k *dense.Kernels[float64], m matrix[float64]) dense.Sheet[float64] {
	s := k.Sheet(p.reals, m.rows, m.cols)
	for i := range m.rows {
		copy(s.Row(i), m.row(i))
	}
	return s
}
