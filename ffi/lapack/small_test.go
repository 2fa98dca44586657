package lapack_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestSmall: of many small problems each is solved as it is alone, to the bit.
func TestSmall(t *testing.T) {
	for _, elem := range []shape.ElementType{shape.F32, shape.F64, shape.BF16} {
		for _, n := range []int{1, 2, 3, 8, 12, 13} {
			a := singular(random(elem, 3, 70, n, n), n)
			pivots, info := shape.Make(shape.S32, 70, n), shape.Make(shape.S32, 70)
			likeAlone(t, "getrf", "", []literal.Literal{a}, a.Shape(), pivots, info)
			wide := random(elem, 4, 70, n, 5)
			likeAlone(t, "getrf", "", []literal.Literal{wide}, wide.Shape(), shape.Make(shape.S32, 70, min(n, 5)), info)
			for _, cols := range []int{1, 5, n} {
				m, taus := random(elem, 6, 70, n, cols), shape.Make(elem, 70, min(n, cols))
				likeAlone(t, "geqrf", "", []literal.Literal{m}, m.Shape(), taus)
				if cols <= n {
					likeAlone(t, "orgqr", "", []literal.Literal{m, random(elem, 7, 70, cols)}, m.Shape())
				}
			}
			likeAlone(t, "geqrf", "", []literal.Literal{a}, a.Shape(), shape.Make(elem, 70, n))
			for _, uplo := range []byte("LU") {
				config := fmt.Sprintf("uplo = %d : ui8", uplo)
				likeAlone(t, "potrf", config, []literal.Literal{a}, a.Shape(), info)
				for _, more := range []string{"NNL", "TUL", "CNL", "NNR"} {
					all := fmt.Sprintf("%s, trans_x = %d : ui8, diag = %d : ui8, side = %d : ui8",
						config, more[0], more[1], more[2])
					b := random(elem, 5, 70, n, 3)
					if more[2] == 'R' {
						b = random(elem, 5, 70, 6, n)
					}
					likeAlone(t, "trsm", all, []literal.Literal{a, b}, b.Shape())
				}
			}
		}
	}
}

// singular makes every seventh of x, matrices of n rows and columns, one of zeros, and every third of the others larger
// on the diagonal.
func singular(x literal.Literal, n int) literal.Literal {
	for i := range x.Len() {
		switch at := i % (n * n); {
		case i/(n*n)%7 == 0:
			x.SetFloat(i, 0)
		case at/n == at%n && i/(n*n)%3 == 0:
			x.SetFloat(i, x.FloatAt(i)+float64(n))
		}
	}
	return x
}

// likeAlone checks that a routine gives the same results for a batch and for each of its problems.
func likeAlone(t *testing.T, routine, config string, operands []literal.Literal, results ...shape.Shape) {
	t.Helper()
	target := map[bool]string{true: "lapack_d", false: "lapack_s"}[operands[0].Type() == shape.F64] + routine + "_ffi"
	h := lapack.Handlers()
	got := callOn(t, h, target, config, operands, results...)
	n := operands[0].Dims()[0]
	for b := range n {
		var in []literal.Literal
		for _, x := range operands {
			in = append(in, problemOf(t, x, b))
		}
		var to []shape.Shape
		for _, s := range results {
			to = append(to, shape.Make(s.Type, s.Dims[1:]...))
		}
		bound := boundOn(t, h, target, config, in, to...)
		for k, want := range callOn(t, h, target, config, in, to...) {
			if one := problemOf(t, got[k], b); !bytes.Equal(one.Bytes(), want.Bytes()) {
				t.Fatalf("%s %s of %v: problem %d: result %d: got %v, alone %v", target, config, operands[0].Shape(),
					b, k, one, want)
			}
			if !bytes.Equal(bound[k], want.Bytes()) {
				t.Fatalf("%s %s of %v: problem %d: result %d: other bits in memory", target, config, operands[0].Shape(), b, k)
			}
		}
	}
}

// boundOn are the bytes of the results of a call that was bound, in memory that was not empty.
func boundOn(t *testing.T, h ffi.Registry, target, config string, operands []literal.Literal,
	results ...shape.Shape) (out [][]byte) {
	t.Helper()
	f, _ := h.Lookup(target)
	s := &ffi.Signature{Results: results}
	var err error
	if s.Attributes, err = ffi.ParseAttributes("{" + config + "}"); err != nil {
		t.Fatal(err)
	}
	var in, before [][]byte
	for _, x := range operands {
		s.Operands = append(s.Operands, x.Shape())
		in, before = append(in, x.Bytes()), append(before, bytes.Clone(x.Bytes()))
	}
	for _, r := range results {
		out = append(out, literal.New(r).Bytes())
		copy(out[len(out)-1], bytes.Repeat([]byte{0xff}, len(out[len(out)-1])))
	}
	call, err := f.(ffi.RowMajor).Handler.(ffi.Binder).Bind(s)
	if err == nil {
		err = call.Run(t.Context(), target, in, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	for k, x := range before {
		if !bytes.Equal(in[k], x) {
			t.Errorf("%s of %v: operand %d was changed", target, operands[0].Shape(), k)
		}
	}
	return out
}

// problemOf is number b of the problems of x.
func problemOf(t *testing.T, x literal.Literal, b int) literal.Literal {
	t.Helper()
	all := x.Bytes()
	size := len(all) / x.Dims()[0]
	l, err := literal.FromBytes(shape.Make(x.Type(), x.Dims()[1:]...), bytes.Clone(all[b*size:][:size]))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestSmallResults: results may have other sizes than those that a routine sets, of many small problems, too.
func TestSmallResults(t *testing.T) {
	a := random(shape.F32, 3, 70, 4, 4)
	for _, sizes := range [][2][]int{{{70, 4}, {70}}, {{70, 6}, {70}}, {{70, 2}, {70}}, {{70, 4}, {140}},
		{{70, 4}, {35}}} {
		pivots, info := shape.Make(shape.S32, sizes[0]...), shape.Make(shape.S32, sizes[1]...)
		got := callOn(t, lapack.Handlers(), "lapack_sgetrf_ffi", "", []literal.Literal{a}, a.Shape(), pivots, info)
		first := problemOf(t, a, 0)
		want := callOn(t, lapack.Handlers(), "lapack_sgetrf_ffi", "", []literal.Literal{first}, first.Shape(),
			shape.Make(shape.S32, 4), shape.Make(shape.S32))
		if one := problemOf(t, got[0], 0); !bytes.Equal(one.Bytes(), want[0].Bytes()) {
			t.Errorf("pivots %v, info %v: got %v, want %v", pivots, info, one, want[0])
		}
	}
}
