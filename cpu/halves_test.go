package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestHalves: halves of which little is computed are computed where they are joined, or both at once, on each tier.
func TestHalves(t *testing.T) {
	const head = `HloModule m
ENTRY e {
  x = f32[37,80] parameter(0)
  c = f32[37,40] parameter(1)
  s = f32[37,80] parameter(2)
  a = f32[37,40] slice(x), slice={[0:37], [40:80]}
  b = f32[37,40] slice(x), slice={[0:37], [0:40]}
`
	for _, c := range []struct {
		name, text string
		kernels    int
	}{
		{"sign of a half", `
  n = f32[37,40] negate(a)
  j = f32[37,80] concatenate(n, b), dimensions={1}
  p = f32[37,80] multiply(j, s)
  ROOT r = f32[37,80] add(p, x)`, 1},
		{"a half that takes long", `
  n = f32[37,40] tanh(a)
  j = f32[37,80] concatenate(n, b), dimensions={1}
  ROOT r = f32[37,80] multiply(j, s)`, 3},
		{"read in another order", `
  n = f32[37,40] negate(a)
  j = f32[37,80] concatenate(n, b), dimensions={1}
  ROOT r = f32[80,37] transpose(j), dimensions={1,0}`, 3},
		{"both halves of both", `
  m = f32[37,40] multiply(a, c)
  n = f32[37,40] multiply(b, c)
  p = f32[37,40] subtract(m, b)
  q = f32[37,40] add(n, a)
  ROOT r = f32[37,80] concatenate(p, q), dimensions={1}`, 1},
		{"halves of others", `
  p = f32[37,40] negate(a)
  q = f32[37,40] negate(c)
  ROOT r = f32[37,80] concatenate(p, q), dimensions={1}`, 2},
		{"halves that are only moved", `
  ROOT r = f32[37,80] concatenate(a, b), dimensions={1}`, 2},
		{"parts of two sizes", `
  l = f32[37,41] slice(x), slice={[0:37], [39:80]}
  p = f32[37,41] negate(l)
  q = f32[37,40] negate(b)
  ROOT r = f32[37,81] concatenate(p, q), dimensions={1}`, 2},
	} {
		onTwoThreads(t, head+strings.TrimPrefix(c.text, "\n")+"\n}\n", 1e-6, func(tier string, p *cpu.Program) {
			if plan := p.Plan().Text(false); strings.Count(plan, "\n  kernel ") != c.kernels {
				t.Errorf("%s, %s: expected %d kernels, got\n%s", c.name, tier, c.kernels, plan)
			}
		})
	}
}
