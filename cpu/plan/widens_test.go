package plan_test

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestWidensLast: sums of many numbers of 32 bits are converted to 64 bits by a kernel of their own; not sums of few,
// nor where the sums have 64 bits too.
func TestWidensLast(t *testing.T) {
	for _, c := range []struct {
		typ     string
		rows    int
		to      string
		kernels int
	}{{"s32", 1000, "s64", 2}, {"f32", 1000, "f64", 2}, {"s32", 1000, "f32", 1}, {"s32", 100, "s64", 1},
		{"s64", 1000, "f64", 1}} {
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
sum {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]d,8] parameter(0)
  zero = %[1]s[] constant(0)
  all = %[1]s[%[2]d] reduce(x, zero), dimensions={1}, to_apply=sum
  ROOT r = %[3]s[%[2]d] convert(all)
}
`, c.typ, c.rows, c.to), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := kernelsOf(t, m, exec.AVX2); got != c.kernels {
			t.Errorf("%+v: expected %d kernels, got %d", c, c.kernels, got)
		}
	}
}
