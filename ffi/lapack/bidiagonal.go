package lapack

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
)

// bidiagonal is a matrix with a diagonal and numbers above it, which rotations from both sides make diagonal: the
// method of Golub and Kahan, as Demmel and Kahan made it exact for small singular values. d may have signs.
type bidiagonal[F dense.Float] struct {
	d, e        []float64
	left, right *turns[F] // the vectors of which values those are, as rows; nil if they are not wanted
	least       float64
	// lo and hi are the rows of the last step, and whether it went down.
	lo, hi int
	down   bool
}

// bidiagonalError is how large a number of e may be beside those of d that it is between.
const bidiagonalError = 50 * epsilon

// diagonalize makes d the singular values. It reports whether they were found.
func (b *bidiagonal[F]) diagonalize(each func() bool) bool {
	n := len(b.d)
	if n == 0 {
		return true
	}
	b.least = b.smallest()
	b.lo, b.hi = -1, -1
	steps := maxSweeps * n * n
	for hi := n - 1; hi > 0; {
		lo, most := b.block(hi)
		switch {
		case lo == hi:
			hi--
			continue
		case lo == hi-1:
			b.pair(lo)
			hi -= 2
			continue
		case !each() || steps <= 0:
			return false
		}
		if lo > b.hi || hi < b.lo {
			b.down = math.Abs(b.d[lo]) >= math.Abs(b.d[hi])
		}
		least, split := b.split(lo, hi)
		if split {
			continue
		}
		b.lo, b.hi = lo, hi
		steps -= hi - lo
		b.step(lo, hi, b.shift(lo, hi, least, most))
	}
	b.left.flush()
	b.right.flush()
	return true
}

// smallest is what numbers may be set to 0 below: an estimate of the smallest singular value, times the error.
func (b *bidiagonal[F]) smallest() float64 {
	mu := math.Abs(b.d[0])
	least := mu
	for i := 1; i < len(b.d) && least > 0; i++ {
		mu = math.Abs(b.d[i]) * (mu / (mu + math.Abs(b.e[i-1])))
		least = min(least, mu)
	}
	n := float64(len(b.d))
	return max(bidiagonalError*least/math.Sqrt(n), maxSweeps*n*n*0x1p-1022)
}

// block returns where the last block that hangs together begins, and its largest number.
func (b *bidiagonal[F]) block(hi int) (lo int, most float64) {
	most = math.Abs(b.d[hi])
	for lo = hi; lo > 0; lo-- {
		x, y := math.Abs(b.d[lo-1]), math.Abs(b.e[lo-1])
		if y <= b.least {
			b.e[lo-1] = 0
			return lo, most
		}
		most = max(most, x, y)
	}
	return 0, most
}

// split sets a number of e to 0 that is nothing beside the others, or returns an estimate of the least singular value.
func (b *bidiagonal[F]) split(lo, hi int) (least float64, yes bool) {
	at, end, to := lo, hi-1, 1 // of e
	if !b.down {
		at, end, to = hi-1, lo, -1
	}
	side := func(i int) int { // the number of d behind e[i]
		if b.down {
			return i + 1
		}
		return i
	}
	if math.Abs(b.e[end]) <= bidiagonalError*math.Abs(b.d[side(end)]) {
		b.e[end] = 0
		return 0, true
	}
	mu := math.Abs(b.d[hi])
	if b.down {
		mu = math.Abs(b.d[lo])
	}
	least = mu
	for i := at; ; i += to {
		if math.Abs(b.e[i]) <= bidiagonalError*mu {
			b.e[i] = 0
			return 0, true
		}
		mu = math.Abs(b.d[side(i)]) * (mu / (mu + math.Abs(b.e[i])))
		if least = min(least, mu); i == end {
			return least, false
		}
	}
}

// shift returns the shift of the next step, 0 where one would spoil small singular values.
func (b *bidiagonal[F]) shift(lo, hi int, least, most float64) float64 {
	if float64(len(b.d))*bidiagonalError*(least/most) <= max(epsilon, 0.01*bidiagonalError) {
		return 0
	}
	first, x, y, z := b.d[lo], b.d[hi-1], b.e[hi-1], b.d[hi]
	if !b.down {
		first, x, y, z = b.d[hi], b.d[lo], b.e[lo], b.d[lo+1]
	}
	shift := smallOfPair(x, y, z)
	if ratio := shift / math.Abs(first); first == 0 || ratio*ratio < epsilon {
		return 0
	}
	return shift
}

// smallOfPair returns the smaller singular value of (f g; 0 h).
func smallOfPair(f, g, h float64) float64 {
	f, g, h = math.Abs(f), math.Abs(g), math.Abs(h)
	small, large := min(f, h), max(f, h)
	if small == 0 {
		return 0
	}
	s, t := 1+small/large, (large-small)/large
	if g < large {
		u := g / large
		u *= u
		return small * (2 / (math.Sqrt(float64(s*s)+u) + math.Sqrt(float64(t*t)+u)))
	}
	u := large / g
	if u == 0 {
		return small * large / g
	}
	c := 1 / (math.Sqrt(1+float64(s*u)*(s*u)) + math.Sqrt(1+float64(t*u)*(t*u)))
	return small * c * u * 2
}

