package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
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

// TestScanCaches: no layer copies its cache. All are copied at once if they are small, and not at all if the argument
// is given up; what else is large is copied layer by layer.
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
			prog, err := xla.Parse(name, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			p, donated := cachesProgram(t, prog), cachesProgram(t, prog, plan.Alias{})
			plain, given := p.Plan().Text(false), donated.Plan().Text(false)
			copies := strings.Contains(plain, "copy b0 ")
			if copies != (n == 48) || strings.Contains(given, "copy b0 ") {
				t.Errorf("%s of %d: the caches are copied at once: %t\n%s\n%s", name, n, copies, plain, given)
			}
			runGiven(t, prog.Module().Entry(), p, donated)
			if rows := strings.Contains(given, "(get-tuple-element"); rows || !strings.Contains(given, "* b0[") {
				t.Errorf("%s of %d: expected products with what is in the argument, got\n%s", name, n, given)
			}
		}
	}
}

// runGiven compares the results of p, which keeps its arguments, with those of donated, of which the first is in the
// memory of the first argument.
func runGiven(t *testing.T, entry *hlo.Computation, p, donated *cpu.Program) {
	t.Helper()
	r, args := rand.New(rand.NewPCG(1, 2)), []literal.Literal{}
	for _, q := range entry.Params() {
		args = append(args, someOf(r, q.Shape()))
	}
	result, err := p.Run(t.Context(), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, got := leaves(result), literal.New(entry.Root().Shape().Elems[1])
	in := make([]cpu.Array, len(args))
	for k, a := range args {
		in[k] = cpu.Array{Bytes: a.Bytes()}
	}
	if err := donated.RunInto(t.Context(), []cpu.Array{in[0], {Bytes: got.Bytes()}}, in, nil); err != nil {
		t.Fatal(err)
	}
	if !literal.Equal(args[0], want[0]) || !literal.Equal(got, want[1]) {
		t.Error("an argument that is given up: other results")
	}
}

// cachesProgram is what prog is compiled to.
func cachesProgram(t *testing.T, prog *xla.Program, aliases ...plan.Alias) *cpu.Program {
	t.Helper()
	p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1), Aliases: aliases})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
