package op

import "testing"

func TestRaggedDotRule(t *testing.T) {
	// The modes by the letters of facts: b batch, m n free, k contracting, g group.
	free := &RaggedDotAttrs{LHSContracting: list(1), RHSContracting: list(1), LHSRagged: list(0), RHSGroup: list(0)}
	contracting := &RaggedDotAttrs{LHSContracting: list(1), RHSContracting: list(0), LHSRagged: list(1)}
	batch := &RaggedDotAttrs{LHSBatch: list(0), LHSContracting: list(2), RHSBatch: list(0), RHSContracting: list(1),
		LHSRagged: list(0)}
	// [b,m1,m2,k] x [g,b,k,n], m2 ragged; [b,m,k1,k2] x [b,k1,k2,n], k2 ragged; [b1,b2,m,k] x [b1,b2,k,n], b2 ragged.
	freeNested := &RaggedDotAttrs{LHSBatch: list(0), LHSContracting: list(3), RHSBatch: list(1),
		RHSContracting: list(2),
		LHSRagged:      list(2), RHSGroup: list(0)}
	contractingNested := &RaggedDotAttrs{LHSBatch: list(0), LHSContracting: list(2, 3), RHSBatch: list(0),
		RHSContracting: list(1, 2),
		LHSRagged:      list(3)}
	batchNested := &RaggedDotAttrs{LHSBatch: list(0, 1), LHSContracting: list(3), RHSBatch: list(0, 1),
		RHSContracting: list(2),
		LHSRagged:      list(1)}
	runRules(t, []ruleCase{
		{name: "free", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], u32[3]", attrs: free, want: "f32[11,7]"},
		{name: "contracting", op: RaggedDot, operands: "f32[11,5], f32[5,7], u32[3]", attrs: contracting,
			want: "f32[3,11,7]"},
		{name: "batch", op: RaggedDot, operands: "f32[3,11,5], f32[3,5,7], u32[3]", attrs: batch, want: "f32[3,11,7]"},
		{name: "declared_type", op: RaggedDot, operands: "s8[11,5], s8[5,7], s64[3]", attrs: contracting,
			declared: "s32[3,11,7]",
			want:     "s32[3,11,7]"},
		{name: "free_nested", op: RaggedDot, operands: "f32[19,17,11,5], f32[3,19,5,7], u32[19,17,3]",
			attrs: freeNested,
			want:  "f32[19,17,11,7]"},
		{name: "free_nested_shared", op: RaggedDot, operands: "f32[19,17,11,5], f32[3,19,5,7], u32[3]",
			attrs: freeNested,
			want:  "f32[19,17,11,7]"},
		{name: "contracting_nested", op: RaggedDot, operands: "f32[19,11,17,5], f32[19,17,5,7], u32[19,17,3]",
			attrs: contractingNested,
			want:  "f32[3,19,11,7]"},
		{name: "batch_nested", op: RaggedDot, operands: "f32[17,19,11,5], f32[17,19,5,7], u32[17,3]",
			attrs: batchNested,
			want:  "f32[17,19,11,7]"},
		{name: "dot_general_c10", op: RaggedDot, operands: "f32[11,5], f32[3,2,7], u32[3]", attrs: free,
			want: "!dot_general_c10 rhs_contracting_dims[0]"},
		{name: "ragged_dot_i1", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], token[]", attrs: free,
			want: "!ragged_dot_i1 operand 2"},
		{name: "ragged_dot_i3", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], f32[3]", attrs: free,
			want: "!ragged_dot_i3 operand 2"},
		{name: "ragged_dot_o1_two", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], u32[3]",
			attrs: &RaggedDotAttrs{LHSContracting: list(1), RHSContracting: list(1), LHSRagged: list(0, 1),
				RHSGroup: list(0)},
			want: "!ragged_dot_o1 lhs_ragged_dims"},
		{name: "ragged_dot_o1_range", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], u32[3]",
			attrs: &RaggedDotAttrs{LHSContracting: list(1), RHSContracting: list(1), LHSRagged: list(2),
				RHSGroup: list(0)},
			want: "!ragged_dot_o1 lhs_ragged_dims"},
		{name: "ragged_dot_o2_none", op: RaggedDot, operands: "f32[11,5], f32[5,7], u32[3]",
			attrs: &RaggedDotAttrs{LHSContracting: list(1), RHSContracting: list(0), LHSRagged: list(0)},
			want:  "!ragged_dot_o2 rhs_group_dims"},
		{name: "ragged_dot_o2_contracting", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], u32[3]",
			attrs: &RaggedDotAttrs{LHSContracting: list(1), RHSContracting: list(1), LHSRagged: list(1),
				RHSGroup: list(0)},
			want: "!ragged_dot_o2 rhs_group_dims"},
		{name: "ragged_dot_o3_batch", op: RaggedDot, operands: "f32[19,11,5], f32[19,5,7], u32[19,3]",
			attrs: &RaggedDotAttrs{LHSBatch: list(0), LHSContracting: list(2), RHSBatch: list(0),
				RHSContracting: list(1),
				LHSRagged:      list(1), RHSGroup: list(0)},
			want: "!ragged_dot_o3 rhs_group_dims[0]"},
		{name: "ragged_dot_o3_contracting", op: RaggedDot, operands: "f32[11,3], f32[3,3,7], u32[3]",
			attrs: &RaggedDotAttrs{LHSContracting: list(1), RHSContracting: list(1), LHSRagged: list(0),
				RHSGroup: list(1)},
			want: "!ragged_dot_o3 rhs_group_dims[0]"},
		{name: "ragged_dot_o4", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], u32[2,3]", attrs: free,
			want: "!ragged_dot_o4 operand 2"},
		{name: "ragged_dot_o5", op: RaggedDot, operands: "f32[11,5], f32[3,5,7], u32[2]", attrs: free,
			want: "!ragged_dot_o5 operand 2"},
		{name: "ragged_dot_o6_free", op: RaggedDot, operands: "f32[19,17,11,5], f32[3,19,5,7], u32[19,11,3]",
			attrs: freeNested,
			want:  "!ragged_dot_o6 operand 2"},
		{name: "ragged_dot_o6_contracting", op: RaggedDot, operands: "f32[19,11,17,5], f32[19,17,5,7], u32[19,11,3]",
			attrs: contractingNested, want: "!ragged_dot_o6 operand 2"},
		{name: "ragged_dot_o6_batch", op: RaggedDot, operands: "f32[17,19,11,5], f32[17,19,5,7], u32[19,3]",
			attrs: batchNested,
			want:  "!ragged_dot_o6 operand 2"},
	})
}
