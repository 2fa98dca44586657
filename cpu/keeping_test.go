package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// keepingText is a softmax in a wider type than that of its result.
const keepingText = `HloModule m
max {
  a = %[2]s[] parameter(0)
  b = %[2]s[] parameter(1)
  ROOT m = %[2]s[] maximum(a, b)
}
sum {
  a = %[2]s[] parameter(0)
  b = %[2]s[] parameter(1)
  ROOT s = %[2]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[3]s] parameter(0)
  low = %[2]s[] constant(-inf)
  zero = %[2]s[] constant(0)
  y = %[2]s[%[3]s] convert(x)
  m = %[2]s[%[4]s] reduce(y, low), dimensions={%[5]s}, to_apply=max
  ms = %[2]s[%[3]s] broadcast(m), dimensions={%[6]s}
  d = %[2]s[%[3]s] subtract(y, ms)
  e = %[2]s[%[3]s] exponential(d)
  s = %[2]s[%[4]s] reduce(e, zero), dimensions={%[5]s}, to_apply=sum
  ss = %[2]s[%[3]s] broadcast(s), dimensions={%[6]s}
  q = %[2]s[%[3]s] divide(e, ss)
  ROOT o = %[1]s[%[3]s] convert(q)
}
`

// TestKeeping: exponentials that are kept near for a later pass agree with the evaluator, with the same bits for any
// number of threads: of rows and of columns, of one dimension and two, and of more than is kept.
func TestKeeping(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for n, c := range []struct{ of, in, all, kept, summed, last string }{
		{"bf16", "f32", "9,100", "9", "1", "0"}, {"f16", "f32", "5,33", "5", "1", "0"},
		{"f32", "f64", "7,65", "7", "1", "0"}, {"bf16", "f32", "2,3,40", "2,3", "2", "0,1"},
		{"bf16", "f32", "6,7,24", "6", "1,2", "0"}, {"bf16", "f32", "2,20,48", "2,48", "1", "0,2"},
		{"bf16", "f32", "1,50", "1", "1", "0"}, {"bf16", "f32", "2,70000", "2", "1", "0"},
	} {
		text := fmt.Sprintf(keepingText, c.of, c.in, c.all, c.kept, c.summed, c.last)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(n), 22))
		x := literal.New(m.Entry().Params()[0].Shape())
		for k := range x.Len() {
			x.SetFloat(k, float64(r.IntN(99)-40)/8)
		}
		args := []literal.Literal{x}
		for tier, p := range onTiers(t, m, pool) {
			got, err := p.Run(t.Context(), args, nil)
			if err != nil {
				t.Fatalf("%s on %s: %v", c.all, tier, err)
			}
			agree(t, m, args, got)
		}
		t.Setenv(exec.TierEnv, "")
		one := runThreads(t, m, args, 1)
		for _, threads := range []int{2, 5} {
			sameBits(t, one, runThreads(t, m, args, threads))
		}
	}
}

// keepingLater weighs rows by their own sums, in which a dear value has more to come before it is wanted twice.
const keepingLater = `HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[%[1]s,%[2]s] parameter(0)
  zero = f32[] constant(0)
  e = f32[%[1]s,%[2]s] exponential(x)
  f = f32[%[1]s,%[2]s] multiply(e, e)
  g = f32[%[1]s,%[2]s] subtract(f, e)
  y = f32[%[1]s,%[2]s] add(x, g)
  q = f32[%[1]s,%[2]s] multiply(y, y)
  s = f32[%[1]s] reduce(q, zero), dimensions={1}, to_apply=sum
  ss = f32[%[1]s,%[2]s] broadcast(s), dimensions={0}
  ROOT o = f32[%[1]s,%[2]s] multiply(y, ss)
}
`

// TestKeepingLater: what is kept is the last value that both passes make of a dear one: the second one loads nothing
// else.
func TestKeepingLater(t *testing.T) {
	for _, dims := range [][2]string{{"9", "100"}, {"70", "5"}} {
		text := fmt.Sprintf(keepingLater, dims[0], dims[1])
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(planOf(t, "later", text), "load f32 x["); n > 4 {
			t.Errorf("%v: x is loaded at %d places", dims, n)
		}
		r := rand.New(rand.NewPCG(1, 2))
		x := literal.New(m.Entry().Params()[0].Shape())
		for k := range x.Len() {
			x.SetFloat(k, float64(r.IntN(99)-40)/32)
		}
		args := []literal.Literal{x}
		pool := exec.NewPool(2)
		for tier, p := range onTiers(t, m, pool) {
			got, err := p.Run(t.Context(), args, nil)
			if err != nil {
				t.Fatalf("%v on %s: %v", dims, tier, err)
			}
			agree(t, m, args, got)
		}
		pool.Close()
	}
}
