package lapack_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// fewText is a module that factors one small matrix; its element type and sizes are to be filled in.
const fewText = `HloModule m

ENTRY e {
  x = %[1]s[%[2]d,%[3]d] parameter(0)
  lu = (%[1]s[%[2]d,%[3]d]{0,1}, s32[%[4]d]{0}, s32[]) custom-call(x), custom_call_target="lapack_%[5]sgetrf_ffi", ` +
	`operand_layout_constraints={%[1]s[%[2]d,%[3]d]{0,1}}, api_version=API_VERSION_TYPED_FFI
  qr = (%[1]s[%[2]d,%[3]d]{0,1}, %[1]s[%[4]d]{0}) custom-call(x), custom_call_target="lapack_%[5]sgeqrf_ffi", ` +
	`operand_layout_constraints={%[1]s[%[2]d,%[3]d]{0,1}}, api_version=API_VERSION_TYPED_FFI
  l = %[1]s[%[2]d,%[3]d]{0,1} get-tuple-element(lu), index=0
  p = s32[%[4]d]{0} get-tuple-element(lu), index=1
  i = s32[] get-tuple-element(lu), index=2
  q = %[1]s[%[2]d,%[3]d]{0,1} get-tuple-element(qr), index=0
  t = %[1]s[%[4]d]{0} get-tuple-element(qr), index=1
  ROOT r = (%[1]s[%[2]d,%[3]d], s32[%[4]d], s32[], %[1]s[%[2]d,%[3]d], %[1]s[%[4]d]) tuple(l, p, i, q, t)
}
`

// TestFewOnMachine: a small matrix is factored in the same order on machine code as in the evaluator, to the bit.
func TestFewOnMachine(t *testing.T) {
	for _, elem := range []shape.ElementType{shape.F32, shape.F64} {
		for _, size := range [][2]int{{1, 1}, {3, 5}, {7, 9}, {9, 7}, {12, 12}, {12, 4}} {
			letter := map[shape.ElementType]string{shape.F32: "s", shape.F64: "d"}[elem]
			text := fmt.Sprintf(fewText, elem, size[0], size[1], min(size[0], size[1]), letter)
			p, err := xla.Parse("few.hlo", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			x := random(elem, 1, size[0], size[1])
			want, err := runOn(t, xla.Interp(), p, x)
			if err != nil {
				t.Fatal(err)
			}
			out, err := runOn(t, xla.CPU(), p, x)
			if err != nil {
				t.Fatal(err)
			}
			for k, got := range out {
				if !bytes.Equal(got.Bytes(), want[k].Bytes()) {
					t.Errorf("%v%v: result %d: got %v, want %v", elem, size, k, got, want[k])
				}
			}
		}
	}
}

// runOn runs p on a backend.
func runOn(t *testing.T, b xla.Backend, p *xla.Program, args ...literal.Literal) ([]literal.Literal, error) {
	t.Helper()
	client, err := xla.NewClient(xla.Options{Backend: b})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	exe, err := client.Compile(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return exe.Run(t.Context(), args...)
}
