package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestComplexProducts: products of complex matrices of several rows at a time, of a vector and a matrix, and batches of
// small ones, with sizes that fill no vectors.
func TestComplexProducts(t *testing.T) {
	for _, c := range []struct{ x, y, z, dims string }{
		{"30,21", "21,37", "30,37", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
		{"21,35", "21,19", "35,19", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
		{"7,33", "18,33", "7,18", "lhs_contracting_dims={1}, rhs_contracting_dims={1}"},
		{"61", "61,103", "103", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"},
		{"29,61", "61", "29", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
		{"13,8,9", "13,9,8", "13,8,8",
			"lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}"},
	} {
		for typ, eps := range map[string]float64{"c64": 1e-5, "c128": 1e-13} {
			t.Run(typ+" "+c.x+" "+c.y, func(t *testing.T) {
				onPools(t, strings.ReplaceAll(fmt.Sprintf(`HloModule m
ENTRY e {
  x = T[%s] parameter(0)
  y = T[%s] parameter(1)
  ROOT z = T[%s] dot(x, y), %s
}
`, c.x, c.y, c.z, c.dims), "T[", typ+"["), eps, func(string, *cpu.Program) {})
			})
		}
	}
}
