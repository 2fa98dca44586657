package conv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/shape"
)

// TestWidened: which inputs of half floats become f32 in front, and whether the kernel and the result do, too.
func TestWidened(t *testing.T) {
	for _, test := range []struct {
		name, x, k, result, attrs string
		want, not                 []string
	}{
		{"few_features", "bf16[1,30,30,3]", "bf16[3,3,3,16]", "bf16[1,15,15,16]",
			"window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f",
			[]string{"f32[1,30,30,3]{3,2,1,0} convert(%x)", "padding=0_0x0_1x0_3", "= bf16[1,15,15,16]{3,2,1,0} convolution("},
			[]string{"convert(%k)"}},
		{"few_outputs", "f16[1,12,12,64]", "f16[3,3,64,3]", "f16[1,12,12,3]",
			"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
			[]string{"convert(%x)", "convert(%k)", "= f32[1,12,12,3]{3,2,1,0} convolution(",
				"= f16[1,12,12,3]{3,2,1,0} convert("},
			nil},
		{"groups", "bf16[1,12,12,32]", "bf16[3,3,8,32]", "bf16[1,12,12,32]",
			"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=4",
			[]string{"convert(%x)", "batch_group_count=4"}, nil},
		{"few_columns", "bf16[1,12,12,32]", "bf16[3,3,32,64]", "bf16[1,12,12,64]",
			"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f", []string{"convert(%x)"}, []string{"convert(%k)"}},
		{"few_columns_of_one_tap", "bf16[1,12,12,64]", "bf16[1,1,64,64]", "bf16[1,12,12,64]",
			"window={size=1x1}, dim_labels=b01f_01io->b01f", nil, []string{"convert("}},
		{"long_pieces", "bf16[1,12,12,32]", "bf16[3,3,32,72]", "bf16[1,12,12,72]",
			"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f", nil, []string{"convert("}},
		{"bytes", "s8[1,30,30,3]", "u8[3,3,3,16]", "s32[1,15,15,16]",
			"window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f",
			[]string{"convert(%x)", "convert(%k)", "= f32[1,15,15,16]{3,2,1,0} convolution(",
				"= s32[1,15,15,16]{3,2,1,0} convert("}, nil},
		{"bytes_in_groups", "s8[1,12,12,32]", "s8[3,3,8,32]", "s32[1,12,12,32]",
			"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=4",
			[]string{"convert(%x)", "batch_group_count=4", "= f32[1,12,12,32]{3,2,1,0} convolution("}, nil},
		{"bytes_of_long_pieces", "s8[1,12,12,16]", "s8[3,3,16,32]", "s32[1,12,12,32]",
			"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f", nil, []string{"convert("}},
		{"large_sums_of_bytes", "u8[1,12,12,3]", "u8[9,10,3,32]", "s32[1,4,3,32]",
			"window={size=9x10}, dim_labels=b01f_01io->b01f", nil, []string{"convert("}},
		{"bytes_to_bytes", "s8[1,30,30,3]", "s8[3,3,3,16]", "s8[1,15,15,16]",
			"window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f", nil, []string{"convert("}},
		{"f32", "f32[1,30,30,3]", "f32[3,3,3,16]", "f32[1,15,15,16]",
			"window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f", nil, []string{"convert("}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := canonical(t, test.x, test.k, test.result, test.attrs)
			text := hlotext.String(m, hlotext.Default())
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("expected %q in\n%s", want, text)
				}
			}
			for _, not := range test.not {
				if strings.Contains(text, not) {
					t.Errorf("expected no %q in\n%s", not, text)
				}
			}
			i := only(t, m)
			if specs, _ := Products(i, 0, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape())); len(specs) != 1 {
				t.Errorf("expected a product, got %d", len(specs))
			}
			if again, err := Canonical(m, gemm.Config{}); again || err != nil {
				t.Errorf("a second time: changed %v, %v", again, err)
			}
		})
	}
}

