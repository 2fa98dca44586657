package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestConvolutionPlanes: convolutions of few features whose places are innermost, and short groups of features, on
// every tier: what the plan has in it, and the values.
func TestConvolutionPlanes(t *testing.T) {
	const text = `  x = %T[%X] parameter(0)
  k = %T[%K] parameter(1)
  ROOT y = %T[%Y] convolution(x, k), window={size=%W}, dim_labels=%L, feature_group_count=%G
`
	const windows = "in windows"
	for _, test := range []struct{ name, ty, x, k, y, window, labels, groups, want string }{
		{"planes", "f32", "2,32,14,28", "32,8,3,3", "2,32,14,28", "3x3 pad=1_1x1_1", "bf01_oi01->bf01", "4", windows},
		{"halved", "f32", "2,32,14,50", "32,4,3,3", "2,32,7,25", "3x3 stride=2x2 pad=1_1x1_1", "bf01_oi01->bf01", "8",
			windows},
		{"halved_inside", "f32", "8,6,9,33", "4,6,2,2", "8,4,8,16", "2x2 stride=1x2", "bf01_oi01->bf01", "1", windows},
		{"halved_dilated", "f64", "1,16,11,40", "32,2,2,7", "1,32,5,19",
			"2x7 stride=2x2 pad=0_0x4_5 rhs_dilate=1x2 rhs_reversal=0x1", "bf01_oi01->bf01", "8", windows},
		{"halved_of_other_kernels", "f32", "2,16,14,50", "3,3,2,16", "2,16,7,25", "3x3 stride=2x2 pad=1_1x1_1",
			"bf01_01io->bf01", "8", windows},
		{"few_halved", "f32", "1,24,14,50", "24,4,3,3", "1,24,7,25", "3x3 stride=2x2 pad=1_1x1_1", "bf01_oi01->bf01", "6",
			""},
		{"halved_rows", "f32", "3,24,61", "24,3,5", "3,24,31", "5 stride=2 pad=2_2", "bf0_oi0->bf0", "8", ""},
		{"thirds", "f32", "2,32,14,75", "32,4,3,3", "2,32,14,25", "3x3 stride=1x3 pad=1_1x0_0", "bf01_oi01->bf01", "8", ""},
		{"other_kernels", "f32", "2,32,14,28", "3,3,8,32", "2,32,14,28", "3x3 pad=1_1x1_1", "bf01_01io->bf01", "4", windows},
		{"f64", "f64", "1,24,9,23", "48,8,3,3", "1,48,9,23", "3x3 pad=1_1x1_1", "bf01_oi01->bf01", "3", windows},
		{"rows_apart", "f32", "1,8,21,30", "8,8,3,3", "1,8,11,30", "3x3 stride=2x1 pad=1_1x1_1", "bf01_oi01->bf01", "1",
			windows},
		{"reversed", "f32", "1,8,12,46", "16,4,2,3", "1,16,12,44", "2x3 pad=1_0x0_0 rhs_reversal=1x1", "bf01_oi01->bf01",
			"2", windows},
		{"dilated", "f32", "2,16,300", "16,16,3", "2,16,300", "3 pad=8_0 rhs_dilate=4", "bf0_oi0->bf0", "1", windows},
		{"volumes", "f32", "1,8,4,6,30", "8,4,3,3,3", "1,8,4,6,30", "3x3x3 pad=1_1x1_1x1_1", "bf012_oi012->bf012", "2",
			windows},
		{"many_features", "f32", "2,16,6,32", "72,16,3,3", "2,72,6,32", "3x3 pad=1_1x1_1", "bf01_oi01->bf01", "1", windows},
		{"deep_to_few", "f32", "2,20,9,30", "3,20,9,7", "2,3,9,30", "9x7 pad=4_4x3_3", "bf01_oi01->bf01", "1", windows},
		{"deep", "f32", "1,128,9,30", "16,128,3,3", "1,16,9,30", "3x3 pad=1_1x1_1", "bf01_oi01->bf01", "1", "transpose"},
		{"padded_rows", "f32", "1,64,12,56", "64,64,3,3", "1,64,12,56", "3x3 pad=1_1x1_1", "bf01_oi01->bf01", "1",
			"transpose"},
		{"parted", "f32", "1,3,130,128", "64,3,7,7", "1,64,65,64", "7x7 stride=2x2 pad=3_3x3_3", "bf01_oi01->bf01", "1",
			"f32[168,4160]"},
		{"parted_odd", "f32", "3,2,66,125", "7,7,3,32", "2,32,66,63", "7x7 stride=1x2 pad=3_3x3_3", "fb01_01io->bf01", "1",
			"f32[168,4158]"},
		{"parted_by_3", "f64", "1,2,130,191", "7,8,18,2", "1,18,130,63", "8x7 stride=1x3 pad=3_4x2_2", "bf01_10oi->bf01", "1",
			"f64[144,8190]"},
		{"parts_of_few", "f32", "1,3,64,64", "64,3,7,7", "1,64,32,32", "7x7 stride=2x2 pad=3_3x3_3", "bf01_oi01->bf01",
			"1", "transpose"},
		{"parts_of_short", "f32", "1,3,130,256", "64,3,3,3", "1,64,65,128", "3x3 stride=2x2 pad=1_1x1_1",
			"bf01_oi01->bf01", "1", "transpose"},
		{"one_line", "f32", "1,24,1024", "40,24,3", "1,40,1024", "3 pad=2_0", "bf0_oi0->bf0", "1", windows},
		{"few_taps_hit", "f32", "2,8,14,30", "12,8,3,5", "2,12,14,30", "3x5 stride=1x3 pad=1_1x2_2 lhs_dilate=1x3",
			"bf01_oi01->bf01", "1", ""},
		{"batch_innermost", "f32", "9,9,10,24", "3,3,8,48", "9,10,9,48", "3x3 pad=1_1x1_1", "b01f_01io->01bf", "3", ""},
		{"gathered", "f32", "2,9,10,96", "3,3,12,96", "2,9,10,96", "3x3 pad=1_1x1_1", "b01f_01io->b01f", "8", "[8:144]"},
		{"edges", "f32", "2,41,40,32", "3,3,32,4", "2,41,40,4", "3x3 pad=1_1x1_1", "b01f_01io->b01f", "1", "b2 = b0 * b1"},
		{"edges_of_strided_windows", "f64", "1,60,61,16", "3,3,16,8", "1,30,31,8", "3x3 stride=2x2 pad=0_1x1_1",
			"b01f_01io->b01f", "1", "b2 = b0 * b1"},
		{"edges_of_dilated_windows", "f32", "2,2000,32", "5,32,12", "2,2000,12", "5 pad=6_6 rhs_dilate=3 rhs_reversal=1",
			"b0f_0io->b0f", "1", "b2 = b0 * b1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := strings.NewReplacer("%T", test.ty, "%X", test.x, "%K", test.k, "%Y", test.y, "%W", test.window,
				"%L", test.labels, "%G", test.groups).Replace(text)
			eps := 1e-6
			if test.ty == "f64" {
				eps = 1e-15
			}
			onTwoThreads(t, "HloModule m\nENTRY e {\n"+body+"}\n", eps, func(tier string, p *cpu.Program) {
				machine := tier != "portable" || test.want != windows
				if plan := p.Plan().String(); machine && !strings.Contains(plan, test.want) {
					t.Errorf("%s: expected %q in\n%s", tier, test.want, plan)
				}
			})
		})
	}
}

