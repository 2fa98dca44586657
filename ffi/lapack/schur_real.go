package lapack

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
)

// quasi is a Hessenberg matrix on its way to the real Schur form, by Francis' double steps.
type quasi struct {
	k *dense.Kernels[float64]
	h dense.Sheet[float64]
	n int
	// z has the vectors as rows; its memory is nil if they are not wanted. full: so is all of the form, not only
	// eigenvalues, for which rows and columns outside a step need not follow it.
	z    dense.Sheet[float64]
	full bool
	over func() bool // whether nobody waits for it any more
}

// schur returns the eigenvalues, and 0 or the number of one that was not found.
func (q *quasi) schur() (wr, wi []float64, info int) {
	wr, wi = make([]float64, q.n), make([]float64, q.n)
	for hi := q.n - 1; hi >= 0; {
		l, found := 0, false
		for step := range maxSteps {
			if q.over() {
				return wr, wi, hi + 1
			}
			for l = hi; l > 0 && !q.negligible(l); {
				l--
			}
			if l > 0 {
				q.h.Row(l)[l-1] = 0
			}
			if found = l >= hi-1; found {
				break
			}
			q.francisStep(l, hi, q.doubleShift(l, hi, step))
		}
		switch {
		case !found:
			return wr, wi, hi + 1
		case l == hi:
			wr[hi] = q.h.Row(hi)[hi]
		default:
			wi[l] = q.standardize(l)
			wi[hi] = -wi[l]
			wr[l], wr[hi] = q.h.Row(l)[l], q.h.Row(hi)[hi]
		}
		hi = l - 1
	}
	return wr, wi, 0
}

// negligible reports whether the element left of the diagonal in row l is as good as 0.
func (q *quasi) negligible(l int) bool {
	small := math.Abs(q.h.Row(l)[l-1])
	size := math.Abs(q.h.Row(l - 1)[l-1]) + math.Abs(q.h.Row(l)[l])
	if size == 0 {
		for i := range q.n {
			size = max(size, math.Abs(q.h.Row(i)[i]), small)
		}
	}
	return small <= epsilon*size || small < 0x1p-1000
}

// shifts are two shifts that are real or conjugate.
type shifts struct{ r1, i1, r2, i2 float64 }

// doubleShift returns the eigenvalues of the last 2x2 block; if they are real the better one twice.
func (q *quasi) doubleShift(l, hi, step int) shifts {
	h := q.h
	a, b, c, d := h.Row(hi - 1)[hi-1], h.Row(hi - 1)[hi], h.Row(hi)[hi-1], h.Row(hi)[hi]
	switch step % 20 { // after many steps without success, others
	case 9:
		s := math.Abs(h.Row(l + 1)[l]) + math.Abs(h.Row(l + 2)[l+1])
		a = 0.75*s + h.Row(l)[l]
		b, c, d = -0.4375*s, s, a
	case 19:
		s := math.Abs(c) + math.Abs(h.Row(hi - 1)[hi-2])
		a = 0.75*s + d
		b, c, d = -0.4375*s, s, a
	}
	s := math.Abs(a) + math.Abs(b) + math.Abs(c) + math.Abs(d)
	if s == 0 {
		return shifts{}
	}
	a, b, c, d = a/s, b/s, c/s, d/s
	mean := (a + d) / 2
	det := float64((a-mean)*(d-mean)) - float64(b*c)
	root := math.Sqrt(math.Abs(det))
	if det >= 0 {
		return shifts{mean * s, root * s, mean * s, -root * s}
	}
	best := mean + root
	if math.Abs(mean-root-d) < math.Abs(best-d) {
		best = mean - root
	}
	return shifts{best * s, 0, best * s, 0}
}

