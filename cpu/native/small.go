package native

import "math"

// This file factors and solves systems of a few real rows: to bring one into the form that machine code takes is more
// work than to do it.

const (
	// smallRows is how many rows such a matrix has at most.
	smallRows = 8
	// smallRight is how many right sides there are at most: of more, vectors are full.
	smallRight = 16
)

// small is the lower triangle of such a matrix.
type small[E float32 | float64] [smallRows][smallRows]E

// isSmall reports whether solveSmall is for systems of t.
func (t triangular) isSmall() bool { return t.N <= smallRows && t.Sides <= smallRight }

// solveSmall solves a real system.
func solveSmall[E float32 | float64](t triangular, a, from, to []E) {
	var l small[E]
	for i := range t.N {
		for j := range i + 1 {
			l[i][j] = a[t.L.First+i*t.L.Down+j*t.L.Right]
		}
		if t.Unit {
			l[i][i] = 1
		}
	}
	for k := range t.Sides {
		var x [smallRows]E
		at := t.R.First + k*t.R.Down
		for j := range t.N {
			sum := from[at]
			for i, v := range x[:j] {
				sum -= E(v * l[j][i])
			}
			x[j] = sum / l[j][j]
			to[at] = x[j]
			at += t.R.Right
		}
	}
}

// choleskySmall factors a real matrix of n rows, the upper triangle of which is that of the transpose.
func choleskySmall[E float32 | float64](n int, lower bool, from, to []E) {
	down, right := 1, n
	if lower {
		down, right = n, 1
	}
	var l small[E]
	for i := range n {
		for j := range i {
			sum := from[i*down+j*right]
			for k, v := range l[j][:j] {
				sum -= E(l[i][k] * v)
			}
			l[i][j] = sum / l[j][j]
		}
		pivot := from[i*down+i*right]
		for _, v := range l[i][:i] {
			pivot -= E(v * v)
		}
		if !(pivot > 0) {
			for k := range to {
				to[k] = E(math.NaN())
			}
			return
		}
		l[i][i] = E(math.Sqrt(float64(pivot)))
	}
	for i := range n {
		for j := range n {
			to[i*down+j*right] = l[i][j]
		}
	}
}
