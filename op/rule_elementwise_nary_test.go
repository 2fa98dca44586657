package op

import (
	"testing"

	"github.com/goxla/xla/shape"
)

func TestBinaryRules(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "float", op: Add, operands: "f32[2,3], f32[2,3]", want: "f32[2,3]"},
		{name: "pred", op: Add, operands: "pred[2], pred[2]", want: "pred[2]"},
		{name: "layout_of_lhs", op: Add, operands: "f32[2,3]{0,1}, f32[2,3]{1,0}", want: "f32[2,3]{0,1}"},
		{name: "mixed_precision", op: Multiply, operands: "bf16[2], f32[2]", want: "f32[2]"},
		{name: "bf16_beats_f16", op: Multiply, operands: "f16[2], bf16[2]", want: "bf16[2]"},
		{name: "bounded", op: Add, operands: "f32[<=10], f32[<=10]", want: "f32[<=10]"},
		{name: "bounded_and_static", op: Add, operands: "f32[10], f32[<=10]", want: "f32[<=10]"},
		{name: "unbounded", op: Add, operands: "f32[?,?], f32[?,4]", want: "f32[?,4]"},
		{name: "unbounded_and_bounded", op: Add, operands: "f32[<=4], f32[?]", want: "f32[?]"},
		{name: "unbounded_and_one", op: Add, operands: "f32[1], f32[?]", want: "f32[?]"},
		{name: "add_c1_sizes", op: Add, operands: "f32[2,3], f32[4,3]", want: "!add_c1 operand 1"},
		{name: "add_c1_one", op: Add, operands: "f32[2,3], f32[1,3]", want: "!add_c1 operand 1"},
		{name: "add_c1_scalar", op: Add, operands: "f32[2,3], f32[]", want: "!add_c1 operand 1"},
		{name: "add_c1_ranks", op: Add, operands: "f32[2,3], f32[3]", want: "!add_c1 operand 1"},
		{name: "add_c1_bounds", op: Add, operands: "f32[<=2], f32[<=3]", want: "!add_c1 operand 1"},
		{name: "add_c1_types", op: Add, operands: "f32[2], s32[2]", want: "!add_c1 operand 1"},
		{name: "add_i1_tuple", op: Add, operands: "f32[2], (f32[2])", want: "!add_i1 operand 1"},
		{name: "remainder_c1_types", op: Remainder, operands: "s32[1], f32[1]", want: "!remainder_c1 operand 1"},
		{name: "integer", op: Power, operands: "u4[2], u4[2]", want: "u4[2]"},
		{name: "subtract_i1_pred", op: Subtract, operands: "pred[2], pred[2]", want: "!subtract_i1 operand 0"},
		{name: "divide_i1_pred", op: Divide, operands: "pred[2], pred[2]", want: "!divide_i1 operand 0"},
		{name: "pred", op: And, operands: "pred[2], pred[2]", want: "pred[2]"},
		{name: "and_i1_float", op: And, operands: "f32[2], f32[2]", want: "!and_i1 operand 0"},
		{name: "integer", op: ShiftLeft, operands: "s2[2], s2[2]", want: "s2[2]"},
		{name: "shift_left_i1_float", op: ShiftLeft, operands: "f32[2], f32[2]", want: "!shift_left_i1 operand 0"},
		{name: "shift_left_c1", op: ShiftLeft, operands: "s32[2], u32[2]", want: "!shift_left_c1 operand 1"},
		{name: "integer", op: Mulhi, operands: "s32[2], s32[2]", want: "s32[2]"},
		{name: "mulhi_i1_float", op: Mulhi, operands: "f32[2], f32[2]", want: "!mulhi_i1 operand 0"},
		{name: "complex", op: Atan2, operands: "c64[2], c64[2]", want: "c64[2]"},
		{name: "atan2_i1_integer", op: Atan2, operands: "s32[2], s32[2]", want: "!atan2_i1 operand 0"},
		{name: "f32", op: Complex, operands: "f32[2]{0}, f32[2]{0}", want: "c64[2]"},
		{name: "f64", op: Complex, operands: "f64[], f64[]", want: "c128[]"},
		{name: "complex_i1_integer", op: Complex, operands: "s32[1], s32[1]", want: "!complex_i1 operand 0"},
		{name: "complex_i1_half", op: Complex, operands: "f16[1], f16[1]", want: "!complex_i1 operand 0"},
		{name: "complex_c1", op: Complex, operands: "f32[1], f64[1]", want: "!complex_c1 operand 1"},
	})
}

