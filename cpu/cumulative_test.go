package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// cumulativeCase is a reduce-window that folds along dimension dim.
type cumulativeCase struct {
	ty, op             string
	dims               []int
	dim                int
	reverse, exclusive bool
	fused              bool // the operand is computed, not in memory
}

func (c cumulativeCase) String() string {
	return fmt.Sprintf("%s %s%v along %d, reverse %v, exclusive %v, fused %v", c.op, c.ty, c.dims, c.dim, c.reverse,
		c.exclusive, c.fused)
}

// text is the program; what the operand is computed by keeps the values.
func (c cumulativeCase) text() string {
	var size, pad []string
	for d, n := range c.dims {
		if d != c.dim {
			size, pad = append(size, "1"), append(pad, "0_0")
			continue
		}
		low, high := n-1, 0
		if c.exclusive {
			low, high = n, -1
		}
		if c.reverse {
			low, high = high, low
		}
		size, pad = append(size, fmt.Sprint(n)), append(pad, fmt.Sprintf("%d_%d", low, high))
	}
	s := fmt.Sprintf("%s[%s]", c.ty, list(c.dims))
	operand := ""
	if c.fused {
		operand = "\n  q = " + s + " parameter(1)\n  x = " + s + " select(y, p, q)\n"
		operand = fmt.Sprintf("\n  y = pred[%s] compare(p, p), direction=EQ", list(c.dims)) + operand
	}
	return fmt.Sprintf(`HloModule cumulative
f {
  a = %[1]s[] parameter(0)
  b = %[1]s[] parameter(1)
  ROOT r = %[1]s[] %[2]s(a, b)
}
ENTRY e {
  p = %[3]s parameter(0)%[4]s
  z = %[1]s[] constant(%[5]s)
  ROOT r = %[3]s reduce-window(%[6]s, z), window={size=%[7]s pad=%[8]s}, to_apply=f
}
`, c.ty, c.op, s, operand, c.startText(), map[bool]string{false: "p", true: "x"}[c.fused], strings.Join(size, "x"),
		strings.Join(pad, "x"))
}

// start is the initial value.
func (c cumulativeCase) start() int {
	if c.op == "multiply" || c.op == "and" {
		return 1
	}
	return 0
}

// startText is the initial value as a constant is written.
func (c cumulativeCase) startText() string {
	if c.ty[0] == 'c' {
		return fmt.Sprintf("(%d, 0)", c.start())
	}
	if c.ty == "pred" {
		return fmt.Sprint(c.start() == 1)
	}
	return fmt.Sprint(c.start())
}

// fold is the operation on values of the type.
func (c cumulativeCase) fold(a, b float64) float64 {
	switch c.op {
	case "multiply":
		return a * b
	case "maximum":
		return math.Max(a, b)
	case "and":
		return a * b
	case "or":
		return max(a, b)
	case "xor":
		return float64(int64(a) ^ int64(b))
	}
	if c.ty == "u8" {
		return math.Mod(a+b, 256)
	}
	return a + b
}

// want is the result in float64.
func (c cumulativeCase) want(x []float64) []float64 {
	n, inner := c.dims[c.dim], 1
	for _, d := range c.dims[c.dim+1:] {
		inner *= d
	}
	out := make([]float64, len(x))
	for line := range len(x) / n {
		acc := float64(c.start())
		for k := range n {
			if c.reverse {
				k = n - 1 - k
			}
			at := line/inner*n*inner + k*inner + line%inner
			before := acc
			acc = c.fold(acc, x[at])
			if out[at] = acc; c.exclusive {
				out[at] = before
			}
		}
	}
	return out
}

// values are elements that are exact in the type: few enough for sums of integers, about 1 for products, and of as many
// bits as there are for complex sums.
func (c cumulativeCase) values(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = float64(r.IntN(100))
		switch {
		case c.ty == "pred": // mostly what changes nothing
			x[k] = float64(c.start() ^ 1/(1+r.IntN(30)))
		case c.ty[0] == 'c':
			x[k] = float64(r.Float32())
		case c.op == "multiply":
			x[k] = 1 + float64(r.IntN(9)-4)/1024
		}
	}
	return x
}

