package literal

import (
	"bytes"
	"math"

	"github.com/goxla/xla/shape"
)

// Equal reports whether a and b have the same element types, dimensions and bits;
// layouts may differ. Unlike Compare it tells NaNs apart.
func Equal(a, b Literal) bool {
	if !a.shape.EqualIgnoringLayout(b.shape) || len(a.elems) != len(b.elems) {
		return false
	}
	for i, e := range a.elems {
		if !Equal(e, b.elems[i]) {
			return false
		}
	}
	return !a.shape.IsArray() || bytes.Equal(a.RowMajor().Bytes(), b.RowMajor().Bytes())
}

// Compare returns nil if got has the shape of want (layouts may differ) and all its
// elements are within tol; otherwise a *Mismatch. Tuples are compared element by
// element.
func Compare(got, want Literal, tol Tolerance) error {
	m := &Mismatch{Tolerance: tol}
	m.compare(got, want, nil)
	if len(m.Arrays) == 0 {
		return nil
	}
	return m
}

// compare adds what differs between got and want, which are at path.
func (m *Mismatch) compare(got, want Literal, path []int) {
	if !want.shape.IsTuple() || !got.shape.IsTuple() || len(got.elems) != len(want.elems) {
		m.compareArray(got, want, path)
		return
	}
	for i, e := range want.elems {
		m.compare(got.elems[i], e, append(path[:len(path):len(path)], i))
	}
}

// compareArray compares what is not a pair of tuples of the same length.
func (m *Mismatch) compareArray(got, want Literal, path []int) {
	a := ArrayMismatch{Path: path, Got: got.shape, Want: want.shape}
	if !got.shape.Static().EqualIgnoringLayout(want.shape.Static()) {
		m.Arrays = append(m.Arrays, a)
		return
	}
	if !want.shape.IsArray() {
		return
	}
	got, want = got.RowMajor(), want.RowMajor()
	if bytes.Equal(got.Bytes(), want.Bytes()) {
		return
	}
	c := newComparison(got, want, m.Tolerance)
	for i := range want.Len() {
		if measure := c.measure(i); measure != 0 {
			a.add(got, want, i, measure)
		}
	}
	if a.Count > 0 {
		m.Arrays = append(m.Arrays, a)
	}
}

// comparison compares the elements of two row-major arrays of one type.
type comparison struct {
	got, want Literal // a complex array is seen as one of its parts
	parts     int     // 2 for complex numbers
	tol       Tolerance
	allowed   float64 // for WithinLargest
}

func newComparison(got, want Literal, tol Tolerance) *comparison {
	c := &comparison{got: got.components(), want: want.components(), parts: 1, tol: tol}
	if want.Type().IsComplex() {
		c.parts = 2
	}
	if tol.Rule == WithinLargest && c.want.Type().IsFloat() {
		c.allowed = tol.Rel * largest(c.want)
	}
	return c
}

// components returns the row-major complex array l as the array of its real and
// imaginary parts, in the same memory; another array as it is.
func (l Literal) components() Literal {
	if l.Type().IsComplex() {
		return Literal{shape: shape.Make(l.Type().Component(), 2*l.Len()), data: l.Bytes()}
	}
	return l
}

// largest returns the largest magnitude of the finite elements.
func largest(l Literal) (m float64) {
	for i := range l.Len() {
		if v := math.Abs(l.FloatAt(i)); v > m && !math.IsInf(v, 0) {
			m = v
		}
	}
	return m
}

// measure returns 0 if element i is within the tolerance, otherwise how far it is
// off: in steps for SameBits and WithinULP, as a difference for the other rules and
// for integers; +Inf if only one is a NaN or an infinity. It is never NaN.
func (c *comparison) measure(i int) float64 {
	worst := 0.0
	for j := i * c.parts; j < (i+1)*c.parts; j++ {
		worst = max(worst, c.part(j))
	}
	return worst
}

// part is measure for one number of the components.
func (c *comparison) part(j int) float64 {
	t := c.want.Type()
	got, want := c.got.BitsAt(j), c.want.BitsAt(j)
	switch {
	case got == want:
		return 0
	case !t.IsFloat():
		return max(math.Abs(c.got.FloatAt(j)-c.want.FloatAt(j)), 1)
	}
	f := &formats[t]
	g, w := f.Decode(got), f.Decode(want)
	switch {
	case g != g && w != w:
		return 0
	case g != g || w != w:
		return math.Inf(1)
	}
	steps := ULPDistance(t, got, want)
	difference := math.Abs(g - w)
	ok := false
	switch c.tol.Rule {
	case WithinULP:
		ok = steps <= c.tol.ULP
	case WithinRelative:
		ok = g == w || !math.IsInf(difference, 0) && difference <= c.tol.Abs+float64(c.tol.Rel*c.modulus(j))
	case WithinLargest:
		ok = g == w || !math.IsInf(difference, 0) && difference <= c.allowed
	}
	switch {
	case ok:
		return 0
	case c.tol.Rule >= WithinRelative:
		return difference
	}
	return max(float64(steps), 1)
}

// modulus returns |want| of the whole number that component j is a part of.
func (c *comparison) modulus(j int) float64 {
	if c.parts == 1 {
		return math.Abs(c.want.FloatAt(j))
	}
	return math.Hypot(c.want.FloatAt(j&^1), c.want.FloatAt(j|1))
}
