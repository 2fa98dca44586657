package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestColumnsWhole: rows of columns that do not end with lines are not cut within these where they are short and there
// are blocks for all threads: neither where columns are brought between 0 and 1, nor where the largest of what is
// stored is found.
func TestColumnsWhole(t *testing.T) {
	const head = `HloModule m
low {
  a = f64[] parameter(0)
  b = f64[] parameter(1)
  ROOT m = f64[] minimum(a, b)
}
high {
  a = f64[] parameter(0)
  b = f64[] parameter(1)
  ROOT m = f64[] maximum(a, b)
}
`
	const scaled = `ENTRY e {
  x = f64[2,4,20,300] parameter(0)
  most = f64[] constant(inf)
  least = f64[] constant(-inf)
  l = f64[2,300] reduce(x, most), dimensions={1,2}, to_apply=low
  h = f64[2,300] reduce(x, least), dimensions={1,2}, to_apply=high
  range = f64[2,300] subtract(h, l)
  lb = f64[2,4,20,300] broadcast(l), dimensions={0,3}
  d = f64[2,4,20,300] subtract(x, lb)
  rb = f64[2,4,20,300] broadcast(range), dimensions={0,3}
  ROOT r = f64[2,4,20,300] divide(d, rb)
}
`
	const stored = `ENTRY e {
  x = f64[2,4,20,300] parameter(0)
  least = f64[] constant(-inf)
  e = f64[2,4,20,300] multiply(x, x)
  s = f64[2,300] reduce(e, least), dimensions={1,2}, to_apply=high
  ROOT r = (f64[2,4,20,300], f64[2,300]) tuple(e, s)
}
`
	whole := func(tier string, p *cpu.Program) {
		if text := p.Plan().Text(true); !strings.Contains(text, "buffer sums") || strings.Contains(text, "< 150") {
			t.Errorf("%s: expected sums in memory of rows that are not cut:\n%s", tier, text)
		}
	}
	onTwoThreads(t, head+scaled, 0, whole)
	m, err := hlotext.Parse(head+stored, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(2)
	defer pool.Close()
	for tier, p := range onTiers(t, m, pool) {
		whole(tier, p)
	}
}
