package lapack_test

import (
	"compress/gzip"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// wider are what turns the text of a program for f32 and c64 into that for f64 and c128.
var wider = strings.NewReplacer("f32", "f64", "lapack_s", "lapack_d", "lapack_c", "lapack_z",
	"0x7FC00000", "0x7FF8000000000000", ".000000e+00", ".0")

// TestJAX runs what jax.export made of factorizations. Each result is what is left of an
// identity, such as |A - Q R|, and must be small.
func TestJAX(t *testing.T) {
	for _, c := range []struct {
		file  string
		wide  bool
		elem  shape.ElementType
		bound float64
	}{
		{"float32", false, shape.F32, 3e-5},
		{"float32", true, shape.F64, 1e-12},
		{"complex64", false, shape.C64, 1e-4},
		{"complex64", true, shape.C128, 1e-12},
	} {
		t.Run(c.elem.String(), func(t *testing.T) {
			text := read(t, "testdata/"+c.file+".mlir.gz")
			if c.wide {
				text = wider.Replace(text)
			}
			for seed := range uint64(3) {
				checkSmall(t, text, c.bound, random(c.elem, seed, 2, 4, 4), random(c.elem, seed+9, 2, 5, 3))
			}
		})
	}
}

func checkSmall(t *testing.T, text string, bound float64, args ...literal.Literal) {
	t.Helper()
	p, err := xla.Parse("jax.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exe, err := client.Compile(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.Run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Split(text, `result['`)[1:]
	if len(names) != len(out) || len(out) < 17 {
		t.Fatalf("%d results, %d names", len(out), len(names))
	}
	for i, x := range out {
		name, _, _ := strings.Cut(names[i], "'")
		if v := x.FloatAt(0); !(v <= bound) {
			t.Errorf("%s: %g is left, expected at most %g", name, v, bound)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// random returns normally distributed numbers.
func random(elem shape.ElementType, seed uint64, dims ...int) literal.Literal {
	r := rand.New(rand.NewPCG(seed, 1))
	l := literal.New(shape.Make(elem, dims...))
	for i := range l.Len() {
		if elem.IsComplex() {
			l.SetComplex(i, complex(r.NormFloat64(), r.NormFloat64()))
		} else {
			l.SetFloat(i, r.NormFloat64())
		}
	}
	return l
}

// TestInfo: what cannot be factored is told by info, and does not hang.
func TestInfo(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		target string
		config string
		x      []float64
		info   int
		result int64 // 0: any but 0
	}{
		{"lapack_dpotrf_ffi", "uplo = 76 : ui8", []float64{1, 0, 0, -1}, 1, 2},
		{"lapack_dgetrf_ffi", "", []float64{1, 2, 2, 4}, 2, 2},
		{"lapack_dgetrf_ffi", "", []float64{0, 0, 0, 0}, 2, 1},
		{"lapack_dsyevd_ffi", "uplo = 76 : ui8", []float64{1, nan, nan, 4}, 2, 1},
		{"lapack_dgesdd_ffi", "mode = 65 : ui8", []float64{1, nan, 2, 4}, 4, 1},
	} {
		results := invoke(t, c.target, "{"+c.config+"}", matrixOf(c.x))
		if got := results[c.info].IntAt(0); got == 0 || got != c.result && c.result != 0 {
			t.Errorf("%s: info %d, want %d", c.target, got, c.result)
		}
	}
}
