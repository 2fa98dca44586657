package plan_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
)

// Entry computations, and the body and the condition of a loop, that read arrays.
const (
	farProducts = `x = f32[1,256] parameter(0)
  u = f32[256,256] parameter(1)
  v = f32[256,256] parameter(2)
  r = f32[65536] reshape(v)
  z = f32[] constant(0)
  s = f32[] reduce(r, z), dimensions={0}, to_apply=add
  y = f32[1,256] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (f32[1,256], f32[]) tuple(y, s)`
	farTable = `x = f32[1,256] parameter(0)
  u = f32[256,256] parameter(1)
  v = f32[4096,256] parameter(2)
  i = s32[] parameter(3)
  w = f32[4096,256] parameter(4)
  row = f32[1,256] dynamic-slice(v, i, i), dynamic_slice_sizes={1,256}
  y = f32[1,256] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[1,256] add(row, y)
  n = f32[4096,256] dynamic-update-slice(w, row, i, i)
  ROOT t = (f32[1,256], f32[4096,256]) tuple(z, n)`
	farComputed = `x = f32[1,256] parameter(0)
  u = f32[256,256] parameter(1)
  v = f32[256,256] sine(u)
  y = f32[1,256] dot(x, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[] constant(0)
  s = f32[] reduce(v, z), dimensions={0,1}, to_apply=add
  ROOT t = (f32[1,256], f32[], f32[256,256]) tuple(y, s, v)`
	farLoop = `c = s32[] constant(0)
  x = f32[1,256] parameter(0)
  u = f32[256,256] parameter(1)
  v = f32[256,256] parameter(2)
  t = (s32[], f32[1,256], f32[256,256], f32[256,256]) tuple(c, x, u, v)
  ROOT w = (s32[], f32[1,256], f32[256,256], f32[256,256]) while(t), condition=less, body=step`
	farStack = `c = s32[] constant(0)
  x = f32[1,256] parameter(0)
  u = f32[100,256,256] parameter(1)
  v = f32[256,256] parameter(2)
  t = (s32[], f32[1,256], f32[100,256,256], f32[256,256]) tuple(c, x, u, v)
  ROOT w = (s32[], f32[1,256], f32[100,256,256], f32[256,256]) while(t), condition=fewer, body=layer`
	farStep = `step {
  p = (s32[], f32[1,256], f32[256,256], f32[256,256]) parameter(0)
  c = s32[] get-tuple-element(p), index=0
  x = f32[1,256] get-tuple-element(p), index=1
  u = f32[256,256] get-tuple-element(p), index=2
  v = f32[256,256] get-tuple-element(p), index=3
  y = f32[1,256] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[1,256] dot(y, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  one = s32[] constant(1)
  n = s32[] add(c, one)
  ROOT t = (s32[], f32[1,256], f32[256,256], f32[256,256]) tuple(n, z, u, v)
}
less {
  p = (s32[], f32[1,256], f32[256,256], f32[256,256]) parameter(0)
  c = s32[] get-tuple-element(p), index=0
  n = s32[] constant(100)
  ROOT l = pred[] compare(c, n), direction=LT
}
layer {
  p = (s32[], f32[1,256], f32[100,256,256], f32[256,256]) parameter(0)
  c = s32[] get-tuple-element(p), index=0
  x = f32[1,256] get-tuple-element(p), index=1
  u = f32[100,256,256] get-tuple-element(p), index=2
  v = f32[256,256] get-tuple-element(p), index=3
  o = s32[] constant(0)
  a = f32[1,256,256] dynamic-slice(u, c, o, o), dynamic_slice_sizes={1,256,256}
  r = f32[256,256] reshape(a)
  y = f32[1,256] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[1,256] dot(y, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  one = s32[] constant(1)
  n = s32[] add(c, one)
  ROOT t = (s32[], f32[1,256], f32[100,256,256], f32[256,256]) tuple(n, z, u, v)
}
fewer {
  p = (s32[], f32[1,256], f32[100,256,256], f32[256,256]) parameter(0)
  c = s32[] get-tuple-element(p), index=0
  n = s32[] constant(100)
  ROOT l = pred[] compare(c, n), direction=LT
}
`
)

// TestFar: what a run reads comes from memory where all of it is more than the caches hold, also in a loop that reads
// it again in each iteration; not what it has computed. Of an array that is sliced or updated only a part counts. Of
// an array of which each iteration reads another part all counts for that part, but not for others.
func TestFar(t *testing.T) {
	const sum = "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n"
	const matrix, row, scalar = 4 * 256 * 256, 4 * 256, 4
	for _, c := range []struct {
		name, body string
		reads      int // bytes
		far        int // products and buffers of kernels that are, then
	}{
		{"products", farProducts, row + 2*matrix + scalar, 2},
		{"a table", farTable, matrix + 2*row + scalar, 1},
		{"computed", farComputed, row + matrix + scalar, 1},
		{"a loop", farLoop, 2*matrix + scalar, 2},
		{"a stack", farStack, 101*matrix + 2*scalar, 1},
	} {
		for more := range 2 {
			m, err := hlotext.Parse("HloModule m\n"+sum+farStep+"ENTRY e {\n"+c.body+"\n}", hlotext.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			machine := gemm.Config{Tier: exec.AVX512, Threads: 1, AskFrom: c.reads + more}
			p, err := plan.Build(m, plan.Options{Machine: machine})
			if err != nil {
				t.Fatal(err)
			}
			want := c.far * (1 - more)
			if text := p.Text(true); strings.Count(text, " far") != want {
				t.Errorf("%s: from %d bytes on: expected %d arrays from memory:\n%s", c.name, c.reads+more, want, text)
			}
		}
	}
}
