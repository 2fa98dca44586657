package native

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
)

// denseSolve solves on machine code, in the type itself. The coefficients are packed block by block of rows; of the
// right sides as many as a panel has columns are solved at a time. A complex row is divided by the diagonal first and
// then two real ones.
type denseSolve[E dense.Float] struct {
	*denseMemory[E] // for coefficients
	triangular
	panels    *denseMemory[E] // for right sides, which are smaller
	isComplex bool
	// other takes systems whose diagonal has numbers without a good inverse.
	other solver
	// size is the rows of the real system, parts how many of them a number of the right side has.
	size, parts int
}

func newDenseSolve[E dense.Float](set *dense.Set, t triangular, isComplex bool, other solver) (Interruptible, error) {
	memory, err := newDenseMemory[E](set)
	if err != nil {
		return nil, err
	}
	s := &denseSolve[E]{denseMemory: memory, panels: &denseMemory[E]{Kernels: memory.Kernels}, triangular: t,
		isComplex: isComplex, other: other, size: t.n, parts: 1}
	if isComplex {
		s.size, s.parts = 2*t.n, 2
	}
	return s.run, nil
}

func (s *denseSolve[E]) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	eachMatrix(done, pool, s.batch, s.work(s.size), func(pool *exec.Pool, b int) {
		if !s.one(done, pool, in, out, b) {
			s.other.one(done, pool, in, out, b)
		}
	})
	return nil
}

// work is how much a real system of n rows is to do on machine code.
func (t triangular) work(n int) int { return n * n * t.rows / 2 / denseSpeed }

// one solves system b, or reports that the diagonal has a number without a good inverse.
func (s *denseSolve[E]) one(done <-chan struct{}, pool *exec.Pool, in, out [][]byte, b int) bool {
	matrix, right := s.n*s.n*s.parts, s.n*s.rows*s.parts
	a := view[E](in[0])[b*matrix:][:matrix]
	from, to := view[E](in[1])[b*right:][:right], view[E](out[0])[b*right:][:right]
	if !s.isComplex && s.isSmall() {
		solveSmall(s.triangular, a, from, to)
		return true
	}
	rows := s.Layout(s.size, 1).Rows
	memory := s.borrow(rows*rows + rows + 2*s.n)
	defer s.lend(memory)
	l := dense.Aligned(*memory, rows*rows+rows+2*s.n)
	scale := l[rows*rows+rows:]
	inverse := l[rows*rows:][:rows]
	if !s.invert(a, inverse, scale) {
		return false
	}
	each := eachPart(done, pool)
	each(rows/s.Rows, func(k int) {
		s.pack(l[k*rows*s.Rows:][:rows*s.Rows], a, scale, k*s.Rows)
	})
	layout := s.Layout(s.size, s.rows)
	each(layout.Panels(), func(p int) {
		memory := s.panels.borrow(rows * layout.Width)
		defer s.panels.lend(memory)
		x := dense.Aligned(*memory, rows*layout.Width)
		_, cols := layout.Panel(p)
		first := p * layout.Width
		count := min(cols, s.rows-first)
		s.readRight(x, cols, from, scale, first, count)
		s.Solve(dense.Step[E]{A: l, DepthA: s.Rows, StepA: rows * s.Rows, B: x, RowB: cols, C: x, RowC: cols,
			Vectors: cols / layout.Lanes, Steps: rows / s.Rows, Inverse: inverse})
		s.writeRight(to, x, cols, first, count)
	})
	return true
}

// invert sets inverse to that of the diagonal of the real system, and for a complex one scale to what its rows are
// multiplied by.
func (s *denseSolve[E]) invert(a, inverse, scale []E) bool {
	for i := range inverse {
		inverse[i] = 1
	}
	for i := range s.n {
		at := s.l.first + i*(s.l.down+s.l.right)
		switch {
		case s.unit:
			scale[2*i], scale[2*i+1] = 1, 0
		case s.isComplex:
			x, y := float64(a[2*at]), float64(a[2*at+1])
			if s.adjoint {
				y = -y
			}
			if !invertible[E](max(math.Abs(x), math.Abs(y))) {
				return false
			}
			z := 1 / complex(x, y)
			scale[2*i], scale[2*i+1] = E(real(z)), E(imag(z))
		default:
			if !invertible[E](math.Abs(float64(a[at]))) {
				return false
			}
			inverse[i] = 1 / a[at]
		}
	}
	return true
}

