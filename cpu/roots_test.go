package cpu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestDivideByRoot: quotients by square roots are those of the evaluator within 2 ULP, and exactly where they
// are no ordinary numbers, on every tier; so is what another instruction wants the root for, too. One that is alone
// does not divide where machine code can do without.
func TestDivideByRoot(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	all := strings.NewReplacer("#t", "ROOT t", "#q", "q")
	alone := strings.NewReplacer("#t", "t", "#q", "ROOT q")
	for _, c := range []struct {
		ty          string
		least, most float64
		text        *strings.Replacer
	}{
		{"f32", 0x1p-149, math.MaxFloat32, all}, {"f64", 0x1p-1074, math.MaxFloat64, all},
		{"f32", 0x1p-149, math.MaxFloat32, alone}, {"f64", 0x1p-1074, math.MaxFloat64, alone},
	} {
		special := []float64{0, math.Copysign(0, -1), 1, 2, 3, 0.7, -1, 1e-30, 1e30, c.least, 5 * c.least, c.most,
			math.Inf(1), math.Inf(-1), math.NaN()}
		m, err := hlotext.Parse(c.text.Replace(fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]d] parameter(0)
  y = %[1]s[%[2]d] parameter(1)
  one = %[1]s[] constant(1)
  ones = %[1]s[%[2]d] broadcast(one), dimensions={}
  ry = %[1]s[%[2]d] sqrt(y)
  #q = %[1]s[%[2]d] divide(x, ry)
  p = %[1]s[%[2]d] divide(ones, ry)
  rx = %[1]s[%[2]d] sqrt(x)
  r = %[1]s[%[2]d] divide(rx, rx)
  #t = (%[1]s[%[2]d], %[1]s[%[2]d], %[1]s[%[2]d]) tuple(q, p, r)
}
`, c.ty, len(special)*len(special))), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var args []literal.Literal
		for k, p := range m.Entry().Params() {
			x := literal.New(p.Shape())
			for n := range x.Len() {
				x.SetFloat(n, special[[]int{n / len(special), n % len(special)}[k]])
			}
			args = append(args, x)
		}
		want, err := interp.New(t.Context(), interp.Options{}).Computation(m.Entry(), args)
		if err != nil {
			t.Fatal(err)
		}
		for tier, p := range onTiers(t, m, pool) {
			got, err := p.Run(t.Context(), args, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := literal.Compare(got, want, literal.ULP(2)); err != nil {
				t.Errorf("%s on %s: %v", c.ty, tier, err)
			}
		}
	}
}
