package op

import (
	"math"
	"testing"
)

// convolutionOf returns the attributes of a convolution with the dim_labels text and the window.
func convolutionOf(t *testing.T, labels string, window ...WindowDim) *ConvolutionAttrs {
	t.Helper()
	l, err := ParseDimLabels(labels)
	if err != nil {
		t.Fatal(err)
	}
	return &ConvolutionAttrs{DimLabels: l, Window: Window{window}}
}

// windowOf returns a window dimension of the given size, changed by edit.
func windowOf(size int, edit ...func(*WindowDim)) WindowDim {
	d := WindowDim{Size: size, Stride: 1, BaseDilation: 1, WindowDilation: 1}
	for _, f := range edit {
		f(&d)
	}
	return d
}

func stride(n int) func(*WindowDim) { return func(d *WindowDim) { d.Stride = n } }
func pad(low, high int) func(*WindowDim) {
	return func(d *WindowDim) { d.PaddingLow, d.PaddingHigh = low, high }
}
func lhsDilate(n int) func(*WindowDim) { return func(d *WindowDim) { d.BaseDilation = n } }
func rhsDilate(n int) func(*WindowDim) { return func(d *WindowDim) { d.WindowDilation = n } }
func reversed(d *WindowDim)            { d.Reversal = true }

func TestConvolutionResult(t *testing.T) {
	grouped := func(labels string, feature, batch int, window ...WindowDim) *ConvolutionAttrs {
		a := convolutionOf(t, labels, window...)
		a.FeatureGroupCount, a.BatchGroupCount = feature, batch
		return a
	}
	const image = "b01f_01io->b01f"
	three := windowOf(3)
	runRules(t, []ruleCase{
		{name: "rank0", op: Convolution, operands: "f32[2,3], f32[3,4]", attrs: convolutionOf(t, "bf_io->bf"),
			want: "f32[2,4]"},
		{name: "rank1", op: Convolution, operands: "f32[4,8,3], f32[3,3,16]",
			attrs: convolutionOf(t, "b0f_0io->b0f", three),
			want:  "f32[4,6,16]"},
		{name: "rank2", op: Convolution, operands: "f32[1,8,8,3], f32[3,3,3,16]",
			attrs: convolutionOf(t, image, windowOf(3, pad(1, 1)), windowOf(3, pad(1, 1))), want: "f32[1,8,8,16]"},
		{name: "rank3", op: Convolution, operands: "f32[2,3,5,6,7], f32[4,3,2,2,2]",
			attrs: convolutionOf(t, "bf012_oi012->bf012", windowOf(2), windowOf(2, stride(2)),
				windowOf(2)), want: "f32[2,4,4,3,6]"},
		{name: "rank4", op: Convolution, operands: "f32[1,1,4,4,4,4], f32[1,1,2,2,2,2]",
			attrs: convolutionOf(t, "bf0123_oi0123->bf0123", windowOf(2), windowOf(2), windowOf(2),
				windowOf(2)), want: "f32[1,1,3,3,3,3]"},
		{name: "strided_dilated_reversed", op: Convolution, operands: "f32[2,8,8,4], f32[3,3,2,16]",
			attrs: grouped(image, 2, 0, windowOf(3, stride(2), lhsDilate(2), reversed),
				windowOf(3, pad(1, 2))), want: "f32[2,7,9,16]"},
		{name: "batch_groups", op: Convolution, operands: "f32[4,8,3], f32[3,3,16]",
			attrs: grouped("b0f_0io->b0f", 0, 2, three),
			want:  "f32[2,6,16]"},
		{name: "depthwise", op: Convolution, operands: "f32[1,8,8,6], f32[3,3,1,12]",
			attrs: grouped(image, 6, 1, three, three),
			want:  "f32[1,6,6,12]"},
		{name: "atrous", op: Convolution, operands: "f32[1,8,1], f32[3,1,1]",
			attrs: convolutionOf(t, "b0f_0io->b0f", windowOf(3, rhsDilate(3))), want: "f32[1,2,1]"},
		{name: "negative_padding", op: Convolution, operands: "f32[1,8,1], f32[3,1,1]",
			attrs: convolutionOf(t, "b0f_0io->b0f", windowOf(3, pad(-2, -1))), want: "f32[1,3,1]"},
		{name: "window_does_not_fit", op: Convolution, operands: "f32[1,2,1], f32[3,1,1]",
			attrs: convolutionOf(t, "b0f_0io->b0f", three), want: "f32[1,0,1]"},
		{name: "no_spatial_elements", op: Convolution, operands: "f32[1,0,1], f32[3,1,1]",
			attrs: convolutionOf(t, "b0f_0io->b0f", windowOf(3, pad(2, 2))), want: "f32[1,2,1]"},
		// The labels of XLA's text with batch_group_count and another order of the result.
		{name: "batch_groups_in_other_order", op: Convolution, operands: "f32[8,5,6,64], f32[8,2,3,128]",
			attrs: grouped("f01b_i01o->01fb", 0, 64, windowOf(2, pad(1, 1)),
				windowOf(3, pad(2, 2))), want: "f32[6,8,128,1]"},
		{name: "bounded", op: Convolution, operands: "f32[<=4,<=8,3], f32[3,3,16]",
			attrs: convolutionOf(t, "b0f_0io->b0f", three),
			want:  "f32[<=4,<=6,16]"},
		{name: "unbounded", op: Convolution, operands: "f32[?,?,?], f32[3,3,16]",
			attrs: convolutionOf(t, "b0f_0io->b0f", three),
			want:  "f32[?,?,16]"},
		{name: "declared_type", op: Convolution, operands: "s8[2,3], s8[3,4]", attrs: convolutionOf(t, "bf_io->bf"),
			declared: "s32[2,4]", want: "s32[2,4]"},
		{name: "mixed_integers", op: Convolution, operands: "u32[2,3], s32[3,4]", attrs: convolutionOf(t, "bf_io->bf"),
			want: "s32[2,4]"},
		{name: "mixed_precision", op: Convolution, operands: "bf16[2,3], f32[3,4]",
			attrs: convolutionOf(t, "bf_io->bf"),
			want:  "f32[2,4]"},
	})
}

