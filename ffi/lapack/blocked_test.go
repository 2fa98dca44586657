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

// blockedSizes are those of matrices below, between and above blocks, square, tall and wide.
var blockedSizes = [][2]int{{16, 16}, {17, 17}, {24, 24}, {25, 40}, {61, 61}, {100, 30}, {30, 100}, {130, 130},
	{97, 73}}

// callOn runs a target with operands and result shapes.
func callOn(t *testing.T, h ffi.Registry, target, config string, operands []literal.Literal,
	results ...shape.Shape) []literal.Literal {
	t.Helper()
	f, ok := h.Lookup(target)
	if !ok {
		t.Fatalf("no handler for %s", target)
	}
	attributes, err := ffi.ParseAttributes("{" + config + "}")
	if err != nil {
		t.Fatal(err)
	}
	c := &ffi.Call{Target: target, Operands: operands, Attributes: attributes, Shape: shape.MakeTuple(results...)}
	for _, s := range results {
		c.Results = append(c.Results, literal.New(s))
	}
	if err := ffi.Invoke(t.Context(), f, c); err != nil {
		t.Fatal(err)
	}
	return c.Results
}

// same checks that blocks on machine code give what plain loops do, and three threads the same bits as one.
func same(t *testing.T, limit float64, target, config string, operands []literal.Literal,
	results ...shape.Shape) []literal.Literal {
	t.Helper()
	want := callOn(t, lapack.Handlers(), target, config, operands, results...)
	got := sameBits(t, target, config, operands, results...)
	for k := range want {
		if err := literal.Compare(got[k], want[k], literal.RelativeToLargest(limit)); err != nil {
			t.Errorf("%s: result %d: %v", target, k, err)
		}
	}
	return got
}

// sameBits checks that three threads give the same bits as one.
func sameBits(t *testing.T, target, config string, operands []literal.Literal,
	results ...shape.Shape) []literal.Literal {
	t.Helper()
	got := callOn(t, onMachine(t, 1), target, config, operands, results...)
	three := callOn(t, onMachine(t, 3), target, config, operands, results...)
	for k := range got {
		if string(got[k].Bytes()) != string(three[k].Bytes()) {
			t.Errorf("%s: result %d: three threads give other bits than one", target, k)
		}
	}
	return got
}

// checkLU checks that P L U is a batch of matrices, but for the rounding of that many sums, and that no number of L is
// larger than 1.
func checkLU(t *testing.T, a literal.Literal, lu []literal.Literal) {
	t.Helper()
	m, n, eps := a.Dims()[1], a.Dims()[2], 0x1p-52
	if a.Type() == shape.F32 {
		eps = 0x1p-23
	}
	k := min(m, n)
	for batch := range a.Dims()[0] {
		rows, f := floats(a)[batch*m*n:][:m*n], floats(lu[0])[batch*m*n:][:m*n]
		for i := range k {
			at := int(lu[1].IntAt(batch*k+i)) - 1
			for j := range n {
				rows[i*n+j], rows[at*n+j] = rows[at*n+j], rows[i*n+j]
			}
		}
		for i := range m {
			for j := range n {
				sum, size := -rows[i*n+j], 0.0
				for d := range min(i, j, k-1) + 1 {
					l := 1.0
					if d < i {
						l = f[i*n+d]
					}
					if math.Abs(l) > 1+eps {
						t.Fatalf("%v: L[%d, %d] is %g", a.Shape(), i, d, l)
					}
					sum += l * f[d*n+j]
					size += math.Abs(l * f[d*n+j])
				}
				if !(math.Abs(sum) <= float64(k)*eps*size) {
					t.Fatalf("%v: P A - L U is %g at %d, %d, of sums of %g", a.Shape(), sum, i, j, size)
				}
			}
		}
	}
}

func TestBlocked(t *testing.T) {
	for _, c := range []struct {
		letter string
		elem   shape.ElementType
		limit  float64
	}{{"s", shape.F32, 3e-6}, {"d", shape.F64, 1e-11}} {
		for _, size := range blockedSizes {
			t.Run(fmt.Sprintf("%v_%dx%d", c.elem, size[0], size[1]), func(t *testing.T) {
				testBlocked(t, "lapack_"+c.letter, c.elem, size[0], size[1], c.limit)
			})
		}
	}
}

