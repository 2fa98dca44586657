package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
)

// updatedText is a loop that multiplies with a part of an array before and behind an update of it, in its own place.
const updatedText = `HloModule updated
cond {
  p = (s32[], f32[4,32,32], f32[16,32], f32[1,32,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(20)
  ROOT l = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[4,32,32], f32[16,32], f32[1,32,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4,32,32] get-tuple-element(p), index=1
  h = f32[16,32] get-tuple-element(p), index=2
  old = f32[1,32,32] get-tuple-element(p), index=3
  one = s32[] constant(1)
  three = s32[] constant(3)
  zero = s32[] constant(0)
  j = s32[] and(i, three)
  i2 = s32[] add(i, one)
  w = f32[1,32,32] PART
  r = f32[32,32] reshape(w)
  k = f32[] constant(0.02)
  kb = f32[16,32] broadcast(k), dimensions={}
  hk = f32[16,32] multiply(h, kb)
  hs = f32[16,32] sine(hk)
  hc = f32[16,32] cosine(hk)
  u = f32[1,16,32] reshape(hc)
  x2 = f32[4,32,32] dynamic-update-slice(x, u, one, zero, zero)
  v = f32[1,32,32] dynamic-slice(x2, j, zero, zero), dynamic_slice_sizes={1,32,32}
  v2 = f32[32,32] reshape(v)
  h1 = f32[16,32] dot(hc, v2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  h4 = f32[16,32] dot(h1, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  NEXT
  h3 = f32[16,32] add(h2, hs)
  ROOT t = (s32[], f32[4,32,32], f32[16,32], f32[1,32,32]) tuple(i2, LAST, h3, KEPT)
}
ENTRY e {
  x = f32[4,32,32] parameter(0)
  h = f32[16,32] parameter(1)
  z = s32[] constant(0)
  o = f32[1,32,32] slice(x), slice={[0:1],[0:32],[0:32]}
  t = (s32[], f32[4,32,32], f32[16,32], f32[1,32,32]) tuple(z, x, h, o)
  ROOT w = (s32[], f32[4,32,32], f32[16,32], f32[1,32,32]) while(t), condition=cond, body=body
}
`

// secondUpdate overwrites what a product has read of the first update, and what one reads later.
const secondUpdate = `hk1 = f32[16,32] multiply(h1, kb)
  un = f32[1,16,32] reshape(hk1)
  x3 = f32[4,32,32] dynamic-update-slice(x2, un, j, zero, zero)
  y = f32[1,32,32] dynamic-slice(x3, one, zero, zero), dynamic_slice_sizes={1,32,32}
  yr = f32[32,32] reshape(y)
  h5 = f32[16,32] dot(h4, yr), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  a = f32[1,32,32] dynamic-slice(x2, j, zero, zero), dynamic_slice_sizes={1,32,32}
  ar = f32[32,32] reshape(a)
  h6 = f32[16,32] multiply(h5, kb)
  h2 = f32[16,32] dot(h6, ar), lhs_contracting_dims={1}, rhs_contracting_dims={1}`

// TestStartedUpdates: what a product reads where it lies is not overwritten before, even where it is stored besides; it
// is saved and not copied with all that is around it.
func TestStartedUpdates(t *testing.T) {
	for part, code := range map[string]string{
		"slice":         "slice(x), slice={[1:2],[0:32],[0:32]}",
		"dynamic slice": "dynamic-slice(x, j, zero, zero), dynamic_slice_sizes={1,32,32}",
	} {
		for _, kept := range []string{"w", "old", "v"} {
			for _, tier := range tiers {
				t.Setenv(exec.TierEnv, tier)
				for last, next := range map[string]string{"x2": "h2 = f32[16,32] multiply(h4, kb)", "x3": secondUpdate} {
					text := strings.NewReplacer("PART", code, "KEPT", kept, "LAST", last, "NEXT", next).Replace(updatedText)
					compareWithEvaluator(t, part, []byte(text))
				}
			}
		}
	}
}

