package op

import (
	"math"
	"testing"

	"github.com/goxla/xla/shape"
)

func TestSliceRule(t *testing.T) {
	cut := func(r ...SliceRange) *SliceAttrs { return &SliceAttrs{Slice: r} }
	runRules(t, []ruleCase{
		{name: "ok", op: Slice, operands: "f32[10,4]", attrs: cut(SliceRange{2, 6, 1}, SliceRange{0, 4, 1}),
			declared: "f32[4,4]{0,1}", want: "f32[4,4]{0,1}"},
		{name: "stride", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{1, 10, 4}), want: "f32[3]"},
		{name: "empty", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{10, 10, 1}), want: "f32[0]"},
		{name: "huge_stride", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{0, 10, math.MaxInt}), want: "f32[1]"},
		{name: "bounded", op: Slice, operands: "f32[<=10,<=10]", attrs: cut(SliceRange{0, 10, 1}, SliceRange{0, 1, 1}),
			want: "f32[<=10,1]"},
		{name: "unbounded", op: Slice, operands: "f32[?]", attrs: cut(SliceRange{0, 10, 1}), want: "f32[10]"},
		{name: "slice_c2", op: Slice, operands: "f32[10,4]", attrs: cut(SliceRange{2, 6, 1}), want: "!slice_c2 slice"},
		{name: "slice_c3_start", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{-1, 6, 1}),
			want: "!slice_c3 slice[0]"},
		{name: "slice_c3_order", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{7, 6, 1}),
			want: "!slice_c3 slice[0]"},
		{name: "slice_c3_limit", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{2, 11, 1}),
			want: "!slice_c3 slice[0]"},
		{name: "slice_c4", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{2, 6, 0}), want: "!slice_c4 slice[0]"},
		{name: "slice_c5", op: Slice, operands: "f32[10]", attrs: cut(SliceRange{2, 6, 1}), declared: "f32[5]",
			want: "!slice_c5"},
		{name: "slice_i1", op: Slice, operands: "(f32[10])", attrs: cut(), want: "!slice_i1 operand 0"},
	})
}

func TestConcatenateRule(t *testing.T) {
	along := func(d ...int) *ConcatenateAttrs { return &ConcatenateAttrs{Dimensions: d} }
	runRules(t, []ruleCase{
		{name: "ok", op: Concatenate, operands: "f32[2,3], f32[2,4]", attrs: along(1), want: "f32[2,7]"},
		{name: "one", op: Concatenate, operands: "f32[2,3]", attrs: along(0), want: "f32[2,3]"},
		{name: "mixed_precision", op: Concatenate, operands: "bf16[2], f32[2]", attrs: along(0), want: "f32[4]"},
		{name: "bounded", op: Concatenate, operands: "f32[<=2,3], f32[5,3]", attrs: along(0), want: "f32[<=7,3]"},
		{name: "bounded_aside", op: Concatenate, operands: "f32[<=2,3], f32[2,3]", attrs: along(1), want: "f32[<=2,6]"},
		{name: "unbounded", op: Concatenate, operands: "f32[?,3], f32[5,3]", attrs: along(0), want: "f32[?,3]"},
		{name: "unbounded_aside", op: Concatenate, operands: "f32[2,?], f32[5,3]", attrs: along(0), want: "f32[7,3]"},
		{name: "concatenate_c1", op: Concatenate, operands: "f32[2], s32[2]", attrs: along(0),
			want: "!concatenate_c1 operand 1"},
		{name: "concatenate_c2_sizes", op: Concatenate, operands: "s32[1,2], s32[1,3]", attrs: along(0),
			want: "!concatenate_c2 operand 1"},
		{name: "concatenate_c2_ranks", op: Concatenate, operands: "s32[2], s32[1,2]", attrs: along(0),
			want: "!concatenate_c2 operand 1"},
		{name: "concatenate_c2_overflow", op: Concatenate, operands: "s32[0,9223372036854775807], s32[0,1]", attrs: along(1),
			want: "!concatenate_c2 operand 1"},
		{name: "concatenate_c3", op: Concatenate, attrs: along(0), want: "!concatenate_c3"},
		{name: "concatenate_c4", op: Concatenate, operands: "s32[2], s32[2]", attrs: along(1),
			want: "!concatenate_c4 dimensions"},
		{name: "concatenate_c4_scalars", op: Concatenate, operands: "s32[], s32[]", attrs: along(0),
			want: "!concatenate_c4 dimensions"},
		{name: "concatenate_c4_count", op: Concatenate, operands: "s32[2,2]", attrs: along(0, 1),
			want: "!concatenate_c4 dimensions"},
		{name: "concatenate_i1", op: Concatenate, operands: "s32[2], (s32[2])", attrs: along(0),
			want: "!concatenate_i1 operand 1"},
	})
}

