package dense

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestTriangles: on each tier, what is found solves the system in all of its forms, also where it takes the place of
// the right sides; what is not of the triangle is not read, and threads do not change a bit.
func TestTriangles(t *testing.T) {
	set := map[string]func(*testing.T, *Set){"c64": testTriangles[float32], "c128": testTriangles[float64]}
	for _, tier := range tiers() {
		for name, f := range set {
			t.Run(fmt.Sprintf("%v %s", tier, name), func(t *testing.T) { f(t, NewSet(tier)) })
		}
	}
}

func testTriangles[T Float](t *testing.T, set *Set) {
	var zero T
	k, err := set.Triangles(2 * int(unsafe.Sizeof(zero)))
	if err != nil {
		t.Fatal(err)
	}
	if k == nil {
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 15, 33} {
		for _, sides := range []int{1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 24, 27, 50} {
			for form := range 32 {
				testTriangle[T](t, k, r, n, sides, form)
			}
		}
	}
	for form := range 8 {
		testTriangle[T](t, k, r, 300, 35, form) // large, and more than one call
		testTriangle[T](t, k, r, 256, 64, form) // rows meet in the cache
	}
}

func testTriangle[T Float](t *testing.T, k *Triangles, r *rand.Rand, n, sides, form int) {
	t.Helper()
	left, lower, transposed := form&1 == 0, form&2 == 0, form&4 == 0
	s := NewTriangle(n, sides, left, lower, transposed)
	s.Unit, s.Conjugate = form&8 != 0, form&16 != 0
	a, b := random[T](r, 2*n*n), random[T](r, 2*n*sides)
	for i := range n {
		for j := range n {
			p := 2 * (i*n + j)
			switch {
			case i == j && s.Unit, lower && j > i, !lower && j < i:
				a[p], a[p+1] = T(math.NaN()), T(math.NaN())
			case i == j:
				a[p] += 2
			default:
				a[p], a[p+1] = a[p]/T(n), a[p+1]/T(n)
			}
		}
	}
	x := append([]T{}, b...)
	m := k.Borrow()
	defer k.Lend(m)
	if !k.Solve(&s, 0, bytesOf(a), bytesOf(x), bytesOf(x), m, nil) {
		t.Fatalf("%d rows, form %d: not solved", n, form)
	}
	other := make([]T, len(x))
	backward := func(n int, f func(k int)) bool {
		for i := range n {
			f(n - 1 - i)
		}
		return true
	}
	k.Solve(&s, 0, bytesOf(a), bytesOf(b), bytesOf(other), m, backward)
	for i := range x {
		if x[i] != other[i] {
			t.Fatalf("%d rows, %d sides, form %d: number %d is %g and %g", n, sides, form, i/2, x[i], other[i])
		}
	}
	checkTriangle(t, &s, a, b, x, n, sides, form)
}

// checkTriangle fails where x is not the solution of s, of the matrix a, for b.
func checkTriangle[T Float](t *testing.T, s *Triangle, a, b, x []T, n, sides, form int) {
	t.Helper()
	left, lower, transposed := form&1 == 0, form&2 == 0, form&4 == 0
	at := func(v []T, i int) complex128 { return complex(float64(v[2*i]), float64(v[2*i+1])) }
	limit := 1e-6
	if unsafe.Sizeof(a[0]) == 8 {
		limit = 1e-14
	}
	for side := range sides {
		for i := range n {
			where := func(j int) int {
				if left {
					return j*sides + side
				}
				return side*n + j
			}
			sum := -at(b, where(i))
			size := cmplx.Abs(sum)
			for j := range n {
				row, col := i, j // of op(a), which is transposed on the right of x
				if transposed == left {
					row, col = j, i
				}
				f := complex128(1)
				switch {
				case row == col && s.Unit:
				case lower && col > row, !lower && col < row:
					continue
				default:
					if f = at(a, row*n+col); s.Conjugate {
						f = cmplx.Conj(f)
					}
				}
				p := f * at(x, where(j))
				sum, size = sum+p, size+cmplx.Abs(p)
			}
			if !(cmplx.Abs(sum) <= limit*size) {
				t.Fatalf("%d rows, %d sides, form %d: row %d of %d is off by %g of %g", n, sides, form, i, side,
					cmplx.Abs(sum), size)
			}
		}
	}
}

// bytesOf is the memory of v.
func bytesOf[T Float](v []T) []byte {
	return unsafe.Slice((*byte)(pointer(v)), len(v)*int(unsafe.Sizeof(v[0])))
}

// TestTrianglesRefuse: a diagonal without good inverses is left to others.
func TestTrianglesRefuse(t *testing.T) {
	for _, tier := range tiers() {
		k, err := NewSet(tier).Triangles(8)
		if err != nil {
			t.Fatal(err)
		}
		if k == nil {
			continue
		}
		for _, x := range []float32{0, 1e-30, 1e30, float32(math.NaN()), float32(math.Inf(1))} {
			s := NewTriangle(1, 1, true, true, false)
			b, m := []float32{1, 2}, k.Borrow()
			solve := func() bool {
				return k.Solve(&s, 0, bytesOf([]float32{x, 0}), bytesOf(b), bytesOf(b), m, nil)
			}
			if solve() || b[0] != 1 {
				t.Errorf("%v: solved for a diagonal of %g", tier, x)
			}
			if s.Unit = true; !solve() || b[0] != 1 || b[1] != 2 {
				t.Errorf("%v: not solved for a diagonal of ones", tier)
			}
		}
	}
}
