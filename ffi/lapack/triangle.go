package lapack

import "github.com/goxla/xla/cpu/dense"

// system is a triangular system of equations, of m or of its transpose; lower is what the system is.
type system[F dense.Float] struct {
	m                       matrix[F]
	transposed, lower, unit bool
}

// systemOf is the system of m that the attributes of trsm say.
func systemOf[F dense.Float](attr options, m matrix[F]) system[F] {
	transposed := attr.get("trans_x") != 'N'
	return system[F]{m, transposed, (attr.get("uplo") == 'L') != transposed, attr.get("diag") == 'U'}
}

// solveHere replaces b by the solution x.
func (s *system[F]) solveHere(b matrix[F]) {
	if s.transposed {
		s.solveTransposed(b)
	} else {
		s.solve(b)
	}
}

// fewSides is fewer right sides than pay for laying out the matrix in blocks.
const fewSides = 4

// besideFrom is from how many rows on it pays to lay out right sides that are rows in blocks.
const besideFrom = 32

// at returns which row of the solution is found at a step, and from where to where those are that were before, or
// with after those that come.
func (s *system[F]) at(step int, after bool) (i, from, to int) {
	if i = step; !s.lower {
		i = s.m.rows - 1 - step
	}
	if s.lower == after {
		return i, i + 1, s.m.rows
	}
	return i, 0, i
}

// solveTransposed replaces b by the solution x: what is found of it is taken from all rows that come.
func (s *system[F]) solveTransposed(b matrix[F]) {
	for step := range s.m.rows {
		i, from, to := s.at(step, true)
		row, x := s.m.row(i), b.row(i)
		if !s.unit {
			for j := range x {
				x[j] /= row[i]
			}
		}
		row, rest := row[from:to], b.at[from*b.cols:to*b.cols]
		if len(x) == 1 {
			f := x[0]
			for k, y := range row[:len(rest)] {
				rest[k] -= F(f * y)
			}
			continue
		}
		k := 0
		for ; k+4 <= len(row); k += 4 {
			subtractFour(rest[k*len(x):], len(x), x, row[k], row[k+1], row[k+2], row[k+3])
		}
		for ; k < len(row); k++ {
			subtractOne(rest[k*len(x):], x, row[k])
		}
	}
}

// solve replaces b by the solution x, for a system that is not transposed.
func (s *system[F]) solve(b matrix[F]) {
	m := s.m
	for step := range m.rows {
		i, from, to := s.at(step, false)
		row, x := m.row(i), b.row(i)
		if len(x) == 1 {
			x[0] -= product(row[from:to], b.at[from:to])
			from = to
		}
		for ; from+4 <= to; from += 4 {
			subtractFrom(x, b.at[from*b.cols:], b.cols, row[from], row[from+1], row[from+2], row[from+3])
		}
		for ; from < to; from++ {
			subtractOne(x, b.row(from), row[from])
		}
		if !s.unit {
			for j := range x {
				x[j] /= row[i]
			}
		}
	}
}

// product is the sum of products, by four sums.
func product[F dense.Float](x, y []F) F {
	var s, t, u, v F
	y = y[:len(x)]
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		s, t, u, v = s+F(x[0]*y[0]), t+F(x[1]*y[1]), u+F(x[2]*y[2]), v+F(x[3]*y[3])
	}
	for i, a := range x {
		s += F(a * y[i])
	}
	return s + t + (u + v)
}

// solveRows replaces each row of b by the solution for it: four at a time.
func (s *system[F]) solveRows(b matrix[F]) {
	n, k := b.cols, 0
	for ; k+4 <= b.rows; k += 4 {
		rows := b.at[k*n:][:4*n]
		p, q, u, v := rows[:n], rows[n:][:n], rows[2*n:][:n], rows[3*n:][:n]
		for step := range n {
			i, from, to := s.at(step, s.transposed)
			row := s.m.at[i*n:][:n]
			f, g, h, m := p[i], q[i], u[i], v[i]
			if !s.transposed {
				for j := from; j < to; j++ {
					x := row[j]
					f, g, h, m = f-F(x*p[j]), g-F(x*q[j]), h-F(x*u[j]), m-F(x*v[j])
				}
			}
			if !s.unit {
				x := row[i]
				f, g, h, m = f/x, g/x, h/x, m/x
			}
			p[i], q[i], u[i], v[i] = f, g, h, m
			if s.transposed {
				subtractFour(rows[from:], n, row[from:to], f, g, h, m)
			}
		}
	}
	for ; k < b.rows; k++ {
		s.solveHere(matrix[F]{n, 1, b.row(k)})
	}
}

// subtractOne subtracts f times y from as many numbers of x.
func subtractOne[F dense.Float](x, y []F, f F) {
	x = x[:len(y)]
	for j, v := range y {
		x[j] -= F(f * v)
	}
}

// subtractFour subtracts multiples of x from four rows.
func subtractFour[F dense.Float](rows []F, ld int, x []F, f, g, h, m F) {
	if len(x) == 0 {
		return
	}
	n := len(x)
	a, b, c, d := rows[:n], rows[ld:][:n], rows[2*ld:][:n], rows[3*ld:][:n]
	for j, y := range x {
		a[j], b[j], c[j], d[j] = a[j]-F(f*y), b[j]-F(g*y), c[j]-F(h*y), d[j]-F(m*y)
	}
}

// subtractFrom subtracts multiples of four rows from x, one after the other.
func subtractFrom[F dense.Float](x, rows []F, ld int, f, g, h, m F) {
	n := len(x)
	a, b, c, d := rows[:n], rows[ld:][:n], rows[2*ld:][:n], rows[3*ld:][:n]
	for j, y := range x {
		x[j] = y - F(f*a[j]) - F(g*b[j]) - F(h*c[j]) - F(m*d[j])
	}
}
