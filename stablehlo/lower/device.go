package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func deviceRules() map[string]rule {
	return map[string]rule{
		"stablehlo.all_gather":           allGather,
		"stablehlo.all_reduce":           allReduce,
		"stablehlo.all_to_all":           allToAll,
		"stablehlo.async_done":           asyncDone,
		"stablehlo.async_start":          asyncStart,
		"stablehlo.collective_broadcast": collectiveBroadcast,
		"stablehlo.collective_permute":   collectivePermute,
		"stablehlo.collective_reduce":    collectiveReduce,
		"stablehlo.cross-replica-sum":    crossReplicaSum,
		"stablehlo.partition_id":         partitionID,
		"stablehlo.reduce_scatter":       reduceScatter,
		"stablehlo.replica_id":           replicaID,
	}
}

// asyncStart does the work at once: the future is the tuple of results. When it is done
// is not a matter of what it computes.
func asyncStart(c *call) []builder.Op {
	block := c.block(0)
	p := c.capture(c.op.Regions...)
	return one(c.b.Tuple(c.region(c.b, block, c.args, p, p.ops)...))
}

func asyncDone(c *call) []builder.Op {
	x := c.arg(0)
	if c.failed() {
		return nil
	}
	return elements(x, len(c.op.Results))
}

func partitionID(c *call) []builder.Op { return one(c.b.PartitionId()) }

func replicaID(c *call) []builder.Op { return one(c.b.ReplicaId()) }

// collective returns the groups and the channel of an operation between devices.
func (c *call) collective() builder.CollectiveOptions {
	return builder.CollectiveOptions{Groups: c.groups(), Channel: c.channel(), GlobalIDs: c.flag("use_global_device_ids")}
}

// channel returns the number of the channel, 0 for none.
func (c *call) channel() int {
	h, _ := c.op.Attr("channel_handle").(*stablehlo.ChannelHandle)
	if h == nil || h.Handle <= 0 {
		return 0
	}
	return int(h.Handle)
}

// groups returns the replica groups: rows of a matrix, filled up with -1.
func (c *call) groups() op.ReplicaGroups {
	if axes, ok := c.op.Attr("replica_groups").(*stablehlo.ReplicaGroupMeshAxes); ok {
		return c.meshGroups(axes)
	}
	var g op.ReplicaGroups
	for _, row := range c.rows("replica_groups") {
		var group []int
		for _, d := range row {
			if d >= 0 {
				group = append(group, d)
			}
		}
		g.Groups = append(g.Groups, group)
	}
	if len(g.Groups) == 1 && len(g.Groups[0]) == 0 {
		g.Groups = nil
	}
	return g
}

// rows returns the rows of a matrix attribute.
func (c *call) rows(name string) [][]int {
	flat := c.ints(name)
	a, ok := c.op.Attr(name).(*stablehlo.DenseElements)
	if !ok || len(a.Dims()) != 2 {
		c.fail(name, "", "expected a matrix of integers, got %v", c.op.Attr(name))
		return nil
	}
	var rows [][]int
	width := int(a.Dims()[1])
	for width > 0 && len(flat) >= width {
		rows, flat = append(rows, flat[:width]), flat[width:]
	}
	return rows
}

// meshGroups returns the groups along axes of a mesh.
func (c *call) meshGroups(a *stablehlo.ReplicaGroupMeshAxes) op.ReplicaGroups {
	m, ok := a.Mesh.(*stablehlo.Mesh)
	if !ok || m.Axes == nil || a.Axes == nil {
		c.fail("replica_groups", "", "expected a mesh and axes, got %v", a)
		return op.ReplicaGroups{}
	}
	var axes []op.MeshAxis
	var sizes []int
	for _, e := range m.Axes.Elems {
		if axis, ok := e.(*stablehlo.MeshAxis); ok {
			axes, sizes = append(axes, op.MeshAxis{Name: axis.Name, Size: int(axis.Size)}), append(sizes, int(axis.Size))
		}
	}
	var refs []op.AxisRef
	for _, e := range a.Axes.Elems {
		if ref, ok := e.(*stablehlo.AxisRef); ok {
			refs = append(refs, axisRef(ref))
		}
	}
	mesh, err := c.mesh(axes, sizes, m.DeviceIDs)
	var g op.ReplicaGroups
	if err == nil {
		g, err = op.NewMeshGroups(mesh, refs)
	}
	if err != nil {
		c.fail("replica_groups", "", "%w", err)
	}
	return g
}

