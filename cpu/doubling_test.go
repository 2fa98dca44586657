package cpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
)

// TestDoubling compiles programs in which there are 2^60 ways from the result to the argument: what looks for something
// must not go all of them.
func TestDoubling(t *testing.T) {
	for _, step := range []string{"add(%s, %s)", "multiply(%s, %s)", "maximum(%s, %s)"} {
		var b strings.Builder
		b.WriteString("HloModule m\n\nENTRY e {\n  p = f32[64] parameter(0)\n  x0 = f32[64] negate(p)\n")
		for k := range 60 {
			x := fmt.Sprintf("x%d", k)
			fmt.Fprintf(&b, "  x%d = f32[64] "+step+"\n", k+1, x, "y"+x)
			fmt.Fprintf(&b, "  yx%d = f32[64] sine(x%d)\n", k+1, k+1)
		}
		b.WriteString("  ROOT r = f32[64] copy(x60)\n}\n")
		text := strings.Replace(b.String(), "  x1 =", "  yx0 = f32[64] cosine(p)\n  x1 =", 1)
		compilesSoon(t, text)
	}
}

// TestDoublingBits is TestDoubling, with fewer steps, for numbers of iterations, masks of these, and bits of floats, on
// both tiers of machine code.
func TestDoublingBits(t *testing.T) {
	const index = "i = s32[4,300] iota(), iota_dimension=1\n"
	for _, test := range []struct{ name, first, step, last string }{
		{"numbers", index + "x0 = s32[4,300] add(i, i)\n",
			"y% = s32[4,300] add(x%, i)\nx$ = s32[4,300] add(x%, y%)\n",
			"zero = s32[] constant(0)\nnone = s32[4,300] broadcast(zero), dimensions={}\n" +
				"m = pred[4,300] compare(x40, none), direction=GE\nROOT r = f32[4,300] select(m, p, q)\n"},
		{"masks", index + "zero = s32[] constant(0)\nnone = s32[4,300] broadcast(zero), dimensions={}\n" +
			"x0 = pred[4,300] compare(i, none), direction=GT\n",
			"c% = s32[] constant(2%)\nb% = s32[4,300] broadcast(c%), dimensions={}\n" +
				"d% = s32[] constant(1%)\ne% = s32[4,300] broadcast(d%), dimensions={}\n" +
				"l% = pred[4,300] compare(i, b%), direction=LT\ng% = pred[4,300] compare(i, e%), direction=GE\n" +
				"y% = pred[4,300] and(x%, l%)\nz% = pred[4,300] and(x%, g%)\nx$ = pred[4,300] and(y%, z%)\n",
			"ROOT r = f32[4,300] select(x40, p, q)\n"},
		{"bits", "s = u32[] constant(16)\nby = u32[4,300] broadcast(s), dimensions={}\n" +
			"bp = u32[4,300] bitcast-convert(p)\nbq = u32[4,300] bitcast-convert(q)\n" +
			"x0 = u32[4,300] shift-left(bp, by)\ny0 = u32[4,300] shift-left(bq, by)\n",
			"x$ = u32[4,300] add(x%, y%)\ny$ = u32[4,300] add(x$, y%)\n",
			"f = f32[4,300] bitcast-convert(x40)\nROOT r = bf16[4,300] convert(f)\n"},
	} {
		var b strings.Builder
		b.WriteString("HloModule m\nENTRY e {\np = f32[4,300] parameter(0)\nq = f32[4,300] parameter(1)\n" + test.first)
		for k := range 40 {
			b.WriteString(strings.NewReplacer("%", fmt.Sprint(k), "$", fmt.Sprint(k+1)).Replace(test.step))
		}
		b.WriteString(test.last + "}\n")
		for _, tier := range []string{"avx512", "avx2"} {
			t.Run(test.name+"_"+tier, func(t *testing.T) {
				t.Setenv(exec.TierEnv, tier)
				compilesSoon(t, b.String())
			})
		}
	}
}

func compilesSoon(t *testing.T, text string) {
	t.Helper()
	m, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(1)
	defer pool.Close()
	ended := make(chan error, 1)
	go func() {
		p, err := cpu.Compile(context.Background(), m, cpu.Options{Pool: pool})
		if err == nil {
			p.Close()
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatalf("a minute was not enough for\n%s", text)
	}
}
