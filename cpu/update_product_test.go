package cpu_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

// startsC matches a product that is written from a place on that is computed, strided one whose rows are apart.
var startsC, strided = regexp.MustCompile(`gemm \S+ b\d+\[`), regexp.MustCompile(`, c \d+\+`)

// updateProducts are updates by products: the plan has so many that are written in their place, and so many of these
// with rows apart.
var updateProducts = map[string]struct {
	started, strided int
	body             string
}{
	"a part of a stack": {1, 0, `  r = f32[5,1,21,40] reshape(d)
  ROOT u = f32[7,1,21,40] dynamic-update-slice(s, r, i, z, z, z)`},
	"a known place": {0, 1, `  r = f32[5,1,21,40] reshape(d)
  k = s32[] constant(1)
  ROOT u = f32[7,1,21,40] dynamic-update-slice(s, r, k, z, z, z)`},
	"columns": {1, 1, `  m = f32[105,56] reshape(s)
  r = f32[105,40] reshape(d)
  ROOT u = f32[105,56] dynamic-update-slice(m, r, z, i)`},
	"rows of a few": {1, 1, `  m = f32[5,30,40] reshape(q)
  r = f32[5,21,40] reshape(d)
  ROOT u = f32[5,30,40] dynamic-update-slice(m, r, z, i, z)`},
	"needed twice": {0, 0, `  r = f32[5,1,21,40] reshape(d)
  a = f32[7,1,21,40] dynamic-update-slice(s, r, i, z, z, z)
  b = f32[5,1,21,40] slice(a), slice={[2:7],[0:1],[0:21],[0:40]}
  ROOT u = f32[5,1,21,40] subtract(b, r)`},
}

// TestUpdateProducts: a product for an update is computed in the update's place.
func TestUpdateProducts(t *testing.T) {
	const head = `HloModule m
ENTRY e {
  s = f32[7,1,21,40] parameter(0)
  q = f32[6000] parameter(1)
  i = s32[] parameter(2)
  x = f32[5,21,151] parameter(3)
  w = f32[5,151,40] parameter(4)
  z = s32[] constant(0)
  d = f32[5,21,40] dot(x, w), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
`
	for name, c := range updateProducts {
		t.Run(name, func(t *testing.T) {
			body := strings.ReplaceAll(c.body, "f32[105,56] reshape(s)", "f32[105,56] reshape(v)")
			if body != c.body {
				body = "  v = f32[5880] slice(q), slice={[0:5880]}\n" + body
			}
			onPools(t, head+body+"\n}\n", 1e-5, func(tier string, p *cpu.Program) {
				text := p.Plan().Text(false)
				n, m := len(startsC.FindAllString(text, -1)), len(strided.FindAllString(text, -1))
				if n != c.started || m != c.strided {
					t.Errorf("%s: expected %d products from computed places on, %d strided:\n%s", tier, c.started, c.strided, text)
				}
			})
		})
	}
}

// ownText is a loop that updates a stack by products: UPDATE is of what it holds before or of a matrix.
const ownText = `HloModule own
cond {
  p = (s32[], f32[12,24,24], f32[24,24]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(12)
  ROOT l = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[12,24,24], f32[24,24]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[12,24,24] get-tuple-element(p), index=1
  h = f32[24,24] get-tuple-element(p), index=2
  one = s32[] constant(1)
  last = s32[] constant(12)
  zero = s32[] constant(0)
  i2 = s32[] add(i, one)
  j = s32[] subtract(last, i2)
  w = f32[1,24,24] dynamic-slice(x, PLACE, zero, zero), dynamic_slice_sizes={1,24,24}
  r = f32[24,24] reshape(w)
  d = f32[24,24] dot(FIRST, h), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  u = f32[1,24,24] reshape(d)
  x2 = f32[12,24,24] dynamic-update-slice(x, u, j, zero, zero)
  g = f32[24,24] dot(h, SECOND), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  k = f32[] constant(0.1)
  kb = f32[24,24] broadcast(k), dimensions={}
  h2 = f32[24,24] multiply(g, kb)
  ROOT t = (s32[], f32[12,24,24], f32[24,24]) tuple(i2, x2, h2)
}
ENTRY e {
  x = f32[12,24,24] START
  h = f32[24,24] parameter(0)
  z = s32[] constant(0)
  f = f32[] constant(0)
  t = (s32[], f32[12,24,24], f32[24,24]) tuple(z, x, h)
  ROOT w = (s32[], f32[12,24,24], f32[24,24]) while(t), condition=cond, body=body
}
`

// TestOwnUpdateProducts: products in the place of an update read what was there before, and so do others.
func TestOwnUpdateProducts(t *testing.T) {
	for _, place := range []string{"i", "j", "zero"} {
		for _, start := range []string{"parameter(1)", "broadcast(f), dimensions={}"} {
			for _, of := range []string{"h h", "r h", "h r", "r r"} {
				first, second, _ := strings.Cut(of, " ")
				text := strings.NewReplacer("PLACE", place, "START", start, "FIRST", first, "SECOND", second).Replace(ownText)
				if start[0] == 'b' {
					const x = "  x = f32[12,24,24] broadcast"
					text = strings.Replace(text, x, "  f = f32[] constant(0)\n"+x, 1)
					text = strings.Replace(text, "  z = s32[] constant(0)\n  f = f32[] constant(0)\n", "  z = s32[] constant(0)\n", 1)
				}
				for _, tier := range tiers {
					t.Setenv(exec.TierEnv, tier)
					compareWithEvaluator(t, of, []byte(text))
				}
			}
		}
	}
}
