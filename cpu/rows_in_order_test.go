package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestRowsInOrder: transposes that keep rows whole go through them as they are read, on each tier, by two threads.
func TestRowsInOrder(t *testing.T) {
	for _, c := range []struct{ typ, from, to, order, root, loops string }{
		{"f32", "3,128,12,64", "3,12,128,64", "0,2,1,3", "negate(y)", "i0 < 3 { i2 < 128 { i1 < 12"},
		{"bf16", "384,12,128", "12,384,128", "1,0,2", "add(y, z)", "i1 < 384 { i0 < 12"},
		{"f64", "140,3,5,64", "3,5,140,64", "1,2,0,3", "copy(y)", "i2 < 140 { i1 < 15"},
		{"f32", "3,12,128,64", "3,128,12,64", "0,2,1,3", "negate(y)", "i0 < 3 { i1 < 128 { i2 < 12"}, // as before
	} {
		text := fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  z = %[1]s[%[3]s] parameter(1)
  y = %[1]s[%[3]s] transpose(x), dimensions={%[4]s}
  ROOT r = %[1]s[%[3]s] %[5]s
}
`, c.typ, c.from, c.to, c.order, c.root)
		eps := 1e-6
		if c.typ == "bf16" {
			eps = 1.0 / 128
		}
		onTwoThreads(t, text, eps, func(tier string, p *cpu.Program) {
			if nests := p.Plan().Text(true); !strings.Contains(loopsOf(nests), c.loops) {
				t.Errorf("%s, %s: expected %s, got\n%s", tier, text, c.loops, nests)
			}
		})
	}
}

// loopsOf returns the parallel loops of a printed nest in one line.
func loopsOf(nests string) string {
	var loops []string
	for line := range strings.Lines(nests) {
		if of, ok := strings.CutPrefix(strings.TrimSpace(line), "parallel for "); ok {
			loops = append(loops, strings.TrimSuffix(of, " {"))
		}
	}
	return strings.Join(loops, " { ")
}
