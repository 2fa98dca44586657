package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// byteEps is the tolerance of sums of products of numbers below 1 for those of bytes.
const byteEps = 128 * 1e-5

// TestConvertedOperands: products read operands that are only converted for them as they are.
func TestConvertedOperands(t *testing.T) {
	for _, c := range []struct{ typ, x, y, rows string }{
		{"f32", "f32", "s8", "1"}, {"f32", "u8", "f32", "7"}, {"f32", "f16", "s16", "33"}, {"f64", "f32", "s32", "5"},
		{"f32", "bf16", "u16", "12"}, {"f64", "s8", "f64", "20"},
	} {
		onPools(t, fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[2]s[%[4]s,130] parameter(0)
  y = %[3]s[130,75] parameter(1)
  c = %[1]s[%[4]s,130] convert(x)
  d = %[1]s[130,75] convert(y)
  ROOT z = %[1]s[%[4]s,75] dot(c, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`, c.typ, c.x, c.y, c.rows), byteEps, func(tier string, p *cpu.Program) {
			if plan := p.Plan().String(); strings.Contains(plan, "kernel") {
				t.Errorf("%s: %+v: expected the product alone, got\n%s", tier, c, plan)
			}
		})
	}
}

// TestComputedOperands: products of a matrix that is computed for them are sums in the kernel that computes it.
func TestComputedOperands(t *testing.T) {
	const weights = `HloModule m
ENTRY e {
  w = s8[%[1]s] parameter(0)
  s = %[2]s[%[1]s] parameter(1)
  c = %[2]s[%[1]s] convert(w)
  y = %[2]s[%[1]s] multiply(c, s)
`
	const scaled = `HloModule m
ENTRY e {
  w = s8[%[1]s] parameter(0)
  s = %[2]s[] parameter(1)
  c = %[2]s[%[1]s] convert(w)
  b = %[2]s[%[1]s] broadcast(s), dimensions={}
  y = %[2]s[%[1]s] multiply(c, b)
`
	for _, c := range []struct{ front, matrix, typ, rest string }{
		{weights, "201,130", "f32", `  x = f32[1,201] parameter(2)
  ROOT z = f32[1,130] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
		{weights, "201,130", "f64", `  x = f64[130] parameter(2)
  ROOT z = f64[201] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
		{weights, "201,130", "bf16", `  x = bf16[1,201] parameter(2)
  ROOT z = bf16[1,130] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
		{scaled, "2100,130", "f32", `  x = f32[3,2100] parameter(2)
  ROOT z = f32[3,130] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`},
		{scaled, "130,2100", "f32", `  x = f32[2,2,2100] parameter(2)
  ROOT z = f32[130,2,2] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={2}`},
		{weights, "90,7,50", "f32", `  x = f32[50,7] parameter(2)
  ROOT z = f32[7,90] dot(x, y), lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={0},
    rhs_contracting_dims={2}`},
		{weights, "90,7,50", "f32", `  t = f32[50,7,90] transpose(y), dimensions={2,1,0}
  x = f32[90,50] parameter(2)
  ROOT z = f32[7] dot(t, x), lhs_contracting_dims={0,2}, rhs_contracting_dims={1,0}`},
	} {
		text := fmt.Sprintf(c.front, c.matrix, c.typ) + c.rest + "\n}\n"
		eps := byteEps
		if c.typ == "bf16" {
			eps = 2e-2
		}
		onPools(t, text, eps, func(tier string, p *cpu.Program) {
			if plan := p.Plan().String(); strings.Contains(plan, "gemm") {
				t.Errorf("%s: expected sums, got\n%s", tier, plan)
			}
		})
	}
}

// TestTurnedBatches: operands in which neighbours are of different products are transposed before these.
func TestTurnedBatches(t *testing.T) {
	for _, c := range []struct{ x, y, z, attrs string }{
		{"f32[33,35,9]", "f32[31,35,9]", "f32[9,33,31]",
			"lhs_batch_dims={2}, lhs_contracting_dims={1}, rhs_batch_dims={2}, rhs_contracting_dims={1}"},
		{"f64[35,33,6]", "f64[35,31,6]", "f64[6,33,31]",
			"lhs_batch_dims={2}, lhs_contracting_dims={0}, rhs_batch_dims={2}, rhs_contracting_dims={0}"},
		{"bf16[2,65,70,33]", "bf16[33,2,65,11]", "bf16[2,33,70,11]",
			"lhs_batch_dims={0,3}, lhs_contracting_dims={1}, rhs_batch_dims={1,0}, rhs_contracting_dims={2}"},
	} {
		eps := 1e-5
		if strings.HasPrefix(c.x, "bf16") {
			eps = 2e-2
		}
		onPools(t, fmt.Sprintf(`HloModule m
ENTRY e {
  x = %s parameter(0)
  y = %s parameter(1)
  ROOT z = %s dot(x, y), %s
}
`, c.x, c.y, c.z, c.attrs), eps, func(tier string, p *cpu.Program) {
			if plan := p.Plan().String(); !strings.Contains(plan, "kernel transpose") {
				t.Errorf("%s: %+v: expected a transposition, got\n%s", tier, c, plan)
			}
		})
	}
}

// TestUnblockedOperands: products of numbers that package gemm does not multiply, on every side of a product.
func TestUnblockedOperands(t *testing.T) {
	for _, c := range []struct{ x, y, z, attrs string }{
		{"37,131", "131", "37", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
		{"131", "37,131", "37", "lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
		{"37,131", "131,3", "37,3", "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
		{"131,4", "37,131", "4,37", "lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
		{"5,37,13", "5,13", "5,37", "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, " +
			"rhs_contracting_dims={1}"},
		{"37,5,13", "2,13,5", "5,37,2", "lhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_batch_dims={2}, " +
			"rhs_contracting_dims={1}"},
		{"9,17,13", "9,13", "9,13,17", "lhs_batch_dims={0,2}, rhs_batch_dims={0,1}"},
		{"9,17", "9,13", "9,17,13", "lhs_batch_dims={0}, rhs_batch_dims={0}"},
		{"37,29", "41,29", "37,41", "lhs_contracting_dims={1}, rhs_contracting_dims={1}"},
		{"29,37", "41,29", "37,41", "lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
		{"19,3,11,5", "3,5,21,11", "3,19,21", "lhs_batch_dims={1}, lhs_contracting_dims={2,3}, rhs_batch_dims={0}, " +
			"rhs_contracting_dims={3,1}"},
	} {
		for typ, eps := range map[string]float64{"c64": 1e-4, "c128": 1e-12, "s64": 0, "u64": 0} {
			onPools(t, fmt.Sprintf(`HloModule m
ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  y = %[1]s[%[3]s] parameter(1)
  ROOT z = %[1]s[%[4]s] dot(x, y), %[5]s
}
`, typ, c.x, c.y, c.z, c.attrs), eps, func(string, *cpu.Program) {})
		}
	}
}
