package plan_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestStreams: results of kernels go past the caches where the last one is not near, too small for what a run touches,
// or where they are written in parts of lines.
func TestStreams(t *testing.T) {
	const negate = "x = f32[1024,1024] parameter(0)\n ROOT r = f32[1024,1024] negate(x)"
	const turned = "x = f32[1024,1024] parameter(0)\n ROOT r = f32[1024,1024] transpose(x), dimensions={1,0}"
	const product = `x = f32[1024,64] parameter(0)
  y = f32[64,1024] parameter(1)
  ROOT r = f32[1024,1024] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`
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
		{"turned", turned, 32 * mb, true},
		{"a part of a table", gather, 32 * mb, false},
		{"a part of a table, too small", gather, 8 * mb, true},
	} {
		m, err := hlotext.Parse("HloModule m\nENTRY e {\n"+c.body+"\n}", hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		machine := gemm.Config{Tier: exec.AVX512, Threads: 2, L3: c.near}
		p, err := plan.Build(m, plan.Options{Machine: machine})
		if err != nil {
			t.Fatal(err)
		}
		if text := p.Text(true); strings.Contains(text, "stream") != c.want {
			t.Errorf("%s: past the caches: expected %v:\n%s", c.name, c.want, text)
		}
	}
}
