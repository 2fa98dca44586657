package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
)

// argText is jnp.argmax along the last dimension, values and indices.
const argText = `HloModule arg
argmax {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  gt = pred[] compare(a, b), direction=GT
  none = pred[] compare(a, a), direction=NE
  first = pred[] or(gt, none)
  eq = pred[] compare(a, b), direction=EQ
  lt = pred[] compare(i, j), direction=LT
  tie = pred[] and(eq, lt)
  low = pred[] or(first, tie)
  v = f32[] select(first, a, b)
  k = s32[] select(low, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k)
}
ENTRY e {
  x = f32[%[1]d,%[2]d] parameter(0)
  i = s32[%[1]d,%[2]d] iota(), iota_dimension=1
  low = f32[] constant(-inf)
  zero = s32[] constant(0)
  ROOT r = (f32[%[1]d], s32[%[1]d]) reduce(x, i, low, zero), dimensions={1}, to_apply=argmax
}
`

// TestLongArgmax: the first of equal values counts, and the first NaN before all, in rows that are cut and in others.
func TestLongArgmax(t *testing.T) {
	for n, dims := range [][2]int{{5, 40}, {1, 300007}, {3, 262144}, {2, 1000}} {
		r := rand.New(rand.NewPCG(uint64(n), 7))
		text := fmt.Sprintf(argText, dims[0], dims[1])
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, values := range []int{4, 1 << 24} { // many that are equal, few
			x := literal.New(m.Entry().Params()[0].Shape())
			for k := range x.Len() {
				x.SetFloat(k, float64(r.IntN(values)-values))
			}
			x.SetFloat(r.IntN(x.Len()), math.Copysign(0, -1))
			x.SetFloat(r.IntN(x.Len()), 0)
			if values == 4 {
				x.SetFloat(r.IntN(x.Len()), math.NaN())
				x.SetFloat(r.IntN(x.Len()), math.NaN())
			}
			for _, threads := range racetest.Threads(1, 3) {
				got := runThreads(t, m, []literal.Literal{x}, threads).Elems()
				for row := range dims[0] {
					checkArgmax(t, x, row, dims[1], got[0].FloatAt(row), int(got[1].IntAt(row)))
				}
			}
		}
	}
}

func checkArgmax(t *testing.T, x literal.Literal, row, n int, value float64, index int) {
	t.Helper()
	at, best := 0, math.Inf(-1)
	for k := range n {
		v := x.FloatAt(row*n + k)
		if v > best || v != v && best == best {
			at, best = k, v
		}
	}
	if index != at || value != best && best == best {
		t.Errorf("row %d of %d: got %v at %d, want %v at %d", row, n, value, index, best, at)
	}
}

// TestLongReductions: sums of many elements have the same bits for any number of threads.
func TestLongReductions(t *testing.T) {
	const text = `HloModule m
f {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT r = %[1]s[] %[2]s(a, b)
}
ENTRY e {
  x = %[1]s[%[3]s] parameter(0)
  z = %[1]s[] constant(%[4]d)
  ROOT r = %[1]s[%[5]s] reduce(x, z), dimensions={%[6]s}, to_apply=f
}
`
	for n, c := range []struct {
		ty, op, dims string
		start        int
		kept, over   string
		columns      int // results side by side
	}{
		{"f32", "add", "1000003", 0, "", "0", 1}, {"f64", "add", "700,1000", 7, "", "0,1", 1},
		{"s32", "add", "300000,3", 5, "3", "0", 3}, {"f32", "maximum", "524288", 0, "", "0", 1},
		{"f32", "add", "270001,5", 0, "5", "0", 5}, {"u32", "xor", "64,9000", 9, "", "0,1", 1},
	} {
		m, err := hlotext.Parse(fmt.Sprintf(text, c.ty, c.op, c.dims, c.start, c.kept, c.over), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		x := literal.New(m.Entry().Params()[0].Shape())
		want := make([]float64, c.columns)
		for k := range want {
			want[k] = float64(c.start)
		}
		r := rand.New(rand.NewPCG(uint64(n), 8))
		fold := cumulativeCase{ty: c.ty, op: c.op}.fold
		for k := range x.Len() {
			v := float64(r.IntN(1000))
			setNumber(x, k, v)
			want[k%c.columns] = fold(want[k%c.columns], v)
		}
		one := runThreads(t, m, []literal.Literal{x}, 1)
		for k, w := range want {
			if g := number(one, k); math.Abs(g-w) > 1e-6*math.Abs(w) {
				t.Errorf("%s of %s[%s]: [%d]: got %v, want %v", c.op, c.ty, c.dims, k, g, w)
			}
		}
		for _, threads := range []int{2, 4, 8} {
			if got := runThreads(t, m, []literal.Literal{x}, threads); !slices.Equal(got.Bytes(), one.Bytes()) {
				t.Errorf("%s of %s[%s]: other bits with %d threads", c.op, c.ty, c.dims, threads)
			}
		}
	}
}
