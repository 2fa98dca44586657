package conv

import (
	"strings"
	"testing"

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
		if changed, err := Canonical(m, false); err != nil || !changed {
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
