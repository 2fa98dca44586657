package native

import "math"

// butterflies do a stage: nil where the radix has no function of its own.
var butterflies = [...]func(s *stage, x, y []complex128){2: radix2, 3: radix3, 4: radix4, 5: radix5, 6: nil}

// minusI returns -i·x.
func minusI(x complex128) complex128 { return complex(imag(x), -real(x)) }

func radix2(s *stage, x, y []complex128) {
	n := s.stride
	for p := range s.m {
		w := s.twiddles[p]
		a, b := x[n*p:][:n], x[n*(p+s.m):][:n]
		c, d := y[n*2*p:][:n], y[n*(2*p+1):][:n]
		for q, u := range a {
			v := b[q]
			c[q], d[q] = u+v, w*(u-v)
		}
	}
}

func radix3(s *stage, x, y []complex128) {
	const half, height = -0.5, 0.8660254037844386467637231707529361834714 // e^(2πi/3)
	n := s.stride
	for p := range s.m {
		w1, w2 := s.twiddles[2*p], s.twiddles[2*p+1]
		a, b, c := x[n*p:][:n], x[n*(p+s.m):][:n], x[n*(p+2*s.m):][:n]
		d, e, f := y[n*3*p:][:n], y[n*(3*p+1):][:n], y[n*(3*p+2):][:n]
		for q, u := range a {
			sum, diff := b[q]+c[q], minusI(b[q]-c[q])
			mid := complex(real(u)+half*real(sum), imag(u)+half*imag(sum))
			side := complex(height*real(diff), height*imag(diff))
			d[q], e[q], f[q] = u+sum, w1*(mid+side), w2*(mid-side)
		}
	}
}

func radix4(s *stage, x, y []complex128) {
	if s.stride == 1 {
		radix4First(s, x, y)
		return
	}
	n := s.stride
	for p := range s.m {
		w1, w2, w3 := s.twiddles[3*p], s.twiddles[3*p+1], s.twiddles[3*p+2]
		a, b, c, d := x[n*p:][:n], x[n*(p+s.m):][:n], x[n*(p+2*s.m):][:n], x[n*(p+3*s.m):][:n]
		to := y[n*4*p:][:4*n]
		e, f, g, h := to[:n], to[n:][:n], to[2*n:][:n], to[3*n:][:n]
		for q, u := range a {
			v, t, z := b[q], c[q], d[q]
			even, odd, sum, diff := u+t, u-t, v+z, minusI(v-z)
			e[q], f[q], g[q], h[q] = even+sum, w1*(odd+diff), w2*(even-sum), w3*(odd-diff)
		}
	}
}

// radix4First is radix4 of elements side by side.
func radix4First(s *stage, x, y []complex128) {
	m := s.m
	a, b, c, d := x[:m], x[m:][:m], x[2*m:][:m], x[3*m:][:m]
	for p, u := range a {
		v, t, z := b[p], c[p], d[p]
		even, odd, sum, diff := u+t, u-t, v+z, minusI(v-z)
		w, to := s.twiddles[3*p:][:3], y[4*p:][:4]
		to[0], to[1], to[2], to[3] = even+sum, w[0]*(odd+diff), w[1]*(even-sum), w[2]*(odd-diff)
	}
}

func radix5(s *stage, x, y []complex128) {
	c1, s1 := math.Cos(2*math.Pi/5), math.Sin(2*math.Pi/5)
	c2, s2 := math.Cos(4*math.Pi/5), math.Sin(4*math.Pi/5)
	n := s.stride
	scale := func(k float64, v complex128) complex128 { return complex(k*real(v), k*imag(v)) }
	for p := range s.m {
		w := s.twiddles[4*p:][:4]
		from := func(k int) []complex128 { return x[n*(p+k*s.m):][:n] }
		a, b, c, d, e := from(0), from(1), from(2), from(3), from(4)
		to := y[n*5*p:][:5*n]
		for q, u := range a {
			p1, m1, p2, m2 := b[q]+e[q], minusI(b[q]-e[q]), c[q]+d[q], minusI(c[q]-d[q])
			r1, r2 := u+scale(c1, p1)+scale(c2, p2), u+scale(c2, p1)+scale(c1, p2)
			i1, i2 := scale(s1, m1)+scale(s2, m2), scale(s2, m1)-scale(s1, m2)
			to[q], to[n+q], to[2*n+q] = u+p1+p2, w[0]*(r1+i1), w[1]*(r2+i2)
			to[3*n+q], to[4*n+q] = w[2]*(r2-i2), w[3]*(r1-i1)
		}
	}
}

// odd does any odd radix. Elements that lie mirrored are added and subtracted first: what roots do with them is real,
// and two results need the same sums. Conversions keep products from being fused into the sums, so that all
// platforms round alike.
func (s *stage) odd(x, y []complex128) {
	n, r := s.stride, s.radix
	half := r / 2
	var memory [largestRadix]complex128
	sums, diffs := memory[:half], memory[half:][:half]
	for p := range s.m {
		w := s.twiddles[(r-1)*p:][:r-1]
		for q := range n {
			first := x[n*p+q]
			total := first
			for j := range half {
				a, b := x[n*(p+(j+1)*s.m)+q], x[n*(p+(r-1-j)*s.m)+q]
				sums[j], diffs[j] = a+b, a-b
				total += sums[j]
			}
			y[n*r*p+q] = total
			for k := 1; k <= half; k++ {
				mid, side := s.mirrored(k, first, sums, diffs)
				y[n*(r*p+k)+q], y[n*(r*p+r-k)+q] = w[k-1]*(mid+side), w[r-k-1]*(mid-side)
			}
		}
	}
}

// mirrored returns half the sum and half the difference of results k and radix-k of first and of pairs of mirrored
// elements, of which the sums and differences are given.
func (s *stage) mirrored(k int, first complex128, sums, diffs []complex128) (mid, side complex128) {
	re, im := real(first), imag(first)
	sideRe, sideIm := 0.0, 0.0
	at := 0
	for j, sum := range sums {
		if at += k; at >= s.radix {
			at -= s.radix
		}
		cos, sin := real(s.roots[at]), imag(s.roots[at])
		re += float64(cos * real(sum))
		im += float64(cos * imag(sum))
		sideRe -= float64(sin * imag(diffs[j]))
		sideIm += float64(sin * real(diffs[j]))
	}
	return complex(re, im), complex(sideRe, sideIm)
}
