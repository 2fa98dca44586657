package op

import (
	"testing"

	"github.com/goxla/xla/shape"
)

// dotAttrs has the four lists in the order lhs batch, lhs contracting, rhs batch, rhs contracting.
func dotAttrs(lb, lc, rb, rc []int) *DotAttrs {
	return &DotAttrs{LHSBatch: lb, LHSContracting: lc, RHSBatch: rb, RHSContracting: rc}
}

func TestDotRule(t *testing.T) {
	matmul := dotAttrs(nil, list(1), nil, list(0))
	batched := dotAttrs(list(0), list(2), list(0), list(1))
	runRules(t, []ruleCase{
		{name: "matrix", op: Dot, operands: "f32[2,3], f32[3,4]", attrs: matmul, want: "f32[2,4]"},
		{name: "vectors", op: Dot, operands: "f32[3], f32[3]", attrs: dotAttrs(nil, list(0), nil, list(0)),
			want: "f32[]"},
		{name: "matrix_vector", op: Dot, operands: "f32[2,3], f32[3]", attrs: matmul, want: "f32[2]"},
		{name: "outer", op: Dot, operands: "f32[2], f32[3]", attrs: dotAttrs(nil, nil, nil, nil), want: "f32[2,3]"},
		{name: "layout_is_default", op: Dot, operands: "f32[2,3]{0,1}, f32[3,4]{0,1}", attrs: matmul,
			want: "f32[2,4]{1,0}"},
		// OPS.md: the worked dot_general with batch 0/0 and contracting 2/1, and the one with contracting 1/1.
		{name: "worked_batch", op: Dot, operands: "f32[2,2,2], f32[2,2,2]", attrs: batched, want: "f32[2,2,2]"},
		{name: "worked_rows", op: Dot, operands: "f32[2,3], f32[2,3]", attrs: dotAttrs(nil, list(1), nil, list(1)),
			want: "f32[2,2]"},
		{name: "batch_in_front", op: Dot, operands: "f32[4,7,5,3], f32[3,5,6,7]",
			attrs: dotAttrs(list(1, 2), list(3), list(3, 1), list(0)), want: "f32[7,5,4,6]"},
		{name: "wider_result", op: Dot, operands: "bf16[2,3], bf16[3,4]", attrs: matmul, declared: "f32[2,4]",
			want: "f32[2,4]"},
		{name: "integer_result", op: Dot, operands: "s8[2,3], s8[3,4]", attrs: matmul, declared: "s32[2,4]",
			want: "s32[2,4]"},
		{name: "narrower_float", op: Dot, operands: "f32[2,3], f32[3,4]", attrs: matmul, declared: "bf16[2,4]",
			want: "bf16[2,4]"},
		{name: "narrower_integer", op: Dot, operands: "s32[2,3], s64[3,4]", attrs: matmul, declared: "s32[2,4]",
			want: "s32[2,4]"},
		{name: "mixed_precision", op: Dot, operands: "f16[2,3], bf16[3,4]", attrs: matmul, want: "bf16[2,4]"},
		{name: "mixed_sign", op: Dot, operands: "u8[2,3], s8[3,4]", attrs: matmul, want: "s8[2,4]"},
		{name: "bounded", op: Dot, operands: "f32[<=2,<=3], f32[3,<=4]", attrs: matmul, want: "f32[<=2,<=4]"},
		{name: "unbounded", op: Dot, operands: "f32[?,?], f32[3,4]", attrs: matmul, want: "f32[?,4]"},
		{name: "dot_general_i1", op: Dot, operands: "f32[2,3], (f32[3])", attrs: matmul,
			want: "!dot_general_i1 operand 1"},
		{name: "dot_general_c1", op: Dot, operands: "f32[2,3], f32[2,3]",
			attrs: dotAttrs(list(0), list(1), nil, list(1)),
			want:  "!dot_general_c1 rhs_batch_dims"},
		{name: "dot_general_c2", op: Dot, operands: "f32[2,3], f32[2,3]",
			attrs: dotAttrs(nil, list(1), nil, list(0, 1)),
			want:  "!dot_general_c2 rhs_contracting_dims"},
		{name: "dot_general_c3_twice", op: Dot, operands: "f32[2,3], f32[2,3]",
			attrs: dotAttrs(nil, list(1, 1), nil, list(1, 0)),
			want:  "!dot_general_c3 lhs_contracting_dims[1]"},
		{name: "dot_general_c3_batch", op: Dot, operands: "f32[2,3], f32[2,3]",
			attrs: dotAttrs(list(0), list(0), list(0), list(1)),
			want:  "!dot_general_c3 lhs_contracting_dims[0]"},
		{name: "dot_general_c4_twice", op: Dot, operands: "f32[2,3], f32[2,3]",
			attrs: dotAttrs(nil, list(1, 0), nil, list(1, 1)),
			want:  "!dot_general_c4 rhs_contracting_dims[1]"},
		{name: "dot_general_c4_batch", op: Dot, operands: "f32[2,3], f32[2,3]",
			attrs: dotAttrs(list(0), list(1), list(0), list(0)),
			want:  "!dot_general_c4 rhs_contracting_dims[0]"},
		{name: "dot_general_c5", op: Dot, operands: "f32[2,3], f32[2,3]", attrs: dotAttrs(list(2), nil, list(0), nil),
			want: "!dot_general_c5 lhs_batch_dims[0]"},
		{name: "dot_general_c6", op: Dot, operands: "f32[2,3], f32[2,3]", attrs: dotAttrs(nil, list(-1), nil, list(0)),
			want: "!dot_general_c6 lhs_contracting_dims[0]"},
		{name: "dot_general_c7", op: Dot, operands: "f32[2,3], f32[2,3]", attrs: dotAttrs(list(0), nil, list(2), nil),
			want: "!dot_general_c7 rhs_batch_dims[0]"},
		{name: "dot_general_c8", op: Dot, operands: "f32[2,3], f32[2,3]", attrs: dotAttrs(nil, list(1), nil, list(2)),
			want: "!dot_general_c8 rhs_contracting_dims[0]"},
		{name: "dot_general_c9", op: Dot, operands: "f32[2,2,2], f32[3,2,2]", attrs: batched,
			want: "!dot_general_c9 rhs_batch_dims[0]"},
		{name: "dot_general_c10", op: Dot, operands: "f32[1,3], f32[2,1]", attrs: matmul,
			want: "!dot_general_c10 rhs_contracting_dims[0]"},
	})
}

