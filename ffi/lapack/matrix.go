package lapack

import (
	"math"
	"math/cmplx"

	"github.com/goxla/xla/cpu/dense"
)

// field is the type that a routine computes in.
type field interface{ dense.Float | complex128 }

// matrix is a dense matrix; a vector has one column.
type matrix[T field] struct {
	rows, cols int
	at         []T // row-major
}

func newMatrix[T field](rows, cols int) matrix[T] {
	return matrix[T]{rows, cols, make([]T, rows*cols)}
}

func identity[T field](n int) matrix[T] {
	m := newMatrix[T](n, n)
	for i := range n {
		m.row(i)[i] = 1
	}
	return m
}

func (m matrix[T]) row(i int) []T { return m.at[i*m.cols:][:m.cols:m.cols] }

// column copies elements from row on of column j.
func (m matrix[T]) column(j, from int) []T {
	v := make([]T, max(0, m.rows-from))
	for i := range v {
		v[i] = m.row(from + i)[j]
	}
	return v
}

func (m matrix[T]) setColumn(j, from int, v []T) {
	for i, x := range v {
		m.row(from + i)[j] = x
	}
}

// swapRows exchanges rows i and j.
func (m matrix[T]) swapRows(i, j int) {
	a, b := m.row(i), m.row(j)
	for k := range a {
		a[k], b[k] = b[k], a[k]
	}
}

// matrixOf is m, whose numbers are of type E.
func matrixOf[E, T field](m matrix[T]) matrix[E] {
	return matrix[E]{m.rows, m.cols, numbersOf[E](m.at)}
}

// real64 is m, which has real numbers.
func real64[T field](m matrix[T]) matrix[float64] { return matrixOf[float64](m) }

// realsOf is v, which has real numbers.
func realsOf[T field](v []T) []float64 { return numbersOf[float64](v) }

// numbersOf is v, whose numbers are of type E; nil if they are not.
func numbersOf[E, T field](v []T) []E {
	n, _ := any(v).([]E)
	return n
}

// axpy adds a*x to y.
func axpy[T field](y []T, a T, x []T) {
	for i, v := range x {
		y[i] += T(a * v)
	}
}

// dot is the sum of the products of conj(x) and y.
func dot[T field](x, y []T) (sum T) {
	for i, v := range x {
		sum += T(conj(v) * y[i])
	}
	return sum
}

// rotate replaces rows x and y by c*x + s*y and c*y - conj(s)*x.
func rotate[T field](x, y []T, c float64, s T) {
	k, t := toField[T](c), conj(s)
	for i, a := range x {
		b := y[i]
		x[i] = T(k*a) + T(s*b)
		y[i] = T(k*b) - T(t*a)
	}
}

// rotateColumns is rotate for columns i and j of the first rows of m: c*x + conj(s)*y and c*y - s*x.
func rotateColumns[T field](m matrix[T], rows, i, j int, c float64, s T) {
	k, t := toField[T](c), conj(s)
	for r := range rows {
		row := m.row(r)
		a, b := row[i], row[j]
		row[i] = T(k*a) + T(t*b)
		row[j] = T(k*b) - T(s*a)
	}
}

func conj[T field](x T) T {
	if z, ok := any(x).(complex128); ok {
		return any(cmplx.Conj(z)).(T)
	}
	return x
}

// toField returns the number x.
func toField[T field](x float64) T { return fromComplex[T](complex(x, 0)) }

// fromComplex returns z, of which T may only have the real part.
func fromComplex[T field](z complex128) T {
	var x T
	switch to := any(&x).(type) {
	case *complex128:
		*to = z
	case *float64:
		*to = real(z)
	case *float32:
		*to = float32(real(z))
	}
	return x
}

func toComplex[T field](x T) complex128 {
	switch v := any(x).(type) {
	case complex128:
		return v
	case float32:
		return complex(float64(v), 0)
	default:
		return complex(any(x).(float64), 0)
	}
}

// re is the real part, abs the modulus.
func re[T field](x T) float64  { return real(toComplex(x)) }
func abs[T field](x T) float64 { return cmplx.Abs(toComplex(x)) }

// abs1 is |Re x| + |Im x|, by which LAPACK chooses pivots.
func abs1[T field](x T) float64 {
	z := toComplex(x)
	return math.Abs(real(z)) + math.Abs(imag(z))
}

// norm is the Euclidean norm, without overflow on the way.
func norm[T field](v []T) float64 {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, abs1(x))
	}
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	sum := 0.0
	for _, x := range v {
		z := toComplex(x)
		a, b := real(z)/largest, imag(z)/largest
		sum += float64(a*a) + float64(b*b)
	}
	return largest * math.Sqrt(sum)
}

// largest is the size of the largest number of v, or of the largest part of one.
func largest[T field](v []T) (most float64) {
	switch r := any(v).(type) {
	case []float64:
		return largestReal(r)
	case []float32:
		return largestReal(r)
	}
	for _, x := range v {
		z := toComplex(x)
		most = max(most, math.Abs(real(z)), math.Abs(imag(z)))
	}
	return most
}

func largestReal[F dense.Float](v []F) float64 {
	var w, x, y, z float64 // four at a time, which need not wait for each other
	for ; len(v) >= 4; v = v[4:] {
		w, x = max(w, math.Abs(float64(v[0]))), max(x, math.Abs(float64(v[1])))
		y, z = max(y, math.Abs(float64(v[2]))), max(z, math.Abs(float64(v[3])))
	}
	for _, a := range v {
		w = max(w, math.Abs(float64(a)))
	}
	return max(w, x, y, z)
}

// nearOne scales v, whose largest number is most, so that this is near 1, unless products and inverses of such numbers
// are normal ones anyway: much smaller numbers beside it keep their digits. It returns of which power of 2 v has been
// the multiple; it is not changed if most is no number.
func nearOne[T field](v []T, most float64) (exponent int) {
	if math.IsNaN(most) || math.IsInf(most, 0) {
		return 0
	}
	_, exponent = math.Frexp(most)
	limit, harmless := 1000, 200
	if isSingle[T]() {
		limit, harmless = 126, 40
	}
	if max(exponent, -exponent) <= harmless {
		return 0
	}
	exponent = min(max(exponent, -limit), limit)
	scaleBy(v, toField[T](math.Ldexp(1, -exponent)))
	return exponent
}

// ldexp multiplies the numbers of v by 2 to the power of exponent.
func ldexp[T field](v []T, exponent int) {
	if exponent == 0 {
		return
	}
	for i, x := range v {
		z := toComplex(x)
		v[i] = fromComplex[T](complex(math.Ldexp(real(z), exponent), math.Ldexp(imag(z), exponent)))
	}
}

func scaleBy[T field](v []T, a T) {
	for i := range v {
		v[i] *= a
	}
}
