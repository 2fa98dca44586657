package op

import (
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func TestLeafRules(t *testing.T) {
	value := &ConstantAttrs{Value: literal.New(shape.Make(shape.F32, 2, 3))}
	runRules(t, []ruleCase{
		{name: "ok", op: Constant, attrs: value, declared: "f32[2,3]{0,1}", want: "f32[2,3]{0,1}"},
		{name: "undeclared", op: Constant, attrs: value, want: "f32[2,3]"},
		{name: "constant_c1", op: Constant, attrs: value, declared: "f32[3,2]", want: "!constant_c1"},
		{name: "constant_c1_type", op: Constant, attrs: value, declared: "bf16[2,3]", want: "!constant_c1"},
		{name: "constant_i1", op: Constant, attrs: &ConstantAttrs{}, declared: "f32[]", want: "!constant_i1 value"},

		{name: "ok", op: Parameter, attrs: &ParameterAttrs{Number: 3}, declared: "(f32[2]{0}, token[])",
			want: "(f32[2], token[])"},
		{name: "leaves", op: Parameter, attrs: &ParameterAttrs{Replication: []bool{true, false, true}},
			declared: "(f32[], (s32[], s32[]))", want: "(f32[], (s32[], s32[]))"},
		{name: "parameter_o1", op: Parameter, attrs: &ParameterAttrs{Number: -1}, declared: "f32[]",
			want: "!parameter_o1 number"},
		{name: "parameter_o2", op: Parameter, attrs: &ParameterAttrs{}, want: "!parameter_o2"},
		{name: "parameter_o3", op: Parameter, attrs: &ParameterAttrs{Replication: []bool{true}},
			declared: "(f32[], s32[])", want: "!parameter_o3 parameter_replication"},

		{name: "ok", op: Iota, attrs: &IotaAttrs{Dimension: 1}, declared: "c64[3,4]", want: "c64[3,4]"},
		{name: "iota_c1", op: Iota, attrs: &IotaAttrs{Dimension: 2}, declared: "s32[4,8]", want: "!iota_c1 iota_dimension"},
		{name: "iota_c1_scalar", op: Iota, attrs: &IotaAttrs{}, declared: "s32[]", want: "!iota_c1 iota_dimension"},
		{name: "iota_o1", op: Iota, attrs: &IotaAttrs{Dimension: 24}, declared: "()", want: "!iota_o1"},
		{name: "iota_o2", op: Iota, attrs: &IotaAttrs{}, declared: "pred[4]", want: "!iota_o2"},
	})
}

func TestBroadcastRule(t *testing.T) {
	along := func(d ...int) *BroadcastAttrs { return &BroadcastAttrs{Dimensions: d} }
	runRules(t, []ruleCase{
		{name: "row", op: Broadcast, operands: "f32[3]", attrs: along(1), declared: "f32[2,3]", want: "f32[2,3]"},
		{name: "scalar", op: Broadcast, operands: "f32[]", attrs: along(), declared: "f32[2,3]{0,1}", want: "f32[2,3]{0,1}"},
		{name: "permuted", op: Broadcast, operands: "f32[2,3]", attrs: along(2, 0), declared: "f32[3,5,2]",
			want: "f32[3,5,2]"},
		{name: "sizes_when_undeclared", op: Broadcast, operands: "f32[<=3]", attrs: along(4, 2), want: "f32[4,2,<=3]"},
		{name: "broadcast_in_dim_o2", op: Broadcast, operands: "f32[3]", attrs: along(-4),
			want: "!broadcast_in_dim_o2 dimensions[0]"},
		{name: "broadcast_in_dim_c1", op: Broadcast, operands: "f32[3]", attrs: along(0), declared: "s32[3]",
			want: "!broadcast_in_dim_c1"},
		{name: "broadcast_in_dim_c2", op: Broadcast, operands: "s32[1,2]", attrs: along(1), declared: "s32[1,2]",
			want: "!broadcast_in_dim_c2 dimensions"},
		{name: "broadcast_in_dim_c3", op: Broadcast, operands: "s32[2]", attrs: along(2), declared: "s32[2,3]",
			want: "!broadcast_in_dim_c3 dimensions[0]"},
		{name: "broadcast_in_dim_c4", op: Broadcast, operands: "s32[2,2]", attrs: along(0, 0), declared: "s32[2,2]",
			want: "!broadcast_in_dim_c4 dimensions[1]"},
		{name: "broadcast_in_dim_c5", op: Broadcast, operands: "s32[2]", attrs: along(1), declared: "s32[2,3]",
			want: "!broadcast_in_dim_c5 dimensions[0]"},
		{name: "broadcast_in_dim_c5_one", op: Broadcast, operands: "s32[1]", attrs: along(1), declared: "s32[2,3]",
			want: "!broadcast_in_dim_c5 dimensions[0]"},
		{name: "broadcast_in_dim_i1", op: Broadcast, operands: "token[]", attrs: along(), declared: "s32[2]",
			want: "!broadcast_in_dim_i1 operand 0"},
		{name: "broadcast_in_dim_o1", op: Broadcast, operands: "s32[]", attrs: along(), declared: "(s32[2])",
			want: "!broadcast_in_dim_o1"},
	})
}

// v of OPS.md is f32[4,2,3].
func TestReshapeRule(t *testing.T) {
	attrs := &ReshapeAttrs{}
	runRules(t, []ruleCase{
		{name: "flat", op: Reshape, operands: "f32[4,2,3]", attrs: attrs, declared: "f32[24]", want: "f32[24]"},
		{name: "8x3", op: Reshape, operands: "f32[24]", attrs: attrs, declared: "f32[8,3]", want: "f32[8,3]"},
		{name: "2x6x2", op: Reshape, operands: "f32[24]", attrs: attrs, declared: "f32[2,6,2]", want: "f32[2,6,2]"},
		{name: "collapse_0_1", op: Reshape, operands: "f32[4,2,3]", attrs: attrs, declared: "f32[8,3]", want: "f32[8,3]"},
		{name: "collapse_1_2", op: Reshape, operands: "f32[4,2,3]", attrs: attrs, declared: "f32[4,6]", want: "f32[4,6]"},
		{name: "scalar", op: Reshape, operands: "f32[]", attrs: attrs, declared: "f32[1,1]", want: "f32[1,1]"},
		{name: "empty", op: Reshape, operands: "f32[0,3]", attrs: attrs, declared: "f32[7,0]", want: "f32[7,0]"},
		{name: "layout", op: Reshape, operands: "f32[2,3]", attrs: attrs, declared: "f32[3,2]{0,1}", want: "f32[3,2]{0,1}"},
		{name: "bounded", op: Reshape, operands: "f32[<=6]", attrs: &ReshapeAttrs{InferredDimension: Some(1)},
			declared: "f32[2,<=3]", want: "f32[2,<=3]"},
		{name: "unbounded", op: Reshape, operands: "f32[?]", attrs: attrs, declared: "f32[2,3]", want: "f32[2,3]"},
		{name: "reshape_c1", op: Reshape, operands: "f32[2]", attrs: attrs, declared: "s32[2]", want: "!reshape_c1"},
		{name: "reshape_c2", op: Reshape, operands: "f32[4,2,3]", attrs: attrs, declared: "f32[5,5]", want: "!reshape_c2"},
		{name: "reshape_c2_huge", op: Reshape, operands: "f32[2]", attrs: attrs,
			declared: "f32[4294967296,4294967296]", want: "!reshape_c2"},
		{name: "reshape_i1", op: Reshape, operands: "(f32[2])", attrs: attrs, declared: "f32[2]",
			want: "!reshape_i1 operand 0"},
		{name: "reshape_o1", op: Reshape, operands: "f32[2]", attrs: attrs, want: "!reshape_o1"},
		{name: "reshape_o2", op: Reshape, operands: "f32[2]", attrs: &ReshapeAttrs{InferredDimension: Some(2)},
			declared: "f32[2]", want: "!reshape_o2 inferred_dimension"},
	})
}

func TestReverseAndTransposeRules(t *testing.T) {
	rev := func(d ...int) *ReverseAttrs { return &ReverseAttrs{Dimensions: d} }
	perm := func(d ...int) *TransposeAttrs { return &TransposeAttrs{Dimensions: d} }
	runRules(t, []ruleCase{
		{name: "layout", op: Reverse, operands: "f32[2,<=3]{0,1}", attrs: rev(1, 0), want: "f32[2,<=3]{0,1}"},
		{name: "none", op: Reverse, operands: "f32[2]", attrs: rev(), want: "f32[2]"},
		{name: "reverse_c2", op: Reverse, operands: "f32[2,3]", attrs: rev(1, 1), want: "!reverse_c2 dimensions[1]"},
		{name: "reverse_c3", op: Reverse, operands: "s32[1,2]", attrs: rev(2), want: "!reverse_c3 dimensions[0]"},
		{name: "reverse_c3_negative", op: Reverse, operands: "s32[1,2]", attrs: rev(-1), want: "!reverse_c3 dimensions[0]"},
		{name: "reverse_i1", op: Reverse, operands: "token[]", attrs: rev(), want: "!reverse_i1 operand 0"},

		{name: "layout_permutes", op: Transpose, operands: "f32[4,2]{1,0}", attrs: perm(1, 0), want: "f32[2,4]{0,1}"},
		{name: "layout_returns", op: Transpose, operands: "f32[2,4]{0,1}", attrs: perm(1, 0), want: "f32[4,2]"},
		{name: "three", op: Transpose, operands: "f32[4,<=2,3]", attrs: perm(1, 2, 0), want: "f32[<=2,3,4]{1,0,2}"},
		{name: "properties_stay", op: Transpose, operands: "f32[4,2]{1,0:T(2,2)S(1)}", attrs: perm(1, 0),
			want: "f32[2,4]{0,1:T(2,2)S(1)}"},
		{name: "scalar", op: Transpose, operands: "f32[]", attrs: perm(), want: "f32[]"},
		{name: "transpose_c2_length", op: Transpose, operands: "f32[4,2]", attrs: perm(0), want: "!transpose_c2 dimensions"},
		{name: "transpose_c2_range", op: Transpose, operands: "f32[4,2]", attrs: perm(0, 2),
			want: "!transpose_c2 dimensions[1]"},
		{name: "transpose_c2_repeat", op: Transpose, operands: "f32[4,2]", attrs: perm(1, 1),
			want: "!transpose_c2 dimensions[1]"},
		{name: "transpose_i1", op: Transpose, operands: "(f32[2])", attrs: perm(0), want: "!transpose_i1 operand 0"},
	})
}

func TestTupleRules(t *testing.T) {
	at := func(i int) *GetTupleElementAttrs { return &GetTupleElementAttrs{Index: i} }
	runRules(t, []ruleCase{
		{name: "ok", op: Tuple, operands: "f32[4]{0}, (s32[])", want: "(f32[4], (s32[]))"},
		{name: "empty", op: Tuple, want: "()"},
		{name: "ok", op: GetTupleElement, operands: "(f32[2,2]{0,1}, s32[])", attrs: at(0), want: "f32[2,2]{0,1}"},
		{name: "get_tuple_element_c1", op: GetTupleElement, operands: "(f32[1], s32[])", attrs: at(2),
			want: "!get_tuple_element_c1 index"},
		{name: "get_tuple_element_c1_negative", op: GetTupleElement, operands: "(f32[1], s32[])", attrs: at(-1),
			want: "!get_tuple_element_c1 index"},
		{name: "get_tuple_element_i1", op: GetTupleElement, operands: "f32[1]", attrs: at(0),
			want: "!get_tuple_element_i1 operand 0"},
		{name: "tuple", op: OptBarrier, operands: "(f32[4]{0}, s32[])", want: "(f32[4], s32[])"},
		{name: "token", op: Copy, operands: "token[]", want: "token[]"},
		{name: "array", op: Domain, operands: "f32[4]", attrs: &DomainAttrs{}, want: "f32[4]"},
		{name: "two", op: AfterAll, operands: "token[], token[]", want: "token[]"},
		{name: "none", op: AfterAll, want: "token[]"},
		{name: "of_a_value", op: AfterAll, operands: "token[], f32[]", want: "token[]"},
		{name: "ok", op: AddDependency, operands: "f32[4], token[]", want: "f32[4]"},
		{name: "add_dependency_i2", op: AddDependency, operands: "f32[4], f32[]", want: "!add_dependency_i2 operand 1"},
	})
}
