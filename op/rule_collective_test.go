package op

import "testing"

// groupsOf is replica_groups in the explicit form.
func groupsOf(groups ...[]int) ReplicaGroups { return ReplicaGroups{Groups: groups} }

func TestAllGatherRules(t *testing.T) {
	with := func(dim int, g ReplicaGroups) *AllGatherAttrs {
		return &AllGatherAttrs{Dimensions: list(dim), ReplicaGroups: g}
	}
	pair, none := groupsOf(list(0, 1)), ReplicaGroups{}
	runRules(t, []ruleCase{
		// OPS.md: all-gather of [1,2.5] and [3,5.25] along dimension 0 has 4 elements.
		{name: "worked", op: AllGather, operands: "f32[2]", attrs: with(0, pair), replicas: 2, want: "f32[4]"},
		{name: "declared_layout", op: AllGather, operands: "f32[4,2]", attrs: with(1, pair), declared: "f32[4,4]{0,1}",
			want: "f32[4,4]{0,1}"},
		{name: "two", op: AllGather, operands: "f32[128,8], s8[128,16]", attrs: with(1, pair),
			declared: "(f32[128,16], s8[128,32])",
			want:     "(f32[128,16], s8[128,32])"},
		{name: "size_by_replicas", op: AllGather, operands: "f32[2]", attrs: with(0, none), replicas: 3,
			want: "f32[6]"},
		{name: "size_by_result", op: AllGather, operands: "f32[2]", attrs: with(0, none), replicas: 1,
			declared: "f32[6]", want: "f32[6]"},
		{name: "empty", op: AllGather, operands: "f32[0,2]", attrs: with(0, pair), declared: "f32[0,2]",
			want: "f32[0,2]"},
		{name: "unbounded", op: AllGather, operands: "f32[?,2]", attrs: with(0, pair), declared: "f32[?,2]",
			want: "f32[?,2]"},
		{name: "start", op: AllGatherStart, operands: "f32[4,2]", attrs: with(1, pair),
			declared: "(f32[4,2], f32[4,4])",
			want:     "(f32[4,2], f32[4,4])"},
		{name: "start_not_declared", op: AllGatherStart, operands: "f32[4,2]", attrs: with(1, pair),
			want: "(f32[4,2], f32[4,4])"},
		{name: "start_two", op: AllGatherStart, operands: "f32[2], f32[3]", attrs: with(0, none),
			declared: "((f32[2], f32[3]), (f32[4], f32[6]))", want: "((f32[2], f32[3]), (f32[4], f32[6]))"},
		{name: "done", op: AllGatherDone, operands: "(f32[4,2], f32[4,4])", declared: "f32[4,4]", want: "f32[4,4]"},
		{name: "all_gather_i1_none", op: AllGather, attrs: with(0, pair), declared: "f32[4]", want: "!all_gather_i1"},
		{name: "all_gather_i1_tuple", op: AllGather, operands: "(f32[2])", attrs: with(0, pair), declared: "f32[4]",
			want: "!all_gather_i1 operand 0"},
		{name: "all_gather_c1", op: AllGather, operands: "f32[2]", attrs: with(1, pair), declared: "f32[4]",
			want: "!all_gather_c1 dimensions"},
		{name: "all_gather_c1_second", op: AllGather, operands: "f32[2,2], f32[2]", attrs: with(1, pair),
			declared: "(f32[2,4], f32[4])",
			want:     "!all_gather_c1 dimensions"},
		{name: "all_gather_c6", op: AllGather, operands: "f32[2]", attrs: with(0, pair), replicas: 2,
			declared: "f32[6]", want: "!all_gather_c6"},
		{name: "all_gather_c6_uneven", op: AllGather, operands: "f32[2]", attrs: with(0, none), declared: "f32[5]",
			want: "!all_gather_c6"},
		{name: "all_gather_c6_array", op: AllGather, operands: "f32[2], f32[2]", attrs: with(0, pair),
			declared: "f32[4]",
			want:     "!all_gather_c6"},
		{name: "all_gather_c6_size", op: AllGather, operands: "f32[2]", attrs: with(0, none), want: "!all_gather_c6"},
		{name: "all_gather_start_o1_array", op: AllGatherStart, operands: "f32[2]", attrs: with(0, pair),
			declared: "f32[4]",
			want:     "!all_gather_start_o1"},
		{name: "all_gather_start_o1_operand", op: AllGatherStart, operands: "f32[2]", attrs: with(0, pair),
			declared: "(f32[3], f32[4])",
			want:     "!all_gather_start_o1"},
		{name: "all_gather_done_o1", op: AllGatherDone, operands: "f32[4]", declared: "f32[4]",
			want: "!all_gather_done_o1 operand 0"},
		{name: "all_gather_done_o1_result", op: AllGatherDone, operands: "(f32[4,2], f32[4,4])", declared: "f32[4,2]",
			want: "!all_gather_done_o1"},
	})
}

