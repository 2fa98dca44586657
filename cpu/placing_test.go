package cpu_test

import (
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

const placingText = `HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
less {
  p = (s32[], f32[256,256]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(50)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[256,256]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[256,256] get-tuple-element(p), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  a = f32[220,220] slice(x), slice={[0:220], [1:221]}
  b = f32[220,220] slice(x), slice={[2:222], [1:221]}
  c = f32[220,220] slice(x), slice={[1:221], [0:220]}
  d = f32[220,220] slice(x), slice={[1:221], [2:222]}
  e = f32[220,220] slice(x), slice={[1:221], [1:221]}
  ab = f32[220,220] add(a, b)
  cd = f32[220,220] add(c, d)
  abcd = f32[220,220] add(ab, cd)
  mixed = f32[220,220] subtract(abcd, e)
  most = f32[220,220] maximum(mixed, cd)
  zero = s32[] constant(1)
  y = f32[256,256] dynamic-update-slice(x, most, zero, zero)
  ROOT r = (s32[], f32[256,256]) tuple(next, y)
}
ENTRY e {
  x = f32[256,256] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[256,256]) tuple(zero, x)
  end = (s32[], f32[256,256]) while(start), condition=less, body=body
  ROOT y = f32[256,256] get-tuple-element(end), index=1
}
`

// TestPlacing: in a loop, where threads have each made a part of an array, they also share what only copies it.
func TestPlacing(t *testing.T) {
	m, err := hlotext.Parse(placingText, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for threads, want := range []int{1: 0, 2: 2, 3: 2} {
		if threads == 0 {
			continue
		}
		pool := exec.NewPool(threads)
		defer pool.Close()
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Shared(); got != want {
			t.Errorf("%d threads: expected %d kernels that threads share, got %d\n%s", threads, want, got,
				p.Plan().Text(true))
		}
	}
}

// TestPlacingAhead: what one thread is to update at any place, one thread fills, though two would be as quick at that
// alone.
func TestPlacingAhead(t *testing.T) {
	const text = `HloModule m
most {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] maximum(x, y)
}
ENTRY e {
  i = s32[9000] parameter(0)
  d = f32[9000,16] parameter(1)
  least = f32[] constant(-inf)
  none = f32[5000,16] broadcast(least), dimensions={}
  ROOT y = f32[5000,16] `
	pool := exec.NewPool(2)
	defer pool.Close()
	for root, want := range map[string]int{
		"copy(none)\n}": 1,
		`scatter(none, i, d), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
    index_vector_dim=1, to_apply=most
}`: 0,
	} {
		m, err := hlotext.Parse(text+root, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Shared(); p.Tier() > exec.Portable && got != want {
			t.Errorf("expected %d kernels that threads share, got %d\n%s", want, got, p.Plan().Text(true))
		}
	}
}
