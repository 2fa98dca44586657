package op

import "testing"

// The worked sums of OPS.md section 5 are over a 4x2x3 array.
func TestReduceRule(t *testing.T) {
	over := func(d ...int) *ReduceAttrs { return &ReduceAttrs{Dimensions: d} }
	const v = "f32[4,2,3], f32[]"
	runRules(t, []ruleCase{
		{name: "over_0", op: Reduce, operands: v, attrs: over(0), calls: addF32, want: "f32[2,3]"},
		{name: "over_2", op: Reduce, operands: v, attrs: over(2), calls: addF32, want: "f32[4,2]"},
		{name: "over_0_1", op: Reduce, operands: v, attrs: over(0, 1), calls: addF32, want: "f32[3]"},
		{name: "over_all_unordered", op: Reduce, operands: v, attrs: over(2, 0, 1), calls: addF32, want: "f32[]"},
		{name: "over_none", op: Reduce, operands: v, attrs: over(), calls: addF32, want: "f32[4,2,3]"},
		{name: "default_layout", op: Reduce, operands: "f32[4,2,3]{0,1,2}, f32[]", attrs: over(0), calls: addF32,
			want: "f32[2,3]"},
		{name: "argmax", op: Reduce, operands: "f32[4,2], s32[4,2], f32[], s32[]", attrs: over(0), calls: argmax,
			want: "(f32[2], s32[2])"},
		{name: "tuple_of_one", op: Reduce, operands: v, attrs: over(0), calls: "(f32[],f32[])->(f32[])", want: "(f32[2,3])"},
		{name: "wider_accumulator", op: Reduce, operands: "bf16[4,2], bf16[]", attrs: over(0), calls: addF32, want: "f32[2]"},
		{name: "dynamic", op: Reduce, operands: "f32[<=4,?,<=3], f32[]", attrs: over(0), calls: addF32, want: "f32[?,<=3]"},
		{name: "reduce_c1", op: Reduce, operands: "f32[4], s32[3], f32[], s32[]", attrs: over(0), calls: argmax,
			want: "!reduce_c1 operand 1"},
		{name: "reduce_c2", op: Reduce, operands: "f32[4,2,3], s32[]", attrs: over(0), calls: addF32,
			want: "!reduce_c2 operand 1"},
		{name: "reduce_c2_rank", op: Reduce, operands: "f32[4,2,3], f32[1]", attrs: over(0), calls: addF32,
			want: "!reduce_c2 operand 1"},
		{name: "reduce_c3_none", op: Reduce, attrs: over(0), calls: addF32, want: "!reduce_c3"},
		{name: "reduce_c3_odd", op: Reduce, operands: "f32[4], f32[], f32[]", attrs: over(0), calls: addF32,
			want: "!reduce_c3"},
		{name: "reduce_c3_tuple", op: Reduce, operands: "(f32[4]), f32[]", attrs: over(0), calls: addF32,
			want: "!reduce_c3 operand 0"},
		{name: "reduce_c4", op: Reduce, operands: v, attrs: over(3), calls: addF32, want: "!reduce_c4 dimensions[0]"},
		{name: "reduce_c5", op: Reduce, operands: v, attrs: over(1, 1), calls: addF32, want: "!reduce_c5 dimensions[1]"},
		{name: "reduce_c6_count", op: Reduce, operands: "f32[2], f32[2], f32[], f32[]", attrs: over(0), calls: addF32,
			want: "!reduce_c6"},
		{name: "reduce_c6_none", op: Reduce, operands: v, attrs: over(0), want: "!reduce_c6"},
		{name: "reduce_c6_result_count", op: Reduce, operands: "f32[4], s32[4], f32[], s32[]", attrs: over(0),
			calls: "(f32[],s32[],f32[],s32[])->f32[]", want: "!reduce_c6"},
		{name: "reduce_c6_result_rank", op: Reduce, operands: v, attrs: over(0), calls: "(f32[1],f32[1])->f32[1]",
			want: "!reduce_c6"},
		{name: "reduce_c6_result_type", op: Reduce, operands: v, attrs: over(0), calls: "(f32[],f32[])->pred[]",
			want: "!reduce_c6"},
		{name: "reduce_c6_accumulator", op: Reduce, operands: v, attrs: over(0), calls: "(bf16[],f32[])->f32[]",
			want: "!reduce_c6"},
		{name: "reduce_c6_element", op: Reduce, operands: v, attrs: over(0), calls: "(f32[],s32[])->f32[]",
			want: "!reduce_c6"},
		{name: "reduce_c6_input_type", op: Reduce, operands: v, attrs: over(0), calls: "(s32[],s32[])->s32[]",
			want: "!reduce_c6"},
	})
}

