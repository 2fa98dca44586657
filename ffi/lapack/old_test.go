package lapack_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func matrixOf(v []float64) literal.Literal {
	n := int(math.Sqrt(float64(len(v))))
	l := literal.New(shape.Make(shape.F64, n, n))
	for i, x := range v {
		l.SetFloat(i, x)
	}
	return l
}

// shapes of results by target, of 2x2 matrices: f a matrix, v a vector, s an integer, w a scalar, i two
// integers, c a complex matrix, z a complex vector.
var resultShapes = map[byte]shape.Shape{'f': shape.Make(shape.F64, 2, 2), 'v': shape.Make(shape.F64, 2),
	's': shape.Make(shape.S32), 'w': shape.Make(shape.F64, 1), 'i': shape.Make(shape.S32, 2),
	'c': shape.Make(shape.C128, 2, 2), 'z': shape.Make(shape.C128, 2)}

var results = map[string]string{
	"lapack_dpotrf": "fs", "lapack_dgetrf": "fis", "lapack_dsyevd": "fvs", "lapack_dgesdd": "fvffs",
	"lapack_dgeev": "vvccs", "lapack_dgees": "ffvvss", "lapack_dgehrd": "fws", "lapack_dsytrd": "fvwws",
	"lapack_dgeqrf": "fv", "lapack_dorgqr": "f", "blas_dtrsm": "f", "lapack_zgees": "cczss", "lapack_zgeev": "zccs",
	"old lapack_dgeev": "fffvvccs", "old lapack_zgeev": "cvzccs", "old lapack_dgees": "fvvfss",
	"old lapack_zgees": "cvzcss",
}

// invoke calls a handler on f64 matrices, or c128 for targets with z.
func invoke(t *testing.T, target, config string, operands ...literal.Literal) []literal.Literal {
	t.Helper()
	c, err := call(target, config, operands...)
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	return c.Results
}

func call(target, config string, operands ...literal.Literal) (*ffi.Call, error) {
	h, ok := lapack.Handlers().Lookup(target)
	if !ok {
		panic("no handler for " + target)
	}
	name, isNew := strings.CutSuffix(target, "_ffi")
	kinds := results[name]
	if !isNew && results["old "+name] != "" {
		kinds = results["old "+name]
	}
	attributes, err := ffi.ParseAttributes(config)
	if err != nil {
		return nil, err
	}
	c := &ffi.Call{Target: target, Operands: operands, Attributes: attributes}
	var shapes []shape.Shape
	for i := range len(kinds) {
		shapes = append(shapes, resultShapes[kinds[i]])
		c.Results = append(c.Results, literal.New(resultShapes[kinds[i]]))
	}
	c.Shape = shape.MakeTuple(shapes...)
	return c, ffi.Invoke(context.Background(), h, c)
}

// TestOldForms: the form with integers in front gives what the form with attributes does. The places
// are those of the results of the new form among those of the old.
func TestOldForms(t *testing.T) {
	x, z := matrixOf([]float64{4, 1, 2, 3}), literal.New(shape.Make(shape.C128, 2, 2))
	for i, v := range []complex128{4, 1i, 2, 3 - 1i} {
		z.SetComplex(i, v)
	}
	ints := func(v ...int32) (list []literal.Literal) {
		for _, i := range v {
			list = append(list, literal.Scalar(i))
		}
		return list
	}
	for _, c := range []struct {
		target, config string
		front          []literal.Literal
		operands       []literal.Literal
		places         []int
	}{
		{"lapack_dpotrf", "uplo = 76 : ui8", ints(1, 1, 2), []literal.Literal{x}, []int{0, 1}},
		{"lapack_dgetrf", "", ints(1, 2, 2), []literal.Literal{x}, []int{0, 1, 2}},
		{"lapack_dsyevd", "uplo = 85 : ui8", ints(0, 1, 2), []literal.Literal{x}, []int{0, 1, 2}},
		{"lapack_dgesdd", "mode = 65 : ui8", ints(1, 1, 1, 2, 2, 99), []literal.Literal{x}, []int{0, 1, 2, 3, 4}},
		{"lapack_dgesdd", "mode = 83 : ui8", ints(0, 1, 1, 2, 2, 99), []literal.Literal{x}, []int{0, 1, 2, 3, 4}},
		{"lapack_dgesdd", "mode = 78 : ui8", ints(1, 0, 1, 2, 2, 99), []literal.Literal{x}, []int{0, 1, 2, 3, 4}},
		{"lapack_dgeev", "compute_left = 86 : ui8, compute_right = 86 : ui8", ints(1, 2, 'V', 'V'),
			[]literal.Literal{x}, []int{3, 4, 5, 6, 7}},
		{"lapack_zgeev", "compute_left = 86 : ui8, compute_right = 78 : ui8", ints(1, 2, 'V', 'N'),
			[]literal.Literal{z}, []int{2, 3, 4, 5}},
		{"lapack_dgees", "mode = 86 : ui8, sort = 78 : ui8", ints(1, 2, 'V', 'N'), []literal.Literal{x},
			[]int{0, 3, 1, 2, 4, 5}},
		{"lapack_zgees", "mode = 86 : ui8, sort = 78 : ui8", ints(1, 2, 'V', 'N'), []literal.Literal{z},
			[]int{0, 3, 2, 4, 5}},
		{"lapack_dgehrd", "low = 1 : i32, high = 2 : i32", ints(2, 1, 2, 2, 1, 99), []literal.Literal{x}, []int{0, 1, 2}},
		{"lapack_dsytrd", "uplo = 76 : ui8", ints(2, 1, 2, 1, 99), []literal.Literal{x}, []int{0, 1, 2, 3, 4}},
		{"lapack_dgeqrf", "", ints(1, 2, 2, 99), []literal.Literal{x}, []int{0, 1}},
		{"lapack_dorgqr", "", ints(1, 2, 2, 2, 99), []literal.Literal{x, literal.Of([]float64{1.5, 0.5})}, []int{0}},
	} {
		want := invoke(t, c.target+"_ffi", "{"+c.config+"}", c.operands...)
		got := invoke(t, c.target, "", append(c.front, c.operands...)...)
		for i, k := range c.places {
			if got[k].String() != want[i].String() {
				t.Errorf("%s: result %d: got %v, want %v", c.target, k, got[k], want[i])
			}
		}
	}
}

