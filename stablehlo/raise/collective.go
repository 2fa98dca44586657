package raise

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

func collectiveRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.AllGather:           allGather,
		op.AllReduce:           allReduce,
		op.AllToAll:            allToAll,
		op.CollectiveBroadcast: collectiveBroadcast,
		op.CollectivePermute:   collectivePermute,
		op.PartitionId:         same("partition_id"),
		op.RaggedAllToAll:      raggedAllToAll,
		op.ReduceScatter:       reduceScatter,
		op.ReplicaId:           same("replica_id"),
	}
}

// channel returns the handle of a channel between devices, nil for none.
func channel(id op.OptInt) stablehlo.Attribute {
	if !id.Present {
		return nil
	}
	return &stablehlo.ChannelHandle{Handle: int64(id.Value)}
}

// maxGroupCells is how many cells the matrix of replica groups may have.
const maxGroupCells = 1 << 22

// groups returns replica groups as a matrix with a row a group, filled up with -1. No
// groups at all stand for one of all devices.
func (c *call) groups(g op.ReplicaGroups) stablehlo.Attribute {
	if isWhole(g) {
		return &stablehlo.DenseElements{Type: staticType(stablehlo.I64, 0, 0)}
	}
	rows := g.Expand(0)
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	if len(rows)*width > maxGroupCells {
		c.fail("replica_groups", "", "expected at most %d devices, got %d groups of %d", maxGroupCells, len(rows), width)
		return nil
	}
	var cells []int64
	for _, row := range rows {
		for k := range width {
			cell := int64(-1)
			if k < len(row) {
				cell = int64(row[k])
			}
			cells = append(cells, cell)
		}
	}
	return stablehlo.NewDenseInts(stablehlo.I64, []int64{int64(len(rows)), int64(width)}, cells)
}

// isWhole reports whether g is the one group of all devices, not listed.
func isWhole(g op.ReplicaGroups) bool { return len(g.Groups) == 0 && g.Tiles == nil && g.Mesh == nil }

// participants returns how many devices a group has.
func (c *call) participants(g op.ReplicaGroups, id op.OptInt, global op.TriState) int {
	if !isWhole(g) {
		if rows := g.Expand(0); len(rows) > 0 {
			return len(rows[0])
		}
	}
	m := c.s.r.module
	replicas, partitions := max(m.Replicas, 1), max(m.Partitions, 1)
	mode, err := op.CollectiveGroupMode(id.Present, global)
	if err != nil {
		c.fail("", "", "%w", err)
	}
	switch mode {
	case op.CrossPartition:
		return partitions
	case op.CrossReplica:
		return replicas
	}
	return replicas * partitions
}

// each makes an operation for each operand: StableHLO has it for one.
func (c *call) each(f func(v *stablehlo.Value, t stablehlo.Type) *stablehlo.Value) value {
	types := c.types(c.i.Shape())
	var leaves []*stablehlo.Value
	for k, v := range c.args() {
		if k < len(types) {
			leaves = append(leaves, f(v, types[k]))
		}
	}
	return c.whole(leaves)
}

func allGather(c *call) value {
	return c.whole(c.gathered(attrs[op.AllGatherAttrs](c), c.types(c.i.Shape())))
}

// gathered makes the all-gather of the operands, whose results have the types given. What has no elements along the
// dimension, which StableHLO does not gather, is the result itself.
func (c *call) gathered(a *op.AllGatherAttrs, types []stablehlo.Type) []*stablehlo.Value {
	d, leaves := c.one("dimensions", a.Dimensions), slices.Clone(c.args())
	var operands []*stablehlo.Value
	var to []stablehlo.Type
	for k, v := range leaves {
		if k < len(types) && !hollow(v, d) {
			operands, to = append(operands, v), append(to, types[k])
		}
	}
	if len(operands) == 0 {
		return leaves
	}
	results := c.emit("stablehlo.all_gather", operands, to, attr("all_gather_dim", stablehlo.Int64(int64(d))),
		attr("replica_groups", c.groups(a.ReplicaGroups)), attr("channel_handle", channel(a.ChannelID)),
		attr("use_global_device_ids", unit(a.UseGlobalDeviceIDs))).Results
	for k, v := range leaves {
		if !hollow(v, d) && len(results) > 0 {
			leaves[k], results = results[0], results[1:]
		}
	}
	return leaves
}

