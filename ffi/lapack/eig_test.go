package lapack_test

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestEigen: vectors of general matrices are eigenvectors to the values, from both sides, and values alone are the
// same.
func TestEigen(t *testing.T) {
	for _, c := range elementTypes {
		for _, n := range []int{1, 2, 3, 7, 16, 33, 50} {
			for name, a := range matrices(c.elem, n, n) {
				if name != "random" && name != "zero" && name != "ones" {
					continue // what is ill-conditioned has no exact eigenvalues
				}
				t.Run(fmt.Sprintf("%v_%d_%s", c.elem, n, name), func(t *testing.T) {
					var bits string
					for way, h := range bothWays(t) {
						all := testEigen(t, h, "lapack_"+c.letter+"geev_ffi", a, c.real, 10*c.limit)
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

// testEigen returns the bits of values and vectors.
func testEigen(t *testing.T, h ffi.Registry, target string, a literal.Literal, elem shape.ElementType,
	limit float64) (bits string) {
	t.Helper()
	n := a.Dims()[0]
	vectors := shape.Make(shape.C64, n, n)
	if elem == shape.F64 {
		vectors = shape.Make(shape.C128, n, n)
	}
	values := []shape.Shape{shape.Make(vectors.Type, n)}
	if !a.Type().IsComplex() {
		values = []shape.Shape{shape.Make(elem, n), shape.Make(elem, n)}
	}
	call := func(which byte) ([]complex128, []literal.Literal) {
		out := callOn(t, h, target, fmt.Sprintf("compute_left = %d : ui8, compute_right = %[1]d : ui8", which),
			[]literal.Literal{a}, append(slices.Clone(values), vectors, vectors, shape.Make(shape.S32))...)
		if out[len(values)+2].IntAt(0) != 0 {
			t.Fatalf("info %v", out[len(values)+2])
		}
		list := make([]complex128, n)
		for i := range list {
			if len(values) == 1 {
				list[i] = out[0].ComplexAt(i)
			} else {
				list[i] = complex(out[0].FloatAt(i), out[1].FloatAt(i))
			}
		}
		return list, out[len(values):]
	}
	list, out := call('V')
	alone, _ := call('N')
	for _, x := range list {
		nearest := slices.MinFunc(alone, func(x1, x2 complex128) int {
			return cmp.Compare(cmplx.Abs(x1-x), cmplx.Abs(x2-x))
		})
		if !(cmplx.Abs(nearest-x) <= limit*float64(n)) {
			t.Fatalf("value %v is not among the values alone, %v", x, alone)
		}
	}
	for k, x := range list {
		for i := range n {
			left, right := -cmplx.Conj(x)*at(out[0], i, k), -x*at(out[1], i, k)
			for j := range n {
				left += cmplx.Conj(at(a, j, i)) * at(out[0], j, k)
				right += at(a, i, j) * at(out[1], j, k)
			}
			if !(cmplx.Abs(left) <= limit*float64(n) && cmplx.Abs(right) <= limit*float64(n)) {
				t.Fatalf("value %d, %v: vectors are off by %g and %g", k, x, cmplx.Abs(left), cmplx.Abs(right))
			}
		}
	}
	for side := range 2 {
		for k := range n {
			checkUnit(t, "vectors", k, k, n, limit, func(i int) complex128 {
				return at(out[side], i, k) * cmplx.Conj(at(out[side], i, k))
			})
		}
	}
	return string(out[0].Bytes()) + string(out[1].Bytes())
}

// TestMany: problems of a batch, which share memory, have the results that they have alone.
func TestMany(t *testing.T) {
	const many, n = 300, 5
	for _, c := range benchCases {
		a := literal.New(shape.Make(shape.F64, many, n, n))
		for b := range many {
			m := c.matrix(shape.F64, uint64(b), n, n)
			for i := range m.Len() {
				a.SetFloat(b*n*n+i, m.FloatAt(i))
			}
		}
		results := func(front ...int) (list []shape.Shape) {
			for i, k := range c.results {
				dims, elem := append(front[:len(front):len(front)], n, n), shape.F64
				switch k {
				case 'v':
					dims = dims[:len(front)+1]
				case 'i':
					dims, elem = dims[:len(front)+1], shape.S32
				case 's':
					dims, elem = dims[:len(front)], shape.S32
				}
				if c.name == "geev" && (i == 2 || i == 3) {
					elem = shape.C128
				}
				list = append(list, shape.Make(elem, dims...))
			}
			return list
		}
		all := callOn(t, onMachine(t, 3), "lapack_d"+c.name+"_ffi", c.config, []literal.Literal{a}, results(many)...)
		for b := range many {
			one := callOn(t, onMachine(t, 1), "lapack_d"+c.name+"_ffi", c.config,
				[]literal.Literal{c.matrix(shape.F64, uint64(b), n, n)}, results()...)
			for k, x := range one {
				size := len(x.Bytes())
				if string(all[k].Bytes()[b*size:][:size]) != string(x.Bytes()) {
					t.Fatalf("%s: problem %d, result %d: other bits than alone", c.name, b, k)
				}
			}
		}
	}
}

// TestScaled: a matrix whose squares are no normal numbers, or infinite, has the eigenvalues and vectors of one that is
// a power of 2 times as large.
func TestScaled(t *testing.T) {
	const n = 18
	for _, c := range []struct {
		name, config, results string
		elem                  shape.ElementType
		matrix                func(elem shape.ElementType, seed uint64, dims ...int) literal.Literal
	}{
		{"dsyevd", "uplo = 76 : ui8", "fvs", shape.F64, symmetric},
		{"zheevd", "uplo = 85 : ui8", "fvs", shape.C128, hermitian},
		{"dgeev", "compute_left = 86 : ui8, compute_right = 86 : ui8", "vvzzs", shape.F64, random},
		{"zgeev", "compute_left = 86 : ui8, compute_right = 86 : ui8", "wzzs", shape.C128, random},
		{"dgees", "mode = 86 : ui8, sort = 78 : ui8", "ffvvis", shape.F64, random},
		{"zgees", "mode = 86 : ui8, sort = 78 : ui8", "zzwis", shape.C128, random},
	} {
		for _, exponent := range []int{-950, 950} {
			for way, h := range bothWays(t) {
				a := c.matrix(c.elem, 5, n, n)
				b := scaledBy(a, exponent)
				var shapes []shape.Shape
				for _, k := range c.results {
					shapes = append(shapes, map[rune]shape.Shape{'f': a.Shape(), 'v': shape.Make(shape.F64, n),
						'w': shape.Make(shape.C128, n), 'z': shape.Make(shape.C128, n, n), 'i': shape.Make(shape.S32),
						's': shape.Make(shape.S32)}[k])
				}
				want := callOn(t, h, "lapack_"+c.name+"_ffi", c.config, []literal.Literal{a}, shapes...)
				got := callOn(t, h, "lapack_"+c.name+"_ffi", c.config, []literal.Literal{b}, shapes...)
				for k, x := range want {
					// Vectors stay as they are; what stands in front of them in the results of gees is the matrix.
					if r := c.results[k]; r == 'v' || r == 'w' || k == 0 && strings.HasSuffix(c.name, "gees") {
						x = scaledBy(x, exponent)
					}
					if err := literal.Compare(got[k], x, literal.Tolerance{}); err != nil {
						t.Errorf("%s, %s, 2 to the %d: result %d: %v", c.name, way, exponent, k, err)
					}
				}
			}
		}
	}
}

// scaledBy returns a times 2 to the power of exponent.
func scaledBy(a literal.Literal, exponent int) literal.Literal {
	b := literal.New(a.Shape())
	for i := range a.Len() {
		if a.Type().IsComplex() {
			z := a.ComplexAt(i)
			b.SetComplex(i, complex(math.Ldexp(real(z), exponent), math.Ldexp(imag(z), exponent)))
		} else {
			b.SetFloat(i, math.Ldexp(a.FloatAt(i), exponent))
		}
	}
	return b
}

// hermitian returns a Hermitian matrix.
func hermitian(elem shape.ElementType, seed uint64, dims ...int) literal.Literal {
	x, n := random(elem, seed, dims...), dims[0]
	for i := range n {
		for j := range i {
			x.SetComplex(i*n+j, cmplx.Conj(x.ComplexAt(j*n+i)))
		}
		x.SetComplex(i*n+i, complex(real(x.ComplexAt(i*n+i)), 0))
	}
	return x
}

// TestSameEigenvalues: vectors have length 1 where eigenvalues are the same, or hardly differ.
func TestSameEigenvalues(t *testing.T) {
	const n = 27
	lowRank := literal.New(shape.Make(shape.F64, n, n))
	x, y := random(shape.F64, 21, n, 3), random(shape.F64, 22, 3, n)
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range 3 {
				sum += x.FloatAt(i*3+k) * y.FloatAt(k*n+j)
			}
			lowRank.SetFloat(i*n+j, sum)
		}
	}
	near := literal.New(shape.Make(shape.F64, 3, 3))
	for i, v := range []float64{0, 1, 0, 0, 0x1p-290, 1, 0, 0, 0} {
		near.SetFloat(i, v)
	}
	for _, a := range []literal.Literal{lowRank, near} {
		n := a.Dims()[0]
		vectors := shape.Make(shape.C128, n, n)
		z := literal.New(vectors)
		for i := range z.Len() {
			z.SetComplex(i, complex(a.FloatAt(i), 0))
		}
		values := shape.Make(shape.F64, n)
		for way, h := range bothWays(t) {
			const config = "compute_left = 86 : ui8, compute_right = 86 : ui8"
			out := callOn(t, h, "lapack_dgeev_ffi", config, []literal.Literal{a}, values, values, vectors, vectors,
				shape.Make(shape.S32))[2:4]
			out = append(out, callOn(t, h, "lapack_zgeev_ffi", config, []literal.Literal{z}, shape.Make(shape.C128, n), vectors,
				vectors, shape.Make(shape.S32))[1:3]...)
			for _, v := range out {
				for k := range n {
					checkUnit(t, way, k, k, n, 1e-12, func(i int) complex128 { return at(v, i, k) * cmplx.Conj(at(v, i, k)) })
				}
			}
		}
	}
}

// TestLowRank: eigenvalues that are nothing but rounding errors of others are found.
func TestLowRank(t *testing.T) {
	const n, rank = 70, 2
	for seed := range uint64(3) {
		a, x := literal.New(shape.Make(shape.F64, n, n)), random(shape.F64, seed, n, rank)
		for i := range n {
			for j := range n {
				a.SetFloat(i*n+j, x.FloatAt(i*rank)*x.FloatAt(j*rank)-x.FloatAt(i*rank+1)*x.FloatAt(j*rank+1))
			}
		}
		for way, h := range bothWays(t) {
			out := callOn(t, h, "lapack_dsyevd_ffi", "uplo = 76 : ui8", []literal.Literal{a}, a.Shape(),
				shape.Make(shape.F64, n), shape.Make(shape.S32))
			if info := out[2].IntAt(0); info != 0 {
				t.Fatalf("%s: expected info 0, got %d", way, info)
			}
			v := floats(out[0])
			checkProduct(t, way, v, floats(out[1]), transposed(v, n), floats(a), n, 1e-12)
		}
	}
}

// TestWideDiagonal: numbers far below others, and still normal ones, are not lost for these.
func TestWideDiagonal(t *testing.T) {
	const n = 24
	for _, c := range []struct {
		letter     string
		elem       shape.ElementType
		high, fall int // exponents of 2
	}{{"s", shape.F32, 36, 7}, {"d", shape.F64, 190, 51}} {
		a := literal.New(shape.Make(c.elem, n, n))
		for i := range n {
			a.SetFloat(i*n+i, math.Ldexp(1, c.high-i*c.fall))
		}
		values, info := shape.Make(c.elem, n), shape.Make(shape.S32)
		for way, h := range bothWays(t) {
			svd := callOn(t, h, "lapack_"+c.letter+"gesdd_ffi", "mode = 65 : ui8", []literal.Literal{a}, a.Shape(), values,
				a.Shape(), a.Shape(), info)[1]
			eigen := callOn(t, h, "lapack_"+c.letter+"syevd_ffi", "uplo = 76 : ui8", []literal.Literal{a}, a.Shape(), values,
				info)[1]
			for i := range n {
				want := a.FloatAt(i*n + i)
				if s, e := svd.FloatAt(i), eigen.FloatAt(n-1-i); s != want || e != want {
					t.Errorf("%v, %s: value %d: expected %g, got %g and %g", c.elem, way, i, want, s, e)
				}
			}
		}
	}
}
