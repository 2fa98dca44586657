package conv

import (
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
)

// TestPatches: neither input nor kernel is transposed where windows do not overlap and rows of them are runs.
func TestPatches(t *testing.T) {
	const x, k, y = "f32[2,3,64,64]", "f32[32,3,8,8]", "f32[2,32,8,8]"
	const window, labels = "window={size=8x8 stride=8x8}", ", dim_labels=bf01_oi01->bf01"
	for _, test := range []struct {
		name, x, k, y, attrs string
		patched              bool
	}{
		{"patches", x, k, y, window + labels, true},
		{"apart", x, k, "f32[2,32,7,7]", "window={size=8x8 stride=9x9}" + labels, true},
		{"overlap", x, k, "f32[2,32,9,9]", "window={size=8x8 stride=7x7}" + labels, false},
		{"padded", x, k, "f32[2,32,9,9]", "window={size=8x8 stride=8x8 pad=4_4x4_4}" + labels, false},
		{"reversed", x, k, y, "window={size=8x8 stride=8x8 rhs_reversal=1x1}" + labels, false},
		{"short rows", x, "f32[32,3,3,3]", "f32[2,32,21,21]", "window={size=3x3 stride=3x3}" + labels, false},
		{"features first", x, "f32[3,32,8,8]", y, window + ", dim_labels=bf01_io01->bf01", false},
		{"half floats", "f16[2,3,64,64]", "f16[32,3,8,8]", "f16[2,32,8,8]", window + labels, false},
	} {
		m := canonical(t, test.x, test.k, test.y, test.attrs)
		text := hlotext.String(m, hlotext.Default())
		if got := !strings.Contains(text, "transpose(%x)") && !strings.Contains(text, "transpose(%k)"); got != test.patched {
			t.Errorf("%s: read as they are: %t\n%s", test.name, got, text)
		}
		i := only(t, m)
		if specs, _ := Products(i, 0, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape())); len(specs) != 1 {
			t.Errorf("%s: expected a product, got %d", test.name, len(specs))
		}
	}
}
