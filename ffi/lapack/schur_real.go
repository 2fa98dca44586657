package lapack

import "math"

// realSchur turns the Hessenberg matrix h into its real Schur form by Francis' double steps; z gets the
// reflections too. It returns the eigenvalues, and 0 or the number of one that was not found.
func realSchur(h, z matrix[float64]) (wr, wi []float64, info int) {
	n := h.rows
	wr, wi = make([]float64, n), make([]float64, n)
	for hi := n - 1; hi >= 0; {
		l, found := 0, false
		for step := range maxSteps {
			for l = hi; l > 0 && !negligible(h, l); {
				l--
			}
			if l > 0 {
				h.row(l)[l-1] = 0
			}
			if found = l >= hi-1; found {
				break
			}
			francisStep(h, z, l, hi, doubleShift(h, l, hi, step))
		}
		switch {
		case !found:
			return wr, wi, hi + 1
		case l == hi:
			wr[hi] = h.row(hi)[hi]
		default:
			wi[l] = standardize(h, z, l)
			wi[hi] = -wi[l]
			wr[l], wr[hi] = h.row(l)[l], h.row(hi)[hi]
		}
		hi = l - 1
	}
	return wr, wi, 0
}

// shifts are two shifts that are real or conjugate.
type shifts struct{ r1, i1, r2, i2 float64 }

// doubleShift returns the eigenvalues of the last 2x2 block; if they are real the better one twice.
func doubleShift(h matrix[float64], l, hi, step int) shifts {
	a, b, c, d := h.row(hi - 1)[hi-1], h.row(hi - 1)[hi], h.row(hi)[hi-1], h.row(hi)[hi]
	switch step % 20 { // after many steps without success, others
	case 9:
		s := math.Abs(h.row(l + 1)[l]) + math.Abs(h.row(l + 2)[l+1])
		a = 0.75*s + h.row(l)[l]
		b, c, d = -0.4375*s, s, a
	case 19:
		s := math.Abs(c) + math.Abs(h.row(hi - 1)[hi-2])
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

// firstColumn returns a vector along the first column of (H - shift1)(H - shift2), where the
// step begins at row m.
func firstColumn(h matrix[float64], m int, t shifts) [3]float64 {
	h11, h21 := h.row(m)[m], h.row(m + 1)[m]
	s := math.Abs(h11-t.r2) + math.Abs(t.i2) + math.Abs(h21)
	if s == 0 {
		return [3]float64{}
	}
	q := h21 / s
	v := [3]float64{
		float64(q*h.row(m)[m+1]) + float64((h11-t.r1)*((h11-t.r2)/s)) - float64(t.i1*(t.i2/s)),
		q * (h11 + h.row(m + 1)[m+1] - t.r1 - t.r2),
		q * h.row(m + 2)[m+1],
	}
	size := math.Abs(v[0]) + math.Abs(v[1]) + math.Abs(v[2])
	if size == 0 {
		return v
	}
	return [3]float64{v[0] / size, v[1] / size, v[2] / size}
}

// francisStep does one double step on rows l to hi.
func francisStep(h, z matrix[float64], l, hi int, t shifts) {
	m, first := hi-2, [3]float64{}
	for ; ; m-- {
		first = firstColumn(h, m, t)
		if m == l {
			break
		}
		before := math.Abs(h.row(m)[m-1]) * (math.Abs(first[1]) + math.Abs(first[2]))
		near := math.Abs(h.row(m - 1)[m-1]) + math.Abs(h.row(m)[m]) + math.Abs(h.row(m + 1)[m+1])
		if before <= epsilon*math.Abs(first[0])*near {
			break
		}
	}
	for k := m; k < hi; k++ {
		size := min(3, hi-k+1)
		v := append([]float64(nil), first[:size]...)
		if k > m {
			v = h.column(k-1, k)[:size]
		}
		beta, tau := reflector(v)
		if k > m {
			h.setColumn(k-1, k, make([]float64, size))
			h.row(k)[k-1] = beta
		} else if m > l {
			h.row(k)[k-1] *= 1 - tau
		}
		reflectRows(h, k, k, v, tau)
		reflectColumns(matrix[float64]{min(k+3, hi) + 1, h.cols, h.at}, k, v, tau)
		reflectColumns(z, k, v, tau)
	}
}

// standardize brings the 2x2 block at row l into the standard form: upper triangular, or with equal
// elements on the diagonal and others of opposite signs. It returns the imaginary part of the first eigenvalue.
func standardize(h, z matrix[float64], l int) float64 {
	x, y := h.row(l), h.row(l+1)
	b := block{x[l], x[l+1], y[l], y[l+1]}
	b, cs, sn := b.standard()
	rotate(x[l+2:], y[l+2:], cs, sn)
	rotateColumns(h, l, l, l+1, cs, sn)
	rotateColumns(z, z.rows, l, l+1, cs, sn)
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
