package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/plan"
)

// cachesText is a scan over 20 layers, each of which writes what it gets into its cache of four heads, by %[2]s, and
// attends to that.
const cachesText = `HloModule m
second { a = f32[] parameter(0) ROOT b = f32[] parameter(1) }
cond {
  s = (s32[], f32[20,%[1]d,4,64], f32[20,%[1]d,4,64], f32[256], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(20)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[20,%[1]d,4,64], f32[20,%[1]d,4,64], f32[256], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[20,%[1]d,4,64] get-tuple-element(s), index=1
  y = f32[20,%[1]d,4,64] get-tuple-element(s), index=2
  v = f32[256] get-tuple-element(s), index=3
  p = s32[] get-tuple-element(s), index=4
  zero = s32[] constant(0)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  row = f32[1,%[1]d,4,64] dynamic-slice(x, i, zero, zero, zero), dynamic_slice_sizes={1,%[1]d,4,64}
  cache = f32[%[1]d,4,64] reshape(row)
  t = f32[1,4,64] reshape(v)
  at = s32[1] reshape(p)
  new = f32[%[1]d,4,64] %[2]s
  q = f32[4,64] reshape(v)
  w = f32[4,%[1]d] dot(q, new), lhs_batch_dims={0}, lhs_contracting_dims={1},
    rhs_batch_dims={1}, rhs_contracting_dims={2}
  o = f32[4,64] dot(w, new), lhs_batch_dims={0}, lhs_contracting_dims={1},
    rhs_batch_dims={1}, rhs_contracting_dims={0}
  k = f32[] constant(0.0078125)
  ks = f32[4,64] broadcast(k), dimensions={}
  scaled = f32[4,64] multiply(o, ks)
  next = f32[256] reshape(scaled)
  back = f32[1,%[1]d,4,64] reshape(new)
  stack = f32[20,%[1]d,4,64] dynamic-update-slice(y, back, i, zero, zero, zero)
  ROOT r = (s32[], f32[20,%[1]d,4,64], f32[20,%[1]d,4,64], f32[256], s32[]) tuple(j, x, stack, next, p)
}
ENTRY e {
  a = f32[20,%[1]d,4,64] parameter(0)
  v = f32[256] parameter(1)
  p = s32[] parameter(2)
  zero = s32[] constant(0)
  none = f32[] constant(0)
  b = f32[20,%[1]d,4,64] broadcast(none), dimensions={}
  s = (s32[], f32[20,%[1]d,4,64], f32[20,%[1]d,4,64], f32[256], s32[]) tuple(zero, a, b, v, p)
  w = (s32[], f32[20,%[1]d,4,64], f32[20,%[1]d,4,64], f32[256], s32[]) while(s), condition=cond, body=body
  g = f32[20,%[1]d,4,64] get-tuple-element(w), index=2
  h = f32[256] get-tuple-element(w), index=3
  ROOT o = (f32[20,%[1]d,4,64], f32[256]) tuple(g, h)
}
`

// TestScanCaches: no layer copies its cache. All are copied at once if they are small, and not at all if the argument is
// given up; what else is large is copied layer by layer.
func TestScanCaches(t *testing.T) {
	for name, update := range map[string]string{
		"update": "dynamic-update-slice(cache, t, p, zero, zero)",
		"scatter": "scatter(cache, two, ts), update_window_dims={1,2}, inserted_window_dims={0},\n" +
			"scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second",
	} {
		for _, n := range []int{48, 64} {
			text := fmt.Sprintf(cachesText, n, update)
			if name == "scatter" {
				text = strings.Replace(text, "  new =", "  p1 = s32[] add(p, one)\n  at1 = s32[1] reshape(p1)\n"+
					"  two = s32[2] concatenate(at, at1), dimensions={0}\n"+
					"  ts = f32[2,4,64] concatenate(t, t), dimensions={0}\n  new =", 1)
			}
			compareWithEvaluator(t, name, []byte(text))
			plain, given := cachesPlan(t, text), cachesPlan(t, text, plan.Alias{})
			copies := strings.Contains(plain, "copy b0 ")
			if copies != (n == 48) || strings.Contains(given, "copy b0 ") {
				t.Errorf("%s of %d: the caches are copied at once: %t\n%s\n%s", name, n, copies, plain, given)
			}
			if rows := strings.Contains(given, "(get-tuple-element"); rows || !strings.Contains(given, "* b0[") {
				t.Errorf("%s of %d: expected products with what is in the argument, got\n%s", name, n, given)
			}
		}
	}
}

// cachesPlan is the plan of text.
func cachesPlan(t *testing.T, text string, aliases ...plan.Alias) string {
	t.Helper()
	prog, err := xla.Parse("caches", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1), Aliases: aliases})
	if err != nil {
		t.Fatal(err)
	}
	return p.Plan().Text(false)
}
