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
	octant, rest := fold(k, n)
	return turned(octant, inOctant(rest, n))
}

// Roots gives the roots of one of a degree. Those that mirror each other are computed once, when one is asked for.
type Roots struct {
	n     int
	step  int          // what all parts of an octant are a multiple of
	known []complex128 // by part of the first octant and step; 0: not yet
}

// NewRoots returns the roots of degree n.
func NewRoots(n int) *Roots {
	step := n & -n & 7
	if step == 0 {
		step = 8
	}
	return &Roots{n: n, step: step, known: make([]complex128, n/step+1)}
}

// At is Root(k, n).
func (r *Roots) At(k int) complex128 {
	octant, rest := fold(k, r.n)
	w := &r.known[rest/r.step]
	if *w == 0 {
		*w = inOctant(rest, r.n)
	}
	return turned(octant, *w)
}

// fold returns the octant of root k of degree n, and which part of the first octant mirrors its place in that: rest/n.
func fold(k, n int) (octant, rest int) {
	if uint64(k) <= math.MaxUint32/8 && uint64(n) <= math.MaxUint32 { // divided in a third of the time
		octant, rest = int(uint32(8*k)/uint32(n)), int(uint32(8*k)%uint32(n))
	} else {
		octant, rest = 8*k/n, 8*k%n
	}
	if octant%2 == 1 {
		rest = n - rest
	}
	return octant, rest
}

// inOctant is the number of absolute value 1 whose angle is rest/n of an octant.
func inOctant(rest, n int) complex128 {
	p := quarter * float64(rest) // the angle is h+l
	low := math.FMA(quarter, float64(rest), -p) + float64(quarterLow*float64(rest))
	h := p / float64(n)
	l := (math.FMA(-h, float64(n), p) + low) / float64(n)
	return complex(Cosine(h, l), Sine(h, l))
}

// turned is w, which is in the first octant, where it is mirrored in another one.
func turned(octant int, w complex128) complex128 {
	cos, sin := real(w), imag(w)
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
