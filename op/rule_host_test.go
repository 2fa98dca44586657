package op

import "testing"

func TestFeedRules(t *testing.T) {
	in := &InfeedAttrs{}
	out := func(text string) *OutfeedAttrs {
		if text == "" {
			return &OutfeedAttrs{}
		}
		return &OutfeedAttrs{Shape: mustShape(t, text)}
	}
	runRules(t, []ruleCase{
		{name: "array", op: Infeed, operands: "token[]", attrs: in, declared: "(f32[4], token[])",
			want: "(f32[4], token[])"},
		{name: "tuple", op: Infeed, operands: "token[]", attrs: in, declared: "((f32[4], pred[]), token[])",
			want: "((f32[4], pred[]), token[])"},
		{name: "empty", op: Infeed, operands: "token[]", attrs: in, declared: "((), token[])", want: "((), token[])"},
		{name: "infeed_i1", op: Infeed, operands: "f32[]", attrs: in, declared: "(f32[4], token[])",
			want: "!infeed_i1 operand 0"},
		{name: "infeed_c2", op: Infeed, operands: "token[]", attrs: in, declared: "((f32[4], (s32[])), token[])",
			want: "!infeed_c2"},
		{name: "infeed_c3", op: Infeed, operands: "token[]", attrs: in, declared: "(f32[4], f32[4])",
			want: "!infeed_c3"},
		{name: "infeed_c3_array", op: Infeed, operands: "token[]", attrs: in, declared: "f32[4]", want: "!infeed_c3"},
		{name: "infeed_c3_none", op: Infeed, operands: "token[]", attrs: in, want: "!infeed_c3"},
		{name: "shape", op: Outfeed, operands: "f32[2,4], token[]", attrs: out("f32[2,4]{0,1}"), declared: "token[]",
			want: "token[]"},
		{name: "no_shape", op: Outfeed, operands: "(), token[]", attrs: out(""), want: "token[]"},
		{name: "outfeed_i2", op: Outfeed, operands: "f32[4], f32[4]", attrs: out(""), declared: "token[]",
			want: "!outfeed_i2 operand 1"},
		{name: "outfeed_o1", op: Outfeed, operands: "f32[4], token[]", attrs: out("f32[5]"), declared: "token[]",
			want: "!outfeed_o1 outfeed_shape"},
		{name: "outfeed_o2", op: Outfeed, operands: "f32[4], token[]", attrs: out(""), declared: "()",
			want: "!outfeed_o2"},
	})
}

func TestChannelRules(t *testing.T) {
	a := &ChannelAttrs{ChannelID: Some(1)}
	const value = "(f32[4], u32[], token[])"
	runRules(t, []ruleCase{
		{name: "send", op: Send, operands: "f32[4], token[]", attrs: a, declared: value, want: value},
		{name: "send_not_declared", op: Send, operands: "f32[4], token[]", attrs: a, want: value},
		{name: "send_done", op: SendDone, operands: value, attrs: a, declared: "token[]", want: "token[]"},
		{name: "recv", op: Recv, operands: "token[]", attrs: a, declared: "((f32[4], s32[]), u32[], token[])",
			want: "((f32[4], s32[]), u32[], token[])"},
		{name: "recv_done", op: RecvDone, operands: value, attrs: a, declared: "(f32[4]{0}, token[])",
			want: "(f32[4], token[])"},
		{name: "send_i2", op: Send, operands: "f32[4], f32[]", attrs: a, declared: value, want: "!send_i2 operand 1"},
		{name: "send_o1", op: Send, operands: "f32[4], token[]", attrs: a, declared: "(f32[4], s32[], token[])",
			want: "!send_o1"},
		{name: "send_done_o1", op: SendDone, operands: "(f32[4], token[])", attrs: a, declared: "token[]",
			want: "!send_done_o1 operand 0"},
		{name: "send_done_o2", op: SendDone, operands: value, attrs: a, declared: "(f32[4], token[])",
			want: "!send_done_o2"},
		{name: "recv_i1", op: Recv, operands: "f32[]", attrs: a, declared: value, want: "!recv_i1 operand 0"},
		{name: "recv_o1", op: Recv, operands: "token[]", attrs: a, declared: "(u32[8], u32[8], token[])",
			want: "!recv_o1"},
		{name: "recv_o1_none", op: Recv, operands: "token[]", attrs: a, want: "!recv_o1"},
		{name: "recv_done_o1", op: RecvDone, operands: "f32[4]", attrs: a, declared: "(f32[4], token[])",
			want: "!recv_done_o1 operand 0"},
		{name: "recv_done_o2", op: RecvDone, operands: value, attrs: a, declared: "f32[4]", want: "!recv_done_o2"},
	})
}