// TestOperandsStay: operands, whose memory may be what a routine reads, stay as they are, alone and in batches.
func TestOperandsStay(t *testing.T) {
	for target, kinds := range map[string][2]string{ // of operands and results, as in resultShapes
		"potrf": {"f", "fs"}, "getrf": {"f", "fis"}, "geqrf": {"f", "fv"}, "syevd": {"f", "fvs"}, "sytrd": {"f", "fvwws"},
		"gehrd": {"f", "fws"}, "gesdd": {"f", "fvffs"}, "geev": {"f", "vvccs"}, "gees": {"f", "ffvvss"},
		"geqp3": {"fi", "fiv"}, "orgqr": {"fv", "f"}, "ormqr": {"fvf", "f"}, "trsm": {"ff", "f"}, "gtsv": {"vvvf", "vvvfs"},
	} {
		for _, batch := range [][]int{{}, {3}} {
			h, _ := lapack.Handlers().Lookup("lapack_d" + target + "_ffi")
			c := &ffi.Call{Operands: batchOf(batch, kinds[0], 1), Results: batchOf(batch, kinds[1], 0)}
			c.Attributes, _ = ffi.ParseAttributes(`{uplo = 76 : ui8, low = 1 : i32, high = 2 : i32, mode = 65 : ui8,
				sort = 78 : ui8, compute_left = 86 : ui8, compute_right = 86 : ui8, left = true, transpose = false,
				side = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}`)
			var shapes []shape.Shape
			for _, r := range c.Results {
				shapes = append(shapes, r.Shape())
			}
			c.Shape = shape.MakeTuple(shapes...)
			want := fmt.Sprint(c.Operands)
			if err := ffi.Invoke(t.Context(), h, c); err != nil {
				t.Errorf("%s %v: %v", target, batch, err)
			}
			if got := fmt.Sprint(c.Operands); got != want {
				t.Errorf("%s %v: operands are %s, were %s", target, batch, got, want)
			}
		}
	}
}

// batchOf returns literals of kinds of elements 0, scale, .. 6*scale, 0 and so on.
func batchOf(batch []int, kinds string, scale int64) (list []literal.Literal) {
	for _, k := range kinds {
		s := resultShapes[byte(k)]
		l := literal.New(shape.Make(s.Type, slices.Concat(batch, s.Dims)...))
		for i := range l.Len() {
			if v := int64(i%7) * scale; s.Type.IsInteger() {
				l.SetInt(i, v)
			} else {
				l.SetFloat(i, float64(v))
			}
		}
		list = append(list, l)
	}
	return list
}

// TestTriangular: the old form has a factor, which the new one may have behind its operands.
func TestTriangular(t *testing.T) {
	a, b := matrixOf([]float64{2, 9, 1, 4}), matrixOf([]float64{2, 4, 9, 10})
	half := literal.Scalar(0.5)
	config := "{diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}"
	want := matrixOf([]float64{0.5, 1, 1, 1})
	if got := invoke(t, "blas_dtrsm_ffi", config, a, b, half)[0]; got.String() != want.String() {
		t.Errorf("got %v, want %v", got, want)
	}
	front := []literal.Literal{}
	for _, v := range []int32{1, 1, 0, 0, 2, 2, 1} {
		front = append(front, literal.Scalar(v))
	}
	if got := invoke(t, "blas_dtrsm", "", append(front, half, a, b)...)[0]; got.String() != want.String() {
		t.Errorf("old: got %v, want %v", got, want)
	}
}

// TestWrongCalls: calls that are not as they should be give errors that say how.
func TestWrongCalls(t *testing.T) {
	wide := literal.New(shape.Make(shape.F64, 2, 3))
	x := matrixOf([]float64{1, 2, 3, 4})
	for _, c := range []struct {
		target, config string
		operands       []literal.Literal
		want           string
	}{
		{"lapack_dpotrf_ffi", "{uplo = 76 : ui8}", []literal.Literal{wide}, "expects square matrices, got f64[2,3]"},
		{"lapack_dpotrf_ffi", "{}", []literal.Literal{x}, "expects the attribute uplo"},
		{"lapack_dpotrf_ffi", "{uplo = \"L\"}", []literal.Literal{x}, "expects the attribute uplo"},
		{"lapack_dpotrf_ffi", "{uplo = 76 : ui8}", nil, "expects 1 operands, got 0"},
		{"lapack_dgetrf_ffi", "{}", []literal.Literal{literal.Of([]float64{1})}, "operand 0: expects 2 dimensions"},
		{"lapack_dgetrf_ffi", "{}", []literal.Literal{literal.Scalar(int32(1))}, "expects real or complex numbers"},
		{"blas_dtrsm_ffi", "{diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}",
			[]literal.Literal{x, wide}, "expects columns 2, got 3"},
		{"lapack_dpotrf", "", []literal.Literal{x}, "expects 4 operands, got 1"},
		{"lapack_dpotrf", "", []literal.Literal{literal.Scalar(int32(7)), x, x, x}, "operand 0: expects 0 to 1, got 7"},
	} {
		if _, err := call(c.target, c.config, c.operands...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.target, err, c.want)
		}
	}
}
