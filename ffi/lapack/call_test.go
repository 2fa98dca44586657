package lapack_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/lapack"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestBind: calls that were prepared give the same bits as those with literals, again and again, also where memory is
// not aligned.
func TestBind(t *testing.T) {
	for _, c := range []struct {
		name, config, results string // as in benchCases
		elem                  shape.ElementType
	}{
		{"lapack_sgetrf_ffi", "", "fis", shape.F32},
		{"lapack_dgetrf_ffi", "", "fis", shape.F64},
		{"lapack_zgetrf_ffi", "", "fis", shape.C128},
		{"lapack_cgeqrf_ffi", "", "fv", shape.C64},
		{"lapack_dpotrf_ffi", "uplo = 76 : ui8", "fs", shape.F64},
		{"lapack_ssyevd_ffi", "uplo = 76 : ui8", "fvs", shape.F32},
	} {
		for _, dims := range [][]int{{1, 1}, {5, 5}, {40, 40}, {3, 4, 4}, {0, 0}} {
			h, _ := lapack.Handlers().Lookup(c.name)
			x := random(c.elem, 1, dims...)
			results := invokeOn(t, lapack.Handlers(), c.name, c.config, c.results, x)
			s := &ffi.Signature{Operands: []shape.Shape{x.Shape()}}
			var err error
			if s.Attributes, err = ffi.ParseAttributes("{" + c.config + "}"); err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				s.Results = append(s.Results, r.Shape())
			}
			call, err := h.(ffi.RowMajor).Handler.(ffi.Binder).Bind(s)
			if err != nil {
				t.Fatal(err)
			}
			for skip := range 2 {
				in := [][]byte{append(make([]byte, skip, skip+len(x.Bytes())), x.Bytes()...)[skip:]}
				var out [][]byte
				for _, r := range results {
					out = append(out, bytes.Repeat([]byte{0xff}, skip+len(r.Bytes()))[skip:])
				}
				if err := call.Run(t.Context(), c.name, in, out); err != nil {
					t.Fatal(err)
				}
				for k, r := range results {
					if !bytes.Equal(out[k], r.Bytes()) {
						t.Errorf("%s of %v, %d bytes from where numbers begin: other bits in result %d", c.name, dims, skip, k)
					}
				}
				if !bytes.Equal(in[0], x.Bytes()) {
					t.Errorf("%s of %v: the operand was changed", c.name, dims)
				}
			}
			if err := call.Run(t.Context(), c.name, nil, nil); err == nil || !strings.Contains(err.Error(), "sizes") {
				t.Errorf("%s without memory: %v", c.name, err)
			}
		}
	}
}

// TestBindMore: results that are larger than they have to be, or more of them, are zero where nothing is computed.
func TestBindMore(t *testing.T) {
	h, _ := lapack.Handlers().Lookup("lapack_dgeqrf_ffi")
	x, vector := random(shape.F64, 1, 5, 3), func(n int) shape.Shape { return shape.Make(shape.F64, n) }
	for name, results := range map[string][]shape.Shape{
		"more rows":    {shape.Make(shape.F64, 6, 3), vector(3)},
		"more factors": {x.Shape(), vector(4)},
		"workspace":    {x.Shape(), vector(3), vector(9)},
	} {
		s := &ffi.Signature{Operands: []shape.Shape{x.Shape()}, Results: results}
		call, err := h.(ffi.RowMajor).Handler.(ffi.Binder).Bind(s)
		if err != nil {
			t.Fatal(err)
		}
		c := &ffi.Call{Operands: []literal.Literal{x}, Shape: shape.MakeTuple(results...)}
		var out [][]byte
		for _, r := range results {
			c.Results = append(c.Results, literal.New(r))
			out = append(out, bytes.Repeat([]byte{0xff}, 8*r.Size()))
		}
		if err := ffi.Invoke(t.Context(), h, c); err != nil {
			t.Fatal(err)
		}
		if err := call.Run(t.Context(), name, [][]byte{x.Bytes()}, out); err != nil {
			t.Fatal(err)
		}
		for k, r := range c.Results {
			if !bytes.Equal(out[k], r.Bytes()) {
				t.Errorf("%s: other bits in result %d", name, k)
			}
		}
	}
}

// invokeOn calls a routine with one operand; the results are as in benchCases.
func invokeOn(t *testing.T, from ffi.Registry, target, config, results string, x literal.Literal) []literal.Literal {
	t.Helper()
	h, _ := from.Lookup(target)
	attributes, err := ffi.ParseAttributes("{" + config + "}")
	if err != nil {
		t.Fatal(err)
	}
	c := callOf(target, attributes, results, x)
	if err := ffi.Invoke(t.Context(), h, c); err != nil {
		t.Fatal(err)
	}
	return c.Results
}