func testBlocked(t *testing.T, prefix string, elem shape.ElementType, m, n int, limit float64) {
	f := func(dims ...int) shape.Shape { return shape.Make(elem, dims...) }
	info, k := shape.Make(shape.S32, 2), min(m, n)
	a := random(elem, 7, 2, m, n)
	lu := sameBits(t, prefix+"getrf_ffi", "", []literal.Literal{a}, f(2, m, n), shape.Make(shape.S32, 2, k), info)
	checkLU(t, a, lu)
	qr := same(t, limit, prefix+"geqrf_ffi", "", []literal.Literal{a}, f(2, m, n), f(2, k))
	if m >= n {
		same(t, limit, prefix+"orgqr_ffi", "", qr, f(2, m, n))
	}
	for flags := range 4 {
		c := random(elem, 8, 2, m, 19)
		if flags&1 == 0 {
			c = random(elem, 8, 2, 19, m)
		}
		config := fmt.Sprintf("left = %v, transpose = %v", flags&1 == 1, flags&2 == 2)
		same(t, limit, prefix+"ormqr_ffi", config, append(qr[:2:2], c), c.Shape())
	}
	if m != n {
		return
	}
	s := symmetric(elem, 9, n, n)
	for _, uplo := range []byte("LU") {
		config := fmt.Sprintf("uplo = %d : ui8", uplo)
		same(t, limit, prefix+"potrf_ffi", config, []literal.Literal{s}, f(n, n), shape.Make(shape.S32))
		for _, more := range []string{"NN", "TU", "CN", "NU"} {
			for _, side := range []byte("LR") {
				all := fmt.Sprintf("%s, trans_x = %d : ui8, diag = %d : ui8, side = %d : ui8", config, more[0], more[1], side)
				d := symmetric(elem, 9, n, n)
				for i := range d.Len() {
					if d.SetFloat(i, d.FloatAt(i)/3/float64(n)); i/n != i%n {
						d.SetFloat(i, d.FloatAt(i)/float64(n))
					}
				}
				same(t, limit, prefix+"trsm_ffi", all, []literal.Literal{d, random(elem, 10, n, n)}, f(n, n))
				if side == 'L' { // few right sides
					same(t, limit, prefix+"trsm_ffi", all, []literal.Literal{d, random(elem, 10, n, 1)}, f(n, 1))
					same(t, limit, prefix+"trsm_ffi", all, []literal.Literal{d, random(elem, 10, n, 3)}, f(n, 3))
				}
			}
		}
	}
}

// TestBlockedEigen: eigenvectors and singular vectors in blocks are orthogonal and make the matrix again.
func TestBlockedEigen(t *testing.T) {
	for _, n := range []int{16, 25, 61, 130} {
		for _, c := range []struct {
			letter string
			elem   shape.ElementType
			limit  float64
		}{{"s", shape.F32, 2e-5}, {"d", shape.F64, 1e-11}} {
			t.Run(fmt.Sprintf("%v_%d", c.elem, n), func(t *testing.T) {
				info := shape.Make(shape.S32)
				for _, a := range []literal.Literal{symmetric(c.elem, 5, n, n), ones(c.elem, n)} {
					for _, uplo := range []byte("LU") {
						eigen := callOn(t, onMachine(t, 3), "lapack_"+c.letter+"syevd_ffi", fmt.Sprintf("uplo = %d : ui8", uplo),
							[]literal.Literal{a}, a.Shape(), shape.Make(c.elem, n), info)
						v := floats(eigen[0])
						checkProduct(t, "eigenvectors", v, floats(eigen[1]), transposed(v, n), floats(a), n, c.limit)
					}
				}
				for _, a := range []literal.Literal{random(c.elem, 6, n, n), ones(c.elem, n)} {
					svd := callOn(t, onMachine(t, 1), "lapack_"+c.letter+"gesdd_ffi", "mode = 65 : ui8", []literal.Literal{a},
						a.Shape(), shape.Make(c.elem, n), a.Shape(), a.Shape(), info)
					checkProduct(t, "singular vectors", floats(svd[2]), floats(svd[1]), floats(svd[3]), floats(a), n, c.limit)
				}
			})
		}
	}
}

// ones is a matrix of rank 1.
func ones(elem shape.ElementType, n int) literal.Literal {
	l := literal.New(shape.Make(elem, n, n))
	for i := range l.Len() {
		l.SetFloat(i, 1)
	}
	return l
}

