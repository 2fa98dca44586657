package cpu_test

import (
	"math"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestConvolutionTaps: gradients of depthwise weights, which are sums for each tap, on every tier.
func TestConvolutionTaps(t *testing.T) {
	const text = `  x = %T[%X] parameter(0)
  k = %T[%K] parameter(1)
  ROOT y = %T[%Y] convolution(x, k), window={size=%W}, dim_labels=%L, batch_group_count=%G
`
	const last, first = "f01b_i01o->01bf", "fb01_io01->bf01"
	for _, test := range []struct {
		name, ty, x, k, y, window, labels, groups string
		sums                                      bool
	}{
		{"features_last", "f32", "2,20,21,24", "2,20,21,24", "3,3,1,24", "20x21 pad=1_1x1_1", last, "24", true},
		{"blocks", "f32", "1,24,64,40", "1,24,64,40", "3,3,1,40", "24x64 pad=1_1x1_1", last, "40", true},
		{"valid", "f32", "2,22,23,24", "2,20,21,24", "3,3,1,24", "20x21", last, "24", true},
		{"strided", "f64", "2,28,28,24", "2,14,14,24", "3,3,1,24", "14x14 pad=0_1x0_1 rhs_dilate=2x2", last, "24", true},
		{"dilated", "f32", "3,18,17,16", "3,18,17,16", "3,2,1,16", "18x17 stride=2x3 pad=2_2x1_2", last, "16", true},
		{"beyond", "f32", "1,20,20,32", "1,20,20,32", "2,3,1,32", "20x20 stride=21x1 pad=1_21x1_1", last, "32", true},
		{"lines", "f32", "4,110,40", "4,110,40", "4,1,40", "110 pad=3_0", "f0b_i0o->0bf", "40", true},
		{"planes", "f32", "2,24,20,21", "2,24,20,21", "1,24,3,3", "20x21 pad=1_1x1_1", first, "24", true},
		{"planes_of_f64", "f64", "2,16,20,21", "2,16,20,21", "1,16,3,2", "20x21 pad=1_1x2_-1", first, "16", true},
		{"rows", "f32", "3,16,13,28", "3,16,13,28", "1,16,3,3", "13x28 pad=1_1x1_1", first, "16", true},
		{"rows_of_f64", "f64", "2,16,19,16", "2,16,19,14", "1,16,3,3", "19x14 pad=1_1x0_0", first, "16", true},
		{"steps_in_rows", "f32", "2,16,20,33", "2,16,18,29", "1,16,2,3", "18x29 stride=2x2 pad=0_0x0_0", first, "16", true},
		{"volumes", "f32", "3,16,5,6,14", "3,16,5,6,14", "1,16,1,2,3", "5x6x14 pad=0_0x1_0x1_1", "fb012_io012->bf012", "16",
			true},
		{"moved_planes", "f32", "2,24,40,41", "2,24,40,41", "1,24,1,1", "40x41 pad=1_-1x2_-2", first, "24", true},
		{"steps_in_planes", "f32", "2,24,20,21", "2,24,18,17", "1,24,2,3", "18x17 stride=2x2 pad=0_0x0_0", first, "24", true},
		{"strided_planes", "f32", "2,24,28,28", "2,24,14,14", "1,24,3,3", "14x14 pad=0_1x0_1 rhs_dilate=2x2", first, "24",
			false},
		{"many_taps", "f32", "2,20,21,24", "2,20,21,24", "5,5,1,24", "20x21 pad=2_2x2_2", last, "24", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := strings.NewReplacer("%T", test.ty, "%X", test.x, "%K", test.k, "%Y", test.y, "%W", test.window,
				"%L", test.labels, "%G", test.groups).Replace(text)
			eps := 1e-6
			if test.ty == "f64" {
				eps = math.Ldexp(eps, -29) // of as many bits less
			}
			onTwoThreads(t, "HloModule m\nENTRY e {\n"+body+"}\n", eps, func(tier string, p *cpu.Program) {
				if got := strings.Contains(p.Plan().String(), "kernel reduce"); got != test.sums {
					t.Errorf("%s: expected sums for each tap: %v, got %v:\n%s", tier, test.sums, got, p.Plan())
				}
				if strings.Contains(test.name, "rows") && strings.Contains(p.Plan().String(), "kernel pad") {
					t.Errorf("%s: expected rows that are where they were, got\n%s", tier, p.Plan())
				}
			})
		})
	}
}
