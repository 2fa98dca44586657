package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestCutPlaces: convolutions and windows whose loops over places are cut, on every tier.
func TestCutPlaces(t *testing.T) {
	const conv = `  x = f32[%X] parameter(0)
  k = f32[%K] parameter(1)
  ROOT y = f32[%Y] convolution(x, k), window={%W}, dim_labels=%L, feature_group_count=%G
`
	for _, test := range []struct{ name, x, k, y, window, labels, groups, count string }{
		{"padded", "2,20,22,24", "3,3,1,24", "2,20,22,24", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", "24",
			"when 1 <= "},
		{"ends", "2,20,22,24", "3,3,1,24", "2,20,22,24", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", "24", "when 19 <= "},
		{"many_ends", "2,20,22,24", "5,2,1,24", "2,20,22,24", "size=5x2 pad=2_2x1_0", "b01f_01io->b01f", "24",
			"when not 2 <= "},
		{"one_image", "1,20,22,24", "3,3,1,24", "1,20,22,24", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", "24",
			"when 1 <= "},
		{"strided", "1,21,23,512", "7,7,1,512", "1,11,12,512", "size=7x7 stride=2x2 pad=3_3x3_3", "b01f_01io->b01f", "512",
			"scratch"},
		{"strided_short", "2,21,23,20", "5,3,1,40", "2,11,12,40", "size=5x3 stride=2x2 pad=2_2x1_1", "b01f_01io->b01f", "20",
			"when 1 <= "},
		{"dilated", "2,20,24,24", "3,3,1,24", "2,20,24,24", "size=3x3 pad=2_2x2_2 rhs_dilate=2x2", "b01f_01io->b01f", "24",
			"when 2 <= "},
		{"transposed", "2,11,13,24", "4,4,1,24", "2,22,26,24", "size=4x4 pad=2_2x2_2 lhs_dilate=2x2", "b01f_01io->b01f", "24",
			"when 10 <= "},
		{"transposed_odd", "2,11,12,24", "3,3,1,24", "2,21,23,24", "size=3x3 pad=1_1x1_1 lhs_dilate=2x2 rhs_reversal=1x1",
			"b01f_01io->b01f", "24", "when 0 <= "},
		{"holes_and_steps", "1,20,30,24", "4,3,1,24", "1,19,29,24",
			"size=4x3 stride=2x3 pad=1_0x2_0 lhs_dilate=2x3 rhs_dilate=1x2 rhs_reversal=0x1", "b01f_01io->b01f", "24", ""},
		{"without_taps", "2,12,13,24", "1,1,1,24", "2,23,25,24", "size=1x1 lhs_dilate=2x2", "b01f_01io->b01f", "24", ""},
		{"features_first", "2,12,20,70", "12,1,3,3", "2,12,20,70", "size=3x3 pad=1_1x1_1", "bf01_oi01->bf01", "12",
			"parallel for i3 < 3 "},
		{"lines", "2,100,40", "4,1,40", "2,100,40", "size=4 pad=3_0", "b0f_0io->b0f", "40", ""},
		{"volumes", "1,6,18,20,8", "3,3,3,1,8", "1,4,18,20,8", "size=3x3x3 pad=0_0x1_1x1_1", "b012f_012io->b012f", "8",
			"scratch"},
		{"near_tiles", "1,40,33,128", "7,7,1,128", "1,40,33,128", "size=7x7 pad=3_3x3_3", "b01f_01io->b01f", "128",
			"scratch"},
		{"near_block", "1,24,25,24", "5,5,1,24", "1,12,25,24", "size=5x5 stride=2x1 pad=1_2x2_2", "b01f_01io->b01f", "24",
			"scratch"},
		{"near_places", "2,12,21,30", "12,1,3,5", "2,12,11,15", "size=3x5 stride=2x2 pad=1_1x2_2", "bf01_oi01->bf01", "12",
			"scratch"},
		{"near_reversed", "2,6,24,41", "6,1,5,5", "2,6,16,13",
			"size=5x5 stride=1x3 pad=0_0x3_3 rhs_dilate=2x2 rhs_reversal=0x1", "bf01_oi01->bf01", "6", "scratch"},
		{"near_holes", "1,20,18,16", "8,8,1,16", "1,40,36,16", "size=8x8 pad=4_4x4_4 lhs_dilate=2x2", "b01f_01io->b01f",
			"16", "scratch"},
		{"near_many", "1,14,28,256", "5,5,1,256", "1,14,28,256", "size=5x5 pad=2_2x2_2", "b01f_01io->b01f", "256",
			"scratch"},
		{"near_nine", "1,13,18,17", "7,7,1,17", "1,13,18,17", "size=7x7 pad=3_3x3_3", "b01f_01io->b01f", "17", "scratch"},
		{"near_rows", "2,7,28,19", "7,1,7,7", "2,7,28,19", "size=7x7 pad=3_3x3_3", "bf01_oi01->bf01", "7", "scratch"},
		{"near_several", "2,14,15,8", "5,5,1,24", "2,14,15,24", "size=5x5 pad=2_2x2_2", "b01f_01io->b01f", "8", "scratch"},
		{"lanes_in_front", "3,1,19,10,6", "1,4,4,4,19", "19,19,6,1,1",
			"size=4x4x4 pad=1_2x1_2x0_1 lhs_dilate=1x2x1", "2bf10_i012o->f102b", "19", ""},
		{"groups", "2,20,41,12", "3,3,2,12", "2,20,41,12", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", "6", "when 1 <= "},
		{"groups_short", "2,20,21,12", "3,3,2,12", "2,20,21,12", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", "6", "nest pad"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "HloModule c\n\nENTRY e {\n" + strings.NewReplacer("%X", test.x, "%K", test.k, "%Y", test.y, "%W",
				test.window, "%L", test.labels, "%G", test.groups).Replace(conv) + "}\n"
			onTwoThreads(t, text, dotTypes[0].eps, func(tier string, p *cpu.Program) {
				if nests := p.Plan().Text(true); !strings.Contains(nests, test.count) {
					t.Errorf("%s: expected %q in\n%s", tier, test.count, nests)
				}
			})
		})
	}
}

// TestNearFeatures: convolutions of groups of few features, whose vectors hold several groups, on every tier.
func TestNearFeatures(t *testing.T) {
	for _, test := range []struct{ ty, x, k, y, groups string }{
		{"f32", "2,9,10,16", "3,3,1,32", "2,7,8,32", "16"},
		{"f32", "2,9,10,12", "3,3,1,36", "2,7,8,36", "12"},
		{"f32", "2,9,10,64", "3,3,4,64", "2,7,8,64", "16"},
		{"f32", "1,9,10,32", "3,3,2,48", "1,7,8,48", "16"},
		{"f32", "1,9,10,35", "3,3,1,175", "1,7,8,175", "35"},
		{"f64", "1,9,10,16", "3,3,2,32", "1,7,8,32", "8"},
		{"bf16", "1,9,10,32", "3,3,2,32", "1,7,8,32", "16"},
		{"s32", "1,9,10,32", "3,3,4,64", "1,7,8,64", "8"},
	} {
		text := strings.NewReplacer("%T", test.ty, "%X", test.x, "%K", test.k, "%Y", test.y, "%G", test.groups).Replace(
			`HloModule c

ENTRY e {
  x = %T[%X] parameter(0)
  k = %T[%K] parameter(1)
  ROOT y = %T[%Y] convolution(x, k), window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=%G
}
`)
		eps := dotTypes[0].eps
		if test.ty == "bf16" {
			eps = 1.0 / 128
		}
		onTwoThreads(t, text, eps, func(string, *cpu.Program) {})
	}
}
