package cpu_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// TestLongSums: sums of very many equal numbers are as exact as sums of parts, whatever is summed, on every tier. A
// plain sum of the first is off by 1.2e-4, of the second by 2e-3.
func TestLongSums(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for _, c := range []struct {
		ty, dims, result, reduced string
		count                     int
		body                      string
	}{
		{"f32", "12000,16", "[16]", "0", 12000, ""},
		{"f32", "200704,24", "[24]", "0", 200704, ""},
		{"f32", "32,56,56,24", "[24]", "0,1,2", 32 * 56 * 56, ""},
		{"f32", "4099,5", "[5]", "0", 4099, ""},
		{"f32", "17,20011,3", "[3]", "0,1", 17 * 20011, ""},
		{"f32", "600,3,40", "[3]", "0,2", 24000, ""},
		{"f32", "3,70001", "[3]", "1", 70001, ""},
		{"f32", "3,60000", "[3]", "1", 60000, ""},
		{"f32", "100003", "[]", "0", 100003, ""},
		{"f32", "9001,16", "[16]", "0", 9001, "  u = %[1]s log(x)\n  y = %[1]s exponential(u)\n"},
		{"f32", "9001,16", "[16]", "0", 9001, "  y = %[1]s reverse(x), dimensions={0}\n"},
		{"f64", "40000,7", "[7]", "0", 40000, ""},
		{"c64", "12000,8", "[8]", "0", 12000, ""},
	} {
		array := fmt.Sprintf("%s[%s]", c.ty, c.dims)
		body, summed := fmt.Sprintf(c.body+"%.0[1]s", array), "y"
		if c.body == "" {
			summed = "x"
		}
		five := "5"
		if c.ty == "c64" {
			five = "(5, 0)"
		}
		text := fmt.Sprintf(`HloModule sums

add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}

ENTRY e {
  x = %[2]s parameter(0)
  z = %[1]s[] constant(%[7]s)
%[3]s  ROOT r = %[1]s%[4]s reduce(%[5]s, z), dimensions={%[6]s}, to_apply=add
}
`, c.ty, array, body, c.result, summed, c.reduced, five)
		t.Run(array+" "+c.reduced, func(t *testing.T) {
			prog, err := xla.Parse("sums.hlo", []byte(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			x := literal.New(prog.Module().Entry().Params()[0].Shape())
			for n := range x.Len() {
				x.SetComplex(n, 0.1)
			}
			part := real(x.ComplexAt(0))
			eps := 5e-6
			if x.Type() == shape.F64 {
				eps = 1e-14
			}
			for tier, p := range onTiers(t, prog.Module(), pool) {
				got, err := p.Run(t.Context(), []literal.Literal{x}, nil)
				if err != nil {
					t.Fatal(err)
				}
				want := 5 + part*float64(c.count)
				for n := range got.Len() {
					if v := real(got.ComplexAt(n)); math.Abs(v-want) > eps*want {
						t.Fatalf("%s: element %d: expected %g, got %g", tier, n, want, v)
					}
				}
			}
		})
	}
}
