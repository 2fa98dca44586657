package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

// TestPixels: pixels of a few narrow colors that are turned around, picked, and joined, on every tier: the values, and
// that one kernel does it.
func TestPixels(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"colors_back", "ROOT y = %T[3,40,45,3] reverse(x), dimensions={3}"},
		{"pixels_back", "ROOT y = %T[3,40,45,3] reverse(x), dimensions={2}"},
		{"all_back", "ROOT y = %T[3,40,45,3] reverse(x), dimensions={1,2,3}"},
		{"every_second", "ROOT y = %T[3,20,23,3] slice(x), slice={[0:3], [0:40:2], [0:45:2], [0:3]}"},
		{"two_colors", "ROOT y = %T[3,40,45,2] slice(x), slice={[0:3], [0:40], [0:45], [1:3]}"},
		{"planes", "z = %T[3,3,40,45] reshape(x)\n ROOT y = %T[3,40,45,3] transpose(z), dimensions={0,2,3,1}"},
		{"color_more", "c = %T[] constant(1)\n ROOT y = %T[3,40,45,4] pad(x, c), padding=0_0x0_0x0_0x0_1"},
		{"color_less_and_more", "c = %T[] constant(1)\n ROOT y = %T[3,40,45,4] pad(x, c), padding=0_0x0_0x0_0x-1_2"},
		{"color_between", "c = %T[] constant(1)\n ROOT y = %T[3,40,45,5] pad(x, c), padding=0_0x0_0x0_0x0_0_1"},
		{"border", "c = %T[] constant(1)\n ROOT y = %T[3,44,48,3] pad(x, c), padding=0_0x2_2x2_1x0_0"},
		{"border_cut", "c = %T[] constant(1)\n ROOT y = %T[3,38,47,3] pad(x, c), padding=0_0x-1_-1x-2_4x0_0"},
		{"border_and_color", "c = %T[] constant(1)\n ROOT y = %T[3,40,48,4] pad(x, c), padding=0_0x0_0x2_1x0_1"},
		{"borders_and_color", "c = %T[] constant(1)\n ROOT y = %T[3,90,50,4] pad(x, c), padding=0_0x20_30x3_2x0_1"},
		{"long_borders_and_color", "c = %T[] constant(1)\n ROOT y = %T[3,90,106,4] pad(x, c), padding=0_0x20_30x30_31x0_1"},
		{"border_between", "c = %T[] constant(1)\n ROOT y = %T[3,79,92,3] pad(x, c), padding=0_0x0_0_1x2_1_1x0_0"},
		{"border_twice", "c = %T[] constant(1)\n z = %T[3,42,47,3] pad(x, c), padding=0_0x1_1x1_1x0_0\n" +
			"w = %T[3,42,40,3] slice(z), slice={[0:3], [0:42], [5:45], [0:3]}\n" +
			"ROOT y = %T[3,42,43,3] pad(w, c), padding=0_0x0_0x3_0x0_0"},
		{"one_more", "s = %T[3,40,45,1] slice(x), slice={[0:3], [0:40], [0:45], [1:2]}\n" +
			"ROOT y = %T[3,40,45,4] concatenate(s, x), dimensions={3}"},
		{"rolled", "a = %T[3,40,45,1] slice(x), slice={[0:3], [0:40], [0:45], [2:3]}\n" +
			"b = %T[3,40,45,2] slice(x), slice={[0:3], [0:40], [0:45], [0:2]}\n" +
			"ROOT y = %T[3,40,45,3] concatenate(a, b), dimensions={3}"},
		{"rolled_lines", "a = %T[3,1,45,3] slice(x), slice={[0:3], [39:40], [0:45], [0:3]}\n" +
			"b = %T[3,39,45,3] slice(x), slice={[0:3], [0:39], [0:45], [0:3]}\n" +
			"c = %T[3,40,45,3] concatenate(a, b), dimensions={1}\n ROOT y = %T[3,40,45,3] maximum(c, x)"},
		{"rolled_pixels", "a = %T[3,40,2,3] slice(x), slice={[0:3], [0:40], [43:45], [0:3]}\n" +
			"b = %T[3,40,43,3] slice(x), slice={[0:3], [0:40], [0:43], [0:3]}\n" +
			"c = %T[3,40,45,3] concatenate(a, b), dimensions={2}\n ROOT y = %T[3,40,45,3] maximum(c, x)"},
		{"rolled_images", "a = %T[1,40,45,3] slice(x), slice={[2:3], [0:40], [0:45], [0:3]}\n" +
			"b = %T[2,40,45,3] slice(x), slice={[0:2], [0:40], [0:45], [0:3]}\n" +
			"c = %T[3,40,45,3] concatenate(a, b), dimensions={0}\n ROOT y = %T[3,40,45,3] maximum(c, x)"},
		{"twice", "z = %T[3,40,45,2,3] broadcast(x), dimensions={0,1,2,4}\n ROOT y = %T[3,40,90,3] reshape(z)"},
		{"same_colors", "z = %T[3,40,45,3,3] broadcast(x), dimensions={0,1,2,3}\n ROOT y = %T[3,40,45,9] reshape(z)"},
		{"blocks", "z = %T[3,20,2,15,3,3] reshape(x)\n u = %T[3,20,15,2,3,3] transpose(z), dimensions={0,1,3,2,4,5}\n" +
			"ROOT y = %T[3,20,15,18] reshape(u)"},
	} {
		for _, ty := range []string{"u8", "bf16", "pred", "f32"} {
			t.Run(test.name+"_"+ty, func(t *testing.T) {
				body := strings.ReplaceAll("x = %T[3,40,45,3] parameter(0)\n"+test.body, "%T", ty)
				if ty == "pred" {
					body = strings.ReplaceAll(body, "constant(1)", "constant(true)")
				}
				onTwoThreads(t, fmt.Sprintf("HloModule m\nENTRY e {\n%s\n}\n", body), 0, func(tier string, p *cpu.Program) {
					plan := p.Plan().String()
					if n := strings.Count(plan, "  kernel "); n != 1 && tier != "portable" && ty != "f32" {
						t.Errorf("%s: expected one kernel, got\n%s", tier, plan)
					}
				})
			})
		}
	}
}

