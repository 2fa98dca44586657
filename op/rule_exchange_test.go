package op

import "testing"

func TestAllToAllRule(t *testing.T) {
	run := func(name string, dims []int, g ReplicaGroups, operands, declared, want string) ruleCase {
		return ruleCase{name: name, op: AllToAll, operands: operands, declared: declared, want: want,
			attrs: &AllToAllAttrs{Dimensions: dims, ReplicaGroups: g}}
	}
	pair, none := groupsOf(list(0, 1)), ReplicaGroups{}
	runRules(t, []ruleCase{
		// OPS.md: f32[4,16] split along 1 over 4 cores; the operation keeps the shape, what follows it concatenates.
		run("worked_split", list(1), groupsOf(list(0, 1, 2, 3)), "f32[4,16]", "f32[4,16]", "f32[4,16]"),
		run("worked_groups", list(1), groupsOf(list(1, 2, 3), list(4, 5, 0)), "f32[4,12]", "f32[4,12]", "f32[4,12]"),
		run("tuple", nil, pair, "f32[4,2]{0,1}, f32[4,2]", "(f32[4,2]{0,1}, f32[4,2])", "(f32[4,2]{0,1}, f32[4,2])"),
		run("tuple_of_one", nil, none, "f32[4]", "(f32[4])", "(f32[4])"),
		run("tuple_of_any", nil, none, "f32[4], f32[4], f32[4]", "", "(f32[4], f32[4], f32[4])"),
		run("all_to_all_i1", list(0), pair, "(f32[4])", "f32[4]", "!all_to_all_i1 operand 0"),
		run("all_to_all_i1_two", list(0), pair, "f32[4], f32[4]", "f32[4]", "!all_to_all_i1"),
		run("all_to_all_i1_none", nil, pair, "", "()", "!all_to_all_i1"),
		run("all_to_all_c1", list(1), pair, "f32[4]", "f32[4]", "!all_to_all_c1 dimensions"),
		run("all_to_all_c2", list(0), pair, "f32[3]", "f32[3]", "!all_to_all_c2 dimensions"),
		run("all_to_all_c5", list(0), groupsOf(list(0, 1), list(1, 0)), "f32[4]", "f32[4]",
			"!all_to_all_c5 replica_groups[1]"),
		run("all_to_all_c6_uneven", list(0), groupsOf(list(0, 1), list(2)), "f32[4]", "f32[4]",
			"!all_to_all_c6 replica_groups[1]"),
		run("all_to_all_c7", list(0), groupsOf(list(0, 7)), "f32[4]", "f32[4]", "!all_to_all_c7 replica_groups[0]"),
		run("all_to_all_c8", nil, pair, "f32[4], f32[4], f32[4]", "(f32[4], f32[4], f32[4])", "!all_to_all_c8"),
		run("all_to_all_c9", nil, pair, "f32[4], f32[5]", "(f32[4], f32[5])", "!all_to_all_c9 operand 1"),
		run("all_to_all_c9_result", list(0), pair, "f32[4,16]", "f32[16,4]", "!all_to_all_c9"),
	})
}

