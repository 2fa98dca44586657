package cpu_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// followRows is so many that a result of 64 columns takes half of a second-level cache.
func followRows() int { return max(4096, exec.Host().L2/2/(64*4)) }

// byCache: a kernel follows a product by many rows at a time where the second-level cache has room for them.
const byCache = -1

// What comes after a product of ROWS x 16 and 16 x 64, and how many kernels follow it.
var followCases = []struct {
	name, body string
	followers  int
}{
	{"bias and maximum", `  c = f32[64] parameter(2)
  bias = f32[ROWS,64] broadcast(c), dimensions={1}
  sum = f32[ROWS,64] add(d, bias)
  zero = f32[] constant(0)
  zeros = f32[ROWS,64] broadcast(zero), dimensions={}
  ROOT r = f32[ROWS,64] maximum(sum, zeros)`, 1},
	{"the operand again", `  c = f32[64] parameter(2)
  narrow = f32[ROWS,16] slice(d), slice={[0:ROWS], [3:19]}
  ROOT r = f32[ROWS,16] add(narrow, a)`, 1},
	{"sums of rows", `  c = f32[64] parameter(2)
  zero = f32[] constant(0)
  t = f32[ROWS,64] tanh(d)
  ROOT r = f32[ROWS] reduce(t, zero), dimensions={1}, to_apply=add`, 1},
	{"two results", `  c = f32[64] parameter(2)
  e = f32[ROWS,64] exponential(d)
  n = f32[ROWS,64] negate(d)
  ROOT r = (f32[ROWS,64], f32[ROWS,64]) tuple(e, n)`, 1},
	{"other rows", `  c = f32[64] parameter(2)
  back = f32[ROWS,64] reverse(d), dimensions={0}
  ROOT r = f32[ROWS,64] add(d, back)`, 0},
	{"maxima of columns", `  c = f32[64] parameter(2)
  zero = f32[] constant(0)
  t = f32[ROWS,64] tanh(d)
  ROOT r = f32[64] reduce(t, zero), dimensions={0}, to_apply=max`, byCache},
	{"turned", `  c = f32[64] parameter(2)
  t = f32[64,ROWS] transpose(d), dimensions={1,0}
  ROOT r = f32[64,ROWS] tanh(t)`, 0},
}

// TestFollow: kernels that go through a product row by row run on rows that are complete, others after it; the bits are
// those of any number of threads.
func TestFollow(t *testing.T) {
	for _, c := range followCases {
		t.Run(c.name, func(t *testing.T) { follow(t, c.body, c.followers) })
	}
}

// TestFollowLanes: lanes that follow a product begin with whole vectors, or do not follow it. A few hundred rows are
// small beside any second-level cache.
func TestFollowLanes(t *testing.T) {
	const body = `  c = f32[57] parameter(2)
  t = f32[ROWS,57] tanh(d)
  ROOT r = (f32[ROWS,57], f32[ROWS,57]) tuple(t, d)`
	rows := (3*followRows() + 63) / 64 * 64
	for more, followers := range []int{1, 0} {
		followOf(t, rows+more, 57, body, followers)
	}
}

func follow(t *testing.T, body string, followers int) { followOf(t, followRows(), 64, body, followers) }

func followOf(t *testing.T, rows, columns int, body string, followers int) {
	text := fmt.Sprintf(`HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
max {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] maximum(x, y)
}
ENTRY e {
  a = f32[ROWS,16] parameter(0)
  b = f32[16,COLUMNS] parameter(1)
  d = f32[ROWS,COLUMNS] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
%s
}`, body)
	text = strings.NewReplacer("ROWS", fmt.Sprint(rows), "COLUMNS", fmt.Sprint(columns)).Replace(text)
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var first literal.Literal
	for threads := 1; threads <= 3; threads++ {
		pool := exec.NewPool(threads)
		defer pool.Close()
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		if n := p.Followers(); n != followers && followers != byCache {
			t.Errorf("%d threads: expected %d kernels that follow a product, got %d\n%s", threads, followers, n,
				p.Plan().Text(true))
		}
		r := rand.New(rand.NewPCG(7, 8))
		var args []literal.Literal
		for _, q := range m.Entry().Params() {
			args = append(args, someOf(r, q.Shape()))
		}
		got, err := p.Run(t.Context(), args, nil)
		if err != nil {
			t.Fatal(err)
		}
		if threads == 1 {
			first = got
			agree(t, m, args, got)
			continue
		}
		sameBits(t, first, got)
	}
}

// leaves are the arrays of a result.
func leaves(l literal.Literal) []literal.Literal {
	if l.Shape().IsTuple() {
		return l.Elems()
	}
	return []literal.Literal{l}
}

// agree compares the result of m with the evaluator's.
func agree(t *testing.T, m *hlo.Module, args []literal.Literal, got literal.Literal) {
	t.Helper()
	if racetest.Enabled {
		return
	}
	want, err := interp.New(t.Context(), interp.Options{}).Computation(m.Entry(), args)
	if err != nil {
		t.Fatal(err)
	}
	all := leaves(got)
	for k, w := range leaves(want) {
		for i := range w.Len() {
			if w, g := w.FloatAt(i), all[k].FloatAt(i); !(math.Abs(w-g) <= 1e-5*(math.Abs(w)+1)) {
				t.Fatalf("result %d, element %d: expected %g, got %g", k, i, w, g)
			}
		}
	}
}

func sameBits(t *testing.T, want, got literal.Literal) {
	t.Helper()
	all := leaves(got)
	for k, w := range leaves(want) {
		if !bytes.Equal(w.Bytes(), all[k].Bytes()) {
			t.Errorf("result %d: other bits with more threads", k)
		}
	}
}
