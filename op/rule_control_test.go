package op

import "testing"

func TestCallRule(t *testing.T) {
	a := &CallAttrs{}
	runRules(t, []ruleCase{
		{name: "two", op: Call, operands: "f32[2], s32[]", attrs: a, calls: "(f32[2], s32[])->(s32[])",
			want: "(s32[])"},
		{name: "none", op: Call, attrs: a, calls: "()->s32[]", want: "s32[]"},
		{name: "tuple_and_token", op: Call, operands: "(f32[2], token[])", attrs: a,
			calls: "((f32[2], token[]))->token[]", want: "token[]"},
		{name: "call_o1_many", op: Call, operands: "f32[2], f32[2]", attrs: a, calls: "(f32[2])->f32[2]",
			want: "!call_o1"},
		{name: "call_o1_some", op: Call, operands: "s32[]", attrs: a, calls: "()->s32[]", want: "!call_o1"},
		{name: "call_o1_computation", op: Call, operands: "s32[]", attrs: a, want: "!call_o1"},
		{name: "call_o2", op: Call, operands: "s32[2]", attrs: a, calls: "(f32[2])->f32[2]",
			want: "!call_o2 operand 0"},
		{name: "call_o2_precision", op: Call, operands: "bf16[2]", attrs: a, calls: "(f32[2])->f32[2]",
			want: "!call_o2 operand 0"},
	})
}

func TestWhileRule(t *testing.T) {
	const condition, body = "((s32[], f32[2]))->pred[];", "((s32[], f32[2]))->(s32[], f32[2])"
	runRules(t, []ruleCase{
		{name: "tuple", op: While, operands: "(s32[], f32[2]{0})", calls: condition + body, want: "(s32[], f32[2])"},
		{name: "scalar", op: While, operands: "s32[]", calls: "(s32[])->pred[];(s32[])->s32[]", want: "s32[]"},
		{name: "while_c1_none", op: While, operands: "s32[]", want: "!while_c1"},
		{name: "while_c1_result", op: While, operands: "s32[]", calls: "(s32[])->s32[];(s32[])->s32[]",
			want: "!while_c1 condition"},
		{name: "while_c1_vector", op: While, operands: "s32[]", calls: "(s32[])->pred[1];(s32[])->s32[]",
			want: "!while_c1 condition"},
		{name: "while_c1_count", op: While, operands: "s32[]", calls: "(s32[],s32[])->pred[];(s32[])->s32[]",
			want: "!while_c1 condition"},
		{name: "while_c1_init", op: While, operands: "s32[2]", calls: "(s32[])->pred[];(s32[])->s32[]",
			want: "!while_c1 condition"},
		{name: "while_c2_none", op: While, operands: "s32[]", calls: "(s32[])->pred[]", want: "!while_c2"},
		{name: "while_c2_result", op: While, operands: "s32[]", calls: "(s32[])->pred[];(s32[])->f32[]",
			want: "!while_c2 body"},
		{name: "while_c2_parameter", op: While, operands: "s32[]", calls: "(s32[])->pred[];(f32[])->s32[]",
			want: "!while_c2 body"},
		{name: "while_c2_count", op: While, operands: "s32[]", calls: "(s32[])->pred[];()->s32[]",
			want: "!while_c2 body"},
	})
}