func floats(l literal.Literal) []float64 {
	v := make([]float64, l.Len())
	literal.ToFloat64s(v, l)
	return v
}

func transposed(v []float64, n int) []float64 {
	out := make([]float64, len(v))
	for i := range out {
		out[i] = v[i%n*n+i/n]
	}
	return out
}

// checkProduct checks that u diag(s) w is a, and that u and w are orthogonal.
func checkProduct(t *testing.T, what string, u, s, w, a []float64, n int, limit float64) {
	t.Helper()
	most := 1.0
	for _, x := range s {
		most = max(most, math.Abs(x))
	}
	for i := range n {
		for j := range n {
			sum, left, right, one := 0.0, 0.0, 0.0, 0.0
			for k := range n {
				sum += u[i*n+k] * s[k] * w[k*n+j]
				left += u[k*n+i] * u[k*n+j]
				right += w[i*n+k] * w[j*n+k]
			}
			if i == j {
				one = 1
			}
			if !(math.Abs(sum-a[i*n+j]) <= limit*most && math.Abs(left-one) <= limit && math.Abs(right-one) <= limit) {
				t.Fatalf("%s: element %d, %d: expected %g, got %g; products of vectors %g and %g, expected %g", what, i, j,
					a[i*n+j], sum, left, right, one)
			}
		}
	}
}

// TestBlockedSingular: pivots that are zero, and numbers that are not finite, are told by info as plain loops do.
func TestBlockedSingular(t *testing.T) {
	const n = 60
	info := shape.Make(shape.S32)
	a := random(shape.F64, 3, n, n)
	for i := range n { // column 30 is zero
		a.SetFloat(i*n+30, 0)
	}
	pivots, args := shape.Make(shape.S32, n), []literal.Literal{a}
	got := callOn(t, onMachine(t, 1), "lapack_dgetrf_ffi", "", args, a.Shape(), pivots, info)
	want := callOn(t, lapack.Handlers(), "lapack_dgetrf_ffi", "", args, a.Shape(), pivots, info)
	if got[2].IntAt(0) != 31 || want[2].IntAt(0) != 31 {
		t.Errorf("getrf: expected info 31, got %v and %v", got[2], want[2])
	}
	s := symmetric(shape.F64, 4, n, n)
	for _, x := range []float64{-1, 0, math.NaN()} {
		s.SetFloat(33*n+33, x)
		got := callOn(t, onMachine(t, 1), "lapack_dpotrf_ffi", "uplo = 76 : ui8", []literal.Literal{s}, s.Shape(), info)
		if got[1].IntAt(0) != 34 {
			t.Errorf("potrf with %g: expected info 34, got %v", x, got[1])
		}
	}
}

// TestEmbedded: complex matrices as blocks of real ones give what plain loops do.
func TestEmbedded(t *testing.T) {
	for _, c := range []struct {
		letter string
		elem   shape.ElementType
		limit  float64
	}{{"c", shape.C64, 3e-6}, {"z", shape.C128, 1e-11}} {
		for _, n := range []int{16, 17, 40, 61} {
			testEmbedded(t, "lapack_"+c.letter, c.elem, n, c.limit)
		}
	}
}

func testEmbedded(t *testing.T, prefix string, elem shape.ElementType, n int, limit float64) {
	s := random(elem, 3, 2, n, n)
	for at := 0; at < s.Len(); at += n * n {
		for i := range n {
			for j := range i {
				s.SetComplex(at+i*n+j, cmplx.Conj(s.ComplexAt(at+j*n+i)))
			}
			s.SetComplex(at+i*n+i, complex(real(s.ComplexAt(at+i*n+i))+3*float64(n), 0))
		}
	}
	f := func(dims ...int) shape.Shape { return shape.Make(elem, dims...) }
	for _, uplo := range []byte("LU") {
		config := fmt.Sprintf("uplo = %d : ui8", uplo)
		same(t, limit, prefix+"potrf_ffi", config, []literal.Literal{s}, f(2, n, n), shape.Make(shape.S32, 2))
		for _, more := range []string{"NN", "TN", "CN", "CU"} {
			m := s.Clone()
			for i := range m.Len() { // triangles that are far from singular, with a complex diagonal
				z := m.ComplexAt(i) / complex(3*float64(n), 0)
				if i/n%n == i%n {
					z *= complex(0.6, 0.8)
				}
				m.SetComplex(i, z)
			}
			for _, side := range []byte("LR") {
				all := fmt.Sprintf("%s, trans_x = %d : ui8, diag = %d : ui8, side = %d : ui8", config, more[0], more[1], side)
				b := random(elem, 10, 2, n, n)
				same(t, limit, prefix+"trsm_ffi", all, []literal.Literal{m, b}, b.Shape())
			}
		}
	}
	bad := s.Clone()
	bad.SetComplex(n*n-1, -1)
	same(t, limit, prefix+"potrf_ffi", "uplo = 76 : ui8", []literal.Literal{bad}, f(2, n, n), shape.Make(shape.S32, 2))
}

