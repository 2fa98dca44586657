package native

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
)

// denseSolve solves real systems on machine code, in the type itself. The coefficients are packed block by block of
// rows; of the right sides as many as a panel has columns are solved at a time.
type denseSolve[E dense.Float] struct {
	*denseMemory[E] // for coefficients
	triangular
	panels *denseMemory[E] // for right sides, which are smaller
	// other takes systems whose diagonal has numbers without a good inverse.
	other solver
}

func newDenseSolve[E dense.Float](set *dense.Set, t triangular, other solver) (Interruptible, error) {
	memory, err := newDenseMemory[E](set)
	if err != nil {
		return nil, err
	}
	s := &denseSolve[E]{denseMemory: memory, panels: &denseMemory[E]{Kernels: memory.Kernels}, triangular: t, other: other}
	return s.run, nil
}

// newComplexSolve solves complex systems of numbers of so many bytes on machine code, in the type itself.
func newComplexSolve(set *dense.Set, t triangular, size int, other solver) (Interruptible, error) {
	steps, err := set.Triangles(size)
	if steps == nil {
		return other.run, err
	}
	return func(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
		eachMatrix(done, pool, t.batch, t.work(2*t.N), func(pool *exec.Pool, b int) {
			var each dense.Parallel
			if pool != nil {
				each = eachPart(done, pool)
			}
			memory := steps.Borrow()
			defer steps.Lend(memory)
			if !steps.Solve(&t.Triangle, b, in[0], in[1], out[0], memory, each) {
				other.one(done, pool, in, out, b)
			}
		})
		return nil
	}, nil
}

func (s *denseSolve[E]) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	eachMatrix(done, pool, s.batch, s.work(s.N), func(pool *exec.Pool, b int) {
		if !s.one(done, pool, in, out, b) {
			s.other.one(done, pool, in, out, b)
		}
	})
	return nil
}

// work is how much a real system of n rows is to do on machine code.
func (t triangular) work(n int) int { return n * n * t.Sides / 2 / denseSpeed }

// one solves system b, or reports that the diagonal has a number without a good inverse.
func (s *denseSolve[E]) one(done <-chan struct{}, pool *exec.Pool, in, out [][]byte, b int) bool {
	matrix, right := s.N*s.N, s.N*s.Sides
	a := view[E](in[0])[b*matrix:][:matrix]
	from, to := view[E](in[1])[b*right:][:right], view[E](out[0])[b*right:][:right]
	if s.isSmall() {
		solveSmall(s.triangular, a, from, to)
		return true
	}
	rows := s.Layout(s.N, 1).Rows
	memory := s.borrow(rows*rows + rows)
	defer s.lend(memory)
	l := dense.Aligned(*memory, rows*rows+rows)
	inverse := l[rows*rows:][:rows]
	if !s.invert(a, inverse) {
		return false
	}
	each := eachPart(done, pool)
	each(rows/s.Rows, func(k int) {
		s.pack(l[k*rows*s.Rows:][:rows*s.Rows], a, k*s.Rows)
	})
	layout := s.Layout(s.N, s.Sides)
	each(layout.Panels(), func(p int) {
		memory := s.panels.borrow(rows * layout.Width)
		defer s.panels.lend(memory)
		x := dense.Aligned(*memory, rows*layout.Width)
		_, cols := layout.Panel(p)
		first := p * layout.Width
		count := min(cols, s.Sides-first)
		s.readRight(x, cols, from, first, count)
		s.Solve(dense.Step[E]{A: l, DepthA: s.Rows, StepA: rows * s.Rows, B: x, RowB: cols, C: x, RowC: cols,
			Vectors: cols / layout.Lanes, Steps: rows / s.Rows, Inverse: inverse})
		s.writeRight(to, x, cols, first, count)
	})
	return true
}

// invert sets inverse to that of the diagonal.
func (s *denseSolve[E]) invert(a, inverse []E) bool {
	for i := range inverse {
		inverse[i] = 1
	}
	if s.Unit {
		return true
	}
	for i := range s.N {
		x := a[s.L.First+i*(s.L.Down+s.L.Right)]
		if !dense.Invertible[E](math.Abs(float64(x))) {
			return false
		}
		inverse[i] = 1 / x
	}
	return true
}

// pack writes a block of rows of the system, from row on, column by column: what is below the diagonal.
func (s *denseSolve[E]) pack(to, a []E, row int) {
	clear(to[:(row+s.Rows)*s.Rows])
	for r := range min(s.Rows, s.N-row) {
		i := row + r
		at := s.L.First + i*s.L.Down
		for d := range i {
			to[d*s.Rows+r] = a[at]
			at += s.L.Right
		}
	}
}

// readRight fills a panel with count right sides from first on, and zeros.
func (s *denseSolve[E]) readRight(x []E, ld int, from []E, first, count int) {
	base := s.R.First + first*s.R.Down
	if count < ld {
		clear(x[:s.N*ld])
	}
	clear(x[s.N*ld : up(s.N, s.Rows)*ld])
	if s.R.Down != 1 {
		s.readColumns(x, ld, from, base, count)
		return
	}
	for j := range s.N {
		copy(x[j*ld:][:count], from[base+j*s.R.Right:])
	}
}

// readColumns reads right sides that are rows of from, four at a time.
func (s *denseSolve[E]) readColumns(x []E, ld int, from []E, base, count int) {
	k := 0
	for ; k+4 <= count; k += 4 {
		at, step := base+k*s.R.Down, s.R.Down
		for j := range s.N {
			to := x[j*ld+k:][:4]
			to[0], to[1], to[2], to[3] = from[at], from[at+step], from[at+2*step], from[at+3*step]
			at += s.R.Right
		}
	}
	for ; k < count; k++ {
		at := base + k*s.R.Down
		for j := range s.N {
			x[j*ld+k] = from[at]
			at += s.R.Right
		}
	}
}

// writeRight writes what readRight read.
func (s *denseSolve[E]) writeRight(to, x []E, ld, first, count int) {
	base := s.R.First + first*s.R.Down
	if s.R.Down != 1 {
		s.writeColumns(to, x, ld, base, count)
		return
	}
	for j := range s.N {
		copy(to[base+j*s.R.Right:][:count], x[j*ld:])
	}
}

func (s *denseSolve[E]) writeColumns(to, x []E, ld, base, count int) {
	k := 0
	for ; k+4 <= count; k += 4 {
		at, step := base+k*s.R.Down, s.R.Down
		for j := range s.N {
			from := x[j*ld+k:][:4]
			to[at], to[at+step], to[at+2*step], to[at+3*step] = from[0], from[1], from[2], from[3]
			at += s.R.Right
		}
	}
	for ; k < count; k++ {
		at := base + k*s.R.Down
		for j := range s.N {
			to[at] = x[j*ld+k]
			at += s.R.Right
		}
	}
}

// up rounds n up to a multiple of unit.
func up(n, unit int) int { return (n + unit - 1) / unit * unit }