func TestReplicaGroupRules(t *testing.T) {
	of := func(g ReplicaGroups) *AllReduceAttrs { return &AllReduceAttrs{ReplicaGroups: g} }
	global := func(g ReplicaGroups) *AllReduceAttrs {
		return &AllReduceAttrs{ReplicaGroups: g, ChannelID: Some(1), UseGlobalDeviceIDs: true}
	}
	channel := func(g ReplicaGroups) *AllReduceAttrs { return &AllReduceAttrs{ReplicaGroups: g, ChannelID: Some(1)} }
	tiles := func(d ...int) ReplicaGroups {
		return ReplicaGroups{Tiles: &Devices{Dims: d, Iota: &IotaForm{Reshape: list(8)}}}
	}
	mesh := Mesh{Axes: []MeshAxis{{"a", 2}, {"b", 4}}, Devices: Devices{Dims: list(2, 4)}}
	run := func(name string, a Attrs, replicas, partitions int, want string) ruleCase {
		return ruleCase{name: name, op: AllReduce, operands: "f32[4]", calls: addF32, attrs: a, replicas: replicas,
			partitions: partitions, want: want}
	}
	// OPS.md: these groups with global ids over 2 replicas x 4 partitions.
	worked := groupsOf(list(0, 1, 4, 5), list(2, 3, 6, 7))
	runRules(t, []ruleCase{
		run("worked_global_ids", global(worked), 2, 4, "f32[4]"),
		run("none", of(ReplicaGroups{}), 4, 1, "f32[4]"),
		run("uneven", of(groupsOf(list(0), list(2, 1), list(3))), 4, 1, "f32[4]"),
		run("replicas_not_told", of(groupsOf(list(0, 1), list(2, 3))), 1, 1, "f32[4]"),
		run("replicas_and_partitions", channel(groupsOf(list(0, 1))), 2, 4, "f32[4]"),
		run("iota", of(tiles(2, 4)), 8, 1, "f32[4]"),
		run("mesh", of(ReplicaGroups{Mesh: &mesh, Axes: []AxisRef{{Name: "b"}}}), 8, 1, "f32[4]"),
		run("all_reduce_c1", of(groupsOf(list(0, 1), list(0, 2))), 0, 0, "!all_reduce_c1 replica_groups[1]"),
		run("all_reduce_c2_few", of(groupsOf(list(0, 1))), 4, 1, "!all_reduce_c2 replica_groups"),
		run("all_reduce_c2_empty", of(groupsOf(list(0, 1), nil)), 0, 0, "!all_reduce_c2 replica_groups[1]"),
		run("all_reduce_c2_flattened", global(groupsOf(list(0, 1))), 2, 4, "!all_reduce_c2 replica_groups"),
		run("all_reduce_c2_flattened_none", global(ReplicaGroups{}), 2, 4, "!all_reduce_c2 replica_groups"),
		run("all_reduce_c2_iota", of(tiles(2, 4)), 4, 1, "!all_reduce_c2 replica_groups"),
		run("all_reduce_c2_iota_rank", of(tiles(8)), 8, 1, "!all_reduce_c2 replica_groups"),
		run("all_reduce_c2_iota_sizes", of(tiles(-2, -4)), 8, 1, "!all_reduce_c2 replica_groups"),
		run("all_reduce_c2_mesh", of(ReplicaGroups{Mesh: &mesh, Axes: []AxisRef{{Name: "b"}}}), 4, 1,
			"!all_reduce_c2 replica_groups"),
		run("all_reduce_c2_mesh_axis", of(ReplicaGroups{Mesh: &mesh, Axes: []AxisRef{{Name: "c"}}}), 8, 1,
			"!all_reduce_c2 replica_groups"),
		run("all_reduce_c3", of(groupsOf(list(0, 2))), 0, 0, "!all_reduce_c3 replica_groups[0]"),
		run("all_reduce_c3_negative", of(groupsOf(list(0, -1))), 0, 0, "!all_reduce_c3 replica_groups[0]"),
		run("all_reduce_c4", &AllReduceAttrs{UseGlobalDeviceIDs: true}, 2, 4, "!all_reduce_c4 use_global_device_ids"),
		{name: "reduce_scatter_c4_uneven", op: ReduceScatter, operands: "f32[3]", calls: addF32, replicas: 4,
			declared: "f32[1]",
			attrs:    &ReduceScatterAttrs{Dimensions: list(0), ReplicaGroups: groupsOf(list(0), list(1, 2, 3))},
			want:     "!reduce_scatter_c4 replica_groups[1]"},
		{name: "group_of_replicas_and_partitions", op: AllGather, operands: "f32[2]", replicas: 2, partitions: 4,
			attrs: &AllGatherAttrs{Dimensions: list(0), ChannelID: Some(1),
				ReplicaGroups: groupsOf(list(0, 1))}, want: "f32[16]"},
	})
}

