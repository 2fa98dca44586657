package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
)

// turnedText is a log-softmax over the last dimension, the sums of which are a result, too, with an operand that is the
// same for all rows and one that is the same within a row.
const turnedText = `HloModule m
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
  x = %[1]s[%[2]s,%[3]d] parameter(0)
  columns = %[1]s[%[3]d] parameter(1)
  rows = %[1]s[%[2]s] parameter(2)
  low = %[1]s[] constant(-inf)
  zero = %[1]s[] constant(0)
  c = %[1]s[%[2]s,%[3]d] broadcast(columns), dimensions={%[5]d}
  r = %[1]s[%[2]s,%[3]d] broadcast(rows), dimensions={%[4]s}
  xc = %[1]s[%[2]s,%[3]d] multiply(x, c)
  y = %[1]s[%[2]s,%[3]d] add(xc, r)
  m = %[1]s[%[2]s] reduce(y, low), dimensions={%[5]d}, to_apply=max
  ms = %[1]s[%[2]s,%[3]d] broadcast(m), dimensions={%[4]s}
  d = %[1]s[%[2]s,%[3]d] subtract(y, ms)
  e = %[1]s[%[2]s,%[3]d] exponential(d)
  s = %[1]s[%[2]s] reduce(e, zero), dimensions={%[5]d}, to_apply=sum
  l = %[1]s[%[2]s] log(s)
  ls = %[1]s[%[2]s,%[3]d] broadcast(l), dimensions={%[4]s}
  o = %[1]s[%[2]s,%[3]d] subtract(d, ls)
  ROOT t = (%[1]s[%[2]s,%[3]d], %[1]s[%[2]s]) tuple(o, s)
}
`

// TestTurnedRows: short rows that are reduced agree with the evaluator, with the same bits for any number of threads:
// where blocks of them are whole, where the last one is not, and with dimensions in front of them.
func TestTurnedRows(t *testing.T) {
	for n, c := range []struct {
		ty, rows, kept string
		last           int
		elements       int
	}{
		{"f32", "64", "0", 1, 10}, {"f32", "157", "0", 1, 2}, {"f32", "3,65", "0,1", 2, 20}, {"f32", "2,95,1", "0,1,2", 3, 7},
		{"f64", "129", "0", 1, 9}, {"bf16", "100", "0", 1, 33}, {"f16", "96", "0", 1, 5}, {"f32", "63", "0", 1, 10},
		{"f32", "70,40", "0,1", 2, 6}, {"f32", "6,20,30", "0,1,2", 3, 6}, {"bf16", "5,1,7,1,3", "0,1,2,3,4", 5, 5},
		{"f64", "3,4,31", "0,1,2", 3, 9},
	} {
		text := fmt.Sprintf(turnedText, c.ty, c.rows, c.elements, c.kept, c.last)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(n), 9))
		args := sixteenths(m, r)
		one := runThreads(t, m, args, 1)
		agree(t, m, args, one)
		for _, threads := range []int{2, 5} {
			sameBits(t, one, runThreads(t, m, args, threads))
		}
	}
}

// countedText is where the first element of rows is that is the largest, with a bias that is the same in all of the
// first dimension, and the places in rows and in the last two dimensions in front of them.
const countedText = `HloModule m
most {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  more = pred[] compare(a, b), direction=GE
  v = f32[] select(more, a, b)
  k = s32[] select(more, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k)
}
ENTRY e {
  x = f32[%[1]s,%[2]s,7] parameter(0)
  bias = f32[%[2]s] parameter(1)
  low = f32[] constant(-inf)
  none = s32[] constant(-1)
  b = f32[%[1]s,%[2]s,7] broadcast(bias), dimensions={%[3]s}
  y = f32[%[1]s,%[2]s,7] add(x, b)
  place = s32[%[1]s,%[2]s,7] iota(), iota_dimension=%[4]d
  m = (f32[%[1]s,%[2]s], s32[%[1]s,%[2]s]) reduce(y, place, low, none), dimensions={%[5]d}, to_apply=most
  ROOT k = s32[%[1]s,%[2]s] get-tuple-element(m), index=1
}
`

// TestCountedRows: rows that are counted in several dimensions agree with the evaluator where not all of these can be
// taken for one.
func TestCountedRows(t *testing.T) {
	for n, c := range []struct {
		outer, inner, kept string
		iota, reduced      int
	}{
		{"3", "9,8", "1,2", 3, 3}, {"3", "9,8", "1,2", 1, 3}, {"3", "9,8", "1,2", 2, 3}, {"3", "9,8", "1,2", 0, 3},
		{"2,5", "31", "2", 3, 3}, {"4,1", "3,13", "2,3", 4, 4},
	} {
		text := fmt.Sprintf(countedText, c.outer, c.inner, c.kept, c.iota, c.reduced)
		m, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(n), 10))
		args := sixteenths(m, r)
		agree(t, m, args, runThreads(t, m, args, 1))
	}
}

// sixteenths are arguments of m: floats that are multiples of 1/16, of which sums are exact, and small integers.
func sixteenths(m *hlo.Module, r *rand.Rand) (args []literal.Literal) {
	for _, p := range m.Entry().Params() {
		x := literal.New(p.Shape())
		for k := range x.Len() {
			if v := r.IntN(64) - 32; p.Shape().Type.IsInteger() {
				x.SetInt(k, int64(v))
			} else {
				x.SetFloat(k, float64(v)/16)
			}
		}
		args = append(args, x)
	}
	return args
}