// TestWordsOfFewColumns: machines that multiply bf16 two at once take them as they are, from half a vector on.
func TestWordsOfFewColumns(t *testing.T) {
	for _, machine := range []gemm.Config{tiles, pairs} {
		for features, widened := range map[int]bool{8: true, 16: false, 64: false} {
			m := canonicalWith(t, machine, "bf16[1,12,12,32]", fmt.Sprintf("bf16[3,3,32,%d]", features),
				fmt.Sprintf("bf16[1,12,12,%d]", features), "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f")
			if text := hlotext.String(m, hlotext.Default()); strings.Contains(text, "convert(") != widened {
				t.Errorf("%d features: expected widened %v in\n%s", features, widened, text)
			}
		}
	}
}

// TestFewEven: which convolutions of few features of bf16 are multiplied two at once, of one more where their number is
// odd.
func TestFewEven(t *testing.T) {
	const places = "dim_labels=b01f_01io->b01f"
	for _, test := range []struct {
		x, k, y, attrs string
		want           string // the input of the product; "": it is widened
	}{
		{"1,30,30,3", "7,7,3,16", "1,15,15,16", "window={size=7x7 stride=2x2 pad=3_2x3_2}, " + places, "bf16[1,35,35,4]"},
		{"1,30,30,4", "3,3,4,16", "1,28,28,16", "window={size=3x3}, " + places, "bf16[1,30,30,4]"},
		{"1,3,30,30", "16,3,7,7", "1,16,24,24", "window={size=7x7}, dim_labels=bf01_oi01->bf01", "bf16[1,30,30,4]"},
		{"1,30,30,9", "3,3,9,16", "1,28,28,16", "window={size=3x3}, " + places, "bf16[1,30,30,10]"},
		{"1,30,30,3", "3,3,3,15", "1,28,28,15", "window={size=3x3}, " + places, ""},
		{"1,30,30,3", "4,2,3,16", "1,27,29,16", "window={size=4x2}, " + places, ""},
		{"1,30,30,1", "5,5,1,16", "1,26,26,16", "window={size=5x5}, " + places, ""},
		{"1,30,30,3", "5,5,3,16", "1,22,22,16", "window={size=5x5 rhs_dilate=2x2}, " + places, ""},
		{"1,30,30,16", "3,3,8,32", "1,28,28,32", "window={size=3x3}, feature_group_count=2, " + places, ""},
	} {
		m := canonicalWith(t, pairs, "bf16["+test.x+"]", "bf16["+test.k+"]", "bf16["+test.y+"]", test.attrs)
		text := hlotext.String(m, hlotext.Default())
		i := only(t, m)
		if got := strings.Contains(text, "convert("); got != (test.want == "") {
			t.Errorf("%+v: widened %v in\n%s", test, got, text)
		}
		if got := i.Operand(0).Shape().String(); test.want != "" && !strings.HasPrefix(got, test.want) {
			t.Errorf("%+v: got input %s", test, got)
		}
		specs, _ := Products(i, 0, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape()))
		if len(specs) != 1 {
			t.Errorf("%+v: expected a product, got %d", test, len(specs))
		}
		if again, err := Canonical(m, pairs); again || err != nil {
			t.Errorf("%+v: a second time: changed %v, %v", test, again, err)
		}
	}
}

