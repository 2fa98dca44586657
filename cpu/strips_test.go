package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestStrips: what reductions read of columns is turned in memory of the worker's own.
func TestStrips(t *testing.T) {
	for _, c := range []struct{ typ, batch string }{
		{"f32", ""}, {"f32", "3,"}, {"bf16", ""}, {"f64", "2,"}, {"s32", ""},
	} {
		for _, size := range []struct{ rows, columns int }{{256, 128}, {203, 96}} {
			for _, root := range []string{"r", "d"} {
				order, kept, last := "1,0", "0", "1"
				if c.batch != "" {
					order, kept, last = "0,2,1", "0,1", "2"
				}
				text := fmt.Sprintf(`HloModule m
max {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] maximum(a, b)
}
ENTRY e {
  x = %[1]s[%[2]s%[3]d,%[4]d] parameter(0)
  y = %[1]s[%[2]s%[4]d,%[3]d] parameter(1)
  zero = %[1]s[] constant(0)
  t = %[1]s[%[2]s%[4]d,%[3]d] transpose(x), dimensions={%[5]s}
  p = %[1]s[%[2]s%[4]d,%[3]d] maximum(t, y)
  %[9]s = %[1]s[%[2]s%[4]d] reduce(p, zero), dimensions={%[7]s}, to_apply=max
  w = %[1]s[%[2]s%[4]d,%[3]d] broadcast(r), dimensions={%[6]s}
  %[8]s = %[1]s[%[2]s%[4]d,%[3]d] subtract(p, w)
}
`, c.typ, c.batch, size.rows, size.columns, order, kept, last,
					strings.Replace("d", root, "ROOT "+root, 1), strings.Replace("r", root, "ROOT "+root, 1))
				onPools(t, text, 0, func(tier string, p *cpu.Program) {
					strips := strings.Contains(p.Plan().Text(true), "buffer turned")
					if strips != (tier != "portable") {
						t.Errorf("%s, %s: columns are turned: %v\n%s", tier, text, strips, p.Plan().Text(true))
					}
				})
			}
		}
	}
}