// firstColumn returns a vector along the first column of (H - shift1)(H - shift2), where the step begins at row m, and
// whether it may begin there: what is left of the diagonal in that row is nothing to it.
func firstColumn(h dense.Sheet[float64], l, m int, t shifts) (v [3]float64, may bool) {
	at, ld := h.At[m*(h.Cols+1):], h.Cols // from element (m, m) on
	h11, h21, h22 := at[0], at[ld], at[ld+1]
	s := math.Abs(h11-t.r2) + math.Abs(t.i2) + math.Abs(h21)
	if s == 0 {
		return v, true
	}
	inverse := 1 / s
	q := h21 * inverse
	v = [3]float64{
		float64(q*at[1]) + float64((h11-t.r1)*((h11-t.r2)*inverse)) - float64(t.i1*(t.i2*inverse)),
		q * (h11 + h22 - t.r1 - t.r2),
		q * at[2*ld+1],
	}
	if m == l {
		return v, true
	}
	before := math.Abs(h.At[m*ld+m-1]) * (math.Abs(v[1]) + math.Abs(v[2]))
	near := math.Abs(h.At[(m-1)*(ld+1)]) + math.Abs(h11) + math.Abs(h22)
	return v, before <= epsilon*math.Abs(v[0])*near
}

// francisStep does one double step on rows l to hi.
func (q *quasi) francisStep(l, hi int, t shifts) {
	h, ld, m := q.h, q.h.Cols, hi-2
	first, may := firstColumn(h, l, m, t)
	for !may {
		m--
		first, may = firstColumn(h, l, m, t)
	}
	from, to := 0, q.n
	if !q.full {
		from, to = l, hi+1
	}
	for k := m; k < hi; k++ {
		v, size, left := first, min(3, hi-k+1), h.At[k*ld+max(k-1, 0):] // from the number left of the diagonal on
		if k > m {
			for i := range size {
				v[i], left[i*ld] = left[i*ld], 0
			}
		}
		beta, tau := reflectorOf(v[:size])
		if k > m {
			left[0] = beta
		} else if m > l {
			left[0] *= 1 - tau
		}
		r := small{v[1], v[2], tau, tau * v[1], tau * v[2]}
		q.reflect(h, &r, k, size, k, to)
		r.columns(h, k, size, from, min(k+3, hi)+1)
		if q.z.At != nil {
			q.reflect(q.z, &r, k, size, 0, q.n)
		}
	}
}

// small is a reflector of three numbers, or of two.
type small dense.Three[float64]

// reflect reflects rows k on of h, some of their columns.
func (q *quasi) reflect(h dense.Sheet[float64], r *small, k, size, from, to int) {
	if size == 3 {
		q.k.ReflectThree(h, k, from, to, (*dense.Three[float64])(r))
		return
	}
	n := to - from
	x, y := h.At[k*h.Cols+from:][:n], h.At[(k+1)*h.Cols+from:][:n]
	for j, p := range x {
		o := y[j]
		s := p + float64(r.A*o)
		x[j], y[j] = p-float64(s*r.T), o-float64(s*r.U)
	}
}

// columns reflects columns k on of h, some of their rows.
func (r *small) columns(h dense.Sheet[float64], k, size, from, to int) {
	for at := from*h.Cols + k; at < to*h.Cols; at += h.Cols {
		x := h.At[at : at+2 : at+2]
		p, q := x[0], x[1]
		if size == 2 {
			s := p + float64(r.A*q)
			x[0], x[1] = p-float64(s*r.T), q-float64(s*r.U)
			continue
		}
		o := h.At[at+2]
		s := p + float64(r.A*q) + float64(r.B*o)
		x[0], x[1], h.At[at+2] = p-float64(s*r.T), q-float64(s*r.U), o-float64(s*r.V)
	}
}

// reflectorOf is dense.Reflector for a few numbers of sizes that are not extreme.
func reflectorOf(x []float64) (beta, tau float64) {
	rest := 0.0
	for _, v := range x[1:] {
		rest += float64(v * v)
	}
	sum := float64(x[0]*x[0]) + rest
	if !(rest > 0x1p-900 && sum < 0x1p900) {
		return dense.Reflector(x)
	}
	beta = -math.Copysign(math.Sqrt(sum), x[0])
	f := 1 / (x[0] - beta)
	for i := range x[1:] {
		x[1+i] *= f
	}
	return beta, (beta - x[0]) / beta
}

