package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// bodiesText are the forces between bodies: sums over both dimensions of pairs beside the short one of coordinates,
// from a factor that is made from a sum over that, and the factor's products as they are.
const bodiesText = `HloModule m
sum {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[1]s[%[2]d,%[3]d] parameter(0)
  zero = %[1]s[] constant(0)
  soft = %[1]s[] constant(0.5)
  xi = %[1]s[%[2]d,%[2]d,%[3]d] broadcast(x), dimensions={0,2}
  xj = %[1]s[%[2]d,%[2]d,%[3]d] broadcast(x), dimensions={1,2}
  d = %[1]s[%[2]d,%[2]d,%[3]d] subtract(xj, xi)
  dd = %[1]s[%[2]d,%[2]d,%[3]d] multiply(d, d)
  rr = %[1]s[%[2]d,%[2]d] reduce(dd, zero), dimensions={2}, to_apply=sum
  softs = %[1]s[%[2]d,%[2]d] broadcast(soft), dimensions={}
  r = %[1]s[%[2]d,%[2]d] add(rr, softs)
  f = %[1]s[%[2]d,%[2]d] divide(softs, r)
  fs = %[1]s[%[2]d,%[2]d,%[3]d] broadcast(f), dimensions={0,1}
  p = %[1]s[%[2]d,%[2]d,%[3]d] multiply(d, fs)
  to = %[1]s[%[2]d,%[3]d] reduce(p, zero), dimensions={1}, to_apply=sum
  by = %[1]s[%[2]d,%[3]d] reduce(p, zero), dimensions={0}, to_apply=sum
  ROOT t = (%[1]s[%[2]d,%[3]d], %[1]s[%[2]d,%[3]d]%[4]s) tuple(to, by%[5]s)
}
`

// TestBodies: sums beside short dimensions agree with the evaluator, with the same bits for any number of threads:
// with fewer bodies than half a vector, with some more than fill vectors, and with the products a result or not.
func TestBodies(t *testing.T) {
	n := 0
	for _, ty := range []string{"f32", "f64"} {
		for _, bodies := range []int{5, 9, 17, 33, 70} {
			for c := 2; c <= 4; c++ {
				whole := fmt.Sprintf(", %s[%d,%d,%d]", ty, bodies, bodies, c)
				checkBodies(t, uint64(n), fmt.Sprintf(bodiesText, ty, bodies, c, "", ""))
				checkBodies(t, uint64(n), fmt.Sprintf(bodiesText, ty, bodies, c, whole, ", p"))
				n++
			}
		}
	}
}

func checkBodies(t *testing.T, seed uint64, text string) {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 9))
	x := literal.New(m.Entry().Params()[0].Shape())
	for k := range x.Len() {
		x.SetFloat(k, float64(r.IntN(64)-32)/16)
	}
	args := []literal.Literal{x}
	one := runThreads(t, m, args, 1)
	agree(t, m, args, one)
	sameBits(t, one, runThreads(t, m, args, 3))
}

// TestPairs: distances of rows of a few elements agree with the evaluator.
func TestPairs(t *testing.T) {
	for n, combine := range []string{"add", "maximum"} {
		for _, ty := range []string{"f32", "f64", "s32", "bf16"} {
			for _, depth := range []int{5, 8, 13, 16, 17} {
				for _, rows := range []int{7, 33, 203} {
					checkBodies(t, uint64(n), fmt.Sprintf(pairsText, ty, 7, rows, depth, combine))
				}
			}
		}
	}
}

const pairsText = `HloModule m
fold {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] %[5]s(a, b)
}
ENTRY e {
  y = %[1]s[%[3]d,%[4]d] parameter(0)
  x = %[1]s[%[2]d,%[4]d] slice(y), slice={[0:%[2]d], [0:%[4]d]}
  zero = %[1]s[] constant(0)
  xi = %[1]s[%[2]d,%[3]d,%[4]d] broadcast(x), dimensions={0,2}
  yj = %[1]s[%[2]d,%[3]d,%[4]d] broadcast(y), dimensions={1,2}
  d = %[1]s[%[2]d,%[3]d,%[4]d] subtract(xi, yj)
  dd = %[1]s[%[2]d,%[3]d,%[4]d] multiply(d, d)
  r = %[1]s[%[2]d,%[3]d] reduce(dd, zero), dimensions={2}, to_apply=fold
  ROOT t = %[1]s[%[2]d,%[3]d] negate(r)
}
`
