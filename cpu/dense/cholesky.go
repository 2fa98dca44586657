package dense

import "math"

// Parallel does f for 0 to n-1, which may be side by side. It returns false if it did not, or not for all, since the
// context of a run has ended; then the factorization ends too.
type Parallel func(n int, f func(k int)) bool

// Cholesky replaces the upper triangle of m, a symmetric matrix of n rows, by U with U^T U = m; what is below it
// becomes anything. Columns from n on must be zero. inverse has m.Rows numbers. It returns the first row, from 1, whose
// pivot is not positive, or 0.
func (k *Kernels[T]) Cholesky(m Matrix[T], n int, inverse []T, each Parallel) (failed int) {
	for p := range m.Panels() {
		first := p * m.Width
		if failed := k.diagonal(m, n, p, inverse); failed > 0 {
			return failed
		}
		if p+1 < m.Panels() && !k.behind(m, p, inverse[first:], each) {
			break
		}
	}
	return 0
}

// behind solves for the columns right of panel p, in its rows.
func (k *Kernels[T]) behind(m Matrix[T], p int, inverse []T, each Parallel) (ok bool) {
	a, rowA := m.from(p, 0)
	first := p * m.Width
	return each(m.Panels()-p-1, func(q int) {
		b, rowB := m.from(p+1+q, 0)
		k.Solve(Step[T]{A: a, DepthA: rowA, StepA: k.Rows, B: b, RowB: rowB, C: b[first*rowB:], RowC: rowB,
			Vectors: rowB / m.Lanes, Steps: m.Width / k.Rows, Depth: first, Inverse: inverse})
	})
}

// diagonal factors the rows of panel p that cross the diagonal.
func (k *Kernels[T]) diagonal(m Matrix[T], n, p int, inverse []T) (failed int) {
	a, cols := m.from(p, 0)
	var kept [maxRows * maxRows]T
	for s := 0; s < cols && p*m.Width+s < m.Rows; s += k.Rows {
		row := p*m.Width + s
		step := Step[T]{A: a[s:], DepthA: cols, StepA: k.Rows, B: a, RowB: cols, C: a[row*cols:], RowC: cols,
			Vectors: cols / m.Lanes, Steps: 1, Depth: row}
		k.Subtract(step)
		block := a[row*cols+s:]
		if at := factorBlock(block, cols, min(k.Rows, n-row), inverse[row:][:k.Rows]); at > 0 {
			return row + at
		}
		// The solution is wanted of what is right of the block only.
		for i := range k.Rows {
			copy(kept[i*k.Rows:][:k.Rows], block[i*cols:])
		}
		step.A, step.DepthA, step.Depth, step.Inverse = kept[:], k.Rows, 0, inverse[row:]
		k.Solve(step)
		for i := range k.Rows {
			copy(block[i*cols:][:k.Rows], kept[i*k.Rows:])
		}
	}
	return 0
}

// maxRows is the most rows of a step.
const maxRows = 8

// factorBlock factors n rows and columns; inverse becomes that of the diagonal, and zero behind it.
func factorBlock[T Float](a []T, ld, n int, inverse []T) (failed int) {
	clear(inverse)
	for j := range n {
		row := a[j*ld:][:n]
		if !(row[j] > 0) {
			return j + 1
		}
		row[j] = T(math.Sqrt(float64(row[j])))
		inverse[j] = 1 / row[j]
		for c := j + 1; c < n; c++ {
			row[c] *= inverse[j]
		}
		for r := j + 1; r < n; r++ {
			other := a[r*ld:][:n]
			for c := r; c < n; c++ {
				other[c] -= T(row[r] * row[c])
			}
		}
	}
	return 0
}
