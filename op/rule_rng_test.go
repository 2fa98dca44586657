package op

import "testing"

func TestRngRule(t *testing.T) {
	uniform, normal := &RngAttrs{Distribution: RngUniform}, &RngAttrs{Distribution: RngNormal}
	runRules(t, []ruleCase{
		{name: "uniform", op: Rng, operands: "f32[], f32[]", attrs: uniform, declared: "f32[8,2]{0,1}",
			want: "f32[8,2]{0,1}"},
		{name: "uniform_pred", op: Rng, operands: "pred[], pred[]", attrs: uniform, declared: "pred[8]",
			want: "pred[8]"},
		{name: "uniform_integer", op: Rng, operands: "u64[], u64[]", attrs: uniform, declared: "u64[8]",
			want: "u64[8]"},
		{name: "normal", op: Rng, operands: "bf16[], bf16[]", attrs: normal, declared: "bf16[]", want: "bf16[]"},
		{name: "rng_i1_count", op: Rng, operands: "f32[], f32[], s64[1]", attrs: uniform, declared: "f32[8]",
			want: "!rng_i1"},
		{name: "rng_i1_scalar", op: Rng, operands: "f32[2], f32[2]", attrs: uniform, declared: "f32[8]",
			want: "!rng_i1 operand 0"},
		{name: "rng_i1_second", op: Rng, operands: "f32[], f32[2]", attrs: uniform, declared: "f32[8]",
			want: "!rng_i1 operand 1"},
		{name: "rng_i1_complex", op: Rng, operands: "c64[], c64[]", attrs: uniform, declared: "c64[8]",
			want: "!rng_i1 operand 0"},
		{name: "rng_i4", op: Rng, operands: "f32[], f32[]", attrs: &RngAttrs{}, declared: "f32[8]",
			want: "!rng_i4 distribution"},
		{name: "rng_c1_result", op: Rng, operands: "f32[], f32[]", attrs: uniform, declared: "s32[8]",
			want: "!rng_c1 operand 0"},
		{name: "rng_c1_second", op: Rng, operands: "f32[], f16[]", attrs: normal, declared: "f32[8]",
			want: "!rng_c1 operand 1"},
		{name: "rng_c2", op: Rng, operands: "s32[], s32[]", attrs: normal, declared: "s32[8]",
			want: "!rng_c2 operand 0"},
		{name: "rng_c3", op: Rng, operands: "f32[], f32[]", attrs: uniform, want: "!rng_c3"},
		{name: "rng_c3_tuple", op: Rng, operands: "f32[], f32[]", attrs: uniform, declared: "(f32[8])",
			want: "!rng_c3"},
	})
}

func TestRngBitGeneratorRule(t *testing.T) {
	def, fry, philox := &RngBitGeneratorAttrs{}, &RngBitGeneratorAttrs{RngThreeFry}, &RngBitGeneratorAttrs{RngPhilox}
	runRules(t, []ruleCase{
		{name: "three_fry", op: RngBitGenerator, operands: "u64[2]", attrs: fry, declared: "(u64[2], u32[8])",
			want: "(u64[2], u32[8])"},
		{name: "philox_2", op: RngBitGenerator, operands: "u64[2]", attrs: philox, declared: "(u64[2], u8[8])",
			want: "(u64[2], u8[8])"},
		{name: "philox_3", op: RngBitGenerator, operands: "u64[3]", attrs: philox, declared: "(u64[3], u64[])",
			want: "(u64[3], u64[])"},
		{name: "default", op: RngBitGenerator, operands: "u64[3]", attrs: def, declared: "(u64[3], u32[2,2])",
			want: "(u64[3], u32[2,2])"},
		{name: "bits_only", op: RngBitGenerator, operands: "u64[3]", attrs: def, declared: "u32[2,2]",
			want: "u32[2,2]"},
		{name: "rng_bit_generator_i1", op: RngBitGenerator, operands: "u64[2]", attrs: &RngBitGeneratorAttrs{9},
			declared: "(u64[2], u32[8])", want: "!rng_bit_generator_i1 algorithm"},
		{name: "rng_bit_generator_c1", op: RngBitGenerator, operands: "u64[2]", attrs: philox,
			declared: "(u64[3], u32[6])",
			want:     "!rng_bit_generator_c1"},
		{name: "rng_bit_generator_c1_three", op: RngBitGenerator, operands: "u64[2]", attrs: fry,
			declared: "(u64[2], u32[6], u32[6])", want: "!rng_bit_generator_c1"},
		{name: "rng_bit_generator_c1_none", op: RngBitGenerator, operands: "u64[2]", attrs: fry,
			want: "!rng_bit_generator_c1"},
		{name: "rng_bit_generator_c2_three_fry", op: RngBitGenerator, operands: "u64[3]", attrs: fry,
			declared: "(u64[3], u32[6])",
			want:     "!rng_bit_generator_c2 operand 0"},
		{name: "rng_bit_generator_c2_type", op: RngBitGenerator, operands: "u32[2]", attrs: def,
			declared: "(u32[2], u32[6])",
			want:     "!rng_bit_generator_c2 operand 0"},
		{name: "rng_bit_generator_c2_rank", op: RngBitGenerator, operands: "u64[]", attrs: def,
			declared: "(u64[], u32[6])",
			want:     "!rng_bit_generator_c2 operand 0"},
		{name: "rng_bit_generator_o1", op: RngBitGenerator, operands: "u64[2]", attrs: fry,
			declared: "(u64[2], token[])",
			want:     "!rng_bit_generator_o1"},
	})
}

func TestRngGetAndUpdateStateRule(t *testing.T) {
	a := &RngStateAttrs{Delta: 1}
	runRules(t, []ruleCase{
		{name: "given", op: RngGetAndUpdateState, attrs: a, declared: "u64[2]", want: "u64[2]"},
		{name: "not_given", op: RngGetAndUpdateState, attrs: a, want: "u64[2]"},
		{name: "rng_get_and_update_state_o1", op: RngGetAndUpdateState, attrs: a, declared: "u64[3]",
			want: "!rng_get_and_update_state_o1"},
	})
}