// step chases a bulge from one end of rows lo to hi to the other.
func (b *bidiagonal[F]) step(lo, hi int, shift float64) {
	first, second := b.right, b.left // going up, they change places
	from, to, at := lo, 1, 0         // e[i+at] is the number between d[i] and the next one
	if !b.down {
		first, second = b.left, b.right
		from, to, at = hi, -1, -1
	}
	n := hi - lo
	first.sweep(from, n, !b.down)
	second.sweep(from, n, !b.down)
	chase := chase[F]{d: b.d, e: b.e, to: to, at: at, first: first, second: second}
	end := from + n*to
	if shift == 0 {
		chase.plain(from, end)
	} else {
		chase.shifted(from, end, shift)
	}
	if last := &b.e[end-to+at]; math.Abs(*last) <= b.least {
		*last = 0
	}
}

// chase is a step on its way.
type chase[F dense.Float] struct {
	d, e          []float64
	to, at        int
	first, second *turns[F]
}

// plain is the step without a shift, which keeps each number's relative error small.
func (s *chase[F]) plain(from, end int) {
	c, oldC, f, oldF, r := 1.0, 1.0, 0.0, 0.0, 0.0
	for i := from; i != end; i += s.to {
		c, f, r = rotation(s.d[i]*c, s.e[i+s.at])
		if i != from {
			s.e[i-s.to+s.at] = oldF * r
		}
		oldC, oldF, s.d[i] = rotation(oldC*r, s.d[i+s.to]*f)
		s.first.add(c, f)
		s.second.add(oldC, oldF)
		s.first.now()
		s.second.now()
	}
	h := s.d[end] * c
	s.d[end] = h * oldC
	s.e[end-s.to+s.at] = h * oldF
}

// shifted is the step with a shift.
func (s *chase[F]) shifted(from, end int, shift float64) {
	d, e, to := s.d, s.e, s.to
	f := (math.Abs(d[from]) - shift) * (math.Copysign(1, d[from]) + shift/d[from])
	at := from + s.at // of e
	g, x, y := e[at], d[from], e[at]
	for i := from; ; at += to {
		c, t, r := rotation(f, g)
		if i != from {
			e[at-to] = r
		}
		z := d[i+to]
		f, y = float64(c*x)+float64(t*y), float64(c*y)-float64(t*x)
		g, z = t*z, c*z
		s.first.add(c, t)
		c, t, r = rotation(f, g)
		d[i] = r
		f, x = float64(c*y)+float64(t*z), float64(c*z)-float64(t*y)
		s.second.add(c, t)
		s.first.now()
		s.second.now()
		if i += to; i == end {
			break
		}
		y = e[at+to]
		g, y = t*y, c*y
	}
	d[end], e[at] = x, f
}

// pair finishes the two rows from lo on, (f g; 0 h).
func (b *bidiagonal[F]) pair(lo int) {
	p := pairOf(b.d[lo], b.e[lo], b.d[lo+1])
	b.d[lo], b.e[lo], b.d[lo+1] = p.large, 0, p.small
	b.right.sweep(lo, 1, false)
	b.right.add(p.rightC, p.rightS)
	b.left.sweep(lo, 1, false)
	b.left.add(p.leftC, p.leftS)
}

// pair is the singular values of a matrix of two rows, with signs, and the rotations that make it diagonal.
type pair struct{ large, small, leftC, leftS, rightC, rightS float64 }

// pairOf returns the singular values of (f g; 0 h), exact but for rounding of a few numbers.
func pairOf(f, g, h float64) (p pair) {
	swapped := math.Abs(h) > math.Abs(f)
	x, y := f, h
	if swapped {
		x, y = h, f
	}
	a, b, c := math.Abs(x), math.Abs(y), math.Abs(g)
	greatest := c > a
	switch {
	case c == 0:
		p = pair{a, b, 1, 0, 1, 0}
	case greatest && a/c < epsilon/2:
		p = pair{large: c, small: a / c * b, leftC: 1, leftS: y / g, rightC: x / g, rightS: 1}
		if b > 1 {
			p.small = a / (c / b)
		}
	default:
		p = ordinaryPair(x, g, y)
	}
	if swapped {
		p.leftC, p.leftS, p.rightC, p.rightS = p.rightS, p.rightC, p.leftS, p.leftC
	}
	sign := math.Copysign(1, p.rightC) * math.Copysign(1, p.leftC) * math.Copysign(1, f)
	switch {
	case greatest:
		sign = math.Copysign(1, p.rightS) * math.Copysign(1, p.leftC) * math.Copysign(1, g)
	case swapped:
		sign = math.Copysign(1, p.rightS) * math.Copysign(1, p.leftS) * math.Copysign(1, h)
	}
	p.large = math.Copysign(p.large, sign)
	p.small = math.Copysign(p.small, sign*math.Copysign(1, f)*math.Copysign(1, h))
	return p
}

// ordinaryPair is pairOf where f is not less than h, and not nothing beside g.
func ordinaryPair(f, g, h float64) (p pair) {
	a, b := math.Abs(f), math.Abs(h)
	d := a - b
	l, m := d/a, g/f
	t := 2 - l
	mm := m * m
	s := math.Sqrt(float64(t*t) + mm)
	r := math.Abs(m)
	if l != 0 {
		r = math.Sqrt(float64(l*l) + mm)
	}
	mean := 0.5 * (s + r)
	p.small, p.large = b/mean, a*mean
	switch {
	case mm != 0:
		t = (m/(s+t) + m/(r+l)) * (1 + mean)
	case l == 0:
		t = math.Copysign(2, f) * math.Copysign(1, g)
	default:
		t = g/math.Copysign(d, f) + m/t
	}
	l = math.Sqrt(float64(t*t) + 4)
	p.rightC, p.rightS = 2/l, t/l
	p.leftC = (p.rightC + float64(p.rightS*m)) / mean
	p.leftS = h / f * p.rightS / mean
	return p
}