func TestPadRule(t *testing.T) {
	by := func(p ...PadDim) *PadAttrs { return &PadAttrs{Padding: p} }
	runRules(t, []ruleCase{
		{name: "ok", op: Pad, operands: "f32[4,4], f32[]", attrs: by(PadDim{1, 1, 0}, PadDim{0, -1, 0}), want: "f32[6,3]"},
		{name: "interior", op: Pad, operands: "f32[4,4], f32[]", attrs: by(PadDim{1, 1, 1}, PadDim{0, -1, 0}),
			want: "f32[9,3]"},
		{name: "empty", op: Pad, operands: "f32[0], f32[]", attrs: by(PadDim{1, 2, 5}), want: "f32[3]"},
		{name: "to_nothing", op: Pad, operands: "f32[3], f32[]", attrs: by(PadDim{-1, -2, 0}), want: "f32[0]"},
		{name: "bounded", op: Pad, operands: "s32[<=4], s32[]", attrs: by(PadDim{0, 0, 1}), want: "s32[<=7]"},
		{name: "unbounded", op: Pad, operands: "s32[?], s32[]", attrs: by(PadDim{0, 2, 1}), want: "s32[?]"},
		{name: "pad_c1", op: Pad, operands: "s32[3], f32[]", attrs: by(PadDim{1, 1, 0}), want: "!pad_c1 operand 1"},
		{name: "pad_c2", op: Pad, operands: "s32[3], s32[]", attrs: by(), want: "!pad_c2 padding"},
		{name: "pad_c3", op: Pad, operands: "s32[3], s32[]", attrs: by(PadDim{0, 0, -1}), want: "!pad_c3 padding[0]"},
		{name: "pad_c4", op: Pad, operands: "s32[3], s32[]", attrs: by(PadDim{-2, -2, 0}), want: "!pad_c4 padding[0]"},
		{name: "pad_c4_overflow", op: Pad, operands: "s32[3], s32[]", attrs: by(PadDim{0, 0, math.MaxInt}),
			want: "!pad_c4 padding[0]"},
		{name: "pad_i1", op: Pad, operands: "(s32[3]), s32[]", attrs: by(PadDim{}), want: "!pad_i1 operand 0"},
		{name: "pad_i2", op: Pad, operands: "s32[3], s32[1]", attrs: by(PadDim{}), want: "!pad_i2 operand 1"},
	})
}