func TestConvolutionConstraints(t *testing.T) {
	const line = "b0f_0io->b0f"
	three := windowOf(3)
	with := func(edit func(*ConvolutionAttrs)) *ConvolutionAttrs {
		a := convolutionOf(t, line, three)
		edit(a)
		return a
	}
	groups := func(feature, batch int) *ConvolutionAttrs {
		return with(func(a *ConvolutionAttrs) { a.FeatureGroupCount, a.BatchGroupCount = feature, batch })
	}
	labels := func(edit func(*DimLabels)) *ConvolutionAttrs {
		return with(func(a *ConvolutionAttrs) { edit(&a.DimLabels) })
	}
	plain := groups(1, 1)
	const operands = "f32[4,8,6], f32[3,6,16]"
	runRules(t, []ruleCase{
		{name: "plain", op: Convolution, operands: operands, attrs: plain, want: "f32[4,6,16]"},
		{name: "convolution_i1_count", op: Convolution, operands: "f32[4,8,6]", attrs: plain, want: "!convolution_i1"},
		{name: "convolution_i1_tuple", op: Convolution, operands: "f32[4,8,6], ()", attrs: plain,
			want: "!convolution_i1 operand 1"},
		{name: "convolution_c1_lhs", op: Convolution, operands: "f32[4,6], f32[3,6,16]", attrs: plain,
			want: "!convolution_c1 operand 0"},
		{name: "convolution_c1_rhs", op: Convolution, operands: "f32[4,8,6], f32[3,6,16,1]", attrs: plain,
			want: "!convolution_c1 operand 1"},
		{name: "convolution_c2", op: Convolution, operands: operands, attrs: convolutionOf(t, line),
			want: "!convolution_c2 window"},
		{name: "convolution_c3", op: Convolution, operands: operands,
			attrs: convolutionOf(t, line, windowOf(3, stride(0))),
			want:  "!convolution_c3 window"},
		{name: "convolution_c6", op: Convolution, operands: operands,
			attrs: convolutionOf(t, line, windowOf(3, lhsDilate(0))),
			want:  "!convolution_c6 window"},
		{name: "convolution_c8", op: Convolution, operands: operands,
			attrs: convolutionOf(t, line, windowOf(3, rhsDilate(-1))),
			want:  "!convolution_c8 window"},
		{name: "convolution_c10", op: Convolution, operands: "f32[3,8,6], f32[3,6,16]", attrs: groups(1, 2),
			want: "!convolution_c10 batch_group_count"},
		{name: "convolution_c11", op: Convolution, operands: operands, attrs: groups(4, 1),
			want: "!convolution_c11 feature_group_count"},
		{name: "convolution_c13", op: Convolution, operands: operands,
			attrs: labels(func(l *DimLabels) { l.InputBatch = 1 }),
			want:  "!convolution_c13 dim_labels[2]"},
		{name: "convolution_c13_range", op: Convolution, operands: operands,
			attrs: labels(func(l *DimLabels) { l.InputBatch = 3 }),
			want:  "!convolution_c13 dim_labels[0]"},
		{name: "convolution_c14", op: Convolution, operands: "f32[1,2,4], f32[2,3,3]",
			attrs: convolutionOf(t, line, windowOf(2)),
			want:  "!convolution_c14 operand 1"},
		{name: "convolution_c15", op: Convolution, operands: "f32[4,8,6], f32[3,6,15]", attrs: groups(1, 2),
			want: "!convolution_c15 batch_group_count"},
		{name: "convolution_c16", op: Convolution, operands: "f32[4,8,6], f32[3,3,15]", attrs: groups(2, 1),
			want: "!convolution_c16 feature_group_count"},
		{name: "convolution_c17", op: Convolution, operands: operands,
			attrs: labels(func(l *DimLabels) { l.KernelSpatial = nil }),
			want:  "!convolution_c17 dim_labels"},
		{name: "convolution_c18", op: Convolution, operands: operands,
			attrs: labels(func(l *DimLabels) { l.KernelSpatial = list(2) }),
			want:  "!convolution_c18 dim_labels[2]"},
		{name: "convolution_c19", op: Convolution, operands: operands,
			attrs: labels(func(l *DimLabels) { l.OutputSpatial = nil }),
			want:  "!convolution_c19 dim_labels"},
		{name: "convolution_c20", op: Convolution, operands: operands,
			attrs: labels(func(l *DimLabels) { l.OutputSpatial = list(3) }),
			want:  "!convolution_c20 dim_labels[2]"},
		{name: "convolution_c21", op: Convolution, operands: operands, attrs: groups(-1, 1),
			want: "!convolution_c21 feature_group_count"},
		{name: "convolution_c22", op: Convolution, operands: operands, attrs: groups(1, -1),
			want: "!convolution_c22 batch_group_count"},
		{name: "convolution_c23", op: Convolution, operands: operands, attrs: groups(2, 2),
			want: "!convolution_c23 batch_group_count"},
		{name: "convolution_c24", op: Convolution, operands: operands,
			attrs: with(func(a *ConvolutionAttrs) { a.OperandPrecision = []Precision{PrecisionHigh} }),
			want:  "!convolution_c24 operand_precision"},
		{name: "convolution_c25_size", op: Convolution, operands: operands, attrs: convolutionOf(t, line, windowOf(2)),
			want: "!convolution_c25 window"},
		{name: "convolution_c25_empty", op: Convolution, operands: "f32[4,8,6], f32[0,6,16]",
			attrs: convolutionOf(t, line, windowOf(0)),
			want:  "!convolution_c25 window"},
		{name: "convolution_c25_extent", op: Convolution, operands: operands,
			attrs: convolutionOf(t, line, windowOf(3, lhsDilate(math.MaxInt))), want: "!convolution_c25 window[0]"},
		{name: "convolution_c27", op: Convolution, operands: "f32[4,8,6], s32[3,6,16]", attrs: plain,
			want: "!convolution_c27 operand 1"},
	})
}

