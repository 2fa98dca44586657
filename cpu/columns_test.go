package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// columnsText is the gradient of a bias behind a function, stored and summed over rows, with another reduction of it
// and something that is made from the sums.
const columnsText = `HloModule m
max {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT m = %[1]s[] maximum(a, b)
}
sum {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[2]s parameter(0)
  dy = %[2]s parameter(1)
  bias = %[1]s[%[4]d] parameter(2)
  three = %[1]s[] constant(3)
  low = %[1]s[] constant(-100)
  b = %[2]s broadcast(bias), dimensions={%[5]d}
  xb = %[2]s add(x, b)
  h = %[2]s multiply(xb, xb)
  dx = %[2]s multiply(dy, h)
  s = %[3]s reduce(dx, three), dimensions={%[6]s}, to_apply=sum
  m = %[3]s reduce(dy, low), dimensions={%[6]s}, to_apply=max
  p = %[3]s multiply(s, m)
  ROOT t = (%[2]s, %[3]s, %[3]s) tuple(dx, p, s)
}
`

// TestColumns: what is stored of rows and summed over them in one pass agrees with the evaluator on every tier, with
// the same bits for any number of threads: in blocks of whole vectors and others, with several dimensions of rows,
// others in front of them, and sums in parts with a rest.
func TestColumns(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for n, c := range []struct {
		ty, rows, kept string
		columns, last  int
		summed         string
	}{
		{"f32", "16", "", 128, 1, "0"}, {"f32", "31", "", 1000, 1, "0"}, {"f32", "3,7", "", 192, 2, "0,1"},
		{"f32", "2,20", "2,", 260, 2, "1"}, {"f32", "1,1100", "1,", 128, 2, "1"}, {"f32", "3,530", "", 130, 2, "0,1"},
		{"f64", "600", "", 100, 1, "0"}, {"bf16", "40", "", 256, 1, "0"}, {"f16", "40", "", 136, 1, "0"},
		{"s32", "40", "", 256, 1, "0"}, {"s32", "700", "", 150, 1, "0"}, {"s64", "33", "", 96, 1, "0"},
		{"s8", "33", "", 256, 1, "0"}, {"f32", "40,2", "2,", 256, 2, "0"}, {"f32", "40", "", 127, 1, "0"},
	} {
		all, kept := fmt.Sprintf("%s[%s,%d]", c.ty, c.rows, c.columns), fmt.Sprintf("%s[%s%d]", c.ty, c.kept, c.columns)
		text := fmt.Sprintf(columnsText, c.ty, all, kept, c.columns, c.last, c.summed)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkColumns(t, all, m, uint64(n), pool)
	}
}

// checkColumns runs m, of arrays like all, on every tier, and on several numbers of threads.
func checkColumns(t *testing.T, all string, m *hlo.Module, seed uint64, pool *exec.Pool) {
	t.Helper()
	var args []literal.Literal
	r := rand.New(rand.NewPCG(seed, 21))
	for _, p := range m.Entry().Params() {
		x := literal.New(p.Shape())
		for k := range x.Len() {
			x.SetFloat(k, float64(r.IntN(9)-4)/2)
		}
		args = append(args, x)
	}
	for tier, p := range onTiers(t, m, pool) {
		got, err := p.Run(t.Context(), args, nil)
		if err != nil {
			t.Fatalf("%s on %s: %v", all, tier, err)
		}
		agree(t, m, args, got)
	}
	t.Setenv(exec.TierEnv, "")
	for _, x := range args { // numbers whose sums depend on the order
		for k := range x.Len() {
			x.SetFloat(k, r.NormFloat64()*10)
		}
	}
	one := runThreads(t, m, args, 1)
	for _, threads := range []int{2, 5} {
		sameBits(t, one, runThreads(t, m, args, threads))
	}
}