// standardize brings the 2x2 block at row l into the standard form: upper triangular, or with equal
// elements on the diagonal and others of opposite signs. It returns the imaginary part of the first eigenvalue.
func (q *quasi) standardize(l int) float64 {
	x, y := q.h.Row(l)[:q.n], q.h.Row(l + 1)[:q.n]
	b := block{x[l], x[l+1], y[l], y[l+1]}
	b, cs, sn := b.standard()
	if q.full {
		rotate(x[l+2:], y[l+2:], cs, sn)
		rotateColumns(matrix[float64]{l, q.h.Cols, q.h.At}, l, l, l+1, cs, sn)
	}
	if q.z.At != nil {
		rotate(q.z.Row(l), q.z.Row(l+1), cs, sn)
	}
	x[l], x[l+1], y[l], y[l+1] = b.a, b.b, b.c, b.d
	if b.c == 0 {
		return 0
	}
	return math.Sqrt(math.Abs(b.b)) * math.Sqrt(math.Abs(b.c))
}

// block is the matrix (a b; c d).
type block struct{ a, b, c, d float64 }

// standard returns the standard form of b, and the rotation that makes it.
func (b block) standard() (s block, cs, sn float64) {
	diff := b.a - b.d
	switch {
	case b.c == 0:
		return b, 1, 0
	case b.b == 0: // exchange rows and columns
		return block{b.d, -b.c, 0, b.a}, 0, 1
	case diff == 0 && math.Signbit(b.b) != math.Signbit(b.c):
		return b, 1, 0
	}
	p := diff / 2
	most, least := max(math.Abs(b.b), math.Abs(b.c)), min(math.Abs(b.b), math.Abs(b.c))
	least *= math.Copysign(1, b.b) * math.Copysign(1, b.c)
	scale := max(math.Abs(p), most)
	if d := float64(p/scale*p) + float64(most/scale*least); d >= 4*epsilon { // two real eigenvalues
		root := p + math.Copysign(math.Sqrt(scale)*math.Sqrt(d), p)
		size := math.Hypot(b.c, root)
		return block{b.d + root, b.b - b.c, 0, b.d - most/root*least}, root / size, b.c / size
	}
	return b.equalDiagonal(diff, p)
}

// equalDiagonal is standard for complex, or nearly equal real, eigenvalues: it makes the diagonal equal.
func (b block) equalDiagonal(diff, p float64) (s block, cs, sn float64) {
	sigma := b.b + b.c
	size := math.Hypot(sigma, diff)
	cs = math.Sqrt(0.5 * (1 + math.Abs(sigma)/size))
	sn = -(p / (size * cs)) * math.Copysign(1, sigma)
	left := block{float64(b.a*cs) + float64(b.b*sn), float64(b.b*cs) - float64(b.a*sn),
		float64(b.c*cs) + float64(b.d*sn), float64(b.d*cs) - float64(b.c*sn)}
	s = block{float64(left.a*cs) + float64(left.c*sn), float64(left.b*cs) + float64(left.d*sn),
		float64(left.c*cs) - float64(left.a*sn), float64(left.d*cs) - float64(left.b*sn)}
	mean := (s.a + s.d) / 2
	s.a, s.d = mean, mean
	switch {
	case s.c == 0:
		return s, cs, sn
	case s.b == 0:
		return block{mean, -s.c, 0, mean}, -sn, cs
	case math.Signbit(s.b) != math.Signbit(s.c):
		return s, cs, sn
	}
	rootB, rootC := math.Sqrt(math.Abs(s.b)), math.Sqrt(math.Abs(s.c)) // real after all
	p = math.Copysign(rootB*rootC, s.c)
	t := 1 / math.Sqrt(math.Abs(s.b+s.c))
	cs1, sn1 := rootB*t, rootC*t
	return block{mean + p, s.b - s.c, 0, mean - p}, float64(cs*cs1) - float64(sn*sn1), float64(cs*sn1) + float64(sn*cs1)
}
