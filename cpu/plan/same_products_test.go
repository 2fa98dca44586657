package plan_test

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestSameProducts: steps that multiply the same way share a product; those of other sizes, places or types have their
// own.
func TestSameProducts(t *testing.T) {
	for _, test := range []struct {
		second string
		same   bool
	}{
		{"f32[256,320] dot(u, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}", true},
		{"f32[256,320] dot(u, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}", false},
		{"f32[256,256] dot(u, u), lhs_contracting_dims={1}, rhs_contracting_dims={1}", false},
		{"f64[256,320] dot(d, e), lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
	} {
		p, err := plan.Build(sameProducts(t, test.second),
			plan.Options{Machine: gemm.Config{Tier: exec.AVX2, Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		var products []*gemm.Product
		for _, s := range p.Body.Steps {
			if g, ok := s.(*plan.Gemm); ok {
				products = append(products, g.Product)
			}
		}
		if len(products) != 2 || (products[0] == products[1]) != test.same {
			t.Errorf("%s: expected 2 steps, the same product: %v, got %v", test.second, test.same, products)
		}
	}
}

// sameProducts is a program with a product of matrices and a second one.
func sameProducts(t *testing.T, second string) *hlo.Module {
	m, err := hlotext.Parse(`HloModule m
ENTRY e {
  x = f32[256,192] parameter(0)
  y = f32[192,320] parameter(1)
  u = f32[256,192] parameter(2)
  v = f32[192,320] parameter(3)
  w = f32[320,192] parameter(4)
  d = f64[256,192] parameter(5)
  e = f64[192,320] parameter(6)
  a = f32[256,320] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = `+second+`
  ROOT r = tuple(a, b)
}
`, hlotext.ParseOptions{})
	if err == nil {
		err = hlo.Verify(m, hlo.VerifyOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}