func TestConvolutionSparsity(t *testing.T) {
	with := func(lhs, rhs *Sparsity) *ConvolutionAttrs {
		a := convolutionOf(t, "bf_io->bf")
		a.Sparsity = &SparsityConfig{LHS: lhs, RHS: rhs}
		return a
	}
	runRules(t, []ruleCase{
		{name: "rhs", op: Convolution, operands: "bf16[256,256], bf16[64,32], s8[16,32]",
			attrs: with(nil, &Sparsity{A: 1, B: 4, Stride: 1, Idx: 2}), want: "bf16[256,32]"},
		{name: "both", op: Convolution, operands: "bf16[8,64], bf16[64,32], s8[8,16], s8[16,32]",
			attrs: with(&Sparsity{A: 1, B: 4, Dimension: 1, Idx: 2},
				&Sparsity{A: 1, B: 4, Idx: 3}), want: "bf16[8,32]"},
		{name: "convolution_i1", op: Convolution, operands: "bf16[8,64], bf16[64,32], s8[8,16]",
			attrs: with(&Sparsity{A: 1, B: 4, Dimension: 1, Idx: 2},
				&Sparsity{A: 1, B: 4, Idx: 3}), want: "!convolution_i1"},
		{name: "convolution_o1_idx", op: Convolution, operands: "bf16[8,64], bf16[16,32], s8[16,32]",
			attrs: with(nil, &Sparsity{A: 1, B: 4, Idx: 3}), want: "!convolution_o1 sparsity_config"},
		{name: "convolution_c14", op: Convolution, operands: "bf16[8,64], bf16[64,32]",
			attrs: with(nil, &Sparsity{A: 1, B: 4}),
			want:  "!convolution_c14 operand 1"},
	})
}
