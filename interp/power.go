package interp

import "math"

// power returns x^y within 1 ULP. Package math's Pow is off by tens where y is large,
// as it multiplies powers of x; here y*log x is computed with twice the digits.
func power(x, y float64) float64 {
	r := math.Pow(x, y)
	if r == 0 || r == 1 || !isFinite(r) || math.Abs(r) < 0x1p-1021 || y == 2 || math.Abs(y) == 0.5 {
		return r // the corners, which are right, and what is rounded correctly
	}
	hi, lo := logTwo(math.Abs(x))
	p := y * hi
	return math.Copysign(expTwo(p, math.FMA(y, hi, -p)+float64(y*lo)), r)
}

// expTwo returns exp(hi+lo), |lo| below an ULP of hi: 2^k exp r, where the series of exp r
// behind 1 + r is too small for its rounding to matter.
func expTwo(hi, lo float64) float64 {
	k := math.RoundToEven(hi / math.Ln2)
	r, rest := twoSum(hi-float64(k*ln2High), lo-float64(k*ln2Low))
	sum := 0.0
	for n := 18; n >= 2; n-- {
		sum = float64((1 + sum) * r / float64(n+1))
	}
	sum = float64((1 + sum) * r * r / 2)
	one, small := twoSum(1, r)
	return math.Ldexp(one+(small+(sum+rest+float64(r*rest))), int(k))
}

// naturalLog returns log x. Package math's, on some processors, takes the exponent of a denormal number as it stands.
func naturalLog(x float64) float64 {
	if 0 < x && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - float64(54*ln2Low) - float64(54*ln2High)
	}
	return math.Log(x)
}

// The parts of log 2: the first has zeros at its end, so that its multiples by exponents are exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// logTwo returns hi+lo = log x to about 80 bits, for finite x > 0: log x = e log 2 + 2 artanh s,
// where s = (m-1)/(m+1).
func logTwo(x float64) (hi, lo float64) {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// s+t is the quotient with twice the digits; m-1 is exact, d+r = m+1.
	n, d := m-1, m+1
	r := m - (d - 1)
	s := n / d
	t := (math.FMA(-s, d, n) - float64(s*r)) / d
	// c + cLow is the cube of s, and sum the series behind it: s^3/3 + s^5/5 + ...
	q := s * s
	qLow := math.FMA(s, s, -q) + float64(2*s*t)
	sum := 0.0
	for k := 27; k >= 5; k -= 2 {
		sum = float64(sum*q) + 1/float64(k)
	}
	sum *= q
	third := 1.0 / 3
	f, fLow := twoSum(third, sum)
	fLow += thirdLow
	c := q * f
	cLow := math.FMA(q, f, -c) + float64(qLow*f) + float64(q*fLow)
	u := s * c
	uLow := math.FMA(s, c, -u) + float64(s*cLow) + float64(t*c)
	v, vLow := twoSum(s, u)
	vLow += uLow + t
	hi, lo = twoSum(float64(float64(e)*ln2High), 2*v)
	lo += 2*vLow + float64(float64(e)*ln2Low)
	return twoSum(hi, lo)
}

// thirdLow is 1/3 less its nearest float64.
const thirdLow = 0x1.5555555555555p-56

// twoSum returns a+b as its rounded value and what the rounding left out.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	z := sum - a
	return sum, (a - (sum - z)) + (b - z)
}
