package dense

// This file reduces matrices by reflections from both sides to few diagonals. What a step changes and what the next
// one needs of it are one pass over the matrix: a product with the next reflector's vector, which is known before.

// Tridiagonal reduces m, a symmetric matrix of n rows, all of it given, to a tridiagonal one with diagonal d and
// n-1 numbers e beside it. It leaves the vectors of the reflectors: that of taus[j] is in row j, from column j+1 on,
// where it has a 1.
func (k *Kernels[T]) Tridiagonal(m Sheet[T], n int, d, e, taus []T, from Memory[T], each Parallel) bool {
	v, w, next, x := k.Vector(from, m.Cols), k.Vector(from, m.Cols), k.Vector(from, m.Cols), k.Vector(from, m.Cols)
	for j := range taus {
		// The row as it is after A - v w^T - w v^T.
		row := m.Row(j)
		changeRow(row[j:n], v[j], w[j:], w[j], v[j:])
		d[j] = row[j]
		e[j], taus[j] = Reflector(row[j+1 : n])
		next[j] = 0
		copy(next[j+1:], row[j+1:n])
		v[j], w[j] = 0, 0
		if !k.Update(m, j+1, j+1, Change[T]{A: v, B: w, C: w, D: v, U: next, X: x}, each) {
			return false
		}
		clear(w[:j+1])
		w, x = x, w
		// It is the same from both sides once w has lost its half of v.
		half := taus[j] / 2 * scaled(w[j+1:n], taus[j], next[j+1:])
		addTo(w[j+1:n], -half, next[j+1:])
		clear(w[:j+1])
		clear(w[n:])
		v, next = next, v
	}
	if n > 0 {
		row := m.Row(n - 1)
		changeRow(row[n-1:n], v[n-1], w[n-1:], w[n-1], v[n-1:])
		d[n-1] = row[n-1]
	}
	return true
}

// changeRow subtracts a times b and c times d from row.
func changeRow[T Float](row []T, a T, b []T, c T, d []T) {
	b, d = b[:len(row)], d[:len(row)]
	for i, x := range row {
		row[i] = x - T(a*b[i]) - T(c*d[i])
	}
}

// scaled multiplies x by f and returns its product with y.
func scaled[T Float](x []T, f T, y []T) (sum T) {
	y = y[:len(x)]
	for i, a := range x {
		x[i] = a * f
		sum += T(x[i] * y[i])
	}
	return sum
}

// addTo adds f times y to x.
func addTo[T Float](x []T, f T, y []T) {
	y = y[:len(x)]
	for i := range x {
		x[i] += T(f * y[i])
	}
}

// Bidiagonal reduces m, of at least as many rows as the n columns, to a matrix with diagonal d and n-1 numbers e above
// it. It leaves the vectors of the reflectors: from the left that of left[j] in column j from row j on, from the right
// that of right[j] in row j from column j+1 on; both have a 1 there.
func (k *Kernels[T]) Bidiagonal(m Sheet[T], rows, n int, d, e, left, right []T, from Memory[T], each Parallel) bool {
	v, x, past := k.Vector(from, m.Rows), k.Vector(from, m.Rows), k.Vector(from, m.Rows)
	w, u, old := k.Vector(from, m.Cols), k.Vector(from, m.Cols), k.Vector(from, m.Cols)
	for j := range n {
		// The matrix is A - past old^T. Its column j:
		clear(v[:j])
		for i := j; i < rows; i++ {
			v[i] = m.At[i*m.Cols+j] - T(past[i]*old[j])
		}
		d[j], left[j] = Reflector(v[j:rows])
		for i := j; i < rows; i++ {
			m.At[i*m.Cols+j] = v[i]
		}
		old[j] = 0
		if j+1 == n {
			break
		}
		// What the reflection subtracts is v w^T, with w = left (A^T v - (past v) old).
		if !k.Combine(m, j, j+1, v, w, each) {
			return false
		}
		along := T(0)
		for i := j; i < rows; i++ {
			along += T(past[i] * v[i])
		}
		for i := range w {
			w[i] = left[j] * (w[i] - T(along*old[i]))
		}
		clear(w[:j+1])
		// Row j as it will be, and its reflector.
		row := m.Row(j)
		changeRow(row[j+1:n], past[j], old[j+1:], 1, w[j+1:])
		e[j], right[j] = Reflector(row[j+1 : n])
		copy(u[j+1:], row[j+1:n])
		u[j] = 0
		v[j], past[j] = 0, 0
		if !k.Update(m, j+1, j+1, Change[T]{A: past, B: old, C: v, D: w, U: u, X: x}, each) {
			return false
		}
		for i := j + 1; i < rows; i++ {
			past[i] = right[j] * x[i]
		}
		old, u = u, old
	}
	return true
}

// Hessenberg reduces m, of n rows and columns, to a matrix that is zero below the first diagonal under the main one.
// It leaves the vectors of the reflectors below that diagonal: that of taus[j] is in column j from row j+1 on, where it
// has a 1 that is not there.
func (k *Kernels[T]) Hessenberg(m Sheet[T], n int, taus []T, from Memory[T], each Parallel) bool {
	v, past, y, x := k.Vector(from, m.Rows), k.Vector(from, m.Rows), k.Vector(from, m.Rows), k.Vector(from, m.Rows)
	w, along, old := k.Vector(from, m.Cols), k.Vector(from, m.Cols), k.Vector(from, m.Cols)
	for j := range taus {
		// The matrix is A - y old^T - past w^T. Its column j:
		for i := range n {
			m.At[i*m.Cols+j] -= T(y[i]*old[j]) + T(past[i]*w[j])
		}
		clear(v[:j+1])
		for i := j + 1; i < n; i++ {
			v[i] = m.At[i*m.Cols+j]
		}
		var beta T
		beta, taus[j] = Reflector(v[j+1 : n])
		old[j], w[j] = 0, 0
		clear(along)
		copy(along[j+1:], v[j+1:n])
		if !k.Update(m, 0, j+1, Change[T]{A: y, B: old, C: past, D: w, U: along, X: x}, each) ||
			!k.Combine(m, j+1, j+1, v, w, each) {
			return false
		}
		m.At[(j+1)*m.Cols+j] = beta
		for i := j + 2; i < n; i++ {
			m.At[i*m.Cols+j] = v[i]
		}
		// (1 - tau v v^T) A (1 - tau v v^T) = A - y v^T - v w^T.
		product := T(0)
		for i := range n {
			y[i] = taus[j] * x[i]
			product += T(v[i] * y[i])
		}
		for i := range w {
			w[i] = taus[j] * (w[i] - T(product*along[i]))
		}
		clear(w[:j+1])
		past, v = v, past
		old, along = along, old
	}
	return true
}
