package dense

// Tridiagonal reduces m, a symmetric matrix of n rows, all of it given, to a tridiagonal one with diagonal d and
// n-1 numbers e beside it. Below those it leaves the vectors of the reflectors: that of taus[j] is in column j, with a
// 1 that is not there in row j+1. What is above the diagonal becomes anything. Rows and columns from n on must be zero.
func (k *Kernels[T]) Tridiagonal(m Matrix[T], n int, d, e, taus []T, each Parallel) {
	t := k.newTridiagonal(m)
	for j := range taus {
		panel, col := m.from(j/m.Width, 0)
		at := j % m.Width
		d[j] = panel[j*col+at]
		v := t.v[:n]
		clear(v[:j+1])
		for i := j + 1; i < n; i++ {
			v[i] = panel[i*col+at]
		}
		e[j], taus[j] = reflector(v[j+1:])
		if taus[j] != 0 && !t.reflect(j, n, taus[j], each) {
			return
		}
		panel[(j+1)*col+at] = e[j]
		for i := j + 2; i < n; i++ {
			panel[i*col+at] = v[i]
		}
	}
	if n > 0 {
		d[n-1] = m.Row((n-1)/m.Width, n-1)[(n-1)%m.Width]
	}
}

// tridiagonal is a reduction on its way. v and w are the vectors of A - v w^T - w v^T, one behind the other in both,
// once as rows and once as the left side of a product; spread has v with zeros beside each number.
type tridiagonal[T Float] struct {
	k                *Kernels[T]
	m                Matrix[T]
	w, v             []T // with lanes behind them
	both, left, side []T
	sums             []T
}

func (k *Kernels[T]) newTridiagonal(m Matrix[T]) *tridiagonal[T] {
	n := max(m.Rows, m.Cols)
	total := 2*n + 2*n + k.Rows*n + k.Rows*m.Cols
	all := Aligned(make([]T, total+Slack), total)
	t := &tridiagonal[T]{k: k, m: m, both: all[:2*n], w: all[:n], v: all[n : 2*n]}
	t.left, t.side, t.sums = all[2*n:4*n], all[4*n:][:k.Rows*n], all[(4+k.Rows)*n:]
	return t
}

// reflect applies reflector j from both sides; v is set.
func (t *tridiagonal[T]) reflect(j, n int, tau T, each Parallel) bool {
	k, m := t.k, t.m
	skip := (j + 1) / k.Rows * k.Rows
	for i := skip; i < n; i++ {
		t.side[i*k.Rows] = t.v[i]
	}
	first := (j + 1) / m.Width
	// w = A v: of the rows of a block only the first one is not zero.
	ok := each(m.Panels()-first, func(q int) {
		at, ld := (first+q)*m.Width, min(m.Width, m.Cols-(first+q)*m.Width)
		sums := t.sums[at*k.Rows:][:ld*k.Rows]
		clear(sums)
		a, _ := m.from(first+q, skip)
		k.Subtract(Step[T]{A: t.side[skip*k.Rows:], DepthA: k.Rows, StepA: k.Rows, B: a, RowB: ld, C: sums, RowC: ld,
			Vectors: ld / m.Lanes, Steps: 1, Depth: n - skip})
		for c := range ld {
			t.w[at+c] = -tau * sums[c]
		}
	})
	if !ok {
		return false
	}
	clear(t.w[:j+1])
	clear(t.w[n:])
	// A - v w^T - w v^T is the same from both sides once w has lost its half of v.
	half := T(0)
	for i := j + 1; i < n; i++ {
		half += t.w[i] * t.v[i]
	}
	half *= tau / 2
	for i := j + 1; i < n; i++ {
		t.w[i] -= half * t.v[i]
	}
	for i := skip; i < n; i++ {
		at := i/k.Rows*2*k.Rows + i%k.Rows
		t.left[at], t.left[at+k.Rows] = t.v[i], t.w[i]
	}
	width := len(t.w)
	return each(m.Panels()-first, func(q int) {
		c, ld := m.from(first+q, skip)
		k.Subtract(Step[T]{A: t.left[2*skip:], DepthA: k.Rows, StepA: 2 * k.Rows, B: t.both[(first+q)*m.Width:],
			RowB: width, C: c, RowC: ld, Vectors: ld / m.Lanes, Steps: (m.Rows - skip) / k.Rows, Depth: 2})
	})
}