func TestRaggedAllToAllRule(t *testing.T) {
	run := func(name, operands, declared, want string) ruleCase {
		return ruleCase{name: name, op: RaggedAllToAll, operands: operands, declared: declared, want: want,
			attrs: &RaggedAllToAllAttrs{ReplicaGroups: groupsOf(list(0, 1))}}
	}
	const offsets = ", s32[2], s32[2], s32[2], s32[2]"
	runRules(t, []ruleCase{
		// OPS.md: inputs of 3 elements, outputs of 4, two replicas.
		run("worked", "f32[3], f32[4]"+offsets, "f32[4]", "f32[4]"),
		run("rows", "bf16[4,8,16], bf16[5,8,16], s64[2,3], s64[2,3], s64[2,3], s64[2,3]", "bf16[5,8,16]",
			"bf16[5,8,16]"),
		run("ragged_all_to_all_i2", "f32[3], ()"+offsets, "f32[4]", "!ragged_all_to_all_i2 operand 1"),
		run("ragged_all_to_all_i4", "f32[3], f32[4], s32[2], f32[2], s32[2], s32[2]", "f32[4]",
			"!ragged_all_to_all_i4 operand 3"),
		run("ragged_all_to_all_o2", "f32[3,2], f32[4,3]"+offsets, "f32[4,3]", "!ragged_all_to_all_o2 operand 1"),
		run("ragged_all_to_all_o2_type", "f32[3], s32[4]"+offsets, "s32[4]", "!ragged_all_to_all_o2 operand 1"),
		run("ragged_all_to_all_o2_scalar", "f32[], f32[]"+offsets, "f32[]", "!ragged_all_to_all_o2 operand 1"),
		run("ragged_all_to_all_o3", "f32[3], f32[4], s64[2], s64[3], s64[2], s64[2]", "f32[4]",
			"!ragged_all_to_all_o3 operand 3"),
		run("ragged_all_to_all_o3_rank", "f32[3], f32[4], s32[2,3], s32[2], s32[2,3], s32[2]", "f32[4]",
			"!ragged_all_to_all_o3 operand 3"),
		run("ragged_all_to_all_o4", "f32[3], f32[4], s32[2,1,1], s32[2,1,1], s32[2,1,1], s32[2,1,1]", "f32[4]",
			"!ragged_all_to_all_o4 operand 2"),
		run("ragged_all_to_all_o4_devices", "f32[3], f32[4], s32[3], s32[3], s32[3], s32[3]", "f32[4]",
			"!ragged_all_to_all_o4 operand 2"),
		run("ragged_all_to_all_o5", "f32[3], f32[4]"+offsets, "f32[3]", "!ragged_all_to_all_o5"),
	})
}

func TestCollectiveBroadcastRule(t *testing.T) {
	run := func(name string, g ReplicaGroups, replicas int, operands, want string) ruleCase {
		return ruleCase{name: name, op: CollectiveBroadcast, operands: operands, want: want, replicas: replicas,
			attrs: &CollectiveBroadcastAttrs{ReplicaGroups: g}}
	}
	root := func(name, operands, want string) ruleCase {
		return ruleCase{name: name, op: CollectiveBroadcast, operands: operands, want: want,
			attrs: &CollectiveBroadcastAttrs{HasDynamicRoot: true}}
	}
	runRules(t, []ruleCase{
		run("one", groupsOf(list(1, 0)), 2, "f32[4]", "f32[4]"),
		run("some_replicas", groupsOf(list(3, 1), list(2)), 5, "f32[4], s32[]", "(f32[4], s32[])"),
		root("dynamic_root", "f32[4], s32[]", "f32[4]"),
		run("collective_broadcast_i1", groupsOf(list(1, 0)), 2, "()", "!collective_broadcast_i1 operand 0"),
		run("collective_broadcast_c1", groupsOf(list(0, 1), list(0, 2)), 3, "f32[1]",
			"!collective_broadcast_c1 replica_groups[1]"),
		run("collective_broadcast_c2", groupsOf(list(0, 3)), 3, "f32[1]", "!collective_broadcast_c2 replica_groups[0]"),
		root("collective_broadcast_o1", "f32[4], f32[]", "!collective_broadcast_o1 operand 1"),
		root("collective_broadcast_o1_alone", "s32[]", "!collective_broadcast_o1"),
		{name: "collective_broadcast_c3", op: CollectiveBroadcast, operands: "f32[1]", declared: "f32[2]",
			attrs: &CollectiveBroadcastAttrs{}, want: "!collective_broadcast_c3"},
	})
}