// mesh returns the mesh of axes; ids are its devices, nil for 0, 1 and so on.
func (c *call) mesh(axes []op.MeshAxis, sizes []int, ids stablehlo.Attribute) (op.Mesh, error) {
	if ids == nil {
		return op.NewMesh(axes, op.Devices{})
	}
	values, ok := integers(ids)
	if !ok {
		c.fail("replica_groups", "", "expected device numbers, got %v", ids)
	}
	devices, err := op.NewDevices(sizes, c.toInts("replica_groups", values))
	if err != nil {
		return op.Mesh{}, err
	}
	return op.NewMesh(axes, devices)
}

// axisRef returns an axis, or the part of one.
func axisRef(a *stablehlo.AxisRef) op.AxisRef {
	if a.SubAxis == nil {
		return op.AxisRef{Name: a.Name}
	}
	return op.AxisRef{Name: a.Name, Pre: int(a.SubAxis.PreSize), Size: int(a.SubAxis.Size)}
}

// allGather: the result types say how large the groups are.
func allGather(c *call) []builder.Op {
	d, o := c.int("all_gather_dim"), c.collective()
	var results []builder.Op
	for i, x := range c.args {
		want := c.result(i)
		if c.failed() || d < 0 || d >= x.Rank() || want.Rank() != x.Rank() {
			c.fail("all_gather_dim", "all_gather_c1", "expected a dimension of %v, got %d", x.Shape(), d)
			return nil
		}
		count := c.groupSize(o)
		if x.Dim(d) > 0 && want.Dims[d] > 0 {
			count = want.Dims[d] / x.Dim(d)
		}
		results = append(results, builder.AllGather(x, d, count, o))
	}
	return results
}

// groupSize returns the number of devices of a group, 1 where it is not told.
func (c *call) groupSize(o builder.CollectiveOptions) int {
	if len(o.Groups.Groups) > 0 && len(o.Groups.Groups[0]) > 0 {
		return len(o.Groups.Groups[0])
	}
	return 1
}

func allReduce(c *call) []builder.Op {
	o := c.collective()
	args := c.promoted()
	f := c.scalars(0, "reducer")
	var results []builder.Op
	for _, x := range args {
		if c.failed() {
			return nil
		}
		results = append(results, builder.AllReduce(x, f, o))
	}
	return results
}

// promoted returns the operands in the type that region 0 works in.
func (c *call) promoted() []builder.Op {
	block := c.block(0)
	if c.failed() || len(block.Args) != 2 {
		c.fail("", "", "expected a region of 2 arguments, got %d", len(block.Args))
		return nil
	}
	var args []builder.Op
	for _, x := range c.args {
		args = append(args, convertTo(x, c.scalarType(block, 0)))
	}
	return args
}

func allToAll(c *call) []builder.Op {
	o := c.collective()
	var results []builder.Op
	for _, x := range c.args {
		results = append(results,
			builder.AllToAll(x, c.int("split_dimension"), c.int("concat_dimension"), c.int("split_count"), o))
	}
	return results
}

// collectiveBroadcast sends the operand of the first device of each group, or of the
// one whose place in the group the last operand says.
func collectiveBroadcast(c *call) []builder.Op {
	o := c.collective()
	roots := c.roots()
	var results []builder.Op
	for i, x := range c.args {
		if roots.IsValid() {
			results = append(results, builder.CollectiveBroadcastFrom(x, root(roots, i), o))
		} else {
			results = append(results, builder.CollectiveBroadcast(x, o))
		}
	}
	return results
}

