package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
)

// TestViewedMembers: a product reads, by a view of what a kernel stores, a value that the same kernel computes on the
// way there: it is stored too.
func TestViewedMembers(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for name, results := range map[string]string{
		"view and product": "ROOT t = (s32[64,128], s8[64,256]) tuple(d, c)",
		"product":          "ROOT t = (s32[64,128]) tuple(d)",
		"all":              "ROOT t = (s32[64,128], s8[64,256], f32[64]) tuple(d, c, m)",
	} {
		t.Run(name, func(t *testing.T) {
			prog, err := xla.Parse("viewed.hlo", []byte(`HloModule m
max {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b)
}
ENTRY e {
  x = f32[64,256] parameter(0)
  w = s8[256,128] parameter(1)
  low = f32[] constant(-inf)
  m = f32[64] reduce(x, low), dimensions={1}, to_apply=max
  q = f32[64,256] broadcast(m), dimensions={0}
  c = s8[64,256] convert(q)
  d = s32[64,128] dot(c, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  `+results+"\n}\n"))
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			var args []literal.Literal
			for _, p := range prog.Module().Entry().Params() {
				a := literal.New(p.Shape())
				for k := range a.Len() {
					a.SetFloat(k, float64(r.IntN(100)-50))
				}
				args = append(args, a)
			}
			for tier, p := range onTiers(t, prog.Module(), pool) {
				got, err := p.Run(t.Context(), args, nil)
				if err != nil {
					t.Fatalf("%s: %v", tier, err)
				}
				agree(t, prog.Module(), args, got)
			}
		})
	}
}