func TestDotPrecision(t *testing.T) {
	with := func(p ...Precision) *DotAttrs {
		return &DotAttrs{LHSContracting: list(1), RHSContracting: list(0), OperandPrecision: p}
	}
	nibbles := with(PrecisionPackedNibble, PrecisionPackedNibble)
	runRules(t, []ruleCase{
		{name: "both", op: Dot, operands: "f32[2,3], f32[3,4]", attrs: with(PrecisionHigh, PrecisionHighest),
			want: "f32[2,4]"},
		{name: "nibbles", op: Dot, operands: "s8[2,3], u8[3,4]", attrs: nibbles, want: "s8[2,4]"},
		{name: "dot_general_c11_one", op: Dot, operands: "f32[2,3], f32[3,4]", attrs: with(PrecisionHigh),
			want: "!dot_general_c11 operand_precision"},
		{name: "dot_general_c11_nibble", op: Dot, operands: "s8[2,3], s8[3,4]",
			attrs: with(PrecisionPackedNibble, PrecisionDefault),
			want:  "!dot_general_c11 operand_precision"},
		{name: "dot_general_c11_nibbles", op: Dot, operands: "s8[2,3], s16[3,4]", attrs: nibbles,
			want: "!dot_general_c11 operand 1"},
	})
}

func TestDotSparsity(t *testing.T) {
	with := func(lhs, rhs *Sparsity) *DotAttrs {
		return &DotAttrs{LHSContracting: list(1), RHSContracting: list(0),
			Sparsity: &SparsityConfig{LHS: lhs, RHS: rhs}}
	}
	half := &Sparsity{A: 2, B: 4, Dimension: 1}
	runRules(t, []ruleCase{
		{name: "lhs", op: Dot, operands: "f32[2,8], f32[16,4]", attrs: with(half, nil), want: "f32[2,4]"},
		{name: "both", op: Dot, operands: "f32[2,8], f32[4,4]", attrs: with(half, &Sparsity{A: 1, B: 4}),
			want: "f32[2,4]"},
		{name: "unbounded", op: Dot, operands: "f32[2,?], f32[16,4]", attrs: with(half, nil), want: "f32[2,4]"},
		{name: "dot_general_c10", op: Dot, operands: "f32[2,8], f32[8,4]", attrs: with(half, nil),
			want: "!dot_general_c10 rhs_contracting_dims[0]"},
		{name: "dot_o1_dimension", op: Dot, operands: "f32[2,8], f32[8,4]",
			attrs: with(&Sparsity{A: 2, B: 4, Dimension: 2}, nil),
			want:  "!dot_o1 sparsity_config"},
		{name: "dot_o1_ratio", op: Dot, operands: "f32[2,8], f32[8,4]",
			attrs: with(&Sparsity{A: 0, B: 4, Dimension: 1}, nil),
			want:  "!dot_o1 sparsity_config"},
		{name: "dot_o1_size", op: Dot, operands: "f32[2,7], f32[14,4]", attrs: with(half, nil),
			want: "!dot_o1 sparsity_config"},
		{name: "dot_o1_idx", op: Dot, operands: "f32[2,8], f32[16,4]",
			attrs: with(&Sparsity{A: 2, B: 4, Dimension: 1, Idx: 2}, nil),
			want:  "!dot_o1 sparsity_config"},
	})
}

