package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/plan"
)

// isDivided reports whether a kernel of p has iterations of its outermost loop divided.
func isDivided(p *cpu.Program) bool {
	found := false
	for _, st := range p.Plan().Body.Steps {
		if k, ok := st.(*plan.Kernel); ok {
			found = found || k.Nest.Divided
		}
	}
	return found
}

// TestDivided: iterations of an outermost loop that are too few for the threads are divided, on each tier, and the bits
// are those of any number of threads: in rows, in lanes with ends of vectors, with masks, and with scratch memory.
func TestDivided(t *testing.T) {
	for name, text := range map[string]string{
		"rows of images with a border": `
  x = f32[3,37,23,19] parameter(0)
  w = f32[3,3,1,19] parameter(1)
  ROOT y = f32[3,37,23,19] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f,
    feature_group_count=19`,
		"pairs": `
  a = f32[333,61] parameter(0)
  b = f32[275,61] parameter(1)
  p = f32[333,275,61] broadcast(a), dimensions={0,2}
  q = f32[333,275,61] broadcast(b), dimensions={1,2}
  d = f32[333,275,61] subtract(p, q)
  s = f32[333,275,61] multiply(d, d)
  zero = f32[] constant(0)
  ROOT r = f32[333,275] reduce(s, zero), dimensions={2}, to_apply=add`,
		"parts of rows": `
  x = f32[3,20011] parameter(0)
  s = f32[3,19993] slice(x), slice={[0:3], [7:20000]}
  e = f32[3,19993] exponential(s)
  ROOT r = f32[3,19993] tanh(e)`,
		"parts of rows, past the caches": `
  x = bf16[3,400411] parameter(0)
  s = bf16[3,400401] slice(x), slice={[0:3], [7:400408]}
  ROOT r = f32[3,400401] convert(s)`,
		"heads": `
  x = f32[5,67,3,70] parameter(0)
  t = f32[5,3,67,70] transpose(x), dimensions={0,2,1,3}
  u = f32[5,3,67,70] exponential(t)
  ROOT r = f32[5,3,67,70] add(u, t)`,
		"groups": `
  x = f32[3,150,6,8] parameter(0)
  zero = f32[] constant(0)
  s = f32[3,6] reduce(x, zero), dimensions={1,3}, to_apply=add
  b = f32[3,150,6,8] broadcast(s), dimensions={0,2}
  ROOT r = f32[3,150,6,8] divide(x, b)`,
		"padded planes": `
  x = f32[3,90,101] parameter(0)
  zero = f32[] constant(0)
  p = f32[3,95,106] pad(x, zero), padding=0_0x2_3x1_4
  ROOT r = f32[3,95,106] tanh(p)`,
	} {
		t.Run(name, func(t *testing.T) {
			text := `HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
ENTRY e {` + text + "\n}\n"
			divided := 0
			onThreads(t, text, 1e-5, func(_ string, p *cpu.Program) {
				if isDivided(p) {
					divided++
				}
			}, 1, 2, 7, 16)
			if divided == 0 && !strings.Contains(name, "groups") {
				t.Error("no kernel is divided")
			}
		})
	}
}
