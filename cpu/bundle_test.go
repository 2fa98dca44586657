package cpu_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// stencilText is a loop that computes the inside of an array and keeps its border, and rolls another array.
const stencilText = `HloModule m
less {
  p = (s32[], f32[%[1]d,%[2]d], f32[%[1]d,%[2]d]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[%[1]d,%[2]d], f32[%[1]d,%[2]d]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[%[1]d,%[2]d] get-tuple-element(p), index=1
  r = f32[%[1]d,%[2]d] get-tuple-element(p), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  a = f32[%[3]d,%[4]d] slice(x), slice={[0:%[3]d], [1:%[5]d]}
  b = f32[%[3]d,%[4]d] slice(x), slice={[2:%[1]d], [1:%[5]d]}
  c = f32[%[3]d,%[4]d] slice(x), slice={[1:%[6]d], [0:%[4]d]}
  d = f32[%[3]d,%[4]d] slice(x), slice={[1:%[6]d], [2:%[2]d]}
  ab = f32[%[3]d,%[4]d] add(a, b)
  cd = f32[%[3]d,%[4]d] multiply(c, d)
  most = f32[%[3]d,%[4]d] maximum(ab, cd)
  y = f32[%[1]d,%[2]d] dynamic-update-slice(x, most, one, one)
  last = f32[%[1]d,1] slice(r), slice={[0:%[1]d], [%[5]d:%[2]d]}
  rest = f32[%[1]d,%[5]d] slice(r), slice={[0:%[1]d], [0:%[5]d]}
  rolled = f32[%[1]d,%[2]d] concatenate(last, rest), dimensions={1}
  ROOT t = (s32[], f32[%[1]d,%[2]d], f32[%[1]d,%[2]d]) tuple(next, y, rolled)
}
ENTRY e {
  x = f32[%[1]d,%[2]d] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[%[1]d,%[2]d], f32[%[1]d,%[2]d]) tuple(zero, x, x)
  end = (s32[], f32[%[1]d,%[2]d], f32[%[1]d,%[2]d]) while(start), condition=less, body=body
  y = f32[%[1]d,%[2]d] get-tuple-element(end), index=1
  r = f32[%[1]d,%[2]d] get-tuple-element(end), index=2
  ROOT t = f32[%[1]d,%[2]d] add(y, r)
}
`

// TestBundles: kernels of the inside and of the border of an array are done together by threads, and their number does
// not show in the result.
func TestBundles(t *testing.T) {
	for _, d := range [][2]int{{256, 256}, {301, 203}, {1001, 67}} {
		text := fmt.Sprintf(stencilText, d[0], d[1], d[0]-2, d[1]-2, d[1]-1, d[0]-1)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		numbers := make([]float32, d[0]*d[1])
		for i := range numbers {
			numbers[i] = float32(i*i%1009) / 1009
		}
		x, err := literal.FromSlice(shape.Make(shape.F32, d[0], d[1]), numbers)
		if err != nil {
			t.Fatal(err)
		}
		var first literal.Literal
		for _, threads := range racetest.Threads(1, 2, 3, 4, 7) {
			pool := exec.NewPool(threads)
			p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			if n := p.Bundles(); threads == 2 && p.Tier() > exec.Portable && (len(n) == 0 || slices.Max(n) < 2) {
				t.Errorf("%v: expected kernels that are done together, got %v\n%s", d, n, p.Plan().Text(true))
			}
			for range 2 {
				got, err := p.Run(t.Context(), []literal.Literal{x}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !first.IsValid() {
					first = got
				}
				if err := literal.Compare(got, first, literal.ULP(0)); err != nil {
					t.Errorf("%v, %d threads: %v", d, threads, err)
				}
			}
			p.Close()
			pool.Close()
		}
	}
}
