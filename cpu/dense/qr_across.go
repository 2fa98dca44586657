package dense

// This file does QR factorizations of matrices of few columns, which are rows of a sheet: a reflection is taken from
// all rows in the same pass that multiplies them with the vector of the next one, and vectors run along the columns.

// QRAcross is QR for the matrix whose columns are rows of m, with so many rows.
func (k *Kernels[T]) QRAcross(m Sheet[T], rows, cols int, taus []T, from Memory[T], each Parallel) bool {
	v, next := k.Vector(from, m.Cols), k.Vector(from, m.Cols)
	a, x, none := k.Vector(from, m.Rows), k.Vector(from, m.Rows), k.Vector(from, m.Rows)
	for j := range taus {
		// The reflection in front is v a^T, which row j lacks yet.
		first, row := max(0, j-1), m.Row(j)[:rows]
		addTo(row[first:], -a[j], v[first:])
		beta, tau := Reflector(row[j:])
		taus[j] = tau
		clear(next[:j])
		copy(next[j:], row[j:])
		a[j] = 0
		if j+1 < cols {
			if !k.Update(m, j+1, first, Change[T]{A: a, B: v, C: none, D: v, U: next, X: x}, each) {
				return false
			}
			for i := j + 1; i < cols; i++ {
				a[i] = tau * x[i]
			}
		}
		row[j] = beta
		v, next = next, v
	}
	for j := len(taus); j < cols; j++ {
		addTo(m.Row(j)[:rows], -a[j], v)
	}
	return true
}

// ReflectAcross replaces q, whose rows are the first columns of the identity, by those of the product of reflectors
// whose vectors are rows of v.
func (k *Kernels[T]) ReflectAcross(q, v Sheet[T], cols int, taus []T, from Memory[T], each Parallel) bool {
	a, x, none := k.Vector(from, q.Rows), k.Vector(from, q.Rows), k.Vector(from, q.Rows)
	if len(taus) > 0 {
		copy(x, v.Row(len(taus) - 1)[:min(cols, v.Cols)])
	}
	for j := len(taus) - 1; j >= 0; j-- {
		// Row j is one of the identity yet, and those in front are nothing to the reflectors so far.
		clear(a[:j])
		a[j] = taus[j]
		for i := j + 1; i < cols; i++ {
			a[i] = taus[j] * x[i]
		}
		own, first := v.Row(j), max(0, j-1)
		if !k.Update(q, j, first, Change[T]{A: a, B: own, C: none, D: own, U: v.Row(first), X: x}, each) {
			return false
		}
	}
	return true
}