// invertible reports whether x is far from where its inverse, or the square, is not a normal number.
func invertible[E dense.Float](x float64) bool {
	limit := 0x1p-60
	var zero E
	if _, ok := any(zero).(float64); ok {
		limit = 0x1p-500
	}
	return x > limit && x < 1/limit
}

// pack writes a block of rows of the real system, from row on, column by column: what is below the diagonal.
func (s *denseSolve[E]) pack(to, a, scale []E, row int) {
	clear(to[:(row+s.Rows)*s.Rows])
	for r := range min(s.Rows, s.size-row) {
		if s.isComplex {
			s.packComplex(to, a, scale, row, r)
			continue
		}
		i := row + r
		at := s.l.first + i*s.l.down
		for d := range i {
			to[d*s.Rows+r] = a[at]
			at += s.l.right
		}
	}
}

// packComplex packs row r of a block, the real or the imaginary part of a complex row.
func (s *denseSolve[E]) packComplex(to, a, scale []E, row, r int) {
	i, imaginary := (row+r)/2, (row+r)%2 == 1
	u, v := scale[2*i], scale[2*i+1]
	for d := range i {
		at := 2 * (s.l.first + i*s.l.down + d*s.l.right)
		x, y := a[at], a[at+1]
		if s.adjoint {
			y = -y
		}
		x, y = E(x*u)-E(y*v), E(x*v)+E(y*u)
		if imaginary {
			x, y = y, -x
		}
		to[2*d*s.Rows+r], to[(2*d+1)*s.Rows+r] = x, -y
	}
}

// readRight fills a panel with count right sides from first on, and zeros.
func (s *denseSolve[E]) readRight(x []E, ld int, from, scale []E, first, count int) {
	base := s.r.first + first*s.r.down
	if count < ld {
		clear(x[:s.size*ld])
	}
	clear(x[s.size*ld : up(s.size, s.Rows)*ld])
	switch {
	case s.isComplex:
		for j := range s.n {
			u, v := scale[2*j], scale[2*j+1]
			for k := range count {
				at := 2 * (base + k*s.r.down + j*s.r.right)
				re, im := from[at], from[at+1]
				x[2*j*ld+k], x[(2*j+1)*ld+k] = E(re*u)-E(im*v), E(re*v)+E(im*u)
			}
		}
	case s.r.down == 1:
		for j := range s.n {
			copy(x[j*ld:][:count], from[base+j*s.r.right:])
		}
	default:
		s.readColumns(x, ld, from, base, count)
	}
}

// readColumns reads right sides that are rows of from, four at a time.
func (s *denseSolve[E]) readColumns(x []E, ld int, from []E, base, count int) {
	k := 0
	for ; k+4 <= count; k += 4 {
		at, step := base+k*s.r.down, s.r.down
		for j := range s.n {
			to := x[j*ld+k:][:4]
			to[0], to[1], to[2], to[3] = from[at], from[at+step], from[at+2*step], from[at+3*step]
			at += s.r.right
		}
	}
	for ; k < count; k++ {
		at := base + k*s.r.down
		for j := range s.n {
			x[j*ld+k] = from[at]
			at += s.r.right
		}
	}
}

// writeRight writes what readRight read.
func (s *denseSolve[E]) writeRight(to, x []E, ld, first, count int) {
	base := s.r.first + first*s.r.down
	switch {
	case s.isComplex:
		for j := range s.n {
			for k := range count {
				at := 2 * (base + k*s.r.down + j*s.r.right)
				to[at], to[at+1] = x[2*j*ld+k], x[(2*j+1)*ld+k]
			}
		}
	case s.r.down == 1:
		for j := range s.n {
			copy(to[base+j*s.r.right:][:count], x[j*ld:])
		}
	default:
		s.writeColumns(to, x, ld, base, count)
	}
}

func (s *denseSolve[E]) writeColumns(to, x []E, ld, base, count int) {
	k := 0
	for ; k+4 <= count; k += 4 {
		at, step := base+k*s.r.down, s.r.down
		for j := range s.n {
			from := x[j*ld+k:][:4]
			to[at], to[at+step], to[at+2*step], to[at+3*step] = from[0], from[1], from[2], from[3]
			at += s.r.right
		}
	}
	for ; k < count; k++ {
		at := base + k*s.r.down
		for j := range s.n {
			to[at] = x[j*ld+k]
			at += s.r.right
		}
	}
}

// up rounds n up to a multiple of unit.
func up(n, unit int) int { return (n + unit - 1) / unit * unit }
