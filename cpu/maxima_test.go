package cpu_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// TestMaximaOfSpecials: the largest of numbers with zeros of both signs is +0 if one is, that of infinities is one, and
// where one is no number the result is a NaN without a sign and a payload.
func TestMaximaOfSpecials(t *testing.T) {
	pool := exec.NewPool(1)
	defer pool.Close()
	negative := math.Copysign(0, -1)
	nan := math.Float64frombits(0x7ff8 << 48)
	for _, c := range []struct{ values []float64 }{
		{[]float64{negative, 0}}, {[]float64{0, negative}}, {[]float64{negative, negative}},
		{[]float64{math.Inf(-1), math.Inf(-1)}}, {[]float64{math.Inf(1), -3}}, {[]float64{-5, -3}},
		{[]float64{nan, math.Inf(1)}}, {[]float64{-7, nan}}, {[]float64{nan, nan}}, {[]float64{3, nan, 5}},
	} {
		for _, ty := range []string{"f32", "f64"} {
			for dim := range 2 {
				m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
max {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT m = maximum(a, b)
}
ENTRY e {
  x = %[1]s[37,37] parameter(0)
  low = %[1]s[] constant(-inf)
  ROOT y = %[1]s[37] reduce(x, low), dimensions={%[2]d}, to_apply=max
}
`, ty, dim), hlotext.ParseOptions{})
				if err != nil {
					t.Fatal(err)
				}
				x := literal.New(m.Entry().Params()[0].Shape())
				want := c.values[0]
				for k := range x.Len() {
					x.SetFloat(k, c.values[(k/37+k%37)%len(c.values)])
				}
				for _, v := range c.values {
					want = max(want, v)
				}
				if want != want {
					want = nan
				}
				for tier, p := range onTiers(t, m, pool) {
					got, err := p.Run(t.Context(), []literal.Literal{x}, nil)
					if err != nil {
						t.Fatal(err)
					}
					checkFloatBits(t, tier, got, want)
				}
			}
		}
	}
}

// checkFloatBits asks all elements of y for the bits of want.
func checkFloatBits(t *testing.T, tier string, y literal.Literal, want float64) {
	t.Helper()
	for k := range y.Len() {
		if got := y.FloatAt(k); math.Float64bits(got) != math.Float64bits(want) && tier != "portable" {
			t.Fatalf("%s: [%d]: expected %v (%#x), got %v (%#x)", tier, k, want, math.Float64bits(want), got,
				math.Float64bits(got))
		}
	}
}