// TestGradientWords: machines that multiply bf16 two at once take gradients of weights as they are, if neighbours in
// the depth are twos.
func TestGradientWords(t *testing.T) {
	const rows, planes = "dim_labels=f01b_i01o->01bf", "dim_labels=fb01_io01->bf01"
	for _, test := range []struct {
		batch, features, width int
		labels                 string
		machine                gemm.Config
		widened                bool
	}{{8, 32, 12, rows, tiles, false}, {8, 32, 12, rows, pairs, false}, {8, 32, 12, rows, gemm.Config{}, true},
		{7, 32, 12, rows, tiles, true}, {8, 12, 12, rows, tiles, true}, {8, 32, 12, planes, tiles, false},
		{8, 32, 12, planes, pairs, false}, {8, 32, 12, planes, gemm.Config{}, true}, {7, 32, 12, planes, tiles, false},
		{7, 32, 11, planes, tiles, true}} {
		x, k := fmt.Sprintf("bf16[%d,12,%d,%d]", test.batch, test.width, test.features),
			fmt.Sprintf("bf16[%d,12,%d,24]", test.batch, test.width)
		result := fmt.Sprintf("bf16[3,3,%d,24]", test.features)
		if test.labels == planes {
			x, k = fmt.Sprintf("bf16[%d,%d,12,%d]", test.batch, test.features, test.width),
				fmt.Sprintf("bf16[%d,24,12,%d]", test.batch, test.width)
			result = fmt.Sprintf("bf16[%d,24,3,3]", test.features)
		}
		m := canonicalWith(t, test.machine, x, k, result,
			fmt.Sprintf("window={size=12x%d pad=1_1x1_1}, %s", test.width, test.labels))
		text := hlotext.String(m, hlotext.Default())
		if got := strings.Contains(text, "convert("); got != test.widened {
			t.Errorf("%+v: widened %v in\n%s", test, got, text)
		}
		i := only(t, m)
		if specs, _ := Products(i, 0, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape())); len(specs) != 1 {
			t.Errorf("%+v: expected a product, got %d", test, len(specs))
		}
	}
}

// TestWidenedNear: products by diagonals of half floats widen the input themselves, unless it has holes, or is computed
// by what can write it as f32.
func TestWidenedNear(t *testing.T) {
	for _, test := range []struct {
		name, x, in, groups, window string
		near                        bool
	}{
		{"padded", "parameter(0)", "4", "8", "size=3x3 pad=1_1x1_1", true},
		{"valid", "parameter(0)", "4", "8", "size=3x3", true},
		{"strided", "parameter(0)", "4", "8", "size=3x3 stride=2x2", true},
		{"holes", "parameter(0)", "4", "8", "size=4x4 pad=2_2x2_2 lhs_dilate=2x2", false},
		{"long_groups", "parameter(0)", "16", "2", "size=3x3 pad=1_1x1_1", false},
		{"computed", "negate(p)", "4", "8", "size=3x3 pad=1_1x1_1", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := fmt.Sprintf(`HloModule m
ENTRY e {
  p = f16[1,40,40,32] parameter(%d)
  x = f16[1,40,40,32] %s
  k = f16[%c,%c,%s,32] parameter(1)
  ROOT c = convolution(x, k), window={%s}, dim_labels=b01f_01io->b01f, feature_group_count=%s
}
`, 2*strings.Count(test.x, "parameter"), test.x, test.window[5], test.window[7], test.in, test.window, test.groups)
			m, err := hlotext.Parse(text, hlotext.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			machine := gemm.Config{Tier: exec.AVX512}
			if _, err := Canonical(m, machine); err != nil {
				t.Fatal(err)
			}
			if got := hlotext.String(m, hlotext.Default()); strings.Contains(got, "convert(%x)") == test.near ||
				test.near && !strings.Contains(got, "convert(%k)") {
				t.Errorf("expected the input to be widened where it is brought: %t, got\n%s", test.near, got)
			}
			i := only(t, m)
			specs, _ := Products(i, 64, Whole(i.Operand(0).Shape()), Whole(i.Operand(1).Shape()))
			if test.near && (len(specs) != 1 || specs[0].A.Around == nil || specs[0].A.Type != shape.F16) {
				t.Errorf("expected a product that brings the input, got %v", specs)
			}
			if again, err := Canonical(m, machine); again || err != nil {
				t.Errorf("a second time: changed %v, %v", again, err)
			}
		})
	}
}
