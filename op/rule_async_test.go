package op

import "testing"

func TestAsyncRules(t *testing.T) {
	a := &AsyncAttrs{}
	aliased := func(e OutputAliasing) *AsyncAttrs { return &AsyncAttrs{Aliasing: []OutputAliasing{e}} }
	const f, both = "(f32[2,3])->f32[3,2]", "(f32[2,3], f32[3,2])->f32[3,2]"
	const value = "((f32[2,3]), f32[3,2], u32[])"
	const alias = "output_to_operand_aliasing[0]"
	runRules(t, []ruleCase{
		{name: "start", op: AsyncStart, operands: "f32[2,3]", attrs: a, calls: f, declared: value, want: value},
		{name: "start_not_declared", op: AsyncStart, operands: "f32[2,3]", attrs: a, calls: f,
			want: "((f32[2,3]), f32[3,2])"},
		{name: "start_binds_late", op: AsyncStart, operands: "f32[2,3]", attrs: a, calls: both,
			declared: "((f32[2,3]), (), s32[])",
			want:     "((f32[2,3]), (), s32[])"},
		{name: "start_aliases", op: AsyncStart, operands: "f32[4]",
			attrs: aliased(OutputAliasing{OutputIndex: list(1)}),
			calls: "(f32[4])->f32[4]", declared: "((f32[4]), f32[4], s32[])", want: "((f32[4]), f32[4], s32[])"},
		{name: "start_aliases_late_argument", op: AsyncStart, attrs: aliased(OutputAliasing{OutputIndex: list(1, 0)}),
			calls: "(f32[4])->(f32[4])", declared: "((), (f32[4]), s32[])", want: "((), (f32[4]), s32[])"},
		{name: "start_aliases_late_result", op: AsyncStart, operands: "f32[4]",
			attrs: aliased(OutputAliasing{OutputIndex: list(1)}),
			calls: "(f32[4], f32[4])->f32[4]", declared: "((f32[4]), (), s32[])", want: "((f32[4]), (), s32[])"},
		{name: "update", op: AsyncUpdate, operands: value, attrs: a, declared: value, want: value},
		{name: "update_not_declared", op: AsyncUpdate, operands: value + ", f32[]", attrs: a,
			want: "((f32[2,3], f32[]), f32[3,2], u32[])"},
		{name: "update_binds_argument", op: AsyncUpdate, operands: "((f32[2,3]), (), s32[]), f32[3,2]", attrs: a,
			declared: "((f32[2,3], f32[3,2]), ())", want: "((f32[2,3], f32[3,2]), ())"},
		{name: "update_binds_result", op: AsyncUpdate, operands: "((f32[2]), (), s32[])", attrs: a,
			declared: "((f32[2]), f32[2], s32[])", want: "((f32[2]), f32[2], s32[])"},
		{name: "update_aliases", op: AsyncUpdate, operands: value,
			attrs: aliased(OutputAliasing{OutputIndex: list(2), OperandIndex: list(2)}), declared: value, want: value},
		{name: "done", op: AsyncDone, operands: value, attrs: a, declared: "f32[3,2]{0,1}", want: "f32[3,2]{0,1}"},
		{name: "done_not_declared", op: AsyncDone, operands: value, attrs: a, want: "f32[3,2]"},
		{name: "done_binds_result", op: AsyncDone, operands: "((f32[2]), ())", attrs: a, declared: "f32[2]",
			want: "f32[2]"},
		{name: "async_start_o1_none", op: AsyncStart, operands: "f32[2,3]", attrs: a, declared: value,
			want: "!async_start_o1"},
		{name: "async_start_o1_many", op: AsyncStart, operands: "f32[2,3], f32[3,2]", attrs: a, calls: f,
			declared: value,
			want:     "!async_start_o1"},
		{name: "async_start_o2", op: AsyncStart, operands: "f32[2,3], f32[2,3]", attrs: a, calls: both, declared: value,
			want: "!async_start_o2 operand 1"},
		{name: "async_start_o3_form", op: AsyncStart, operands: "f32[2,3]", attrs: a, calls: f,
			declared: "(f32[2,3], f32[3,2])",
			want:     "!async_start_o3"},
		{name: "async_start_o3_arguments", op: AsyncStart, operands: "f32[2,3], f32[3,2]", attrs: a, calls: both,
			declared: "((f32[3,2], f32[3,2]), f32[3,2], u32[])", want: "!async_start_o3"},
		{name: "async_start_o3_result", op: AsyncStart, operands: "f32[2,3]", attrs: a, calls: f,
			declared: "((f32[2,3]), f32[2,3], u32[])",
			want:     "!async_start_o3"},
		{name: "async_start_o4_shape", op: AsyncStart, operands: "f32[64]",
			attrs: aliased(OutputAliasing{OutputIndex: list(1, 0)}),
			calls: "(f32[64])->(f32[32])", declared: "((f32[64]), (f32[32]), s32[])", want: "!async_start_o4 " + alias},
		{name: "async_start_o4_type", op: AsyncStart, operands: "f32[32]",
			attrs: aliased(OutputAliasing{OutputIndex: list(1, 0)}),
			calls: "(f32[32])->(s32[32])", declared: "((f32[32]), (s32[32]), s32[])", want: "!async_start_o4 " + alias},
		{name: "async_start_o4_operand_index", op: AsyncStart, operands: "f32[32]",
			attrs: aliased(OutputAliasing{OutputIndex: list(0, 0), OperandIndex: list(0)}),
			calls: "(f32[32])->(f32[32])", declared: "((f32[32]), (f32[32]), s32[])", want: "!async_start_o4 " + alias},
		{name: "async_start_o4_whole", op: AsyncStart, operands: "f32[32]", attrs: aliased(OutputAliasing{}),
			calls: "(f32[32])->(f32[32])", declared: "((f32[32]), (f32[32]), s32[])", want: "!async_start_o4 " + alias},
		{name: "async_update_o1_none", op: AsyncUpdate, attrs: a, declared: value, want: "!async_update_o1"},
		{name: "async_update_o1_operand", op: AsyncUpdate, operands: "f32[2]", attrs: a, declared: value,
			want: "!async_update_o1 operand 0"},
		{name: "async_update_o1_result", op: AsyncUpdate, operands: value, attrs: a,
			declared: "((f32[2,3]), f32[3,3], u32[])",
			want:     "!async_update_o1"},
		{name: "async_update_o1_contexts", op: AsyncUpdate, operands: value, attrs: a,
			declared: "((f32[2,3]), f32[3,2], s32[])",
			want:     "!async_update_o1"},
		{name: "async_done_o1", op: AsyncDone, operands: "(f32[2], f32[3])", attrs: a, declared: "f32[3]",
			want: "!async_done_o1 operand 0"},
		{name: "async_done_o2", op: AsyncDone, operands: value, attrs: a, declared: "f32[2,3]", want: "!async_done_o2"},
	})
}

