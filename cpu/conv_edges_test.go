package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestEdgesOfGroups: windows over groups of few features that move on by several elements have products at the edges
// of the input instead of zeros around it, with the same bits for any number of threads.
func TestEdgesOfGroups(t *testing.T) {
	for _, test := range []struct {
		ty, x     string
		features  int
		window, y string
		edges     int // products, if they are of edges
	}{
		{"f32", "1,57,58,32", 4, "3x3 stride=2x2 pad=1_1x1_1", "1,29,29,32", 6},
		{"f32", "2,40,41,32", 2, "5x3 stride=2x3 pad=2_2x1_1", "2,20,14,32", 6},
		{"f64", "1,61,40,32", 4, "3x3 stride=2x2 pad=0_1x0_1 rhs_reversal=1x1", "1,30,20,32", 2},
		{"f32", "1,57,58,32", 4, "3x3 stride=2x1 pad=1_1x1_1", "1,29,58,32", 0},   // moves on by too little
		{"f32", "1,57,58,32", 8, "3x3 stride=2x2 pad=1_1x1_1", "1,29,29,32", 0},   // features enough
		{"f32", "1,30,31,32", 4, "3x3 stride=2x2 pad=1_1x1_1", "1,15,16,32", 0},   // a small input
		{"bf16", "2,57,58,32", 4, "3x3 stride=2x2 pad=1_1x1_1", "2,29,29,32", 0},  // widened where it is brought
		{"f32", "1,192,190,32", 4, "3x3 stride=2x2 pad=1_1x1_1", "1,96,95,32", 0}, // a large input
	} {
		size, _, _ := strings.Cut(test.window, " ")
		text := fmt.Sprintf(`HloModule c

ENTRY e {
  x = %[1]s[%[2]s] parameter(0)
  k = %[1]s[%[3]s,%[4]d,32] parameter(1)
  ROOT y = %[1]s[%[5]s] convolution(x, k), window={size=%[6]s}, dim_labels=b01f_01io->b01f, feature_group_count=%[7]d
}
`, test.ty, test.x, strings.ReplaceAll(size, "x", ","), test.features, test.y, test.window, 32/test.features)
		eps := map[string]float64{"f32": 1e-6, "f64": 1e-14, "bf16": 1.0 / 128}[test.ty]
		onPools(t, text, eps, func(tier string, p *cpu.Program) {
			plan := p.Plan().String()
			if got := strings.Count(plan, "gemm"); tier != "portable" && test.edges > 0 && got != test.edges {
				t.Errorf("%s: expected %d products, got %d in\n%s", tier, test.edges, got, plan)
			}
			if tier != "portable" && test.edges == 0 && strings.Count(plan, "gemm") > 1 {
				t.Errorf("%s: expected one product in\n%s", tier, plan)
			}
		})
	}
}

// TestEdgesOfSmall: windows over an input of more than 128 KB have products at its edges, unless the output features
// are few or the kernel is much beside it; with the same bits for any number of threads.
func TestEdgesOfSmall(t *testing.T) {
	for _, test := range []struct {
		x, k   string
		window string
		edges  bool
	}{
		{"1,56,56,16", "3,3,16,16", "3x3 pad=1_1x1_1", true},
		{"1,57,59,12", "3,3,12,9", "3x3 stride=2x2 pad=0_1x1_0", true},
		{"2,64,64,8", "3,3,8,8", "3x3 pad=2_2x2_2 rhs_dilate=2x2", true},
		{"1,40,40,16", "3,3,16,16", "3x3 pad=1_1x1_1", false}, // a small input
		{"1,56,56,16", "3,3,16,3", "3x3 pad=1_1x1_1", false},  // few features
		{"1,28,28,48", "3,3,48,48", "3x3 pad=1_1x1_1", false}, // a large kernel
		{"8,26,26,8", "3,3,8,16", "3x3 pad=1_1x1_1", false},   // short rows
	} {
		text := fmt.Sprintf(`HloModule c

ENTRY e {
  x = f32[%s] parameter(0)
  k = f32[%s] parameter(1)
  ROOT y = convolution(x, k), window={size=%s}, dim_labels=b01f_01io->b01f
}
`, test.x, test.k, test.window)
		onPools(t, text, 1e-5, func(tier string, p *cpu.Program) {
			plan := p.Plan().String()
			if got := strings.Count(plan, "gemm") > 1; tier != "portable" && got != test.edges {
				t.Errorf("%s: expected edges %t in\n%s", tier, test.edges, plan)
			}
		})
	}
}
