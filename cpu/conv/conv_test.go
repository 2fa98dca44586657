package conv

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
)

// TestPhases: the phases of a window have each place once, and at it each tap that hits an element, with its index.
func TestPhases(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 3000 {
		w := op.WindowDim{Size: 1 + r.IntN(6), Stride: 1 + r.IntN(4), BaseDilation: 1 + r.IntN(5),
			WindowDilation: 1 + r.IntN(4), PaddingLow: r.IntN(12) - 6}
		places := 1 + r.IntN(12)
		list := phasesOf(w, places)
		if list == nil {
			continue
		}
		found++
		hits := map[[2]int]int{}
		for place := range places {
			for tap := range w.Size {
				if e := place*w.Stride + tap*w.WindowDilation - w.PaddingLow; e%w.BaseDilation == 0 {
					hits[[2]int{place, tap}] = e / w.BaseDilation
				}
			}
		}
		for _, p := range list {
			for n := range p.count {
				for k := range p.taps {
					at := [2]int{p.from + n*p.every, p.tap + k*p.tapStep}
					want, ok := hits[at]
					if got := p.start + n*p.step + k*p.dilation; !ok || got != want {
						t.Fatalf("%+v: %+v: place and tap %v: expected element %d (%v), got %d", w, p, at, want, ok, got)
					}
					delete(hits, at)
				}
			}
		}
		if len(hits) > 0 {
			t.Fatalf("%+v: no phase has the places and taps %v", w, hits)
		}
	}
	if found < 1000 {
		t.Errorf("expected phases for at least 1000 windows, got %d", found)
	}
}

// only returns the convolution of a module that has one.
func only(t *testing.T, m *hlo.Module) *hlo.Instruction {
	t.Helper()
	for _, i := range m.Entry().Instructions() {
		if i.Code() == op.Convolution {
			return i
		}
	}
	t.Fatal("no convolution")
	return nil
}

