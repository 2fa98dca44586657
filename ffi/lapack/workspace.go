package lapack

import (
	"sync"

	"github.com/goxla/xla/cpu/dense"
)

// workspace is memory that routines take numbers from, again and again: a problem of a few numbers would take longer
// to get memory than to solve.
type workspace[T field] struct {
	own     arena[T]
	real    arena[float64]
	buffers [buffers][]T
	single  arena[float32]
	turns   [2]turns[float64]
	turns32 [2]turns[float32]
	order   []int
	// These are reals and singles.
	takeReals   dense.Memory[float64]
	takeSingles dense.Memory[float32]
}

// arena hands out zeros. What was handed out may be used until the arena is released to where it was before.
type arena[E field] struct {
	at   []E
	used int
}

// leastArena is how many numbers an arena begins with.
const leastArena = 1024

func (a *arena[E]) take(n int) []E {
	if a.used+n > len(a.at) {
		a.at, a.used = make([]E, max(2*len(a.at), n, leastArena)), 0
	}
	v := a.at[a.used:][:n:n]
	a.used += n
	clear(v)
	return v
}

// workspaces are problems that were solved.
type workspaces struct{ real, single, cplx sync.Pool }

// poolOf returns the pool for numbers of type T.
func poolOf[T field](w *workspaces) *sync.Pool {
	switch {
	case conjugates[T]():
		return &w.cplx
	case isSingle[T]():
		return &w.single
	}
	return &w.real
}

// take returns a problem with memory.
func take[T field](on *machine) *problem[T] {
	p, _ := poolOf[T](&on.work).Get().(*problem[T])
	if p == nil {
		p = &problem[T]{memory: &on.memory}
		if isSingle[T]() {
			p.memory = &on.memory32
		}
		p.inTurn, p.sideBySide = p.batch.alone, p.batch.together
	}
	return p
}

// give gives it back: nothing of its memory is in use any more.
func give[T field](on *machine, p *problem[T]) {
	p.reset()
	p.steps, p.steps32, p.each = nil, nil, nil
	for i := range p.turns {
		p.turns[i] = turns[float64]{sweeps: p.turns[i].sweeps}
		p.turns32[i] = turns[float32]{sweeps: p.turns32[i].sweeps}
	}
	clear(p.in)
	clear(p.out)
	p.batch.forget()
	poolOf[T](&on.work).Put(p)
}

// inOrder returns 0 to n-1, which are good until they are asked for again.
func (p *problem[T]) inOrder(n int) []int {
	p.order = p.order[:0]
	for i := range n {
		p.order = append(p.order, i)
	}
	return p.order
}

// numbers returns n zeros that are good as long as the problem.
//
//go:noinline
func (p *problem[T]) numbers(n int) []T {
	return p.own.take(n)
}

// reals is numbers for real ones.
func (p *problem[T]) reals(n int) []float64 {
	return p.real.take(n)
}

// singles is numbers for float32.
func (p *problem[T]) singles(n int) []float32 {
	return p.single.take(n)
}

// memoryOf is numbers for those of type F.
func memoryOf[F dense.Float, T field](p *problem[T]) dense.Memory[F] {
	take, ok := any(&p.takeReals).(*dense.Memory[F])
	if !ok {
		take, _ = any(&p.takeSingles).(*dense.Memory[F])
	}
	if *take == nil {
		p.takeReals, p.takeSingles = p.reals, p.singles
	}
	return *take
}

// reset takes all numbers back.
func (p *problem[T]) reset() {
	p.own.used, p.real.used, p.single.used = 0, 0, 0
}

// Vectors that are in use for a while.
const (
	forRows = iota
	forColumns
	forVector
	buffers
)

// buffer returns n zeros that are good until it is asked for the same ones again.
func (p *problem[T]) buffer(which, n int) []T {
	b := &p.buffers[which]
	if cap(*b) < n {
		*b = make([]T, 2*n)
	}
	v := (*b)[:n]
	clear(v)
	return v
}

// column is matrix.column in a buffer.
func (p *problem[T]) column(m matrix[T], j, from int) []T {
	v := p.buffer(forVector, max(0, m.rows-from))
	for i := range v {
		v[i] = m.at[(from+i)*m.cols+j]
	}
	return v
}

func (p *problem[T]) matrix(rows, cols int) matrix[T] {
	return matrix[T]{rows, cols, p.numbers(rows * cols)}
}

// cloned returns a copy of m.
func (p *problem[T]) cloned(m matrix[T]) matrix[T] {
	c := p.matrix(m.rows, m.cols)
	copy(c.at, m.at)
	return c
}

// adjoint returns the conjugate transpose of m.
func (p *problem[T]) adjoint(m matrix[T]) matrix[T] {
	c := p.matrix(m.cols, m.rows)
	transpose(c.at, c.cols, m.at, m.cols, m.rows, m.cols)
	if conjugates[T]() {
		for i, x := range c.at {
			c.at[i] = conj(x)
		}
	}
	return c
}

// transpose writes so many rows and columns of from across the diagonal; rows are ldTo and ldFrom numbers apart.
func transpose[T field](to []T, ldTo int, from []T, ldFrom, rows, cols int) {
	const tile = 128 // lines of both fit into the first cache
	for first := 0; first < cols; first += tile {
		n := min(tile, cols-first)
		i := 0
		for ; i+4 <= rows; i += 4 {
			at := i*ldFrom + first
			a, b, c, d := from[at:][:n], from[at+ldFrom:][:n], from[at+2*ldFrom:][:n], from[at+3*ldFrom:][:n]
			at = first*ldTo + i
			for j, x := range a {
				own := to[at:][:4]
				own[0], own[1], own[2], own[3] = x, b[j], c[j], d[j]
				at += ldTo
			}
		}
		for ; i < rows; i++ {
			for j, x := range from[i*ldFrom+first:][:n] {
				to[(first+j)*ldTo+i] = x
			}
		}
	}
}

// isSingle reports whether numbers are float32.
func isSingle[T field]() bool {
	var zero T
	_, ok := any(zero).(float32)
	return ok
}

// conjugates reports whether numbers are not their own conjugates.
func conjugates[T field]() bool {
	var zero T
	_, ok := any(zero).(complex128)
	return ok
}