// TestScaledSingle: values of f32 whose squares are no normal numbers, or infinite, are those of numbers near 1.
func TestScaledSingle(t *testing.T) {
	const n = 70
	info := shape.Make(shape.S32)
	for _, exponent := range []int{-110, -60, 60, 110} {
		a := symmetric(shape.F32, 4, n, n)
		b := a.Clone()
		for i := range b.Len() {
			b.SetFloat(i, math.Ldexp(a.FloatAt(i), exponent))
		}
		for _, c := range []struct {
			target, config string
			at             int
			results        []shape.Shape
		}{
			{"lapack_ssyevd_ffi", "uplo = 76 : ui8", 1, []shape.Shape{a.Shape(), shape.Make(shape.F32, n), info}},
			{"lapack_sgesdd_ffi", "mode = 65 : ui8", 1,
				[]shape.Shape{a.Shape(), shape.Make(shape.F32, n), a.Shape(), a.Shape(), info}},
		} {
			want := callOn(t, onMachine(t, 1), c.target, c.config, []literal.Literal{a}, c.results...)
			got := callOn(t, onMachine(t, 1), c.target, c.config, []literal.Literal{b}, c.results...)
			for k := range n {
				if x, y := want[c.at].FloatAt(k), math.Ldexp(got[c.at].FloatAt(k), -exponent); x != y {
					t.Fatalf("%s times 2^%d: value %d: expected %g, got %g", c.target, exponent, k, x, y)
				}
			}
		}
	}
}

// TestCholeskyNearSingular: the product of the factors of a matrix that is nearly singular is that matrix, each element
// within the rounding errors of its own sum.
func TestCholeskyNearSingular(t *testing.T) {
	const n = 70
	for letter, c := range map[string]struct {
		elem shape.ElementType
		eps  float64
	}{"s": {shape.F32, 0x1p-23}, "d": {shape.F64, 0x1p-52}, "c": {shape.C64, 0x1p-23}, "z": {shape.C128, 0x1p-52}} {
		b, a := random(c.elem, 5, n, n), literal.New(shape.Make(c.elem, n, n))
		for i := range n {
			for j := range n {
				sum := complex(0, 0)
				for k := range n { // columns that get smaller, and something that keeps it positive definite
					sum += b.ComplexAt(i*n+k) * cmplx.Conj(b.ComplexAt(j*n+k)) * complex(math.Ldexp(1, -k), 0)
				}
				if i == j {
					sum = complex(real(sum)+100*n*c.eps, 0)
				}
				a.SetComplex(i*n+j, sum)
			}
		}
		for way, h := range bothWays(t) {
			out := callOn(t, h, "lapack_"+letter+"potrf_ffi", "uplo = 76 : ui8", []literal.Literal{a}, a.Shape(),
				shape.Make(shape.S32))
			if out[1].IntAt(0) != 0 {
				t.Fatalf("%s, %v: info %d", way, c.elem, out[1].IntAt(0))
			}
			for i := range n {
				for j := range i + 1 {
					sum, size := complex(0, 0), 0.0
					for k := range j + 1 {
						z := out[0].ComplexAt(i*n+k) * cmplx.Conj(out[0].ComplexAt(j*n+k))
						sum, size = sum+z, size+cmplx.Abs(z)
					}
					if d := cmplx.Abs(sum - a.ComplexAt(i*n+j)); !(d <= n*c.eps*size) {
						t.Fatalf("%s, %v: [%d,%d] is off by %g of %g", way, c.elem, i, j, d, size)
					}
				}
			}
		}
	}
}
