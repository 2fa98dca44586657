package lapack_test

import (
	"fmt"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestEigen: vectors of general matrices are eigenvectors to the values, from both sides, and values alone are the same.
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
		nearest := slices.MinFunc(alone, func(x1, x2 complex128) int { return int(1e9 * (cmplx.Abs(x1-x) - cmplx.Abs(x2-x))) })
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
