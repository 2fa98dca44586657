package dense

import "math"

// QR factors m, of so many rows, as Q R: R takes the place of the upper triangle, below it are the vectors of the
// reflectors whose product is Q, which are 1 on the diagonal; taus are their factors. Rows and columns behind those of
// the matrix must be zero.
func (k *Kernels[T]) QR(m Matrix[T], rows int, taus []T, from Memory[T], each Parallel) {
	b := k.newReflectors(m.Layout, from)
	for p := 0; p*m.Width < len(taus); p++ {
		first := p * m.Width
		_, b.width = m.Panel(p)
		b.first = first
		k.panelQR(m, p, rows, taus[first:min(first+m.Width, len(taus))], b)
		if p+1 == m.Panels() {
			break
		}
		b.prepare()
		if !each(m.Panels()-p-1, func(q int) { b.apply(m, p+1+q) }) {
			break
		}
	}
}

// panelQR factors panel p from the row of its first column on, and gives b its reflectors.
func (k *Kernels[T]) panelQR(m Matrix[T], p, rows int, taus []T, b *reflectors[T]) {
	first := p * m.Width
	a, ld := m.from(p, first)
	v, count := b.v, m.Rows-first
	clear(v[:count*ld])
	clear(b.taus)
	column, row := b.column[:count], b.row[:ld]
	for j := range taus {
		clear(column)
		for i := j; i < rows-first; i++ {
			column[i] = a[i*ld+j]
		}
		beta, tau := Reflector(column[j : rows-first])
		taus[j], b.taus[j] = tau, tau
		for i := j; i < rows-first; i++ {
			v[i*ld+j] = column[i]
		}
		if tau != 0 {
			k.Combine(Sheet[T]{Rows: count, Cols: ld, At: a[:count*ld]}, j, j, column, row, inTurn)
			clear(row[:j+1])
			for c := j + 1; c < ld; c++ {
				row[c] *= tau
			}
			skip := j / k.Rows * k.Rows
			k.Subtract(Step[T]{A: column[skip:], DepthA: k.Rows, StepA: k.Rows, B: row, RowB: ld, C: a[skip*ld:], RowC: ld,
				Vectors: ld / m.Lanes, Steps: (count - skip) / k.Rows, Depth: 1})
		}
		a[j*ld+j] = beta
		for i := j + 1; i < rows-first; i++ {
			a[i*ld+j] = column[i]
		}
	}
}

// inTurn does work on one thread.
func inTurn(n int, f func(k int)) bool {
	for k := range n {
		f(k)
	}
	return true
}

// Reflector finds H = I - tau v v^T with v[0] = 1 so that H x = (beta, 0, ..., 0). It replaces x by v.
func Reflector[T Float](x []T) (beta, tau T) {
	alpha := x[0]
	rest := norm(x[1:])
	x[0] = 1
	if rest == 0 {
		return alpha, 0
	}
	a, scale := float64(alpha), 1.0
	if rest < smallest && math.Abs(a) < smallest {
		// A norm that is not a normal number would be inexact, and the reflector no reflection.
		scale = smallest
		for i := range x[1:] {
			x[1+i] = T(float64(x[1+i]) / scale)
		}
		a, rest = a/scale, norm(x[1:])
	}
	b := -math.Copysign(math.Hypot(a, rest), a)
	f := 1 / (a - b)
	for i := range x[1:] {
		x[1+i] = T(float64(x[1+i]) * f)
	}
	return T(b * scale), T((b - a) / b)
}

// smallest is where numbers become so small that their inverse may not be a number.
const smallest = 0x1p-600

// norm is the Euclidean norm; numbers whose squares are too large or too small are scaled first.
func norm[T Float](x []T) float64 {
	var s, t, u, w float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b, c, d := float64(x[i]), float64(x[i+1]), float64(x[i+2]), float64(x[i+3])
		s, t, u, w = s+float64(a*a), t+float64(b*b), u+float64(c*c), w+float64(d*d)
	}
	for ; i < len(x); i++ {
		s += float64(x[i]) * float64(x[i])
	}
	if sum := s + t + (u + w); sum > 0x1p-900 && sum < 0x1p900 {
		return math.Sqrt(sum)
	}
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(float64(v)))
	}
	if most == 0 || math.IsInf(most, 0) || math.IsNaN(most) {
		return most
	}
	sum := 0.0
	for _, v := range x {
		f := float64(v) / most
		sum += f * f
	}
	return most * math.Sqrt(sum)
}

