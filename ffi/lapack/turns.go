package lapack

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
)

// turns are rotations of neighbouring rows of a matrix that are to be done: many at a time, so that few vectors of its
// rows stay in the cache for all of them. Those of nil are of no matrix.
type turns[F dense.Float] struct {
	k      *dense.Kernels[F]
	each   dense.Parallel
	m      dense.Sheet[F]
	sweeps []dense.Sweep[F]
	memory []F
	direct bool // in loops over whole rows
}

// mostTurns is how many rotations are kept.
const mostTurns = 4096

// turnsOf returns no rotations of the identity of n rows: the first or the second ones of a problem.
func turnsOf[F dense.Float, T field](p *problem[T], which, n int) *turns[F] {
	t, ok := any(&p.turns[which]).(*turns[F])
	if !ok {
		t, _ = any(&p.turns32[which]).(*turns[F])
	}
	from := memoryOf[F](p)
	*t = turns[F]{k: rowsOf[F](p, n), each: p.parallel(), memory: from(2 * (min(mostTurns, n*n) + n))[:0],
		sweeps: t.sweeps[:0]}
	t.m = t.k.Sheet(from, n, n)
	for i := range n {
		t.m.Row(i)[i] = 1
	}
	return t
}

// sweep begins a sweep of at most n rotations.
func (t *turns[F]) sweep(first, n int, falling bool) {
	if t == nil {
		return
	}
	if len(t.memory)+2*n > cap(t.memory) {
		t.flush()
	}
	t.sweeps = append(t.sweeps, dense.Sweep[F]{First: first, Falling: falling})
}

// add is the next rotation of the sweep.
func (t *turns[F]) add(c, s float64) {
	if t == nil {
		return
	}
	own := &t.sweeps[len(t.sweeps)-1]
	t.memory = append(t.memory, F(c), F(s))
	own.Turns = t.memory[len(t.memory)-len(own.Turns)-2:]
}

// now does the rotations if they are done in loops: beside what finds the next one.
func (t *turns[F]) now() {
	if t != nil && t.direct {
		t.turn()
	}
}

// turn does the rotations in loops. The last sweep may go on.
func (t *turns[F]) turn() {
	for k := range t.sweeps {
		sweep, step := &t.sweeps[k], 1
		if sweep.Falling {
			step = -1
		}
		for ; len(sweep.Turns) > 0; sweep.Turns = sweep.Turns[2:] {
			c, s, x, y := sweep.Turns[0], sweep.Turns[1], t.m.Row(sweep.First), t.m.Row(sweep.First+step)
			for i, a := range x {
				b := y[i]
				x[i], y[i] = F(c*a)+F(s*b), F(c*b)-F(s*a)
			}
			sweep.First += step
		}
	}
	if last := len(t.sweeps) - 1; last > 0 {
		t.sweeps[0] = t.sweeps[last]
		t.sweeps = t.sweeps[:1]
	}
}

// flush does the rotations.
func (t *turns[F]) flush() {
	if t == nil {
		return
	}
	if t.direct {
		t.turn()
	} else {
		t.k.Rotate(t.m, t.sweeps, t.each)
	}
	t.sweeps, t.memory = t.sweeps[:0], t.memory[:0]
}

// row returns row i of the matrix.
func (t *turns[F]) row(i int) []F { return t.m.Row(i) }

// columns returns the rows in an order, as columns of a matrix of at least so many rows and columns. Behind them it is
// the identity.
func columns[F dense.Float, T field](p *problem[T], t *turns[F], order []int, rows, cols int) matrix[T] {
	m := p.matrix(rows, cols)
	v, least := numbersOf[F](m.at), F(0x1p-300)
	if isSingle[F]() {
		least = 0x1p-60
	}
	for k, i := range order {
		for r, x := range t.row(i)[:len(order)] {
			switch {
			case x < least && x > -least: // nothing beside others of the row, whose length is 1, but slow if denormal
			case v != nil:
				v[r*cols+k] = x
			default:
				m.at[r*cols+k] = toField[T](float64(x))
			}
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
	if reflectedInBlocks[float64](p, c, r) || reflectedInBlocks[float32](p, c, r) {
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

// reflectedInBlocks is reflected where numbers are of type F and there are steps for blocks, else it reports false.
func reflectedInBlocks[F dense.Float, T field](p *problem[T], c matrix[T], r reflections[T]) bool {
	q, ok := any(p).(*problem[F])
	if !ok || !blocked(q, c.rows, c.cols) {
		return false
	}
	m := panels(q, matrixOf[F](c))
	taus := q.numbers(r.below + len(r.taus)) // vectors further below are those of columns further to the right
	copy(taus[r.below:], numbersOf[F](r.taus))
	v := dense.Vectors[F]{At: numbersOf[F](r.at), Row: r.row, Col: r.col, Skip: r.below}
	stepsOf(q).Reflect(m, v, c.rows, taus, true, q.numbers, q.each)
	fromPanels(q, matrixOf[F](c), m)
	return true
}

// leastRows is from how many columns on machine code is faster on rows.
const leastRows = 12

// rows returns steps on rows of n numbers.
func (p *problem[T]) rows(n int) *dense.Kernels[float64] { return rowsOf[float64](p, n) }

// rowsOf returns steps on rows of n numbers, in Go where there is no machine code, or they are short.
func rowsOf[F dense.Float, T field](p *problem[T], n int) *dense.Kernels[F] {
	if isSingle[F]() {
		return steps(p.steps32, &p.inGo32, n).(*dense.Kernels[F])
	}
	return steps(p.steps, &p.inGo, n).(*dense.Kernels[F])
}

// steps returns k, or the steps in Go.
func steps[F dense.Float](k *dense.Kernels[F], inGo **dense.Kernels[F], n int) any {
	if k != nil && n >= leastRows {
		return k
	}
	if *inGo == nil {
		*inGo = dense.InGo[F]()
	}
	return *inGo
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

// over reports whether the context of the call has ended: what is not computed yet is left out then.
func (p *problem[T]) over() bool { return p.each != nil && !p.each(0, nil) }

// sheet returns m as the rows of a sheet.
func (p *problem[T]) sheet(k *dense.Kernels[float64], m matrix[float64]) dense.Sheet[float64] {
	return sheetOf(p, k, m)
}

func sheetOf[F dense.Float, T field](p *problem[T], k *dense.Kernels[F], m matrix[F]) dense.Sheet[F] {
	s := k.Sheet(memoryOf[F](p), m.rows, m.cols)
	if m.cols <= fewColumns { // a call for each row would take longer
		for c := range m.cols {
			for from, to := c, c; from < len(m.at); from, to = from+m.cols, to+s.Cols {
				s.At[to] = m.at[from]
			}
		}
		return s
	}
	for i := range m.rows {
		copy(s.Row(i), m.row(i))
	}
	return s
}
