package angle

import "math"

// π/4 to 106 bits.
const (
	quarter    = math.Pi / 4
	quarterLow = 0x1.1a62633145c07p-55
)

// Root returns e^(2πi k/n), for k from 0 to below n. The angle is brought into the first octant with integers, so that
// roots that mirror each other have the same digits.
func Root(k, n int) complex128 {
	octant, rest := 8*k/n, 8*k%n
	if octant%2 == 1 {
		rest = n - rest
	}
	p := quarter * float64(rest) // rest/n of an octant is h+l
	low := math.FMA(quarter, float64(rest), -p) + float64(quarterLow*float64(rest))
	h := p / float64(n)
	l := (math.FMA(-h, float64(n), p) + low) / float64(n)
	sin, cos := Sine(h, l), Cosine(h, l)
	if octant%4 == 1 || octant%4 == 2 {
		sin, cos = cos, sin
	}
	if octant >= 2 && octant < 6 {
		cos = -cos
	}
	if octant >= 4 {
		sin = -sin
	}
	return complex(cos, sin)
}