// TestConvolutionOfTurnedPad: convolutions of a pad whose dimensions are in another order, cut or brought together, on
// every tier: products that slide along places read the value itself.
func TestConvolutionOfTurnedPad(t *testing.T) {
	const text = `HloModule m

ENTRY e {
  x = f32[2,16,30,32] parameter(0)
  k = f32[%K] parameter(1)
  z = f32[] constant(0)
  p = f32[2,16,32,34] pad(x, z), padding=0_0x0_0x1_1x1_1
  t = f32[%T] transpose(p), dimensions={%O}
  r = f32[%R] reshape(t)
  ROOT y = f32[%Y] convolution(r, k), window={size=3x3}, dim_labels=%L%G
}
`
	for _, test := range []struct{ name, order, turned, reshaped, k, y, labels, groups string }{
		{"places_turned", "0,2,1,3", "2,32,16,34", "4,16,16,34", "16,16,3,3", "4,16,14,32", "bf01_oi01->bf01", ""},
		{"batch_turned", "1,0,2,3", "16,2,32,34", "2,16,32,34", "16,16,3,3", "2,16,30,32", "bf01_oi01->bf01", ""},
		{"batch_of_two", "0,2,3,1", "2,32,34,16", "4,16,34,16", "3,3,16,24", "4,14,32,24", "b01f_01io->b01f", ""},
		{"groups_across", "0,2,3,1", "2,32,34,16", "8,8,34,16", "3,3,16,32", "2,6,32,32", "b01f_01io->b01f",
			", batch_group_count=4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := strings.NewReplacer("%T", test.turned, "%O", test.order, "%R", test.reshaped, "%K", test.k, "%Y", test.y,
				"%L", test.labels, "%G", test.groups).Replace(text)
			onTwoThreads(t, body, 1e-6, func(tier string, p *cpu.Program) {
				if plan := p.Plan().String(); !strings.Contains(plan, "gemm") {
					t.Errorf("%s: expected a product in\n%s", tier, plan)
				}
			})
		})
	}
}
