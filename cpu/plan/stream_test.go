package plan_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
)

// stackedStep are the condition and the body of a loop that stacks products, from the last on.
const stackedStep = `less {
  p = (s32[], f32[40,64,8], f32[40,8,2048], f32[40,64,2048]) parameter(0)
  c = s32[] get-tuple-element(p), index=0
  n = s32[] constant(40)
  ROOT l = pred[] compare(c, n), direction=LT
}
step {
  p = (s32[], f32[40,64,8], f32[40,8,2048], f32[40,64,2048]) parameter(0)
  c = s32[] get-tuple-element(p), index=0
  x = f32[40,64,8] get-tuple-element(p), index=1
  y = f32[40,8,2048] get-tuple-element(p), index=2
  z = f32[40,64,2048] get-tuple-element(p), index=3
  o = s32[] constant(0)
  one = s32[] constant(1)
  n = s32[] add(c, one)
  last = s32[] constant(40)
  k = s32[] subtract(last, n)
  a = f32[1,64,8] dynamic-slice(x, k, o, o), dynamic_slice_sizes={1,64,8}
  b = f32[1,8,2048] dynamic-slice(y, k, o, o), dynamic_slice_sizes={1,8,2048}
  d = f32[1,64,2048] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2},
    rhs_contracting_dims={1}
  u = f32[40,64,2048] dynamic-update-slice(z, d, k, o, o)
  ROOT t = (s32[], f32[40,64,8], f32[40,8,2048], f32[40,64,2048]) tuple(n, x, y, u)
}
`

// TestStreams: results of kernels go past the caches where the last one is not near, too small for what a run touches,
// or where lines are made beside others of the same set of a cache.
func TestStreams(t *testing.T) {
	const negate = "x = f32[1024,1024] parameter(0)\n ROOT r = f32[1024,1024] negate(x)"
	const turned = "x = f32[1024,1024] parameter(0)\n ROOT r = f32[1024,1024] transpose(x), dimensions={1,0}"
	const halves = "x = bf16[2048,1024] parameter(0)\n ROOT r = bf16[1024,2048] transpose(x), dimensions={1,0}"
	const apart = "x = bf16[1536,1024] parameter(0)\n ROOT r = bf16[1024,1536] transpose(x), dimensions={1,0}"
	const wide = "x = f32[128,16384] parameter(0)\n ROOT r = f32[16384,128] transpose(x), dimensions={1,0}"
	const product = `x = f32[1024,64] parameter(0)
  y = f32[64,1024] parameter(1)
  ROOT r = f32[1024,1024] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`
	const stacked = `x = f32[40,64,8] parameter(0)
  y = f32[40,8,2048] parameter(1)
  c = s32[] constant(0)
  f = f32[] constant(0)
  z = f32[40,64,2048] broadcast(f), dimensions={}
  t = (s32[], f32[40,64,8], f32[40,8,2048], f32[40,64,2048]) tuple(c, x, y, z)
  w = (s32[], f32[40,64,8], f32[40,8,2048], f32[40,64,2048]) while(t), condition=less, body=step
  ROOT r = f32[40,64,2048] get-tuple-element(w), index=3`
	const gather = `t = f32[100000,256] parameter(0)
  i = s32[4096] parameter(1)
  ROOT r = f32[4096,256] gather(t, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0},
    index_vector_dim=1, slice_sizes={1,256}`
	const mb = 1 << 20
	for _, c := range []struct {
		name, body string
		near       int
		want       bool
	}{
		{"far", negate, 0, true},
		{"near", negate, 32 * mb, false},
		{"near, too small", negate, 8 * mb, true},
		{"product, far", product, 0, true},
		{"product, near", product, 32 * mb, false},
		{"stacked products, far", stacked, 0, true},
		{"stacked products, near", stacked, 32 * mb, false},
		{"stacked products, too small", stacked, 16 * mb, true},
		{"turned", turned, 32 * mb, false},
		{"turned, far", turned, 0, true},
		{"narrow, turned, lines share a set", halves, 32 * mb, true},
		{"turned, many rows in a set", wide, 32 * mb, true},
		{"narrow, turned", apart, 32 * mb, false},
		{"turned, each line is far", turned, 32 * mb, true},
		{"a part of a table", gather, 32 * mb, false},
		{"a part of a table, too small", gather, 8 * mb, true},
	} {
		m, err := hlotext.Parse("HloModule m\n"+stackedStep+"ENTRY e {\n"+c.body+"\n}", hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		machine := gemm.Config{Tier: exec.AVX512, Threads: 2, L3: c.near, FarL3: strings.Contains(c.name, "each line")}
		p, err := plan.Build(m, plan.Options{Machine: machine})
		if err != nil {
			t.Fatal(err)
		}
		if text := p.Text(true); strings.Contains(text, "stream") != c.want {
			t.Errorf("%s: past the caches: expected %v:\n%s", c.name, c.want, text)
		}
	}
}

// TestStreamedCopies: an array that is copied, for a slice of it to be written, goes past the caches where the last one
// is not near or too small for both.
func TestStreamedCopies(t *testing.T) {
	const text = `HloModule m
ENTRY e {
  x = f32[1024,1024] parameter(0)
  y = f32[1,1024] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  ROOT r = f32[1024,1024] dynamic-update-slice(x, y, i, z)
}`
	for near, want := range map[int]bool{0: true, 8 << 20: true, 12 << 20: false} {
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		machine := gemm.Config{Tier: exec.AVX512, Threads: 2, L3: near}
		p, err := plan.Build(m, plan.Options{Machine: machine})
		if err != nil {
			t.Fatal(err)
		}
		copies := 0
		for _, st := range p.Body.Steps {
			c, ok := st.(*plan.Copy)
			if !ok {
				continue
			}
			copies++
			if got := p.Buffers[c.To].Stream; got != want {
				t.Errorf("%d bytes near: past the caches: %t, expected %t", near, got, want)
			}
		}
		if copies != 1 {
			t.Errorf("expected one copy:\n%s", p.Text(false))
		}
	}
}
