package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestNearRows: the input of short windows over rows of half floats is brought near where these do not fill vectors.
func TestNearRows(t *testing.T) {
	for _, test := range []struct {
		ty      string
		columns int
		eps     float64
		near    bool
	}{{"bf16", 14, 1.0 / 128, true}, {"f16", 28, 1e-3, true}, {"f16", 7, 1e-3, true}, {"bf16", 32, 1.0 / 128, false},
		{"f32", 28, 1e-6, false}} {
		text := fmt.Sprintf(`HloModule c

ENTRY e {
  x = %[1]s[2,48,30,%[2]d] parameter(0)
  k = %[1]s[48,1,3,3] parameter(1)
  ROOT y = %[1]s[2,48,30,%[2]d] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01,
    feature_group_count=48
}
`, test.ty, test.columns)
		onTwoThreads(t, text, test.eps, func(_ string, p *cpu.Program) {
			if near := strings.Contains(p.Plan().Text(true), "scratch"); near != test.near {
				t.Errorf("rows of %d %s: brought near: %t, want %t", test.columns, test.ty, near, test.near)
			}
		})
	}
}

// TestNearBlocks: blocks of features are brought near whose last one has fewer, unless windows move on by so much that
// elements take part in few products, or machine code makes the sums of rows where the input is. That it does for rows
// that crowd a little if they are not far away.
func TestNearBlocks(t *testing.T) {
	for _, test := range []struct {
		ty                string
		batch, in, out    int
		size, window, dim string
		eps               float64
		near, rows        bool
	}{
		{"f32", 1, 72, 72, "5,5", "5x5 pad=2_2x2_2", "19,21", 1e-6, true, true},
		{"f32", 3, 52, 52, "5,5", "5x5 pad=2_2x2_2", "19,21", 1e-6, true, true},
		{"f32", 1, 61, 61, "5,5", "5x5", "15,17", 1e-6, true, true},
		{"f32", 1, 30, 60, "5,5", "5x5 pad=2_2x2_2", "19,21", 1e-6, true, false},
		{"f64", 1, 53, 53, "5,5", "5x5 pad=2_2x2_2", "19,21", 1e-12, true, true},
		{"bf16", 1, 120, 120, "5,5", "5x5 pad=2_2x2_2", "19,21", 1.0 / 128, true, false},
		{"f16", 2, 75, 75, "5,5", "5x5 pad=2_2x2_2 rhs_reversal=1x1", "19,21", 1e-3, true, false},
		{"f32", 2, 64, 64, "5,5", "5x5 stride=2x2 pad=2_2x2_2", "10,11", 1e-6, false, true},
		{"bf16", 2, 50, 50, "5,5", "5x5 stride=2x1 pad=2_2x2_2", "10,21", 1.0 / 128, true, false},
		{"f32", 1, 512, 512, "5,5", "5x5 pad=2_2x2_2", "19,21", 1e-6, true, false},
		{"f32", 1, 192, 192, "7,5", "7x5 pad=3_3x2_2", "19,21", 1e-6, true, true},
		{"f32", 2, 192, 192, "7,5", "7x5 pad=3_3x2_2", "19,21", 1e-6, true, false},
		{"f32", 2, 50, 50, "7,7", "7x7 stride=2x2 pad=3_3x3_3", "10,11", 1e-6, true, true},
	} {
		text := fmt.Sprintf(`HloModule c

ENTRY e {
  x = %[1]s[%[2]d,19,21,%[3]d] parameter(0)
  k = %[1]s[%[5]s,1,%[4]d] parameter(1)
  ROOT y = %[1]s[%[2]d,%[7]s,%[4]d] convolution(x, k), window={size=%[6]s}, dim_labels=b01f_01io->b01f,
    feature_group_count=%[3]d
}
`, test.ty, test.batch, test.in, test.out, test.size, test.window, test.dim)
		onPools(t, text, test.eps, func(tier string, p *cpu.Program) {
			want := test.near && !(test.rows && tier != "portable")
			if near := strings.Contains(p.Plan().Text(true), "scratch"); near != want {
				t.Errorf("%s, %d %s, %s: brought near: %t, want %t", tier, test.in, test.ty, test.window, near, want)
			}
		})
	}
}

// TestNearGroups: the input of windows over groups of few features is brought near where several taps read it, with
// zeros around it or with none, and in the place of a pad where a kernel computes it. Windows that leap over it are
// multiplied where it is.
func TestNearGroups(t *testing.T) {
	for _, test := range []struct {
		size, window, dim string
		computed, near    bool
	}{
		{"3,3", "3x3 pad=1_1x1_1", "20,23", false, true},
		{"3,3", "3x3 pad=1_1x1_1", "20,23", true, true},
		{"3,3", "3x3", "18,21", false, true},
		{"2,3", "2x3 stride=1x2 rhs_dilate=3x1", "17,11", true, true},
		{"1,1", "1x1", "20,23", false, false},
		{"3,3", "3x3 stride=2x2", "9,11", false, false},
		{"3,3", "3x3 stride=2x2 pad=1_1x1_1", "10,12", true, false},
	} {
		input := "x"
		if test.computed {
			input = "r"
		}
		text := fmt.Sprintf(`HloModule c

ENTRY e {
  x = f32[3,20,23,64] parameter(0)
  k = f32[%s,4,64] parameter(1)
  r = f32[3,20,23,64] exponential(x)
  ROOT y = f32[3,%s,64] convolution(%s, k), window={size=%s}, dim_labels=b01f_01io->b01f, feature_group_count=16
}
`, test.size, test.dim, input, test.window)
		onPools(t, text, 2e-6, func(tier string, p *cpu.Program) {
			want := test.near && tier != "portable"
			if near := strings.Contains(p.Plan().Text(true), "zeros around a"); near != want {
				t.Errorf("%s, %s, computed: %t: brought near: %t, want %t", tier, test.window, test.computed, near, want)
			}
		})
	}
}