// TestColumnsAlone: sums over long rows, and what is largest in them, agree with the evaluator on every tier and have
// the same bits for any number of threads, whose blocks of columns are not the same: with a shorter block at the end,
// rows that are left of several at a time, several dimensions of rows, others in front of them, sums in parts, and
// columns of several dimensions.
func TestColumnsAlone(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	for n, c := range []struct {
		ty, rows, kept string
		columns        int
		summed         string
	}{
		{"f32", "67", "", 1100, "0"}, {"f32", "64", "", 2048, "0"}, {"f32", "7,19", "", 1061, "0,1"},
		{"f32", "2,131", "2,", 800, "1"}, {"f32", "1030", "", 300, "0"}, {"f32", "3,530", "", 260, "0,1"},
		{"f64", "601", "", 200, "0"}, {"bf16", "150", "", 1000, "0"}, {"f16", "131", "", 1111, "0"},
		{"s32", "77", "", 1500, "0"}, {"u64", "40", "", 1024, "0"}, {"f32", "100,3", "3,", 900, "0"},
		{"f32", "1030", "", 150, "0"}, {"bf16", "900", "", 150, "0"}, {"f64", "700", "", 50, "0"},
		{"f32", "2,44,12", "2,12,", 64, "1"}, {"f32", "3,700,5,2", "3,5,2,", 32, "1"}, {"f32", "70,8,6", "8,6,", 32, "0"},
		{"bf16", "90,9,4", "9,4,", 64, "0"}, {"f64", "90,7,3", "7,3,", 32, "0"}, {"s32", "40,10,17", "10,17,", 16, "0"},
		{"f32", "2,3,50,4,3", "2,3,4,3,", 48, "2"}, {"f32", "5,20,12", "12,", 64, "0,1"},
		{"f32", "1160,9", "9,", 64, "0"},
	} {
		all, kept := fmt.Sprintf("%s[%s,%d]", c.ty, c.rows, c.columns), fmt.Sprintf("%s[%s%d]", c.ty, c.kept, c.columns)
		m, err := hlotext.Parse(fmt.Sprintf(`HloModule m
max {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT m = %[1]s[] maximum(a, b)
}
sum {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT s = %[1]s[] add(a, b)
}
ENTRY e {
  x = %[2]s parameter(0)
  y = %[2]s parameter(1)
  three = %[1]s[] constant(3)
  xy = %[2]s multiply(x, y)
  s = %[3]s reduce(xy, three), dimensions={%[4]s}, to_apply=sum
  m = %[3]s reduce(y, three), dimensions={%[4]s}, to_apply=max
  ROOT t = (%[3]s, %[3]s) tuple(s, m)
}
`, c.ty, all, kept, c.summed), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkColumns(t, all, m, uint64(n), pool)
	}
}

// TestColumnsTwice: sums over so many long rows that need other sums over them, or all elements that do, have a kernel
// of their own; over fewer or shorter rows, or of what others do not need, they share one.
func TestColumnsTwice(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		needs         string
		root          string
		kernels       int
	}{
		{2100, 256, "mean", "spread", 2}, {400, 256, "mean", "spread", 1}, {2100, 250, "mean", "spread", 1},
		{2100, 256, "bias", "spread", 1}, {2100, 256, "mean", "off", 2}, {400, 256, "mean", "off", 1},
		{2100, 250, "mean", "off", 1}, {2100, 256, "mean", "both", 3},
	} {
		root := map[string]string{
			"spread": "f32[%[2]d] add(mean, spread)",
			"off":    "f32[%[1]d,%[2]d] negate(off)",
			"both":   "f32[%[1]d,%[2]d] divide(off, spreads)",
		}[c.root]
		text := fmt.Sprintf(`HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[%[1]d,%[2]d] parameter(0)
  bias = f32[%[2]d] parameter(1)
  zero = f32[] constant(0)
  share = f32[] constant(0.001)
  shares = f32[%[2]d] broadcast(share), dimensions={}
  all = f32[%[2]d] reduce(x, zero), dimensions={0}, to_apply=sum
  mean = f32[%[2]d] multiply(all, shares)
  from = f32[%[1]d,%[2]d] broadcast(%[3]s), dimensions={1}
  off = f32[%[1]d,%[2]d] subtract(x, from)
  squares = f32[%[1]d,%[2]d] multiply(off, off)
  spread = f32[%[2]d] reduce(squares, zero), dimensions={0}, to_apply=sum
  spreads = f32[%[1]d,%[2]d] broadcast(spread), dimensions={1}
  ROOT t = `+root+`
}
`, c.rows, c.columns, c.needs)
		onPools(t, text, 1e-5, func(tier string, p *cpu.Program) {
			if got := strings.Count(p.Plan().Text(false), "\n  kernel "); got != c.kernels {
				t.Errorf("%s: %d rows of %d, %s: expected %d kernels, got %d", tier, c.rows, c.columns, c.root, c.kernels, got)
			}
		})
	}
}

// TestColumnsMoved: what is made of sums over rows, and of elements, but at other rows than it is wanted at, is no
// value of a column.
func TestColumnsMoved(t *testing.T) {
	onPools(t, `HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[201,512] parameter(0)
  zero = f32[] constant(0)
  first = f32[200,512] slice(x), slice={[0:200], [0:512]}
  sizes = f32[200,512] abs(first)
  all = f32[512] reduce(sizes, zero), dimensions={0}, to_apply=sum
  alls = f32[201,512] broadcast(all), dimensions={1}
  shares = f32[201,512] divide(x, alls)
  last = f32[200,512] slice(shares), slice={[1:201], [0:512]}
  ROOT r = f32[200,512] add(last, first)
}
`, 1e-5, func(string, *cpu.Program) {})
}
