package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestLaidRows: short rows that meet many others are laid out in front of them, on every tier and with several
// threads: the values, and that nothing is gathered.
func TestLaidRows(t *testing.T) {
	for _, test := range []struct {
		name, body string
		types      string
		laid       int
	}{
		{"added", "r = %T[C] parameter(1)\n b = %T[R,C] broadcast(r), dimensions={1}\n ROOT y = %T[R,C] add(x, b)",
			"u8 s8 u16 f16 bf16", 1},
		{"two", "r = %T[C] parameter(1)\n b = %T[R,C] broadcast(r), dimensions={1}\n s = %T[C] parameter(2)\n" +
			" c = %T[R,C] broadcast(s), dimensions={1}\n m = %T[R,C] multiply(x, b)\n ROOT y = %T[R,C] add(m, c)", "u8 bf16", 2},
		{"turned", "r = %T[C] parameter(1)\n v = %T[C] reverse(r), dimensions={0}\n" +
			" b = %T[R,C] broadcast(v), dimensions={1}\n ROOT y = %T[R,C] add(x, b)", "s8 s16", 1},
		{"only spread", "r = %T[C] parameter(1)\n b = %T[R,C] broadcast(r), dimensions={1}\n ROOT y = %T[R,C] negate(b)",
			"s8", 1},
		{"columns", "r = %T[R] parameter(1)\n b = %T[R,C] broadcast(r), dimensions={0}\n ROOT y = %T[R,C] add(x, b)",
			"u8 f32", 0},
		{"words", "r = %T[C] parameter(1)\n b = %T[R,C] broadcast(r), dimensions={1}\n ROOT y = %T[R,C] add(x, b)", "f32", 0},
	} {
		for _, ty := range strings.Fields(test.types) {
			for _, dims := range [][2]int{{9001, 3}, {6400, 4}, {5000, 7}} {
				text := fmt.Sprintf("HloModule m\nENTRY e {\n x = %%T[R,C] parameter(0)\n %s\n}\n", test.body)
				text = strings.NewReplacer("%T", ty, "[R", "["+fmt.Sprint(dims[0]), "C]", fmt.Sprint(dims[1])+"]").Replace(text)
				t.Run(fmt.Sprintf("%s_%s_%d", test.name, ty, dims[1]), func(t *testing.T) {
					expectLaid(t, text, test.laid)
				})
			}
		}
	}
}

// TestLaidLongRows: rows that fill a part of a line go side by side where they meet one row, and stay as they are where
// they meet others.
func TestLaidLongRows(t *testing.T) {
	for _, test := range []struct {
		name, shape, row, dims, body string
		laid                         int
	}{
		{"row", "u8[1200,37]", "u8[37]", "1", "add(x, b)", 1},
		{"shorts", "s16[1200,31]", "s16[31]", "1", "add(x, b)", 1},
		{"a line", "u8[1200,64]", "u8[64]", "1", "add(x, b)", 0},
		{"columns", "u8[1200,37]", "u8[1200]", "0", "add(x, b)", 0},
		{"rows of blocks", "u8[30,40,37]", "u8[30,37]", "0,2", "add(x, b)", 0},
		{"few", "u8[300,37]", "u8[37]", "1", "add(x, b)", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := fmt.Sprintf("HloModule m\nENTRY e {\n x = %s parameter(0)\n r = %s parameter(1)\n"+
				" b = %s broadcast(r), dimensions={%s}\n ROOT y = %s %s\n}\n",
				test.shape, test.row, test.shape, test.dims, test.shape, test.body)
			expectLaid(t, text, test.laid)
		})
	}
}

// expectLaid checks how many rows a program lays out, but on the portable tier, and its results on every tier.
func expectLaid(t *testing.T, text string, laid int) {
	t.Helper()
	onTwoThreads(t, text, 0, func(tier string, p *cpu.Program) {
		nests := p.Plan().Text(true)
		if n := strings.Count(nests, " laid[") / 2; n != laid && tier != "portable" {
			t.Errorf("%s: expected %d rows that are laid out, got %d in\n%s", tier, laid, n, nests)
		}
	})
}
