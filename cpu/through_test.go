package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestTransposesThrough: transposes whose rows share sets of the first cache go through memory of the worker's own
// where vectors are parts of lines, with what is computed of them.
func TestTransposesThrough(t *testing.T) {
	for _, root := range []string{"copy(z)", "add(y, z)", "add(z, w)"} {
		for _, c := range []struct{ typ, from, to, order string }{
			{"u8", "4096,128", "128,4096", "1,0"},
			{"bf16", "2,2048,96", "2,96,2048", "0,2,1"},
			{"f32", "1024,72", "72,1024", "1,0"},
			{"f32", "1024,37", "37,1024", "1,0"},
			{"f32", "100,1024", "1024,100", "1,0"},
			{"s32", "1024,5,40", "40,5,1024", "2,1,0"},
			{"f64", "3,512,20", "3,20,512", "0,2,1"},
			{"c64", "512,131", "131,512", "1,0"},
		} {
			text := fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  y = %[1]s[%[3]s] parameter(1)
  z = %[1]s[%[3]s] transpose(x), dimensions={%[4]s}
  n = %[1]s[%[2]s] parameter(2)
  w = %[1]s[%[3]s] transpose(n), dimensions={%[4]s}
  ROOT r = %[1]s[%[3]s] %[5]s
}
`, c.typ, c.from, c.to, c.order, root)
			onPools(t, text, 0, func(tier string, p *cpu.Program) {
				through := strings.Contains(p.Plan().Text(true), "buffer turned")
				if c.typ != "c64" && tier != "avx512" && through != (tier == "avx2") { // a tier above the processor's is its own
					t.Errorf("%s, %s: through memory of the worker's own: %v\n%s", tier, text, through, p.Plan().Text(true))
				}
			})
		}
	}
}
