package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestSumsOfBytes: sums and the like of rows of a few bytes, in wider integers of which a byte is stored, on every
// tier: the values, and that the rows are written out if nothing but bytes counts.
func TestSumsOfBytes(t *testing.T) {
	const packed = "z = u8[] constant(0)\n zs = u8[%n,8] broadcast(z), dimensions={}\n" +
		"p = pred[%n,8] compare(x, zs), direction=NE\n b = u8[%n,8] convert(p)\n" +
		"by = u8[8] constant({7, 6, 5, 4, 3, 2, 1, 0})\n bys = u8[%n,8] broadcast(by), dimensions={1}\n" +
		"s = u8[%n,8] shift-left(b, bys)\n w = %W[%n,8] convert(s)\n"
	const sum = "c = %W[] constant(3)\n t = %W[%n] reduce(w, c), dimensions={1}, to_apply=sum\n"
	for _, test := range []struct {
		name, body string
		loops      bool // there is a loop over the row
	}{
		{"packed", packed + sum + "ROOT r = u8[%n] convert(t)", false},
		{"scaled", packed + "f = %W[8] constant({1, 2, 3, 4, 5, 60, 7, 800})\n fs = %W[%n,8] broadcast(f), dimensions={1}\n" +
			"m = %W[%n,8] multiply(w, fs)\n c = %W[] constant(0)\n t = %W[%n] reduce(m, c), dimensions={1}, to_apply=sum\n" +
			"ROOT r = s8[%n] convert(t)", true},
		{"signed", "y = s8[%n,8] bitcast-convert(x)\n w = %W[%n,8] convert(y)\n" + sum + "ROOT r = u8[%n] convert(t)", false},
		{"largest", packed + "c = %W[] constant(3)\n t = %W[%n] reduce(w, c), dimensions={1}, to_apply=most\n" +
			"ROOT r = u8[%n] convert(t)", true},
		{"halved", packed + sum + "h = %W[] constant(1)\n hs = %W[%n] broadcast(h), dimensions={}\n" +
			"d = %W[%n] shift-right-logical(t, hs)\n ROOT r = u8[%n] convert(d)", true},
	} {
		for _, n := range []int{1, 15, 64, 77, 1003} {
			for _, wide := range []string{"u32", "s32", "s16", "u64"} {
				t.Run(fmt.Sprintf("%s_%s_%d", test.name, wide, n), func(t *testing.T) {
					const text = "HloModule m\nsum {\n a = %W[] parameter(0)\n b = %W[] parameter(1)\n ROOT s = %W[] add(a, b)\n}\n" +
						"most {\n a = %W[] parameter(0)\n b = %W[] parameter(1)\n ROOT s = %W[] maximum(a, b)\n}\n" +
						"ENTRY e {\n x = u8[%n,8] parameter(0)\n "
					all := strings.NewReplacer("%W", wide, "%n", fmt.Sprint(n)).Replace(text + test.body + "\n}\n")
					onTwoThreads(t, all, 0, func(tier string, p *cpu.Program) {
						loops := strings.Contains(p.Plan().Text(true), " < 8 {")
						if tier != "portable" && wide == "u32" && n == 1003 && loops != test.loops {
							t.Errorf("%s: a loop over rows: %v\n%s", tier, loops, p.Plan().Text(true))
						}
					})
				})
			}
		}
	}
}