func TestMapRule(t *testing.T) {
	over := func(d ...int) *MapAttrs { return &MapAttrs{Dimensions: d} }
	runRules(t, []ruleCase{
		{name: "ok", op: Map, operands: "f32[4], f32[4]", attrs: over(0), calls: addF32, want: "f32[4]"},
		{name: "types", op: Map, operands: "f32[2,<=3]{0,1}, s32[2,<=3]", attrs: over(0, 1), calls: "(f32[],s32[])->pred[]",
			want: "pred[2,<=3]"},
		{name: "all_by_default", op: Map, operands: "f32[2,3], f32[2,3]", attrs: &MapAttrs{}, calls: addF32,
			want: "f32[2,3]"},
		{name: "map_c1", op: Map, operands: "f32[2], f32[3]", attrs: over(0), calls: addF32, want: "!map_c1 operand 1"},
		{name: "map_c2", op: Map, attrs: over(), calls: "()->f32[]", want: "!map_c2"},
		{name: "map_c3", op: Map, operands: "f32[2,3], f32[2,3]", attrs: over(1), calls: addF32, want: "!map_c3 dimensions"},
		{name: "map_c3_order", op: Map, operands: "f32[2,3], f32[2,3]", attrs: over(1, 0), calls: addF32,
			want: "!map_c3 dimensions"},
		{name: "map_c4_count", op: Map, operands: "f32[2]", attrs: over(0), calls: addF32, want: "!map_c4"},
		{name: "map_c4_type", op: Map, operands: "f32[2], s32[2]", attrs: over(0), calls: addF32, want: "!map_c4"},
		{name: "map_c4_rank", op: Map, operands: "f32[2]", attrs: over(0), calls: "(f32[2])->f32[]", want: "!map_c4"},
		{name: "map_c4_result", op: Map, operands: "f32[2]", attrs: over(0), calls: "(f32[])->f32[2]", want: "!map_c4"},
		{name: "map_c4_none", op: Map, operands: "f32[2]", attrs: over(0), want: "!map_c4"},
		{name: "map_i1", op: Map, operands: "(f32[2])", attrs: over(0), calls: "(f32[])->f32[]", want: "!map_i1 operand 0"},
	})
}

func TestScanRule(t *testing.T) {
	with := func(dim, carries int) *ScanAttrs { return &ScanAttrs{Dimensions: list(dim), NumCarries: carries} }
	const step = "(f32[4],f32[4])->(f32[4],f32[4])"
	runRules(t, []ruleCase{
		{name: "ok", op: Scan, operands: "f32[3,4], f32[4]", attrs: with(0, 1), calls: step, want: "(f32[3,4], f32[4])"},
		{name: "last_dimension", op: Scan, operands: "f32[4,3], f32[4]", attrs: with(1, 1), calls: step,
			want: "(f32[4,3], f32[4])"},
		{name: "two_inputs", op: Scan, operands: "f32[2,3], s32[2,3], f32[2]", attrs: with(1, 1),
			calls: "(f32[2],s32[2],f32[2])->(f32[2],f32[2])", want: "(f32[2,3], f32[2])"},
		{name: "no_outputs", op: Scan, operands: "f32[3], f32[]", attrs: with(0, 1), calls: "(f32[],f32[])->(f32[])",
			want: "(f32[])"},
		{name: "no_inputs", op: Scan, operands: "s32[]", attrs: with(0, 1), calls: "(s32[])->(f32[2],s32[])",
			declared: "(f32[7,2], s32[])", want: "(f32[7,2], s32[])"},
		{name: "one_array", op: Scan, operands: "f32[3]", attrs: with(0, 0), calls: "(f32[])->s32[]", want: "s32[3]"},
		{name: "bounded", op: Scan, operands: "f32[<=3], f32[]", attrs: with(0, 1), calls: "(f32[],f32[])->(f32[],f32[])",
			want: "(f32[<=3], f32[])"},
		{name: "scan_i1", op: Scan, operands: "(f32[3]), f32[]", attrs: with(0, 1), calls: step, want: "!scan_i1 operand 0"},
		{name: "scan_o1", op: Scan, operands: "f32[3]", attrs: with(0, 2), calls: step,
			want: "!scan_o1 num_carries"},
		{name: "scan_o2", op: Scan, operands: "f32[3], f32[]", attrs: with(1, 1), calls: step,
			want: "!scan_o2 dimensions[0]"},
		{name: "scan_o2_count", op: Scan, operands: "f32[3], f32[]", attrs: &ScanAttrs{NumCarries: 1}, calls: step,
			want: "!scan_o2 dimensions"},
		{name: "scan_o3", op: Scan, operands: "f32[2,3], s32[2,4], f32[2]", attrs: with(1, 1),
			calls: "(f32[2],s32[2],f32[2])->(f32[2],f32[2])", want: "!scan_o3 operand 1"},
		{name: "scan_o3_no_inputs", op: Scan, operands: "s32[]", attrs: with(0, 1), calls: "(s32[])->(f32[],s32[])",
			want: "!scan_o3"},
		{name: "scan_o4_count", op: Scan, operands: "f32[3], f32[]", attrs: with(0, 1), calls: "(f32[])->(f32[])",
			want: "!scan_o4"},
		{name: "scan_o4_element", op: Scan, operands: "f32[3,4], f32[4]", attrs: with(1, 1), calls: step, want: "!scan_o4"},
		{name: "scan_o4_none", op: Scan, operands: "f32[3,4], f32[4]", attrs: with(0, 1), want: "!scan_o4"},
		{name: "scan_o5_init", op: Scan, operands: "f32[3], s32[]", attrs: with(0, 1),
			calls: "(f32[],f32[])->(f32[],f32[])",
			want:  "!scan_o5 operand 1"},
		{name: "scan_o5_result", op: Scan, operands: "f32[3], f32[]", attrs: with(0, 1),
			calls: "(f32[],f32[])->(f32[],s32[])",
			want:  "!scan_o5"},
		{name: "scan_o5_results", op: Scan, operands: "f32[3], f32[]", attrs: with(0, 1), calls: "(f32[],f32[])->()",
			want: "!scan_o5"},
		{name: "scan_o6", op: Scan, operands: "f32[2,3], f32[]", attrs: with(1, 1), calls: "(f32[2],f32[])->(f32[],f32[])",
			want: "!scan_o6"},
	})
}