var cumulativeCases = []cumulativeCase{
	{"f32", "add", []int{7, 1000}, 1, false, false, false}, {"f32", "add", []int{3, 5, 33}, 2, true, false, true},
	{"f64", "maximum", []int{4, 129}, 1, false, true, false}, {"s32", "xor", []int{2, 77}, 1, true, true, false},
	{"u8", "add", []int{5, 300}, 1, false, false, true}, {"f64", "multiply", []int{700}, 0, false, false, false},
	{"s64", "add", []int{1, 65}, 1, false, true, true}, {"f32", "add", []int{100, 3}, 1, false, false, false},
	{"f32", "maximum", []int{50, 4}, 1, true, false, false}, {"bf16", "maximum", []int{9, 70}, 1, true, false, false},
	{"f32", "add", []int{40, 64}, 0, false, false, false}, {"f32", "add", []int{35, 8, 96}, 0, true, false, true},
	{"s32", "add", []int{3, 33, 200}, 1, false, true, false}, {"f64", "add", []int{2, 100, 67}, 1, false, false, false},
	{"u8", "maximum", []int{20, 128}, 0, false, false, false},
	{"f32", "multiply", []int{20, 5, 1009}, 0, false, false, true},
	{"f32", "add", []int{30000, 96}, 0, false, false, false}, {"f32", "add", []int{35000, 2, 64}, 0, true, true, true},
	{"s32", "add", []int{5003, 128}, 0, true, false, false}, {"f32", "add", []int{13, 5}, 0, false, false, false},
	{"f32", "add", []int{100003}, 0, false, false, false}, {"f32", "add", []int{2, 70000}, 1, true, true, true},
	{"s32", "add", []int{90001}, 0, false, false, false}, {"s32", "maximum", []int{3, 66000}, 1, true, true, false},
	{"f64", "add", []int{40000, 3}, 0, false, false, false}, {"u8", "add", []int{30001, 7}, 0, false, true, false},
	{"f32", "add", []int{33000, 4}, 0, false, false, false}, {"f32", "maximum", []int{40001, 2}, 0, true, false, false},
	{"s32", "xor", []int{2, 9000, 33}, 1, true, false, true}, {"f32", "multiply", []int{66000}, 0, true, false, false},
	{"s64", "maximum", []int{131072}, 0, false, false, false}, {"f32", "add", []int{70001, 2, 1}, 0, false, true, false},
	{"pred", "or", []int{9, 1031}, 1, false, false, false}, {"pred", "and", []int{70003}, 0, true, true, false},
	{"pred", "xor", []int{9000, 3, 5}, 0, false, true, true}, {"pred", "or", []int{130, 70}, 0, false, false, false},
	{"c64", "add", []int{17003, 130}, 0, true, false, false}, {"f64", "add", []int{300, 1200}, 0, false, true, false},
	{"c64", "add", []int{65536}, 0, false, false, false}, {"c64", "add", []int{40000, 3}, 0, true, false, false},
}

// TestCumulative: what is folded in vectors, rows or blocks is what is folded one by one, with the same bits for any
// number of threads. The race detector sees the runs alone.
func TestCumulative(t *testing.T) {
	for n, c := range cumulativeCases {
		m, err := hlotext.Parse(c.text(), hlotext.ParseOptions{})
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		arg := literal.New(m.Entry().Params()[0].Shape())
		x := c.values(rand.New(rand.NewPCG(uint64(n), 3)), arg.Len())
		for k, v := range x {
			setNumber(arg, k, v)
		}
		args := []literal.Literal{arg, arg}[:len(m.Entry().Params())]
		var want []float64
		if !racetest.Enabled {
			want = c.want(x)
		}
		one := literal.Literal{}
		for _, threads := range racetest.Threads(1, 2, 3, 8) {
			got := runThreads(t, m, args, threads)
			for k := range want {
				if g := number(got, k); math.Abs(g-want[k]) > c.tolerance()*math.Abs(want[k]) {
					t.Fatalf("%v, %d threads: element %d: got %v, want %v", c, threads, k, g, want[k])
				}
			}
			if one.IsValid() && !slices.Equal(got.Bytes(), one.Bytes()) {
				t.Errorf("%v: other bits with %d threads", c, threads)
			}
			one = got
		}
	}
}

func setNumber(l literal.Literal, k int, v float64) {
	if t := l.Shape().Type; t.IsInteger() || t == shape.Pred {
		l.SetInt(k, int64(v))
		return
	}
	l.SetFloat(k, v)
}

func number(l literal.Literal, k int) float64 {
	if t := l.Shape().Type; t.IsInteger() || t == shape.Pred {
		return float64(l.IntAt(k))
	}
	return l.FloatAt(k)
}

// tolerance: sums and products are carried in f64 and rounded once, but those of complex numbers in their type.
func (c cumulativeCase) tolerance() float64 {
	switch {
	case c.ty == "c64":
		return 1e-4
	case c.op != "add" && c.op != "multiply" || c.ty[0] != 'f':
		return 0
	case c.ty == "f32":
		return 1.0 / (1 << 23)
	}
	return 1e-11
}

// runThreads compiles and runs m with so many threads.
func runThreads(t *testing.T, m *hlo.Module, args []literal.Literal, threads int) literal.Literal {
	t.Helper()
	pool := exec.NewPool(threads)
	defer pool.Close()
	p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	got, err := p.Run(t.Context(), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