// innerText is a loop that multiplies with a part of a part of an array, behind an update that the outer part is saved
// for.
const innerText = `HloModule kept
cond {
  p = (s32[], f32[9,32,32], f32[16,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(40)
  ROOT l = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[9,32,32], f32[16,32]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[9,32,32] get-tuple-element(p), index=1
  h = f32[16,32] get-tuple-element(p), index=2
  one = s32[] constant(1)
  seven = s32[] constant(7)
  zero = s32[] constant(0)
  j = s32[] and(i, seven)
  i2 = s32[] add(i, one)
  w = f32[1,32,32] dynamic-slice(x, j, zero, zero), dynamic_slice_sizes={1,32,32}
  r = f32[32,32] reshape(w)
  q = f32[24,32] PART
  k = f32[] constant(0.02)
  kb = f32[16,32] broadcast(k), dimensions={}
  hs = f32[16,32] sine(h)
  u = f32[1,16,32] reshape(hs)
  x2 = f32[9,32,32] dynamic-update-slice(x, u, one, zero, zero)
  v = f32[1,32,32] dynamic-slice(x2, j, zero, zero), dynamic_slice_sizes={1,32,32}
  v2 = f32[32,32] reshape(v)
  h1 = f32[16,32] dot(hs, v2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[16,24] dot(h1, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  h2 = f32[16,32] dot(d, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  h3 = f32[16,32] multiply(h2, kb)
  ROOT t = (s32[], f32[9,32,32], f32[16,32]) tuple(i2, x2, h3)
}
ENTRY e {
  x = f32[9,32,32] parameter(0)
  h = f32[16,32] parameter(1)
  z = s32[] constant(0)
  t = (s32[], f32[9,32,32], f32[16,32]) tuple(z, x, h)
  ROOT w = (s32[], f32[9,32,32], f32[16,32]) while(t), condition=cond, body=body
}
`

// TestStartedInside: a part of what is saved for an update is read there.
func TestStartedInside(t *testing.T) {
	for part, code := range map[string]string{
		"slice":         "slice(r), slice={[3:27],[0:32]}",
		"dynamic slice": "dynamic-slice(r, j, zero), dynamic_slice_sizes={24,32}",
	} {
		for _, tier := range tiers {
			t.Setenv(exec.TierEnv, tier)
			compareWithEvaluator(t, part, []byte(strings.Replace(innerText, "PART", code, 1)))
		}
	}
}

// turnedPartText is a loop that multiplies with a part of which neighbours in memory are of different products, though
// not where it lies, behind an update.
const turnedPartText = `HloModule turned
cond {
  p = (s32[], f32[16,64,64,4], f32[16,8,64]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(17)
  ROOT l = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[16,64,64,4], f32[16,8,64]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[16,64,64,4] get-tuple-element(p), index=1
  h = f32[16,8,64] get-tuple-element(p), index=2
  one = s32[] constant(1)
  zero = s32[] constant(0)
  i2 = s32[] add(i, one)
  j = s32[] and(i, one)
  s = f32[16,64,64,1] slice(x), slice={[0:16],[0:64],[0:64],[3:4]}
  r = f32[16,64,64] reshape(s)
  k = f32[] constant(0.02)
  kb = f32[16,8,64] broadcast(k), dimensions={}
  hs = f32[16,8,64] sine(h)
  u = f32[16,8,64,1] reshape(hs)
  x2 = f32[16,64,64,4] dynamic-update-slice(x, u, zero, j, zero, one)
  v = f32[16,8,64,1] dynamic-slice(x2, zero, i, zero, j), dynamic_slice_sizes={16,8,64,1}
  v2 = f32[16,8,64] reshape(v)
  h1 = f32[16,8,64] add(hs, v2)
  d = f32[64,8,64] dot(h1, r), lhs_batch_dims={2}, rhs_batch_dims={2},
    lhs_contracting_dims={0}, rhs_contracting_dims={0}
  h2 = f32[64,8,16] dot(d, r), lhs_batch_dims={0}, rhs_batch_dims={2},
    lhs_contracting_dims={2}, rhs_contracting_dims={1}
  ht = f32[16,8,64] transpose(h2), dimensions={2,1,0}
  h3 = f32[16,8,64] multiply(ht, kb)
  ROOT t = (s32[], f32[16,64,64,4], f32[16,8,64]) tuple(i2, x2, h3)
}
ENTRY e {
  x = f32[16,64,64,4] parameter(0)
  h = f32[16,8,64] parameter(1)
  z = s32[] constant(0)
  t = (s32[], f32[16,64,64,4], f32[16,8,64]) tuple(z, x, h)
  ROOT w = (s32[], f32[16,64,64,4], f32[16,8,64]) while(t), condition=cond, body=body
}
`

