package cpu_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// TestCuts: products of few results and a great depth are sums of parts, the same on any number of threads, with what
// comes before and after them, and are what the evaluator makes of them.
func TestCuts(t *testing.T) {
	for _, typ := range []string{"f32", "f64"} {
		text := fmt.Sprintf(`HloModule m
ENTRY e {
  a = %[1]s[4096,16] parameter(0)
  b = %[1]s[4096,48] parameter(1)
  c = %[1]s[16,48] parameter(2)
  n = %[1]s[4096,48] negate(b)
  d = %[1]s[16,48] dot(a, n), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  t = %[1]s[16,4096] transpose(a), dimensions={1,0}
  f = %[1]s[16,48] dot(t, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  g = %[1]s[16,48] add(d, c)
  ROOT r = (%[1]s[16,48], %[1]s[16,48]) tuple(g, f)
}
`, typ)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		var args, whole []literal.Literal
		for _, p := range m.Entry().Params() {
			args = append(args, someOf(r, p.Shape()))
			l := literal.New(p.Shape()) // of small integers, so that sums are exact
			for k := range l.Len() {
				l.SetInt(k, int64(r.IntN(9)-4))
			}
			whole = append(whole, l)
		}
		var first []literal.Literal
		for _, threads := range []int{1, 2, 3, 5} {
			pool := exec.NewPool(threads)
			defer pool.Close()
			p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			if plan := p.Plan().String(); strings.Count(plan, "2 x "+typ+"[16,48]") != 2 {
				t.Errorf("%d threads: expected depths in two parts, got\n%s", threads, plan)
			}
			got, err := p.Run(t.Context(), args, nil)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = leaves(got)
				exact, err := p.Run(t.Context(), whole, nil)
				if err != nil {
					t.Fatal(err)
				}
				agree(t, m, whole, exact)
			}
			for k, e := range leaves(got) {
				if !bytes.Equal(e.Bytes(), first[k].Bytes()) {
					t.Errorf("%s: result %d has other bits on %d threads", typ, k, threads)
				}
			}
		}
	}
}
