package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestConvolutionGradients: gradients of weights of bf16, which tiles multiply with the kernel as A, convolutions that
// have that order as they are, and those of few features: the same bits on any number of threads.
func TestConvolutionGradients(t *testing.T) {
	const text = `  x = bf16[%X] parameter(0)
  k = bf16[%K] parameter(1)
  ROOT y = %T[%Y] convolution(x, k), window={size=%W}, dim_labels=%L
`
	for _, test := range []struct{ name, ty, x, k, y, window, labels string }{
		{"features_last", "f32", "8,12,12,32", "8,12,12,32", "3,3,32,32", "12x12 pad=1_1x1_1", "f01b_i01o->01bf"},
		{"rounded", "bf16", "4,16,24,40", "4,16,24,48", "3,3,40,48", "16x24 pad=1_1x1_1", "f01b_i01o->01bf"},
		{"steps", "f32", "8,13,14,32", "8,12,12,32", "2,2,32,32", "12x12 stride=1x2", "f01b_i01o->01bf"},
		{"line", "f32", "8,260,64", "8,256,64", "5,64,64", "256", "f0b_i0o->0bf"},
		{"in_order", "f32", "14,14,8,32", "12,12,8,32", "32,3,3,32", "12x12", "01fb_01io->f01b"},
		{"colors", "bf16", "2,75,78,3", "7,7,3,24", "2,38,39,24", "7x7 stride=2x2 pad=3_3x3_3", "b01f_01io->b01f"},
		{"planes_of_colors", "f32", "2,3,40,33", "40,3,3,3", "2,40,40,33", "3x3 pad=1_1x1_1", "bf01_oi01->bf01"},
		{"holes_of_one_tap", "f32", "2,14,13,48", "1,1,32,48", "2,28,25,32",
			"1x1 pad=0_1x0_0 lhs_dilate=2x2", "b01f_01oi->b01f"},
		{"holes_of_one_tap_in_planes", "f32", "2,48,9,9", "1,1,32,48", "2,32,27,18",
			"1x1 pad=1_1x-1_2 lhs_dilate=3x2", "bf01_01oi->bf01"},
		{"holes_of_a_row", "bf16", "2,9,9,16", "1,3,32,16", "2,17,19,32",
			"1x3 pad=0_0x2_2 lhs_dilate=2x2", "b01f_01oi->b01f"},
		{"even", "f32", "1,20,21,6", "3,3,6,16", "1,20,21,16", "3x3 pad=1_1x1_1", "b01f_01io->b01f"},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := strings.NewReplacer("%T", test.ty, "%X", test.x, "%K", test.k, "%Y", test.y, "%W", test.window,
				"%L", test.labels).Replace(text)
			eps := map[string]float64{"f32": 1e-5, "bf16": 8e-3}[test.ty]
			onThreads(t, "HloModule m\nENTRY e {\n"+body+"}\n", eps, func(string, *cpu.Program) {}, 1, 2, 3)
		})
	}
}
