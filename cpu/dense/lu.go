package dense

import "math"

// LU factors m, of rows times cols numbers, as P L U: L, with ones on the diagonal, takes the place of what is below
// the diagonal, U that of the rest. pivots[i] is the row that row i was exchanged with. Rows and columns behind the
// given ones must be zero. It returns the first column, from 1, whose pivot is zero, or 0.
func (k *Kernels[T]) LU(m Matrix[T], rows, cols int, pivots []int, from Memory[T], each Parallel) (singular int) {
	panel := newPacked(k, m.Layout, from)
	for p := 0; p*m.Width < len(pivots); p++ {
		first := p * m.Width
		own := pivots[first:min(first+m.Width, len(pivots))]
		if at := k.panelLU(m, p, rows, own, panel.block); at > 0 && singular == 0 {
			singular = at
		}
		panel.pack(k, m, p, 1)
		ok := each(m.Panels(), func(q int) {
			if q != p {
				exchangeRows(m, q, first, own)
			}
			if q <= p {
				return
			}
			c, ld := m.from(q, first)
			_, width := m.Panel(p)
			s := Step[T]{A: panel.at, DepthA: k.Rows, StepA: width * k.Rows, B: c, RowB: ld, C: c, RowC: ld,
				Vectors: ld / m.Lanes, Steps: min(width, m.Rows-first) / k.Rows, Inverse: panel.ones}
			k.Solve(s)
			if below := m.Rows - first - width; below > 0 {
				s.A, s.C, s.Depth, s.Steps = panel.at[width*width:], c[width*ld:], width, below/k.Rows
				k.Subtract(s)
			}
		})
		if !ok {
			break
		}
	}
	return singular
}

func exchangeRows[T Float](m Matrix[T], p, first int, pivots []int) {
	panel, cols := m.from(p, 0)
	for i, at := range pivots {
		if at != first+i {
			a, b := panel[(first+i)*cols:][:cols], panel[at*cols:][:cols]
			for j, x := range a {
				a[j], b[j] = b[j], x
			}
		}
	}
}

// panelLU factors panel p from the row of its first column on. block has room for a column and a row.
func (k *Kernels[T]) panelLU(m Matrix[T], p, rows int, pivots []int, block []T) (singular int) {
	first := p * m.Width
	a, ld := m.from(p, first)
	count := m.Rows - first
	column, row := block[:count], block[count:][:ld]
	for j := range pivots {
		at := largest(a, ld, j, rows-first)
		if pivots[j] = first + at; at != j {
			exchangeRows(m, p, first+j, pivots[j:j+1])
		}
		pivot := a[j*ld+j]
		if pivot == 0 {
			if singular == 0 {
				singular = first + j + 1
			}
			continue
		}
		divideColumn(column, a, ld, j, pivot)
		clear(row[:j+1])
		copy(row[j+1:], a[j*ld+j+1:][:ld-j-1])
		skip := j / k.Rows * k.Rows
		k.Subtract(Step[T]{A: column[skip:], DepthA: k.Rows, StepA: k.Rows, B: row, RowB: ld, C: a[skip*ld:], RowC: ld,
			Vectors: ld / m.Lanes, Steps: (count - skip) / k.Rows, Depth: 1})
	}
	return singular
}

// largest returns the first row from j on, of rows, with the number of largest size in column j.
func largest[T Float](a []T, ld, j, rows int) int {
	at, most := j, -1.0
	for i := j; i < rows; i++ {
		if x := math.Abs(float64(a[i*ld+j])); x > most { // signs by branches would be guessed wrong half of the time
			at, most = i, x
		}
	}
	return at
}

// divideColumn divides what is below row j of column j by the pivot, and copies it to column; above is zero.
func divideColumn[T Float](column, a []T, ld, j int, pivot T) {
	clear(column[:j+1])
	inverse := 1 / pivot
	if math.IsInf(float64(inverse), 0) {
		for i := j + 1; i < len(column); i++ {
			a[i*ld+j] /= pivot
			column[i] = a[i*ld+j]
		}
		return
	}
	for i := j + 1; i < len(column); i++ {
		x := a[i*ld+j] * inverse
		a[i*ld+j], column[i] = x, x
	}
}

// packed is a panel as the left side of products: blocks of rows, each column by column.
type packed[T Float] struct {
	at, ones, block []T
}

func newPacked[T Float](k *Kernels[T], l Layout, from Memory[T]) packed[T] {
	all := from.aligned((l.Rows+2)*(l.Width+1) + 2*l.Width)
	p := packed[T]{at: all[:l.Rows*l.Width], ones: all[l.Rows*l.Width:][:l.Width], block: all[(l.Rows+1)*l.Width:]}
	for i := range p.ones {
		p.ones[i] = 1
	}
	return p
}

// pack fills p with panel number n of m from the row of its first column on, times sign.
func (p packed[T]) pack(k *Kernels[T], m Matrix[T], n int, sign T) {
	a, ld := m.from(n, n*m.Width)
	for b := 0; b*k.Rows*ld < len(a); b++ {
		from, to := a[b*k.Rows*ld:][:k.Rows*ld], p.at[b*k.Rows*ld:][:k.Rows*ld]
		for r := range k.Rows {
			for d, x := range from[r*ld:][:ld] {
				to[d*k.Rows+r] = sign * x
			}
		}
	}
}
