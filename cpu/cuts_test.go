package cpu_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
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
		checkCuts(t, text, "2 x "+typ+"[16,48]", 2)
	}
}

// TestCutSums: sums over the rows of images that are stored too are sums of sums for each image, in the same way.
func TestCutSums(t *testing.T) {
	for typ, features := range map[string]int{"f32": 18, "f64": 9} {
		checkCuts(t, fmt.Sprintf(`HloModule m
add {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT c = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[9,27,29,%[2]d] parameter(0)
  y = %[1]s[9,27,29,%[2]d] parameter(1)
  z = %[1]s[] constant(0)
  zeros = %[1]s[9,27,29,%[2]d] broadcast(z), dimensions={}
  p = pred[9,27,29,%[2]d] compare(y, zeros), direction=GT
  n = %[1]s[9,27,29,%[2]d] select(p, x, zeros)
  r = %[1]s[%[2]d] reduce(n, z), dimensions={2,0,1}, to_apply=add
  ROOT t = (%[1]s[%[2]d], %[1]s[9,27,29,%[2]d]) tuple(r, n)
}
`, typ, features), fmt.Sprintf("%s[9,%d]", typ, features), 1)
	}
}

// TestRowProducts: products of rows and vectors are sums of products of elements, with what comes before and behind.
// Without machine code it is a matter of sizes which are.
func TestRowProducts(t *testing.T) {
	products := 0
	if tier, err := exec.HostTier(os.Getenv(exec.TierEnv)); err != nil || tier == exec.Portable {
		products = anyTimes
	}
	for _, typ := range []string{"f32", "f64"} {
		for _, rows := range []int{1, 2, 12, 24} {
			for _, depth := range []int{5, 12, 33, 128} {
				checkCuts(t, fmt.Sprintf(`HloModule m
ENTRY e {
  a = %[1]s[37,%[2]d,%[3]d] parameter(0)
  b = %[1]s[37,%[3]d] parameter(1)
  c = %[1]s[37,%[2]d] parameter(2)
  n = %[1]s[37,%[3]d] negate(b)
  d = %[1]s[37,%[2]d] dot(a, n), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={2}, rhs_contracting_dims={1}
  f = %[1]s[37,%[2]d] dot(b, a), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={1}, rhs_contracting_dims={2}
  g = %[1]s[37,%[2]d] add(d, c)
  ROOT r = (%[1]s[37,%[2]d], %[1]s[37,%[2]d]) tuple(g, f)
}
`, typ, rows, depth), "gemm ", products)
			}
		}
	}
}

// anyTimes says that it does not matter how often something is there.
const anyTimes = -1

// checkCuts runs a program, in whose plan part stands so many times, on several threads.
func checkCuts(t *testing.T, text, part string, times int) {
	t.Helper()
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
	for _, threads := range racetest.Threads(1, 2, 3, 5) {
		pool := exec.NewPool(threads)
		defer pool.Close()
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		if plan := p.Plan().String(); times != anyTimes && strings.Count(plan, part) != times {
			t.Errorf("%d threads: expected parts %s, got\n%s", threads, part, plan)
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
				t.Errorf("result %d has other bits on %d threads", k, threads)
			}
		}
	}
}
