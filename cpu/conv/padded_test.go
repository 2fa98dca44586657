package conv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestPaddedWidens: an input of half floats is widened as it is padded, and a kernel with it, but one of f64 keeps its
// digits.
func TestPaddedWidens(t *testing.T) {
	for _, test := range []struct {
		x, k, result string
		kernel       bool // is widened
	}{
		{"bf16", "bf16", "f64", true},
		{"f16", "f16", "f64", true},
		{"bf16", "f64", "f64", false},
		{"f16", "f64", "f64", false},
	} {
		m, err := hlotext.Parse("HloModule m\nENTRY e {\n  x = "+test.x+"[2,16,16,8] parameter(0)\n  k = "+test.k+
			"[3,3,8,3] parameter(1)\n  ROOT c = "+test.result+"[2,16,16,3] convolution(x, k), window={size=3x3 pad=1_1x1_1},"+
			" dim_labels=b01f_01io->b01f\n}\n", hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := Canonical(m, gemm.Config{}); err != nil || !changed {
			t.Fatalf("%+v: changed %v, %v", test, changed, err)
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatal(err)
		}
		text := hlotext.String(m, hlotext.Default())
		if !strings.Contains(text, "f32[2,16,16,8]{3,2,1,0} convert(%x)") {
			t.Errorf("%+v: expected an input of f32 in\n%s", test, text)
		}
		if got := strings.Contains(text, "convert(%k)"); got != test.kernel {
			t.Errorf("%+v: widens the kernel: %v in\n%s", test, got, text)
		}
	}
}

// TestPaddedShortRows: groups of two features are padded where rows are short, or many places reach beyond the input.
func TestPaddedShortRows(t *testing.T) {
	for _, test := range []struct {
		height, width, in int
		padded            bool
	}{
		{28, 28, 2, true},
		{28, 32, 2, true},
		{56, 56, 2, false},
		{8, 56, 2, true},
		{28, 28, 4, true},
		{56, 56, 4, true},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
ENTRY e {
  x = f32[2,%[1]d,%[2]d,64] parameter(0)
  k = f32[3,3,%[3]d,64] parameter(1)
  ROOT c = f32[2,%[1]d,%[2]d,64] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f,
    feature_group_count=%[4]d
}
`, test.height, test.width, test.in, 64/test.in), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := Canonical(m, gemm.Config{}); err != nil || changed != test.padded {
			t.Errorf("%+v: changed %v, %v", test, changed, err)
		}
		if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}