func TestDynamicSliceRules(t *testing.T) {
	take := func(n ...int) *DynamicSliceAttrs { return &DynamicSliceAttrs{SliceSizes: n} }
	runRules(t, []ruleCase{
		{name: "scalars", op: DynamicSlice, operands: "f32[10,4], s32[], s32[]", attrs: take(2, 4), declared: "f32[2,4]{0,1}",
			want: "f32[2,4]{0,1}"},
		{name: "vector", op: DynamicSlice, operands: "f32[4,3], s64[2]", attrs: take(2, 2), want: "f32[2,2]"},
		{name: "scalar_operand", op: DynamicSlice, operands: "f32[]", attrs: take(),
			want: "f32[]"},
		{name: "size_zero", op: DynamicSlice, operands: "f32[3], s32[]", attrs: take(0),
			want: "f32[0]"},
		{name: "whole_bounded", op: DynamicSlice, operands: "f32[<=3,<=3], s32[], s32[]", attrs: take(3, 2),
			want: "f32[<=3,2]"},
		{name: "unbounded", op: DynamicSlice, operands: "f32[?], s32[]", attrs: take(5), want: "f32[5]"},
		{name: "dynamic_slice_c2_vector", op: DynamicSlice, operands: "f32[4,3], s32[1]", attrs: take(2, 2),
			want: "!dynamic_slice_c2 operand 1"},
		{name: "dynamic_slice_c2_scalars", op: DynamicSlice, operands: "f32[4,3], s32[]", attrs: take(2, 2),
			want: "!dynamic_slice_c2"},
		{name: "dynamic_slice_c2_sizes", op: DynamicSlice, operands: "f32[4,3], s32[], s32[]", attrs: take(2),
			want: "!dynamic_slice_c2 dynamic_slice_sizes"},
		{name: "dynamic_slice_c3", op: DynamicSlice, operands: "f32[4,3], s32[], s64[]", attrs: take(2, 2),
			want: "!dynamic_slice_c3 operand 2"},
		{name: "dynamic_slice_c4", op: DynamicSlice, operands: "f32[4], s32[]", attrs: take(5),
			want: "!dynamic_slice_c4 dynamic_slice_sizes[0]"},
		{name: "dynamic_slice_c4_negative", op: DynamicSlice, operands: "f32[4], s32[]", attrs: take(-1),
			want: "!dynamic_slice_c4 dynamic_slice_sizes[0]"},
		{name: "dynamic_slice_c5", op: DynamicSlice, operands: "f32[4], s32[]", attrs: take(2), declared: "f32[3]",
			want: "!dynamic_slice_c5"},
		{name: "dynamic_slice_i1", op: DynamicSlice, attrs: take(), want: "!dynamic_slice_i1"},
		{name: "dynamic_slice_i2", op: DynamicSlice, operands: "f32[4], f32[]", attrs: take(2),
			want: "!dynamic_slice_i2 operand 1"},
		{name: "dynamic_slice_i2_rank", op: DynamicSlice, operands: "f32[4], s32[1,1]", attrs: take(2),
			want: "!dynamic_slice_i2 operand 1"},

		{name: "scalars", op: DynamicUpdateSlice, operands: "f32[10,4]{0,1}, f32[2,4], s32[], s32[]",
			declared: "f32[10,4]{0,1}", want: "f32[10,4]{0,1}"},
		{name: "vector", op: DynamicUpdateSlice, operands: "f32[4,3], f32[3,2], s32[2]", want: "f32[4,3]"},
		{name: "whole_bounded", op: DynamicUpdateSlice, operands: "f32[4,4], f32[<=4,<=2], s32[], s32[]",
			want: "f32[<=4,4]"},
		{name: "dynamic_update_slice_c1", op: DynamicUpdateSlice, operands: "f32[5], f32[2], s32[]",
			declared: "f32[2]",
			want:     "!dynamic_update_slice_c1"},
		{name: "dynamic_update_slice_c1_type", op: DynamicUpdateSlice, operands: "f32[5], bf16[2], s32[]",
			declared: "bf16[5]",
			want:     "!dynamic_update_slice_c1"},
		{name: "dynamic_update_slice_c2", op: DynamicUpdateSlice, operands: "f32[5], s32[2], s32[]",
			want: "!dynamic_update_slice_c2 operand 1"},
		{name: "dynamic_update_slice_c3", op: DynamicUpdateSlice, operands: "f32[5], f32[2,1], s32[]",
			want: "!dynamic_update_slice_c3 operand 1"},
		{name: "dynamic_update_slice_c4", op: DynamicUpdateSlice, operands: "f32[5], f32[2], s32[], s32[]",
			want: "!dynamic_update_slice_c4"},
		{name: "dynamic_update_slice_c5", op: DynamicUpdateSlice, operands: "f32[5,5], f32[2,2], s32[], u32[]",
			want: "!dynamic_update_slice_c5 operand 3"},
		{name: "dynamic_update_slice_c6", op: DynamicUpdateSlice, operands: "f32[5], f32[6], s32[]",
			want: "!dynamic_update_slice_c6 operand 1"},
		{name: "dynamic_update_slice_i1", op: DynamicUpdateSlice, operands: "f32[5], (f32[2]), s32[]",
			want: "!dynamic_update_slice_i1 operand 1"},
		{name: "dynamic_update_slice_i2", op: DynamicUpdateSlice, operands: "f32[5]", want: "!dynamic_update_slice_i2"},
		{name: "dynamic_update_slice_i3", op: DynamicUpdateSlice, operands: "f32[5], f32[2], pred[]",
			want: "!dynamic_update_slice_i3 operand 2"},
	})
}

