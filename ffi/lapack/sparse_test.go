package lapack_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// compressedText multiplies compressed rows of a matrix of 11 columns, of elements E and indices I.
const compressedText = `HloModule m

ENTRY e {
  d = E[DATA] parameter(0)
  s = I[STARTS] parameter(1)
  c = I[DATA] parameter(2)
  x = E[11WIDTH] parameter(3)
  ROOT r = E[ROWSWIDTH] custom-call(d, s, c, x), custom_call_target="cpu_csr_sparse_dense_ffi", ` +
	`api_version=API_VERSION_TYPED_FFI, backend_config={}
}
`

// multiplyCompressed runs that; dims are those of x.
func multiplyCompressed(t *testing.T, b xla.Backend, dims []int, args ...literal.Literal) (literal.Literal, error) {
	t.Helper()
	rows := args[1].Shape().Dims[0] - 1
	width := ""
	if len(dims) > 1 {
		width = fmt.Sprintf(",%d", dims[1])
	}
	text := strings.NewReplacer("E[", args[0].Shape().Type.String()+"[", "I[", args[1].Shape().Type.String()+"[",
		"STARTS", fmt.Sprint(rows+1), "DATA", fmt.Sprint(args[0].Shape().Dims[0]), "WIDTH", width,
		"ROWS", fmt.Sprint(rows)).Replace(compressedText)
	p, err := xla.Parse("csr.hlo", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if args[3], err = args[3].Reshape(dims...); err != nil {
		t.Fatal(err)
	}
	out, err := runOn(t, b, p, args...)
	if err != nil {
		return literal.Literal{}, err
	}
	return out[0], nil
}

// TestCompressedRows: products are those of one element after the other, in the evaluator and on machine code; rows
// have no, one, four and more elements.
func TestCompressedRows(t *testing.T) {
	for _, dims := range [][]int{{11}, {11, 1}, {11, 5}, {11, 32}, {11, 0}} {
		checkCompressed[float32, int32](t, dims)
		checkCompressed[float64, int64](t, dims)
	}
}

func checkCompressed[T float32 | float64, I int32 | int64](t *testing.T, dims []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	var data []T
	var columns []I
	starts := []I{0}
	for r := range 600 {
		for range []int{0, 1, 4, 5, 9, 2}[r%6] {
			data, columns = append(data, T(rng.NormFloat64())), append(columns, I(rng.IntN(11)))
		}
		starts = append(starts, I(len(data)))
	}
	n := 1
	if len(dims) > 1 {
		n = dims[1]
	}
	rhs, want := make([]T, 11*n), make([]T, 600*n)
	for k := range rhs {
		rhs[k] = T(rng.NormFloat64())
	}
	for r := range 600 {
		for k := starts[r]; k < starts[r+1]; k++ {
			for m := range n {
				want[r*n+m] += T(data[k] * rhs[int(columns[k])*n+m])
			}
		}
	}
	s, c := literal.Of(starts), literal.Of(columns)
	for _, b := range []xla.Backend{xla.CPU(), xla.Interp()} {
		got, err := multiplyCompressed(t, b, dims, literal.Of(data), s, c, literal.Of(rhs))
		if err != nil {
			t.Fatal(err)
		}
		for k, g := range literal.Values[T](got) {
			if g != want[k] {
				t.Fatalf("x %v: element %d: want %v, got %v", dims, k, want[k], g)
			}
		}
	}
}

// TestCompressedErrors: indices that lead out of arrays, and types that there are no products of.
func TestCompressedErrors(t *testing.T) {
	data, rhs := literal.Of([]float32{1, 2, 3}), literal.New(shape.Make(shape.F32, 11))
	for _, c := range []struct {
		data            literal.Literal
		starts, columns []int32
		want            string
	}{
		{data, []int32{0, 2, 3}, []int32{0, 11, 0}, "operand 2: expects columns of the matrix"},
		{data, []int32{0, 2, 3}, []int32{0, -1, 0}, "operand 2: expects columns of the matrix"},
		{data, []int32{0, 2, 1}, []int32{0, 1, 2}, "operand 1: expects numbers"},
		{data, []int32{0, 2, 4}, []int32{0, 1, 2}, "operand 1: expects numbers"},
		{data, []int32{-1, 2, 3}, []int32{0, 1, 2}, "operand 1: expects numbers"},
		{literal.Of([]int32{1, 2, 3}), []int32{0, 2, 3}, []int32{0, 1, 2}, "of f32 or f64 and s32 or s64, got"},
	} {
		for _, b := range []xla.Backend{xla.CPU(), xla.Interp()} {
			x := rhs
			if c.data.Shape().Type == shape.S32 {
				x = literal.New(shape.Make(shape.S32, 11))
			}
			_, err := multiplyCompressed(t, b, []int{11}, c.data, literal.Of(c.starts), literal.Of(c.columns), x)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want an error with %q, got %v", c.want, err)
			}
		}
	}
}
