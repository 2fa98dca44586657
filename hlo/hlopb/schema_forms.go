package hlopb

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/op"
)

// fillForms sets the tables of the structured attributes.
func (s *schema) fillForms() {
	s.fillWindows()
	s.aliasing.fill(
		row(1, "output_shape_index", numbers(), func(t *op.OutputAliasing) *[]int { return &t.OutputIndex }),
		row(2, "operand_index", number(), func(t *op.OutputAliasing) *int { return &t.Operand }),
		row(3, "operand_shape_index", numbers(), func(t *op.OutputAliasing) *[]int { return &t.OperandIndex }),
	)
	s.pair.fill(
		row(1, "source", number(), func(t *[2]int) *int { return &t[0] }),
		row(2, "target", number(), func(t *[2]int) *int { return &t[1] }),
	)
	var tolerance message[op.ResultAccuracy]
	tolerance.fill(
		row(1, "atol", double(), func(t *op.ResultAccuracy) *float64 { return &t.ATol }),
		row(2, "rtol", double(), func(t *op.ResultAccuracy) *float64 { return &t.RTol }),
		row(3, "ulps", number(), func(t *op.ResultAccuracy) *int { return &t.ULPs }),
	)
	s.accuracy.fill(
		row(1, "mode", word("result_accuracy"), func(t *op.ResultAccuracy) *op.Word { return &t.Mode }),
		row(2, "tolerance", tolerances(&tolerance), func(t *op.ResultAccuracy) *op.ResultAccuracy { return t }),
	)
	s.sparseSide.fill(
		row(1, "num_non_zero", number(), func(t *op.Sparsity) *int { return &t.A }),
		row(2, "block_size", number(), func(t *op.Sparsity) *int { return &t.B }),
		row(3, "dimension", number(), func(t *op.Sparsity) *int { return &t.Dimension }),
		row(4, "stride", number(), func(t *op.Sparsity) *int { return &t.Stride }),
		row(5, "idx", number(), func(t *op.Sparsity) *int { return &t.Idx }),
	)
	s.sparsity.fill(
		row(1, "lhs", optional(&s.sparseSide), func(t *op.SparsityConfig) **op.Sparsity { return &t.LHS }),
		row(2, "rhs", optional(&s.sparseSide), func(t *op.SparsityConfig) **op.Sparsity { return &t.RHS }),
	)
}

func (s *schema) fillWindows() {
	s.windowDim.fill(
		row(1, "size", number(), func(t *op.WindowDim) *int { return &t.Size }),
		row(2, "stride", number(), func(t *op.WindowDim) *int { return &t.Stride }),
		row(3, "padding_low", number(), func(t *op.WindowDim) *int { return &t.PaddingLow }),
		row(4, "padding_high", number(), func(t *op.WindowDim) *int { return &t.PaddingHigh }),
		row(5, "window_dilation", number(), func(t *op.WindowDim) *int { return &t.WindowDilation }),
		row(6, "base_dilation", number(), func(t *op.WindowDim) *int { return &t.BaseDilation }),
		row(7, "window_reversal", flag(), func(t *op.WindowDim) *bool { return &t.Reversal }),
	)
	s.window.fill(row(1, "dimensions", list(&s.windowDim), func(t *op.Window) *[]op.WindowDim { return &t.Dims }))
	s.padDim.fill(
		row(1, "edge_padding_low", number(), func(t *op.PadDim) *int { return &t.Low }),
		row(2, "edge_padding_high", number(), func(t *op.PadDim) *int { return &t.High }),
		row(3, "interior_padding", number(), func(t *op.PadDim) *int { return &t.Interior }),
	)
	s.padding.fill(row(1, "dimensions", list(&s.padDim), func(t *op.Padding) *[]op.PadDim {
		return (*[]op.PadDim)(t)
	}))
	s.sliceRange.fill(
		row(1, "start", number(), func(t *op.SliceRange) *int { return &t.Start }),
		row(2, "limit", number(), func(t *op.SliceRange) *int { return &t.Limit }),
		row(3, "stride", number(), func(t *op.SliceRange) *int { return &t.Stride }),
	)
	type labels = op.DimLabels
	s.dimLabels.fill(
		row(3, "kernel_input_feature_dimension", number(), func(t *labels) *int { return &t.KernelInputFeature }),
		row(4, "kernel_output_feature_dimension", number(), func(t *labels) *int { return &t.KernelOutputFeature }),
		row(6, "kernel_spatial_dimensions", numbers(), func(t *labels) *[]int { return &t.KernelSpatial }),
		row(7, "input_batch_dimension", number(), func(t *labels) *int { return &t.InputBatch }),
		row(8, "input_feature_dimension", number(), func(t *labels) *int { return &t.InputFeature }),
		row(9, "output_batch_dimension", number(), func(t *labels) *int { return &t.OutputBatch }),
		row(10, "output_feature_dimension", number(), func(t *labels) *int { return &t.OutputFeature }),
		row(11, "input_spatial_dimensions", numbers(), func(t *labels) *[]int { return &t.InputSpatial }),
		row(12, "output_spatial_dimensions", numbers(), func(t *labels) *[]int { return &t.OutputSpatial }),
	)
}

// word is the kind of an enum that package op has as a word of the attribute attr.
func word(attr string) kind[op.Word] {
	words := wordNumbers(attr)
	return kind[op.Word]{
		read: func(r *reader, p *op.Word) {
			v := r.varint()
			if r.ok() && v >= uint64(len(words)) {
				r.fail("expects a number in [0, %d), got %d", len(words), v)
			}
			if r.ok() {
				*p, _ = op.ParseWord(attr, words[v])
			}
		},
		write: func(w *writer, num protowire.Number, p *op.Word) {
			for v, name := range words {
				if parsed, _ := op.ParseWord(attr, name); parsed == *p && v != 0 {
					w.varint(num, uint64(v))
				}
			}
		},
	}
}

// wordNumbers returns the words of an attribute in the order of the numbers of the proto.
func wordNumbers(attr string) []string {
	words := op.Words(attr)
	if attr == "api_version" { // its default is not number 0
		return append([]string{words[1], words[0]}, words[2:]...)
	}
	return words
}

// spelled is the kind of a word that the proto has as a string.
func spelled(attr string) kind[op.Word] {
	return kind[op.Word]{
		read: func(r *reader, p *op.Word) {
			start, name := r.pos, r.text()
			if r.ok() && !op.LegalWord(attr, name) {
				r.failAt(start, "expects one of %v, got %q", op.Words(attr), name)
			}
			*p = op.Word(name)
		},
		write: func(w *writer, num protowire.Number, p *op.Word) { w.text(num, string(*p)) },
	}
}

// tolerances is the kind of the tolerance of a result, which is there or not.
func tolerances(m *message[op.ResultAccuracy]) kind[op.ResultAccuracy] {
	inner := single(m)
	return kind[op.ResultAccuracy]{
		read: func(r *reader, p *op.ResultAccuracy) {
			*p = op.ResultAccuracy{HasTolerance: true}
			inner.read(r, p)
		},
		write: func(w *writer, num protowire.Number, p *op.ResultAccuracy) {
			if p.HasTolerance {
				w.present(num, func() { m.write(w, p) })
			}
		},
	}
}