func TestCompareRule(t *testing.T) {
	as := func(d Direction, c ComparisonType) *CompareAttrs { return &CompareAttrs{Direction: d, Type: c} }
	runRules(t, []ruleCase{
		{name: "float", op: Compare, operands: "f32[4]{0}, f32[4]{0}", attrs: as(LT, ComparisonDefault), want: "pred[4]"},
		{name: "totalorder", op: Compare, operands: "bf16[4], bf16[4]", attrs: as(GE, ComparisonTotalOrder), want: "pred[4]"},
		{name: "pred", op: Compare, operands: "pred[4], pred[4]", attrs: as(LE, ComparisonUnsigned), want: "pred[4]"},
		{name: "complex", op: Compare, operands: "c64[4], c64[4]", attrs: as(NE, ComparisonFloat), want: "pred[4]"},
		{name: "compare_c1", op: Compare, operands: "f32[4], s32[4]", attrs: as(NE, ComparisonDefault),
			want: "!compare_c1 operand 1"},
		{name: "compare_c3_float", op: Compare, operands: "f32[], f32[]", attrs: as(LT, ComparisonUnsigned),
			want: "!compare_c3 type"},
		{name: "compare_c3_pred", op: Compare, operands: "pred[], pred[]", attrs: as(LT, ComparisonSigned),
			want: "!compare_c3 type"},
		{name: "compare_c3_signed", op: Compare, operands: "s32[], s32[]", attrs: as(LT, ComparisonUnsigned),
			want: "!compare_c3 type"},
		{name: "compare_c3_unsigned", op: Compare, operands: "u32[], u32[]", attrs: as(LT, ComparisonTotalOrder),
			want: "!compare_c3 type"},
		{name: "compare_c3_complex", op: Compare, operands: "c64[], c64[]", attrs: as(EQ, ComparisonTotalOrder),
			want: "!compare_c3 type"},
		{name: "compare_i3", op: Compare, operands: "s32[], s32[]", attrs: &CompareAttrs{}, want: "!compare_i3 direction"},
		{name: "compare_o1", op: Compare, operands: "c64[], c64[]", attrs: as(LT, ComparisonFloat),
			want: "!compare_o1 direction"},
	})
}

func TestTernaryRules(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "scalars", op: Clamp, operands: "f32[], f32[4]{0}, f32[]", want: "f32[4]"},
		{name: "each_on_its_own", op: Clamp, operands: "s32[3], s32[3], s32[]", want: "s32[3]"},
		{name: "clamp_c1", op: Clamp, operands: "s32[2], s32[3], s32[]", want: "!clamp_c1 operand 0"},
		{name: "clamp_c2", op: Clamp, operands: "s32[], s32[3], s32[1]", want: "!clamp_c2 operand 2"},
		{name: "clamp_c3", op: Clamp, operands: "f32[], s32[3], s32[]", want: "!clamp_c3 operand 0"},
		{name: "clamp_i1", op: Clamp, operands: "f32[], (f32[3]), f32[]", want: "!clamp_i1 operand 1"},

		{name: "array", op: Select, operands: "pred[4], f32[4], f32[4]", want: "f32[4]"},
		{name: "scalar", op: Select, operands: "pred[], f32[2,2]{0,1}, f32[2,2]", want: "f32[2,2]{0,1}"},
		{name: "layout_of_pred", op: Select, operands: "pred[2,2]{0,1}, f32[2,2], f32[2,2]", want: "f32[2,2]{0,1}"},
		{name: "packed", op: Select, operands: "pred[2], s4[2]{0:E(4)}, s4[2]{0:E(4)}", want: "s4[2]{0:E(4)}"},
		{name: "bounded", op: Select, operands: "pred[4], f32[<=4], f32[4]", want: "f32[<=4]"},
		{name: "bounded_pred", op: Select, operands: "pred[<=4], f32[4], f32[4]", want: "f32[<=4]"},
		{name: "unbounded", op: Select, operands: "pred[?], f32[?], f32[4]", want: "f32[4]"},
		{name: "mixed_precision", op: Select, operands: "pred[], f16[4], f32[4]", want: "f32[4]"},
		{name: "select_c1", op: Select, operands: "pred[3], f32[4], f32[4]", want: "!select_c1 operand 0"},
		{name: "select_c2_dims", op: Select, operands: "pred[], f32[4], f32[3]", want: "!select_c2 operand 2"},
		{name: "select_c2_type", op: Select, operands: "pred[], f32[4], s32[4]", want: "!select_c2 operand 2"},
		{name: "select_i1", op: Select, operands: "s32[], f32[4], f32[4]", want: "!select_i1 operand 0"},
		{name: "select_i2_tuple", op: Select, operands: "pred[], (f32[], f32[]), (f32[], f32[])",
			want: "!select_i2 operand 1"},
	})
}

func TestHigherPrecision(t *testing.T) {
	for _, c := range []struct{ a, b, want shape.ElementType }{
		{shape.F32, shape.F32, shape.F32},
		{shape.F16, shape.BF16, shape.BF16},
		{shape.F64, shape.F32, shape.F64},
		{shape.F8E4M3FN, shape.F8E5M2, shape.F8E5M2},
		{shape.F8E5M2, shape.F16, shape.F16},
		{shape.S32, shape.S32, shape.S32},
	} {
		if got := higherPrecision(c.a, c.b); got != c.want {
			t.Errorf("higherPrecision(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
