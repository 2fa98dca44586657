package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestSmallProducts: batches of small products with what is computed in front and behind, around the limits up to
// which they are loops, and of rows that go side by side or not.
func TestSmallProducts(t *testing.T) {
	for _, c := range []struct{ rows, depth, columns int }{
		{12, 12, 12}, {7, 20, 40}, {11, 9, 33}, {20, 20, 20}, {21, 20, 20}, {13, 13, 13}, {8, 64, 64}, {8, 65, 64},
		{6, 31, 5},
	} {
		for typ, eps := range map[string]float64{"f32": 1e-5, "f64": 1e-13} {
			t.Run(fmt.Sprint(typ, c), func(t *testing.T) {
				text := fmt.Sprintf(`HloModule m
ENTRY e {
  x = T[5,%[2]d,%[1]d] parameter(0)
  y = T[5,%[2]d,%[3]d] parameter(1)
  bias = T[%[3]d] parameter(2)
  t = T[5,%[1]d,%[2]d] transpose(x), dimensions={0,2,1}
  h = T[5,%[2]d,%[3]d] tanh(y)
  d = T[5,%[1]d,%[3]d] dot(t, h), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  b = T[5,%[1]d,%[3]d] broadcast(bias), dimensions={2}
  ROOT z = T[5,%[1]d,%[3]d] add(d, b)
}
`, c.rows, c.depth, c.columns)
				onPools(t, strings.ReplaceAll(text, "T[", typ+"["), eps, func(string, *cpu.Program) {})
			})
		}
	}
}
