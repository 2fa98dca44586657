package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// reshapedText reduces short rows of what is in memory in another shape, %[4]s, and of what is as it is.
const reshapedText = `HloModule m
or {
  a = pred[] parameter(0)
  b = pred[] parameter(1)
  ROOT m = pred[] or(a, b)
}
max {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT m = %[1]s[] maximum(a, b)
}
ENTRY e {
  p = %[1]s[%[4]s] parameter(0)
  y = %[1]s[%[2]s] parameter(1)
  x = %[1]s[%[2]s] reshape(p)
  no = pred[] constant(false)
  low = %[1]s[] constant(-100)
  g = pred[%[2]s] compare(x, y), direction=GT
  any = pred[%[3]s] reduce(g, no), dimensions={2}, to_apply=or
  xy = %[1]s[%[2]s] multiply(x, y)
  m = %[1]s[%[3]s] reduce(xy, low), dimensions={2}, to_apply=max
  ROOT t = (pred[%[3]s], %[1]s[%[3]s]) tuple(any, m)
}
`

// TestTurnedReshaped: rows that are parts of longer ones, or parts of a list, are turned as those that are rows in
// memory. They agree with the evaluator, with the same bits for any number of threads.
func TestTurnedReshaped(t *testing.T) {
	for n, c := range []struct{ ty, space, kept, in string }{
		{"f32", "50,32,8", "50,32", "50,256"}, {"f32", "50,32,8", "50,32", "12800"}, {"f32", "9,35,6", "9,35", "9,210"},
		{"f32", "9,35,6", "9,35", "315,6"}, {"f32", "9,35,6", "9,35", "63,5,6"}, {"f32", "9,35,6", "9,35", "27,70"},
		{"f64", "5,33,7", "5,33", "5,231"}, {"bf16", "3,64,10", "3,64", "6,320"}, {"s32", "2,71,9", "2,71", "1278"},
	} {
		text := fmt.Sprintf(reshapedText, c.ty, c.space, c.kept, c.in)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(n), 9))
		args := sixteenths(m, r)
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: exec.NewPool(1)})
		if err != nil {
			t.Fatal(err)
		}
		if text := p.Plan().Text(true); !strings.Contains(text, "buffer turned") {
			t.Errorf("%v: rows are not turned:\n%s", c, text)
		}
		one := runThreads(t, m, args, 1)
		agree(t, m, args, one)
		for _, threads := range []int{2, 5} {
			sameBits(t, one, runThreads(t, m, args, threads))
		}
	}
}
