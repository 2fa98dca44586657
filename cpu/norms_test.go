package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// norm is %T[%X] less its mean over dimensions %R, of which there are %K with %N numbers each, by the root of its
// variance; both in f32.
const norm = `HloModule norm

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY e {
  p = %T[%X] parameter(0)
  x = f32[%X] convert(p)
  zero = f32[] constant(0)
  n = f32[] constant(%N)
  ns = f32[%K] broadcast(n), dimensions={}
  s = f32[%K] reduce(x, zero), dimensions={%R}, to_apply=add
  m = f32[%K] divide(s, ns)
  mb = f32[%X] broadcast(m), dimensions={%D}
  d = f32[%X] subtract(x, mb)
  q = f32[%X] multiply(d, d)
  v = f32[%K] reduce(q, zero), dimensions={%R}, to_apply=add
  vm = f32[%K] divide(v, ns)
  r = f32[%K] rsqrt(vm)
  rb = f32[%X] broadcast(r), dimensions={%D}
  y = f32[%X] multiply(d, rb)
  ROOT o = %T[%X] convert(y)
}
`

// TestNorms: rows that are made what they are by their own sums, on every tier: short ones and those of bf16, which go
// side by side, and channels of groups, of which those of several do.
func TestNorms(t *testing.T) {
	for _, c := range []struct{ name, ty, x, kept, reduced, k, n string }{
		{"short", "f32", "64,48", "0", "1", "64", "48"},
		{"few", "f32", "12,200", "0", "1", "12", "200"},
		{"bf16", "bf16", "16,300", "0", "1", "16", "300"},
		{"bf16_long", "bf16", "5,2100", "0", "1", "5", "2100"},
		{"groups", "f32", "2,49,32,16", "0,2", "1,3", "2,32", "784"},
		{"groups_long", "f32", "4,49,8,32", "0,2", "1,3", "4,8", "1568"},
		{"groups_far", "f32", "4,1024,8,8", "0,2", "1,3", "4,8", "8192"},
		{"groups_bf16", "bf16", "4,49,8,16", "0,2", "1,3", "4,8", "784"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer("%T", c.ty, "%X", c.x, "%D", c.kept, "%R", c.reduced, "%K", c.k,
				"%N", c.n).Replace(norm)
			eps := 1e-5
			if c.ty == "bf16" {
				eps = 1.0 / 128
			}
			onTwoThreads(t, text, eps, func(string, *cpu.Program) {})
		})
	}
}
