package literal

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goxla/xla/shape"
)

// Mismatch is the error of Compare: every array that is not as wanted.
type Mismatch struct {
	Tolerance Tolerance
	Arrays    []ArrayMismatch
}

// ArrayMismatch describes one array that is not as wanted.
type ArrayMismatch struct {
	// Path leads to the array: the index in each tuple; empty if there is no tuple.
	Path      []int
	Got, Want shape.Shape
	// Count is the number of elements that differ; 0 if the shapes do.
	Count int
	// Worst holds those that differ most, the worst first; among equals, the first.
	Worst []ElementMismatch
}

// ElementMismatch describes one element that is not as wanted.
type ElementMismatch struct {
	Position  []int
	Got, Want string
	// Error is the distance in steps of the element type (SameBits, WithinULP) or
	// the difference (other rules, integers); +Inf if only one is a NaN or infinite.
	Error float64
}

const (
	maxWorst    = 5 // elements kept for a report
	maxReported = 8 // arrays named in a message
)

// add counts element i and keeps it if it is among the worst.
func (a *ArrayMismatch) add(got, want Literal, i int, measure float64) {
	a.Count++
	at := slices.IndexFunc(a.Worst, func(e ElementMismatch) bool { return measure > e.Error })
	if at < 0 {
		at = len(a.Worst)
	}
	if at == maxWorst {
		return
	}
	e := ElementMismatch{
		Position: position(want.shape.Dims, i), Got: got.elementText(i), Want: want.elementText(i),
		Error: measure,
	}
	a.Worst = slices.Insert(a.Worst, at, e)
	a.Worst = a.Worst[:min(len(a.Worst), maxWorst)]
}

// position returns the indices of the element with the logical index i.
func position(dims []int, i int) []int {
	out := make([]int, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		out[d] = i % dims[d]
		i /= dims[d]
	}
	return out
}

// elementText returns element i of a row-major array for a message.
func (l Literal) elementText(i int) string {
	t := l.Type()
	switch {
	case t == shape.Pred:
		return strconv.FormatBool(l.BoolAt(i))
	case t.IsUnsigned():
		return strconv.FormatUint(l.BitsAt(i), 10)
	case t.IsInteger():
		return strconv.FormatInt(l.IntAt(i), 10)
	case t.IsComplex():
		v, bits := l.ComplexAt(i), t.Component().Bits()
		return "(" + floatText(real(v), bits) + ", " + floatText(imag(v), bits) + ")"
	}
	return floatText(l.FloatAt(i), max(t.Bits(), 32))
}

// floatText returns the shortest text that reads back to the same number of 32 or
// 64 bits.
func floatText(v float64, bits int) string {
	switch {
	case v != v:
		return "nan"
	case v > 0 && v-v != 0:
		return "inf"
	case v < 0 && v-v != 0:
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// Error names the arrays, one a line, with the worst elements.
func (m *Mismatch) Error() string {
	var out []byte
	for i, a := range m.Arrays {
		if i > 0 {
			out = append(out, '\n')
		}
		if i == maxReported {
			out = fmt.Appendf(out, "and %d more arrays", len(m.Arrays)-i)
			break
		}
		out = a.appendText(out, m.Tolerance)
	}
	return string(out)
}

// appendText appends the line of one array.
func (a *ArrayMismatch) appendText(out []byte, tol Tolerance) []byte {
	if len(a.Path) > 0 {
		out = append(appendInts(append(out, "element {"...), a.Path), "}: "...)
	}
	if a.Count == 0 {
		return fmt.Appendf(out, "want shape %v, got %v", a.Want, a.Got)
	}
	out = fmt.Appendf(out, "%v: %d of %d elements differ (tolerance %v)", a.Want, a.Count, a.Want.Size(), tol)
	for i, e := range a.Worst {
		separator := ": "
		if i > 0 {
			separator = "; "
		}
		out = append(appendInts(append(append(out, separator...), '['), e.Position), ']')
		out = fmt.Appendf(out, " want %s, got %s (%s)", e.Want, e.Got, e.distance(a.Want.Type, tol))
	}
	return out
}

// distance returns the error of e in words.
func (e *ElementMismatch) distance(t shape.ElementType, tol Tolerance) string {
	n := strconv.FormatFloat(e.Error, 'g', 4, 64)
	if strings.Contains(e.Want+e.Got, floatText(math.NaN(), 64)) {
		n = "NaN"
	}
	if tol.Rule >= WithinRelative || !t.IsFloat() && !t.IsComplex() {
		return "off by " + n
	}
	return n + " ulp"
}

func appendInts(dst []byte, list []int) []byte {
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(v), 10)
	}
	return dst
}
