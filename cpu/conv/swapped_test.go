package conv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestSwapped: gradients of weights whose runs of the depth are whole tiles have the kernel as A, if there are tiles
// and sums are long.
func TestSwapped(t *testing.T) {
	const rows = "f01b_i01o->01bf"
	for _, test := range []struct {
		name                     string
		batch, height, width     int
		features, out            int
		labels, dilate, reversal string
		machine                  *gemm.Config // nil: tiles
		swapped, widening        bool
	}{
		{name: "gradient", batch: 8, height: 12, width: 12, features: 32, out: 32, swapped: true},
		{name: "one image", batch: 1, height: 64, width: 64, features: 32, out: 32, widening: true},
		{name: "no whole tiles", batch: 8, height: 12, width: 11, features: 32, out: 32},
		{name: "odd batch", batch: 7, height: 32, width: 32, features: 32, out: 32, widening: true},
		{name: "strided", batch: 8, height: 12, width: 12, features: 32, out: 32, dilate: " rhs_dilate=2x2"},
		{name: "reversed", batch: 8, height: 12, width: 12, features: 32, out: 32, reversal: " rhs_reversal=1x1"},
		{name: "short sums", batch: 8, height: 12, width: 12, features: 32, out: 64},
		{name: "few rows", batch: 8, height: 12, width: 12, features: 32, out: 12},
		{name: "no tiles", batch: 8, height: 12, width: 12, features: 32, out: 32, machine: &gemm.Config{}, widening: true},
		{name: "pairs", batch: 8, height: 12, width: 12, features: 32, out: 32, machine: &pairs},
	} {
		padded := [2]int{test.height, test.width}
		if test.dilate != "" {
			padded = [2]int{2*test.height - 1, 2*test.width - 1}
		}
		machine := tiles
		if test.machine != nil {
			machine = *test.machine
		}
		m := canonicalWith(t, machine,
			fmt.Sprintf("bf16[%d,%d,%d,%d]", test.batch, padded[0], padded[1], test.features),
			fmt.Sprintf("bf16[%d,%d,%d,%d]", test.batch, test.height, test.width, test.out),
			fmt.Sprintf("bf16[3,3,%d,%d]", test.features, test.out),
			fmt.Sprintf("window={size=%dx%d pad=1_1x1_1%s%s}, dim_labels=%s", test.height, test.width, test.dilate,
				test.reversal, rows))
		text := hlotext.String(m, hlotext.Default())
		if got := strings.Contains(text, "->f01b"); got != test.swapped {
			t.Errorf("%s: swapped %v in\n%s", test.name, got, text)
		}
		i := only(t, m)
		if Planar(i, 0) != test.swapped {
			t.Errorf("%s: the kernel is A: %v in\n%s", test.name, Planar(i, 0), text)
		}
		specs, _ := Products(i, 0, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape()))
		if len(specs) != 1 || test.swapped && (specs[0].M() != test.out || specs[0].N() != 9*test.features) {
			t.Errorf("%s: got the products %v", test.name, specs)
		}
		if machine.TileBF16 {
			if again, err := Swap(m); again || err != nil {
				t.Errorf("%s: swapped a second time: %v, %v", test.name, again, err)
			}
		}
		if again, err := Canonical(m, machine); again || err != nil {
			t.Errorf("%s: a second time: changed %v, %v", test.name, again, err)
		}
		if got := strings.Contains(text, "convert("); got != test.widening {
			t.Errorf("%s: widened %v in\n%s", test.name, got, text)
		}
	}
}