// TestPlanesToPixels: pixels of bytes that are computed from planes of wider elements, of rows that fill vectors and
// not, on every tier: the values, and that the colors of a pixel are stored side by side.
func TestPlanesToPixels(t *testing.T) {
	for _, test := range []struct {
		from, to      string
		colors, width int
	}{
		{"f32", "u8", 3, 48}, {"f32", "s8", 3, 45}, {"f32", "u8", 4, 40}, {"f32", "u8", 2, 37}, {"s32", "u8", 3, 33},
		{"f64", "u8", 3, 43}, {"bf16", "u8", 3, 50}, {"s16", "s8", 3, 51},
	} {
		name := fmt.Sprintf("%s_%s_%d_%d", test.from, test.to, test.colors, test.width)
		t.Run(name, func(t *testing.T) {
			body := strings.NewReplacer("%F", test.from, "%T", test.to, "%C", fmt.Sprint(test.colors),
				"%W", fmt.Sprint(test.width)).Replace(`HloModule m
ENTRY e {
  x = %F[2,%C,39,%W] parameter(0)
  p = %F[2,39,%W,%C] transpose(x), dimensions={0,2,3,1}
  s = %F[%C] parameter(1)
  b = %F[2,39,%W,%C] broadcast(s), dimensions={3}
  m = %F[2,39,%W,%C] add(p, b)
  ROOT y = %T[2,39,%W,%C] convert(m)
}
`)
			onTwoThreads(t, body, 0, func(tier string, p *cpu.Program) {
				nests := p.Plan().Text(true)
				if n := strings.Count(nests, "    store "); tier != "portable" && n != test.colors {
					t.Errorf("%s: expected %d stores, got\n%s", tier, test.colors, nests)
				}
			})
		})
	}
}