func TestConditionalRule(t *testing.T) {
	const b = "(s32[])->s32[]"
	runRules(t, []ruleCase{
		{name: "pred", op: Conditional, operands: "pred[], f32[], s32[2]", calls: "(f32[])->(f32[]);(s32[2])->(f32[])",
			want: "(f32[])"},
		{name: "index", op: Conditional, operands: "s32[], s32[], s32[], s32[]", calls: b + ";" + b + ";" + b,
			want: "s32[]"},
		{name: "one_branch", op: Conditional, operands: "s32[], s32[]", calls: b, want: "s32[]"},
		{name: "case_i1_none", op: Conditional, want: "!case_i1"},
		{name: "case_i1_vector", op: Conditional, operands: "pred[2], f32[], f32[]", calls: b + ";" + b,
			want: "!case_i1 operand 0"},
		{name: "case_i1_type", op: Conditional, operands: "f32[], s32[]", calls: b, want: "!case_i1 operand 0"},
		{name: "case_i1_tuple", op: Conditional, operands: "(pred[]), s32[]", calls: b, want: "!case_i1 operand 0"},
		{name: "case_c1", op: Conditional, operands: "s32[]", want: "!case_c1"},
		{name: "case_c3", op: Conditional, operands: "pred[], f32[], s32[2]", calls: "(f32[])->f32[];(s32[2])->s32[2]",
			want: "!case_c3 branch_computations[1]"},
		{name: "conditional_o1", op: Conditional, operands: "pred[], s32[]", calls: b, want: "!conditional_o1"},
		{name: "conditional_o2", op: Conditional, operands: "s32[], s32[], s32[]", calls: b + ";" + b + ";" + b,
			want: "!conditional_o2"},
		{name: "conditional_o3_operand", op: Conditional, operands: "pred[], f32[2], f32[]",
			calls: "(f32[])->f32[];(f32[])->f32[]",
			want:  "!conditional_o3 branch_computations[0]"},
		{name: "conditional_o3_tuple_order", op: Conditional, operands: "pred[], (f32[4], s32[]), (f32[4], s32[])",
			calls: "((s32[], f32[4]))->f32[4];((s32[], f32[4]))->f32[4]",
			want:  "!conditional_o3 branch_computations[0]"},
		{name: "conditional_o3_count", op: Conditional, operands: "s32[], s32[]", calls: "()->s32[]",
			want: "!conditional_o3 branch_computations[0]"},
	})
}

func TestFusionRule(t *testing.T) {
	a := &FusionAttrs{Kind: "kLoop"}
	aliased := func(e ...OutputAliasing) *FusionAttrs { return &FusionAttrs{Kind: "kLoop", Aliasing: e} }
	const two, f = "f32[2], (s32[3], f32[2])", "(f32[2], (s32[3], f32[2]))->(f32[2], s32[3])"
	const result = "(f32[2], s32[3])"
	runRules(t, []ruleCase{
		{name: "layout_of_computation", op: Fusion, operands: "f32[2,2]", attrs: a, calls: "(f32[2,2])->f32[2,2]",
			declared: "f32[2,2]{0,1}", want: "f32[2,2]"},
		{name: "not_declared", op: Fusion, operands: "f32[2]", attrs: a, calls: "(f32[2])->s32[]", want: "s32[]"},
		{name: "unused_operand", op: Fusion, operands: "f32[2], f32[3]", attrs: a, calls: "(f32[2])->s32[]",
			want: "s32[]"},
		{name: "aliases", op: Fusion, operands: two, calls: f, declared: result, want: result, attrs: aliased(
			OutputAliasing{OutputIndex: list(0)}, OutputAliasing{OutputIndex: list(1), Operand: 1,
				OperandIndex: list(0)})},
		{name: "fusion_o1", op: Fusion, operands: "f32[2]", attrs: a, calls: "(f32[2],f32[2])->f32[2]",
			want: "!fusion_o1"},
		{name: "fusion_o2", op: Fusion, operands: "f32[3]", attrs: a, calls: "(f32[2])->f32[2]",
			want: "!fusion_o2 operand 0"},
		{name: "fusion_o3", op: Fusion, operands: "f32[10,10]", attrs: a, calls: "(f32[10,10])->f32[10,10]",
			declared: "f32[10]",
			want:     "!fusion_o3"},
		{name: "fusion_o3_precision", op: Fusion, operands: "f32[2]", attrs: a, calls: "(f32[2])->f32[2]",
			declared: "bf16[2]",
			want:     "!fusion_o3"},
		{name: "fusion_o4_operand", op: Fusion, operands: two, calls: f, declared: result,
			attrs: aliased(OutputAliasing{Operand: 2}),
			want:  "!fusion_o4 output_to_operand_aliasing[0]"},
		{name: "fusion_o4_output_index", op: Fusion, operands: two, calls: f, declared: result,
			attrs: aliased(OutputAliasing{OutputIndex: list(2)}), want: "!fusion_o4 output_to_operand_aliasing[0]"},
		{name: "fusion_o4_operand_index", op: Fusion, operands: two, calls: f, declared: result,
			attrs: aliased(OutputAliasing{OutputIndex: list(0),
				OperandIndex: list(0)}), want: "!fusion_o4 output_to_operand_aliasing[0]"},
		{name: "fusion_o4_shape", op: Fusion, operands: two, calls: f, declared: result,
			attrs: aliased(OutputAliasing{OutputIndex: list(1)}), want: "!fusion_o4 output_to_operand_aliasing[0]"},
	})
}

