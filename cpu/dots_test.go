package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// dotText makes a random dot whose operands are moved about before, and the shapes of the parameters.
func dotText(r *rand.Rand, lhs, rhs, result string) (text string) {
	batch, depth := sizes(r, r.IntN(3), 4), sizes(r, 1+r.IntN(2), 24)
	free := [2][]int{sizes(r, r.IntN(3), 24), sizes(r, r.IntN(3), 24)}
	var params, body strings.Builder
	var attrs [2]string
	for side, ty := range []string{lhs, rhs} {
		// roles: the dimensions of the operand in random order
		all := slices.Concat(batch, free[side], depth)
		order := r.Perm(len(all))
		dims := make([]int, len(all))
		place := make([]int, len(all))
		for k, o := range order {
			dims[k], place[o] = all[o], k
		}
		nb, nf := len(batch), len(free[side])
		slices.Sort(place[nb : nb+nf]) // the result has the free dimensions in the order of the operand
		for k := range nf {
			free[side][k] = dims[place[nb+k]]
		}
		attrs[side] = fmt.Sprintf("%[1]s_batch_dims={%[2]s}, %[1]s_contracting_dims={%[3]s}", []string{"lhs", "rhs"}[side],
			list(place[:nb]), list(place[nb+nf:]))
		fmt.Fprintf(&params, "  p%[1]d = %[2]s[%[3]s] parameter(%[1]d)\n", side, ty, list(moved(r, &body, side, ty, dims)))
	}
	out := slices.Concat(batch, free[0], free[1])
	fmt.Fprintf(&body, "  ROOT d = %s[%s] dot(o0, o1), %s, %s\n", result, list(out), attrs[0], attrs[1])
	return "HloModule d\n\nENTRY e {\n" + params.String() + body.String() + "}\n"
}

// moved writes instructions that make operand side, of dims, from its parameter, whose dimensions it returns.
func moved(r *rand.Rand, body *strings.Builder, side int, ty string, dims []int) []int {
	name := fmt.Sprintf("o%d", side)
	total := 1
	for _, n := range dims {
		total *= n
	}
	switch r.IntN(4) {
	case 0: // transpose
		perm := r.Perm(len(dims))
		from := make([]int, len(dims))
		for k, d := range perm {
			from[d] = dims[k]
		}
		fmt.Fprintf(body, "  %s = %s[%s] transpose(p%d), dimensions={%s}\n", name, ty, list(dims), side, list(perm))
		return from
	case 1: // reshape
		fmt.Fprintf(body, "  %s = %s[%s] reshape(p%d)\n", name, ty, list(dims), side)
		return []int{total}
	case 2: // slice of the first dimension
		from := slices.Clone(dims)
		from[0] = 2*from[0] + 1
		var parts []string
		for k, n := range dims {
			if k == 0 {
				parts = append(parts, fmt.Sprintf("[1:%d:2]", from[0]))
				continue
			}
			parts = append(parts, fmt.Sprintf("[0:%d]", n))
		}
		fmt.Fprintf(body, "  %s = %s[%s] slice(p%d), slice={%s}\n", name, ty, list(dims), side, strings.Join(parts, ", "))
		return from
	}
	fmt.Fprintf(body, "  %s = %s[%s] copy(p%d)\n", name, ty, list(dims), side)
	return dims
}

func sizes(r *rand.Rand, n, most int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1 + r.IntN(most)
	}
	return out
}

func list(v []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ","), "[]") }

// dotTypes are lhs, rhs, result and the error of an operation in the result.
var dotTypes = []struct {
	lhs, rhs, result string
	eps              float64
}{
	{"f32", "f32", "f32", 1e-6}, {"f64", "f64", "f64", 1e-14}, {"bf16", "bf16", "bf16", 8e-3}, {"s8", "s8", "s32", 0},
	{"f16", "f16", "f16", 1e-3}, {"bf16", "bf16", "f32", 1e-6}, {"u8", "s8", "s32", 0}, {"s32", "s32", "s32", 0},
	{"s16", "s16", "s16", 0},
}

// TestDots compares random dots, of any number of dimensions of each kind in any order, with the evaluator.
func TestDots(t *testing.T) {
	pool := exec.NewPool(2)
	defer pool.Close()
	used := 0
	for n := range 300 {
		r := rand.New(rand.NewPCG(uint64(n), 3))
		ty := dotTypes[n%len(dotTypes)]
		text := dotText(r, ty.lhs, ty.rhs, ty.result)
		prog, err := xla.Parse("dot.hlo", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		m := prog.Module()
		p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool, NoPasses: n%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.Plan().String(), "gemm") {
			used++
		}
		compareDot(t, r, m, p, ty.eps)
	}
	if used < 100 {
		t.Errorf("expected at least 100 products, got %d", used)
	}
}

// compareDot runs p, and compares what it gives with the evaluator where that is not slowed by the race detector.
func compareDot(t *testing.T, r *rand.Rand, m *hlo.Module, p *cpu.Program, eps float64) {
	t.Helper()
	args, eval := argumentsOf(r, m), interp.New(t.Context(), interp.Options{})
	got, err := p.Run(t.Context(), args, eval)
	if err != nil {
		t.Fatal(err)
	}
	if racetest.Enabled {
		return
	}
	want, err := eval.Computation(m.Entry(), args)
	if err != nil {
		t.Fatal(err)
	}
	sameSums(t, want, got, eps, p)
}

// sameSums compares sums of products of numbers below 1.
func sameSums(t *testing.T, want, got literal.Literal, eps float64, p *cpu.Program) {
	t.Helper()
	for i := range want.Len() {
		w, g := want.FloatAt(i), got.FloatAt(i)
		if !(math.Abs(w-g) <= eps*(math.Abs(w)+30)) {
			t.Fatalf("element %d: expected %g, got %g\n%s", i, w, g, p.Plan())
		}
	}
}

// argumentsOf are random arguments of a program.
func argumentsOf(r *rand.Rand, m *hlo.Module) (args []literal.Literal) {
	for _, q := range m.Entry().Params() {
		args = append(args, someOf(r, q.Shape()))
	}
	return args
}

func someOf(r *rand.Rand, s shape.Shape) literal.Literal {
	l := literal.New(s)
	for i := range l.Len() {
		if s.Type.IsInteger() {
			l.SetInt(i, int64(r.IntN(256)-128))
		} else {
			l.SetFloat(i, r.Float64()*2-1)
		}
	}
	return l
}
