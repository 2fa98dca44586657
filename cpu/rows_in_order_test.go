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

// TestRowsInOrder: transposes that keep rows whole go through them as they are read, on each tier, by several threads.
func TestRowsInOrder(t *testing.T) {
	pool := exec.NewPool(3)
	defer pool.Close()
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
			if nests := p.Plan().Text(true); !strings.Contains(loopsOf(nests), c.loops) {
				t.Errorf("%s, %s: expected %s, got\n%s", tier, text, c.loops, nests)
			}
			got, err := p.Run(t.Context(), args, nil)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, m, args, got)
		}
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
