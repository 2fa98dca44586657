package main

import (
	"fmt"
	"strconv"
	"strings"
)

// kase is one row: a convolution in HLO text.
type kase struct {
	name   string
	ty     string // of all arrays
	x, k   []int
	window string
	labels string
	groups int // of features; 0 is one
	batch  int // groups of the batch; 0 is one
	// bound is "" for products or copies beside them, "copy" for copies alone or multiply-adds: few operations an element.
	bound string
}

const (
	nhwc = "b01f_01io->b01f"
	nchw = "bf01_oi01->bf01"
)

// cases are the forms in which convolutions come.
func cases() []kase {
	return []kase{
		{name: "3x3, 64 features", x: []int{1, 56, 56, 64}, k: []int{3, 3, 64, 64}, window: "3x3 pad=1_1x1_1"},
		{name: "3x3, 256 features", x: []int{4, 14, 14, 256}, k: []int{3, 3, 256, 256}, window: "3x3 pad=1_1x1_1"},
		{name: "3x3, 24 to 40", x: []int{2, 60, 60, 24}, k: []int{3, 3, 24, 40}, window: "3x3 pad=1_1x1_1"},
		{name: "5x5, valid", x: []int{2, 32, 32, 64}, k: []int{5, 5, 64, 64}, window: "5x5"},
		{name: "3x3, strided", x: []int{2, 56, 56, 64}, k: []int{3, 3, 64, 128}, window: "3x3 stride=2x2 pad=0_1x0_1"},
		{name: "7x7, strided, 3 features", x: []int{1, 224, 224, 3}, k: []int{7, 7, 3, 64},
			window: "7x7 stride=2x2 pad=3_3x3_3"},
		{name: "1x1", x: []int{1, 28, 28, 256}, k: []int{1, 1, 256, 512}, window: "1x1"},
		{name: "1x1, strided", x: []int{2, 56, 56, 128}, k: []int{1, 1, 128, 256}, window: "1x1 stride=2x2"},
		{name: "3x3, NCHW", x: []int{1, 128, 28, 28}, k: []int{128, 128, 3, 3}, window: "3x3 pad=1_1x1_1", labels: nchw},
		{name: "3x3, NCHW, 64 features", x: []int{1, 64, 64, 64}, k: []int{64, 64, 3, 3}, window: "3x3 pad=1_1x1_1",
			labels: nchw},
		{name: "3x3, NCHW, 48 to 96", x: []int{2, 48, 32, 32}, k: []int{96, 48, 3, 3}, window: "3x3 pad=1_1x1_1",
			labels: nchw},
		{name: "1-D, NCW, 128 features", x: []int{2, 128, 1000}, k: []int{128, 128, 5}, window: "5 pad=2_2",
			labels: "bf0_oi0->bf0"},
		{name: "5x5, NCHW, 16 to 32", x: []int{4, 16, 64, 64}, k: []int{32, 16, 5, 5},
			window: "5x5 pad=2_2x2_2", labels: nchw},
		{name: "1x1, NCHW", x: []int{2, 256, 14, 14}, k: []int{512, 256, 1, 1}, window: "1x1", labels: nchw},
		{name: "transposed, 4x4", x: []int{1, 32, 32, 64}, k: []int{4, 4, 64, 64},
			window: "4x4 pad=2_2x2_2 lhs_dilate=2x2"},
		{name: "transposed, 3x3", x: []int{2, 28, 28, 64}, k: []int{3, 3, 64, 64},
			window: "3x3 pad=2_1x2_1 lhs_dilate=2x2"},
		{name: "dilated by 2", x: []int{1, 48, 48, 64}, k: []int{3, 3, 64, 64}, window: "3x3 pad=2_2x2_2 rhs_dilate=2x2"},
		{name: "dilated by 6", x: []int{1, 48, 48, 64}, k: []int{3, 3, 64, 64}, window: "3x3 pad=6_6x6_6 rhs_dilate=6x6"},
		{name: "8 groups of 32", x: []int{1, 28, 28, 256}, k: []int{3, 3, 32, 256}, window: "3x3 pad=1_1x1_1", groups: 8},
		{name: "32 groups of 8", x: []int{1, 28, 28, 256}, k: []int{3, 3, 8, 256}, window: "3x3 pad=1_1x1_1", groups: 32},
		{name: "4 groups of 16, NCHW", x: []int{4, 64, 28, 28}, k: []int{64, 16, 3, 3},
			window: "3x3 pad=1_1x1_1", labels: nchw,
			groups: 4},
		{name: "1-D, 9 taps", x: []int{4, 1024, 64}, k: []int{9, 64, 64}, window: "9 pad=4_4", labels: "b0f_0io->b0f"},
		{name: "1-D, causal, dilated, NCW", x: []int{2, 64, 2048}, k: []int{96, 64, 3}, window: "3 pad=16_0 rhs_dilate=8",
			labels: "bf0_oi0->bf0"},
		{name: "3-D", x: []int{1, 16, 28, 28, 32}, k: []int{3, 3, 3, 32, 32}, window: "3x3x3 pad=1_1x1_1x1_1",
			labels: "b012f_012io->b012f"},
		{name: "3-D, NCDHW", x: []int{1, 32, 8, 28, 28}, k: []int{64, 32, 3, 3, 3}, window: "3x3x3 pad=1_1x1_1x1_1",
			labels: "bf012_oi012->bf012"},
		{name: "gradient of weights", x: []int{8, 28, 28, 64}, k: []int{8, 28, 28, 64}, window: "28x28 pad=1_1x1_1",
			labels: "f01b_i01o->01bf"},
		{name: "gradient of weights, strided", x: []int{8, 28, 28, 32}, k: []int{8, 14, 14, 64},
			window: "14x14 pad=0_1x0_1 rhs_dilate=2x2", labels: "f01b_i01o->01bf"},
		{name: "gradient of weights, NCHW", x: []int{8, 64, 28, 28}, k: []int{8, 64, 28, 28}, window: "28x28 pad=1_1x1_1",
			labels: "fb01_io01->bf01"},
		{name: "gradient of the input", x: []int{4, 28, 28, 96}, k: []int{3, 3, 64, 96},
			window: "3x3 pad=1_1x1_1 rhs_reversal=1x1",
			labels: "b01f_01oi->b01f"},
		{name: "gradient of the input, strided", x: []int{4, 14, 14, 96}, k: []int{3, 3, 64, 96},
			window: "3x3 pad=2_1x2_1 lhs_dilate=2x2 rhs_reversal=1x1", labels: "b01f_01oi->b01f"},
		{name: "3x3", ty: "f64", x: []int{1, 32, 32, 48}, k: []int{3, 3, 48, 48}, window: "3x3 pad=1_1x1_1"},
		{name: "3x3", ty: "bf16", x: []int{1, 28, 28, 128}, k: []int{3, 3, 128, 128}, window: "3x3 pad=1_1x1_1"},
		{name: "3x3, NCHW", ty: "f16", x: []int{1, 128, 28, 28}, k: []int{128, 128, 3, 3},
			window: "3x3 pad=1_1x1_1", labels: nchw},
		{name: "3x3, strided, 3 features", x: []int{4, 112, 112, 3}, k: []int{3, 3, 3, 32},
			window: "3x3 stride=2x2 pad=0_1x0_1"},
		{name: "16x16, strided, patches, NCHW", x: []int{1, 3, 224, 224}, k: []int{192, 3, 16, 16},
			window: "16x16 stride=16x16", labels: nchw},
		{name: "64 groups of 4", x: []int{1, 28, 28, 256}, k: []int{3, 3, 4, 256}, window: "3x3 pad=1_1x1_1", groups: 64},
		{name: "32 groups of 2", x: []int{2, 28, 28, 64}, k: []int{3, 3, 2, 64}, window: "3x3 pad=1_1x1_1", groups: 32},
		{name: "8 groups of 24", x: []int{2, 14, 14, 192}, k: []int{3, 3, 24, 192}, window: "3x3 pad=1_1x1_1", groups: 8},
		{name: "16 groups of 8, NCHW", x: []int{2, 128, 28, 28}, k: []int{128, 8, 3, 3}, window: "3x3 pad=1_1x1_1",
			labels: nchw, groups: 16},
		{name: "4 groups of 32, 1x1", x: []int{1, 28, 28, 128}, k: []int{1, 1, 32, 128}, window: "1x1", groups: 4},
		{name: "3x3, 8 to 8", x: []int{2, 64, 64, 8}, k: []int{3, 3, 8, 8}, window: "3x3 pad=1_1x1_1"},
		{name: "3x3, 16 to 16, NCHW", x: []int{2, 16, 64, 64}, k: []int{16, 16, 3, 3}, window: "3x3 pad=1_1x1_1",
			labels: nchw},
		{name: "batch groups", x: []int{32, 14, 14, 32}, k: []int{3, 3, 32, 64}, window: "3x3 pad=1_1x1_1", batch: 8},
		{name: "3x3 to 1 feature", x: []int{1, 112, 112, 32}, k: []int{3, 3, 32, 1}, window: "3x3 pad=1_1x1_1"},
		{name: "3x3 to 4 features", x: []int{1, 64, 64, 320}, k: []int{3, 3, 320, 4}, window: "3x3 pad=1_1x1_1"},
		{name: "transposed, 4x4, to 1 feature", x: []int{8, 14, 14, 64}, k: []int{4, 4, 64, 1},
			window: "4x4 pad=2_2x2_2 lhs_dilate=2x2"},
		{name: "transposed, 4x4, to 3 features", x: []int{4, 32, 32, 64}, k: []int{4, 4, 64, 3},
			window: "4x4 pad=2_2x2_2 lhs_dilate=2x2"},
		{name: "3x3 to 1 feature", ty: "f64", x: []int{1, 112, 112, 32}, k: []int{3, 3, 32, 1}, window: "3x3 pad=1_1x1_1"},
		{name: "3x3 to 4 features", ty: "f64", x: []int{1, 64, 64, 64}, k: []int{3, 3, 64, 4}, window: "3x3 pad=1_1x1_1"},
		{name: "transposed, 4x4, to 1 feature", ty: "f64", x: []int{8, 14, 14, 64}, k: []int{4, 4, 64, 1},
			window: "4x4 pad=2_2x2_2 lhs_dilate=2x2"},
		{name: "transposed, 4x4, to 3 features", ty: "f64", x: []int{4, 32, 32, 64}, k: []int{4, 4, 64, 3},
			window: "4x4 pad=2_2x2_2 lhs_dilate=2x2"},
		{name: "7x7, strided, 3 features", ty: "bf16", x: []int{1, 224, 224, 3}, k: []int{7, 7, 3, 64},
			window: "7x7 stride=2x2 pad=3_3x3_3"},
		{name: "3x3, strided, 3 features", ty: "bf16", x: []int{4, 112, 112, 3}, k: []int{3, 3, 3, 32},
			window: "3x3 stride=2x2 pad=0_1x0_1"},
		{name: "32 groups of 8", ty: "bf16", x: []int{1, 28, 28, 256}, k: []int{3, 3, 8, 256},
			window: "3x3 pad=1_1x1_1", groups: 32},
		{name: "32 groups of 4", ty: "bf16", x: []int{1, 56, 56, 128}, k: []int{3, 3, 4, 128},
			window: "3x3 pad=1_1x1_1", groups: 32},
		{name: "7x7, strided, 3 features, NCHW", x: []int{1, 3, 224, 224}, k: []int{64, 3, 7, 7},
			window: "7x7 stride=2x2 pad=3_3x3_3", labels: nchw},
		{name: "3x3 to 3 features, NCHW", x: []int{1, 64, 96, 96}, k: []int{3, 64, 3, 3}, window: "3x3 pad=1_1x1_1",
			labels: nchw},
		{name: "32 groups of 4, strided", x: []int{1, 56, 56, 128}, k: []int{3, 3, 4, 128},
			window: "3x3 stride=2x2 pad=1_1x1_1", groups: 32},
		{name: "depthwise, 5x5, strided", x: []int{1, 57, 57, 72}, k: []int{5, 5, 1, 72},
			window: "5x5 stride=2x2 pad=2_2x2_2", groups: 72, bound: "copy"},
		{name: "depthwise, 5x5, 120 features", x: []int{1, 28, 28, 120}, k: []int{5, 5, 1, 120},
			window: "5x5 pad=2_2x2_2", groups: 120, bound: "copy"},
		{name: "depthwise, 3x3", x: []int{4, 112, 112, 32}, k: []int{3, 3, 1, 32}, window: "3x3 pad=1_1x1_1", groups: 32,
			bound: "copy"},
		{name: "depthwise, 5x5, NCHW", x: []int{2, 96, 56, 56}, k: []int{96, 1, 5, 5},
			window: "5x5 pad=2_2x2_2", labels: nchw,
			groups: 96, bound: "copy"},
		{name: "depthwise, strided", x: []int{4, 56, 56, 64}, k: []int{3, 3, 1, 64}, window: "3x3 stride=2x2 pad=0_1x0_1",
			groups: 64, bound: "copy"},
		{name: "depthwise, 2 of each", x: []int{2, 56, 56, 32}, k: []int{3, 3, 1, 64},
			window: "3x3 pad=1_1x1_1", groups: 32,
			bound: "copy"},
		{name: "depthwise, gradient of weights", x: []int{4, 56, 56, 64}, k: []int{4, 56, 56, 64},
			window: "56x56 pad=1_1x1_1",
			labels: "f01b_i01o->01bf", batch: 64, bound: "copy"},
		{name: "depthwise, 1-D, 31 taps", x: []int{4, 1024, 64}, k: []int{31, 1, 64}, window: "31 pad=15_15", groups: 64,
			labels: "b0f_0io->b0f", bound: "copy"},
		{name: "depthwise, strided, NCHW", x: []int{2, 96, 56, 56}, k: []int{96, 1, 3, 3},
			window: "3x3 stride=2x2 pad=1_1x1_1", labels: nchw, groups: 96, bound: "copy"},
		{name: "depthwise, 3x3, NCHW", x: []int{2, 96, 56, 56}, k: []int{96, 1, 3, 3},
			window: "3x3 pad=1_1x1_1", labels: nchw, groups: 96, bound: "copy"},
		{name: "depthwise, 7x7", x: []int{2, 28, 28, 96}, k: []int{7, 7, 1, 96}, window: "7x7 pad=3_3x3_3", groups: 96,
			bound: "copy"},
		{name: "depthwise, 7x7, NCHW", x: []int{2, 96, 28, 28}, k: []int{96, 1, 7, 7}, window: "7x7 pad=3_3x3_3",
			labels: nchw, groups: 96, bound: "copy"},
		{name: "depthwise, dilated by 2", x: []int{2, 56, 56, 64}, k: []int{3, 3, 1, 64},
			window: "3x3 pad=2_2x2_2 rhs_dilate=2x2", groups: 64, bound: "copy"},
		{name: "depthwise, transposed", x: []int{2, 28, 28, 64}, k: []int{4, 4, 1, 64},
			window: "4x4 pad=2_2x2_2 lhs_dilate=2x2", groups: 64, bound: "copy"},
		{name: "depthwise, 3 of each", x: []int{2, 56, 56, 32}, k: []int{3, 3, 1, 96},
			window: "3x3 pad=1_1x1_1", groups: 32, bound: "copy"},
		{name: "depthwise, 1-D, causal", x: []int{2, 1024, 256}, k: []int{4, 1, 256}, window: "4 pad=3_0", groups: 256,
			labels: "b0f_0io->b0f", bound: "copy"},
		{name: "depthwise, 1-D, causal, NCW", x: []int{2, 256, 1024}, k: []int{256, 1, 4}, window: "4 pad=3_0",
			groups: 256, labels: "bf0_oi0->bf0", bound: "copy"},
		{name: "depthwise, 3-D", x: []int{1, 16, 28, 28, 32}, k: []int{3, 3, 3, 1, 32}, window: "3x3x3 pad=1_1x1_1x1_1",
			labels: "b012f_012io->b012f", groups: 32, bound: "copy"},
		{name: "depthwise, 3x3", ty: "f64", x: []int{2, 56, 56, 32}, k: []int{3, 3, 1, 32}, window: "3x3 pad=1_1x1_1",
			groups: 32, bound: "copy"},
		{name: "depthwise, 3x3", ty: "bf16", x: []int{4, 56, 56, 64}, k: []int{3, 3, 1, 64}, window: "3x3 pad=1_1x1_1",
			groups: 64, bound: "copy"},
		{name: "depthwise, 3x3", ty: "f16", x: []int{4, 56, 56, 64}, k: []int{3, 3, 1, 64}, window: "3x3 pad=1_1x1_1",
			groups: 64, bound: "copy"},
		{name: "depthwise, gradient of weights, NCHW", x: []int{4, 64, 28, 28}, k: []int{4, 64, 28, 28},
			window: "28x28 pad=1_1x1_1", labels: "fb01_io01->bf01", batch: 64, bound: "copy"},
	}
}

// normal returns c with what is left out.
func (c kase) normal() kase {
	if c.ty == "" {
		c.ty = "f32"
	}
	if c.labels == "" {
		c.labels = nhwc
	}
	return c
}

// shaped writes a type.
func shaped(ty string, dims []int) string {
	text := make([]string, len(dims))
	for i, d := range dims {
		text[i] = strconv.Itoa(d)
	}
	return ty + "[" + strings.Join(text, ",") + "]"
}

// text is the program.
func (c kase) text() string {
	return fmt.Sprintf(`HloModule c
ENTRY e {
  x = %s parameter(0)
  k = %s parameter(1)
  ROOT y = convolution(x, k), window={size=%s}, dim_labels=%s, feature_group_count=%d, batch_group_count=%d
}
`, shaped(c.ty, c.x), shaped(c.ty, c.k), c.window, c.labels, max(c.groups, 1), max(c.batch, 1))
}