// roots takes the last operand away where it says who the root is of each of the
// others; an invalid value where none does.
func (c *call) roots() builder.Op {
	if !c.flag("has_dynamic_root") {
		return builder.Op{}
	}
	last := len(c.args) - 1
	if last < 1 {
		c.arg(1)
		return builder.Op{}
	}
	roots := c.args[last]
	c.args = c.args[:last]
	return roots
}

// root returns entry i of a vector.
func root(roots builder.Op, i int) builder.Op {
	return builder.Reshape(builder.SliceInDim(roots, i, i+1, 1, 0))
}

func collectivePermute(c *call) []builder.Op {
	return one(builder.CollectivePermute(c.arg(0), c.pairs("source_target_pairs"), c.collectiveChannel()))
}

// collectiveChannel is collective for an operation without groups.
func (c *call) collectiveChannel() builder.CollectiveOptions {
	return builder.CollectiveOptions{Channel: c.channel()}
}

// pairs returns the rows of a matrix of two columns.
func (c *call) pairs(name string) [][2]int {
	if c.op.Attr(name) == nil {
		return nil
	}
	var pairs [][2]int
	for _, row := range c.rows(name) {
		if len(row) != 2 {
			c.fail(name, "collective_permute_c4", "expected pairs, got rows of %d", len(row))
			return nil
		}
		pairs = append(pairs, [2]int{row[0], row[1]})
	}
	return pairs
}

// collectiveReduce leaves the sum on one device of each group, zeros elsewhere: on the
// first, or on the one whose place in the group the last operand says.
func collectiveReduce(c *call) []builder.Op {
	o := c.collective()
	roots := c.roots()
	sums := allReduce(c)
	for i, x := range sums {
		place := c.b.Const(int32(0))
		if roots.IsValid() {
			place = root(roots, i)
		}
		sums[i] = builder.Select(c.isRoot(o, place), x, builder.FullLike(x, 0))
	}
	return sums
}

// isRoot tells whether the device has the given place in its group.
func (c *call) isRoot(o builder.CollectiveOptions, place builder.Op) builder.Op {
	self := c.self(o)
	if len(o.Groups.Groups) == 0 {
		return builder.Eq(self, builder.ConvertElementType(place, shape.U32))
	}
	is := c.b.Const(false)
	for _, g := range o.Groups.Groups {
		devices := make([]uint32, len(g))
		for i, d := range g {
			devices[i] = uint32(d)
		}
		device := builder.DynamicSlice(c.b.Const(devices), []builder.Op{place}, []int{1})
		is = builder.Or(is, builder.Eq(self, builder.Reshape(device)))
	}
	return is
}

// self returns the number by which groups name the device.
func (c *call) self(o builder.CollectiveOptions) builder.Op {
	switch {
	case o.GlobalIDs:
		count := c.b.Const(uint32(max(1, c.s.l.count("mhlo.num_partitions"))))
		return builder.Add(builder.Mul(c.b.ReplicaId(), count), c.b.PartitionId())
	case o.Channel > 0:
		return c.b.PartitionId()
	}
	return c.b.ReplicaId()
}

func crossReplicaSum(c *call) []builder.Op {
	return one(builder.CrossReplicaSum(c.arg(0), c.groups().Groups...))
}

func reduceScatter(c *call) []builder.Op {
	d, o := c.int("scatter_dimension"), c.collective()
	args := c.promoted()
	f := c.scalars(0, "reducer")
	want := c.result(0)
	if c.failed() || d < 0 || d >= args[0].Rank() || want.Rank() != args[0].Rank() {
		c.fail("scatter_dimension", "reduce_scatter_c2", "expected a dimension of the operand, got %d", d)
		return nil
	}
	count := c.groupSize(o)
	if want.Dims[d] > 0 && want.Dims[d] != shape.Unbounded {
		count = args[0].Dim(d) / want.Dims[d]
	}
	return one(builder.ReduceScatter(args[0], f, d, count, o))
}