func TestAllReduceRules(t *testing.T) {
	a := &AllReduceAttrs{}
	run := func(name string, c Code, operands, calls, declared, want string) ruleCase {
		return ruleCase{name: name, op: c, operands: operands, calls: calls, declared: declared, attrs: a, want: want}
	}
	done := run("done", AllReduceDone, "f32[4]", "", "f32[4]{0}", "f32[4]")
	badDone := run("all_reduce_done_o1", AllReduceDone, "(f32[2,3], f32[2,3])", "", "f32[2,3]", "!all_reduce_done_o1")
	done.attrs, badDone.attrs = nil, nil
	runRules(t, []ruleCase{
		done, badDone,
		run("one", AllReduce, "f32[4,2]", addF32, "f32[4,2]{0,1}", "f32[4,2]{0,1}"),
		run("two", AllReduce, "f32[4], f32[2]", addF32, "(f32[4], f32[2])", "(f32[4], f32[2])"),
		run("other_precision", AllReduce, "bf16[4]", addF32, "bf16[4]", "bf16[4]"),
		run("tuple_of_one_result", AllReduce, "f32[4]", "(f32[], f32[])->(f32[])", "f32[4]", "f32[4]"),
		run("start", AllReduceStart, "f32[4], f32[2]", addF32, "(f32[4], f32[2])", "(f32[4], f32[2])"),
		run("all_reduce_i1", AllReduce, "", addF32, "()", "!all_reduce_i1"),
		run("all_reduce_i1_tuple", AllReduce, "(f32[4])", addF32, "f32[4]", "!all_reduce_i1 operand 0"),
		run("all_reduce_c5_none", AllReduce, "f32[4]", "", "f32[4]", "!all_reduce_c5"),
		run("all_reduce_c5_count", AllReduce, "f32[4]", "(f32[])->f32[]", "f32[4]", "!all_reduce_c5"),
		run("all_reduce_c5_type", AllReduce, "s32[4]", addF32, "s32[4]", "!all_reduce_c5"),
		run("all_reduce_c5_pred", AllReduce, "f32[4]", ltF32, "f32[4]", "!all_reduce_c5"),
		run("all_reduce_c6", AllReduce, "f32[4]", addF32, "f32[5]", "!all_reduce_c6"),
		run("all_reduce_start_c6", AllReduceStart, "f32[2,3]", addF32, "(f32[2,3], f32[2,3])", "!all_reduce_start_c6"),
	})
}

func TestReduceScatterRule(t *testing.T) {
	pair := groupsOf(list(0, 1))
	run := func(name string, dim int, g ReplicaGroups, operands, declared, want string) ruleCase {
		return ruleCase{name: name, op: ReduceScatter, operands: operands, calls: addF32, declared: declared,
			want:  want,
			attrs: &ReduceScatterAttrs{Dimensions: list(dim), ReplicaGroups: g}}
	}
	runRules(t, []ruleCase{
		// OPS.md: reduce-scatter of two arrays of 2 elements gives 1 element each.
		run("worked", 0, pair, "f32[2]", "f32[1]", "f32[1]"),
		run("not_declared", 1, pair, "f32[8,4]", "", "f32[8,2]"),
		run("two", 0, pair, "f32[8], f32[2,3]", "(f32[4], f32[1,3])", "(f32[4], f32[1,3])"),
		run("size_by_result", 0, ReplicaGroups{}, "f32[8]", "f32[2]", "f32[2]"),
		run("reduce_scatter_i1", 0, pair, "", "f32[4]", "!reduce_scatter_i1"),
		run("reduce_scatter_c1", 0, pair, "f32[3]", "f32[2]", "!reduce_scatter_c1 dimensions"),
		run("reduce_scatter_c2", 1, pair, "f32[4]", "f32[2]", "!reduce_scatter_c2 dimensions"),
		run("reduce_scatter_c7", 0, pair, "s32[4]", "s32[2]", "!reduce_scatter_c7"),
		run("reduce_scatter_c8", 0, pair, "f32[8]", "f32[8]", "!reduce_scatter_c8"),
		run("reduce_scatter_c8_quarter", 0, pair, "f32[4]", "f32[1]", "!reduce_scatter_c8"),
		run("reduce_scatter_c8_rank", 0, ReplicaGroups{}, "f32[8]", "f32[]", "!reduce_scatter_c8"),
	})
}

func TestDeviceIDRules(t *testing.T) {
	runRules(t, []ruleCase{
		{name: "replica", op: ReplicaId, want: "u32[]"},
		{name: "partition", op: PartitionId, want: "u32[]"},
	})
}
