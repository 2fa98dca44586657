package lapack_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// elementTypes are those of routines with their letters, the real types of their values, and what rounding leaves.
var elementTypes = []struct {
	letter     string
	elem, real shape.ElementType
	limit      float64
}{
	{"s", shape.F32, shape.F32, 2e-5}, {"d", shape.F64, shape.F64, 1e-12},
	{"c", shape.C64, shape.F32, 2e-5}, {"z", shape.C128, shape.F64, 1e-12},
}

// bothWays are the handlers in Go and on machine code, on one thread and on three.
func bothWays(t *testing.T) map[string]ffi.Registry {
	return map[string]ffi.Registry{"go": lapack.Handlers(), "one": onMachine(t, 1), "three": onMachine(t, 3)}
}

// TestSingular: singular values and vectors of matrices of all forms make the matrix again, whatever is asked for.
func TestSingular(t *testing.T) {
	for _, c := range elementTypes {
		for _, size := range [][2]int{{1, 1}, {1, 4}, {2, 2}, {5, 3}, {8, 8}, {12, 7}, {16, 16}, {31, 17}, {26, 45},
			{40, 40}} {
			for name, a := range matrices(c.elem, size[0], size[1]) {
				t.Run(fmt.Sprintf("%v_%v_%s", c.elem, size, name), func(t *testing.T) {
					var bits string
					for way, h := range bothWays(t) {
						all := testSingular(t, h, "lapack_"+c.letter+"gesdd_ffi", a, c.real, c.limit, way != "three")
						if way == "go" {
							continue
						}
						if bits != "" && bits != all {
							t.Error("three threads give other bits than one")
						}
						bits = all
					}
				})
			}
		}
	}
}

// matrices are of full rank, of rank 1, zero, and with singular values of very different sizes, rising or falling.
func matrices(elem shape.ElementType, m, n int) map[string]literal.Literal {
	all := map[string]literal.Literal{"random": random(elem, 3, m, n), "zero": literal.New(shape.Make(elem, m, n))}
	for name, f := range map[string]func(i, j int) float64{
		"ones":    func(_, _ int) float64 { return 1 },
		"falling": func(i, j int) float64 { return math.Ldexp(1, -i-j) },
		"rising":  func(i, j int) float64 { return math.Ldexp(1, i+j-m-n) },
		"corner": func(i, j int) float64 { // a block of Jordan's: its least singular value is far below the others
			return map[int]float64{0: 0.1, 1: 1}[j-i]
		},
	} {
		l := literal.New(shape.Make(elem, m, n))
		for i := range l.Len() {
			if v := f(i/n, i%n); elem.IsComplex() {
				l.SetComplex(i, complex(v, v*float64(i%3-1)))
			} else {
				l.SetFloat(i, v)
			}
		}
		all[name] = l
	}
	return all
}

// testSingular returns the bits of all results.
func testSingular(t *testing.T, h ffi.Registry, target string, a literal.Literal, elem shape.ElementType,
	limit float64, check bool) (bits string) {
	t.Helper()
	m, n := a.Dims()[0], a.Dims()[1]
	k := min(m, n)
	values, info := shape.Make(elem, k), shape.Make(shape.S32)
	f := func(rows, cols int) shape.Shape { return shape.Make(a.Type(), rows, cols) }
	for _, c := range []struct {
		mode byte
		u, v shape.Shape
	}{{'A', f(m, m), f(n, n)}, {'S', f(m, k), f(k, n)}, {'N', f(m, k), f(k, n)}} {
		out := callOn(t, h, target, fmt.Sprintf("mode = %d : ui8", c.mode), []literal.Literal{a}, a.Shape(), values, c.u, c.v,
			info)
		if out[4].IntAt(0) != 0 {
			t.Fatalf("mode %c: info %v", c.mode, out[4])
		}
		for i := range k {
			if s := out[1].FloatAt(i); !(s >= 0) || i > 0 && s > out[1].FloatAt(i-1) {
				t.Fatalf("mode %c: values %v", c.mode, out[1])
			}
		}
		bits += string(out[1].Bytes())
		if c.mode != 'N' {
			bits += string(out[2].Bytes()) + string(out[3].Bytes())
			if check {
				checkDecomposition(t, a, out[1], out[2], out[3], limit)
			}
		}
	}
	return bits
}

// at returns an element of a matrix.
func at(l literal.Literal, i, j int) complex128 {
	if i = i*l.Dims()[1] + j; l.Type().IsComplex() {
		return l.ComplexAt(i)
	}
	return complex(l.FloatAt(i), 0)
}

// checkDecomposition checks that u diag(s) v is a, and that columns of u and rows of v are orthonormal.
func checkDecomposition(t *testing.T, a, s, u, v literal.Literal, limit float64) {
	t.Helper()
	limit *= max(1, s.FloatAt(0))
	for i := range a.Dims()[0] {
		for j := range a.Dims()[1] {
			sum := -at(a, i, j)
			for k := range s.Len() {
				sum += at(u, i, k) * complex(s.FloatAt(k), 0) * at(v, k, j)
			}
			if !(cmplx.Abs(sum) <= limit) {
				t.Fatalf("element %d, %d is off by %g", i, j, cmplx.Abs(sum))
			}
		}
	}
	for i := range u.Dims()[1] {
		for j := range u.Dims()[1] {
			checkUnit(t, "left vectors", i, j, u.Dims()[0], limit, func(k int) complex128 {
				return cmplx.Conj(at(u, k, i)) * at(u, k, j)
			})
		}
	}
	for i := range v.Dims()[0] {
		for j := range v.Dims()[0] {
			checkUnit(t, "right vectors", i, j, v.Dims()[1], limit, func(k int) complex128 {
				return cmplx.Conj(at(v, i, k)) * at(v, j, k)
			})
		}
	}
}

func checkUnit(t *testing.T, what string, i, j, n int, limit float64, f func(k int) complex128) {
	t.Helper()
	var sum complex128
	for k := range n {
		sum += f(k)
	}
	if i == j {
		sum--
	}
	if !(cmplx.Abs(sum) <= limit) {
		t.Fatalf("%s: product of %d and %d is off by %g", what, i, j, cmplx.Abs(sum))
	}
}

// TestSmallSingular: small singular values of bidiagonal matrices are exact, not only beside the largest one.
func TestSmallSingular(t *testing.T) {
	for name, diagonal := range map[string]func(i int) float64{
		"falling": func(i int) float64 { return math.Ldexp(1, -20*i) },
		"rising":  func(i int) float64 { return math.Ldexp(1, 20*i-180) },
	} {
		const n = 10
		a, inverse := literal.New(shape.Make(shape.F64, n, n)), 1.0
		for i := range n {
			d := diagonal(i)
			a.SetFloat(i*n+i, d)
			inverse *= d
			if i+1 < n {
				a.SetFloat(i*n+i+1, math.Sqrt(d*diagonal(i+1))/3)
			}
		}
		out := callOn(t, onMachine(t, 1), "lapack_dgesdd_ffi", "mode = 78 : ui8", []literal.Literal{a}, a.Shape(),
			shape.Make(shape.F64, n), a.Shape(), a.Shape(), shape.Make(shape.S32))
		for i := range n { // their product is the determinant's
			inverse /= out[1].FloatAt(i)
		}
		if !(math.Abs(inverse-1) < 1e-13) {
			t.Errorf("%s: the product of singular values is off by %g: %v", name, inverse-1, out[1])
		}
	}
}
