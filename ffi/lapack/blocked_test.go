package lapack_test

import (
	"fmt"
	"math"
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
	got := callOn(t, onMachine(t, 1), target, config, operands, results...)
	three := callOn(t, onMachine(t, 3), target, config, operands, results...)
	for k := range want {
		if err := literal.Compare(got[k], want[k], literal.RelativeToLargest(limit)); err != nil {
			t.Errorf("%s: result %d: %v", target, k, err)
		}
		if string(got[k].Bytes()) != string(three[k].Bytes()) {
			t.Errorf("%s: result %d: three threads give other bits than one", target, k)
		}
	}
	return got
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
	same(t, limit, prefix+"getrf_ffi", "", []literal.Literal{a}, f(2, m, n), shape.Make(shape.S32, 2, k), info)
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