// hollow reports whether v has no elements along dimension d.
func hollow(v *stablehlo.Value, d int) bool {
	t, ok := v.Type.(*stablehlo.TensorType)
	return ok && d < t.Rank() && t.Dims[d] == 0
}

// allReduce: the reduction may work in a wider type.
func allReduce(c *call) value {
	a := attrs[op.AllReduceAttrs](c)
	operands := c.reducedOperands()
	o := c.emit("stablehlo.all_reduce", operands, typesOf(operands), attr("replica_groups", c.groups(a.ReplicaGroups)),
		attr("channel_handle", channel(a.ChannelID)), attr("use_global_device_ids", unit(a.UseGlobalDeviceIDs)))
	c.region(o, c.called(0))
	return c.regionResults(o)
}

// reducedOperands returns the operands in the type that the called computation works in.
func (c *call) reducedOperands() []*stablehlo.Value {
	operands, params := c.args(), c.called(0).Params()
	if len(params) != 2 {
		c.fail("to_apply", "", "expected a computation of 2 parameters, got %d", len(params))
		return operands
	}
	for k := range operands {
		operands[k] = c.convert(operands[k], c.paramElem(params[0]))
	}
	return operands
}

func reduceScatter(c *call) value {
	a := attrs[op.ReduceScatterAttrs](c)
	operands, types := c.reducedOperands(), c.types(c.i.Shape())
	d := c.one("dimensions", a.Dimensions)
	var leaves []*stablehlo.Value
	for k, v := range operands {
		if c.err != nil || k >= len(types) {
			return value{}
		}
		if hollow(v, d) { // StableHLO does not scatter it; the part of a device is the same
			leaves = append(leaves, v)
			continue
		}
		o := c.emit("stablehlo.reduce_scatter", []*stablehlo.Value{v},
			[]stablehlo.Type{withElem(types[k], elemOf(v.Type))},
			attr("scatter_dimension", stablehlo.Int64(int64(d))),
			attr("replica_groups", c.groups(a.ReplicaGroups)), attr("channel_handle", channel(a.ChannelID)),
			attr("use_global_device_ids", unit(a.UseGlobalDeviceIDs)))
		c.region(o, c.called(0))
		leaves = append(leaves, o.Results[0])
	}
	return c.whole(leaves)
}

// allToAll: the form with an operand for each device becomes the other one on the
// operands stacked along a dimension of its own.
func allToAll(c *call) value {
	a := attrs[op.AllToAllAttrs](c)
	if a.Dimensions != nil {
		d := c.one("dimensions", a.Dimensions)
		n := c.participants(a.ReplicaGroups, a.ChannelID, op.Unset)
		return c.each(func(v *stablehlo.Value, t stablehlo.Type) *stablehlo.Value { return c.exchange(a, v, t, d, n) })
	}
	args := c.args()
	if c.err != nil || len(args) == 0 || !c.static() {
		return c.refuse("operands of these sizes")
	}
	t := args[0].Type.(*stablehlo.TensorType)
	n := len(args)
	rows := make([]*stablehlo.Value, n)
	for k, v := range args {
		rows[k] = c.reshape(v, append([]int64{1}, t.Dims...)...)
	}
	whole := staticType(t.Elem, append([]int64{int64(n)}, t.Dims...)...)
	stacked := c.make("stablehlo.concatenate", whole, rows, attr("dimension", stablehlo.Int64(0)))
	stacked = c.exchange(a, stacked, whole, 0, n)
	leaves := make([]*stablehlo.Value, n)
	for k := range leaves {
		leaves[k] = c.reshape(c.row(stacked, k), t.Dims...)
	}
	return c.whole(leaves)
}