// canonicalCases are convolutions, and a part of their canonical form.
var canonicalCases = []struct {
	name, x, k, result, attrs, want string
	products                        int
}{
	{"as_it_is", "1,9,9,16", "2,2,16,16", "1,8,8,16", "window={size=2x2}, dim_labels=b01f_01io->b01f",
		"window={size=2x2}, dim_labels=b01f_01io->b01f", 1},
	{"padding", "1,9,9,16", "3,3,16,16", "1,9,9,16", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
		"padding=0_0x1_1x1_1x0_0", 1},
	{"padding_of_lines", "2,30,30,3", "3,3,3,16", "2,15,15,16",
		"window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f", "padding=0_0x0_1x0_3", 1},
	{"padding_of_fewer_lines", "2,30,30,3", "3,3,3,16", "2,15,14,16",
		"window={size=3x3 stride=2x2 pad=0_1x1_-2}, dim_labels=b01f_01io->b01f", "padding=0_0x0_1x3_0", 1},
	{"less_padding", "1,9,20,16", "3,3,16,16", "1,9,9,16",
		"window={size=3x3 pad=1_1x-4_-5}, dim_labels=b01f_01io->b01f", "padding=0_0x1_1x0_0x0_0", 1},
	{"features_first", "1,16,9,9", "16,16,2,2", "1,16,8,8", "window={size=2x2}, dim_labels=bf01_oi01->bf01",
		"window={size=2x2}, dim_labels=b01f_01io->b01f", 1},
	{"gradient", "8,9,9,16", "8,9,9,16", "3,3,16,16", "window={size=9x9 pad=1_1x1_1}, dim_labels=f01b_i01o->01bf",
		"window={size=9x9}, dim_labels=f01b_i01o->01bf", 1},
	{"gradient_of_one_feature", "8,9,9,1", "8,9,9,16", "3,3,1,16",
		"window={size=9x9 pad=1_1x1_1}, dim_labels=f01b_i01o->01bf",
		"window={size=9x9}, dim_labels=f01b_i01o->01bf", 1},
	{"gradient_of_places_first", "9,9,8,16", "8,9,9,16", "3,3,16,16",
		"window={size=9x9 pad=1_1x1_1}, dim_labels=01fb_i01o->01bf",
		"window={size=9x9}, dim_labels=01fb_i01o->01bf", 1},
	{"gradient_of_planes", "8,16,9,9", "8,16,9,9", "16,16,3,3",
		"window={size=9x9 pad=1_1x1_1}, dim_labels=fb01_io01->bf01",
		"window={size=9x9}, dim_labels=b01f_01io->01bf", 1},
	{"gradient_of_short_rows", "4,16,9,9", "4,16,9,9", "16,16,3,3",
		"window={size=9x9 pad=1_1x1_1}, dim_labels=fb01_io01->bf01",
		"window={size=9x9}, dim_labels=01fb_01io->01bf", 1},
	{"holes", "1,9,9,16", "4,4,16,16", "1,18,18,16",
		"window={size=4x4 pad=2_2x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f",
		"window={size=4x4 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f", 4},
	{"holes_without_taps", "1,9,9,16", "1,4,16,16", "1,17,18,16",
		"window={size=1x4 pad=0_0x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f", "padding=0_0_0x0_0_1x0_0_0x0_0_0", 2},
	{"holes_of_one_tap", "1,9,9,16", "1,1,32,16", "1,19,25,32",
		"window={size=1x1 pad=1_1x-1_9 lhs_dilate=2x2}, dim_labels=b01f_01oi->b01f", "padding=0_0_0x1_1_1x1_1_1x0_0_0", 1},
	{"holes_of_one_tap_a_feature", "1,9,9,16", "1,1,1,16", "1,17,17,16",
		"window={size=1x1 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=16", "lhs_dilate=2x2", 0},
	{"holes_wider_than_taps", "1,9,9,16", "2,2,16,16", "1,26,26,16",
		"window={size=2x2 pad=1_1x1_1 lhs_dilate=3x3}, dim_labels=b01f_01io->b01f", "lhs_dilate=3x3", 0},
	{"groups", "1,9,9,64", "2,2,32,32", "1,8,8,32",
		"window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=2", "feature_group_count=2", 1},
	{"groups_gathered", "2,9,9,32", "2,2,8,32", "2,8,8,32",
		"window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=4", "batch_group_count=4", 1},
	{"groups_gathered_in_rows", "2,9,9,32", "3,3,8,32", "2,9,9,32",
		"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=4", "padding=0_0x1_1x0_0x1_1x0_0", 1},
	{"long_groups_of_few_output_features", "2,9,9,128", "3,3,64,16", "2,9,9,16",
		"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2", "padding=0_0x1_1x0_0x1_1x0_0", 1},
	{"long_groups_of_few_output_features_without_padding", "2,9,9,128", "3,3,64,16", "2,7,7,16",
		"window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=2", "feature_group_count=2", 1},
	{"few_features_a_group", "1,30,30,32", "3,3,4,32", "1,28,28,32",
		"window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=8", "feature_group_count=8", 0},
	{"gradient_of_few_features_a_group", "4,18,18,32", "4,16,16,32", "3,3,4,32",
		"window={size=16x16}, dim_labels=f01b_i01o->01bf, batch_group_count=8", "batch_group_count=8", 1},
	{"groups_of_the_batch", "4,9,9,16", "2,2,16,32", "2,8,8,32",
		"window={size=2x2}, dim_labels=b01f_01io->b01f, batch_group_count=2", "batch_group_count=2", 1},
	{"planes", "2,16,9,17", "16,8,2,2", "2,16,8,16",
		"window={size=2x2}, dim_labels=bf01_oi01->bf01, feature_group_count=2", "dim_labels=bf01_oi01->bf01", 1},
	{"planes_of_other_kernels", "2,8,9,17", "2,2,8,8", "2,8,8,16",
		"window={size=2x2}, dim_labels=bf01_01io->bf01", "dim_labels=bf01_oi01->bf01", 1},
	{"planes_of_many_features", "1,16,9,33", "48,16,2,2", "1,48,8,32",
		"window={size=2x2}, dim_labels=bf01_oi01->bf01", "dim_labels=bf01_oi01->bf01", 1},
	{"many_features_in_short_rows", "1,64,9,30", "48,64,3,3", "1,48,7,28",
		"window={size=3x3}, dim_labels=bf01_oi01->bf01", "dim_labels=b01f_01io->b01f", 1},
	{"depthwise", "1,9,9,32", "2,2,1,32", "1,8,8,32",
		"window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=32", "feature_group_count=32", 0},
	{"few_output_features", "1,9,9,16", "3,3,16,3", "1,9,9,3",
		"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
		"padding=0_0x1_1x1_1x0_0", 1},
	{"few_output_features_of_a_large_input", "1,96,96,16", "3,3,16,3", "1,96,96,3",
		"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f", "window={size=3x3 pad=1_1x1_1}", 9},
	{"few_output_features_by_a_large_window", "1,96,96,16", "5,5,16,3", "1,96,96,3",
		"window={size=5x5 pad=2_2x2_2}, dim_labels=b01f_01io->b01f", "padding=0_0x2_2x2_2x0_0", 1},
	{"few_output_features_with_holes", "1,9,9,16", "4,4,16,1", "1,18,18,1",
		"window={size=4x4 pad=2_2x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f", "size=4x4 lhs_dilate=2x2", 4},
	{"few_features_of_both_kinds", "1,30,30,3", "3,3,3,3", "1,28,28,3",
		"window={size=3x3}, dim_labels=b01f_01io->b01f",
		"size=3x3", 0},
	{"small", "1,3,3,16", "2,2,16,8", "1,2,2,8", "window={size=2x2}, dim_labels=b01f_01io->b01f", "size=2x2", 0},
}

