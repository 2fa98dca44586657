package cpu_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// longKernels are programs of one kernel that takes long, with a parallel loop and without. Without machine code fewer
// cosines take as long.
var longKernels = map[string]string{
	"parallel": `
  i = f32[4096,COSINES] iota(), iota_dimension=1
  e = f32[4096,COSINES] cosine(i)
  zero = f32[] constant(0)
  ROOT r = f32[4096] reduce(e, zero), dimensions={1}, to_apply=add`,
	"line": `
  u = f32[16777216] iota(), iota_dimension=0
  zero = f32[] constant(0)
  ROOT r = f32[16777216] reduce-window(u, zero), window={size=16777216 pad=16777215_0}, to_apply=add`,
	"rows": `
  u = f32[65536,256] iota(), iota_dimension=0
  zero = f32[] constant(0)
  ROOT r = f32[65536,256] reduce-window(u, zero), window={size=65536x1 pad=65535_0x0_0}, to_apply=add`,
	"in order": `
  i = s32[8388608] iota(), iota_dimension=0
  m = s32[] constant(1023)
  b = s32[8388608] broadcast(m), dimensions={}
  k = s32[8388608] and(i, b)
  u = f32[8388608] convert(k)
  zero = f32[] constant(0)
  z = f32[1024] broadcast(zero), dimensions={}
  ROOT r = f32[1024] scatter(z, k, u), update_window_dims={}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add`,
}

// TestCancelInsideKernel: a context that ends ends a kernel, whether its parts run side by side or one after the other,
// on one thread or two.
func TestCancelInsideKernel(t *testing.T) {
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) { cancelLongKernels(t, threads) })
	}
}

func cancelLongKernels(t *testing.T, threads int) {
	pool := exec.NewPool(threads)
	defer pool.Close()
	cosines := "32768"
	if tier, err := exec.HostTier(os.Getenv(exec.TierEnv)); err != nil || tier == exec.Portable {
		cosines = "1024"
	}
	for name, body := range longKernels {
		body = strings.ReplaceAll(body, "COSINES", cosines)
		t.Run(name, func(t *testing.T) {
			p, want, took := timed(t, pool, "HloModule m\nadd {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"+
				" ROOT s = f32[] add(a, b)\n}\nENTRY e {"+body+"\n}\n")
			endInside(t, p, want, took)
		})
	}
}

// timed compiles a program and runs it once, which took some time.
func timed(t *testing.T, pool *exec.Pool, text string, args ...literal.Literal) (*cpu.Program, literal.Literal,
	time.Duration) {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := cpu.Compile(t.Context(), m, cpu.Options{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	start := time.Now()
	want, err := p.Run(t.Context(), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, want, time.Since(start)
}

// endInside runs p until a run ends when part of the result is there: none does if contexts are looked at between
// kernels only. When they end is left to chance, with the time that the last whole run took as a hint.
func endInside(t *testing.T, p *cpu.Program, want literal.Literal, hint time.Duration) {
	t.Helper()
	for try := range 50 {
		got := literal.New(want.Shape())
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), hint*time.Duration(1+try%10)/20)
		err := p.RunInto(ctx, []cpu.Array{{Bytes: got.Bytes()}}, nil, nil)
		cancel()
		if err == nil {
			hint = time.Since(start)
			continue // before the context
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got error %v, want the deadline", err)
		}
		if !literal.Equal(got, literal.New(want.Shape())) && !literal.Equal(got, want) {
			return
		}
	}
	t.Error("every run wrote all of the result or nothing")
}

// TestCancelProduct: a context that ends ends a product of matrices, and a convolution that is one.
func TestCancelProduct(t *testing.T) {
	pool := exec.NewPool(1)
	defer pool.Close()
	for name, body := range map[string]string{
		"matrices": `
  i = f32[768,768] iota(), iota_dimension=1
  x = f32[768,768] iota(), iota_dimension=0
  ROOT r = f32[768,768] dot(x, i), lhs_contracting_dims={1}, rhs_contracting_dims={0}`,
		"batch": `
  i = f32[40,200,200] iota(), iota_dimension=2
  x = f32[40,200,200] iota(), iota_dimension=1
  ROOT r = f32[40,200,200] dot(x, i), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={2}, rhs_contracting_dims={1}`,
		"windows": `
  x = f32[2,64,64,64] iota(), iota_dimension=1
  w = f32[3,3,64,64] iota(), iota_dimension=2
  ROOT r = f32[2,64,64,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f`,
	} {
		t.Run(name, func(t *testing.T) {
			p, want, took := timed(t, pool, "ENTRY e {"+body+"\n}\n")
			endInside(t, p, want, took)
		})
	}
}

// TestCancelFactorization: a context that ends ends a factorization before its result is written.
func TestCancelFactorization(t *testing.T) {
	pool := exec.NewPool(1)
	t.Cleanup(pool.Close)
	p, want, took := timed(t, pool, `HloModule m

ENTRY e {
  i = s32[1500,1500] iota(), iota_dimension=0
  j = s32[1500,1500] iota(), iota_dimension=1
  d = pred[1500,1500] compare(i, j), direction=EQ
  one = f32[1500,1500] broadcast(f32[] constant(1)), dimensions={}
  many = f32[1500,1500] broadcast(f32[] constant(2000)), dimensions={}
  a = f32[1500,1500] select(d, many, one)
  ROOT r = f32[1500,1500] cholesky(a), lower=true
}
`)
	endEarly(t, p, want, took, nil)
}

// TestCancelFourier: a context that ends ends a long Fourier transform.
func TestCancelFourier(t *testing.T) {
	pool := exec.NewPool(1)
	t.Cleanup(pool.Close)
	x := literal.New(shape.Make(shape.C64, 1<<22))
	for k := range literal.Values[complex64](x) {
		literal.Values[complex64](x)[k] = complex(float32(k%7), 1)
	}
	p, want, took := timed(t, pool, "ENTRY e {\n x = c64[4194304] parameter(0)\n"+
		" ROOT r = c64[4194304] fft(x), fft_type=FFT, fft_length={4194304}\n}\n", x)
	endEarly(t, p, want, took, []cpu.Array{{Bytes: x.Bytes()}})
}

// patience is how long is tried at least: beside other tests a context may end late.
const patience = 5 * time.Second

// endEarly runs p until a run ends without its result.
func endEarly(t *testing.T, p *cpu.Program, want literal.Literal, hint time.Duration, args []cpu.Array) {
	t.Helper()
	for try, began := 0, time.Now(); try < 50 || time.Since(began) < patience; try++ {
		got := literal.New(want.Shape())
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), hint*time.Duration(1+try%10)/12)
		err := p.RunInto(ctx, []cpu.Array{{Bytes: got.Bytes()}}, args, nil)
		cancel()
		if err == nil {
			hint = time.Since(start)
		}
		if errors.Is(err, context.DeadlineExceeded) && !literal.Equal(got, want) {
			return
		}
	}
	t.Error("every run came to its end")
}

