package cpu_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestSumsOfRuns: sums over several dimensions that are neighbours go along these, be the last one short, and not along
// what is kept.
func TestSumsOfRuns(t *testing.T) {
	const sum = `HloModule m
add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  zero = %[1]s[] constant(0)
`
	const kept = `  ROOT r = %[1]s[65] reduce(x, zero), dimensions={1,2}, to_apply=add
}
`
	const scaled = `  c = %[1]s[3] parameter(1)
  b = %[1]s[%[2]s] broadcast(c), dimensions={2}
  y = %[1]s[%[2]s] multiply(x, b)
  r = %[1]s[65] reduce(y, zero), dimensions={1,2}, to_apply=add
  s = %[1]s[%[2]s] broadcast(r), dimensions={0}
  ROOT z = %[1]s[%[2]s] subtract(y, s)
}
`
	lanes := regexp.MustCompile(`lanes i\d+ < (\d+) {`)
	for _, c := range []struct{ typ, dims, rest, lanes string }{
		{"f32", "65,13,3", kept, "39"}, {"f64", "65,5,2", kept, "10"}, {"s32", "65,7,4", kept, "28"},
		{"f32", "65,2,3", kept, "65"}, {"f32", "65,13,3", scaled, "3"},
	} {
		onPools(t, fmt.Sprintf(sum+c.rest, c.typ, c.dims), 1e-4, func(tier string, p *cpu.Program) {
			plan := p.Plan().Text(true)
			if m := lanes.FindStringSubmatch(plan); m == nil || m[1] != c.lanes {
				t.Errorf("%s, %+v: got\n%s", tier, c, plan)
			}
		})
	}
}

// TestFewColumns: softmax of a few long columns, in kernels apart.
func TestFewColumns(t *testing.T) {
	for _, c := range []struct{ typ, dims, kept, summed, at string }{
		{"f32", "133,3", "3", "0", "1"}, {"f64", "9,75,5", "9,5", "1", "0,2"}, {"bf16", "9,9,11,2", "11,2", "0,1", "2,3"},
		{"f32", "7,9,11,3", "3", "0,1,2", "3"},
	} {
		eps := 1e-5
		if c.typ == "bf16" {
			eps = 2e-2
		}
		onPools(t, fmt.Sprintf(`HloModule m
sum {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
max {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] maximum(a, b)
}
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  zero = %[1]s[] constant(0)
  least = %[1]s[] constant(-inf)
  top = %[1]s[%[3]s] reduce(x, least), dimensions={%[4]s}, to_apply=max
  tops = %[1]s[%[2]s] broadcast(top), dimensions={%[5]s}
  d = %[1]s[%[2]s] subtract(x, tops)
  y = %[1]s[%[2]s] exponential(d)
  all = %[1]s[%[3]s] reduce(y, zero), dimensions={%[4]s}, to_apply=sum
  by = %[1]s[%[2]s] broadcast(all), dimensions={%[5]s}
  ROOT r = %[1]s[%[2]s] divide(y, by)
}
`, c.typ, c.dims, c.kept, c.summed, c.at), eps, func(string, *cpu.Program) {})
	}
}
