package cpu_test

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestComplexSums: products of complex matrices whose sums are few at a time, and many.
func TestComplexSums(t *testing.T) {
	for _, typ := range []string{"c64", "c128"} {
		for _, c := range [][3]int{{31, 4, 64}, {7, 7, 50}, {37, 5, 33}, {2, 13, 30}, {2, 4, 100}, {11, 31, 21}} {
			text := fmt.Sprintf(`HloModule m
ENTRY e {
  a = %[1]s[%[4]d,%[2]d] parameter(0)
  b = %[1]s[%[4]d,%[3]d] parameter(1)
  ROOT d = %[1]s[%[2]d,%[3]d] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
`, typ, c[0], c[1], c[2])
			onPools(t, text, 1e-5, func(string, *cpu.Program) {})
		}
	}
}
