package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestTurnedComplex: complex numbers that are moved, and what is computed of them before and behind.
func TestTurnedComplex(t *testing.T) {
	for name, c := range map[string]struct{ text, kernel string }{
		"transposed": {`
  ROOT z = T[77,61] transpose(x), dimensions={1,0}`, "i64"},
		"reversed": {`
  ROOT z = T[61,77] reverse(x), dimensions={1}`, "i64"},
		"padded": {`
  c = T[] constant((0, 0))
  ROOT z = T[64,82] pad(x, c), padding=1_2x3_2`, "i64"},
		"padded around": {`
  c = T[] constant((0, 0))
  r = T[61,11,7] reshape(x)
  ROOT z = T[61,15,7] pad(r, c), padding=0_0x2_2x0_0`, ""},
		"padded, apart": {`
  c = T[] constant((1, 2))
  ROOT z = T[64,82] pad(x, c), padding=1_2x3_2`, ""},
		"every third": {`
  ROOT z = T[21,26] slice(x), slice={[0:61:3],[1:77:3]}`, "i64"},
		"short rows reversed": {`
  r = T[671,7] reshape(x)
  ROOT z = T[671,7] reverse(r), dimensions={1}`, "i64"},
		"parts of short rows": {`
  r = T[671,7] reshape(x)
  ROOT z = T[671,3] slice(r), slice={[0:671],[2:5]}`, "i64"},
		"added": {`
  y = T[77,61] parameter(1)
  t = T[77,61] transpose(x), dimensions={1,0}
  ROOT z = T[77,61] add(t, y)`, "kernel t("},
		"conjugate": {`
  re = R[61,77] real(x)
  im = R[61,77] imag(x)
  n = R[61,77] negate(im)
  c = T[61,77] complex(re, n)
  ROOT z = T[77,61] transpose(c), dimensions={1,0}`, "kernel c("},
		"twice what is computed": {`
  i = R[61,77] iota(), iota_dimension=1
  o = R[] constant(1.5)
  b = R[61,77] broadcast(o), dimensions={}
  t = R[61,77] add(i, b)
  z = T[61,77] complex(t, t)
  ROOT s = T[77,61] transpose(z), dimensions={1,0}`, ""},
		"modulus": {`
  a = R[61,77] abs(x)
  ROOT z = R[77,61] transpose(a), dimensions={1,0}`, "kernel a("},
	} {
		for typ, part := range map[string]string{"c64": "f32", "c128": "f64"} {
			text := strings.NewReplacer("T[", typ+"[", "R[", part+"[").Replace(
				"HloModule m\nENTRY e {\n  x = T[61,77] parameter(0)" + c.text + "\n}\n")
			onPools(t, text, 1e-6, func(tier string, p *cpu.Program) {
				if plan := p.Plan().Text(true); typ == "c64" && !strings.Contains(plan, c.kernel) {
					t.Errorf("%s, %s: expected %q, got\n%s", name, tier, c.kernel, plan)
				}
			})
		}
	}
}