func TestScaledDotRule(t *testing.T) {
	matmul := dotAttrs(nil, list(1), nil, list(0))
	const lhs, rhs = "f4e2m1fn[4,64], f4e2m1fn[64,6], ", "f8e8m0fnu[4,2]"
	runRules(t, []ruleCase{
		{name: "blocks", op: ScaledDot, operands: lhs + rhs + ", f8e8m0fnu[2,6]", attrs: matmul, declared: "f32[4,6]",
			want: "f32[4,6]"},
		{name: "blocks_of_both", op: ScaledDot, operands: lhs + "bf16[2,1], f32[64,1]", attrs: matmul,
			want: "f4e2m1fn[4,6]"},
		{name: "scaled_dot_i1", op: ScaledDot, operands: lhs + rhs + ", token[]", attrs: matmul,
			want: "!scaled_dot_i1 operand 3"},
		{name: "scaled_dot_o1", op: ScaledDot, operands: lhs + rhs + ", s8[2,6]", attrs: matmul,
			want: "!scaled_dot_o1 operand 3"},
		{name: "scaled_dot_o2", op: ScaledDot, operands: lhs + "bf16[], bf16[2,6]", attrs: matmul,
			want: "!scaled_dot_o2 operand 2"},
		{name: "scaled_dot_o3", op: ScaledDot, operands: lhs + "bf16[3,2], bf16[2,6]", attrs: matmul,
			want: "!scaled_dot_o3 operand 2"},
		{name: "scaled_dot_o3_empty", op: ScaledDot, operands: lhs + "bf16[4,0], bf16[2,6]", attrs: matmul,
			want: "!scaled_dot_o3 operand 2"},
		{name: "dot_general_c10", op: ScaledDot, operands: "bf16[4,64], bf16[32,6], bf16[4,1], bf16[1,6]",
			attrs: matmul,
			want:  "!dot_general_c10 rhs_contracting_dims[0]"},
	})
}

func TestWiderType(t *testing.T) {
	for _, c := range []struct{ a, b, want shape.ElementType }{
		{shape.F32, shape.F32, shape.F32}, {shape.F16, shape.F32, shape.F32}, {shape.BF16, shape.F16, shape.BF16},
		{shape.S32, shape.F16, shape.F16}, {shape.C64, shape.F64, shape.C64}, {shape.C64, shape.C128, shape.C128},
		{shape.S8, shape.S32, shape.S32}, {shape.U8, shape.S8, shape.S8}, {shape.Pred, shape.S8, shape.S8},
		{shape.Pred, shape.U8, shape.U8}, {shape.S4, shape.U8, shape.U8}, {shape.Pred, shape.Pred, shape.Pred},
	} {
		if got := widerType(c.a, c.b); got != c.want {
			t.Errorf("widerType(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
		if got := widerType(c.b, c.a); got != c.want {
			t.Errorf("widerType(%v, %v) = %v, want %v", c.b, c.a, got, c.want)
		}
	}
}