// longComparators are comparators of a sort of one long line, by what they say of a and b, or of two keys.
var longComparators = map[string]string{
	"numbers":     "ROOT c = pred[] compare(a, b), direction=LT",
	"total order": "ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER",
	"any comparator": `x = f32[] sine(a)
  y = f32[] sine(b)
  ROOT c = pred[] compare(x, y), direction=LT`,
	"two orders": `i = s32[] parameter(2)
  j = s32[] parameter(3)
  e = pred[] compare(a, b), direction=EQ
  f = pred[] compare(a, b), direction=GT
  g = pred[] compare(i, j), direction=GT
  ROOT c = pred[] select(e, g, f)`,
}

// longSort sorts its argument, a line, beside the places of its elements if the comparator is one of two keys.
func longSort(comparator string, size int) string {
	sort := "ROOT s = f32[%[1]d] sort(p), dimensions={0}, to_apply=cmp"
	if strings.Contains(comparator, "parameter(2)") {
		sort = `i = s32[%[1]d] iota(), iota_dimension=0
  s = (f32[%[1]d], s32[%[1]d]) sort(p, i), dimensions={0}, to_apply=cmp
  ROOT r = f32[%[1]d] get-tuple-element(s), index=0`
	}
	return fmt.Sprintf(`HloModule m

cmp {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  %[2]s
}

ENTRY e {
  p = f32[%[1]d] parameter(0)
  `+sort+`
}
`, size, comparator)
}

// TestCancelSort: a context that ends ends the sort of one line, whichever way it is sorted.
func TestCancelSort(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	size := 1 << 19
	if testing.Short() { // with the race detector that is long enough
		size = 1 << 16
	}
	numbers := make([]float32, size)
	for i := range numbers {
		numbers[i] = float32(r.NormFloat64())
	}
	withNaN := slices.Clone(numbers)
	withNaN[999] = float32(math.NaN())
	for name, comparator := range longComparators {
		for _, c := range []struct {
			name    string
			threads int
			values  []float32
		}{{"", 1, numbers}, {", threads", 2, numbers}, {", NaN", 1, withNaN}} {
			t.Run(name+c.name, func(t *testing.T) {
				pool := exec.NewPool(c.threads)
				t.Cleanup(pool.Close)
				arg := literal.Of(c.values)
				p, want, took := timed(t, pool, longSort(comparator, size), arg)
				endEarly(t, p, want, took, []cpu.Array{{Bytes: arg.Bytes()}})
			})
		}
	}
}

// TestCancelLoops: a context that ends ends a loop of short kernels, and one that is a kernel, which does some of the
// iterations at a time.
func TestCancelLoops(t *testing.T) {
	const text = `HloModule m
cond {
 s = (s64[], f32[SIZE]) parameter(0)
 i = s64[] get-tuple-element(s), index=0
 v = f32[SIZE] get-tuple-element(s), index=1
 LIMIT
}
body {
 s = (s64[], f32[SIZE]) parameter(0)
 i = s64[] get-tuple-element(s), index=0
 v = f32[SIZE] get-tuple-element(s), index=1
 one = s64[] constant(1)
 j = s64[] add(i, one)
 w = f32[SIZE] cosine(v)
 ROOT t = (s64[], f32[SIZE]) tuple(j, w)
}
ENTRY e {
 v = f32[SIZE] parameter(0)
 z = s64[] constant(0)
 t = (s64[], f32[SIZE]) tuple(z, v)
 w = (s64[], f32[SIZE]) while(t), condition=cond, body=body
 ROOT g = f32[SIZE] get-tuple-element(w), index=1
}`
	const counted = "n = s64[] constant(1000000000000)\n ROOT c = pred[] compare(i, n), direction=LT"
	const computed = "n = f32[] constant(7)\n ROOT c = pred[] compare(v, n), direction=LT"
	pool := exec.NewPool(1)
	defer pool.Close()
	for _, of := range [][]string{
		{"SIZE", "", "LIMIT", counted}, {"SIZE", "", "LIMIT", computed}, {"SIZE", "99", "LIMIT", counted},
	} {
		m, err := hlotext.Parse(strings.NewReplacer(of...).Replace(text), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for tier, p := range onTiers(t, m, pool) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			_, err = p.Run(ctx, []literal.Literal{literal.New(m.Entry().Params()[0].Shape())}, nil)
			if cancel(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v: expects the error of the context, got %v", tier, of, err)
			}
		}
	}
}
