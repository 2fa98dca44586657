package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestGroupSums: sums and squares of the channels of groups at all pixels, of several sizes and types, on every tier,
// and that several groups are summed in one loop.
func TestGroupSums(t *testing.T) {
	const text = `HloModule m
sum {
  a = %T[] parameter(0)
  b = %T[] parameter(1)
  ROOT s = %T[] add(a, b)
}
ENTRY e {
  x = %T[5,7,3,%G,%C] parameter(0)
  z = %T[] constant(0)
  s = %T[5,%G] reduce(x, z), dimensions={1,2,4}, to_apply=sum
  b = %T[5,7,3,%G,%C] broadcast(s), dimensions={0,3}
  d = %T[5,7,3,%G,%C] subtract(x, b)
  q = %T[5,7,3,%G,%C] multiply(d, d)
  v = %T[5,%G] reduce(q, z), dimensions={1,2,4}, to_apply=sum
  ROOT r = %T[5,%G] add(s, v)
}
`
	for _, ty := range []string{"f32", "f64", "bf16", "s32"} {
		for _, groups := range []int{8, 12, 15} {
			for _, channels := range []int{5, 7, 8, 9} {
				name := fmt.Sprintf("%s_%d_%d", ty, groups, channels)
				t.Run(name, func(t *testing.T) {
					all := strings.NewReplacer("%T", ty, "%G", fmt.Sprint(groups), "%C", fmt.Sprint(channels)).Replace(text)
					onTwoThreads(t, all, 1e-4, func(tier string, p *cpu.Program) {
						plan := p.Plan().Text(true)
						jammed := strings.Count(plan, "phi") >= 2*4*2 // sums and squares, in two loops, of four groups or more
						if tier != "portable" && name == "f32_8_8" && !jammed {
							t.Errorf("%s: groups are summed one by one:\n%s", tier, plan)
						}
					})
				})
			}
		}
	}
}