// TestStartedTurned: a part is not saved for an update where a product would read it by another order of dimensions.
func TestStartedTurned(t *testing.T) {
	for _, tier := range tiers {
		t.Setenv(exec.TierEnv, tier)
		compareWithEvaluator(t, "turned", []byte(turnedPartText))
	}
}

// layersText is layers whose weights are stacked: a loop takes one after the other, and each odd layer another one,
// from the last on.
const layersText = `HloModule layers
cond {
  p = (s32[], f32[9,40], f32[33,40,40], f32[33,40], f32[33,9,40]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(33)
  ROOT l = pred[] compare(i, n), direction=LT
}
odd {
  p = (s32[], f32[9,40], f32[33,40,40]) parameter(0)
  j = s32[] get-tuple-element(p), index=0
  h = f32[9,40] get-tuple-element(p), index=1
  x = f32[33,40,40] get-tuple-element(p), index=2
  zero = s32[] constant(0)
  w = f32[1,40,40] dynamic-slice(x, j, zero, zero), dynamic_slice_sizes={1,40,40}
  r = f32[40,40] reshape(w)
  ROOT y = f32[9,40] dot(h, r), lhs_contracting_dims={1}, rhs_contracting_dims={1}
}
even {
  p = f32[9,40] parameter(0)
  ROOT y = f32[9,40] cosine(p)
}
body {
  p = (s32[], f32[9,40], f32[33,40,40], f32[33,40], f32[33,9,40]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  h = f32[9,40] get-tuple-element(p), index=1
  x = f32[33,40,40] get-tuple-element(p), index=2
  b = f32[33,40] get-tuple-element(p), index=3
  ys = f32[33,9,40] get-tuple-element(p), index=4
  one = s32[] constant(1)
  last = s32[] constant(32)
  zero = s32[] constant(0)
  i2 = s32[] add(i, one)
  j = s32[] subtract(last, i)
  w = f32[1,40,40] dynamic-slice(x, i, zero, zero), dynamic_slice_sizes={1,40,40}
  r = f32[40,40] reshape(w)
  bias = f32[1,40] dynamic-slice(b, i, zero), dynamic_slice_sizes={1,40}
  bs = f32[40] reshape(bias)
  bb = f32[9,40] broadcast(bs), dimensions={1}
  h1 = f32[9,40] dot(h, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  h2 = f32[9,40] add(h1, bb)
  h3 = f32[9,40] tanh(h2)
  q = s32[] and(i, one)
  t = (s32[], f32[9,40], f32[33,40,40]) tuple(j, h3, x)
  h4 = f32[9,40] conditional(q, h3, t), branch_computations={even, odd}
  u = f32[1,9,40] reshape(h4)
  ys2 = f32[33,9,40] dynamic-update-slice(ys, u, i, zero, zero)
  k = f32[] constant(0.05)
  kb = f32[9,40] broadcast(k), dimensions={}
  h5 = f32[9,40] multiply(h4, kb)
  ROOT t2 = (s32[], f32[9,40], f32[33,40,40], f32[33,40], f32[33,9,40]) tuple(i2, h5, x, b, ys2)
}
ENTRY e {
  x = f32[33,40,40] parameter(0)
  b = f32[33,40] parameter(1)
  h = f32[9,40] parameter(2)
  z = s32[] constant(0)
  f = f32[] constant(0)
  ys = f32[33,9,40] broadcast(f), dimensions={}
  t = (s32[], f32[9,40], f32[33,40,40], f32[33,40], f32[33,9,40]) tuple(z, h, x, b, ys)
  w = (s32[], f32[9,40], f32[33,40,40], f32[33,40], f32[33,9,40]) while(t), condition=cond, body=body
  ROOT r = f32[33,9,40] get-tuple-element(w), index=4
}
`

// TestStackedLayers: weights are read where they are stacked, also in a branch.
func TestStackedLayers(t *testing.T) {
	for _, tier := range tiers {
		t.Setenv(exec.TierEnv, tier)
		prog, err := xla.Parse("layers.hlo", []byte(layersText))
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), prog.Module(), cpu.Options{Pool: exec.NewPool(1)})
		if err != nil {
			t.Fatal(err)
		}
		if text := p.Plan().Text(false); len(starts.FindAllString(text, -1)) != 2 {
			t.Errorf("expected two products to read weights in place:\n%s", text)
		}
		compareWithEvaluator(t, "layers", []byte(layersText))
	}
}