// reflectors is a block of reflectors, as many as a panel has columns: I - V T V^T. The inverse of T is the upper
// triangle of V^T V with the inverses of the factors on the diagonal, so T is never made: a system is solved.
type reflectors[T Float] struct {
	k            *Kernels[T]
	first, width int
	// v has the vectors as columns, from row first of the matrix on, products is V^T V; packed is -V as a left side.
	v, products, taus, packed []T
	column, row               []T
	rows                      int
}

func (k *Kernels[T]) newReflectors(l Layout, from Memory[T]) *reflectors[T] {
	w := l.Width
	sizes := []int{l.Rows * w, w * w, w, l.Rows * w, l.Rows, w}
	total := 0
	for _, n := range sizes {
		total += up(n, align/4)
	}
	all := from.aligned(total)
	parts := make([][]T, len(sizes))
	for i, n := range sizes {
		parts[i], all = all[:n:n], all[up(n, align/4):]
	}
	return &reflectors[T]{k: k, rows: l.Rows, v: parts[0], products: parts[1], taus: parts[2], packed: parts[3],
		column: parts[4], row: parts[5]}
}

// prepare makes what is needed to apply the reflectors in v.
func (b *reflectors[T]) prepare() {
	k, w, count := b.k, b.width, b.rows-b.first
	products := b.products[:w*w]
	clear(products)
	k.Subtract(Step[T]{A: b.v, DepthA: w, StepA: k.Rows, B: b.v, RowB: w, C: products, RowC: w,
		Vectors: w / k.Lanes, Steps: w / k.Rows, Depth: count})
	for i, x := range products {
		products[i] = -x
	}
	for at := 0; at < count*w; at += k.Rows * w {
		from, to := b.v[at:][:k.Rows*w], b.packed[at:][:k.Rows*w]
		for r := range k.Rows {
			for d, x := range from[r*w:][:w] {
				to[d*k.Rows+r] = -x
			}
		}
	}
}

// apply multiplies panel q of m by the reflectors, the first one first.
func (b *reflectors[T]) apply(m Matrix[T], q int) {
	k, w, count := b.k, b.width, b.rows-b.first
	c, ld := m.from(q, b.first)
	var memory [widest*widest + Slack]T
	y := Aligned(memory[:], widest*widest)[:w*ld]
	s := Step[T]{A: b.v, DepthA: w, StepA: k.Rows, B: c, RowB: ld, C: y, RowC: ld, Vectors: ld / m.Lanes,
		Steps: w / k.Rows, Depth: count}
	k.Subtract(s)
	s.A, s.B, s.Depth, s.Inverse = b.products, y, 0, b.taus
	k.Solve(s)
	s.A, s.DepthA, s.StepA, s.C = b.packed, k.Rows, w*k.Rows, c
	s.Steps, s.Depth = count/k.Rows, w
	k.Subtract(s)
}

// widest is the most columns of a panel.
const widest = MostVectors * 16

// Vectors are those of reflectors: number j of reflector n is at j*Row + n*Col, save that of the first Skip ones, which
// are zero. What is in front of number n, and that itself, is not read: it is 1.
type Vectors[T Float] struct {
	At             []T
	Row, Col, Skip int
}

// Reflect multiplies c by reflectors from the left: the first one is applied first, or last if backward.
func (k *Kernels[T]) Reflect(c Matrix[T], v Vectors[T], rows int, taus []T, backward bool, from Memory[T],
	each Parallel) {
	b := k.newReflectors(c.Layout, from)
	blocks := (len(taus) + c.Width - 1) / c.Width
	for n := range blocks {
		if backward {
			n = blocks - 1 - n
		}
		b.first = n * c.Width
		own := taus[b.first:min(b.first+c.Width, len(taus))]
		b.width = up(len(own), k.Lanes)
		b.fill(v, rows, own, backward)
		b.prepare()
		if !each(c.Panels(), func(q int) { b.apply(c, q) }) {
			return
		}
	}
}

// fill sets the vectors and factors, the last one first if backward.
func (b *reflectors[T]) fill(v Vectors[T], rows int, taus []T, backward bool) {
	clear(b.v[:(b.rows-b.first)*b.width])
	clear(b.taus)
	for j, tau := range taus {
		at := j
		if backward {
			at = len(taus) - 1 - j
		}
		b.taus[at] = tau
		b.v[j*b.width+at] = 1
		if b.first+j < v.Skip || j+1 >= rows-b.first {
			continue
		}
		own := v.At[(b.first+j-v.Skip)*v.Col:]
		for i := j + 1; i < rows-b.first; i++ {
			b.v[i*b.width+at] = own[(b.first+i)*v.Row]
		}
	}
}