// row takes row k of v.
func (c *call) row(v *stablehlo.Value, k int) *stablehlo.Value {
	t := v.Type.(*stablehlo.TensorType)
	start, stride := make([]int64, t.Rank()), make([]int64, t.Rank())
	limit := append([]int64{int64(k) + 1}, t.Dims[1:]...)
	start[0] = int64(k)
	for i := range stride {
		stride[i] = 1
	}
	return c.make("stablehlo.slice", staticType(t.Elem, append([]int64{1}, t.Dims[1:]...)...), []*stablehlo.Value{v},
		attr("start_indices", stablehlo.Int64Array(start...)), attr("limit_indices", stablehlo.Int64Array(limit...)),
		attr("strides", stablehlo.Int64Array(stride...)))
}

// exchange makes an all_to_all that splits and joins along dimension d.
func (c *call) exchange(a *op.AllToAllAttrs, v *stablehlo.Value, t stablehlo.Type, d, n int) *stablehlo.Value {
	return c.make("stablehlo.all_to_all", t, []*stablehlo.Value{v},
		attr("split_dimension", stablehlo.Int64(int64(d))), attr("concat_dimension", stablehlo.Int64(int64(d))),
		attr("split_count", stablehlo.Int64(int64(n))), attr("replica_groups", c.listed(a.ReplicaGroups, n)),
		attr("channel_handle", channel(a.ChannelID)))
}

func collectiveBroadcast(c *call) value {
	a := attrs[op.CollectiveBroadcastAttrs](c)
	list := []stablehlo.NamedAttribute{attr("replica_groups", c.groups(a.ReplicaGroups)),
		attr("channel_handle", channel(a.ChannelID))}
	if a.HasDynamicRoot {
		list = append(list, attr("has_dynamic_root", stablehlo.UnitAttr{}))
		return c.results("stablehlo.collective_broadcast", c.args(), list...)
	}
	return c.each(func(v *stablehlo.Value, t stablehlo.Type) *stablehlo.Value {
		return c.make("stablehlo.collective_broadcast", t, []*stablehlo.Value{v}, list...)
	})
}

func collectivePermute(c *call) value {
	a := attrs[op.CollectivePermuteAttrs](c)
	if a.SliceSizes != nil {
		return c.refuse("slice_sizes")
	}
	list := []stablehlo.NamedAttribute{attr("source_target_pairs", pairs(a.SourceTargetPairs)),
		attr("channel_handle", channel(a.ChannelID))}
	return c.each(func(v *stablehlo.Value, t stablehlo.Type) *stablehlo.Value {
		return c.make("stablehlo.collective_permute", t, []*stablehlo.Value{v}, list...)
	})
}

// listed is groups for an operation that must know the size of its groups: one group of
// all devices is listed.
func (c *call) listed(g op.ReplicaGroups, devices int) stablehlo.Attribute {
	if !isWhole(g) {
		return c.groups(g)
	}
	all := make([]int64, devices)
	for i := range all {
		all[i] = int64(i)
	}
	return stablehlo.NewDenseInts(stablehlo.I64, []int64{1, int64(devices)}, all)
}

// pairs returns pairs of devices as a matrix of two columns.
func pairs(list [][]int) stablehlo.Attribute {
	cells := make([]int64, 0, 2*len(list))
	for _, p := range list {
		cells = append(cells, int64s(p)...)
	}
	return stablehlo.NewDenseInts(stablehlo.I64, []int64{int64(len(list)), 2}, cells)
}

// raggedAllToAll becomes the custom call that JAX writes for it.
func raggedAllToAll(c *call) value {
	a := attrs[op.RaggedAllToAllAttrs](c)
	n := c.participants(a.ReplicaGroups, a.ChannelID, op.Unset)
	entries := []stablehlo.NamedAttribute{attr("replica_groups", c.listed(a.ReplicaGroups, n))}
	if a.ChannelID.Present {
		id := attr("channel_id", stablehlo.Int64(int64(a.ChannelID.Value)))
		entries = append([]stablehlo.NamedAttribute{id}, entries...)
	}
	return c.result("stablehlo.custom_call", c.args(),
		attr("call_target_name", stablehlo.StringAttr{Value: "ragged_all_to_all"}),
		attr("api_version", stablehlo.Int32(typedFFI)), attr("backend_config", &stablehlo.DictAttr{Entries: entries}))
}
