package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestSumRowProducts: which products become sums of products of elements, and that they keep what is known of them.
func TestSumRowProducts(t *testing.T) {
	const last = "lhs_batch_dims={0}, lhs_contracting_dims={%d}, rhs_batch_dims={0}, rhs_contracting_dims={%d}"
	avx2 := gemm.Config{Tier: exec.AVX2}
	for _, test := range []struct {
		typ, a, b, result, attrs string
		machine                  gemm.Config
		changes                  bool
	}{
		{"f32", "50,12,12", "50,12", "50,12", fmt.Sprintf(last, 2, 1), avx2, true},
		{"f64", "50,12", "50,3,12", "50,3", fmt.Sprintf(last, 1, 2), avx2, true},
		{"s32", "50,12,12", "50,12", "50,12", fmt.Sprintf(last, 2, 1), avx2, true},
		{"u32", "50,20", "50,20", "50", fmt.Sprintf(last, 1, 1), avx2, true},
		{"f32", "50,64", "50,64", "50", fmt.Sprintf(last, 1, 1), avx2, true},
		{"f32", "5,6,4,3,32", "5,6,32", "5,6,4,3", "lhs_batch_dims={0,1}, lhs_contracting_dims={4}, " +
			"rhs_batch_dims={0,1}, rhs_contracting_dims={2}", avx2, true},
		{"f32", "50,12,12", "50,12", "50,12", fmt.Sprintf(last, 1, 1), avx2, false},     // not along neighbours
		{"f32", "50,12,12", "50,3,12", "50,12,3", fmt.Sprintf(last, 2, 2), avx2, false}, // two matrices
		{"f32", "50,12,4", "50,4", "50,12", fmt.Sprintf(last, 2, 1), avx2, false},
		{"f32", "50,12,129", "50,129", "50,12", fmt.Sprintf(last, 2, 1), avx2, false},
		{"bf16", "50,12,12", "50,12", "50,12", fmt.Sprintf(last, 2, 1), avx2, false},
		{"f32", "12,12", "12", "12", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", avx2, false},
		{"f32", "50,12,12", "50,12", "50,12", fmt.Sprintf(last, 2, 1), gemm.Config{}, false},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  y = %[1]s[%[3]s] parameter(1)
  ROOT z = %[1]s[%[4]s] dot(x, y), %[5]s, metadata={op_name="kept"}
}
`, test.typ, test.a, test.b, test.result, test.attrs), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if changed := plan.SumRowProducts(m, test.machine); changed != test.changes {
			t.Errorf("%+v: changed: %v", test, changed)
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatal(err)
		}
		text := hlotext.String(m, hlotext.Default())
		if strings.Contains(text, " reduce(") != test.changes || !strings.Contains(text, `op_name="kept"`) {
			t.Errorf("%+v: got\n%s", test, text)
		}
	}
}
