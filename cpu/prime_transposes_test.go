package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// TestPrimeTransposes: arrays of prime sizes are transposed in blocks on each tier, by several threads.
func TestPrimeTransposes(t *testing.T) {
	t.Run("copy", func(t *testing.T) { testPrimeTransposes(t, "copy(z)") })
	t.Run("add", func(t *testing.T) { testPrimeTransposes(t, "add(y, z)") })
}

func testPrimeTransposes(t *testing.T, root string) {
	pool := exec.NewPool(3)
	defer pool.Close()
	for _, typ := range []string{"u8", "bf16", "f32", "f64"} {
		for _, c := range []struct{ from, to, order, loop string }{
			{"257,263", "263,257", "1,0", "for i2 < "},
			{"1021,31", "31,1021", "1,0", "for i3 < "},
			{"200,135", "135,200", "1,0", "for i2 < "},
			{"3,99,200", "3,200,99", "0,2,1", ""},
			{"5,67,263", "263,67,5", "2,1,0", ""},
			{"67,5,263", "263,67,5", "2,0,1", ""},
		} {
			text := fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  y = %[1]s[%[3]s] parameter(1)
  z = %[1]s[%[3]s] transpose(x), dimensions={%[4]s}
  ROOT r = %[1]s[%[3]s] %[5]s
}
`, typ, c.from, c.to, c.order, root)
			m, err := hlotext.Parse(text, hlotext.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			var args []literal.Literal
			for _, p := range m.Entry().Params() {
				args = append(args, someOf(r, p.Shape()))
			}
			for tier, p := range onTiers(t, m, pool) {
				if nests := p.Plan().Text(true); !strings.Contains(nests, c.loop) {
					t.Errorf("%s, %s: expected blocks, got\n%s", tier, text, nests)
				}
				got, err := p.Run(t.Context(), args, nil)
				if err != nil {
					t.Fatal(err)
				}
				agree(t, m, args, got)
			}
		}
	}
}