func TestCopyRules(t *testing.T) {
	a := &CopyStartAttrs{}
	const value = "(f32[4]{0:S(5)}, f32[4], u32[])"
	runRules(t, []ruleCase{
		{name: "start", op: CopyStart, operands: "f32[4]", attrs: a, declared: value, want: value},
		{name: "start_not_declared", op: CopyStart, operands: "f32[4]", attrs: a, want: "(f32[4], f32[4], u32[])"},
		{name: "done", op: CopyDone, operands: value, declared: "f32[4]{0:S(5)}", want: "f32[4]{0:S(5)}"},
		{name: "copy_start_o1", op: CopyStart, operands: "f32[2,3]", attrs: a, declared: "f32[2,3]",
			want: "!copy_start_o1"},
		{name: "copy_start_o1_context", op: CopyStart, operands: "f32[4]", attrs: a,
			declared: "(f32[4], f32[4], s32[])",
			want:     "!copy_start_o1"},
		{name: "copy_done_o1", op: CopyDone, operands: "f32[4]", declared: "f32[4]", want: "!copy_done_o1 operand 0"},
		{name: "copy_done_o1_source", op: CopyDone, operands: "(f32[4], f32[5], u32[])", declared: "f32[4]",
			want: "!copy_done_o1 operand 0"},
		{name: "copy_done_o2", op: CopyDone, operands: value, declared: "f32[5]", want: "!copy_done_o2"},
	})
}