func TestSortRules(t *testing.T) {
	along := func(d ...int) *SortAttrs { return &SortAttrs{Dimensions: d} }
	runRules(t, []ruleCase{
		{name: "one", op: Sort, operands: "f32[2,8]{0,1}", attrs: along(1), calls: ltF32, want: "f32[2,8]{0,1}"},
		{name: "two", op: Sort, operands: "f32[8], s32[8]", attrs: along(0), calls: "(f32[],f32[],s32[],s32[])->pred[]",
			want: "(f32[8], s32[8])"},
		{name: "dynamic", op: Sort, operands: "f32[<=8]", attrs: along(0), calls: ltF32, want: "f32[<=8]"},
		{name: "sort_c1", op: Sort, attrs: along(0), calls: ltF32, want: "!sort_c1"},
		{name: "sort_c3", op: Sort, operands: "f32[8], s32[7]", attrs: along(0), calls: "(f32[],f32[],s32[],s32[])->pred[]",
			want: "!sort_c3 operand 1"},
		{name: "sort_c4", op: Sort, operands: "f32[8]", attrs: along(1), calls: ltF32, want: "!sort_c4 dimensions"},
		{name: "sort_c4_scalar", op: Sort, operands: "f32[]", attrs: along(0), calls: ltF32, want: "!sort_c4 dimensions"},
		{name: "sort_c5_count", op: Sort, operands: "f32[8], f32[8]", attrs: along(0), calls: ltF32, want: "!sort_c5"},
		{name: "sort_c5_order", op: Sort, operands: "f32[8], s32[8]", attrs: along(0),
			calls: "(f32[],s32[],f32[],s32[])->pred[]", want: "!sort_c5"},
		{name: "sort_c5_result", op: Sort, operands: "f32[8]", attrs: along(0), calls: addF32, want: "!sort_c5"},
		{name: "sort_c5_none", op: Sort, operands: "f32[8]", attrs: along(0), want: "!sort_c5"},
		{name: "sort_i1", op: Sort, operands: "(f32[8])", attrs: along(0), calls: ltF32, want: "!sort_i1 operand 0"},

		{name: "ok", op: Topk, operands: "f32[2,8]", attrs: &TopKAttrs{K: 3}, want: "(f32[2,3], s32[2,3])"},
		{name: "dynamic", op: Topk, operands: "bf16[<=2,<=8]", attrs: &TopKAttrs{K: 8}, want: "(bf16[<=2,8], s32[<=2,8])"},
		{name: "none", op: Topk, operands: "u8[8]", attrs: &TopKAttrs{}, want: "(u8[0], s32[0])"},
		{name: "topk_c1", op: Topk, operands: "f32[]", attrs: &TopKAttrs{K: 1}, want: "!topk_c1 operand 0"},
		{name: "topk_c2", op: Topk, operands: "f32[8]", attrs: &TopKAttrs{K: 9}, want: "!topk_c2 k"},
		{name: "topk_c2_negative", op: Topk, operands: "f32[8]", attrs: &TopKAttrs{K: -1}, want: "!topk_c2 k"},
		{name: "topk_i1", op: Topk, operands: "c64[8]", attrs: &TopKAttrs{K: 1}, want: "!topk_i1 operand 0"},
	})
}
