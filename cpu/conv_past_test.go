package cpu_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/internal/racetest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestDepthwisePast compares depthwise convolutions whose results go past the caches with the evaluator: of features
// that fill lines, or end in the middle of one, and of windows with strides, dilations and padding.
func TestDepthwisePast(t *testing.T) {
	for _, c := range []struct {
		ty                         string
		high, wide, features, taps int
		window, result             string
	}{
		{"f32", 64, 130, 64, 3, "size=3x3 pad=1_1x1_1", "1,64,130,64"},
		{"f32", 80, 140, 48, 3, "size=3x3 pad=2_0x0_1 rhs_dilate=1x2", "1,80,137,48"},
		{"f32", 60, 122, 72, 5, "size=5x5 pad=2_2x3_3", "1,60,124,72"},
		{"f32", 150, 150, 96, 3, "size=3x3 pad=1_0x0_2 stride=2x2", "1,75,75,96"},
		{"f64", 62, 75, 60, 3, "size=3x3 pad=1_1x1_1", "1,62,75,60"},
	} {
		testPast(t, fmt.Sprintf(`HloModule c

ENTRY e {
  x = %[1]s[1,%[2]d,%[3]d,%[4]d] parameter(0)
  k = %[1]s[%[5]d,%[5]d,1,%[4]d] parameter(1)
  ROOT y = %[1]s[%[7]s] convolution(x, k), window={%[6]s}, dim_labels=b01f_01io->b01f, feature_group_count=%[4]d
}
`, c.ty, c.high, c.wide, c.features, c.taps, c.window, c.result))
	}
}

func testPast(t *testing.T, text string) {
	t.Helper()
	prog, err := xla.Parse("program.hlo", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := prog.Module()
	args := argumentsOf(rand.New(rand.NewPCG(3, 19)), m)
	var want, first literal.Literal
	if !racetest.Enabled {
		if want, err = interp.New(t.Context(), interp.Options{}).Computation(m.Entry(), args); err != nil {
			t.Fatal(err)
		}
	}
	for _, threads := range []int{1, 2, 3} {
		pool := exec.NewPool(threads)
		defer pool.Close()
		p, err := cpu.CompileWith(t.Context(), m, cpu.Options{Pool: pool}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if plan := p.Plan().Text(true); !strings.Contains(plan, "write stream") {
			t.Fatalf("the result does not go past the caches:\n%s", plan)
		}
		got, err := p.Run(t.Context(), args, nil)
		if err != nil {
			t.Fatal(err)
		}
		if threads == 1 {
			first = got
		}
		if !bytes.Equal(got.Bytes(), first.Bytes()) {
			t.Errorf("%d threads: other bits than of one\n%s", threads, text)
		}
		for k := 0; want.IsValid() && k < want.Len(); k++ {
			if a, b := got.FloatAt(k), want.FloatAt(k); math.Abs(a-b) > 1e-5*(1+math.Abs(b)) {
				t.Fatalf("%d threads: [%d]: expected %v, got %v\n%s", threads, k, b, a, text)
			}
		}
	}
}