func TestDynamicShapeRules(t *testing.T) {
	dim := func(d ...int) *DimensionAttrs { return &DimensionAttrs{Dimensions: d} }
	runRules(t, []ruleCase{
		{name: "ok", op: DynamicReshape, operands: "f32[2,<=6], s32[], s32[]", declared: "f32[<=6,2]", want: "f32[<=6,2]"},
		{name: "dynamic_reshape_c1", op: DynamicReshape, operands: "f32[4], s32[]", declared: "s32[<=4]",
			want: "!dynamic_reshape_c1"},
		{name: "dynamic_reshape_c2", op: DynamicReshape, operands: "f32[4], s32[]", declared: "f32[<=5]",
			want: "!dynamic_reshape_c2"},
		{name: "dynamic_reshape_c4", op: DynamicReshape, operands: "f32[4], s32[]", declared: "f32[<=2,2]",
			want: "!dynamic_reshape_c4"},
		{name: "dynamic_reshape_i1", op: DynamicReshape, declared: "f32[<=2]", want: "!dynamic_reshape_i1"},
		{name: "dynamic_reshape_i2", op: DynamicReshape, operands: "f32[4], s64[]", declared: "f32[<=4]",
			want: "!dynamic_reshape_i2 operand 1"},
		{name: "dynamic_reshape_i2_rank", op: DynamicReshape, operands: "f32[4], s32[1]", declared: "f32[<=4]",
			want: "!dynamic_reshape_i2 operand 1"},
		{name: "dynamic_reshape_o1", op: DynamicReshape, operands: "f32[4], s32[]", want: "!dynamic_reshape_o1"},

		{name: "ok", op: GetDimensionSize, operands: "f32[2,<=5]", attrs: dim(1), want: "s32[]"},
		{name: "get_dimension_size_c1", op: GetDimensionSize, operands: "f32[2,5]", attrs: dim(2),
			want: "!get_dimension_size_c1 dimensions"},
		{name: "get_dimension_size_c1_count", op: GetDimensionSize, operands: "f32[2,5]", attrs: dim(),
			want: "!get_dimension_size_c1 dimensions"},
		{name: "get_dimension_size_i1", op: GetDimensionSize, operands: "(f32[1])", attrs: dim(0),
			want: "!get_dimension_size_i1 operand 0"},
		{name: "get_dimension_size_o1", op: GetDimensionSize, operands: "f32[4294967296]", attrs: dim(0),
			want: "!get_dimension_size_o1 operand 0"},

		{name: "bound_stays", op: SetDimensionSize, operands: "f32[2,5]{0,1}, s32[]", attrs: dim(1), want: "f32[2,<=5]{0,1}"},
		{name: "again", op: SetDimensionSize, operands: "f32[<=2,5], s32[]", attrs: dim(1), want: "f32[<=2,<=5]"},
		{name: "set_dimension_size_c1", op: SetDimensionSize, operands: "f32[2,5], s32[]", attrs: dim(-1),
			want: "!set_dimension_size_c1 dimensions"},
		{name: "set_dimension_size_i1", op: SetDimensionSize, operands: "token[], s32[]", attrs: dim(0),
			want: "!set_dimension_size_i1 operand 0"},
		{name: "set_dimension_size_i2", op: SetDimensionSize, operands: "f32[2], s64[]", attrs: dim(0),
			want: "!set_dimension_size_i2 operand 1"},
		{name: "set_dimension_size_o1", op: SetDimensionSize, operands: "f32[4294967296], s32[]", attrs: dim(0),
			want: "!set_dimension_size_o1 operand 0"},
	})
}

// A rule must not write into the shapes it is given.
func TestSetDimensionSizeLeavesItsOperand(t *testing.T) {
	s := mustShape(t, "f32[<=2,5]")
	in := &Inputs{Operands: []shape.Shape{s, shape.Make(shape.S32)}, Attrs: &DimensionAttrs{Dimensions: list(1)}}
	if _, err := Infer(SetDimensionSize, in); err != nil {
		t.Fatal(err)
	}
	if s.IsDynamicDim(1) {
		t.Errorf("the operand became %v", s)
	}
}