func TestCustomCallRule(t *testing.T) {
	call := func(target string, e ...OutputAliasing) *CustomCallAttrs {
		return &CustomCallAttrs{Target: target, Aliasing: e}
	}
	layouts := func(target, text string) *CustomCallAttrs {
		return &CustomCallAttrs{Target: target, OperandLayouts: &OperandLayouts{Shapes: mustShape(t, text).Elems}}
	}
	whole, aliasing := OutputAliasing{}, "output_to_operand_aliasing"
	first, second := OutputAliasing{OutputIndex: list(0)}, OutputAliasing{OutputIndex: list(1)}
	runRules(t, []ruleCase{
		{name: "declared", op: CustomCall, operands: "f32[2], token[]", attrs: call("f"),
			declared: "(f32[3]{0}, token[])",
			want:     "(f32[3], token[])"},
		{name: "layouts", op: CustomCall, operands: "f32[2,3]", attrs: layouts("f", "(f32[2,3]{0,1})"),
			declared: "f32[]", want: "f32[]"},
		{name: "layouts_of_result", op: CustomCall, operands: "f32[2]", attrs: layouts("LayoutConstraint", "()"),
			declared: "f32[2]",
			want:     "f32[2]"},
		{name: "pin", op: CustomCall, operands: "f32[32]", attrs: call("Pin", whole), declared: "b(f32[32])",
			want: "b(f32[32])"},
		{name: "unpin", op: CustomCall, operands: "b(f32[32])", attrs: call("Unpin", whole), declared: "f32[32]",
			want: "f32[32]"},
		{name: "create", op: CustomCall, attrs: call("CreateBuffer"), declared: "b(f32[32])", want: "b(f32[32])"},
		{name: "pass_on", op: CustomCall, operands: "b(f32[32])", attrs: call("f", first),
			declared: "(b(f32[32]), u32[])",
			want:     "(b(f32[32]), u32[])"},
		{name: "custom_call_o1", op: CustomCall, operands: "f32[2]", attrs: call("f"), want: "!custom_call_o1"},
		{name: "custom_call_o2_count", op: CustomCall, operands: "f32[2]", attrs: layouts("f", "()"), declared: "f32[]",
			want: "!custom_call_o2 operand_layout_constraints"},
		{name: "custom_call_o2_shape", op: CustomCall, operands: "f32[2]", attrs: layouts("f", "(f32[3])"),
			declared: "f32[]",
			want:     "!custom_call_o2 operand_layout_constraints[0]"},
		{name: "custom_call_o3", op: CustomCall, operands: "f32[2]", attrs: call("f", whole), declared: "f32[3]",
			want: "!custom_call_o3 " + aliasing + "[0]"},
		{name: "custom_call_o4_no_alias", op: CustomCall, operands: "f32[32]", attrs: call("Pin"),
			declared: "b(f32[32])",
			want:     "!custom_call_o4 " + aliasing},
		{name: "custom_call_o4_unpin_no_alias", op: CustomCall, operands: "b(f32[32])", attrs: call("Unpin"),
			declared: "f32[32]",
			want:     "!custom_call_o4 " + aliasing},
		{name: "custom_call_o4_alias", op: CustomCall, operands: "f32[32]", attrs: call("Pin", first),
			declared: "b(f32[32])",
			want:     "!custom_call_o4 " + aliasing},
		{name: "custom_call_o4_shape", op: CustomCall, operands: "f32[32]", attrs: call("Pin", whole),
			declared: "b(f32[16])",
			want:     "!custom_call_o4"},
		{name: "custom_call_o4_count", op: CustomCall, attrs: call("Pin", whole), declared: "b(f32[16])",
			want: "!custom_call_o4"},
		{name: "custom_call_o4_array", op: CustomCall, attrs: call("CreateBuffer"), declared: "f32[16]",
			want: "!custom_call_o4"},
		{name: "custom_call_o4_operand", op: CustomCall, operands: "f32[]", attrs: call("CreateBuffer"),
			declared: "b(f32[16])",
			want:     "!custom_call_o4"},
		{name: "custom_call_o5_twice", op: CustomCall, operands: "b(f32[32])", attrs: call("f", first, second),
			declared: "(b(f32[32]), b(f32[32]), token[])", want: "!custom_call_o5 " + aliasing + "[1]"},
		{name: "custom_call_o5_none", op: CustomCall, operands: "b(f32[32])", attrs: call("f", second),
			declared: "(b(f32[16]), b(f32[32]), token[])", want: "!custom_call_o5 " + aliasing},
	})
}