// TestCanonical: what stands in front of the convolution and behind, and how many products it is.
func TestCanonical(t *testing.T) {
	for _, test := range canonicalCases {
		t.Run(test.name, func(t *testing.T) {
			m := canonical(t, "f32["+test.x+"]", "f32["+test.k+"]", "f32["+test.result+"]", test.attrs)
			if text := hlotext.String(m, hlotext.Default()); !strings.Contains(text, test.want) {
				t.Errorf("expected %q in\n%s", test.want, text)
			}
			if again, err := Canonical(m, gemm.Config{}); again || err != nil {
				t.Errorf("a second time: changed %v, %v", again, err)
			}
			i := only(t, m)
			specs, _ := Products(i, 0, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape()))
			if len(specs) != test.products {
				t.Errorf("expected %d products, got %d", test.products, len(specs))
			}
		})
	}
}

// canonical is a module that is one convolution of x by k, of these shapes, in canonical form.
func canonical(t *testing.T, x, k, result, attrs string) *hlo.Module {
	t.Helper()
	return canonicalWith(t, gemm.Config{}, x, k, result, attrs)
}

// tiles and pairs are machines that multiply bf16 two at once.
var tiles, pairs = gemm.Config{TileBF16: true}, gemm.Config{BF16: true}

// canonicalWith is the same on a machine.
func canonicalWith(t *testing.T, machine gemm.Config, x, k, result, attrs string) *hlo.Module {
	t.Helper()
	m, err := hlotext.Parse("HloModule m\nENTRY e {\n  x = "+x+" parameter(0)\n  k = "+k+
		" parameter(1)\n  ROOT c = "+result+" convolution(x, k), "+attrs+"\n}\n", hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if machine.TileBF16 {
		if _, err := Swap(m); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Canonical(m, machine); err != nil {
		t.Fatal(err)
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFewFeaturesOfF64: few output features of f64 are a product, with the same conditions as those of f32.
func TestFewFeaturesOfF64(t *testing.T) {
	for _, test := range []struct {
		x, k, result, attrs string
		products            int
	}{
		{"1,9,9,16", "3,3,16,3", "1,9,9,3", "window={size=3x3 pad=1_1x1_1}", 1},
		{"1,9,9,16", "4,4,16,1", "1,18,18,1", "window={size=4x4 pad=2_2x2_2 lhs_dilate=2x2}", 4},
		{"1,30,30,3", "3,3,3,3", "1,28,28,3", "window={size=3x3}", 0},
	} {
		m := canonical(t, "f64["+test.x+"]", "f64["+test.k+"]", "f64["+test.result+"]",
			test.attrs+", dim_labels=b01f_01io->b01f")
		i := only(t, m)
		specs, _ := Products(i, 0, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape()))
		if len(specs) != test.products {
			t.Errorf("%s by %s: expected %d products, got %d", test.x, test.k, test.products, len(specs))
		}
	}
}

// TestEdges: the phases of a window over n elements have each tap that is inside once, and no other.
func TestEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 4000 {
		w := op.WindowDim{Size: 1 + r.IntN(6), Stride: 1 + r.IntN(3), WindowDilation: 1 + r.IntN(3),
			BaseDilation: 1 + r.IntN(2), PaddingLow: r.IntN(10) - 3}
		n, places := 3+r.IntN(12), 1+r.IntN(12)
		phases := phasesOf(w, places)
		if len(phases) != 1 {
			continue
		}
		list := edgesOf(phases[0], n)
		want := map[[2]int]int{}
		empty := false
		for place := range places {
			inside := false
			for tap := range w.Size {
				e := place*w.Stride + tap*w.WindowDilation - w.PaddingLow
				if e >= 0 && e%w.BaseDilation == 0 && e/w.BaseDilation < n {
					want[[2]int{place, tap}] = e / w.BaseDilation
					inside = true
				}
			}
			empty = empty || !inside
		}
		if empty != (list == nil) {
			t.Fatalf("%+v over %d, %d places: expected a place without taps: %v, got %v", w, n, places, empty, list)
		}
		if empty {
			continue
		}
		found++
		for _, p := range list {
			for k := range p.count * p.taps {
				at := [2]int{p.from + k/p.taps, p.tap + k%p.taps*p.tapStep}
				e, ok := want[at]
				if got := p.start + k/p.taps*p.step + k%p.taps*p.dilation; !ok || got != e {
					t.Fatalf("%+v over %d: place and tap %v: expected element %d (%v), got %d", w, n, at, e, ok, got)
				}
				delete(want, at)
			}
		}
		if len(want) > 0 {
			t.Fatalf("%+v over %d: no phase has %v", w, n, want)
		}
	}
	if found < 500 {
		t.Errorf("expected phases for at least 500 windows, got %d", found)
	}
}