func TestCollectivePermuteRules(t *testing.T) {
	pairs := func(p ...[]int) *CollectivePermuteAttrs { return &CollectivePermuteAttrs{SourceTargetPairs: p} }
	inPlace := func(p ...[]int) *CollectivePermuteAttrs {
		return &CollectivePermuteAttrs{SourceTargetPairs: p, SliceSizes: [][]int{list(1, 4)}}
	}
	run := func(name string, a Attrs, operands, declared, want string) ruleCase {
		return ruleCase{name: name, op: CollectivePermute, operands: operands, declared: declared, attrs: a,
			replicas: 4, want: want}
	}
	start := func(name string, a Attrs, operands, declared, want string) ruleCase {
		c := run(name, a, operands, declared, want)
		c.op = CollectivePermuteStart
		return c
	}
	ring, over := pairs(list(0, 1), list(1, 0)), &CollectivePermuteAttrs{ChannelID: Some(1),
		SourceTargetPairs: [][]int{list(5, 0)}}
	const buffers, at2 = "f32[2,4], f32[3,4]", ", (s32[], s32[]), (s32[], s32[])"
	runRules(t, []ruleCase{
		run("one", ring, "f32[4]", "f32[4]", "f32[4]"),
		run("two", ring, "f32[4], s32[2]", "(f32[4], s32[2])", "(f32[4], s32[2])"),
		run("no_pairs", pairs(), "f32[4]", "", "f32[4]"),
		run("partitions_not_told", over, "f32[4]", "f32[4]", "f32[4]"),
		run("in_place", inPlace(list(0, 1)), buffers+at2, "f32[3,4]", "f32[3,4]"),
		run("in_place_two_slices", inPlace(list(0, 1), list(0, 2)),
			buffers+", ((s32[], s32[]), (s32[], s32[])), ((s32[], s32[]), (s32[], s32[]))", "f32[3,4]", "f32[3,4]"),
		run("in_place_two_buffers", inPlace(list(0, 1)),
			"(f32[2], f32[2,4]), (f32[2], f32[2,4]), ((s32[]), (s32[], s32[])), "+
				"((s32[]), (s32[], s32[]))", "(f32[2], f32[2,4])", "(f32[2], f32[2,4])"),
		start("start", ring, "f32[4]", "(f32[4], f32[4])", "(f32[4], f32[4])"),
		start("start_contexts", ring, "f32[4]", "(f32[4], f32[4], u32[], u32[])", "(f32[4], f32[4], u32[], u32[])"),
		start("start_not_declared", ring, "f32[4], s32[2]", "", "((f32[4], s32[2]), (f32[4], s32[2]))"),
		start("start_in_place", inPlace(list(0, 1)), buffers+at2, "(f32[2,4], f32[3,4], u32[])",
			"(f32[2,4], f32[3,4], u32[])"),
		{name: "done", op: CollectivePermuteDone, operands: "(f32[2], f32[4], u32[], u32[])", declared: "f32[4]",
			want: "f32[4]"},
		run("collective_permute_i1", ring, "(f32[4])", "f32[4]", "!collective_permute_i1 operand 0"),
		run("collective_permute_c1", pairs(list(0)), "f32[4]", "f32[4]",
			"!collective_permute_c1 source_target_pairs[0]"),
		run("collective_permute_c2", pairs(list(0, 1), list(0, 2)), "f32[4]", "f32[4]",
			"!collective_permute_c2 source_target_pairs[1]"),
		run("collective_permute_c3", pairs(list(0, 2), list(1, 2)), "f32[4]", "f32[4]",
			"!collective_permute_c3 source_target_pairs[1]"),
		run("collective_permute_c4", pairs(list(0, 7)), "f32[4]", "f32[4]",
			"!collective_permute_c4 source_target_pairs[0]"),
		run("collective_permute_c4_negative", pairs(list(-1, 0)), "f32[4]", "f32[4]",
			"!collective_permute_c4 source_target_pairs[0]"),
		run("collective_permute_c5", ring, "f32[4]", "f32[5]", "!collective_permute_c5"),
		run("collective_permute_o2", inPlace(list(0, 1)), buffers, "f32[3,4]", "!collective_permute_o2"),
		run("collective_permute_o3_rank", inPlace(list(0, 1)), buffers+", (s32[]), (s32[], s32[])", "f32[3,4]",
			"!collective_permute_o3 operand 2"),
		run("collective_permute_o3_type", inPlace(list(0, 1)), buffers+", (s32[], s32[]), (s32[], f32[])", "f32[3,4]",
			"!collective_permute_o3 operand 3"),
		run("collective_permute_o3_buffers", inPlace(list(0, 1)),
			"(f32[2], f32[2,4]), (f32[2], f32[2,4]), ((s32[]), (s32[], s32[])), ((s32[]))",
			"(f32[2], f32[2,4])", "!collective_permute_o3 operand 3"),
		start("collective_permute_start_o1", ring, "f32[4]", "f32[4]", "!collective_permute_start_o1"),
		{name: "collective_permute_done_o1", op: CollectivePermuteDone, operands: "(f32[4])", declared: "f32[4]",
			want: "!collective_permute_done_o1 operand 0"},
	})
}
